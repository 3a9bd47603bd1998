//! The pessimistic lock: Algorithm 1 of Parmer and Song (2010), repaired.
//!
//! Repaired is that a release hands the lock over if somebody *is* in the list, that whoever waits
//! depends on who owns the lock at that moment, and that a hand-over retargets all who wait. The
//! first waiter is woken inside of the section, with the hand-over: else the others would depend
//! on a thread that nobody runs.

use super::Defect;
use super::algorithm::Algorithm;
use super::rule::{Breach, Checked, Rule, ensure};
use super::scheduler::{Scheduler, Thread};
use super::system::System;

/// The point in its code that a thread has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    Take,
    Block(Thread),
    Inside,
    Release,
}

/// A lock component and the threads that use it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Pessimistic {
    scheduler: Scheduler,
    owner: Option<Thread>,
    list: Vec<Thread>,
    /// The order in which threads have asked: the list is compared with it.
    asked: Vec<Thread>,
    at: Vec<At>,
    left: Vec<u8>,
}

impl Algorithm for Pessimistic {
    fn start(system: &System) -> Self {
        Pessimistic {
            scheduler: Scheduler::start(system.threads, system.order),
            owner: None,
            list: Vec::new(),
            asked: Vec::new(),
            at: vec![At::Take; system.threads],
            left: vec![system.turns; system.threads],
        }
    }

    fn scheduler(&mut self) -> &mut Scheduler {
        &mut self.scheduler
    }

    fn is_before_section(&self, thread: Thread) -> bool {
        matches!(self.at[usize::from(thread)], At::Take | At::Release)
    }

    fn step(&mut self, thread: Thread, defects: &[Defect]) -> Result<&'static str, Breach> {
        let (what, at) = match self.at[usize::from(thread)] {
            At::Take => self.take(thread),
            At::Block(found) => self.block(thread, found, defects),
            At::Inside => ("works", At::Release),
            At::Release => self.release(thread, defects)?,
        };
        self.at[usize::from(thread)] = at;
        Ok(what)
    }

    fn check(&self) -> Checked {
        let inside = self
            .at
            .iter()
            .zip(self.scheduler.threads())
            .filter(|(at, thread)| self.is_in(**at, *thread));
        ensure(Rule::Exclusion, inside.count() < 2, || "two threads are inside".to_owned())?;
        for thread in self.scheduler.threads() {
            let Some(dependency) = self.scheduler.sleeps_for(thread) else { continue };
            ensure(Rule::Wakes, self.list.contains(&thread) && self.owner.is_some(), || {
                format!("nobody will wake T{thread}")
            })?;
            ensure(Rule::Dependencies, self.owner == Some(dependency), || {
                format!("T{thread} depends on T{dependency}, the owner is {:?}", self.owner)
            })?;
        }
        Ok(())
    }
}

impl Pessimistic {
    fn is_in(&self, at: At, thread: Thread) -> bool {
        let holds = matches!(at, At::Inside | At::Release);
        holds && self.scheduler.sleeps_for(thread).is_none() && !self.scheduler.is_done(thread)
    }

    fn take(&mut self, thread: Thread) -> (&'static str, At) {
        match self.owner {
            None => {
                self.owner = Some(thread);
                ("takes the lock", At::Inside)
            }
            Some(owner) => {
                self.list.push(thread);
                self.asked.push(thread);
                ("queues", At::Block(owner))
            }
        }
    }

    fn block(&mut self, thread: Thread, found: Thread, defects: &[Defect]) -> (&'static str, At) {
        let stale = defects.contains(&Defect::StaleDependency);
        let owner = self.owner.filter(|_| !stale).unwrap_or(found);
        match self.scheduler.block(thread, owner) {
            true => ("sleeps", At::Inside),
            false => ("was woken already", At::Inside),
        }
    }

    fn release(
        &mut self,
        thread: Thread,
        defects: &[Defect],
    ) -> Result<(&'static str, At), Breach> {
        let left = &mut self.left[usize::from(thread)];
        *left -= 1;
        if *left == 0 {
            self.scheduler.end(thread);
        }
        if self.list.is_empty() == defects.contains(&Defect::InvertedTest) {
            ensure(Rule::Lists, !self.list.is_empty(), || {
                format!("T{thread} hands the lock to whom an empty list has")
            })?;
            self.hand_over(defects)?;
            Ok(("hands the lock over", At::Take))
        } else {
            self.owner = None;
            Ok(("frees the lock", At::Take))
        }
    }

    fn hand_over(&mut self, defects: &[Defect]) -> Checked {
        let next = match defects.contains(&Defect::LatestFirst) {
            true => self.list.len() - 1,
            false => 0,
        };
        let next = self.list.remove(next);
        ensure(Rule::Order, self.asked.remove(0) == next, || format!("T{next} is not the first"))?;
        self.owner = Some(next).filter(|_| !defects.contains(&Defect::FreedAndHanded));
        let slept = self.scheduler.wake(next);
        if !slept && defects.contains(&Defect::ForgottenWake) {
            self.scheduler.forget(next);
        }
        if !defects.contains(&Defect::StaleDependency) {
            for &waiter in &self.list {
                self.scheduler.retarget(waiter, next);
            }
        }
        Ok(())
    }
}
