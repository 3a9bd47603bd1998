//! Runs that try to break a bound.
//!
//! The synchronous release is the worst case where nobody waits for a gate. Where
//! they do, the worst case starts earlier: a lower task must be inside a gate, or
//! about to leave its budget there, at the instant when everybody above it
//! arrives. So each lower task's release is put ahead by a random part of its own
//! execution, again and again, beside phases, gaps and execution times at random.

use fusee_generate::{Case, Random};
use fusee_model::derived::Derived;
use fusee_model::{Body, Duration, Policy, Step, System, Task};
use fusee_sim::{Execution, Options, Recording, Releases};

/// The number of runs of each kind for a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Runs with lower tasks released ahead of the higher ones.
    pub adversarial: u32,
    /// Runs with phases drawn.
    pub phased: u32,
    /// Runs with gaps, lateness and execution times drawn.
    pub drawn: u32,
    /// Kernel events after which a run ends.
    pub events: u64,
}

/// Enough to find each of the mistakes that were planted in an analysis.
impl Default for Effort {
    fn default() -> Self {
        Self { adversarial: 4, phased: 2, drawn: 2, events: 3_000 }
    }
}

/// All runs of a case, in order; they depend on nothing but the case.
pub fn scenarios(case: &Case, effort: &Effort) -> Vec<Options> {
    let seed =
        Random::new(0x5ca1ab1e, case.system.tasks.len() as u64 ^ hash(&case.system.name)).bits();
    let mut random = Random::new(seed, 0);
    let base = Options {
        duration: Duration(horizon(&case.system)),
        seed,
        costs: case.costs.clone(),
        recording: Recording::Window { from: Duration::ZERO, to: Duration(u64::MAX) },
        most_events: effort.events,
        ..Options::default()
    };
    let mut runs = vec![base.clone()];
    for _ in 0..effort.adversarial {
        let releases = ahead(&mut random, &case.system);
        runs.push(Options { releases, ..base.clone() });
    }
    for _ in 0..effort.phased {
        let starts = case.system.tasks.iter().map(|task| random.between(0, period(task)));
        let releases = Releases::Phased { starts: starts.map(Duration).collect() };
        runs.push(Options { releases, ..base.clone() });
    }
    for round in 0..effort.drawn {
        let execution = if round % 2 == 0 { Execution::Random } else { Execution::Worst };
        runs.push(Options {
            releases: Releases::Drawn,
            execution,
            seed: random.bits(),
            ..base.clone()
        });
    }
    runs
}

fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

fn period(task: &Task) -> u64 {
    task.release.as_ref().map_or(0, |release| release.period.value.ns())
}

fn deadline(task: &Task) -> u64 {
    task.deadline.map_or_else(|| period(task), |deadline| deadline.value.ns())
}

/// Long enough for some dozen jobs of every task; the event limit ends most runs earlier.
fn horizon(system: &System) -> u64 {
    let longest = system.tasks.iter().map(|task| {
        let jitter = task.release.as_ref().map_or(0, |release| release.jitter.value.ns());
        period(task).saturating_add(jitter)
    });
    longest.max().unwrap_or(1).saturating_mul(30)
}

/// Every task starts ahead of the common instant by a part of its execution,
/// except those that are as urgent as a random one or more.
fn ahead(random: &mut Random, system: &System) -> Releases {
    let demands = demands(system);
    let urgency = |task: &Task| match system.policy_on(task.core) {
        Policy::FixedPriority => u64::from(task.priority.value),
        Policy::EarliestDeadline => u64::MAX - deadline(task),
    };
    let victim = random.pick(&system.tasks).map_or(0, urgency);
    let leads: Vec<u64> = system
        .tasks
        .iter()
        .zip(&demands)
        .map(|(task, &demand)| match urgency(task) < victim {
            true => random.between(1, demand.max(1)),
            false => 0,
        })
        .collect();
    let common = leads.iter().copied().max().unwrap_or(0);
    Releases::Phased { starts: leads.into_iter().map(|lead| Duration(common - lead)).collect() }
}

/// Each task's execution with all invocations, without the kernel.
pub(crate) fn demands(system: &System) -> Vec<u64> {
    let derived = Derived::of(system);
    let mut methods: Vec<Vec<u64>> =
        system.gates.iter().map(|gate| vec![0; gate.methods.len()]).collect();
    for &(gate, method) in derived.method_order.iter().rev() {
        methods[gate.index()][method] = demand(&system.gate(gate).methods[method].body, &methods);
    }
    system.tasks.iter().map(|task| demand(&task.body, &methods)).collect()
}

fn demand(body: &Body, methods: &[Vec<u64>]) -> u64 {
    let parts = body.steps.iter().map(|step| match step {
        Step::Compute { worst, .. } => worst.ns(),
        Step::Invoke { gate, method: Some(method), .. } => methods[gate.index()][*method],
        Step::Invoke { gate, method: None, .. } => {
            methods[gate.index()].iter().copied().max().unwrap_or(0)
        }
        Step::Emit(_) | Step::Wait(_) => 0,
    });
    parts.fold(0, u64::saturating_add)
}

impl Effort {
    /// `factor` times as many runs of each kind.
    #[must_use]
    pub fn times(self, factor: u64) -> Effort {
        let factor = u32::try_from(factor).unwrap_or(u32::MAX);
        Effort {
            adversarial: self.adversarial.saturating_mul(factor),
            phased: self.phased.saturating_mul(factor),
            drawn: self.drawn.saturating_mul(factor),
            events: self.events,
        }
    }
}
