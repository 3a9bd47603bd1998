//! Counts over many systems.
//!
//! All counts are sums, so parts of a campaign add up in any order to the same
//! tally.

use crate::judge::Judgement;
use fusee_generate::Case;
use fusee_model::{Overrun, Protocol, ReleaseKind, Step, System};
use std::collections::BTreeMap;
use std::fmt;

/// The counts of a campaign so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    systems: u64,
    schedulable: u64,
    runs: u64,
    events: u64,
    jobs: u64,
    tasks: u64,
    bounded: u64,
    violations: u64,
    /// Bounded tasks by observed/bound in twentieths; the last entry: exactly the bound.
    ratios: [u64; 21],
    /// Tasks without a bound, by the rule that explains the reason.
    obstacles: BTreeMap<&'static str, u64>,
    /// Systems, tasks and bounded tasks by what the system contains.
    features: BTreeMap<String, [u64; 3]>,
}

impl Tally {
    /// Counts one system.
    pub fn add(&mut self, case: &Case, judgement: &Judgement) {
        self.systems += 1;
        self.schedulable += u64::from(judgement.analysis.is_schedulable());
        self.runs += judgement.attack.runs;
        self.events += judgement.attack.events;
        self.jobs += judgement.attack.jobs;
        self.violations += u64::from(judgement.attack.violation.is_some());
        let mut bounded = 0;
        for (task, observed) in judgement.analysis.tasks.iter().zip(&judgement.attack.observed) {
            match &task.bound {
                Ok(bound) => {
                    bounded += 1;
                    self.ratios[twentieth(observed.ns(), bound.response.ns())] += 1;
                }
                Err(_) => {
                    let rule = fusee_bounds::cause(&case.system, task).map(|(rule, _)| rule.name);
                    *self.obstacles.entry(rule.unwrap_or("unknown")).or_default() += 1;
                }
            }
        }
        let tasks = case.system.tasks.len() as u64;
        self.tasks += tasks;
        self.bounded += bounded;
        let costs = (!case.costs.is_zero()).then(|| "kernel costs".to_owned());
        for feature in features(&case.system).into_iter().chain(costs) {
            let [systems, all, with_bound] = self.features.entry(feature).or_default();
            *systems += 1;
            *all += tasks;
            *with_bound += bounded;
        }
    }

    /// Adds another part of the campaign.
    pub fn merge(&mut self, other: &Tally) {
        self.systems += other.systems;
        self.schedulable += other.schedulable;
        self.runs += other.runs;
        self.events += other.events;
        self.jobs += other.jobs;
        self.tasks += other.tasks;
        self.bounded += other.bounded;
        self.violations += other.violations;
        self.ratios.iter_mut().zip(&other.ratios).for_each(|(sum, part)| *sum += part);
        for (reason, count) in &other.obstacles {
            *self.obstacles.entry(reason).or_default() += count;
        }
        for (feature, counts) in &other.features {
            let sums = self.features.entry(feature.clone()).or_default();
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }

    /// Systems in which a bound was exceeded.
    pub fn violations(&self) -> u64 {
        self.violations
    }

    /// Tasks whose bound was held against runs.
    pub fn bounded(&self) -> u64 {
        self.bounded
    }

    /// Bounded tasks for which some run came to at least half of the bound.
    pub fn close(&self) -> u64 {
        self.ratios[10..].iter().sum()
    }
}

/// 20 when `observed` reaches `bound` (or goes beyond it), else the ratio in twentieths, rounded
/// down.
fn twentieth(observed: u64, bound: u64) -> usize {
    let ratio = (u128::from(observed) * 20).checked_div(u128::from(bound));
    ratio.map_or(20, |ratio| ratio.min(20) as usize)
}

fn takes_time(step: &Step) -> bool {
    matches!(step, Step::Compute { worst, .. } if worst.ns() > 0)
}

fn features(system: &System) -> Vec<String> {
    let protocol =
        |wanted: Protocol| system.gates.iter().any(|g| g.protocol.value == wanted && !g.direct);
    let tasks = &system.tasks;
    let release = |wanted: fn(&fusee_model::Release) -> bool| {
        tasks.iter().filter_map(|t| t.release.as_ref()).any(wanted)
    };
    let overrun = |wanted: fn(Overrun) -> bool| {
        tasks.iter().filter_map(|t| t.budget.as_ref()).any(|b| wanted(b.overrun))
    };
    let mut priorities: Vec<u8> = tasks.iter().map(|task| task.priority.value).collect();
    priorities.sort_unstable();
    let longer = |task: &fusee_model::Task| {
        let period = task.release.as_ref().map(|r| r.period.value);
        task.deadline.zip(period).is_some_and(|(deadline, period)| deadline.value > period)
    };
    let present = [
        ("non-preemptive gates", system.gates.iter().any(|g| g.given_ceiling.is_some())),
        ("mutexes", system.gate_ids().any(|(gate, _)| system.mutex(gate).is_some())),
        ("optimistic mutexes", system.mutex_words().next().is_some()),
        (
            "jobs that end with a signal",
            tasks.iter().any(|t| matches!(t.body.steps.last(), Some(Step::Emit(_)))),
        ),
        ("jobs without own execution", tasks.iter().any(|t| !t.body.steps.iter().any(takes_time))),
        ("release jitter", release(|r| r.jitter.value.ns() > 0)),
        ("sporadic releases", release(|r| r.kind == ReleaseKind::Sporadic)),
        ("tasks released by events", release(|r| matches!(r.kind, ReleaseKind::Notification(_)))),
        ("offsets", release(|r| r.offset.ns() > 0)),
        ("equal priorities", priorities.windows(2).any(|pair| pair[0] == pair[1])),
        ("deadlines above the period", tasks.iter().any(longer)),
        ("budgets that suspend", overrun(|o| o == Overrun::Suspend)),
        ("budgets that notify", overrun(|o| matches!(o, Overrun::Notify(_)))),
        ("budgets that are only watched", overrun(|o| o == Overrun::Continue)),
        ("time slices", system.settings.time_slice.is_some()),
    ];
    let present =
        present.into_iter().filter(|&(_, present)| present).map(|(name, _)| name.to_owned());
    let gates = Protocol::ALL.into_iter().filter(|&wanted| protocol(wanted));
    present.chain(gates.map(|protocol| format!("{} gates", protocol.name()))).collect()
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |part: u64, whole: u64| (part * 1000).checked_div(whole).unwrap_or(0);
        let show = |tenths: u64| format!("{}.{}", tenths / 10, tenths % 10);
        writeln!(f, "{} systems, {} of them schedulable", self.systems, self.schedulable)?;
        writeln!(f, "{} runs, {} jobs, {} kernel events", self.runs, self.jobs, self.events)?;
        let share = show(percent(self.bounded, self.tasks));
        writeln!(f, "{} tasks, {} with a bound ({share} %)", self.tasks, self.bounded)?;
        writeln!(f, "\nobserved/bound       tasks")?;
        let most = self.ratios.iter().copied().max().unwrap_or(0).max(1);
        for (twentieth, &count) in self.ratios.iter().enumerate() {
            let (low, high) = (twentieth * 5, twentieth * 5 + 5);
            let range =
                if twentieth == 20 { "= 100 %".into() } else { format!("{low:3} to {high:3} %") };
            let bar = "#".repeat((count * 50).div_ceil(most) as usize);
            writeln!(f, "{range:>14} {count:>11} {bar}")?;
        }
        writeln!(f, "\nsystems with                        systems     tasks  with bound")?;
        for (feature, [systems, tasks, bounded]) in &self.features {
            let share = show(percent(*bounded, *tasks));
            writeln!(f, "  {feature:<32} {systems:>8} {tasks:>9} {share:>9} %")?;
        }
        writeln!(f, "\nno bound because of                    tasks")?;
        for (reason, count) in &self.obstacles {
            writeln!(f, "  {reason:<36} {count:>6}")?;
        }
        Ok(())
    }
}
