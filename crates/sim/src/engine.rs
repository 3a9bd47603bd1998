//! Virtual time: the loop that lets threads execute between kernel entries.
//!
//! The engine knows three things: what time it is, how much each thread still has
//! to execute, and when the next arrival from outside is due. Everything else it
//! asks the kernel: who runs, and when its timer fires. Time then passes up to
//! the nearest of these instants.
//!
//! Two rules fix what happens at one instant. A thread that has executed all it
//! had to at `t` takes its next steps before an interrupt at `t`: a job that needs
//! exactly the time up to a release is done. And a kernel path that costs
//! something cannot be interrupted: whatever falls due in it is handled at its
//! end, late, before any thread goes on.

use crate::arrivals::Arrivals;
use crate::interpreter::{Interpreter, Request, Way};
use crate::outcome::Reached;
use crate::watcher::Watcher;
use crate::{Options, SimError};
use fusee_kernel::{Delivery, Event, Kernel, NEVER, Outcome, Policy, ThreadIndex};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A run under way.
pub(crate) struct Engine<'t, 'w, P: Policy> {
    kernel: Kernel<'t, P, &'w mut Watcher>,
    interpreter: Interpreter,
    arrivals: Vec<Arrivals>,
    /// Releases to come from outside, by time, then task.
    outside: BinaryHeap<Reverse<(u64, usize)>>,
    now: u64,
    end: u64,
    events: u64,
    most_events: u64,
}

impl<'t, 'w, P: Policy> Engine<'t, 'w, P> {
    /// A run at time 0.
    pub(crate) fn new(
        kernel: Kernel<'t, P, &'w mut Watcher>,
        interpreter: Interpreter,
        arrivals: Vec<Arrivals>,
        options: &Options,
    ) -> Self {
        let first = arrivals
            .iter()
            .enumerate()
            .map(|(task, arrivals)| Reverse((arrivals.next().release, task)));
        let outside = first.filter(|Reverse((time, _))| *time != NEVER).collect();
        let (end, most_events) = (options.duration.ns(), options.most_events);
        Self { kernel, interpreter, arrivals, outside, now: 0, end, events: 0, most_events }
    }

    /// Runs to the end, or until nothing can happen any more.
    ///
    /// # Errors
    /// [`SimError::Refused`]: the kernel did not take back what it had let happen.
    pub(crate) fn run(mut self) -> Result<Reached, SimError> {
        while self.goes_on() {
            let thread = self.kernel.current();
            if thread.is_some() {
                self.execute(thread)?;
            } else {
                self.idle();
            }
        }
        let cut_short = self.now < self.end;
        Ok(Reached { now: self.now, events: self.events, cut_short })
    }

    fn goes_on(&self) -> bool {
        self.now < self.end && self.events < self.most_events
    }

    /// When the next interrupt is due.
    fn due(&self) -> u64 {
        let outside = self.outside.peek().map_or(NEVER, |&Reverse((time, _))| time);
        self.kernel.next_timer().min(outside)
    }

    fn idle(&mut self) {
        self.now = self.due().clamp(self.now, self.end);
        self.interrupts();
    }

    /// The running thread takes a step, or executes up to the next interrupt.
    fn execute(&mut self, thread: ThreadIndex) -> Result<(), SimError> {
        let (due, gone, unrestored) =
            (self.due(), self.kernel.is_stale(thread), self.kernel.is_unrestored(thread));
        if due < self.now || (gone || unrestored) && due == self.now {
            self.interrupts();
            return Ok(());
        }
        if gone {
            let answer = self.kernel.abort(self.now);
            return self.owed(answer);
        }
        if unrestored {
            // The description does not say how much data a component has: to put them back takes no
            // time here.
            let answer = self.kernel.restored(self.now);
            return self.owed(answer);
        }
        match self.interpreter.request(thread.at()) {
            Request::Execute => {
                let left = self.interpreter.remaining(thread.at());
                let time = (*left).min(due.min(self.end) - self.now);
                *left -= time;
                self.now += time;
                self.kernel.sink().observer.executed(thread.at(), time);
                if due == self.now && *self.interpreter.remaining(thread.at()) > 0 {
                    self.interrupts();
                }
                Ok(())
            }
            request => self.ask(thread, request),
        }
    }

    /// Handles all interrupts that are due, and those that fall due meanwhile: external ones before
    /// the timer's, as machines do it, and in the kernel releases before the ends of budgets and
    /// time slices.
    fn interrupts(&mut self) {
        while self.goes_on() {
            if let Some(&Reverse((time, task))) = self.outside.peek()
                && time <= self.now
            {
                self.arrive(task);
            } else if self.kernel.next_timer() <= self.now {
                self.kernel.sink().expect_timer();
                let outcome = self.kernel.timer(self.now);
                self.obey(outcome);
            } else {
                break;
            }
        }
    }

    fn arrive(&mut self, task: usize) {
        self.outside.pop();
        let nominal = self.arrivals[task].next().nominal;
        self.arrivals[task].advance();
        let next = self.arrivals[task].next().release;
        if next != NEVER {
            self.outside.push(Reverse((next, task)));
        }
        // Only a thread that is released from outside gets here, and that is all the kernel could
        // object to.
        if let Ok(outcome) = self.kernel.release(self.now, ThreadIndex(task as u16), nominal) {
            self.obey(outcome);
        }
    }

    /// The running thread asks the kernel for something.
    fn ask(&mut self, thread: ThreadIndex, request: Request) -> Result<(), SimError> {
        let now = self.now;
        let answer = match request {
            Request::Execute => return Ok(()),
            Request::Invoke(slot, entry) => {
                let answer = self.kernel.handle(now, Event::Invoke(slot));
                if answer.is_ok() {
                    self.interpreter.enter(thread.at(), entry, Way::Gate);
                }
                answer
            }
            Request::Lock(slot, entry) => {
                let answer = self.kernel.handle(now, Event::Lock(slot));
                if answer.is_ok() {
                    self.interpreter.enter(thread.at(), entry, Way::Mutex(slot));
                }
                answer
            }
            Request::Unlock(slot) => {
                self.interpreter.leave(thread.at());
                let answer = self.kernel.handle(now, Event::Unlock(slot));
                return self.owed(answer);
            }
            Request::Return => {
                self.interpreter.leave(thread.at());
                let answer = self.kernel.return_(now);
                return self.owed(answer);
            }
            Request::Complete => {
                let answer = self.kernel.complete(now);
                return self.owed(answer);
            }
            Request::Signal(slot) => self.kernel.handle(now, Event::Signal(slot)),
            Request::Wait(slot) => self.kernel.handle(now, Event::Wait(slot)),
        };
        match answer {
            Ok(outcome) => self.obey(outcome),
            // The caller gets an error and goes on with its next step.
            Err(_) => {
                self.events += 1;
                self.kernel.sink().observer.refused(thread.at());
            }
        }
        Ok(())
    }

    /// An answer that cannot be a refusal unless the simulator or the kernel is wrong.
    fn owed(&mut self, answer: Result<Outcome, fusee_kernel::Error>) -> Result<(), SimError> {
        let outcome = answer
            .map_err(|error| SimError::Refused { error: format!("{error:?}"), at: self.now })?;
        self.obey(outcome);
        Ok(())
    }

    /// Does what the kernel says, after the time that the kernel took.
    fn obey(&mut self, outcome: Outcome) {
        self.events += 1;
        self.now = self.now.saturating_add(self.kernel.sink().take_cost());
        match outcome.delivery {
            Delivery::Start => self.interpreter.restart(outcome.thread.at()),
            Delivery::Failed(_) => self.interpreter.abandon(outcome.thread.at()),
            // What is due comes before the thread gets its turn, and then that is all that it does.
            Delivery::Abort | Delivery::Restore => {}
            Delivery::None | Delivery::Enter(_) | Delivery::Return | Delivery::Signal(_) => {}
        }
    }
}
