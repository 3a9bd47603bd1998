//! What lower tasks can take from a busy window of one level.
//!
//! Inside a level-p busy window a task below p runs only with a raised priority,
//! and it is raised only while it is inside an exclusive gate whose rise reaches
//! p. The crate's documentation shows what follows:
//!
//! 1. each lower task takes at most one outermost section;
//! 2. at most one of all these sections is at a gate whose fixed ceiling reaches p;
//! 3. at any other gate, at most as many sections are taken as there are requests
//!    for it, or for a gate nested in it, by the window's own jobs and from within
//!    the sections of lower tasks.
//!
//! The bound is the smaller of two sums: 1 with 2, and 3 with 2.

use std::collections::BTreeMap;

use fusee_model::{GateId, Origin, TaskId};

use crate::amount::Amount;
use crate::context::Context;
use crate::demand::Unknown;
use crate::obstacle::Obstacle;
use crate::reach::{Passage, kernel_ceiling};

/// A lower task's section that can take time from the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) task: TaskId,
    pub(crate) gate: GateId,
    pub(crate) length: u64,
    pub(crate) origin: Origin,
}

/// Sections at one gate without a ceiling that reaches the level.
struct Queue {
    /// The longest of each lower task, longest first.
    sections: Vec<Section>,
    /// How often each job of a task requests the gate or one nested in it.
    requests: Vec<(TaskId, u64)>,
    /// Requests from within sections of lower tasks.
    from_below: u64,
}

/// All that lower tasks can take from windows of one level.
pub(crate) struct Blocking {
    /// The longest section at an inherited gate, for each lower task that has one.
    inherited: BTreeMap<TaskId, Section>,
    /// The longest section at a gate whose ceiling reaches the level, for each lower task that has one.
    fixed: BTreeMap<TaskId, Section>,
    queues: Vec<Queue>,
}

/// The longer section; of equally long ones the first.
fn keep_longest<K: Ord>(map: &mut BTreeMap<K, Section>, key: K, section: Section) {
    let slot = map.entry(key).or_insert(section);
    if section.length > slot.length {
        *slot = section;
    }
}

impl Blocking {
    /// Collects the sections; the obstacles are those of lower tasks.
    pub(crate) fn of(context: &Context<'_>, level: i16, lower: &[TaskId]) -> Result<Self, Obstacle> {
        let (mut inherited, mut fixed) = (BTreeMap::new(), BTreeMap::new());
        let mut by_gate: BTreeMap<GateId, BTreeMap<TaskId, Section>> = BTreeMap::new();
        for &task in lower {
            for passage in relevant(context, level, task) {
                let section = section(context, task, passage)?;
                if kernel_ceiling(context.system, context.derived, passage.gate) >= level {
                    keep_longest(&mut fixed, task, section);
                } else {
                    keep_longest(&mut inherited, task, section);
                    keep_longest(by_gate.entry(passage.gate).or_default(), task, section);
                }
            }
        }
        let queues = by_gate.into_iter().map(|(gate, sections)| queue(context, level, lower, gate, sections));
        Ok(Self { queues: queues.collect(), inherited, fixed })
    }

    /// The longest that lower tasks can take while `jobs` jobs of each task are in the window.
    pub(crate) fn bound(&self, jobs: &dyn Fn(TaskId) -> Option<u64>) -> Option<u64> {
        total(&self.selection(jobs)?)
    }

    /// The sections that make up the bound.
    pub(crate) fn selection(&self, jobs: &dyn Fn(TaskId) -> Option<u64>) -> Option<Vec<Section>> {
        let by_task = self.by_task();
        let by_gate = self.by_gate(jobs)?;
        match (total(&by_task), total(&by_gate)) {
            (Some(a), Some(b)) if b < a => Some(by_gate),
            (Some(_), _) => Some(by_task),
            (None, Some(_)) => Some(by_gate),
            (None, None) => None,
        }
    }

    /// One section of each task, at most one of them at a ceiling.
    fn by_task(&self) -> Vec<Section> {
        let mut chosen = self.inherited.clone();
        let gain = |(task, fixed): &(&TaskId, &Section)| {
            fixed.length.saturating_sub(self.inherited.get(task).map_or(0, |s| s.length))
        };
        let best = self.fixed.iter().rev().max_by_key(gain).filter(|entry| gain(entry) > 0);
        if let Some((&task, &section)) = best {
            chosen.insert(task, section);
        }
        chosen.into_values().collect()
    }

    /// As many sections of each gate as there are requests, and one at a ceiling.
    fn by_gate(&self, jobs: &dyn Fn(TaskId) -> Option<u64>) -> Option<Vec<Section>> {
        let mut chosen: Vec<Section> =
            self.fixed.values().rev().max_by_key(|s| s.length).copied().into_iter().collect();
        for queue in &self.queues {
            let mut requests = queue.from_below;
            for &(task, each) in &queue.requests {
                requests = requests.saturating_add(jobs(task)?.saturating_mul(each));
            }
            let count = usize::try_from(requests).unwrap_or(usize::MAX);
            chosen.extend(queue.sections.iter().take(count));
        }
        Some(chosen)
    }
}

fn total(sections: &[Section]) -> Option<u64> {
    sections.iter().try_fold(0_u64, |sum, s| sum.checked_add(s.length))
}

/// Passages that are outermost among those that can be raised to the level.
pub(crate) fn relevant<'c>(context: &'c Context<'_>, level: i16, task: TaskId) -> impl Iterator<Item = Passage> + 'c {
    let passages = context.reach.passages[task.index()].iter().copied();
    passages.filter(move |p| p.below < level && level <= context.reach.rise[p.gate.index()])
}

fn section(context: &Context<'_>, task: TaskId, passage: Passage) -> Result<Section, Obstacle> {
    let demand = context.demands.invocation(&context.kernel, passage.gate, passage.method);
    let demand = demand.map_err(|unknown| unknown_time(task, unknown))?;
    if let Some((body, notification)) = demand.waits {
        return Err(Obstacle::Waits { task, body, notification });
    }
    let mut whole = demand.total();
    if context.system.task(task).budget.is_some() {
        whole = whole.plus(context.kernel.budget_end);
    }
    let Amount(length) = whole.plus(context.slice_ends(whole));
    let length = length.ok_or(Obstacle::NoEnd)?;
    Ok(Section { task, gate: passage.gate, length, origin: passage.origin })
}

/// The obstacle behind a missing number.
pub(crate) fn unknown_time(task: TaskId, unknown: Unknown) -> Obstacle {
    match unknown {
        Unknown::Wcet(body) => Obstacle::UnknownTime { task, body },
        Unknown::Recursion(gate) => Obstacle::Cycle { task, gate },
    }
}

fn queue(
    context: &Context<'_>,
    level: i16,
    lower: &[TaskId],
    gate: GateId,
    sections: BTreeMap<TaskId, Section>,
) -> Queue {
    let mut sections: Vec<Section> = sections.into_values().collect();
    sections.sort_by_key(|s| (std::cmp::Reverse(s.length), s.task));
    let reach = &context.reach;
    let is_lower = |task: &TaskId| lower.binary_search(task).is_ok();
    let requests = reach.requests[gate.index()].iter().filter(|(task, _)| !is_lower(task)).copied().collect();
    let watched: Vec<GateId> = reach.nested[gate.index()].iter().copied().chain([gate]).collect();
    let from_below = lower.iter().map(|&task| nested_requests(context, level, task, &watched));
    Queue { from_below: from_below.fold(0, u64::saturating_add), requests, sections }
}

/// How often a lower task can request one of the gates from within one of its sections.
fn nested_requests(context: &Context<'_>, level: i16, task: TaskId, watched: &[GateId]) -> u64 {
    let outer: Vec<GateId> = relevant(context, level, task).map(|p| p.gate).collect();
    let counts = &context.reach.counts[task.index()];
    let inside = |inner: GateId| outer.iter().any(|&o| context.reach.is_nested_in(inner, o));
    let each = watched.iter().filter(|&&inner| inside(inner)).map(|g| counts.get(g).copied().unwrap_or(0));
    each.fold(0, u64::saturating_add)
}
