//! The names of published equations: N and L, and the tasks of each core.

use fusee_analysis::{Task, TaskSet};

/// A set whose tasks request each resource with one length only, and whose priorities differ.
pub(crate) struct Facts<'a> {
    pub(crate) set: &'a TaskSet,
    /// By task and resource: how often a job requests it, and how long its section is.
    requests: Vec<Vec<(u64, u64)>>,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(set: &'a TaskSet) -> Self {
        let row = |i: usize| {
            let mut row = vec![(0, 0); set.resources()];
            set.requests(i).iter().for_each(|r| row[r.resource] = (r.count, r.length));
            row
        };
        Self { set, requests: (0..set.tasks().len()).map(row).collect() }
    }

    pub(crate) fn task(&self, i: usize) -> &Task {
        &self.set.tasks()[i]
    }

    /// All tasks but one.
    pub(crate) fn others(&self, i: usize) -> impl Iterator<Item = usize> + use<'a> {
        (0..self.set.tasks().len()).filter(move |&x| x != i)
    }

    /// N of a task and a resource.
    pub(crate) fn n(&self, i: usize, q: usize) -> u64 {
        self.requests[i][q].0
    }

    /// L of a task and a resource; 0 if it does not request it.
    pub(crate) fn l(&self, i: usize, q: usize) -> u64 {
        if self.n(i, q) > 0 { self.requests[i][q].1 } else { 0 }
    }

    /// Resources that several cores use.
    pub(crate) fn global(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.set.resources()).filter(|&q| self.set.is_global(q))
    }

    /// Requests of a job for such resources.
    pub(crate) fn all_n(&self, i: usize) -> u64 {
        self.global().map(|q| self.n(i, q)).sum()
    }

    pub(crate) fn same_core(&self, a: usize, b: usize) -> bool {
        self.task(a).core == self.task(b).core
    }

    pub(crate) fn is_higher(&self, a: usize, than: usize) -> bool {
        self.task(a).priority > self.task(than).priority
    }

    /// Higher tasks of the core of a task.
    pub(crate) fn higher(&self, i: usize) -> impl Iterator<Item = usize> {
        self.others(i).filter(move |&h| self.same_core(h, i) && self.is_higher(h, i))
    }

    /// Lower tasks of the core of a task.
    pub(crate) fn lower(&self, i: usize) -> impl Iterator<Item = usize> {
        self.others(i).filter(move |&l| self.same_core(l, i) && self.is_higher(i, l))
    }

    /// Tasks of other cores.
    pub(crate) fn remote(&self, i: usize) -> impl Iterator<Item = usize> {
        self.others(i).filter(move |&x| !self.same_core(x, i))
    }

    /// The longest section of a lower local task on a resource of this core alone whose ceiling
    /// reaches the task.
    pub(crate) fn local_blocking(&self, i: usize) -> u64 {
        let local = (0..self.set.resources()).filter(|&q| !self.set.is_global(q));
        let reaching =
            local.filter(|&q| self.n(i, q) > 0 || self.higher(i).any(|h| self.n(h, q) > 0));
        let longest = |q| self.lower(i).map(move |l| self.l(l, q)).max();
        reaching.filter_map(longest).max().unwrap_or(0)
    }

    /// Jobs of a task that are pending some time in a window: ceil((w + R) / T).
    pub(crate) fn pending(&self, x: usize, window: u64, responses: &[u64]) -> u64 {
        (window + responses[x]).div_ceil(self.task(x).period)
    }

    /// Jobs of a task that are released in a window without carry-in: ceil(w / T).
    pub(crate) fn released(&self, x: usize, window: u64) -> u64 {
        window.div_ceil(self.task(x).period)
    }

    /// Execution of a job and of the higher ones, each of which may come late by so much.
    pub(crate) fn execution(&self, i: usize, window: u64, late: impl Fn(usize) -> u64) -> u64 {
        let of = |h: usize| self.released(h, window + late(h)) * self.task(h).wcet;
        self.task(i).wcet + self.higher(i).map(of).sum::<u64>()
    }

    /// R - C of who can wait suspended; 0 of all others.
    pub(crate) fn late(&self, h: usize, responses: &[u64]) -> u64 {
        if self.all_n(h) > 0 { responses[h] - self.task(h).wcet } else { 0 }
    }
}

/// The longest sections, so many of them; each has its length, and how often it comes.
pub(crate) fn longest(sections: impl Iterator<Item = (u64, u64)>, wanted: u64) -> u64 {
    let mut sections: Vec<(u64, u64)> = sections.collect();
    sections.sort_unstable_by(|a, b| b.cmp(a));
    let mut left = wanted;
    let take = |(length, supply): (u64, u64)| {
        let taken = left.min(supply);
        left -= taken;
        taken * length
    };
    sections.into_iter().map(take).sum()
}

/// The least wait that holds something once and what comes within it; `None`: it is longer than
/// `most`.
pub(crate) fn least_wait(once: u64, most: u64, comes: impl Fn(u64) -> u64) -> Option<u64> {
    let mut wait = once;
    loop {
        let next = once + comes(wait);
        if next > most {
            return None;
        }
        if next <= wait {
            return Some(wait);
        }
        wait = next;
    }
}

/// The least R with R = demand(i, R_i, R) for each task, all together; `None`: beyond a deadline.
pub(crate) fn least(
    set: &TaskSet,
    demand: impl Fn(usize, u64, &[u64]) -> Option<u64>,
) -> Option<Vec<u64>> {
    let mut responses: Vec<u64> = set.tasks().iter().map(|t| t.wcet).collect();
    loop {
        let before = responses.clone();
        for (i, task) in set.tasks().iter().enumerate() {
            responses[i] = demand(i, responses[i], &responses)?.max(responses[i]);
            if responses[i] > task.deadline {
                return None;
            }
        }
        if responses == before {
            return Some(responses);
        }
    }
}
