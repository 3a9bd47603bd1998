//! Deadlines that contradict each other, and how little would reconcile them.
//!
//! Of all deadlines one after the other is left out as long as still nothing exists: what remains
//! cannot hold together, and without any one of it there is a choice. Then, for each of these, the
//! least deadline and the most execution time are looked for that alone would be enough for *all*
//! deadlines, by halving: what is possible with a time is possible with a shorter one, and with a
//! later deadline. An execution time is the work of a task: nobody but an engineer can change it,
//! so it is said and never chosen.

use std::cell::Cell;

use fusee_bounds::{BodyRef, Change};
use fusee_model::{Body, Duration, Step, System, TaskId};

use super::class::Class;
use super::decide::{Decider, Verdict};
use super::freedom::Freedom;
use super::judge::Judge;
use super::suspending::decided;

/// Deadlines that no choice lets hold together.
#[derive(Debug, Clone)]
pub struct Conflict {
    /// The tasks with these deadlines.
    pub tasks: Vec<TaskId>,
    /// `true` if it is known that without any one of them there is a choice.
    pub is_least: bool,
    /// The single changes of which each would be enough for all deadlines.
    pub relaxations: Vec<Relaxation>,
    /// `true` if each later deadline of one of these tasks was tried.
    pub is_thorough: bool,
}

/// A change of what is asked for, under which there is a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relaxation {
    /// A later deadline.
    Deadline(TaskId, Duration),
    /// A shorter execution of a body, which changes what its task does.
    Time(BodyRef, Duration),
}

/// The search that found that there is none.
pub(super) struct Refuted<'a> {
    pub(super) judge: &'a Judge<'a>,
    pub(super) freedom: &'a Freedom,
    pub(super) cores: u32,
    pub(super) class: &'a Class,
}

/// No deadline is put off to more than so many times what it is.
const FARTHEST: u64 = 64;

/// The number of tasks for which a relaxation is looked for.
const MOST_RELAXED: usize = 6;

impl Refuted<'_> {
    /// Returns a smallest set of deadlines that contradict each other.
    pub(super) fn conflict(&self) -> Conflict {
        let described = self.judge.described;
        let mut required: Vec<bool> =
            described.tasks.iter().map(|task| task.release.is_some()).collect();
        let mut is_least = true;
        for at in 0..required.len() {
            if !required[at] {
                continue;
            }
            required[at] = false;
            match self.verdict(described, &required) {
                Verdict::None => {}
                Verdict::Found(_) => required[at] = true,
                Verdict::Unknown(_) => (required[at], is_least) = (true, false),
            }
        }
        let tasks: Vec<TaskId> =
            (0..required.len()).filter(|&at| required[at]).map(TaskId::from).collect();
        let relaxations = self.relaxations(&tasks);
        let is_thorough = tasks.len() <= MOST_RELAXED && self.judge.left.get() > 0;
        Conflict { tasks, is_least, relaxations, is_thorough }
    }

    /// Decides about a changed description.
    fn verdict(&self, system: &System, required: &[bool]) -> Verdict {
        let judge = Judge {
            described: system,
            costs: self.judge.costs,
            proved: self.judge.proved,
            audsley: self.judge.audsley,
            span: self.judge.span,
            left: Cell::new(self.judge.left.get()),
        };
        let decider = Decider {
            judge: &judge,
            freedom: self.freedom,
            required: required.to_vec(),
            cores: self.cores,
            class: self.class,
        };
        let verdict = decided(&decider);
        self.judge.left.set(judge.left.get());
        verdict
    }

    /// Returns `true` if all deadlines of a changed description can hold.
    fn exists(&self, system: &System) -> bool {
        let all: Vec<bool> = system.tasks.iter().map(|task| task.release.is_some()).collect();
        matches!(self.verdict(system, &all), Verdict::Found(_))
    }

    /// Returns the single changes that are enough: deadlines of these tasks, and jobs of these and
    /// of those others that need most.
    fn relaxations(&self, tasks: &[TaskId]) -> Vec<Relaxation> {
        let mut others: Vec<TaskId> = (self.judge.described.task_ids())
            .map(|(id, _)| id)
            .filter(|id| !tasks.contains(id))
            .collect();
        others.sort_by_key(|&id| (std::cmp::Reverse(self.class.load(id)), id));
        let deadlines = tasks.iter().take(MOST_RELAXED).filter_map(|&task| self.deadline(task));
        let jobs = tasks.iter().chain(&others).take(MOST_RELAXED);
        let times = jobs.filter_map(|&task| self.time(BodyRef::Task(task)));
        deadlines.chain(times).collect()
    }

    /// Returns the least deadline of a task that alone is enough.
    fn deadline(&self, id: TaskId) -> Option<Relaxation> {
        let described = self.judge.described;
        let now = described.task(id).deadline?.value.ns();
        let put_off = |to: u64| {
            let mut changed = described.clone();
            if let Some(deadline) = changed.tasks[id.index()].deadline.as_mut() {
                deadline.value = Duration(to);
            }
            self.exists(&changed)
        };
        let far = now.checked_mul(FARTHEST)?;
        let least = bisected(now, far, put_off)?;
        Some(Relaxation::Deadline(id, Duration(least)))
    }

    /// Returns the most own execution of a body that alone is enough.
    fn time(&self, body: BodyRef) -> Option<Relaxation> {
        let described = self.judge.described;
        let now = own_time(described, body)?;
        let shortened = |by: u64| {
            let time = Duration(now.saturating_sub(by));
            self.exists(&Change::Time(body, time).apply(described).0)
        };
        let least = bisected(0, now, shortened)?;
        Some(Relaxation::Time(body, Duration(now - least)))
    }
}

/// Returns the least number above `fails` and up to `most` that works, if `most` does.
fn bisected(fails: u64, most: u64, works: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut fails, mut least) = (fails, most);
    if least <= fails || !works(least) {
        return None;
    }
    while least - fails > 1 {
        let middle = fails + (least - fails) / 2;
        match works(middle) {
            true => least = middle,
            false => fails = middle,
        }
    }
    Some(least)
}

/// Returns the own execution time of a body.
fn own_time(system: &System, of: BodyRef) -> Option<u64> {
    let body: &Body = match of {
        BodyRef::Task(task) => &system.task(task).body,
        BodyRef::Method(gate, method) => &system.gate(gate).methods.get(method)?.body,
    };
    body.steps.iter().try_fold(0_u64, |sum, step| match step {
        Step::Compute { worst, .. } => sum.checked_add(worst.ns()),
        _ => Some(sum),
    })
}
