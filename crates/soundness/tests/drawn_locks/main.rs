//! Drawn systems with lock components, simulated: no bound is exceeded.
//!
//! Each system is written as a description and read as commands read it, then analyzed and run by
//! releases that let tasks ask while others are inside. What is drawn: each kind of lock in each
//! grouping, one store or two and tasks that ask themselves, long sections or next to nothing but
//! asking, sections within each other and calls of stores in them, gates that let one thread in
//! within sections and around them, by priorities, by deadlines, beside gates of the priority
//! ceiling protocol, on one of two cores and below each kind of scheduler. `LOCK_SYSTEMS` says how
//! many systems are drawn, `LOCK_SEED` and `LOCK_FIRST` which; `make soundness` asks for 20,000.

mod by_hand;
mod draw;
mod gates;

use std::collections::BTreeMap;

use draw::{Gates, Order};
use fusee_bounds::{TaskBound, analyze};
use fusee_generate::Random;
use fusee_model::costs::{CostTable, DependencyCosts, ProtocolCosts};
use fusee_model::derived::Derived;
use fusee_model::{Duration, System};
use fusee_sim::{Execution, Options, Releases, simulate};
use fusee_testing::given_or;

/// Runs of each system.
const RUNS: u64 = 12;

fn read(description: &str) -> System {
    fusee_soundness::read("drawn", description)
        .unwrap_or_else(|wrong| panic!("{wrong}\n{description}"))
}

/// Kernels of a third of the systems cost nothing, of the others all paths or a few do.
fn costs(random: &mut Random) -> CostTable {
    let mut table = CostTable::zero("drawn");
    let share = *random.pick(&[0, 30, 100]).expect("one of three");
    let mut path = || match random.chance(share) {
        true => Duration(random.between(0, 30)),
        false => Duration::ZERO,
    };
    let (ask, back) = (path(), path());
    table.invoke = ProtocolCosts::of_each(|_| Some(ask));
    table.return_ = ProtocolCosts::of_each(|_| Some(back));
    (table.release, table.completion, table.inherit_step) = (path(), path(), path());
    (table.block, table.handoff) = (path(), path());
    table.dependencies = Some(DependencyCosts { depend: path(), wake: path() });
    table
}

/// Runs in which some begin while others are inside, the last with everything drawn.
fn runs(random: &mut Random, system: &System, costs: &CostTable) -> Vec<Options> {
    let period = |task: &fusee_model::Task| {
        task.release.as_ref().map_or(0, |release| release.period.value.ns())
    };
    let longest = system.tasks.iter().map(period).max().unwrap_or(1);
    let base = Options {
        duration: Duration(longest * 20),
        most_events: 4_000,
        costs: costs.clone(),
        ..Options::default()
    };
    let all = (0..RUNS).map(|round| {
        let starts = system.tasks.iter().map(|task| match round % 4 {
            0 => random.below(period(task).max(1)),
            1 => random.below(3_000),
            // So that some are due together.
            3 => random.below(2) * 500,
            // The more urgent, the later: each may find the one before inside.
            _ => u64::from(task.priority.value - 10) * random.between(50, 700),
        });
        let starts: Vec<Duration> = starts.map(Duration).collect();
        let releases =
            if round == RUNS - 1 { Releases::Drawn } else { Releases::Phased { starts } };
        let execution = if round % 5 == 4 { Execution::Random } else { Execution::Worst };
        Options { releases, execution, seed: random.bits(), ..base.clone() }
    });
    all.collect()
}

/// The counts of systems drawn and seen.
#[derive(Debug, Default)]
struct Tally {
    tasks: u64,
    bounded: u64,
    /// Bounds where sections may nest.
    nested: u64,
    /// Bounds where gates are within sections or around them.
    gates: u64,
    /// Tasks that less urgent ones held up.
    held_up: u64,
    /// The share of bounds that runs have shown, in per cent, summed.
    shown: u64,
    /// Bounds of which a run has shown four fifths.
    close: u64,
    /// Runs in which two wait for each other.
    circles: u64,
    /// By order and kind.
    orders: BTreeMap<String, u64>,
    /// By kind and grouping.
    systems: BTreeMap<String, u64>,
}

#[test]
fn nobody_waits_longer_for_a_lock_than_bounded() {
    let systems = given_or("LOCK_SYSTEMS", 300);
    let (seed, first) = (given_or("LOCK_SEED", 7), given_or("LOCK_FIRST", 0));
    let (mut by_kernel, mut below) = (Tally::default(), Tally::default());
    for index in first..first + systems {
        let plan = draw::plan(seed, index);
        match plan.order {
            Order::Tree(_) => below.attack(&plan, (seed, index)),
            _ => by_kernel.attack(&plan, (seed, index)),
        }
    }
    println!("{systems} systems: {by_kernel:#?}\nbelow schedulers: {below:#?}");
    by_kernel.assert_telling();
    let Tally { tasks, held_up, .. } = by_kernel;
    assert!(held_up * 2 > tasks, "{by_kernel:?}");
    below.assert_telling();
    // Each kind that an order can have.
    let orders = [by_kernel.orders.len(), below.orders.len()];
    assert!(systems < 200 || orders == [3 + 2 + 2 + 3, 3 + 2 + 3 + 3], "{orders:?}");
    let kinds = by_kernel.systems.len();
    assert!(systems < 1500 || kinds == 3 * (2 + 3 * 2 * 2), "{by_kernel:?}");
}

impl Tally {
    /// Holds the bounds of a system against runs; it is known by a seed and its place.
    fn attack(&mut self, plan: &draw::Plan, (seed, index): (u64, u64)) {
        let system = read(&plan.text);
        let random = &mut Random::new(seed, index);
        // Other tests judge the costs of schedulers' decisions, and of looks at other cores.
        let costs = match plan.order {
            Order::Tree(_) | Order::Cores => CostTable::zero("drawn"),
            _ => costs(random),
        };
        let analysis = analyze(&system, &Derived::of(&system), &costs);
        let mut longest = vec![(Duration::ZERO, Duration::ZERO); system.tasks.len()];
        for options in runs(random, &system, &costs) {
            let what = || format!("system {index} of seed {seed}: {options:?}\n{}", plan.text);
            let outcome = simulate(&system, &options).unwrap_or_else(|e| panic!("{e}\n{}", what()));
            // Two wait for each other only where nobody has a bound.
            let unbounded = analysis.tasks.iter().all(|bound| bound.response().is_none());
            assert!(outcome.refused == 0 || unbounded, "{}", what());
            self.circles += u64::from(outcome.refused > 0);
            for ((bound, seen), task) in analysis.tasks.iter().zip(&mut longest).zip(&outcome.tasks)
            {
                let response = task.latest();
                let within = bound.response().is_none_or(|most| response <= most);
                assert!(within, "{response}: {bound:#?}\n{costs:#?}\n{}", what());
                *seen = (seen.0.max(response), seen.1.max(task.blocking_max));
            }
        }
        self.count(plan, &analysis.tasks, &longest);
    }

    /// Counts the bounds of a system, with the longest responses and blockings seen.
    fn count(&mut self, plan: &draw::Plan, bounds: &[TaskBound], longest: &[(Duration, Duration)]) {
        let nests = if plan.nests { " nested" } else { "" };
        let draw::Plan { order, kind, grouping, gates, .. } = &plan;
        *self.orders.entry(format!("{order:?} {kind}")).or_default() += 1;
        let name = format!("{kind} {grouping:?}{nests}, gates: {gates:?}");
        *self.systems.entry(name).or_default() += 1;
        for (bound, (response, blocking)) in bounds.iter().zip(longest) {
            self.tasks += 1;
            self.held_up += u64::from(*blocking > Duration::ZERO);
            let Some(most) = bound.response() else { continue };
            let share = response.ns() * 100 / most.ns().max(1);
            self.bounded += 1;
            self.nested += u64::from(plan.nests);
            self.gates += u64::from(plan.gates != Gates::None);
            self.shown += share;
            self.close += u64::from(share >= 80);
        }
    }

    /// Asserts that enough has a bound, and that runs come near.
    fn assert_telling(&self) {
        let Tally { tasks, bounded, nested, gates, shown, close, .. } = self;
        assert!(bounded * 2 > *tasks, "{self:?}");
        assert!(nested * 5 > *bounded && gates * 5 > *bounded, "{self:?}");
        assert!(
            *shown > bounded * 15 && *close > 0,
            "bounds are loose, or runs miss them: {self:?}"
        );
    }
}
