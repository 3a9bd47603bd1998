//! A request as its core's kernel sees it: a thread in a gate with a ceiling.

use crate::mutation::seeded;
use crate::{
    Frame, GateIndex, GateKind, Kernel, Kind, Next, NotificationIndex, Policy, ResumeReason, Sink,
};
use crate::{Status, ThreadIndex, Time};

impl<P: Policy, S: Sink> Kernel<'_, P, S> {
    /// A thread that is in no queue gets the urgency of its request. Constant time.
    pub(super) fn stand_in(&mut self, now: Time, thread: ThreadIndex, gate: GateIndex) {
        let top = self.thread(thread).top();
        let below = self.memory.frames[top];
        let since = self.memory.core.since(now);
        let state = &mut self.memory.gates[gate.at()];
        // A thread that gets a mutex goes on where it was, in its own component and on its own
        // stack.
        let (component, epoch, stack, reason) = match state.kind {
            GateKind::Mutex => (below.component, below.epoch, below.stack, ResumeReason::Lock),
            GateKind::Interface => {
                let epoch = self.memory.components[state.component.at()].entering();
                // It goes on with what the section gives, so there is nothing to tell yet.
                (state.component, epoch, state.free, ResumeReason::Nothing)
            }
        };
        state.holder = thread;
        let waiter = &mut self.memory.threads[thread.at()];
        let floor = waiter.effective;
        let claim = P::claim(state.ceiling, since);
        self.memory.frames[top + 1] = Frame { gate, stack, component, floor, claim, epoch };
        waiter.topmost += 1;
        let demand = P::demand(state.ceiling, since);
        waiter.effective = floor.max(seeded!(MeekRequest, floor, demand));
        waiter.promise(reason, 0);
    }

    /// A thread comes back, which runs or is ready: its urgency is what its other gates demand, and
    /// it comes before its equals. If its budget has ended meanwhile, it ends now. Constant time,
    /// unless another thread lends it time.
    pub(super) fn stand_down(
        &mut self,
        now: Time,
        thread: ThreadIndex,
        reason: (ResumeReason, u32),
    ) {
        let frame = *self.top(thread);
        let runs = self.core().current == thread;
        self.record(now, Kind::Return, thread, frame.gate.0, 0);
        if runs {
            self.charge(now);
        } else {
            // While it still has the request's urgency, by which it stands in the queue.
            self.queue_of(thread).remove(thread);
        }
        self.memory.gates[frame.gate.at()].holder = ThreadIndex::NONE;
        let state = self.thread_mut(thread);
        state.topmost -= 1;
        state.promise(reason.0, reason.1);
        // Derived by the floor, since others may have come and gone at its own core's gates
        // meanwhile.
        state.effective = seeded!(KeptBoost, state.effective, frame.floor);
        let level = state.effective;
        self.settle_account(now, thread);
        let pays = !self.thread(thread).is_exhausted();
        match (runs, pays) {
            (true, true) => self.set_limit(),
            // Its budget has ended between asking and coming back: the end takes effect only here.
            (true, false) => self.choose_another(now, thread),
            (false, true) => self.queue_of(thread).push_front(thread, level),
            (false, false) => self.make_ready(now, thread),
        }
    }

    /// The running thread waits for its turn. Steps: the threads of this core that wait for it.
    pub(super) fn wait_for_turn(&mut self, now: Time, turn: NotificationIndex) {
        let caller = self.core().current;
        self.stop_running(now);
        let thread = self.thread_mut(caller);
        thread.status = Status::AtNotification;
        thread.waits_at = turn.0;
        let waiters = &mut self.memory.notifications[turn.at()].waiters;
        // This order decides nothing: whose turn it is stands in the gate's own queue.
        waiters.insert_by_priority(self.memory.threads, caller);
    }

    /// A thread that waits for its turn has it: with the urgency of its request it runs, or is
    /// ready. Constant time.
    pub(super) fn have_turn(
        &mut self,
        now: Time,
        thread: ThreadIndex,
        turn: NotificationIndex,
        gate: GateIndex,
    ) -> Next {
        self.memory.notifications[turn.at()].waiters.remove(self.memory.threads, thread);
        self.stand_in(now, thread, gate);
        self.run_or_queue(now, thread, Next::Other)
    }

    /// A defect: a request loses its urgency, and gets it back.
    #[cfg(feature = "mutations")]
    pub(super) fn drop_ceiling(&mut self, thread: ThreadIndex, drops: bool) {
        let frame = *self.top(thread);
        let ceiling = P::demand(self.gate(frame.gate).ceiling, 0);
        let level = if drops { frame.floor } else { frame.floor.max(ceiling) };
        if self.thread(thread).status == Status::Ready {
            self.queue_of(thread).remove(thread);
            self.thread_mut(thread).effective = level;
            self.queue_of(thread).push_front(thread, level);
        } else {
            self.thread_mut(thread).effective = level;
        }
    }
}
