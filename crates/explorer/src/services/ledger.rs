//! The two services as the book tells them.

use std::collections::BTreeSet;

/// The value that a woken thread is told.
const WOKEN: u32 = 0;
/// The value that a thread is told if no thread may be about to wake it.
const GONE: u32 = 1;

/// The threads that sleep, and those that were woken before they slept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    /// For each thread: the row through which it sleeps, and on whose account.
    pub asleep: Vec<Option<(usize, usize)>>,
    /// Rows and threads: the threads that were woken through each row before they slept.
    pub woken: BTreeSet<(usize, usize)>,
    /// The threads that go on since the last step, with the values that they are told.
    pub told: Vec<(usize, u32)>,
}

/// The service that a thread asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// To sleep on this thread's account, which has a job or has none.
    Depend(usize, bool),
    /// To wake this thread.
    Wake(usize),
}

impl Ledger {
    /// Returns the ledger at the start: no thread sleeps.
    pub fn start(threads: usize) -> Ledger {
        Ledger { asleep: vec![None; threads], woken: BTreeSet::new(), told: Vec::new() }
    }

    /// A thread in a component of a row asks, and is not refused.
    pub fn ask(&mut self, (row, thread): (usize, usize), asked: Asked) {
        match asked {
            Asked::Depend(target, has_job) => {
                if self.woken.remove(&(row, thread)) {
                    self.told.push((thread, WOKEN));
                } else if has_job {
                    self.asleep[thread] = Some((row, target));
                } else {
                    self.told.push((thread, GONE));
                }
            }
            Asked::Wake(target) => {
                if self.asleep[target].is_some_and(|(through, _)| through == row) {
                    self.end(target, WOKEN);
                } else {
                    self.woken.insert((row, target));
                }
            }
        }
    }

    /// A thread's job has ended.
    pub fn end_job(&mut self, thread: usize) {
        self.end_all(|(_, target)| target == thread);
    }

    /// The data of a row's component are gone.
    pub fn forget(&mut self, row: usize) {
        self.end_all(|(through, _)| through == row);
        self.woken.retain(|(through, _)| *through != row);
    }

    /// Compares a kernel with the ledger. `sleeps` returns for each thread the gate at which it
    /// sleeps there, and the thread on whose account; `value` what it is told.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn compare(
        &self,
        sleeps: impl Fn(usize) -> Option<(usize, usize)>,
        value: impl Fn(usize) -> u32,
    ) -> Result<(), String> {
        for (thread, asleep) in self.asleep.iter().enumerate() {
            let (at, holder) = sleeps(thread).unzip();
            let expected = asleep.map(|(row, target)| row + target);
            if at != expected {
                return Err(format!("T{thread} sleeps at {at:?}, by the ledger at {expected:?}"));
            }
            let target = asleep.map(|(_, target)| target);
            if holder != target {
                return Err(format!(
                    "T{thread} sleeps on the account of {holder:?}, by the ledger of {target:?}"
                ));
            }
        }
        let mut told = self.told.iter().map(|&(thread, told)| (thread, told, value(thread)));
        match told.find(|(_, told, found)| found != told) {
            Some((thread, told, found)) => Err(format!("T{thread} is told {found}, not {told}")),
            None => Ok(()),
        }
    }

    fn end_all(&mut self, is_over: impl Fn((usize, usize)) -> bool) {
        for thread in 0..self.asleep.len() {
            if self.asleep[thread].is_some_and(&is_over) {
                self.end(thread, GONE);
            }
        }
    }

    fn end(&mut self, thread: usize, told: u32) {
        self.asleep[thread] = None;
        self.told.push((thread, told));
    }
}
