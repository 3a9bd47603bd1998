//! Spin locks: Gai et al. 2001, Brandenburg 2011, Wieder and Brandenburg 2013.

use fusee_analysis::TaskSet;
use microlp::Variable;

use crate::facts::{Facts, least, least_wait, longest};
use crate::program::Maximum;

/// The longest section of each other core.
pub(crate) fn once(facts: &Facts<'_>, i: usize, q: usize) -> u64 {
    let longest = |core| {
        let there = facts.remote(i).filter(|&x| facts.task(x).core == core);
        there.map(|x| facts.l(x, q)).max().unwrap_or(0)
    };
    (0..facts.set.cores()).map(longest).sum()
}

/// C' = C + sum of N spin, B = the longest of the local term and of L + spin of lower tasks.
pub(crate) fn msrp_classic(set: &TaskSet) -> Option<Vec<u64>> {
    let facts = &Facts::new(set);
    let spin = |i: usize, q: usize| once(facts, i, q);
    let inflated = |i: usize| {
        facts.task(i).wcet + facts.global().map(|q| facts.n(i, q) * spin(i, q)).sum::<u64>()
    };
    let arrival = |i: usize| {
        let used = |l: usize| facts.global().filter(move |&q| facts.n(l, q) > 0);
        let of = |l: usize| used(l).map(move |q| facts.l(l, q) + spin(l, q)).max();
        facts.lower(i).filter_map(of).max().unwrap_or(0).max(facts.local_blocking(i))
    };
    least(set, |i, w, _| {
        let higher: u64 = facts.higher(i).map(|h| facts.released(h, w) * inflated(h)).sum();
        Some(inflated(i) + arrival(i) + higher)
    })
}

/// The sum of the longest requests of one core for a resource, so many of them, in a window.
fn longest_of_core(
    facts: &Facts<'_>,
    (core, q): (usize, usize),
    wanted: u64,
    (window, responses): (u64, &[u64]),
) -> u64 {
    let tasks = (0..facts.set.tasks().len()).filter(|&x| facts.task(x).core == core);
    let there = tasks.map(|x| (facts.l(x, q), facts.pending(x, window, responses) * facts.n(x, q)));
    longest(there, wanted)
}

/// Each job spins for the longest requests that other cores issue while it is pending
/// (Brandenburg 2011); a lower job, once.
pub(crate) fn msrp_holistic(set: &TaskSet) -> Option<Vec<u64>> {
    let facts = &Facts::new(set);
    let spin = |j: usize, q: usize, wanted: u64, responses: &[u64]| -> u64 {
        let remote = (0..set.cores()).filter(|&core| core != facts.task(j).core);
        remote.map(|c| longest_of_core(facts, (c, q), wanted, (responses[j], responses))).sum()
    };
    let inflated = |j: usize, responses: &[u64]| {
        let spins = facts.global().map(|q| spin(j, q, facts.n(j, q), responses));
        facts.task(j).wcet + spins.sum::<u64>()
    };
    least(set, |i, w, responses| {
        let of = |l: usize, q: usize| facts.l(l, q) + spin(i, q, 1, responses);
        let used = |l: usize| facts.global().filter(move |&q| facts.n(l, q) > 0);
        let arrival = facts.lower(i).flat_map(|l| used(l).map(move |q| of(l, q))).max();
        let higher = facts.higher(i).map(|h| facts.released(h, w) * inflated(h, responses));
        let blocking = arrival.unwrap_or(0).max(facts.local_blocking(i));
        Some(inflated(i, responses) + blocking + higher.sum::<u64>())
    })
}

/// The order in which a lock serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Fifo,
    None,
    Priority,
}

/// One resource in the program of a task: requests that its core issues while the job is pending,
/// and the variables of other cores' tasks, for those who spin and for who blocks at the arrival.
struct Resource {
    q: usize,
    ncs: u64,
    blocks: Variable,
    of: Vec<(usize, Variable, Variable)>,
}

/// The program of Wieder and Brandenburg for one task in a window.
struct Program<'a> {
    facts: &'a Facts<'a>,
    i: usize,
    window: u64,
    responses: &'a [u64],
    maximum: Maximum,
}

impl Program<'_> {
    /// Constraints 1 to 4: no request counts twice, one lower section blocks, of one resource.
    fn resources(&mut self) -> Vec<Resource> {
        let (facts, i) = (self.facts, self.i);
        let mut found = Vec::new();
        let mut sections = Vec::new();
        for q in 0..facts.set.resources() {
            let blocks = self.maximum.choice();
            let higher = facts.higher(i).map(|h| facts.released(h, self.window) * facts.n(h, q));
            let ncs = facts.n(i, q) + higher.sum::<u64>();
            let reaches = facts.set.is_global(q)
                || facts.n(i, q) > 0
                || facts.higher(i).any(|h| facts.n(h, q) > 0);
            let mut of_q = Vec::new();
            for l in facts.lower(i).filter(|&l| reaches && facts.n(l, q) > 0) {
                of_q.push(self.maximum.variable(facts.l(l, q), 1));
            }
            self.maximum.at_most_times(of_q.iter().copied(), 0, &[(blocks, 1)]);
            let nobody = of_q.is_empty();
            sections.extend(of_q);
            self.maximum.at_most([blocks], u64::from(!nobody));
            let mut of = Vec::new();
            for x in facts.remote(i).filter(|&x| facts.n(x, q) > 0) {
                let all = facts.pending(x, self.window, self.responses) * facts.n(x, q);
                let [spin, arrival] = [(); 2].map(|()| self.maximum.variable(facts.l(x, q), all));
                self.maximum.at_most([spin, arrival], all);
                self.maximum.at_most_times([arrival], 0, &[(blocks, all)]);
                of.push((x, spin, arrival));
            }
            found.push(Resource { q, ncs, blocks, of });
        }
        self.maximum.at_most(sections, 1);
        self.maximum.at_most(found.iter().map(|r| r.blocks).collect::<Vec<_>>(), 1);
        found
    }

    /// Each request meets at most one of each core.
    fn fifo(&mut self, resource: &Resource) {
        for core in 0..self.facts.set.cores() {
            let there = || resource.of.iter().filter(|(x, ..)| self.facts.task(*x).core == core);
            let spins: Vec<Variable> = there().map(|(_, spin, _)| *spin).collect();
            let arrivals: Vec<Variable> = there().map(|(.., arrival)| *arrival).collect();
            self.maximum.at_most(spins, resource.ncs);
            self.maximum.at_most_times(arrivals, 0, &[(resource.blocks, 1)]);
        }
    }

    /// If no task of the core requests, none spins.
    fn unordered(&mut self, resource: &Resource) {
        if resource.ncs == 0 {
            self.maximum.at_most(resource.of.iter().map(|(_, spin, _)| *spin), 0);
        }
    }

    /// Returns the task among these that requests a resource with the lowest priority.
    fn lowest(&self, q: usize, of: impl Iterator<Item = usize>) -> Option<usize> {
        of.filter(|&y| self.facts.n(y, q) > 0).min_by_key(|&y| self.facts.task(y).priority)
    }

    /// The longest wait of a request with a task's priority; the window if it has no end within
    /// the period.
    fn wait(&self, y: usize, resource: &Resource) -> u64 {
        let (facts, q) = (self.facts, resource.q);
        let remote = || resource.of.iter().map(|(x, ..)| *x);
        let lower = remote().filter(|&x| facts.is_higher(y, x)).map(|x| facts.l(x, q)).max();
        let found = least_wait(lower.unwrap_or(0) + 1, facts.task(y).period, |wait| {
            let of = |x: usize| facts.pending(x, wait, self.responses) * facts.n(x, q);
            remote().filter(|&x| facts.is_higher(x, y)).map(|x| of(x) * facts.l(x, q)).sum()
        });
        found.unwrap_or(self.window)
    }

    /// Constraints 12 to 15: of those who are higher than the lowest requester, as many as come
    /// within its wait; of the lower ones, one.
    fn by_priority(&mut self, resource: &Resource) {
        let (facts, i, q) = (self.facts, self.i, resource.q);
        let level = facts.higher(i).chain([i]);
        let spinning = self.lowest(q, level);
        self.ordered(resource, spinning, |this, of, limit| {
            let limit = limit * resource.ncs;
            this.at_most(of.iter().map(|(_, spin, _)| *spin), limit);
        });
        let blocking = self.lowest(q, facts.lower(i));
        self.ordered(resource, blocking, |this, of, limit| {
            this.at_most_times(of.iter().map(|(.., a)| *a), 0, &[(resource.blocks, limit)]);
        });
    }

    fn ordered(
        &mut self,
        resource: &Resource,
        lowest: Option<usize>,
        add: impl Fn(&mut Maximum, &[(usize, Variable, Variable)], u64),
    ) {
        let facts = self.facts;
        let Some(y) = lowest else { return add(&mut self.maximum, &resource.of, 0) };
        let wait = self.wait(y, resource);
        for of in resource.of.iter().filter(|(x, ..)| facts.is_higher(*x, y)) {
            let limit = facts.pending(of.0, wait, self.responses) * facts.n(of.0, resource.q);
            add(&mut self.maximum, &[*of], limit);
        }
        let lower: Vec<_> =
            resource.of.iter().filter(|(x, ..)| facts.is_higher(y, *x)).copied().collect();
        add(&mut self.maximum, &lower, 1);
    }
}

/// R = C + optimum + interference.
pub(crate) fn program(set: &TaskSet, order: Order) -> Option<Vec<u64>> {
    let facts = &Facts::new(set);
    least(set, |i, window, responses| {
        let mut program = Program { facts, i, window, responses, maximum: Maximum::new() };
        for resource in program.resources() {
            match order {
                Order::Fifo => program.fifo(&resource),
                Order::None => program.unordered(&resource),
                Order::Priority => program.by_priority(&resource),
            }
        }
        Some(facts.execution(i, window, |_| 0) + program.maximum.solve())
    })
}
