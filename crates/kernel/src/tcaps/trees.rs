//! Schedulers in a kernel: the dispatcher decides, and the kernel acts on it.
//!
//! The kernel's threads are the dispatcher's, by the same numbers, and each has an account, again
//! by the same number. Of all threads that are dispatched or activated the kernel has *one* in its
//! ready queue: the dispatcher's first, at the level of its tree. All others are suspended there,
//! without a budget. A thread that waits at an exclusive gate lends, as any thread does in this
//! kernel that has budget left: if the dispatcher's first one waits so, the holder runs in its
//! place, and the first pays. So the kernel is right to do on its own, also by its fast paths, what
//! it does with any thread: it preempts that one, charges it, and suspends threads that become
//! ready meanwhile. Then [`TreeKernel::reconcile`] makes both agree again: the time that the placed
//! thread has used is charged to its account; the dispatcher learns which threads wait and which
//! have become ready; budgets and time-outs end; and the new first thread takes the place of the
//! old one.
//!
//! A thread inside a gate whose users rely on finding it free must not be interrupted there: it is
//! [late](super::EndPoint::late) for its scheduler until it has left the gate. Then, if something
//! has happened meanwhile, its return is an event that [`TreeKernel::reconcile`] hears of.
//!
//! A job that is released, or a signal that a thread waits for, is a send to its end-point. A
//! scheduler that waits may ask for an alarm: then it could go on, when its own scheduler says so.

mod protection;

use super::{
    Decision, Dispatcher, EndPoint, EndPointConfig, Error, Memory, Standing, TableError, Tables,
    Waited,
};
use crate::mutation::seeded;
use crate::policy::Policy;
use crate::word::Word;
use crate::{
    Kernel, Listener, NEVER, Next, SchedulerIndex, Sink, Status, Thread, ThreadIndex, Time,
};

/// The state that a kernel with schedulers has besides its own.
#[derive(Debug)]
pub struct Trees<'m> {
    pub(super) dispatcher: Dispatcher<'m>,
    /// When each scheduler wants to be woken while it waits.
    pub(super) alarms: &'m mut [Time],
    /// The first of these, or when there is something else to be done.
    pub(super) alarm: Time,
    /// The thread that the kernel runs or has in its ready queue, or that waits at a gate and
    /// lends.
    pub(super) placed: ThreadIndex,
}

/// A kernel and its schedulers, for as long as an event takes.
#[derive(Debug)]
pub struct TreeKernel<'k, 'm, 't, P: Policy, S> {
    kernel: &'k mut Kernel<'m, P, S>,
    trees: &'k mut Trees<'t>,
}

impl<'m> Trees<'m> {
    /// Starts the schedulers of a kernel that has just started. The tables' interrupts must be its
    /// threads in order: each is a send to that thread.
    ///
    /// # Errors
    /// The tables are wrong, or not those of this kernel, or the memory does not fit.
    pub fn start<P: Policy, S: Sink>(
        kernel: &mut Kernel<'_, P, S>,
        (tables, memory): (Tables<'m>, Memory<'m>),
        alarms: &'m mut [Time],
    ) -> Result<Self, TableError> {
        let threads = kernel.tables().threads.len();
        let in_order = |(place, thread): (usize, &ThreadIndex)| thread.at() == place;
        let fits = tables.end_points.len() == threads
            && tables.interrupts.len() == threads
            && tables.interrupts.iter().enumerate().all(in_order)
            && alarms.len() == tables.schedulers.len();
        fits.then_some(()).ok_or(TableError::Memory)?;
        alarms.fill(NEVER);
        let mut dispatcher = Dispatcher::start(tables, memory)?;
        // A scheduler of the kernel's own has control as soon as the first of them has a job; those
        // that begin later, when they do.
        let first = |thread: ThreadIndex| kernel.tables().threads[thread.at()].release.first();
        let roots = tables.schedulers.iter().filter(|config| config.parent.is_none());
        let earliest = roots.clone().map(|config| first(config.thread)).min().unwrap_or(NEVER);
        for config in roots.filter(|config| first(config.thread) > earliest) {
            seeded!(LateActivated, (), dispatcher.stop(config.thread, Standing::Dead));
        }
        let trees = Trees { dispatcher, alarms, alarm: NEVER, placed: ThreadIndex::NONE };
        for number in 0..threads as u16 {
            let thread = ThreadIndex(number);
            if trees.has(thread) {
                kernel.withhold(thread);
            }
        }
        Ok(trees)
    }

    /// Returns the dispatcher.
    pub fn dispatcher(&self) -> &Dispatcher<'m> {
        &self.dispatcher
    }

    /// Returns `true` if a thread is dispatched, or is a scheduler.
    pub fn has(&self, thread: ThreadIndex) -> bool {
        !self.dispatcher.tables.is_kernel_thread(thread) || self.is_scheduler(thread)
    }

    /// Returns `true` unless a thread is a scheduler of the kernel's own that has no job yet. Any
    /// other thread without a job has ended it, on the time of one that slept on its account: where
    /// none can, the question costs nothing.
    #[inline(always)]
    fn has_begun<P: Policy, S>(&self, kernel: &Kernel<'_, P, S>, thread: ThreadIndex) -> bool {
        let idle = kernel.memory.threads[thread.at()].status == Status::Idle;
        let ends_elsewhere = seeded!(EndedUnbegun, false, P::Word::DEPENDS);
        !idle || ends_elsewhere && !self.is_scheduler(thread)
    }

    fn is_scheduler(&self, thread: ThreadIndex) -> bool {
        self.dispatcher.memory.end_points[thread.at()].scheduler.is_some()
    }

    /// When the timer must fire for a scheduler: the running thread's budget ends, or a time-out or
    /// an alarm is due.
    pub fn next_timer<P: Policy, S: Sink>(&self, kernel: &Kernel<'_, P, S>) -> Time {
        let next = self.alarm.min(self.dispatcher.next_timeout());
        let end_point = self.dispatcher.memory.end_points.get(self.placed.at());
        // An account that does not pay has no end either.
        let account =
            end_point.and_then(|own| self.dispatcher.memory.accounts.get(own.account.at()));
        match account {
            Some(account)
                if seeded!(LentTimer, kernel.current(), kernel.core().payer()) == self.placed
                    && account.funds.budget != NEVER
                    && !seeded!(LateStorm, false, self.dispatcher.is_late(self.placed)) =>
            {
                let (used, since) = kernel.used_before(self.placed);
                let used = seeded!(UnchargedTimer, 0, used);
                next.min(since.saturating_add(account.funds.budget.saturating_sub(used)))
            }
            _ => next,
        }
    }

    /// A scheduler wants to be woken at another time. What is due by now, an alarm or something
    /// else, stays due. Steps: the schedulers, if its alarm was the first.
    fn set_alarm(&mut self, now: Time, scheduler: SchedulerIndex, alarm: Time) {
        let before = core::mem::replace(&mut self.alarms[scheduler.at()], alarm);
        if alarm <= self.alarm {
            self.alarm = alarm;
        } else if before == self.alarm && seeded!(DroppedArrival, true, before > now) {
            self.find_alarm();
        }
    }

    #[inline(never)]
    fn find_alarm(&mut self) {
        self.alarm = self.alarms.iter().copied().min().unwrap_or(NEVER);
    }

    /// Returns the first thread from a number on that has become ready. Steps: the threads.
    #[inline(never)]
    fn next_arrived<P: Policy, S>(&self, kernel: &Kernel<'_, P, S>, from: u16) -> Option<u16> {
        let end_points = &*self.dispatcher.memory.end_points;
        // A job of a thread that a scheduler dispatches, and that is no scheduler; or a scheduler
        // of the kernel's own has a job again.
        let arrived = |(own, thread): (&EndPoint, &Thread<P>)| match own.standing {
            Standing::Waits => {
                thread.could_go_on() && own.place != u16::MAX && own.scheduler.is_none()
            }
            Standing::Dead => thread.could_go_on() && own.place == u16::MAX,
            _ => false,
        };
        let threads = kernel.memory.threads.get(usize::from(from)..)?;
        let mut both = end_points.get(usize::from(from)..)?.iter().zip(threads);
        both.position(arrived).map(|place| from + place as u16)
    }
}

impl<P: Policy, S: Sink> Listener<P, S> for Trees<'_> {
    const LISTENS: bool = true;

    #[inline(always)]
    fn hear(&mut self, kernel: &mut Kernel<'_, P, S>, now: Time, _: Next) -> Next {
        // Whatever the event says of the next thread, the trees may have another one first.
        TreeKernel::over(kernel, self).reconcile(now);
        Next::Other
    }

    fn awaits_return(&self) -> bool {
        self.dispatcher.is_late(self.placed)
    }

    /// Checks that the kernel has the dispatcher's first thread, unless that has not begun; a
    /// thread that could go on is dispatched, or the timer is due.
    fn is_told(&self, kernel: &Kernel<'_, P, S>, now: Time) -> bool {
        let placed = self.placed;
        let first = self.dispatcher.running();
        let agrees = placed == first || placed.is_none() && !self.has_begun(kernel, first);
        let waits = placed.is_some() && !kernel.goes_on(placed);
        !waits && (self.alarm <= now || agrees && self.next_arrived(kernel, 0).is_none())
    }
}

impl<'k, 'm, 't, P: Policy, S: Sink> TreeKernel<'k, 'm, 't, P, S> {
    /// Gives a view of the kernel and its trees together.
    pub fn over(kernel: &'k mut Kernel<'m, P, S>, trees: &'k mut Trees<'t>) -> Self {
        TreeKernel { kernel, trees }
    }

    /// Ends every event: both agree, and the most urgent thread runs. Of all time-outs, threads
    /// that have become ready, and alarms, in this order, this takes the first, and makes the timer
    /// due immediately if there are more: so no path depends on what falls together. Steps: the
    /// threads, and the end of a budget.
    pub fn reconcile(&mut self, now: Time) {
        self.account(now);
        if self.protect(now) {
            // Only the end of the section is handled now. What else is due makes the timer come at
            // once.
            self.trees.alarm = now;
            return self.place(now);
        }
        let dispatcher = &mut self.trees.dispatcher;
        let due = dispatcher.next_timeout();
        let arrived = if seeded!(TimeoutAfter, due < now, due <= now) {
            // Before a thread whose time is over ends or wakes others.
            dispatcher.timer_once(now);
            self.hear_end();
            self.trees.next_arrived(self.kernel, 0)
        } else {
            let payer = dispatcher.charge(now);
            self.hear_end();
            let further = self.hear_first(now);
            self.trees.dispatcher.finish(payer);
            further
        };
        if self.trees.alarm <= now {
            self.trees.find_alarm();
        }
        if seeded!(ForgottenArrival, false, arrived.is_some()) {
            self.trees.alarm = now;
        }
        self.place(now);
    }

    /// Ends a scheduler's call. The event before it has ended with both in agreement, and no thread
    /// becomes ready by a call. So only the choice of the thread is made, and nothing else is done
    /// where the caller still runs; of a refused call only its time is charged.
    fn decided<T>(&mut self, now: Time, decision: Result<T, Error>) -> Result<T, Error> {
        if decision.is_ok() && self.trees.dispatcher.running() != self.trees.placed {
            self.place(now);
        }
        decision
    }

    /// The calling scheduler receives, as [`Dispatcher::wait`]; if there is nothing, it waits until
    /// something comes, or until the alarm. With an alarm that is due it only asks, and goes on:
    /// then it gives its control to no thread. Steps: those of that and of
    /// [`reconcile`](Self::reconcile).
    ///
    /// # Errors
    /// The caller is no scheduler.
    pub fn wait(&mut self, now: Time, alarm: Time) -> Result<Waited, Error> {
        let caller = self.caller(now)?;
        let scheduler = self.trees.dispatcher.memory.end_points[caller.at()].scheduler;
        let asks = seeded!(AskingWaits, false, alarm <= now);
        let waited = if asks && !self.trees.dispatcher.has_news(caller) {
            Ok(Waited::Pending)
        } else {
            let waited = self.trees.dispatcher.wait_funded();
            let waits = waited == Ok(Waited::Blocked);
            self.trees.set_alarm(now, scheduler, if waits { alarm } else { NEVER });
            waited
        };
        self.decided(now, waited)
    }

    /// Takes the calling scheduler's decision. Time goes to a scheduler among the caller's own
    /// threads only: a send to any other would be a job that no event released.
    ///
    /// # Errors
    /// As of the call; or who is to receive is none of the caller's, or no scheduler.
    pub fn decide(&mut self, now: Time, decision: &Decision) -> Result<(), Error> {
        let call = |dispatcher: &mut Dispatcher<'_>| dispatcher.decide(now, decision);
        self.decide_by(now, decision.receiver(), call)
    }

    /// The same by a call of the dispatcher's, which gives time to this thread: machines that know
    /// which call it is make no [`Decision`] of it.
    ///
    /// # Errors
    /// As [`decide`](Self::decide).
    #[inline(always)]
    pub fn decide_by(
        &mut self,
        now: Time,
        receiver: Option<ThreadIndex>,
        call: impl FnOnce(&mut Dispatcher<'t>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let caller = self.caller(now)?;
        let decided = match receiver {
            Some(thread) if !self.may_receive(caller, thread) => Err(Error::NotIts),
            _ => call(&mut self.trees.dispatcher),
        };
        self.decided(now, decided)
    }

    /// The calling scheduler, its time accounted for.
    fn caller(&mut self, now: Time) -> Result<ThreadIndex, Error> {
        let caller = seeded!(HelperDecides, self.kernel.core().payer(), self.kernel.current());
        let placed = caller.is_some() && caller == self.trees.placed;
        let calls = placed && self.trees.is_scheduler(caller);
        // What a scheduler has called by a gate cannot decide for it.
        let home = calls && seeded!(CalledDecides, true, self.kernel.thread(caller).depth() == 0);
        home.then_some(()).ok_or(Error::NoScheduler)?;
        // A scheduler that wants control back by now has it before the caller decides anything, and
        // so has the next one if the caller's budget has ended: the timer is due.
        let in_time = seeded!(CallAtTimeout, true, self.trees.dispatcher.next_timeout() > now);
        in_time.then_some(()).ok_or(Error::Past)?;
        self.account(now);
        let dispatcher = &mut self.trees.dispatcher;
        let payer = seeded!(FreeRefusal, dispatcher.payer(), dispatcher.charge(now));
        let funded = dispatcher.memory.accounts[payer.at()].is_funded();
        seeded!(UnfundedCall, true, funded).then_some(()).ok_or(Error::Past)?;
        Ok(caller)
    }

    fn may_receive(&self, caller: ThreadIndex, thread: ThreadIndex) -> bool {
        let dispatcher = &self.trees.dispatcher;
        let own = dispatcher.memory.end_points[caller.at()].scheduler;
        let config = dispatcher.tables.end_points.get(thread.at());
        // Whether there is such a thread the dispatcher asks.
        config.is_none_or(|config| {
            let its = seeded!(AnyTree, true, config.scheduler == own);
            its && seeded!(AnyReceiver, true, self.trees.is_scheduler(thread))
        })
    }

    /// Tells the dispatcher the instant from which it has still to charge the placed thread's use.
    fn account(&mut self, now: Time) {
        let placed = self.trees.placed;
        let used = if placed.is_some() { self.kernel.take_used(now, placed) } else { 0 };
        // The dispatcher charges from an instant on, so what was used is told as one that lies
        // back.
        self.trees.dispatcher.memory.core.since = now.saturating_sub(used);
    }

    /// Tells the dispatcher which thread waits since the last event.
    #[inline(always)]
    fn hear_end(&mut self) {
        let placed = self.trees.placed;
        if placed.is_some() && !self.kernel.goes_on(placed) {
            self.end(placed);
        }
    }

    /// Tells the dispatcher which thread became ready, one by nearly all events, or whose alarm is
    /// due; returns the thread that became ready besides.
    fn hear_first(&mut self, now: Time) -> Option<u16> {
        let Some(thread) = self.trees.next_arrived(self.kernel, 0) else {
            self.ring(now);
            return None;
        };
        let dispatcher = &mut self.trees.dispatcher;
        seeded!(Unrevived, (), dispatcher.revive(ThreadIndex(thread)));
        dispatcher.notify(ThreadIndex(thread));
        self.trees.next_arrived(self.kernel, thread + 1)
    }

    /// The placed thread waits, or its job has ended. A scheduler whose job ends is dead. One of
    /// the kernel's own is dead until its next job begins, so that its events keep the core from no
    /// thread.
    #[inline(never)]
    fn end(&mut self, placed: ThreadIndex) {
        let job_ended = self.kernel.thread(placed).status == Status::Idle;
        let dispatcher = &mut self.trees.dispatcher;
        let is_scheduler = dispatcher.memory.end_points[placed.at()].scheduler.is_some();
        let stopped = dispatcher.standing(placed) == Standing::Stopped;
        if seeded!(StaysActivated, !stopped && dispatcher.running() != placed, false) {
            return;
        }
        if stopped {
            dispatcher.end_stopped(placed);
        } else if seeded!(UndyingScheduler, false, job_ended && is_scheduler) {
            dispatcher.leave(placed, Standing::Dead);
        } else {
            dispatcher.give_in(placed);
        }
    }

    /// Wakes the scheduler whose alarm is due first. Steps: the schedulers, and those of
    /// [`Dispatcher::alarm`].
    fn ring(&mut self, now: Time) {
        if self.trees.alarm > now {
            return;
        }
        let due = self.trees.alarms.iter().position(|alarm| *alarm <= now);
        if let Some(place) = due {
            self.trees.alarms[place] = NEVER;
            seeded!(DeafAlarm, (), self.trees.dispatcher.ring(SchedulerIndex(place as u16)));
        }
    }

    /// Puts the dispatcher's first thread into the kernel's ready queue, and none else of its
    /// threads; the highest thread runs.
    #[inline(never)]
    fn place(&mut self, now: Time) {
        let placed = self.trees.placed;
        let keeps = placed.is_some() && self.kernel.goes_on(placed);
        if self.trees.dispatcher.running() != placed || !keeps {
            let first = self.first_that_goes_on(now);
            // A scheduler that dispatches a thread which cannot go on may have control again.
            if first != placed || !keeps {
                self.replace(now, first, keeps);
            }
        }
        let placed = self.trees.placed;
        if placed.is_some() && self.kernel.thread(placed).status == Status::AtGate {
            // A lock that comes free goes to the waiter through which the payer waits, because that
            // is the thread that its scheduler finds most urgent.
            self.kernel.lead(placed);
        }
        self.kernel.reschedule(now);
    }

    /// Puts this thread, if any, into the kernel's ready queue in place of the present one;
    /// `in_front` of its equals, if the present one could go on. One of a tree of another priority
    /// takes nobody's place: an equal there may be in a section that others find free.
    #[inline(always)]
    fn replace(&mut self, now: Time, first: ThreadIndex, in_front: bool) {
        let placed = core::mem::replace(&mut self.trees.placed, first);
        let in_front = in_front && seeded!(OthersPlace, true, self.are_equal(placed, first));
        if placed.is_some() {
            // Before the next one is funded: at most one thread of the trees has a budget in the
            // kernel.
            seeded!(KeptPlace, (), self.kernel.revoke(now, placed));
        }
        if first.is_some() {
            self.kernel.grant(now, first, seeded!(WokenInFront, true, in_front));
            if self.trees.dispatcher.is_late(first) {
                self.resume_late(now, first);
            }
        }
    }

    /// Returns `true` if two threads, if they are any, are of trees of the same priority.
    #[inline(always)]
    fn are_equal(&self, one: ThreadIndex, other: ThreadIndex) -> bool {
        let base = |own: ThreadIndex| self.kernel.memory.threads.get(own.at()).map(|own| own.base);
        base(one) == base(other)
    }

    /// A thread that was preempted in a section goes on there, before its equals. If it has left
    /// the section on another's time, the timer is due.
    #[cold]
    #[inline(never)]
    fn resume_late(&mut self, now: Time, first: ThreadIndex) {
        seeded!(LateBehind, (), self.kernel.put_in_front(first));
        if self.kernel.protection(first).is_none() {
            self.trees.alarm = now;
        }
    }

    /// Returns the dispatcher's first thread, or none if there is none or it cannot go on.
    ///
    /// A thread that runs inside a gate on another's time may begin to wait there while it is not
    /// dispatched. Its scheduler hears of that when it dispatches it. Where the next cannot go on
    /// either, the timer is due at once, so no path depends on how many have begun to wait.
    #[inline(always)]
    fn first_that_goes_on(&mut self, now: Time) -> ThreadIndex {
        let first = self.trees.dispatcher.running();
        if first.is_none() || self.kernel.goes_on(first) {
            return first;
        }
        self.end_first(now, first)
    }

    #[cold]
    #[inline(never)]
    fn end_first(&mut self, now: Time, first: ThreadIndex) -> ThreadIndex {
        if !self.trees.has_begun(self.kernel, first) {
            return ThreadIndex::NONE;
        }
        seeded!(StuckFirst, return ThreadIndex::NONE, self.end(first));
        let next = self.trees.dispatcher.running();
        if next.is_none() || self.kernel.goes_on(next) {
            return seeded!(UnplacedNext, ThreadIndex::NONE, next);
        }
        self.trees.alarm = now;
        ThreadIndex::NONE
    }
}

impl EndPointConfig {
    /// Returns the end-point of a kernel thread that is no scheduler: no thread sends to it.
    pub const fn of_kernel(thread: ThreadIndex) -> Self {
        EndPointConfig { scheduler: SchedulerIndex::NONE, account: crate::AccountIndex(thread.0) }
    }
}
