//! MrsP with nested sections, requests counted along chains of waiting.
//!
//! A job may wait for a holder that itself waits inside its section for another
//! resource, and so on. Deadlock cannot occur if all tasks nest resources in one
//! order; that is assumed. Ceilings are those of groups: resources that are nested
//! in each other, directly or not, share the highest priority of their local users.
//! So a core has one job in a group at a time, and helping goes down the chain.
//!
//! In the order of nesting: a resource is accessed along the chain by the level's
//! own requests and by the sections of outer resources that other cores contribute.
//! Each access meets at most one section of every other core, and each core issues
//! only so many in the window, the longest ones at worst. A section counts without what
//! is nested in it, since that counts by itself. With all counts at their limits this is
//! the static bound of Garrido et al. 2017; counting follows Zhao et al. 2020.
//!
//! These sums forget which sections enclose each other. Where they accept no set, or bounds
//! are asked for, a linear program remembers: see `program`.

mod program;

use crate::partitioned::layout::Layout;
use crate::partitioned::response::{
    Asked, ByResponses, Responses, all_met, least_solution, smaller,
};
use crate::windows::{jobs, times};
use crate::{Assumption, Exactness, Family, Metadata, Priority, Request, Task, TaskSet, effort};
use std::ops::Range;

/// w = C + waiting along chains + one outermost section of a lower task + interference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MrspNested;

/// Resources and how often.
type Counts = Vec<(usize, u64)>;

/// A kind of section.
#[derive(Debug)]
struct Node {
    task: usize,
    core: usize,
    resource: usize,
    /// The number of them in a job.
    count: u64,
    /// The number of them in each section around it.
    each: u64,
    /// Its length without what is nested in it.
    alone: u64,
    /// The resources that are held around it; sorted.
    held: Vec<usize>,
    /// The sections directly in it.
    inner: Vec<usize>,
}

/// An outermost section that may block an arrival.
struct Blocker {
    length: u64,
    /// The sections in it, itself included, and how often.
    sections: Vec<(usize, u64)>,
}

/// Tables that do not depend on windows.
struct Tables<'a> {
    layout: &'a Layout<'a>,
    /// Resources, outer before inner.
    order: Vec<usize>,
    /// By resource: which resources a section of it may enclose directly, and how often at most.
    inner: Vec<Counts>,
    /// The sections of all tasks, those of a task one behind the other.
    nodes: Vec<Node>,
    /// By task: its sections.
    of_task: Vec<Range<usize>>,
    /// By resource: its sections, the longest ones without what is nested in them first.
    by_resource: Vec<Vec<usize>>,
    /// By task: outermost sections of lower tasks that may block its arrival.
    blockers: Vec<Vec<Blocker>>,
}

/// A section's task and core, and what it is in.
#[derive(Clone, Copy)]
struct Outer<'a> {
    task: usize,
    core: usize,
    /// The number of sections around it in a job.
    count: u64,
    /// The resources that are held around it.
    held: &'a [usize],
}

/// Adds a section and those nested in it; returns its place.
fn add(nodes: &mut Vec<Node>, request: &Request, outer: Outer<'_>) -> usize {
    let Outer { task, core, count, held } = outer;
    let (place, count) = (nodes.len(), times(count, request.count));
    let inside = request.nested.iter();
    let inside = inside.fold(0, |sum: u64, r| sum.saturating_add(times(r.count, r.length)));
    nodes.push(Node {
        task,
        core,
        resource: request.resource,
        count,
        each: request.count,
        alone: request.length.saturating_sub(inside),
        held: held.to_vec(),
        inner: Vec::new(),
    });
    let mut around = held.to_vec();
    around.push(request.resource);
    around.sort_unstable();
    let inner = request.nested.iter().filter(|r| r.count > 0);
    let outer = Outer { task, core, count, held: &around };
    let inner = inner.map(|r| add(nodes, r, outer)).collect();
    nodes[place].inner = inner;
    place
}

/// All sections, and where those of each task are.
fn sections(set: &TaskSet) -> (Vec<Node>, Vec<Range<usize>>) {
    let mut nodes = Vec::new();
    let of_task = |(task, row): (usize, &Task)| {
        let start = nodes.len();
        for request in set.requests(task).iter().filter(|r| r.count > 0) {
            add(&mut nodes, request, Outer { task, core: row.core, count: 1, held: &[] });
        }
        start..nodes.len()
    };
    let of_task = set.tasks().iter().enumerate().map(of_task).collect();
    (nodes, of_task)
}

/// Resources, outer before inner; `None`: nested in a circle.
fn order(inner: &[Counts]) -> Option<Vec<usize>> {
    let mut open = vec![0_usize; inner.len()];
    inner.iter().flatten().for_each(|&(r, _)| open[r] += 1);
    let mut order: Vec<usize> = (0..inner.len()).filter(|&q| open[q] == 0).collect();
    let mut at = 0;
    while at < order.len() {
        for &(r, _) in &inner[order[at]] {
            open[r] -= 1;
            if open[r] == 0 {
                order.push(r);
            }
        }
        at += 1;
    }
    (order.len() == inner.len()).then_some(order)
}

/// Returns the group of each resource: those linked by nesting.
fn groups(inner: &[Counts]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..inner.len()).collect();
    for (q, list) in inner.iter().enumerate() {
        for &(r, _) in list {
            let (from, to) = (group[r], group[q]);
            group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
        }
    }
    group
}

/// By resource, the direct children of its sections with the largest count of any section.
fn nesting(set: &TaskSet) -> Vec<Counts> {
    let mut inner: Vec<Counts> = vec![Vec::new(); set.resources()];
    for section in (0..set.tasks().len()).flat_map(|i| set.sections(i)) {
        let mut direct: Counts = Vec::new();
        for nested in &section.request.nested {
            match direct.iter_mut().find(|(q, _)| *q == nested.resource) {
                Some((_, n)) => *n = n.saturating_add(nested.count),
                None => direct.push((nested.resource, nested.count)),
            }
        }
        let list = &mut inner[section.request.resource];
        for (r, n) in direct {
            match list.iter_mut().find(|(q, _)| *q == r) {
                Some((_, most)) => *most = n.max(*most),
                None => list.push((r, n)),
            }
        }
    }
    inner
}

impl<'a> Tables<'a> {
    fn new(set: &TaskSet, layout: &'a Layout<'a>) -> Option<Self> {
        let inner = nesting(set);
        let order = order(&inner)?;
        let (nodes, of_task) = sections(set);
        let mut by_resource = vec![Vec::new(); set.resources()];
        nodes.iter().enumerate().for_each(|(at, node)| by_resource[node.resource].push(at));
        by_resource.iter_mut().for_each(|list: &mut Vec<usize>| {
            list.sort_by_key(|&at| std::cmp::Reverse(nodes[at].alone));
        });
        let blockers = Vec::new();
        let mut tables = Self { layout, order, inner, nodes, of_task, by_resource, blockers };
        let group = groups(&tables.inner);
        tables.blockers =
            (0..layout.tasks.len()).map(|i| tables.blockers_of(set, i, &group)).collect();
        Some(tables)
    }

    /// The highest priority among a core's users of a group of resources.
    fn ceiling(&self, core: usize, (wanted, group): (usize, &[usize])) -> Option<Priority> {
        if !effort::step() {
            return None;
        }
        let users = self.nodes.iter().filter(|n| n.core == core && group[n.resource] == wanted);
        users.map(|node| self.layout.tasks[node.task].priority).max()
    }

    fn blockers_of(&self, set: &TaskSet, i: usize, group: &[usize]) -> Vec<Blocker> {
        let task = &self.layout.tasks[i];
        let mut blockers = Vec::new();
        for &l in self.layout.lower(i) {
            let outermost: Vec<usize> =
                self.of_task[l].clone().filter(|&at| self.nodes[at].held.is_empty()).collect();
            let requests = set.requests(l).iter().filter(|r| r.count > 0);
            for (at, request) in outermost.into_iter().zip(requests) {
                let ceiling = self.ceiling(task.core, (group[request.resource], group));
                if ceiling >= Some(task.priority) {
                    let mut sections = Vec::new();
                    self.once(at, 1, &mut sections);
                    blockers.push(Blocker { length: request.length, sections });
                }
            }
        }
        blockers
    }

    /// The sections in one section, itself included, and how often.
    fn once(&self, at: usize, count: u64, into: &mut Vec<(usize, u64)>) {
        into.push((at, count));
        for &inner in &self.nodes[at].inner {
            self.once(inner, times(count, self.nodes[inner].each), into);
        }
    }

    /// For each section of another core, how many are pending in a window.
    fn pending(&self, core: usize, window: u64, reach: &[u64]) -> Vec<u64> {
        let of = |node: &Node| {
            if node.core == core {
                return 0;
            }
            let period = self.layout.tasks[node.task].period;
            times(jobs(window, reach[node.task], period), node.count)
        };
        self.nodes.iter().map(of).collect()
    }

    /// Waiting of a core whose own sections are `own`, while so many of others are pending.
    fn waiting(&self, core: usize, own: &[(usize, u64)], pending: &[u64]) -> u64 {
        if !effort::step() {
            return u64::MAX;
        }
        // Accesses along the chain; a resource is final when its turn comes.
        let mut accesses = vec![0_u64; self.order.len()];
        for &(at, n) in own {
            let known = &mut accesses[self.nodes[at].resource];
            *known = known.saturating_add(n);
        }
        let mut sum = 0_u64;
        for &q in &self.order {
            let mut left = vec![accesses[q]; self.layout.cores];
            let mut sections = 0_u64;
            for &at in self.by_resource[q].iter().filter(|&&at| self.nodes[at].core != core) {
                let Node { core: other, alone, .. } = self.nodes[at];
                let met = left[other].min(pending[at]);
                left[other] -= met;
                sections = sections.saturating_add(met);
                sum = sum.saturating_add(times(met, alone));
            }
            for &(r, n) in &self.inner[q] {
                accesses[r] = accesses[r].saturating_add(times(sections, n));
            }
        }
        sum
    }

    /// The same, or less by a program that remembers what encloses what.
    fn exact_waiting(&self, core: usize, own: &[(usize, u64)], pending: &[u64]) -> Option<u64> {
        program::program(self, core, own, pending)?.bound()
    }

    fn demand(&self, i: usize, window: u64, reach: &[u64], counting: Counting) -> u64 {
        let tasks = self.layout.tasks;
        let core = tasks[i].core;
        let mut own = Vec::new();
        let mut sum = 0_u64;
        for j in self.layout.higher(i).iter().copied().chain([i]) {
            let released = if i == j { 1 } else { jobs(window, tasks[j].jitter, tasks[j].period) };
            sum = sum.saturating_add(times(released, tasks[j].wcet));
            let sections = self.of_task[j].clone();
            own.extend(sections.map(|at| (at, times(released, self.nodes[at].count))));
        }
        let pending = self.pending(core, window, reach);
        let mut cases = vec![(self.waiting(core, &own, &pending), 0, own.clone())];
        for blocker in &self.blockers[i] {
            let with = [own.as_slice(), &blocker.sections].concat();
            let waiting = self.waiting(core, &with, &pending).saturating_add(blocker.length);
            cases.push((waiting, blocker.length, with));
        }
        // The largest sum first: of those that are not above a program's result none is needed.
        cases.sort_by_key(|(sum, ..)| std::cmp::Reverse(*sum));
        let mut longest = 0;
        for (by_sum, length, own) in cases {
            if by_sum <= longest {
                break;
            }
            let exact = match counting {
                Counting::Sums => None,
                Counting::Programs => self.exact_waiting(core, &own, &pending),
            };
            let exact = exact.map_or(by_sum, |exact| exact.saturating_add(length));
            longest = exact.min(by_sum).max(longest);
        }
        sum.saturating_add(longest)
    }
}

/// The bound on waiting that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counting {
    Sums,
    /// By sums and by programs, whichever is less.
    Programs,
}

fn responses(set: &TaskSet, asked: Asked) -> Responses {
    let layout = Layout::new(set);
    let Some(tables) = Tables::new(set, &layout) else {
        return vec![None; set.tasks().len()];
    };
    let by = |counting| {
        least_solution(&layout, asked, |i, w, reach| tables.demand(i, w, reach, counting))
    };
    let sums = by(Counting::Sums);
    let enough = asked == Asked::Verdict && all_met(&sums);
    if enough || tables.inner.iter().all(Vec::is_empty) {
        return sums;
    }
    smaller(by(Counting::Programs), sums)
}

impl ByResponses for MrspNested {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "mrsp-nested",
            title: "MrsP with nested sections",
            source: "after Garrido et al. 2017, Zhao et al. 2020 and Biondi, Brandenburg and \
                     Wieder 2016; own counting, see its module",
            family: Family::PartitionedFixedPriority,
            assumptions: &[
                Assumption::ConstrainedDeadlines,
                Assumption::NoBlocking,
                Assumption::NoSuspension,
                Assumption::NoThresholds,
                Assumption::OrderedNesting,
            ],
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet, asked: Asked) -> Responses {
        responses(set, asked)
    }
}
