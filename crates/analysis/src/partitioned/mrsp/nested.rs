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
//! only so many in the window. A section counts without what is nested in it, since
//! that counts by itself. With all counts at their limits this is the static bound
//! of Garrido et al. 2017; counting follows Zhao et al. 2020.

use crate::partitioned::layout::Layout;
use crate::partitioned::response::{Asked, ByResponses, Responses, least_solution};
use crate::windows::{jobs, times};
use crate::{Assumption, Exactness, Family, Metadata, Request, TaskSet, effort};

/// w = C + waiting along chains + one outermost section of a lower task + interference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MrspNested;

/// Resources and how often.
type Counts = Vec<(usize, u64)>;

/// An outermost section that may block an arrival.
struct Blocker {
    length: u64,
    /// The requests in it, itself included.
    requests: Counts,
}

/// Tables that do not depend on windows.
struct Tables<'a> {
    layout: &'a Layout<'a>,
    /// Resources, outer before inner.
    order: Vec<usize>,
    /// By resource: which resources a section of it may enclose directly, and how often at most.
    inner: Vec<Counts>,
    /// By core and resource: the longest section without what is nested in it.
    alone: Vec<Vec<u64>>,
    /// By task: requests of each job for each resource, at any depth.
    counts: Vec<Counts>,
    /// By task: outermost sections of lower tasks that may block its arrival.
    blockers: Vec<Vec<Blocker>>,
}

/// Counts the requests of each resource by one job, or by one section.
fn count_requests(requests: &[Request], times_each: u64, into: &mut Counts) {
    for request in requests {
        let count = times(times_each, request.count);
        match into.iter_mut().find(|(q, _)| *q == request.resource) {
            Some((_, n)) => *n = n.saturating_add(count),
            None => into.push((request.resource, count)),
        }
        count_requests(&request.nested, count, into);
    }
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

fn longest_alone(set: &TaskSet) -> Vec<Vec<u64>> {
    let mut alone = vec![vec![0; set.resources()]; set.cores()];
    for (i, task) in set.tasks().iter().enumerate() {
        for section in set.sections(i) {
            let nested = section
                .request
                .nested
                .iter()
                .fold(0, |s: u64, r| s.saturating_add(times(r.count, r.length)));
            let longest = &mut alone[task.core][section.request.resource];
            *longest = section.request.length.saturating_sub(nested).max(*longest);
        }
    }
    alone
}

impl<'a> Tables<'a> {
    fn new(set: &TaskSet, layout: &'a Layout<'a>) -> Option<Self> {
        let inner = nesting(set);
        let order = order(&inner)?;
        let count = |i: usize| {
            let mut counts = Vec::new();
            count_requests(set.requests(i), 1, &mut counts);
            counts
        };
        let counts: Vec<Counts> = (0..layout.tasks.len()).map(count).collect();
        let group = groups(&inner);
        let ceiling = |core: usize, g: usize| {
            if !effort::step() {
                return None;
            }
            let uses = |j: &usize| {
                counts[*j].iter().any(|&(q, _)| group[q] == g) && layout.tasks[*j].core == core
            };
            (0..layout.tasks.len()).filter(uses).map(|j| layout.tasks[j].priority).max()
        };
        let blocker = |i: usize| {
            let requests =
                layout.lower(i).iter().flat_map(|&l| set.requests(l)).filter(|r| r.count > 0);
            let task = layout.tasks[i];
            let reaching =
                requests.filter(|r| ceiling(task.core, group[r.resource]) >= Some(task.priority));
            let with_counts = |r: &Request| {
                let mut requests = vec![(r.resource, 1)];
                count_requests(&r.nested, 1, &mut requests);
                Blocker { length: r.length, requests }
            };
            reaching.map(with_counts).collect()
        };
        let blockers = (0..layout.tasks.len()).map(blocker).collect();
        Some(Self { layout, order, inner, alone: longest_alone(set), counts, blockers })
    }

    /// Waiting of a core whose own requests are `own`, in a window.
    fn waiting(&self, core: usize, own: &[u64], window: u64, reach: &[u64]) -> u64 {
        if !effort::step() {
            return u64::MAX;
        }
        let tasks = self.layout.tasks;
        let mut issued = vec![vec![0_u64; own.len()]; self.layout.cores];
        for (j, task) in tasks.iter().enumerate().filter(|(_, t)| t.core != core) {
            let pending = jobs(window, reach[j], task.period);
            for &(q, n) in &self.counts[j] {
                issued[task.core][q] = issued[task.core][q].saturating_add(times(pending, n));
            }
        }
        // Accesses along the chain; a resource is final when its turn comes.
        let mut accesses = own.to_vec();
        let mut sum = 0_u64;
        for &q in &self.order {
            let mut sections = 0_u64;
            for (other, issued) in issued.iter().enumerate().filter(|(other, _)| *other != core) {
                let met = issued[q].min(accesses[q]);
                sections = sections.saturating_add(met);
                sum = sum.saturating_add(times(met, self.alone[other][q]));
            }
            for &(r, n) in &self.inner[q] {
                accesses[r] = accesses[r].saturating_add(times(sections, n));
            }
        }
        sum
    }

    fn demand(&self, i: usize, window: u64, reach: &[u64]) -> u64 {
        let tasks = self.layout.tasks;
        let mut own = vec![0_u64; self.order.len()];
        let mut sum = 0_u64;
        for j in self.layout.higher(i).iter().copied().chain([i]) {
            let released = if i == j { 1 } else { jobs(window, tasks[j].jitter, tasks[j].period) };
            sum = sum.saturating_add(times(released, tasks[j].wcet));
            for &(q, n) in &self.counts[j] {
                own[q] = own[q].saturating_add(times(released, n));
            }
        }
        let waiting = |own: &[u64]| self.waiting(tasks[i].core, own, window, reach);
        let blocked = self.blockers[i].iter().map(|blocker| {
            let mut own = own.clone();
            blocker.requests.iter().for_each(|&(q, n)| own[q] = own[q].saturating_add(n));
            waiting(&own).saturating_add(blocker.length)
        });
        let longest = blocked.max().unwrap_or(0).max(waiting(&own));
        sum.saturating_add(longest)
    }
}

fn responses(set: &TaskSet, asked: Asked) -> Responses {
    let layout = Layout::new(set);
    match Tables::new(set, &layout) {
        Some(tables) => least_solution(&layout, asked, |i, w, reach| tables.demand(i, w, reach)),
        None => vec![None; set.tasks().len()],
    }
}

impl ByResponses for MrspNested {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "mrsp-nested",
            title: "MrsP with nested sections",
            source: "after Garrido et al. 2017 and Zhao et al. 2020; own counting, see its module",
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
