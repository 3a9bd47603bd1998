//! Threads that run only while a scheduler funds them.
//!
//! To the kernel such a thread has an empty budget: when it is released or woken it is suspended,
//! as every thread is that has no budget left. Its scheduler
//! ([`tcaps::Trees`](crate::tcaps::Trees)) funds one thread at a time. The funding is a budget; the
//! part of it that is missing later is the time that the thread has used. That time is charged
//! where any thread's time is charged, on each path through the kernel.

use crate::Time;
use crate::mutation::seeded;
use crate::policy::Policy;
use crate::{Frame, GateIndex, Kernel, Kind, NEVER, Protocol, Sink, Status, Thread, ThreadIndex};

// Not `NEVER`: a thread without a limit is not charged, and what it uses must be known.
/// The budget of a funded thread in ticks: so large that no machine's clock reaches its end.
pub(crate) const FUNDED: Time = NEVER / 2;

impl<P: Policy, S: Sink> Kernel<'_, P, S> {
    /// From now on the thread runs only while it is funded. It has no job as yet.
    pub(crate) fn withhold(&mut self, thread: ThreadIndex) {
        self.thread_mut(thread).budget = seeded!(Unwithheld, FUNDED, 0);
    }

    /// Returns the time that the funded thread has used since the last call, in ticks, by itself
    /// or by the holder that it waits for and lends to. The end of the running thread's time slice
    /// stays the same, and the funding has no end that a machine's clock reaches: so the limit of
    /// its time stays. Constant time.
    pub(crate) fn take_used(&mut self, now: Time, thread: ThreadIndex) -> Time {
        let core = &mut *self.memory.core;
        // What is missing was charged by the kernel's own paths since the last call.
        let mut used = FUNDED - self.memory.threads[thread.at()].budget;
        if seeded!(UnpaidHelp, core.current, core.payer()) == thread {
            let ran = now.saturating_sub(core.since);
            // As after a charge, so that the kernel does not charge this stretch again.
            core.since = now;
            let whose = seeded!(PayersSlice, thread, core.current);
            let running = &mut self.memory.threads[whose.at()];
            if running.slice != NEVER {
                let left = running.slice.saturating_sub(ran);
                running.slice = seeded!(FreeSlice, running.slice, left);
            }
            used += ran;
        }
        // Filled up, so that the next call finds only what is used from now on.
        self.memory.threads[thread.at()].budget = seeded!(UsedTwice, FUNDED - used, FUNDED);
        used
    }

    /// Returns the time that the funded thread used from the last [`take_used`](Self::take_used)
    /// until the running thread took the core, and the instant of that.
    pub(crate) fn used_before(&self, thread: ThreadIndex) -> (Time, Time) {
        (FUNDED - self.thread(thread).budget, self.core().since)
    }

    /// Funds a thread. A suspended one becomes ready, before its equals or behind them; on an idle
    /// core it runs immediately if it beats all ready threads. One that waits at a gate lends its
    /// time. Constant time; for a waiting thread the declared chain and a search for the thread
    /// that pays.
    pub(crate) fn grant(&mut self, now: Time, thread: ThreadIndex, before_equals: bool) {
        let state = self.thread_mut(thread);
        state.budget = FUNDED;
        if state.status != Status::Suspended {
            // The caller chooses the thread that runs.
            let _ = self.fund(now, seeded!(UnlentGrant, thread, self.awaited(thread)));
            return;
        }
        let urgency = state.effective;
        let core = self.core();
        // As `take_over` decides. It need not be queued where it would be taken out again.
        if core.current.is_none() && core.overrun.is_none() && core.ready.is_below(urgency) {
            self.record(now, Kind::Switch, thread, u16::MAX, 0);
            self.queue().start(now, thread, NEVER);
            return;
        }
        self.thread_mut(thread).status = Status::Ready;
        let mut queue = self.queue_of(thread);
        if seeded!(DispatchedBehind, false, before_equals) {
            queue.push_front(thread, urgency);
        } else {
            queue.push_back(thread);
        }
    }

    /// Returns the urgency of the section in which a thread is that must not be interrupted, or the
    /// holder that it waits for at last, or one between: inside a gate that others rely on to find
    /// free. `None`: there is none. Steps: declared chain, each with the declared depth.
    pub(crate) fn protection(&self, thread: ThreadIndex) -> Option<P::Urgency> {
        let (mut at, mut most) = (thread, None);
        // One more than the chain, because the thread itself counts as well.
        for _ in 0..=self.tables.chain {
            most = most.max(self.protection_inside(at));
            match self.thread(at).gate() {
                Some(gate) => at = self.gate(gate).holder,
                None => break,
            }
        }
        most
    }

    /// Returns the highest urgency that the gates promise in which a thread is. Steps: its frames.
    #[inline(never)]
    fn protection_inside(&self, thread: ThreadIndex) -> Option<P::Urgency> {
        self.frames(thread).iter().filter_map(|frame| self.protection_of(frame)).max()
    }

    /// Returns the urgency that the gates of a frame promise. Steps: its gates.
    fn protection_of(&self, frame: &Frame<P>) -> Option<P::Urgency> {
        let of = |gate: GateIndex| {
            let (state, config) = (self.gate(gate), self.tables.gates.get(gate.at())?);
            // By the claim in the frame: a deadline floor depends on when the gate was taken.
            let urgency = P::claimed(frame.claim, state.ceiling);
            is_found_free(config.protocol).then_some(urgency)
        };
        self.gates_of(frame).filter_map(of).max()
    }

    /// Puts a thread that waits before its equals, where the gate inherits, and so all that it
    /// waits for: who is picked next of those that its scheduler has picked is the one that is
    /// served next. Steps: declared chain, each with the waiters of a gate.
    pub(crate) fn lead(&mut self, thread: ThreadIndex) {
        let mut at = thread;
        for _ in 0..self.tables.chain {
            let Some(gate) = self.thread(at).gate() else { return };
            let state = &mut self.memory.gates[gate.at()];
            if state.inherits && state.waiters.head() != at {
                seeded!(Unled, (), state.waiters.lead(self.memory.threads, at));
            }
            at = self.memory.gates[gate.at()].holder;
        }
    }

    /// Puts the ready thread that another one's funding pays for before its equals. Steps: declared
    /// chain.
    pub(crate) fn put_in_front(&mut self, thread: ThreadIndex) {
        let goes_on = self.awaited(thread);
        let state = self.thread(goes_on);
        if state.status == Status::Ready {
            let urgency = state.effective;
            // There is no step that moves it within its level, and its urgency stays.
            self.queue_of(goes_on).remove(goes_on);
            self.queue_of(goes_on).push_front(goes_on, urgency);
        }
    }

    /// Takes a thread's funding away: it, or the holder that it waits for, is suspended unless
    /// another thread pays. Its time is accounted for. Constant time for a thread that is in no
    /// gate.
    pub(crate) fn revoke(&mut self, now: Time, thread: ThreadIndex) {
        self.thread_mut(thread).budget = 0;
        let goes_on = seeded!(KeptLoan, thread, self.awaited(thread));
        match self.thread(goes_on).status {
            // If another thread pays, it goes on.
            Status::Running if self.core().payer() == thread => {
                seeded!(StillRuns, (), self.choose_another(now, goes_on));
            }
            Status::Ready if !self.may_run(goes_on) => {
                self.queue_of(goes_on).remove(goes_on);
                self.suspend(now, goes_on);
            }
            _ => {}
        }
    }

    /// Returns `true` if a thread has something to do, or waits at a gate for a thread that has.
    /// Constant time for a thread that waits at no gate; else the declared chain.
    #[inline(never)]
    pub(crate) fn goes_on(&self, thread: ThreadIndex) -> bool {
        let waits = self.thread(thread).status == Status::AtGate;
        let awaited = match seeded!(GateIsWait, false, waits) {
            true => self.awaited(thread),
            false => thread,
        };
        self.thread(awaited).could_go_on()
    }
}

impl<P: Policy> Thread<P> {
    /// Returns `true` if it has something to do.
    pub(crate) fn could_go_on(&self) -> bool {
        // A suspended one lacks nothing but time, which its scheduler may give.
        matches!(self.status, Status::Running | Status::Ready | Status::Suspended)
    }
}

/// Returns `true` if a gate's users rely on finding it free: who holds it goes before all of them.
const fn is_found_free(protocol: Protocol) -> bool {
    // A thread that finds another gate held waits there and lends, so a section of that gate can be
    // interrupted: its holder goes on at the waiter's expense.
    matches!(protocol, Protocol::Fixed { .. } | Protocol::Srp { .. } | Protocol::NonPreemptive)
}
