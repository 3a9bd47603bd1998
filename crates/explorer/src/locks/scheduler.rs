//! The scheduler's services: sections, sleeping with a dependency, and waking.

use super::system::Order;

/// A thread's number; a greater one is more urgent.
pub(super) type Thread = u8;

/// The state of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Life {
    Unreleased,
    Ready,
    Asleep(Thread),
    Done,
}

/// Threads, and the critical section of the component that they share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Scheduler {
    lives: Vec<Life>,
    woken: Vec<bool>,
    section: Option<Thread>,
}

impl Scheduler {
    pub(super) fn start(threads: usize, order: Order) -> Scheduler {
        let life = match order {
            Order::Any => Life::Ready,
            Order::Priorities => Life::Unreleased,
        };
        Scheduler { lives: vec![life; threads], woken: vec![false; threads], section: None }
    }

    pub(super) fn threads(&self) -> std::ops::Range<Thread> {
        0..self.lives.len() as Thread
    }

    pub(super) fn is_unreleased(&self, thread: Thread) -> bool {
        self.lives[usize::from(thread)] == Life::Unreleased
    }

    pub(super) fn is_done(&self, thread: Thread) -> bool {
        self.lives[usize::from(thread)] == Life::Done
    }

    pub(super) fn release(&mut self, thread: Thread) {
        self.lives[usize::from(thread)] = Life::Ready;
    }

    pub(super) fn end(&mut self, thread: Thread) {
        self.lives[usize::from(thread)] = Life::Done;
    }

    /// Puts a thread to sleep unless it was woken already; whether it sleeps.
    pub(super) fn block(&mut self, thread: Thread, dependency: Thread) -> bool {
        let woken = std::mem::take(&mut self.woken[usize::from(thread)]);
        if !woken {
            self.lives[usize::from(thread)] = Life::Asleep(dependency);
        }
        !woken
    }

    /// Wakes a thread, or remembers that for when it is about to sleep; whether it slept.
    pub(super) fn wake(&mut self, thread: Thread) -> bool {
        let slept = self.sleeps_for(thread).is_some();
        match slept {
            true => self.lives[usize::from(thread)] = Life::Ready,
            false => self.woken[usize::from(thread)] = true,
        }
        slept
    }

    /// Forgets that a thread was woken.
    pub(super) fn forget(&mut self, thread: Thread) {
        self.woken[usize::from(thread)] = false;
    }

    /// Returns the thread that a sleeping thread depends on.
    pub(super) fn sleeps_for(&self, thread: Thread) -> Option<Thread> {
        match self.lives[usize::from(thread)] {
            Life::Asleep(dependency) => Some(dependency),
            _ => None,
        }
    }

    /// Gives a sleeping thread another dependency.
    pub(super) fn retarget(&mut self, thread: Thread, dependency: Thread) {
        if self.sleeps_for(thread).is_some() {
            self.lives[usize::from(thread)] = Life::Asleep(dependency);
        }
    }

    pub(super) fn take_section(&mut self, thread: Thread) {
        self.section = Some(thread);
    }

    pub(super) fn leave_section(&mut self) {
        self.section = None;
    }

    /// Returns `true` if a thread may go on by itself: neither asleep nor before a section that is
    /// taken.
    pub(super) fn able(&self, thread: Thread, before_section: bool) -> bool {
        let kept_out = before_section && self.section.is_some_and(|holder| holder != thread);
        self.lives[usize::from(thread)] == Life::Ready && !kept_out
    }

    /// Returns the last thread on the chain of dependencies from a thread.
    pub(super) fn end_of_chain(
        &self,
        from: Thread,
        before_section: impl Fn(Thread) -> bool,
    ) -> Option<Thread> {
        let mut at = from;
        for _ in self.threads() {
            at = match self.lives[usize::from(at)] {
                Life::Unreleased | Life::Done => return None,
                Life::Asleep(dependency) => dependency,
                Life::Ready if self.able(at, before_section(at)) => return Some(at),
                Life::Ready => self.section?,
            };
        }
        None
    }
}
