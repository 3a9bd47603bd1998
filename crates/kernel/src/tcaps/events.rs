//! The events that schedulers are told of, and how they get control back.
//!
//! Each thread has one node in the queue of its scheduler's events, so nothing can overflow. The
//! node is read when it is received: whether the thread waits, and the cycles that it ran since the
//! last event, added up.

use super::dispatcher::Side;
use super::{Dispatcher, Error, Standing};
use crate::mutation::seeded;
use crate::{NEVER, SchedulerIndex, ThreadIndex, Time};

/// An event of one of its threads that a scheduler is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SchedulerEvent {
    /// The thread that it is about.
    pub thread: ThreadIndex,
    /// The time that it ran since its last event, in ticks.
    pub cycles: Time,
    /// `true` if it waits or is dead, and need not be dispatched.
    pub blocked: bool,
}

/// The result of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Waited {
    /// An event; the caller goes on.
    Event(SchedulerEvent),
    /// Something was sent before, or the caller only asked; it goes on.
    Pending,
    /// Nothing: the caller waits.
    Blocked,
}

/// An offer of control to a scheduler.
struct Offer {
    /// The scheduler that is asked; none: no scheduler is left to be asked.
    to: SchedulerIndex,
    /// The thread that takes the offer; none: none has taken it yet.
    taker: ThreadIndex,
    /// `true` if that thread has waited and is woken by the offer.
    woken: bool,
    /// `true` if the earliest of all time-outs is to be looked for.
    first: bool,
}

impl Dispatcher<'_> {
    /// Receives an event, or what was sent; else the caller waits, and its scheduler has control if
    /// it had dispatched it. Steps: the depth of the tree of schedulers, and the activated threads.
    ///
    /// # Errors
    /// Nobody runs.
    pub fn wait(&mut self, now: Time) -> Result<Waited, Error> {
        self.caller()?;
        let payer = self.charge(now);
        let waited = self.wait_funded()?;
        self.finish(payer);
        Ok(waited)
    }

    /// The same for a caller that is charged up to now and has some budget left.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    pub(super) fn wait_funded(&mut self) -> Result<Waited, Error> {
        let caller = self.caller()?;
        Ok(match self.next_event(caller) {
            Some(event) => Waited::Event(event),
            None if self.memory.end_points[caller.at()].pending => {
                self.memory.end_points[caller.at()].pending = false;
                Waited::Pending
            }
            None => {
                seeded!(Forfeited, self.forfeit(self.payer()), ());
                seeded!(CleanWait, self.clean(self.payer()), ());
                self.leave(caller, Standing::Waits);
                Waited::Blocked
            }
        })
    }

    /// Returns `true` if a waiting thread would go on immediately: there is an event, or something
    /// was sent.
    pub(super) fn has_news(&self, thread: ThreadIndex) -> bool {
        let end_point = &self.memory.end_points[thread.at()];
        let scheduler = self.memory.schedulers.get(end_point.scheduler.at());
        end_point.pending || scheduler.is_some_and(|own| own.events.first().is_some())
    }

    /// Handles a fault of the running thread: it waits, as after a completed job, and a scheduler
    /// is dead. Its threads keep their accounts. Steps as [`wait`](Self::wait).
    ///
    /// # Errors
    /// Nobody runs, or the kernel's own.
    pub fn fault(&mut self, now: Time) -> Result<(), Error> {
        let caller = self.caller()?;
        let kernels = self.tables.is_kernel_thread(caller);
        (!kernels).then_some(()).ok_or(Error::KernelThread)?;
        let payer = self.charge(now);
        let is_scheduler = self.memory.end_points[caller.at()].scheduler.is_some();
        self.memory.end_points[caller.at()].pending = false;
        let standing = if is_scheduler { Standing::Dead } else { Standing::Waits };
        seeded!(SilentFault, self.stop(caller, standing), self.leave(caller, standing));
        self.finish(payer);
        Ok(())
    }

    /// The running thread no longer runs; its scheduler is told, and has control if it had
    /// dispatched it.
    pub(super) fn leave(&mut self, caller: ThreadIndex, standing: Standing) {
        self.stop(caller, standing);
        self.queue_event(caller, true);
        self.ended(caller);
    }

    /// The running thread begins to wait, whatever it has still to be told. Steps: its events, and
    /// those of [`wait`](Self::wait).
    pub(super) fn give_in(&mut self, caller: ThreadIndex) {
        while self.next_event(caller).is_some() {}
        self.memory.end_points[caller.at()].pending = false;
        self.leave(caller, Standing::Waits);
    }

    /// A thread has ended that the timer has stopped just then: it waits, and a scheduler is dead.
    /// Its own scheduler has yet to hear of it.
    pub(super) fn end_stopped(&mut self, thread: ThreadIndex) {
        let end_point = &mut self.memory.end_points[thread.at()];
        let is_scheduler = end_point.scheduler.is_some();
        let dies = seeded!(UndyingStopped, false, is_scheduler);
        end_point.standing = if dies { Standing::Dead } else { Standing::Waits };
    }

    /// A defect: all but a cycle of what an account holds is lost.
    #[cfg(feature = "mutations")]
    fn forfeit(&mut self, account: crate::AccountIndex) {
        if !self.tables.is_kernels(account) {
            let funds = &mut self.memory.accounts[account.at()].funds;
            funds.budget = funds.budget.min(1);
        }
    }

    /// A defect: an account that has budget loses its foreign entries.
    #[cfg(feature = "mutations")]
    fn clean(&mut self, account: crate::AccountIndex) {
        self.memory.accounts[account.at()].quality = self.tables.own_quality(account);
    }

    fn next_event(&mut self, caller: ThreadIndex) -> Option<SchedulerEvent> {
        let own = self.memory.end_points[caller.at()].scheduler;
        let scheduler = self.memory.schedulers.get_mut(own.at())?;
        let first = scheduler.events.first()?;
        seeded!(RepeatedEvent, (), scheduler.events.remove(self.memory.events, first));
        let state = &mut self.memory.end_points[first];
        // Told once, so that all events of a thread add up to the time that it ran.
        let cycles = core::mem::replace(&mut state.cycles, 0);
        let blocked = matches!(state.standing, Standing::Waits | Standing::Dead);
        Some(SchedulerEvent { thread: ThreadIndex(first as u16), cycles, blocked })
    }

    /// There is something to tell of a thread. A scheduler that waits is woken if asked for: the
    /// kernel's own is ready, another's scheduler is told in turn.
    pub(super) fn queue_event(&mut self, thread: ThreadIndex, wakes: bool) {
        let scheduler = self.note(thread);
        if wakes && self.waits(scheduler) {
            self.wake(scheduler);
        }
    }

    /// Notes an event of a thread, and returns the scheduler to tell. Constant time.
    pub(super) fn note(&mut self, thread: ThreadIndex) -> SchedulerIndex {
        let number = self.tables.end_points[thread.at()].scheduler;
        if let Some(scheduler) = self.memory.schedulers.get_mut(number.at())
            && !self.memory.events[thread.at()].is_in()
        {
            scheduler.events.push_back(self.memory.events, thread.at());
        }
        number
    }

    /// Wakes a scheduler that waits and has an event; none: no scheduler has. Steps: the depth of
    /// the tree, and the activated threads.
    pub(super) fn wake(&mut self, scheduler: SchedulerIndex) {
        let mut number = seeded!(LostWakeUp, SchedulerIndex::NONE, scheduler);
        while let Some(config) = self.tables.schedulers.get(number.at()) {
            let own = config.thread;
            // Whoever does not wait hears of it when it receives next.
            if self.standing(own) != Standing::Waits {
                return;
            }
            if self.tables.is_kernel_thread(own) {
                // Here the walk ends: above the kernel's level there is no scheduler to ask.
                self.activate_on_own(own, Side::Back);
                return;
            }
            self.memory.end_points[own.at()].standing = Standing::Stopped;
            number = self.note(own);
        }
    }

    /// Ends a thread's run for its scheduler, which gets control if it has dispatched the thread,
    /// or none.
    pub(super) fn ended(&mut self, thread: ThreadIndex) {
        let scheduler = self.tables.end_points[thread.at()].scheduler;
        if scheduler.is_some() && self.follows(scheduler, thread) {
            self.give_control(scheduler, Side::Successor);
        }
    }

    /// Returns `true` if a scheduler is next when one of its threads ends.
    fn follows(&self, scheduler: SchedulerIndex, thread: ThreadIndex) -> bool {
        // Also a scheduler that has dispatched nobody: then the thread ran by a send and not by its
        // choice.
        let own = self.tables.schedulers[scheduler.at()].thread;
        self.memory.schedulers[scheduler.at()].place == thread
            || self.standing(own) != Standing::Placed
    }

    /// Gives control to a scheduler: on its own account, or else its parent gets it. One of another
    /// scheduler's takes the place of the thread that it had dispatched, before its equals if that
    /// ran, but behind those above it; one of the kernel's goes behind the kernel's other threads.
    /// Steps: the depth of the tree, the schedulers, and the activated threads.
    pub(super) fn give_control(&mut self, scheduler: SchedulerIndex, side: Side) {
        let mut offer =
            Offer { to: scheduler, taker: ThreadIndex::NONE, woken: false, first: false };
        while offer.to.is_some() {
            self.offer_control(&mut offer);
        }
        let own = offer.taker;
        if own.is_some() {
            self.queue_event(own, offer.woken);
            let behind = seeded!(BehindSiblings, true, self.tables.is_kernel_thread(own));
            self.activate_on_own(own, if behind { Side::Back } else { side });
        }
        // Once for all levels. A search at each would cost the depth times the schedulers.
        if offer.first {
            self.find_timeout();
        }
    }

    /// A scheduler takes control if it can pay, unless it has that; else its parent is offered it.
    #[inline(never)]
    fn offer_control(&mut self, offer: &mut Offer) {
        let to = core::mem::replace(&mut offer.to, SchedulerIndex::NONE);
        let own = self.tables.schedulers[to.at()].thread;
        if self.standing(own) == Standing::Placed {
            offer.first |= self.forget_place(to);
            self.memory.end_points[own.at()].standing = Standing::Stopped;
        }
        let standing = self.standing(own);
        if standing == Standing::Activated {
            return;
        }
        let funded = self.memory.accounts[self.own_account(own).at()].is_funded();
        let lives = standing != Standing::Dead;
        // One of the kernel's level is ready without budget as well, since the kernel fills its
        // account.
        if lives && (funded || self.tables.is_kernel_thread(own)) {
            offer.taker = own;
            return;
        }
        if standing == Standing::Waits {
            self.memory.end_points[own.at()].standing = Standing::Stopped;
        }
        let parent = self.note(own);
        // A thread that waits there goes on, and its own scheduler hears of that.
        offer.woken = self.waits(parent);
        if parent.is_some() && self.follows(parent, own) {
            offer.to = seeded!(NoParent, SchedulerIndex::NONE, parent);
        }
    }

    /// Returns `true` if a scheduler above another one has control: then that one decides. Steps:
    /// the depth of the tree.
    pub(super) fn has_control_above(&self, scheduler: SchedulerIndex) -> bool {
        let mut number = self.tables.schedulers[scheduler.at()].parent;
        while number.is_some() {
            let config = self.tables.schedulers[number.at()];
            if self.standing(config.thread) == Standing::Activated {
                return true;
            }
            number = config.parent;
        }
        false
    }

    fn waits(&self, scheduler: SchedulerIndex) -> bool {
        let config = self.tables.schedulers.get(scheduler.at());
        config.is_some_and(|config| self.standing(config.thread) == Standing::Waits)
    }

    pub(super) fn clear_place(&mut self, scheduler: SchedulerIndex) {
        if self.forget_place(scheduler) {
            self.find_timeout();
        }
    }

    /// Clears a scheduler's dispatched thread and its time-out; returns `true` if that was the
    /// earliest time-out, so that the next one is to be looked for.
    pub(super) fn forget_place(&mut self, scheduler: SchedulerIndex) -> bool {
        let state = &mut self.memory.schedulers[scheduler.at()];
        state.place = ThreadIndex::NONE;
        state.deferred = false;
        let before = core::mem::replace(&mut state.timeout, NEVER);
        let first = before != NEVER && before == self.memory.core.timeout;
        seeded!(StaleTimeout, false, first)
    }
}
