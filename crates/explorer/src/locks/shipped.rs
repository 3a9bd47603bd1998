//! `LockPessimistic`, the lock component that comes with Fusee.
//!
//! The kernel's services retarget nobody. So whoever hands the lock over wakes, behind the section,
//! the new owner and then all who still wait: each of them looks again, and sleeps on the new
//! owner's account. Who was about to sleep on an old one's is woken before it does.

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
    Look,
    Ask,
    Inside,
    Release,
    Tell,
}

/// A lock component and the threads that use it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Shipped {
    scheduler: Scheduler,
    owner: Option<Thread>,
    list: Vec<Thread>,
    at: Vec<At>,
    /// The threads that each thread has still to wake.
    told: Vec<Vec<Thread>>,
    left: Vec<u8>,
}

impl Algorithm for Shipped {
    fn start(system: &System) -> Self {
        Shipped {
            scheduler: Scheduler::start(system.threads, system.order),
            owner: None,
            list: Vec::new(),
            at: vec![At::Take; system.threads],
            told: vec![Vec::new(); system.threads],
            left: vec![system.turns; system.threads],
        }
    }

    fn scheduler(&mut self) -> &mut Scheduler {
        &mut self.scheduler
    }

    fn is_before_section(&self, thread: Thread) -> bool {
        matches!(self.at[usize::from(thread)], At::Take | At::Ask | At::Release)
    }

    fn step(&mut self, thread: Thread, defects: &[Defect]) -> Result<&'static str, Breach> {
        let (what, at) = match self.at[usize::from(thread)] {
            At::Take => self.take(thread),
            At::Block(owner) => match self.scheduler.block(thread, owner) {
                true => ("sleeps", At::Look),
                false => ("was woken already", At::Look),
            },
            At::Look if self.owner == Some(thread) => ("finds that it has the lock", At::Inside),
            At::Look => ("finds that another has the lock", At::Ask),
            At::Ask => self.ask(thread),
            At::Inside => ("works", At::Release),
            At::Release => self.release(thread, defects),
            At::Tell => self.tell(thread, defects),
        };
        self.at[usize::from(thread)] = at;
        Ok(what)
    }

    fn check(&self) -> Checked {
        let inside = self.at.iter().filter(|at| matches!(at, At::Inside | At::Release));
        ensure(Rule::Exclusion, inside.count() < 2, || "two threads are inside".to_owned())?;
        for thread in self.scheduler.threads() {
            let Some(dependency) = self.scheduler.sleeps_for(thread) else { continue };
            let tells = |other: Thread| self.told[usize::from(other)].contains(&thread);
            let listed = self.list.contains(&thread) && self.owner.is_some();
            let woken = listed || self.scheduler.threads().any(tells);
            ensure(Rule::Wakes, woken, || format!("nobody will wake T{thread}"))?;
            let right = self.owner == Some(dependency) || tells(dependency);
            ensure(Rule::Dependencies, right, || {
                format!("T{thread} depends on T{dependency}, the owner is {:?}", self.owner)
            })?;
        }
        Ok(())
    }
}

impl Shipped {
    fn take(&mut self, thread: Thread) -> (&'static str, At) {
        match self.owner {
            None => {
                self.owner = Some(thread);
                ("takes the lock", At::Inside)
            }
            Some(owner) => {
                self.list.push(thread);
                ("queues", At::Block(owner))
            }
        }
    }

    fn ask(&mut self, thread: Thread) -> (&'static str, At) {
        match self.owner {
            Some(owner) if owner != thread => ("asks who has the lock", At::Block(owner)),
            _ => ("hears that it has the lock", At::Inside),
        }
    }

    fn release(&mut self, thread: Thread, defects: &[Defect]) -> (&'static str, At) {
        if self.list.is_empty() {
            self.owner = None;
            return ("frees the lock", self.ends_turn(thread));
        }
        let next = self.list.remove(0);
        self.owner = Some(next);
        let told = &mut self.told[usize::from(thread)];
        told.push(next);
        if !defects.contains(&Defect::UntoldWaiters) {
            told.extend(&self.list);
        }
        ("hands the lock over", At::Tell)
    }

    fn tell(&mut self, thread: Thread, defects: &[Defect]) -> (&'static str, At) {
        let waiter = self.told[usize::from(thread)].remove(0);
        let slept = self.scheduler.wake(waiter);
        if !slept && defects.contains(&Defect::ForgottenWake) {
            self.scheduler.forget(waiter);
        }
        match self.told[usize::from(thread)].is_empty() {
            false => ("wakes a waiter", At::Tell),
            true => ("wakes the last waiter", self.ends_turn(thread)),
        }
    }

    fn ends_turn(&mut self, thread: Thread) -> At {
        let left = &mut self.left[usize::from(thread)];
        *left -= 1;
        if *left == 0 {
            self.scheduler.end(thread);
        }
        At::Take
    }
}
