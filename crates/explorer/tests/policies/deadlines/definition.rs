//! Effective deadlines, from the rules alone.

use std::cmp::Reverse;

use fusee_kernel::{NEVER, Protocol, Time};

use super::{Drawn, shortest};
use crate::scripted::Schedule;
use crate::unit_step::{self, Core, Definition, Job};

/// The policy, and whether somebody has waited.
struct Deadlines<'d> {
    system: &'d Drawn,
    blocked: bool,
}

/// Returns the schedule, and whether somebody waits at a gate.
pub(crate) fn simulate(system: &Drawn) -> (Schedule, bool) {
    let mut deadlines = Deadlines { system, blocked: false };
    let tasks = system.tasks.iter().map(|task| unit_step::Task {
        period: task.period,
        offset: task.offset,
        script: &task.script,
    });
    let schedule = unit_step::schedule(&mut deadlines, tasks.collect(), system.slice);
    (schedule, deadlines.blocked)
}

impl Deadlines<'_> {
    /// Returns the deadline of a task's job; a task without one comes last.
    fn base(&self, core: &Core<'_, Self>, task: usize) -> Time {
        let arrival = core.jobs[task].arrivals.front();
        arrival.map_or(NEVER, |at| at.saturating_add(self.system.tasks[task].deadline))
    }

    /// Returns the deadline that a gate brings by itself to who has taken it at a time.
    fn floor(&self, (gate, since): (usize, Time)) -> Time {
        match self.system.gates[gate] {
            Protocol::Srp { .. } => since.saturating_add(shortest(&self.system.tasks, gate)),
            Protocol::NonPreemptive => 0,
            _ => NEVER,
        }
    }
}

impl Definition for Deadlines<'_> {
    type Urgency = Reverse<Time>;

    fn derive(&self, core: &Core<'_, Self>) -> Vec<Reverse<Time>> {
        let mut of: Vec<Time> = (0..core.jobs.len()).map(|task| self.base(core, task)).collect();
        for _ in 0..of.len() {
            for task in 0..of.len() {
                for &held in &core.jobs[task].held {
                    let waits = |&other: &usize| {
                        self.orders(held.0) && core.jobs[other].waits == Some(held.0)
                    };
                    let least = (0..of.len()).filter(waits).map(|other| of[other]).min();
                    of[task] = of[task].min(self.floor(held)).min(least.unwrap_or(NEVER));
                }
            }
        }
        of.into_iter().map(Reverse).collect()
    }

    fn bar(&self, core: &Core<'_, Self>, _: usize, gate: usize) -> Option<usize> {
        core.holder(gate).map(|_| gate)
    }

    fn orders(&self, gate: usize) -> bool {
        self.system.gates[gate] != Protocol::Fifo
    }

    fn is_asked_again(&self, _: usize) -> bool {
        false
    }

    fn pins(&self, gate: usize) -> bool {
        matches!(self.system.gates[gate], Protocol::Srp { .. } | Protocol::NonPreemptive)
    }

    fn begin(&mut self, _: usize) {}

    fn wait(&mut self, _: &[Job], _: usize, _: usize) {
        self.blocked = true;
    }
}
