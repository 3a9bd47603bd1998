//! The placement of tasks on cores.
//!
//! Placing tasks is packing bins: hard in general, and solved in practice by
//! taking the tasks in some order and giving each to the first, the next, the
//! fullest or the emptiest core that still accepts it. A core accepts by its
//! utilization, or by what a schedulability test says of its tasks. *Any fit* tries
//! all four in turn. Resource-aware placement keeps tasks that share resources
//! together, so that resources stay local to one core.

mod bundles;

use serde::{Deserialize, Serialize};

use crate::exact::compare_sum;
use crate::{SchedulabilityTest, TaskSet};

/// The choice among the accepting cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fit {
    /// The lowest-numbered.
    First,
    /// The first from the last used one on; earlier ones are closed.
    Next,
    /// The one with the highest utilization.
    Best,
    /// The one with the lowest utilization.
    #[default]
    Worst,
    /// Whichever of worst, best, first and next fit, tried in this order, places all tasks.
    Any,
    /// Bundles of tasks that share resources, each as a whole if possible (Lakshmanan, de Niz and
    /// Rajkumar 2009).
    ResourceAware,
}

/// The order in which tasks are placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As they stand in the set.
    Given,
    /// By falling utilization.
    #[default]
    DecreasingUtilization,
    /// By falling density C / min(D, T).
    DecreasingDensity,
    /// By rising period.
    IncreasingPeriod,
}

/// A way to place tasks on cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// The choice among the accepting cores.
    #[serde(default)]
    pub fit: Fit,
    /// The order in which tasks are placed.
    #[serde(default)]
    pub order: Order,
}

/// Says whether one core can have certain tasks, which come as a set on one core.
pub type Accepts<'a> = &'a dyn Fn(&TaskSet) -> bool;

/// Accepts up to full utilization.
pub fn by_utilization(core: &TaskSet) -> bool {
    compare_sum(core.tasks().iter().map(|t| (t.wcet, t.period)), 1).is_le()
}

/// Accepts what a test accepts; a set outside its assumptions is not accepted.
pub fn by_test(test: &dyn SchedulabilityTest) -> impl Fn(&TaskSet) -> bool {
    |core: &TaskSet| test.check(core).is_ok_and(crate::Verdict::is_schedulable)
}

impl Placement {
    /// The set with its tasks on the cores that it has; `None`: some task is accepted by no core.
    pub fn place(&self, set: &TaskSet, accepts: Accepts<'_>) -> Option<TaskSet> {
        self.placed(set, Rule::Asked(accepts))
    }

    /// The same up to full utilization of each core.
    pub fn place_by_utilization(&self, set: &TaskSet) -> Option<TaskSet> {
        self.placed(set, Rule::FullCores)
    }

    fn placed(&self, set: &TaskSet, rule: Rule<'_>) -> Option<TaskSet> {
        let cores = Cores::new(set, rule);
        let order = self.order.of(set);
        let placed = match self.fit {
            Fit::Any => [Fit::Worst, Fit::Best, Fit::First, Fit::Next]
                .into_iter()
                .find_map(|fit| cores.clone().pack(&order, fit))?,
            Fit::ResourceAware => cores.pack_bundles(&order)?,
            fit => cores.pack(&order, fit)?,
        };
        let mut places = vec![0; set.tasks().len()];
        for (core, members) in placed.iter().enumerate() {
            members.iter().for_each(|&task| places[task] = core);
        }
        set.clone().placed(set.cores(), &places).ok()
    }
}

impl Order {
    fn of(self, set: &TaskSet) -> Vec<usize> {
        let tasks = set.tasks();
        let mut order: Vec<usize> = (0..tasks.len()).collect();
        let falling = |key: &dyn Fn(usize) -> (u64, u64), a: usize, b: usize| {
            let ((c, t), (d, u)) = (key(a), key(b));
            (u128::from(d) * u128::from(t)).cmp(&(u128::from(c) * u128::from(u))).then(a.cmp(&b))
        };
        match self {
            Order::Given => {}
            Order::DecreasingUtilization => {
                order.sort_by(|&a, &b| falling(&|i| (tasks[i].wcet, tasks[i].period), a, b));
            }
            Order::DecreasingDensity => {
                order.sort_by(|&a, &b| {
                    falling(&|i| (tasks[i].wcet, tasks[i].deadline.min(tasks[i].period)), a, b)
                });
            }
            Order::IncreasingPeriod => order.sort_by_key(|&i| (tasks[i].period, i)),
        }
        order
    }
}

/// When a core accepts more tasks.
#[derive(Clone, Copy)]
enum Rule<'a> {
    /// Up to full utilization.
    FullCores,
    /// When this says so.
    Asked(Accepts<'a>),
}

/// Cores being filled.
#[derive(Clone)]
struct Cores<'a> {
    set: &'a TaskSet,
    rule: Rule<'a>,
    members: Vec<Vec<usize>>,
    /// Utilization of each core, summed up in the order of its members.
    loads: Vec<f64>,
}

/// A load this far from 1 is on the side where it seems to be: rounding is off by less with any
/// number of tasks that fits.
const MARGIN: f64 = 1e-6;

impl<'a> Cores<'a> {
    fn new(set: &'a TaskSet, rule: Rule<'a>) -> Self {
        Self { set, rule, members: vec![Vec::new(); set.cores()], loads: vec![0.0; set.cores()] }
    }

    /// Tasks one by one.
    fn pack(mut self, order: &[usize], fit: Fit) -> Option<Vec<Vec<usize>>> {
        let mut last = 0;
        for &task in order {
            last = self.chosen(fit, last, task)?;
            self.add(last, task);
        }
        Some(self.members)
    }

    fn add(&mut self, core: usize, task: usize) {
        self.members[core].push(task);
        self.loads[core] += self.utilization(task);
    }

    /// The first core in the order of a fit that accepts a task; mostly the very first, which needs
    /// no sorting.
    fn chosen(&self, fit: Fit, last: usize, task: usize) -> Option<usize> {
        let by_load =
            |&a: &usize, &b: &usize| self.loads[a].total_cmp(&self.loads[b]).then(a.cmp(&b));
        if fit == Fit::Worst
            && let Some(emptiest) = (0..self.loads.len()).min_by(by_load)
            && self.accepted(emptiest, &[task])
        {
            return Some(emptiest);
        }
        self.candidates(fit, last).into_iter().find(|&core| self.accepted(core, &[task]))
    }

    /// Cores in the order in which they are asked; loads only order them, so rounding cannot make a
    /// wrong placement.
    fn candidates(&self, fit: Fit, last: usize) -> Vec<usize> {
        let mut cores: Vec<usize> = (0..self.members.len()).collect();
        let load = |core: usize| self.loads[core];
        match fit {
            Fit::Next => cores.retain(|&core| core >= last),
            Fit::Best => cores.sort_by(|&a, &b| load(b).total_cmp(&load(a)).then(a.cmp(&b))),
            Fit::Worst => cores.sort_by(|&a, &b| load(a).total_cmp(&load(b)).then(a.cmp(&b))),
            Fit::First | Fit::Any | Fit::ResourceAware => {}
        }
        cores
    }

    fn utilization(&self, task: usize) -> f64 {
        let task = &self.set.tasks()[task];
        task.wcet as f64 / task.period as f64
    }

    /// Returns `true` if a core takes more tasks on top of those that it has.
    fn accepted(&self, core: usize, more: &[usize]) -> bool {
        let together = || self.members[core].iter().chain(more).copied();
        match self.rule {
            Rule::Asked(accepts) => accepts(&self.set.subset(&together().collect::<Vec<_>>())),
            Rule::FullCores => {
                let load =
                    more.iter().fold(self.loads[core], |sum, &task| sum + self.utilization(task));
                let near = (load - 1.0).abs() <= MARGIN;
                let tasks = self.set.tasks();
                if near {
                    compare_sum(together().map(|i| (tasks[i].wcet, tasks[i].period)), 1).is_le()
                } else {
                    load < 1.0
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
