//! The threads that must run and pay, worked out from the waits.

use std::collections::{BTreeMap, BTreeSet};

use crate::world::{DISPATCHED, PRIORITIES, SCHEDULER, THREADS, Tally};
use fusee_kernel::tcaps::Trees;
use fusee_kernel::{FixedPriority, Kernel, Status, ThreadIndex};

/// The facts seen of a system between two events.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    status: Vec<Status>,
    /// The thread that each thread waits for at a gate.
    holder: BTreeMap<usize, usize>,
    /// The thread that the schedulers let run, and its account.
    first: Option<(usize, usize)>,
    runs: Option<usize>,
    budgets: Vec<u64>,
    /// Tasks of the kernel's own that have used up their budgets.
    exhausted: BTreeSet<usize>,
    /// The part of each thread's time that the scheduler is still to be told.
    untold: Vec<u64>,
}

impl Seen {
    /// Reads the facts off a kernel and its schedulers, all time charged.
    pub(crate) fn of(kernel: &Kernel<'_, FixedPriority, ()>, trees: &Trees<'_>) -> Self {
        let (dispatcher, number) =
            (trees.dispatcher(), |thread: ThreadIndex| thread.is_some().then(|| thread.at()));
        let threads = (0..THREADS as u16).map(|thread| (thread.into(), ThreadIndex(thread)));
        let holder = |(own, thread): (usize, ThreadIndex)| {
            Some((own, kernel.gate(kernel.thread(thread).gate()?).holder.at()))
        };
        Seen {
            status: threads.clone().map(|(_, thread)| kernel.thread(thread).status).collect(),
            first: number(dispatcher.running()).map(|own| (own, dispatcher.payer().at())),
            runs: number(kernel.current()),
            exhausted: threads
                .clone()
                .filter(|&(own, thread)| own > DISPATCHED && kernel.thread(thread).budget == 0)
                .map(|(own, _)| own)
                .collect(),
            holder: threads.filter_map(holder).collect(),
            budgets: dispatcher.memory().accounts.iter().map(|own| own.funds.budget).collect(),
            untold: dispatcher.memory().end_points.iter().map(|own| own.cycles).collect(),
        }
    }

    /// Returns all who wait for a thread, itself among them.
    fn behind(&self, thread: usize) -> BTreeSet<usize> {
        let waits = |own: &usize| {
            let mut at = *own;
            while at != thread && self.holder.contains_key(&at) {
                at = self.holder[&at];
            }
            at == thread
        };
        (0..THREADS).filter(waits).collect()
    }

    /// The highest priority of those for whom a thread runs.
    fn priority(&self, thread: usize) -> u8 {
        self.behind(thread).into_iter().map(|own| PRIORITIES[own]).max().expect("itself")
    }

    /// Returns `true` if a thread may spend time of its own now.
    fn has_time(&self, thread: usize) -> bool {
        let kernels = thread > DISPATCHED && !self.exhausted.contains(&thread);
        kernels || self.first.is_some_and(|(first, _)| first == thread)
    }

    /// Returns the thread that pays for another: that one itself, or of those behind it the highest
    /// that has time.
    fn payer(&self, thread: usize) -> Option<usize> {
        if self.has_time(thread) {
            return Some(thread);
        }
        let behind = self.behind(thread).into_iter().filter(|own| self.has_time(*own));
        behind.max_by_key(|own| (self.priority(*own), std::cmp::Reverse(*own)))
    }
}

/// The time that should have been charged and told.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    given: BTreeMap<usize, u64>,
    used: BTreeMap<usize, u64>,
    told: BTreeMap<usize, u64>,
    ran: BTreeMap<usize, u64>,
    at_gates: BTreeSet<usize>,
}

impl Judge {
    /// An account has got time.
    pub(crate) fn gets(&mut self, account: usize, amount: u64) {
        *self.given.entry(account).or_default() += amount;
    }

    /// The scheduler was told of a thread's time.
    pub(crate) fn hears(&mut self, thread: usize, cycles: u64) {
        *self.told.entry(thread).or_default() += cycles;
    }

    /// Returns `true` if a thread waited at a gate when the last tick began.
    pub(crate) fn waits_at_gate(&self, thread: usize) -> bool {
        self.at_gates.contains(&thread)
    }

    /// A tick passes, in which nothing else happens.
    pub(crate) fn tick(&mut self, seen: &Seen, tally: &mut Tally) -> Result<(), String> {
        let found = |why: &str| Err(format!("{why}: {seen:?}"));
        self.at_gates = seen.holder.keys().copied().collect();
        let sum = |of: &BTreeMap<usize, u64>, at| of.get(&at).copied().unwrap_or(0);
        for account in 1..=DISPATCHED {
            let left = sum(&self.given, account).checked_sub(sum(&self.used, account));
            if left != Some(seen.budgets[account]) {
                return found(&format!("account {account} should hold {left:?}"));
            }
            let told = sum(&self.told, account) + seen.untold[account];
            if told != sum(&self.ran, account) {
                return found(&format!("of {account} {told} are told"));
            }
        }
        if let Some((first, _)) = seen.first
            && matches!(seen.status[first], Status::Idle | Status::AtNotification)
        {
            return found(&format!("{first} has the core, and nothing to do"));
        }
        // Who could run, if it were alone.
        let busy = |own: &usize| {
            let has_job =
                matches!(seen.status[*own], Status::Ready | Status::Running | Status::Suspended);
            has_job && seen.payer(*own).is_some()
        };
        let able: BTreeSet<usize> = (0..THREADS).filter(busy).collect();
        for own in 0..THREADS {
            let ready = matches!(seen.status[own], Status::Ready | Status::Running);
            // A budget that has ended as who ran on it was preempted: that is found out when it
            // comes to run.
            let unseen = ready && !seen.exhausted.is_disjoint(&seen.behind(own));
            if ready != able.contains(&own) && !unseen {
                return found(&format!("{own} is ready: {ready}"));
            }
        }
        let Some(runs) = seen.runs else {
            return if able.is_empty() { Ok(()) } else { found("the core is idle") };
        };
        let highest = able.iter().map(|own| seen.priority(*own)).max();
        if Some(seen.priority(runs)) != highest {
            return found(&format!("{runs} runs, and is not the highest"));
        }
        let Some(payer) = seen.payer(runs) else { return found("nobody pays for who runs") };
        if let Some((first, account)) = seen.first.filter(|(first, _)| *first == payer) {
            *self.used.entry(account).or_default() += 1;
            *self.ran.entry(first).or_default() += u64::from(first != SCHEDULER);
            tally.lent += u64::from(first != runs);
        } else {
            tally.lent_by_kernel += u64::from(payer != runs);
        }
        Ok(())
    }
}
