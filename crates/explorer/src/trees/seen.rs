//! The threads that wait for each other in a state, and those that could run.

use std::collections::{BTreeMap, BTreeSet};

use fusee_kernel::tcaps::{self, Standing};
use fusee_kernel::{NEVER, Protocol, Status, Store, Time};

use super::{System, TreePolicy};

/// A state, read into maps and sets.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The status of each thread.
    pub status: Vec<Status>,
    /// The standing of each thread with its scheduler.
    pub standing: Vec<Standing>,
    /// The number of gates that each has passed.
    pub depth: Vec<u8>,
    /// The thread that each thread waits for at a gate.
    pub holder: BTreeMap<usize, usize>,
    /// The gate at which each waits.
    pub waits: BTreeMap<usize, usize>,
    /// The base priority of each thread, or the ceiling of a gate that it is in.
    pub base: Vec<u8>,
    /// The priority of each thread at home.
    pub own: Vec<u8>,
    /// The highest ceiling of the gates in which each thread is that others find free.
    pub section: Vec<Option<u8>>,
    /// The highest ceiling of the priority ceiling protocol that each thread holds, and the number
    /// of these gates.
    pub ceilings: Vec<(u8, usize)>,
    /// The first of the schedulers' queue, and the account that it is on.
    pub first: Option<(usize, usize)>,
    /// The running thread.
    pub runs: Option<usize>,
    /// Threads of the kernel's own that have used up their budgets, by the ledger.
    pub exhausted: BTreeSet<usize>,
    /// Those that run on accounts only.
    pub funded: BTreeSet<usize>,
}

impl Seen {
    /// Reads the facts off a state.
    pub fn of<P: TreePolicy>(
        system: &System,
        kernel: &Store<P>,
        trees: &tcaps::Store,
        left: &[Time],
    ) -> Self {
        let threads = 0..kernel.threads.len();
        let first = tcaps::running(&trees.core, &trees.end_points);
        let first = first.is_some().then(|| first.at());
        let holder = |own: usize| {
            let gate = kernel.threads[own].gate()?;
            Some((own, kernel.gates[gate.at()].holder.at()))
        };
        let waits = |own: usize| Some((own, kernel.threads[own].gate()?.at()));
        let section: Vec<Option<u8>> =
            threads.clone().map(|own| ceiling(system, kernel, own)).collect();
        let base =
            |own: usize| system.tables.threads[own].priority.max(section[own].unwrap_or_default());
        Seen {
            base: threads.clone().map(base).collect(),
            own: system.tables.threads.iter().map(|config| config.priority).collect(),
            status: kernel.threads.iter().map(|thread| thread.status).collect(),
            standing: trees.end_points.iter().map(|own| own.standing).collect(),
            depth: kernel.threads.iter().map(fusee_kernel::Thread::depth).collect(),
            holder: threads.clone().filter_map(holder).collect(),
            waits: threads.clone().filter_map(waits).collect(),
            first: first.map(|first| (first, trees.end_points[first].account.at())),
            runs: kernel.running(),
            section,
            ceilings: threads.clone().map(|own| ceilings(system, kernel, own)).collect(),
            exhausted: threads.clone().filter(|own| left[*own] == 0).collect(),
            funded: threads.filter(|own| system.is_funded(*own)).collect(),
        }
    }

    /// Returns `true` if a thread waits for another one at last, or is it.
    fn ends_at(&self, from: usize, to: usize) -> bool {
        let mut at = from;
        for _ in 0..=self.status.len() {
            if at == to {
                return true;
            }
            match self.holder.get(&at) {
                Some(next) => at = *next,
                None => return false,
            }
        }
        false
    }

    /// Iterates over all threads that wait for a thread, itself among them.
    fn behind(&self, thread: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.status.len()).filter(move |own| self.ends_at(*own, thread))
    }

    /// Returns the highest priority of the threads for which a thread runs.
    pub fn priority(&self, thread: usize) -> u8 {
        self.behind(thread).map(|own| self.base[own]).max().unwrap_or(0)
    }

    /// Returns the ceiling of the section in which a thread is, or one that it waits for, which
    /// must not be interrupted.
    pub fn protected(&self, thread: usize) -> Option<u8> {
        let mut most = self.section[thread];
        let mut at = thread;
        while let Some(next) = self.holder.get(&at) {
            at = *next;
            most = most.max(self.section[at]);
        }
        most
    }

    /// Returns a thread's priority at home.
    pub fn own_priority(&self, thread: usize) -> u8 {
        self.own[thread]
    }

    /// Returns `true` if a thread may spend time of its own now.
    fn has_time(&self, thread: usize) -> bool {
        match self.funded.contains(&thread) {
            true => self.first.is_some_and(|(first, _)| first == thread),
            false => !self.exhausted.contains(&thread),
        }
    }

    /// Returns the thread that pays for another: that one itself, or of those behind it the first
    /// of the most urgent.
    pub fn payer(&self, thread: usize) -> Option<usize> {
        if self.has_time(thread) {
            return Some(thread);
        }
        let behind = self.behind(thread).filter(|own| self.has_time(*own));
        behind.max_by_key(|own| (self.priority(*own), std::cmp::Reverse(*own)))
    }

    /// Returns `true` if a thread has something to do, at once.
    pub fn has_work(&self, thread: usize) -> bool {
        matches!(self.status[thread], Status::Ready | Status::Running | Status::Suspended)
    }

    /// Returns `true` if a thread could run if it were alone.
    pub fn is_able(&self, thread: usize) -> bool {
        self.has_work(thread) && self.payer(thread).is_some()
    }

    /// Returns `true` if it may be found out only when a thread comes to run that it cannot.
    pub fn is_unseen(&self, thread: usize) -> bool {
        self.behind(thread).any(|own| self.exhausted.contains(&own))
    }

    /// Returns `true` if a thread waits, as its scheduler sees it.
    pub fn is_blocked(&self, thread: usize) -> bool {
        matches!(self.standing[thread], Standing::Waits | Standing::Dead)
    }

    /// Returns `true` if a thread has a job and waits for nothing but the core; where it waits at a
    /// gate, if the holder does so.
    pub fn is_busy(&self, thread: usize) -> bool {
        let mut at = thread;
        while let Some(next) = self.holder.get(&at) {
            at = *next;
        }
        !matches!(self.status[at], Status::Idle | Status::AtNotification)
    }
}

/// Returns the highest ceiling of the gates in which a thread is that others find free.
fn ceiling<P: TreePolicy>(system: &System, kernel: &Store<P>, thread: usize) -> Option<u8> {
    let of = |protocol| match protocol {
        Protocol::Fixed { ceiling } => Some(ceiling),
        _ => None,
    };
    protocols(system, kernel, thread).filter_map(of).max()
}

/// Returns the highest ceiling of the priority ceiling protocol that a thread holds, and how many.
fn ceilings<P: TreePolicy>(system: &System, kernel: &Store<P>, thread: usize) -> (u8, usize) {
    let of = |protocol| match protocol {
        Protocol::Ceiling { ceiling } => Some(ceiling),
        _ => None,
    };
    let held = protocols(system, kernel, thread).filter_map(of);
    held.fold((0, 0), |(highest, many), ceiling| (highest.max(ceiling), many + 1))
}

/// Iterates over the protocols of the gates in which a thread is.
fn protocols<P: TreePolicy>(
    system: &System,
    kernel: &Store<P>,
    thread: usize,
) -> impl Iterator<Item = Protocol> {
    let frames = kernel.frames_of(&system.tables, thread).iter();
    let gates = frames.filter_map(|frame| system.tables.gates.get(frame.gate.at()));
    gates.map(|gate| gate.protocol)
}

/// Returns a finite amount as a signed sum, or `None` if it is infinite.
pub(super) fn finite(amount: u64) -> Option<i64> {
    (amount != NEVER).then_some(amount as i64)
}
