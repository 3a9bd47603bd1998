//! Jobs: their arrival, their start and their end.
//!
//! A timer event handles exactly one release and leaves the timer due immediately if there are
//! more, so that no path depends on how many fall together. A job that arrives while the one before
//! it is unfinished waits in a ring of declared length; an arrival that does not fit is lost,
//! counted and recorded.

use crate::mutation::seeded;
use crate::policy::Policy;
use crate::{
    Error, Kind, NEVER, Next, Outcome, Release, ResumeReason, Sink, Status, ThreadIndex, Time,
    Word, timer,
};

impl<P: Policy, S: Sink> crate::Kernel<'_, P, S> {
    /// The timer fired: one release, or the end of the running thread's budget or time slice, or
    /// (too early) nothing. Steps: log2 of the number of threads; for a budget that ends in a gate,
    /// the threads that wait for its holder.
    pub fn timer(&mut self, now: Time) -> Outcome {
        if self.change_by_timer(now) == Next::Open {
            self.reschedule(now);
        }
        self.outcome()
    }

    /// Changes the state by the timer, up to the choice of the next thread. Steps: those of
    /// [`timer`](Self::timer).
    pub fn change_by_timer(&mut self, now: Time) -> Next {
        let (thread, time) = (timer::first(self.memory.tree), self.core().next);
        // A release goes before the end of a budget: it may fill the very budget that ends.
        if thread.is_some() && time <= now {
            self.release_by_timer(now, thread, time)
        } else if self.core().is_limited() && self.core().limit <= now {
            self.limit_reached(now);
            Next::Open
        } else {
            // The timer came too early. It is set again on the way out.
            Next::Same
        }
    }

    fn release_by_timer(&mut self, now: Time, thread: ThreadIndex, time: Time) -> Next {
        let next = match self.tables.threads[thread.at()].release {
            Release::Once { .. } => NEVER,
            // From the nominal release, not from when the timer was heard: a late interrupt delays
            // one job and no other.
            Release::Periodic { period, .. } => seeded!(Drift, now, time).saturating_add(period),
            // One deferred arrival, of which each separation lets one more come.
            Release::Sporadic { separation, .. } => {
                let state = self.thread_mut(thread);
                // Not below 0: the expiry is set only while arrivals are deferred.
                state.deferred -= 1;
                seeded!(CloseArrivals, (), state.earliest = time.saturating_add(separation));
                if state.deferred > 0 { state.earliest } else { NEVER }
            }
        };
        // Before the arrival, so that the next release is armed whatever the job does.
        self.set_expiry(thread, next);
        self.arrive(now, thread, time)
    }

    /// A sporadic thread's job arrives; its deadline counts from `nominal`. An arrival that comes
    /// too early is deferred to the earliest legal instant and counts from there. Steps: log2 of
    /// the number of threads.
    ///
    /// Refused with [`Error::NoSuchObject`] or [`Error::NotSporadic`].
    pub fn release(
        &mut self,
        now: Time,
        thread: ThreadIndex,
        nominal: Time,
    ) -> Result<Outcome, Error> {
        let done = self.change_by_release(now, thread, nominal);
        self.finish(now, done)
    }

    pub(crate) fn change_by_release(
        &mut self,
        now: Time,
        thread: ThreadIndex,
        nominal: Time,
    ) -> Result<Next, Error> {
        let config = self.tables.threads.get(thread.at()).ok_or(Error::NoSuchObject)?;
        let Release::Sporadic { separation, .. } = config.release else {
            return Err(Error::NotSporadic);
        };
        Ok(self.arrive_sporadically(now, thread, nominal, separation))
    }

    pub(crate) fn arrive_sporadically(
        &mut self,
        now: Time,
        thread: ThreadIndex,
        nominal: Time,
        separation: Time,
    ) -> Next {
        let state = self.thread_mut(thread);
        // An arrival that finds others deferred is behind them, however late it is: arrivals stay
        // in order.
        if separation == 0 || (now >= state.earliest && state.deferred == 0) {
            // From now and not from the nominal arrival: a late one must not let the next come
            // closer.
            state.earliest = now.saturating_add(separation);
            return self.arrive(now, thread, nominal);
        }
        if state.deferred < self.tables.backlog {
            let state = self.thread_mut(thread);
            state.deferred += 1;
            let earliest = state.earliest;
            self.set_expiry(thread, earliest);
            self.record(now, Kind::Defer, thread, u16::MAX, earliest);
        } else {
            self.lose(now, thread);
        }
        Next::Same
    }

    /// Arrivals of a sporadic thread that come before this instant are deferred to it. Constant
    /// time.
    pub fn hold_arrivals(&mut self, thread: ThreadIndex, until: Time) {
        self.thread_mut(thread).earliest = until;
    }

    fn set_expiry(&mut self, thread: ThreadIndex, time: Time) {
        self.memory.core.next = timer::set(self.memory.tree, self.memory.expiries, thread, time);
    }

    /// A job is there: it starts, waits for the one before it, or is lost. Constant time.
    fn arrive(&mut self, now: Time, thread: ThreadIndex, nominal: Time) -> Next {
        self.record(now, Kind::Release, thread, u16::MAX, nominal);
        let home = self.tables.threads[thread.at()].component;
        // A job that is under way in a component that has died is ended when its thread runs next;
        // what arrives until then is queued, and dropped then.
        if self.memory.components[home.at()].is_dead() && self.thread(thread).status == Status::Idle
        {
            self.lose(now, thread);
            return Next::Same;
        }
        if self.thread(thread).status == Status::Idle {
            // No thread waits for it, and it lends to none.
            self.refill(thread);
            // From the nominal arrival, so that a late timer or jitter is part of the response
            // time.
            self.start_job(thread, seeded!(ActualArrival, now, nominal));
            return self.run_or_queue(now, thread, Next::Starts);
        }
        // A budget counts between releases, so it is whole again although the job before goes on:
        // with less, a late job would take the next one's time as well.
        let next = self.replenish(now, thread);
        // Asked here too: a job that never ends would else miss its deadline unseen.
        self.check_deadline(now, thread);
        self.queue_arrival(now, thread, nominal);
        next
    }

    /// A job arrives while the one before it is unfinished.
    fn queue_arrival(&mut self, now: Time, thread: ThreadIndex, nominal: Time) {
        let backlog = self.tables.backlog;
        let state = self.thread_mut(thread);
        // Asked first: with a backlog of 0 the remainder below would divide by 0.
        if state.queued == backlog {
            return self.lose(now, thread);
        }
        // The sum fits: the tables allow no backlog above half of what sixteen bits hold.
        let place = (state.first + state.queued) % backlog;
        state.queued += 1;
        let queued = u64::from(state.queued);
        self.memory.arrivals[thread.at() * backlog as usize + place as usize] = nominal;
        self.record(now, Kind::Queue, thread, u16::MAX, queued);
    }

    fn lose(&mut self, now: Time, thread: ThreadIndex) {
        let state = self.thread_mut(thread);
        // A count for reports. It stays at its end, where a wrap would say that few are lost.
        state.lost = state.lost.saturating_add(1);
        self.record(now, Kind::Lose, thread, u16::MAX, 0);
    }

    /// Prepares a thread's job before the thread takes the core or queues for it. Constant time.
    fn start_job(&mut self, thread: ThreadIndex, arrival: Time) {
        let config = &self.tables.threads[thread.at()];
        // A job begins in the component as it is now, whatever was restarted since the last one.
        let epoch = self.memory.components[config.component.at()].entering();
        let home = self.first_frame(thread);
        self.memory.frames[home].epoch = epoch;
        let slice = self.tables.time_slice;
        let state = &mut self.memory.threads[thread.at()];
        seeded!(UsedSlice, (), state.slice = slice);
        state.arrival = arrival;
        state.deadline = arrival.saturating_add(config.deadline);
        // After the deadline is known: it is the urgency where the policy goes by deadlines.
        P::begin(state);
        state.promise(ResumeReason::Start, 0);
    }

    fn check_deadline(&mut self, now: Time, thread: ThreadIndex) {
        let state = self.thread_mut(thread);
        // A job that ends at its deadline is in time, so only a later end is a miss.
        let deadline = state.deadline;
        if seeded!(HastyMiss, now >= deadline, now > deadline) {
            state.deadline = NEVER;
            self.record(now, Kind::Miss, thread, u16::MAX, deadline);
        }
    }

    /// The job ends; the next one that waits starts, behind its equals. Constant time.
    ///
    /// Refused with [`Error::Idle`] or [`Error::InGate`].
    pub fn complete(&mut self, now: Time) -> Result<Outcome, Error> {
        let done = self.change_by_completion(now);
        self.finish(now, done)
    }

    pub(crate) fn change_by_completion(&mut self, now: Time) -> Result<Next, Error> {
        let thread = self.caller()?;
        if !self.thread(thread).is_home() {
            return Err(Error::InGate);
        }
        // Its mutex would stay locked, and the next job would find itself as the owner.
        if self.holds_on_top(thread) {
            return Err(Error::Locked);
        }
        if P::Word::DEPENDS {
            self.wake_who_depends(now, thread);
        }
        // Whoever releases from outside chooses the nominal arrival, so it may lie ahead.
        let response = now.saturating_sub(self.thread(thread).arrival);
        self.record(now, Kind::Complete, thread, u16::MAX, response);
        self.end_job(now, thread);
        Ok(Next::Open)
    }

    /// Takes the running thread off its job. Constant time.
    pub(crate) fn end_job(&mut self, now: Time, thread: ThreadIndex) {
        self.check_deadline(now, thread);
        self.stop_running(now);
        let backlog = self.tables.backlog;
        let dead =
            self.memory.components[self.tables.threads[thread.at()].component.at()].is_dead();
        let state = self.thread_mut(thread);
        state.status = Status::Idle;
        // Jobs of a dead component would fault one after the other.
        if dead {
            state.queued = 0;
        }
        if state.queued == 0 {
            return;
        }
        let first = state.first;
        state.first = if first + 1 == backlog { 0 } else { first + 1 };
        state.queued -= 1;
        let arrival = self.memory.arrivals[thread.at() * backlog as usize + first as usize];
        self.start_job(thread, arrival);
        // Behind its equals: the job that has ended had its turn.
        self.make_ready(now, thread);
    }

    /// Returns `true` if the component of the thread's topmost frame is gone.
    #[inline]
    pub fn is_stale(&self, thread: ThreadIndex) -> bool {
        let top = self.top(thread);
        let component = &self.memory.components[top.component.at()];
        // Both are asked: a frame that enters a dead component has the number that `entering`
        // gives.
        component.is_dead() || component.entering() != top.epoch
    }

    /// Returns `true` if the component of the thread's topmost frame exists, but its initial data
    /// have not yet been put back.
    #[inline]
    pub fn is_unrestored(&self, thread: ThreadIndex) -> bool {
        self.memory.components[self.top(thread).component.at()].is_unrestored()
            && !self.is_stale(thread)
    }
}
