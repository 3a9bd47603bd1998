//! Virtual time: the loop that lets threads execute between kernel entries.
//!
//! Time is the same for all cores and passes for all of them at once. The engine knows
//! what time it is, how much the code of each thread still has to execute, how far each
//! core's path through its kernel is, and when the next arrival from outside is due.
//! Everything else it asks the kernels: who runs, whose code that is, and when a timer
//! fires. Time then passes up to the nearest of these instants.
//!
//! What happens at one instant happens in this order, again and again until there is
//! nothing left; among cores the lower number comes first.
//!
//! 1. Paths through a kernel go on: one that needs a lock has it, one that had it says what
//!    it has to tell.
//! 2. Cores look where they have been told.
//! 3. Interrupts that fell due while their core was on a path are handled, late, and with
//!    them all that are due by then: nothing else can interrupt a path.
//! 4. Code that has executed all that it had to takes its next step: a job that needs
//!    exactly the time up to a release is done.
//! 5. Interrupts that fall due now are handled, on all cores.

mod memory;
mod sleep;

use crate::arrivals::Arrivals;
use crate::core::{Core, Locks, Path, Phase};
use crate::interpreter::{Interpreter, Request, Way};
use crate::locks::Slept;
use crate::numbers::Numbers;
use crate::outcome::Reached;
use crate::schedulers::{Parts, Schedulers};
use crate::watcher::Watcher;
use crate::{Options, SimError};
use fusee_kernel::cores::{Due, Executes, Host, OneCore, Pending, StartError};
use fusee_kernel::{Delivery, Error, Event, Kernel, each_store};
use fusee_tables::KernelPolicy;
use memory::memory;

/// The system that runs.
pub(crate) struct Subject<'t> {
    /// The kernels' tables, core by core.
    pub(crate) tables: &'t [OneCore<'t>],
    /// Their policies, core by core.
    pub(crate) policies: &'t [KernelPolicy],
    /// The numbers of its objects in the tables.
    pub(crate) numbers: &'t Numbers,
    /// The tasks' code.
    pub(crate) interpreter: Interpreter,
    /// The tasks' jobs.
    pub(crate) arrivals: Vec<Arrivals>,
    /// Those of its tasks that are schedulers; none: the kernel alone schedules.
    pub(crate) schedulers: Option<Parts<'t>>,
}

/// A run under way.
pub(crate) struct Engine<'t> {
    pub(crate) tables: &'t [OneCore<'t>],
    numbers: &'t Numbers,
    pub(crate) interpreter: Interpreter,
    arrivals: Vec<Arrivals>,
    pub(crate) host: Host,
    schedulers: Option<Schedulers<'t>>,
    pub(crate) cores: Vec<Core>,
    locks: Locks,
    pub(crate) watcher: &'t mut Watcher,
    now: u64,
    end: u64,
    pub(crate) events: u64,
    most_events: u64,
}

impl<'t> Engine<'t> {
    /// Returns a run at time 0.
    ///
    /// # Errors
    /// [`SimError::Tables`]: a kernel does not take its tables.
    pub(crate) fn start(
        subject: Subject<'t>,
        watcher: &'t mut Watcher,
        options: &Options,
    ) -> Result<Self, SimError> {
        let Subject { tables, policies, numbers, interpreter, arrivals, schedulers } = subject;
        let mut host = Host::start(tables, |core, sizes| memory(policies[core], sizes))
            .map_err(|(core, error)| refused(tables, core, error))?;
        let schedulers = schedulers
            .map(|parts| {
                each_store!(&mut host.cores[0].store, store => {
                    parts.start(&mut Kernel::resume(tables[0].0, store.memory(), ()))
                })
            })
            .transpose()?;
        let core = |core: usize| {
            let first = |&task: &usize| (arrivals[task].next().release, task);
            Core::new(host.outcome(tables, core), numbers.tasks(core).iter().map(first))
        };
        let cores = (0..tables.len()).map(core).collect();
        let locks = Locks::new(host.gates.len());
        let (now, end, events, most_events) = (0, options.duration.ns(), 0, options.most_events);
        Ok(Engine {
            tables,
            numbers,
            interpreter,
            arrivals,
            host,
            schedulers,
            cores,
            locks,
            watcher,
            now,
            end,
            events,
            most_events,
        })
    }

    /// Runs to the end, or until nothing can happen any more.
    ///
    /// # Errors
    /// [`SimError::Refused`]: a kernel did not take back what it had let happen.
    pub(crate) fn run(mut self) -> Result<Reached, SimError> {
        while self.now < self.end && self.events < self.most_events {
            if !self.step()? {
                self.pass();
            }
        }
        // Paths under way end before the run does; meanwhile other cores do nothing.
        let cores: Vec<u64> = self.cores.iter().map(|c| c.path_end().max(self.now)).collect();
        let now = cores.iter().copied().fold(self.now, u64::max);
        Ok(Reached { now, cores, events: self.events, cut_short: now < self.end })
    }

    /// Something happens at this instant, if there is anything left.
    fn step(&mut self) -> Result<bool, SimError> {
        let all = 0..self.cores.len();
        if let Some(core) = all.clone().find(|&core| self.can_go_on(core)) {
            self.go_on(core);
            return Ok(true);
        }
        let now = self.now;
        for core in all.clone().filter(|&core| self.cores[core].is_free()) {
            if self.host.cores[core].pending.0 != 0 {
                self.look(core);
                return Ok(true);
            }
        }
        if let Some(core) = all.clone().find(|&core| self.cores[core].is_interrupted(now)) {
            self.interrupt(core);
            return Ok(true);
        }
        for core in all.clone() {
            if self.cores[core].is_free() && self.code(core)? {
                return Ok(true);
            }
        }
        let mut due = false;
        for core in self.cores.iter_mut().filter(|core| core.is_free() && core.due() <= now) {
            (core.interrupted, due) = (true, true);
        }
        Ok(due)
    }

    /// Time passes, up to the next instant at which something happens.
    fn pass(&mut self) {
        let mut next = self.end;
        for number in 0..self.cores.len() {
            let core = &self.cores[number];
            next = next.min(match core.path.phase {
                Phase::Locked(until) | Phase::Ends(until) => until,
                Phase::AtLock(global, _) => self.locks.free_for(global, number),
                Phase::Over => core.due(),
            });
            if let Some(task) = self.executes(number) {
                next = next.min(self.now.saturating_add(*self.interpreter.remaining(task)));
            }
        }
        let time = next - self.now;
        for core in 0..self.cores.len() {
            let charged = self.cores[core].outcome.thread;
            if !self.cores[core].is_free() {
                continue;
            }
            self.cores[core].interrupted = false;
            if charged.is_none() {
                continue;
            }
            let charged = self.numbers.task(core, charged);
            let executes = self.executes(core);
            if let Some(task) = executes {
                *self.interpreter.remaining(task) -= time;
            }
            self.watcher.observer.passed(charged, executes.is_some(), time);
        }
        self.now = next;
    }

    /// Returns the thread whose code a core executes, unless it is on a path through its kernel.
    fn executes(&self, core: usize) -> Option<usize> {
        let state = &self.cores[core];
        match state.outcome.executes {
            _ if !state.is_free() => None,
            Executes::Nothing => None,
            Executes::Thread => Some(self.numbers.task(core, state.outcome.thread)),
            Executes::Activation(global) => {
                let owner = self.host.gates[global.at()].gate.owner;
                Some(self.numbers.seat(global, owner))
            }
        }
    }

    /// The code that a core executes takes its next step, unless that is to execute.
    fn code(&mut self, core: usize) -> Result<bool, SimError> {
        let Some(task) = self.executes(core) else { return Ok(false) };
        // What is due comes before a thread whose component is gone gets its turn, and then that is
        // all that it does. The description does not say how much data a component has: to put them
        // back takes no time here.
        let instead = match self.cores[core].outcome.delivery {
            Delivery::Abort => Some(Event::Abort),
            Delivery::Restore => Some(Event::Restored),
            _ => None,
        };
        if let Some(event) = instead {
            if self.cores[core].due() <= self.now {
                return Ok(false);
            }
            if event == Event::Abort && self.interpreter.is_home(task) {
                self.watcher.ends(core, task, self.now);
            }
            return self.owed(core, event).map(|()| true);
        }
        if self.schedulers.as_ref().is_some_and(|schedulers| schedulers.has(task)) {
            // It reads the clock: what is due by then has interrupted it.
            let is_due = self.cores[core].due() <= self.now;
            if !is_due {
                self.decide(core, task);
            }
            return Ok(!is_due);
        }
        let request = self.interpreter.request(task);
        if request == Request::Execute {
            return Ok(false);
        }
        self.cores[core].interrupted = false;
        self.ask(core, task, request)?;
        Ok(true)
    }

    /// Code asks the kernel for something.
    fn ask(&mut self, core: usize, task: usize, request: Request) -> Result<(), SimError> {
        let (event, way) = match request {
            Request::Execute => return Ok(()),
            Request::Invoke(slot, entry) => (Event::Invoke(slot), Some((entry, Way::Gate))),
            Request::Lock(slot, entry) if self.has_words(core) => {
                return self.lock_word((core, task), (slot, entry));
            }
            Request::Unlock(slot) if self.has_words(core) => {
                return self.unlock_word((core, task), slot);
            }
            Request::Lock(slot, entry) => (Event::Lock(slot), Some((entry, Way::Mutex(slot)))),
            Request::Unlock(slot) => {
                self.interpreter.leave(task);
                return self.owed(core, Event::Unlock(slot));
            }
            Request::Return => {
                self.interpreter.leave(task);
                return self.owed(core, Event::Return);
            }
            Request::Complete => return self.owed(core, Event::Complete),
            Request::Fault => {
                self.watcher.observer.faulted(task);
                self.watcher.ends(core, task, self.now);
                return self.owed(core, Event::Fault);
            }
            Request::Depend(slot) => {
                self.depend((core, task), slot);
                return Ok(());
            }
            Request::Wake(slot) => {
                self.wake(core, slot);
                return Ok(());
            }
            Request::Denied => {
                self.refuse(task);
                return Ok(());
            }
            Request::Signal(slot) => (Event::Signal(slot), None),
            Request::Wait(slot) => (Event::Wait(slot), None),
        };
        let caller = self.cores[core].outcome.thread;
        match self.handle(core, event) {
            Ok(()) => {
                if self.host.cores[core].store.asks_again(caller.at()) {
                    self.interpreter.repeat(task);
                } else if let Some((entry, way)) = way {
                    self.interpreter.enter(task, entry, way);
                }
                self.begin(core);
            }
            // The caller gets an error and goes on with its next step.
            Err(_) => self.refuse(task),
        }
        Ok(())
    }

    /// A thread is refused what it has asked for.
    pub(crate) fn refuse(&mut self, task: usize) {
        self.events += 1;
        self.watcher.observer.refused(task);
    }

    /// Handles an event that cannot be refused unless the simulator or the kernel is wrong.
    pub(crate) fn owed(&mut self, core: usize, event: Event) -> Result<(), SimError> {
        self.handle(core, event)
            .map_err(|error| SimError::Refused { error: format!("{error:?}"), at: self.now })?;
        self.begin(core);
        Ok(())
    }

    pub(crate) fn handle(&mut self, core: usize, event: Event) -> Result<(), Error> {
        let mut ear = self.watcher.ear(core, self.numbers);
        match &mut self.schedulers {
            Some(schedulers) => each_store!(&mut self.host.cores[core].store, store => {
                let mut kernel = Kernel::resume(self.tables[core].0, store.memory(), &mut ear);
                schedulers.handle(&mut kernel, (self.now, event))
            }),
            None => self.host.handle(self.tables, core, (self.now, event), &mut ear),
        }
    }

    /// A scheduler makes its next call.
    fn decide(&mut self, core: usize, task: usize) {
        let Some(schedulers) = &mut self.schedulers else { return };
        self.cores[core].interrupted = false;
        let mut ear = self.watcher.ear(core, self.numbers);
        each_store!(&mut self.host.cores[core].store, store => {
            let mut kernel = Kernel::resume(self.tables[core].0, store.memory(), &mut ear);
            schedulers.go_on(&mut kernel, (self.now, task));
        });
        self.begin(core);
    }

    /// Handles an interrupt that is due: external ones before the timer's, as machines do it, and
    /// in the kernel releases before the ends of budgets and time slices.
    fn interrupt(&mut self, core: usize) {
        self.cores[core].interrupted = true;
        let Some(task) = self.cores[core].arrival(self.now) else {
            self.watcher.expect_timer(core);
            // A timer is never refused.
            if self.handle(core, Event::Timer).is_ok() {
                self.begin(core);
            }
            return;
        };
        let nominal = self.arrivals[task].next().nominal;
        self.arrivals[task].advance();
        self.cores[core].expect(self.arrivals[task].next().release, task);
        // Only a thread that is released from outside gets here, and that is all the kernel could
        // object to.
        if self.handle(core, Event::Release(self.numbers.thread(task), nominal)).is_ok() {
            self.begin(core);
        }
    }

    /// A core looks where it has been told to.
    fn look(&mut self, core: usize) {
        let pending = self.host.cores[core].pending.0;
        self.watcher.looks(core);
        let at = Pending::at(pending.trailing_zeros(), self.host.gates.len());
        self.host.look(self.tables, core, at);
        self.begin(core);
    }

    /// A path through a core's kernel has begun.
    pub(crate) fn begin(&mut self, core: usize) {
        self.events += 1;
        self.cores[core].path = Path::begun(self.now);
        self.on(core);
    }

    /// A path gets to its next lock, or to its end. What it does at a mailbox needs no lock.
    fn on(&mut self, core: usize) {
        while let Due::Post(..) | Due::Collect(_) | Due::RestartFault(_) | Due::PutBack(_) =
            self.host.cores[core].home.due
        {
            self.section(core);
        }
        match self.host.cores[core].home.due.global() {
            Some(global) => {
                self.locks.ask(global, core);
                self.cores[core].path.phase = Phase::AtLock(global, self.now);
            }
            None => self.finish(core),
        }
    }

    fn section(&mut self, core: usize) {
        let mut ear = self.watcher.ear(core, self.numbers);
        // Nobody signals so often that a count is full.
        let done = self.host.section(self.tables, core, self.now, &mut ear);
        debug_assert_eq!(done, Ok(()), "a mailbox has room for any run");
    }

    /// A path tells others to look.
    fn tell(&mut self, core: usize) {
        while !self.host.cores[core].outbox.is_empty() {
            self.host.send(core);
        }
    }

    /// Returns `true` if a path can go on.
    fn can_go_on(&self, core: usize) -> bool {
        match self.cores[core].path.phase {
            Phase::Over => false,
            Phase::AtLock(global, _) => self.locks.free_for(global, core) <= self.now,
            Phase::Locked(until) | Phase::Ends(until) => until <= self.now,
        }
    }

    fn go_on(&mut self, core: usize) {
        match self.cores[core].path.phase {
            Phase::Over => {}
            Phase::AtLock(global, since) => {
                let home = self.host.cores[core].home;
                self.watcher.enters(core, home.due);
                if matches!(home.due, Due::Leave(..)) && home.inside.depth > 0 {
                    self.watcher.comes_back(core);
                }
                self.section(core);
                let path = &mut self.cores[core].path;
                let hold = self.watcher.hold(core, path.held);
                let until = self.now.saturating_add(hold);
                (path.waited, path.held) = (path.waited + (self.now - since), path.held + hold);
                path.phase = Phase::Locked(until);
                self.locks.enter(global, until);
            }
            Phase::Locked(_) => {
                self.tell(core);
                self.on(core);
            }
            Phase::Ends(_) => {
                self.tell(core);
                self.cores[core].path.phase = Phase::Over;
            }
        }
    }

    /// Nothing but time is left of a path: what the core does then is known.
    fn finish(&mut self, core: usize) {
        let path = self.cores[core].path;
        let cost = self.watcher.take_cost(core);
        self.watcher.observer.in_kernel(path.waited);
        let end = path.began.saturating_add(cost).saturating_add(path.waited).max(self.now);
        let mut outcome = self.host.outcome(self.tables, core);
        if let Some(schedulers) = &self.schedulers {
            let timer = each_store!(&mut self.host.cores[core].store, store => {
                schedulers.next_timer(&Kernel::resume(self.tables[core].0, store.memory(), ()))
            });
            outcome.timer = outcome.timer.min(timer);
        }
        let state = &mut self.cores[core];
        state.outcome = outcome;
        state.path.phase = Phase::Over;
        // Whose code goes on finds what there is to find, before anything else can come.
        match (outcome.delivery, self.executes(core)) {
            (Delivery::Start, Some(task)) => self.interpreter.restart(task),
            (Delivery::Failed(_), Some(task)) => self.interpreter.abandon(task),
            (Delivery::Signal(how), Some(task)) => self.interpreter.slept(task, Slept::of(how)),
            _ => {}
        }
        if end > self.now {
            self.cores[core].path.phase = Phase::Ends(end);
        } else {
            self.tell(core);
        }
    }
}

/// Returns the error that a kernel reports of its tables.
fn refused(tables: &[OneCore<'_>], core: usize, error: StartError) -> SimError {
    let reason = match error {
        StartError::Core(error) => format!("{error:?}"),
        StartError::Globals(error) => format!("{error:?}"),
    };
    let reason = if tables.len() > 1 { format!("core {core}: {reason}") } else { reason };
    SimError::Tables { reason }
}
