//! The effect of each event on the ledger.

use fusee_kernel::{
    Capability, Delivery, Event, Failure, GateIndex, NotificationIndex, NotificationKind, Protocol,
    Release, Status, Thread, Time,
};

use super::{Ledger, Wait};
use crate::{Rules, Step, Transition};

impl Ledger {
    /// Follows an event that the kernel has not refused.
    pub(super) fn event<P: Rules>(&mut self, step: &Transition<'_, P>) {
        let event = match step.step {
            Step::Event(event) => event,
            Step::Reprioritise(thread, priority) => {
                self.priorities[thread.at()] = priority;
                return;
            }
            Step::Tick => return,
        };
        match (event, self.runs) {
            (Event::Timer, _) => self.timer_fires(step),
            (Event::Interrupt(line), _) => {
                self.signal(step, step.tables.interrupts[line as usize], 1 << (line % 32));
            }
            (Event::Release(thread, nominal), _) => {
                self.arrive_from_outside(step, thread.at(), nominal)
            }
            (_, Some(caller)) => self.own_event(step, event, caller),
            // Refused, as the rule of refusals has it.
            (_, None) => {}
        }
    }

    fn own_event<P: Rules>(&mut self, step: &Transition<'_, P>, event: Event, caller: usize) {
        match event {
            Event::Invoke(slot) | Event::Lock(slot) => {
                let named = self.capability(step.tables, caller, slot);
                if let Some(Capability::Gate(gate) | Capability::Mutex(gate)) = named {
                    self.invoke(step, caller, gate);
                }
            }
            Event::Signal(slot) => {
                if let Some(Capability::Signal(notification, bits)) =
                    self.capability(step.tables, caller, slot)
                {
                    self.signal(step, notification, bits);
                }
            }
            Event::Wait(slot) | Event::Poll(slot) => {
                if let Some(Capability::Wait(notification)) =
                    self.capability(step.tables, caller, slot)
                {
                    self.wait(step, caller, notification, matches!(event, Event::Wait(_)));
                }
            }
            Event::Return => {
                self.leave(step, caller);
                self.owed[caller] = Some(Delivery::Return);
            }
            // Who unlocks goes on where it is, and is told nothing.
            Event::Unlock(_) => self.leave(step, caller),
            Event::Yield => {
                let level = step.before.threads[caller].effective;
                let equal = |thread: &Thread<P>| {
                    thread.status == Status::Ready && thread.effective == level
                };
                // Where nobody is ready who is equal, the turn goes on.
                if step.before.threads.iter().any(equal)
                    && !self.keeps_turns::<P>(step.tables, caller)
                {
                    self.accounts.refill_slice(step.tables, caller);
                    self.turn_over = true;
                }
            }
            Event::Complete => {
                self.jobs.complete(caller, step.now);
                self.end_job(step, caller);
            }
            Event::Fault => {
                self.visits.punish(step.tables, caller);
                self.unwind(step, caller, Failure::Fault);
            }
            Event::Abort => self.unwind(step, caller, Failure::Aborted),
            Event::Restored => self.visits.restored(caller),
            // No system of these has such capabilities.
            Event::Depend(_) | Event::Wake(_) => {}
            Event::Timer | Event::Interrupt(_) | Event::Release(..) => {}
        }
    }

    fn invoke<P: Rules>(&mut self, step: &Transition<'_, P>, caller: usize, gate: GateIndex) {
        match self.in_the_way(step.tables, caller, gate) {
            Some(gate) => self.waits[caller] = Wait::Gate(gate.at()),
            None => self.enter(step, caller, gate),
        }
    }

    fn enter<P: Rules>(&mut self, step: &Transition<'_, P>, thread: usize, gate: GateIndex) {
        let since = step.now.min(self.jobs.next_due());
        self.visits.enter(step.tables, thread, (gate, since));
        self.owed[thread] = Some(Delivery::Enter(gate));
    }

    /// Takes a thread's last visit off, and gives an exclusive gate to the first waiting thread.
    fn leave<P: Rules>(&mut self, step: &Transition<'_, P>, thread: usize) {
        let Some(gate) = self.visits.leave(thread) else { return };
        if matches!(step.tables.gates[gate.at()].protocol, Protocol::Ceiling { .. }) {
            return self.ask_again(gate);
        }
        let next = step.before.gates[gate.at()].waiters.head();
        if next.is_some() && self.waits[next.at()] == Wait::Gate(gate.at()) {
            self.waits[next.at()] = Wait::No;
            self.enter(step, next.at(), gate);
        }
    }

    /// Hands nothing over: each thread that has waited at a gate is to ask again.
    fn ask_again(&mut self, gate: GateIndex) {
        for wait in self.waits.iter_mut().filter(|wait| **wait == Wait::Gate(gate.at())) {
            *wait = Wait::No;
        }
    }

    /// One invocation ends by a failure, with all that was locked in it; or the job does.
    fn unwind<P: Rules>(&mut self, step: &Transition<'_, P>, thread: usize, failure: Failure) {
        while self.visits.has_locked(step.tables, thread) {
            self.leave(step, thread);
        }
        if self.visits.depth(thread) == 0 {
            return self.end_job(step, thread);
        }
        self.leave(step, thread);
        self.owed[thread] = Some(Delivery::Failed(failure));
    }

    fn end_job<P: Rules>(&mut self, step: &Transition<'_, P>, thread: usize) {
        self.owed[thread] = None;
        self.turn_over = true;
        let dead = self.visits.is_home_dead(step.tables, thread);
        if let Some(nominal) = self.jobs.end(thread, step.now, dead) {
            self.begin(step, thread, nominal);
        }
    }

    fn begin<P: Rules>(&mut self, step: &Transition<'_, P>, thread: usize, nominal: Time) {
        self.jobs.begin(step.tables, thread, nominal);
        self.accounts.refill_slice(step.tables, thread);
        self.visits.begin(step.tables, thread);
        self.owed[thread] = Some(Delivery::Start);
    }

    /// Handles the timer: the release that is due comes first, then the overruns to be told; else
    /// the time of the running thread has ended.
    fn timer_fires<P: Rules>(&mut self, step: &Transition<'_, P>) {
        if let Some((thread, nominal)) = self.jobs.take_due(step.tables, step.now) {
            return self.arrive(step, thread, nominal);
        }
        if let Some(notification) = self.accounts.next_overrun(step.tables) {
            return self.signal(step, notification, 1);
        }
        if let Some(thread) = self.runs
            && self.accounts.turn_is_over(thread)
        {
            self.accounts.refill_slice(step.tables, thread);
            self.turn_over = !self.keeps_turns::<P>(step.tables, thread);
        }
    }

    fn arrive_from_outside<P: Rules>(
        &mut self,
        step: &Transition<'_, P>,
        thread: usize,
        nominal: Time,
    ) {
        let Release::Sporadic { separation, .. } = step.tables.threads[thread].release else {
            return;
        };
        if self.jobs.counts_now(step.tables, thread, step.now, separation) {
            self.arrive(step, thread, nominal);
        }
    }

    fn arrive<P: Rules>(&mut self, step: &Transition<'_, P>, thread: usize, nominal: Time) {
        let lost = self.visits.is_home_dead(step.tables, thread) && !self.jobs.is_active(thread);
        if !lost {
            self.accounts.replenish(step.tables, thread);
        }
        if self.jobs.arrive(step.tables, thread, (step.now, nominal), lost) {
            self.begin(step, thread, nominal);
        }
    }

    /// A signal releases a thread, or wakes one, or is pending.
    pub(super) fn signal<P: Rules>(
        &mut self,
        step: &Transition<'_, P>,
        notification: NotificationIndex,
        bits: u32,
    ) {
        let config = step.tables.notifications[notification.at()];
        if config.releases.is_some() {
            return self.arrive_from_outside(step, config.releases.at(), step.now);
        }
        let counts = matches!(config.kind, NotificationKind::Counting { .. });
        let bits = if counts { 1 } else { bits };
        if let Some(thread) = self.first_waiter(step, notification) {
            self.waits[thread] = Wait::No;
            self.owed[thread] = Some(Delivery::Signal(bits));
            return;
        }
        let pending = &mut self.pending[notification.at()];
        match config.kind {
            NotificationKind::Merging => *pending |= bits,
            NotificationKind::Counting { limit } => *pending = limit.min(*pending + 1),
        }
    }

    fn wait<P: Rules>(
        &mut self,
        step: &Transition<'_, P>,
        caller: usize,
        notification: NotificationIndex,
        stays: bool,
    ) {
        let pending = self.pending[notification.at()];
        if pending == 0 && stays {
            self.waits[caller] = Wait::Notification(notification.at());
            self.turn_over = true;
            return;
        }
        let merges = step.tables.notifications[notification.at()].kind == NotificationKind::Merging;
        let taken = if merges { pending } else { pending.min(1) };
        self.pending[notification.at()] -= taken;
        self.owed[caller] = Some(Delivery::Signal(taken));
    }
}
