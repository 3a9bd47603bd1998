//! The smallest change found that restores a guarantee.
//!
//! Changes are tried in the order of how much they ask of an engineer: another
//! protocol at a gate that the task can wait for, another priority for the task,
//! a shorter section or job among the largest parts of its bound. A change counts
//! if the task's deadline is guaranteed under it and no guarantee is lost. One
//! that makes the whole system schedulable beats one that does not. The search is
//! exhaustive over these candidates, up to a number of attempts that falls with the
//! size of the system, and always goes the same way; that it finds nothing proves
//! nothing.

use std::cell::Cell;

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, GateId, Policy, Priority, Protocol, System, TOP_PRIORITY, TaskId};

use crate::analyze::analyze;
use crate::body::BodyRef;
use crate::bound::{Analysis, TaskBound};
use crate::change::{Change, body, own_time};
use crate::obstacle::Obstacle;
use crate::sensitivity::{guaranteed, keeps_all};

/// A change under which a task meets its deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repair {
    /// The task in question.
    pub task: TaskId,
    /// The change that repairs it.
    pub change: Change,
    /// The bound on the task's response time after it.
    pub response: Duration,
    /// `true` if every deadline is guaranteed after it.
    pub complete: bool,
}

/// The number of tasks that a repair is searched for; the rest usually has the same cause.
const MOST_TASKS: usize = 8;

/// The number of analyses that the search may cost, times the tasks and gates of the system.
const ATTEMPTS: usize = 12_000;

/// The most analyses for any system.
const MOST_ATTEMPTS: usize = 600;

/// The number of gates, priorities and bodies that are tried for one task.
const MOST_CANDIDATES: usize = 12;

/// Repairs for tasks without guarantee, most urgent task first; at most one for each task.
pub fn repairs(
    system: &System,
    derived: &Derived,
    costs: &CostTable,
    analysis: &Analysis,
) -> Vec<Repair> {
    let mut failed: Vec<&TaskBound> =
        analysis.tasks.iter().filter(|t| !t.is_schedulable()).collect();
    failed.sort_by_key(|t| (std::cmp::Reverse(system.task(t.task).priority.value), t.task));
    let left = (ATTEMPTS / (system.tasks.len() + system.gates.len()).max(1)).min(MOST_ATTEMPTS);
    let search =
        Search { system, derived, costs, guaranteed: guaranteed(analysis), left: Cell::new(left) };
    let mut found: Vec<Repair> = Vec::new();
    for task in failed.into_iter().take(MOST_TASKS) {
        // Tasks often fail for one cause, so what repairs one is tried for the next before anything
        // new.
        let known =
            found.iter().map(|r| r.change).find_map(|change| search.attempt(task.task, change));
        found.extend(known.or_else(|| search.repair(task)));
    }
    found
}

struct Search<'a> {
    system: &'a System,
    derived: &'a Derived,
    costs: &'a CostTable,
    guaranteed: Vec<TaskId>,
    /// The attempts that are left.
    left: Cell<usize>,
}

impl Search<'_> {
    /// Returns the repair that a change is for a task, if it is one and there are attempts left.
    fn attempt(&self, task: TaskId, change: Change) -> Option<Repair> {
        self.left.set(self.left.get().checked_sub(1)?);
        let (changed, derived) = change.apply(self.system);
        let analysis = analyze(&changed, &derived, self.costs);
        let bound = &analysis.tasks[task.index()];
        // A change that helps one task at the cost of another one is no repair.
        let works = bound.is_schedulable() && keeps_all(&analysis, &self.guaranteed);
        let response = bound.response().filter(|_| works)?;
        Some(Repair { task, change, response, complete: analysis.is_schedulable() })
    }

    fn repair(&self, task: &TaskBound) -> Option<Repair> {
        let same_size = [self.protocols(task), self.priorities(task)];
        // A change that leaves other deadlines open is kept, but a complete one of the next kind is
        // better.
        let mut partial = None;
        for candidates in same_size {
            let mut works =
                candidates.into_iter().filter_map(|change| self.attempt(task.task, change));
            // The search goes on behind the first change that works, since a later one may make all
            // deadlines hold.
            let first = works.next();
            let best = first.into_iter().chain(works).find(|r| r.complete).or(first);
            match best {
                Some(repair) if repair.complete => return Some(repair),
                _ => partial = partial.or(best),
            }
        }
        partial.or_else(|| {
            self.bodies(task).into_iter().find_map(|body| self.shorter(task.task, body))
        })
    }

    /// Gates whose protocol matters to the task, each with the protocols that keep its exclusion.
    fn protocols(&self, task: &TaskBound) -> Vec<Change> {
        let mut gates: Vec<GateId> = match &task.bound {
            Err(
                Obstacle::Inversion { gate, .. }
                | Obstacle::SeveralCores { gate }
                | Obstacle::NoTheorem { gate }
                | Obstacle::Late { gate, .. },
            ) => {
                vec![*gate]
            }
            Err(_) => Vec::new(),
            Ok(bound) => {
                let blocking = bound.blocking.iter().map(|b| b.gate);
                let waits = bound.waiting.iter().chain(&bound.suspension);
                blocking.chain(waits.map(|w| w.gate)).collect()
            }
        };
        gates.extend(&self.derived.task(task.task).gates);
        // Gates stand in the order of how much they take, which a sort would lose.
        let mut seen = Vec::new();
        gates.retain(|gate| {
            !seen.contains(gate) && {
                seen.push(*gate);
                true
            }
        });
        let exclusive =
            gates.into_iter().filter(|&g| self.system.gate(g).protocol.value.is_exclusive());
        let both = exclusive.take(MOST_CANDIDATES).flat_map(|gate| {
            let now = self.system.gate(gate).protocol.value;
            let several = self.derived.gate(gate).cores.len() > 1;
            let cores = &self.derived.gate(gate).cores;
            let on = |&core: &u32| self.system.policy_on(core) == Policy::FixedPriority;
            let fitting = match (cores.iter().all(on), several) {
                (true, true) => Protocol::between_cores(Policy::FixedPriority).collect(),
                (true, false) => vec![Protocol::Inherited, Protocol::Fixed],
                // A `fixed` gate has a priority as its ceiling, which means nothing where deadlines
                // decide.
                (false, _) => vec![Protocol::Inherited, Protocol::Srp],
            };
            let others = fitting.into_iter().filter(move |&p| p != now);
            others.map(move |protocol| Change::Protocol(gate, protocol))
        });
        both.collect()
    }

    /// Priorities just above each task that the failed one yields to, and just below, nearest
    /// first.
    fn priorities(&self, task: &TaskBound) -> Vec<Change> {
        if self.system.policy_on(self.system.task(task.task).core) == Policy::EarliestDeadline {
            return Vec::new();
        }
        let now = self.system.task(task.task).priority.value;
        let mut levels: Vec<Priority> = (self.system.tasks.iter())
            .map(|t| t.priority.value)
            .flat_map(|p| [p.saturating_sub(1), p, p.saturating_add(1)])
            // The top is left to those who must not be preempted, and no task may have it.
            .filter(|&p| p != now && p < TOP_PRIORITY)
            .collect();
        levels.sort_by_key(|&p| (p.abs_diff(now), p));
        levels.dedup();
        levels.truncate(MOST_CANDIDATES);
        levels.into_iter().map(|p| Change::Priority(task.task, p)).collect()
    }

    /// Bodies behind the largest parts of the bound, sections first.
    fn bodies(&self, task: &TaskBound) -> Vec<BodyRef> {
        let Ok(bound) = &task.bound else { return Vec::new() };
        let sections = bound.blocking.iter().filter_map(|part| {
            let methods = 0..self.system.gate(part.gate).methods.len();
            let own =
                |m: &usize| body(self.system, BodyRef::Method(part.gate, *m)).and_then(own_time);
            methods.max_by_key(own).map(|m| BodyRef::Method(part.gate, m))
        });
        let own = [BodyRef::Task(task.task)];
        let others = bound.interference.iter().map(|part| BodyRef::Task(part.task));
        let mut all: Vec<BodyRef> = Vec::new();
        for candidate in sections.chain(own).chain(others) {
            if !all.contains(&candidate) {
                all.push(candidate);
            }
        }
        // Each of these costs a search by halving, with many analyses.
        all.truncate(3);
        all
    }

    /// Returns the longest own execution time of a body that is short enough.
    fn shorter(&self, task: TaskId, of: BodyRef) -> Option<Repair> {
        let now = own_time(body(self.system, of)?)?;
        let attempt = |time: u64| self.attempt(task, Change::Time(of, Duration(time)));
        // Bounds never fall when a time grows. So if no time at all is too long, nothing between
        // helps.
        let mut best = attempt(0)?;
        let (mut works, mut fails) = (0, now);
        while fails - works > 1 {
            let middle = works + (fails - works) / 2;
            match attempt(middle) {
                Some(repair) => (works, best) = (middle, repair),
                None => fails = middle,
            }
        }
        Some(best)
    }
}
