//! The optimistic lock: Algorithms 2 and 3 of Parmer and Song (2010), repaired.
//!
//! Repaired is that who asks keeps the epoch that it was told and comes back with it and with the
//! owner that it has found, and that a release without waiters leaves the section.

use super::Defect;
use super::algorithm::Algorithm;
use super::rule::{Breach, Checked, Rule, ensure};
use super::scheduler::{Scheduler, Thread};
use super::system::System;

/// The lock in the client's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Word {
    owner: Option<Thread>,
    contended: bool,
}

const FREE: Word = Word { owner: None, contended: false };

/// The point in its code that a thread has reached, with what it has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    Read,
    Pretake(Word),
    Swap(Word, u8),
    Take(Thread, u8),
    Block(Thread),
    Inside,
    ReadAgain,
    Free(Word),
    Release,
    Wake,
}

/// A word, its component, and the threads that use them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Optimistic {
    scheduler: Scheduler,
    word: Word,
    epoch: u8,
    /// The value that Algorithm 3 as printed keeps with the lock.
    recorded: u8,
    list: Vec<Thread>,
    at: Vec<At>,
    left: Vec<u8>,
}

impl Algorithm for Optimistic {
    fn start(system: &System) -> Self {
        Optimistic {
            scheduler: Scheduler::start(system.threads, system.order),
            word: FREE,
            epoch: 0,
            recorded: 0,
            list: Vec::new(),
            at: vec![At::Read; system.threads],
            left: vec![system.turns; system.threads],
        }
    }

    fn scheduler(&mut self) -> &mut Scheduler {
        &mut self.scheduler
    }

    fn is_before_section(&self, thread: Thread) -> bool {
        let at = self.at[usize::from(thread)];
        matches!(at, At::Pretake(_) | At::Take(..) | At::Release)
    }

    fn step(&mut self, thread: Thread, defects: &[Defect]) -> Result<&'static str, Breach> {
        let (what, at) = match self.at[usize::from(thread)] {
            At::Read => self.read(defects),
            At::Pretake(found) => self.pretake(found, defects)?,
            At::Swap(found, epoch) => self.swap(thread, (found, epoch)),
            At::Take(owner, epoch) => self.take(thread, (owner, epoch), defects),
            At::Block(owner) => self.block(thread, owner),
            At::Inside => ("works", At::ReadAgain),
            At::ReadAgain => ("reads the word to unlock", At::Free(self.word)),
            At::Free(found) => self.free(thread, found, defects),
            At::Release => self.release(thread, defects),
            At::Wake => self.wake(thread, defects),
        };
        self.at[usize::from(thread)] = at;
        Ok(what)
    }

    fn check(&self) -> Checked {
        let inside = self.at.iter().filter(|at| at.is_inside()).count();
        ensure(Rule::Exclusion, inside < 2, || "two threads are inside".to_owned())?;
        self.scheduler.threads().try_for_each(|thread| self.check_sleeper(thread))
    }
}

impl At {
    fn is_inside(self) -> bool {
        matches!(self, At::Inside | At::ReadAgain | At::Free(_))
    }
}

impl Optimistic {
    fn check_sleeper(&self, thread: Thread) -> Checked {
        let Some(dependency) = self.scheduler.sleeps_for(thread) else { return Ok(()) };
        let releases = |at: &At| matches!(at, At::Release | At::Wake);
        let held = self.word.contended && self.word.owner.is_some();
        let woken = self.list.contains(&thread) && (held || self.at.iter().any(releases));
        ensure(Rule::Wakes, woken, || format!("nobody will wake T{thread}"))?;
        let right =
            self.word.owner == Some(dependency) || releases(&self.at[usize::from(dependency)]);
        ensure(Rule::Dependencies, right, || {
            format!("T{thread} depends on T{dependency}, the owner is {:?}", self.word.owner)
        })
    }

    fn read(&self, defects: &[Defect]) -> (&'static str, At) {
        let eager = defects.contains(&Defect::EagerPretake);
        match self.word.owner {
            None if !eager => ("finds the lock free", At::Swap(self.word, 0)),
            _ => ("finds the lock taken", At::Pretake(self.word)),
        }
    }

    fn pretake(&mut self, found: Word, defects: &[Defect]) -> Result<(&'static str, At), Breach> {
        ensure(Rule::Calls, found.owner.is_some(), || "the lock was free".to_owned())?;
        if defects.contains(&Defect::SharedEpoch) {
            self.recorded = self.epoch;
        }
        Ok(("asks for the epoch", At::Swap(found, self.epoch)))
    }

    fn swap(&mut self, thread: Thread, (found, epoch): (Word, u8)) -> (&'static str, At) {
        if self.word != found {
            return ("finds the word changed", At::Read);
        }
        match found.owner {
            None => {
                self.word.owner = Some(thread);
                ("takes the lock", At::Inside)
            }
            Some(owner) => {
                self.word.contended = true;
                ("says that the lock is contended", At::Take(owner, epoch))
            }
        }
    }

    fn take(
        &mut self,
        thread: Thread,
        (owner, epoch): (Thread, u8),
        defects: &[Defect],
    ) -> (&'static str, At) {
        let told = if defects.contains(&Defect::SharedEpoch) { self.recorded } else { epoch };
        if told != self.epoch {
            return ("comes with an old epoch", At::Read);
        }
        self.list.push(thread);
        ("queues", At::Block(owner))
    }

    fn block(&mut self, thread: Thread, owner: Thread) -> (&'static str, At) {
        match self.scheduler.block(thread, owner) {
            true => ("sleeps", At::Read),
            false => ("was woken already", At::Read),
        }
    }

    fn free(&mut self, thread: Thread, found: Word, defects: &[Defect]) -> (&'static str, At) {
        let deaf = defects.contains(&Defect::DeafUnlock);
        if self.word != found && !deaf {
            return ("finds the word changed to unlock", At::ReadAgain);
        }
        self.word = FREE;
        match found.contended {
            true => ("frees the word, which is contended", At::Release),
            false => ("frees the word", self.ends_turn(thread)),
        }
    }

    fn release(&mut self, thread: Thread, defects: &[Defect]) -> (&'static str, At) {
        self.epoch += 1;
        if !self.list.is_empty() {
            self.scheduler.take_section(thread);
            return ("moves the epoch", At::Wake);
        }
        if defects.contains(&Defect::KeptSection) {
            self.scheduler.take_section(thread);
        }
        ("moves the epoch; nobody waits", self.ends_turn(thread))
    }

    fn wake(&mut self, thread: Thread, defects: &[Defect]) -> (&'static str, At) {
        let waiter = self.list.remove(0);
        let slept = self.scheduler.wake(waiter);
        if !slept && defects.contains(&Defect::ForgottenWake) {
            self.scheduler.forget(waiter);
        }
        if !self.list.is_empty() {
            return ("wakes a waiter", At::Wake);
        }
        self.scheduler.leave_section();
        ("wakes the last waiter", self.ends_turn(thread))
    }

    fn ends_turn(&mut self, thread: Thread) -> At {
        let left = &mut self.left[usize::from(thread)];
        *left -= 1;
        if *left == 0 {
            self.scheduler.end(thread);
        }
        At::Read
    }
}
