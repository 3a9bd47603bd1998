//! Effective priorities and exclusion, by the definition alone.

use std::collections::BTreeSet;

use fusee_kernel::Time;

use super::{Drawn, Kinds};
use crate::scripted::Schedule;
use crate::unit_step::{self, Core, Definition, Job};

/// The jobs that a job has waited for.
type WaitedFor = BTreeSet<(usize, Time)>;

/// The protocol, and the jobs of lower tasks for which each task's job has waited.
struct Ceilings<'d> {
    system: &'d Drawn,
    waited_for: Vec<WaitedFor>,
    most: usize,
}

/// Returns the schedule, and how often a job waits at most.
pub(crate) fn simulate(system: &Drawn) -> (Schedule, usize) {
    let waited_for = vec![WaitedFor::new(); system.tasks.len()];
    let mut ceilings = Ceilings { system, waited_for, most: 0 };
    let tasks = system.tasks.iter().map(|task| unit_step::Task {
        period: task.period,
        offset: task.offset,
        script: &task.script,
    });
    let schedule = unit_step::schedule(&mut ceilings, tasks.collect(), system.slice);
    (schedule, ceilings.most)
}

impl Ceilings<'_> {
    fn is_ceiling(&self, gate: usize) -> bool {
        self.system.gates[gate] == Kinds::Ceiling
    }
}

impl Definition for Ceilings<'_> {
    type Urgency = u8;

    fn derive(&self, core: &Core<'_, Self>) -> Vec<u8> {
        let mut of: Vec<u8> = self.system.tasks.iter().map(|task| task.priority).collect();
        for _ in 0..of.len() {
            for task in 0..of.len() {
                for &(gate, _) in &core.jobs[task].held {
                    let own = if self.system.gates[gate] == Kinds::Fixed { 7 } else { 0 };
                    let waits = |other: &usize| core.jobs[*other].waits == Some(gate);
                    let most = (0..of.len()).filter(waits).map(|other| of[other]).max();
                    of[task] = of[task].max(own).max(most.unwrap_or(0));
                }
            }
        }
        of
    }

    /// Returns the gate of the highest ceiling which somebody else holds, the innermost of its
    /// holder's.
    fn bar(&self, core: &Core<'_, Self>, task: usize, gate: usize) -> Option<usize> {
        if !self.is_ceiling(gate) {
            return core.holder(gate).map(|_| gate);
        }
        let own = self.system.tasks[task].priority;
        let others = (0..core.jobs.len()).filter(|&other| other != task);
        let held = others.flat_map(|other| core.jobs[other].held.iter().map(move |h| (other, h.0)));
        let (holder, highest) = held
            .filter(|&(_, gate)| self.is_ceiling(gate))
            .map(|(other, gate)| (other, self.system.ceiling(gate)))
            .max_by_key(|&(_, ceiling)| ceiling)?;
        let held = core.jobs[holder].held.iter().rev().map(|held| held.0);
        let innermost = held.into_iter().find(|&gate| self.is_ceiling(gate));
        if own > highest { None } else { innermost }
    }

    fn orders(&self, _: usize) -> bool {
        true
    }

    fn is_asked_again(&self, gate: usize) -> bool {
        self.is_ceiling(gate)
    }

    fn pins(&self, _: usize) -> bool {
        false
    }

    fn begin(&mut self, task: usize) {
        self.waited_for[task].clear();
    }

    /// Counts if the holder is lower: equals may wait for each other often. It asks again at each
    /// end of a section within the outermost one.
    fn wait(&mut self, jobs: &[Job], task: usize, gate: usize) {
        let tasks = &self.system.tasks;
        let Some(holder) = jobs.iter().position(|job| job.holds(gate)) else { return };
        if tasks[holder].priority < tasks[task].priority {
            let since = jobs[holder].arrivals[0];
            self.waited_for[task].insert((holder, since));
        }
        self.most = self.most.max(self.waited_for[task].len());
    }
}
