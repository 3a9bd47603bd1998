//! Notifications: signals that merge or are counted, and waiting for them.

use crate::mutation::seeded;
use crate::policy::{Policy, Queue};
use crate::{
    Capability, ContextSwitch, Error, Kind, Next, NotificationIndex, NotificationKind, Outcome,
    Release, ResumeReason, Sink, Status, ThreadIndex, Time,
};

impl<P: Policy, S: Sink> crate::Kernel<'_, P, S> {
    /// Signals a notification: wakes its first waiter, or releases the thread bound to it, or stays
    /// pending. A counting notification ignores `bits`. Constant time; with a bound thread log2 of
    /// the number of threads.
    ///
    /// Refused with [`Error::NoSuchObject`] or [`Error::CountFull`].
    pub fn signal(
        &mut self,
        now: Time,
        notification: NotificationIndex,
        bits: u32,
    ) -> Result<Outcome, Error> {
        let done = self.change_by_signal(now, notification, bits);
        self.finish(now, done)
    }

    pub(crate) fn change_by_signal(
        &mut self,
        now: Time,
        notification: NotificationIndex,
        bits: u32,
    ) -> Result<Next, Error> {
        self.notification_exists(notification)?;
        match self.wake_fast(now, notification, bits) {
            Some((switch, bits)) => {
                self.thread_mut(switch.thread).promise(ResumeReason::Signal, bits);
                Ok(Next::Gets)
            }
            None => self.signal_slow(now, notification, bits),
        }
    }

    /// Signals the notification in a slot if a thread waits there that takes the core immediately:
    /// returns the switch to it, and the bits that it gets. Machines have a shorter path for this
    /// case; of the values that set the timer only the thread's limit may have changed. An error:
    /// nothing has changed; it holds the notification in the slot and the signal's bits, if there
    /// is one, for [`signal_slow`](Self::signal_slow).
    #[inline(always)]
    pub fn signal_fast(
        &mut self,
        now: Time,
        slot: u16,
    ) -> Result<(ContextSwitch, u32), Option<(NotificationIndex, u32)>> {
        match self.named(slot) {
            Some(&Capability::Signal(notification, bits)) => {
                self.wake_fast(now, notification, bits).ok_or(Some((notification, bits)))
            }
            _ => Err(None),
        }
    }

    /// Handles an interrupt as [`interrupt`](Self::interrupt) does if a thread waits that takes the
    /// core immediately.
    #[inline(always)]
    pub fn interrupt_fast(&mut self, now: Time, line: u16) -> Option<(ContextSwitch, u32)> {
        let notification = *self.tables.interrupts.get(line as usize)?;
        // A notification has 32 bits for all lines. Which lines share one, the build decides.
        self.wake_fast(now, notification, 1 << (line % 32))
    }

    /// Wakes the first waiter, if it exists, is not to be aborted, and takes the core from the
    /// running thread without further work. Constant time.
    #[inline(always)]
    fn wake_fast(
        &mut self,
        now: Time,
        notification: NotificationIndex,
        bits: u32,
    ) -> Option<(ContextSwitch, u32)> {
        let short = seeded!(LongWays, false, true);
        let memory = &mut self.memory;
        let mut queue =
            Queue { core: memory.core, lists: &mut memory.levels, threads: memory.threads };
        let state = memory.notifications.get_mut(notification.at())?;
        let (signaller, thread) = (queue.core.current, state.waiters.head());
        let topmost = queue.threads.get(thread.at())?.topmost;
        let top = memory.frames.get(topmost as usize)?;
        let running = queue.threads.get(signaller.at())?.effective;
        // A thread that waits in a component that has gone meanwhile gets no signal but an error,
        // on the slow path.
        let stale = memory.components.get(top.component.at())?.epoch != top.epoch;
        if seeded!(GoneWaiter, false, stale) || !short || !queue.yields_to(thread, running) {
            return None;
        }
        // The signal is not added to the pending ones first: nothing is pending while a thread
        // waits.
        let taken = if state.counts { 1 } else { bits };
        // The last that can stand against it, because it is the first that changes something.
        let limit = queue.settle_up(now)?;
        state.waiters.pop(queue.threads, thread);
        queue.threads[signaller.at()].status = Status::Ready;
        seeded!(
            PreemptedSignaller,
            queue.push_back(signaller),
            queue.push_front(signaller, running)
        );
        let limited = queue.start(now, thread, limit);
        self.record(now, Kind::Signal, signaller, notification.0, u64::from(bits));
        self.record(now, Kind::Wake, thread, notification.0, u64::from(taken));
        self.record(now, Kind::Switch, thread, u16::MAX, 0);
        Some((ContextSwitch { thread, topmost, reason: ResumeReason::Signal, limited }, taken))
    }

    /// Signals a notification where [`signal_fast`](Self::signal_fast) has changed nothing.
    ///
    /// # Errors
    /// [`Error::CountFull`].
    #[inline(always)]
    pub fn signal_slow(
        &mut self,
        now: Time,
        notification: NotificationIndex,
        bits: u32,
    ) -> Result<Next, Error> {
        if self.is_full(notification) {
            return Err(Error::CountFull);
        }
        Ok(self.deliver_signal(now, notification, bits))
    }

    /// An interrupt line became active: signals the notification bound to it, with the line's bit
    /// (modulo 32).
    ///
    /// Refused with [`Error::NoSuchObject`] or [`Error::CountFull`].
    pub fn interrupt(&mut self, now: Time, line: u16) -> Result<Outcome, Error> {
        let done = self.change_by_interrupt(now, line);
        self.finish(now, done)
    }

    pub(crate) fn change_by_interrupt(&mut self, now: Time, line: u16) -> Result<Next, Error> {
        let notification = *self.tables.interrupts.get(line as usize).ok_or(Error::NoSuchObject)?;
        self.change_by_signal(now, notification, 1 << (line % 32))
    }

    /// Handles an interrupt where [`interrupt_fast`](Self::interrupt_fast) has changed
    /// nothing.
    ///
    /// # Errors
    /// As [`interrupt`](Self::interrupt).
    #[inline(always)]
    pub fn interrupt_slow(&mut self, now: Time, line: u16) -> Result<Next, Error> {
        let notification = *self.tables.interrupts.get(line as usize).ok_or(Error::NoSuchObject)?;
        self.signal_slow(now, notification, 1 << (line % 32))
    }

    /// Returns `true` if one more signal would exceed the limit of a count.
    fn is_full(&self, notification: NotificationIndex) -> bool {
        let state = self.memory.notifications[notification.at()];
        match self.tables.notifications[notification.at()].kind {
            NotificationKind::Merging => false,
            NotificationKind::Counting { limit } => {
                // While a thread waits nothing is pending, and the signal goes to it: there is no
                // count.
                state.waiters.is_empty()
                    && seeded!(OverfullCount, state.pending > limit, state.pending >= limit)
            }
        }
    }

    /// Signals without questions; a full count stays as it is.
    #[inline(never)]
    pub(crate) fn deliver_signal(
        &mut self,
        now: Time,
        notification: NotificationIndex,
        bits: u32,
    ) -> Next {
        let signaller = self.core().current;
        self.record(now, Kind::Signal, signaller, notification.0, u64::from(bits));
        let config = self.tables.notifications[notification.at()];
        // It begins jobs, and no thread reads its bits.
        if config.releases.is_some() {
            return match self.tables.threads[config.releases.at()].release {
                Release::Sporadic { separation, .. } => {
                    self.arrive_sporadically(now, config.releases, now, separation)
                }
                // The tables let sporadic threads only be released so.
                _ => Next::Same,
            };
        }
        let first = self.memory.notifications[notification.at()].waiters.head();
        if first.is_some() {
            let bits = if config.kind == NotificationKind::Merging { bits } else { 1 };
            return self.wake(now, notification, first, bits);
        }
        // The end of a budget and signals of other cores come here unasked. There is no caller to
        // refuse, so one above the limit is lost.
        if !self.is_full(notification) {
            let pending = &mut self.memory.notifications[notification.at()].pending;
            *pending = if config.kind == NotificationKind::Merging {
                seeded!(OverwrittenBits, bits, *pending | bits)
            } else {
                *pending + 1
            };
        }
        Next::Same
    }

    #[inline(always)]
    fn wake(
        &mut self,
        now: Time,
        notification: NotificationIndex,
        thread: ThreadIndex,
        bits: u32,
    ) -> Next {
        self.memory.notifications[notification.at()].waiters.pop(self.memory.threads, thread);
        self.record(now, Kind::Wake, thread, notification.0, u64::from(bits));
        self.thread_mut(thread).promise(ResumeReason::Signal, bits);
        self.run_or_queue(now, thread, Next::Gets)
    }

    /// Takes what is pending, or waits for the next signal. Steps: the waiters of higher or equal
    /// priority.
    ///
    /// Refused with [`Error::Idle`], [`Error::NoSuchObject`] or [`Error::Bound`].
    pub fn wait(&mut self, now: Time, notification: NotificationIndex) -> Result<Outcome, Error> {
        let done = self.change_by_wait(now, notification);
        self.finish(now, done)
    }

    #[inline(always)]
    pub(crate) fn change_by_wait(
        &mut self,
        now: Time,
        notification: NotificationIndex,
    ) -> Result<Next, Error> {
        let caller = self.may_receive(notification)?;
        self.record(now, Kind::Wait, caller, notification.0, 0);
        // A thread that finds a signal runs on and is not queued behind its equals: taking a signal
        // is no giving way.
        if self.memory.notifications[notification.at()].pending > 0 {
            self.take_pending(now, caller, notification);
            return Ok(Next::Gets);
        }
        self.stop_running(now);
        let thread = self.thread_mut(caller);
        thread.status = Status::AtNotification;
        thread.waits_at = notification.0;
        self.memory.notifications[notification.at()]
            .waiters
            .insert_by_priority(self.memory.threads, caller);
        Ok(Next::Open)
    }

    /// A thread, if it waits for a signal, waits no more, and finds none. Constant time.
    #[cold]
    #[inline(never)]
    pub(crate) fn change_by_end_of_wait(&mut self, now: Time, thread: ThreadIndex) -> Next {
        let state = self.thread(thread);
        if state.status != Status::AtNotification {
            return Next::Same;
        }
        let notification = NotificationIndex(state.waits_at);
        self.memory.notifications[notification.at()].waiters.remove(self.memory.threads, thread);
        self.record(now, Kind::Wake, thread, notification.0, 0);
        // No signal has 0: the tables refuse one without bits, and a count gives 1.
        self.thread_mut(thread).promise(ResumeReason::Signal, 0);
        self.make_ready(now, thread);
        Next::Open
    }

    /// Returns the caller, if it may take what is signalled there: no thread waits for a
    /// notification that releases jobs.
    #[inline(always)]
    fn may_receive(&self, notification: NotificationIndex) -> Result<ThreadIndex, Error> {
        let caller = self.caller()?;
        self.notification_exists(notification)?;
        if self.tables.notifications[notification.at()].releases.is_some() {
            return Err(Error::Bound);
        }
        Ok(caller)
    }

    /// Takes what is pending, if anything: the caller gets its bits, or 0. Constant time.
    ///
    /// Refused with [`Error::Idle`], [`Error::NoSuchObject`] or [`Error::Bound`].
    pub fn poll(&mut self, now: Time, notification: NotificationIndex) -> Result<Outcome, Error> {
        let done = self.change_by_poll(now, notification);
        self.finish(now, done)
    }

    #[inline(always)]
    pub(crate) fn change_by_poll(
        &mut self,
        now: Time,
        notification: NotificationIndex,
    ) -> Result<Next, Error> {
        let caller = self.may_receive(notification)?;
        if self.memory.notifications[notification.at()].pending > 0 {
            self.take_pending(now, caller, notification);
        } else {
            self.thread_mut(caller).promise(ResumeReason::Signal, 0);
        }
        Ok(Next::Gets)
    }

    fn take_pending(&mut self, now: Time, caller: ThreadIndex, notification: NotificationIndex) {
        let state = &mut self.memory.notifications[notification.at()];
        // From the tables and not from the state's copy, which is for the fast path.
        let merging =
            self.tables.notifications[notification.at()].kind == NotificationKind::Merging;
        let taken = if seeded!(EmptiedCount, true, merging) { state.pending } else { 1 };
        state.pending -= taken;
        self.thread_mut(caller).promise(ResumeReason::Signal, taken);
        self.record(now, Kind::Wake, caller, notification.0, u64::from(taken));
    }
}
