//! Repairs by moving a task to another core.
//!
//! Of those who keep a task without guarantee from its core, and the task itself, one is moved to
//! each other core that the description uses. Gates that are between cores then get a protocol for
//! that, each in turn, and those that no longer are get inheritance: all that is part of the
//! change. A move counts as other repairs do.

use std::cmp::Reverse;

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Policy, Protocol, System, TaskId};

use crate::analyze::analyze;
use crate::bound::{Analysis, TaskBound};
use crate::change::Change;
use crate::repair::Repair;
use crate::sensitivity::{guaranteed, keeps_all};

/// The number of tasks that a move is searched for.
const MOST_TASKS: usize = 4;

/// The number of tasks that are moved for one.
const MOST_MOVED: usize = 6;

/// The number of analyses that the search may cost, times the tasks and gates of the system.
const ATTEMPTS: usize = 4_000;

/// Moves for tasks without guarantee, most urgent task first, at most one for each; `allowed` says
/// whether a changed description passes the checks.
pub fn moves(
    system: &System,
    costs: &CostTable,
    analysis: &Analysis,
    allowed: &dyn Fn(&System) -> bool,
) -> Vec<Repair> {
    if system.cores() < 2 {
        return Vec::new();
    }
    let mut failed: Vec<&TaskBound> =
        analysis.tasks.iter().filter(|task| !task.is_schedulable()).collect();
    failed.sort_by_key(|task| (Reverse(system.task(task.task).priority.value), task.task));
    let left = (ATTEMPTS / (system.tasks.len() + system.gates.len()).max(1)).max(1);
    let mut search = Search { system, costs, allowed, guaranteed: guaranteed(analysis), left };
    let mut found: Vec<Repair> = Vec::new();
    for task in failed.into_iter().take(MOST_TASKS) {
        let known: Vec<Change> = found.iter().map(|repair| repair.change).collect();
        // One move often helps several tasks, so the known ones are tried first.
        let known = known.into_iter().find_map(|change| search.attempt(task.task, change));
        found.extend(known.or_else(|| search.repair(task)));
    }
    found
}

struct Search<'a> {
    system: &'a System,
    costs: &'a CostTable,
    allowed: &'a dyn Fn(&System) -> bool,
    guaranteed: Vec<TaskId>,
    /// The attempts that are left.
    left: usize,
}

impl Search<'_> {
    /// The first move under which every deadline holds, else the first that helps.
    fn repair(&mut self, task: &TaskBound) -> Option<Repair> {
        let mut first = None;
        for moved in self.candidates(task) {
            let own = self.system.task(moved).core;
            for core in (0..self.system.cores()).filter(|&core| core != own) {
                for between in self.protocols(moved, core) {
                    let change = Change::Core { task: moved, core, between };
                    let Some(repair) = self.attempt(task.task, change) else { continue };
                    if repair.complete {
                        return Some(repair);
                    }
                    first = first.or(Some(repair));
                }
            }
        }
        first
    }

    /// Returns the protocols to try at gates that are between cores only after a move.
    fn protocols(&self, task: TaskId, core: u32) -> Vec<Protocol> {
        let all = Protocol::between_cores_to_try(Policy::FixedPriority);
        let (changed, _) = Change::Core { task, core, between: all[0] }.apply(self.system);
        let before = self.system.gates.iter();
        let newly = before.zip(&changed.gates).any(|(was, is)| is.is_global() && !was.is_global());
        // Where no gate comes to be between cores the protocol has no effect, and one attempt is
        // enough.
        if newly { all } else { all[..1].to_vec() }
    }

    /// Returns the tasks that take most of the core, and the task itself.
    fn candidates(&self, task: &TaskBound) -> Vec<TaskId> {
        let mut moved: Vec<TaskId> = match &task.bound {
            Ok(bound) => {
                let blocking = bound.blocking.iter().map(|part| (part.time, part.task));
                let interference = bound.interference.iter().map(|part| (part.time, part.task));
                let mut parts: Vec<_> = interference.chain(blocking).collect();
                parts.sort_by_key(|&(time, task)| (Reverse(time), task));
                parts.into_iter().map(|(_, task)| task).collect()
            }
            // Without a bound there are no parts to choose from, so all tasks of the core are
            // candidates.
            Err(_) => {
                let core = self.system.task(task.task).core;
                let mates = self.system.task_ids().filter(|(_, mate)| mate.core == core);
                mates.map(|(id, _)| id).filter(|&id| id != task.task).collect()
            }
        };
        // One place is kept for the task itself.
        moved.truncate(MOST_MOVED - 1);
        moved.push(task.task);
        let mut seen = Vec::new();
        moved.retain(|id| {
            !seen.contains(id) && {
                seen.push(*id);
                true
            }
        });
        moved
    }

    /// The repair that a move is for a task, if it is one and there are attempts left.
    fn attempt(&mut self, task: TaskId, change: Change) -> Option<Repair> {
        self.left = self.left.checked_sub(1)?;
        let (changed, derived): (System, Derived) = change.apply(self.system);
        // On another core a task may break rules that it kept before, so the checks are asked
        // again.
        if !(self.allowed)(&changed) {
            return None;
        }
        let analysis = analyze(&changed, &derived, self.costs);
        let bound = &analysis.tasks[task.index()];
        let works = bound.is_schedulable() && keeps_all(&analysis, &self.guaranteed);
        let response = bound.response().filter(|_| works)?;
        Some(Repair { task, change, response, complete: analysis.is_schedulable() })
    }
}
