//! Parallel tasks: jobs that are directed acyclic graphs.
//!
//! A node executes on one core at a time, once all nodes before it are complete. The *volume* W of
//! a graph is the sum of its nodes, its *length* L that of its longest path. Whoever schedules
//! keeps no core idle while a node is ready. Then on m cores:
//!
//! * one job alone is done by L + (W - L) / m: whenever the last path is not executed all cores are
//!   busy with other nodes (Graham, "Bounds on multiprocessing timing anomalies", 1969);
//! * where several paths that share no node are long, it is done by L + (W - S) / (m - j) for each
//!   j < m, where S is the sum of the j + 1 longest (He, Guan, Sun, Zhao and Pang, "Bounding the
//!   response time of DAG tasks using long paths", RTSS 2022, theorem 2);
//! * under global fixed priorities what is above adds its work divided by m, with one job that came
//!   before and is as late as can be (Melani, Bertogna, Bonifaci, Marchetti-Spaccamela and
//!   Buttazzo, "Response-time analysis of conditional DAG tasks in multiprocessor systems", ECRTS
//!   2015, equations 5 to 7, without conditions);
//! * in federated scheduling a task with more work than its deadline has ceil((W - L) / (D - L))
//!   cores of its own, and all others are sequential tasks on the cores that are left (Li, Chen,
//!   Agrawal, Lu, Gill and Saifullah, "Analysis of federated and global scheduling for parallel
//!   real-time tasks", ECRTS 2014).
//!
//! Deadlines are no later than periods. Times are whole ticks, and bounds rounded down: what ends
//! at ticks, and by a bound, ends by the tick before it.

#[cfg(test)]
mod tests;

use std::fmt;

use crate::fixed_priority::window::least_window;
use crate::registry::by_name;
use crate::{Priority, Task, TaskSet};

/// Nodes with their longest execution times, and which of them wait for which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graph {
    wcet: Vec<u64>,
    /// By node, those that it waits for.
    before: Vec<Vec<usize>>,
    /// All nodes, each behind those that it waits for.
    order: Vec<usize>,
    volume: u64,
}

/// The reason for which nodes and edges are no graph of this kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InvalidGraph {
    /// There are no nodes.
    Empty,
    /// An edge names a node that does not exist.
    NoSuchNode {
        /// The number of the edge.
        edge: usize,
        /// The node that it names.
        node: usize,
    },
    /// A node waits for itself in the end.
    Circle {
        /// One on the circle.
        node: usize,
    },
    /// The sum of all nodes does not fit.
    Overflow,
}

impl fmt::Display for InvalidGraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the graph has no nodes"),
            Self::NoSuchNode { edge, node } => {
                write!(f, "edge {edge} names node {node}, which does not exist")
            }
            Self::Circle { node } => write!(f, "node {node} waits for itself in the end"),
            Self::Overflow => f.write_str("the sum of all nodes does not fit 64 bits"),
        }
    }
}

impl std::error::Error for InvalidGraph {}

impl Graph {
    /// Returns the graph of these nodes, where in each edge the second waits for the first.
    ///
    /// # Errors
    /// There are no nodes, an edge names one that does not exist, or some wait for each other.
    pub fn new(wcet: Vec<u64>, edges: &[(usize, usize)]) -> Result<Self, InvalidGraph> {
        if wcet.is_empty() {
            return Err(InvalidGraph::Empty);
        }
        let mut before = vec![Vec::new(); wcet.len()];
        for (edge, &(from, to)) in edges.iter().enumerate() {
            if let Some(&node) = [from, to].iter().find(|&&node| node >= wcet.len()) {
                return Err(InvalidGraph::NoSuchNode { edge, node });
            }
            before[to].push(from);
        }
        let mut order: Vec<usize> = Vec::with_capacity(wcet.len());
        let mut placed = vec![false; wcet.len()];
        while order.len() < wcet.len() {
            let ready = |&node: &usize| !placed[node] && before[node].iter().all(|&b| placed[b]);
            let next: Vec<usize> = (0..wcet.len()).filter(ready).collect();
            if next.is_empty() {
                let node = placed.iter().position(|placed| !placed).unwrap_or(0);
                return Err(InvalidGraph::Circle { node });
            }
            next.iter().for_each(|&node| placed[node] = true);
            order.extend(next);
        }
        let volume = wcet.iter().try_fold(0_u64, |sum, &time| sum.checked_add(time));
        let volume = volume.ok_or(InvalidGraph::Overflow)?;
        Ok(Self { wcet, before, order, volume })
    }

    /// Returns the sum of all nodes.
    pub fn volume(&self) -> u64 {
        self.volume
    }

    /// Returns the length of the longest path.
    pub fn length(&self) -> u64 {
        self.longest(&vec![false; self.wcet.len()]).0
    }

    /// Returns the longest path, in which those nodes count nothing that are taken, and its nodes.
    fn longest(&self, taken: &[bool]) -> (u64, Vec<usize>) {
        let mut best: Vec<(u64, Option<usize>)> = vec![(0, None); self.wcet.len()];
        for &node in &self.order {
            let last = self.before[node].iter().copied().max_by_key(|&before| best[before].0);
            let own = if taken[node] { 0 } else { self.wcet[node] };
            best[node] = (last.map_or(0, |before| best[before].0) + own, last);
        }
        let end = (0..best.len()).max_by_key(|&node| best[node].0);
        let mut way = Vec::new();
        let mut at = end;
        while let Some(node) = at {
            way.push(node);
            at = best[node].1;
        }
        (end.map_or(0, |node| best[node].0), way)
    }

    /// Returns the lengths of paths that share no node, the longest first, each the longest of what
    /// those before it leave; a path may pass over taken nodes.
    fn apart(&self, most: usize) -> Vec<u64> {
        let mut taken = vec![false; self.wcet.len()];
        let mut lengths = Vec::new();
        while lengths.len() < most {
            let (length, way) = self.longest(&taken);
            if length == 0 {
                break;
            }
            lengths.push(length);
            way.into_iter().for_each(|node| taken[node] = true);
        }
        lengths
    }

    /// Returns the time by which one job is complete that has so many cores for itself, whatever
    /// order its ready nodes are served in (Graham); none without cores.
    pub fn makespan(&self, cores: u64) -> Option<u64> {
        let length = self.length();
        Some(length + (self.volume - length).checked_div(cores)?)
    }

    /// The same from several long paths (He et al.); never above it.
    pub fn makespan_by_paths(&self, cores: u64) -> Option<u64> {
        let (mut best, length) = (self.makespan(cores)?, self.length());
        let mut taken = 0;
        let paths = self.apart(usize::try_from(cores).unwrap_or(usize::MAX).min(self.wcet.len()));
        for (shared, path) in (0..cores).zip(paths) {
            taken += path;
            best = best.min(length + (self.volume - taken) / (cores - shared));
        }
        Some(best)
    }
}

/// A task whose jobs are graphs; times in ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphTask {
    /// The graph of each job.
    pub graph: Graph,
    /// Period or minimum inter-arrival time.
    pub period: u64,
    /// Relative deadline, no later than the period.
    pub deadline: u64,
    /// A higher number is a higher priority; equal ones interfere with each other.
    pub priority: Priority,
}

impl GraphTask {
    fn is_valid(&self) -> bool {
        0 < self.deadline && self.deadline <= self.period
    }
}

/// Response times under global preemptive fixed priorities on so many cores; none for a task that
/// is not shown to meet its deadline, or that depends on one which is not.
pub fn global_response_times(tasks: &[GraphTask], cores: u64) -> Vec<Option<u64>> {
    let mut found: Vec<Option<u64>> = vec![None; tasks.len()];
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|&task| std::cmp::Reverse(tasks[task].priority));
    let is_valid = cores > 0 && tasks.iter().all(GraphTask::is_valid);
    for level in order.chunk_by(|&a, &b| tasks[a].priority == tasks[b].priority) {
        let above =
            order.iter().take_while(|&&other| tasks[other].priority > tasks[level[0]].priority);
        let above: Option<Vec<(usize, u64)>> =
            above.map(|&other| Some((other, found[other]?))).collect();
        let Some(above) = above.filter(|_| is_valid) else { return found };
        let own = |&task: &usize| {
            // Those of the same priority keep their deadlines if all of them do.
            let equals = level.iter().filter(|&&other| other != task);
            let equals = equals.map(|&other| (other, tasks[other].deadline));
            let others: Vec<(usize, u64)> = above.iter().copied().chain(equals).collect();
            global_response_time(tasks, (task, &others), cores)
        };
        let responses: Vec<Option<u64>> = level.iter().map(own).collect();
        if responses.iter().any(Option::is_none) && level.len() > 1 {
            return found;
        }
        for (&task, response) in level.iter().zip(responses) {
            found[task] = response;
        }
    }
    found
}

/// Returns the response time of a task with others, which respond so late, at or above it.
fn global_response_time(
    tasks: &[GraphTask],
    (task, others): (usize, &[(usize, u64)]),
    cores: u64,
) -> Option<u64> {
    let own = &tasks[task];
    let (length, volume) = (own.graph.length(), own.graph.volume());
    least_window(length, own.deadline, |window| {
        let work = others.iter().try_fold(0_u64, |sum, &(other, response)| {
            sum.checked_add(workload(&tasks[other], response, (window, cores))?)
        })?;
        length.checked_add((volume - length).checked_add(work)? / cores)
    })
}

/// The most work of a task in a window: jobs as late as can be, then as early.
fn workload(task: &GraphTask, response: u64, (window, cores): (u64, u64)) -> Option<u64> {
    let volume = task.graph.volume();
    let reach = window.checked_add(response)?.saturating_sub(volume / cores);
    let last = (reach % task.period).checked_mul(cores).map_or(volume, |part| part.min(volume));
    (reach / task.period).checked_mul(volume)?.checked_add(last)
}

/// The cores of a task in federated scheduling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Federation {
    /// So many cores for itself.
    Own {
        /// The number of cores.
        cores: u64,
    },
    /// It is sequential, and shares this one of the cores that are left, from 0, under EDF.
    Shared {
        /// The core in question.
        core: usize,
    },
}

/// Federated scheduling of all tasks on so many cores, if it is found: light tasks are placed first
/// fit, those of the highest density first.
pub fn federated(tasks: &[GraphTask], cores: u64) -> Option<Vec<Federation>> {
    if !tasks.iter().all(GraphTask::is_valid) {
        return None;
    }
    let mut left = cores;
    let mut found: Vec<Option<Federation>> = vec![None; tasks.len()];
    for (place, task) in tasks.iter().enumerate() {
        let (volume, length) = (task.graph.volume(), task.graph.length());
        if volume <= task.deadline {
            continue;
        }
        let own = (volume - length).div_ceil(task.deadline.checked_sub(length).filter(|&d| d > 0)?);
        left = left.checked_sub(own)?;
        found[place] = Some(Federation::Own { cores: own });
    }
    let mut light: Vec<usize> = (0..tasks.len()).filter(|&place| found[place].is_none()).collect();
    let density = |&place: &usize| {
        let task: &GraphTask = &tasks[place];
        (u128::from(task.graph.volume()) << 32) / u128::from(task.deadline)
    };
    light.sort_by_key(|place| std::cmp::Reverse(density(place)));
    let mut shared: Vec<Vec<Task>> = Vec::new();
    for place in light {
        let task = &tasks[place];
        let sequential = Task::implicit(task.graph.volume(), task.period, 0);
        let sequential = sequential.with_deadline(task.deadline);
        let core = shared.iter().position(|on| fits(on, sequential));
        let core = match core {
            Some(core) => core,
            None if (shared.len() as u64) < left && fits(&[], sequential) => {
                shared.push(Vec::new());
                shared.len() - 1
            }
            None => return None,
        };
        shared[core].push(sequential);
        found[place] = Some(Federation::Shared { core });
    }
    found.into_iter().collect()
}

/// Returns `true` if a core keeps all deadlines under EDF with one more task.
fn fits(on: &[Task], more: Task) -> bool {
    let all = on.iter().copied().chain([more]).collect();
    let (Some(test), Ok(set)) = (by_name("edf-qpa"), TaskSet::new(all)) else { return false };
    test.check(&set).is_ok_and(|verdict| verdict == crate::Verdict::Schedulable)
}
