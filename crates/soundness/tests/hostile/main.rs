//! Whatever code does that is not trusted, no honest task is late.
//!
//! Each system is drawn as a description, read as commands read it, and bounded. Then the code of
//! the components that are not trusted is replaced: it executes without end, calls every gate,
//! emits and awaits every event that it may, in storms, and faults. The kernel keeps the tables of
//! the description. Bounds of honest tasks must hold all the same, but for those of which is told
//! that they rest on what is said of such code.
//! `HOSTILE_SYSTEMS` says how many systems are drawn; then the seed is a fresh one, unless
//! `HOSTILE_SEED` gives it. `HOSTILE_FIRST` is the first one's number, so that a single one can be
//! run again; `make soundness` asks for 2,000.

mod code;
mod tally;

use code::{Hostile, hostile};
use fusee_bounds::{Analysis, analyze};
use fusee_generate::Random;
use fusee_model::costs::{CoreCosts, CostTable, ProtocolCosts};
use fusee_model::derived::Derived;
use fusee_model::{Duration, Policy, System, Task};
use fusee_sim::{Code, Execution, Options, Outcome, Releases, simulate_code};
use fusee_soundness::hostile::{Drawn, Honest, Shape, drawn, honest};
use fusee_testing::Campaign;
use tally::Tally;

/// All that there is.
const SHAPE: Shape = Shape { cores: &[1, 1, 2, 4], all_policies: true, shortest: 2_000 };

/// In `make test`.
const FEW: u64 = 120;
/// The seed of the systems.
const SEED: u64 = 20_261_129;

/// Kernels of half of the systems cost nothing; of the others all paths do. What schedulers take is
/// theirs, and costs nothing here.
fn costs(random: &mut Random, drawn: &Drawn) -> CostTable {
    let mut table = CostTable::zero("drawn");
    table.also = Some(Policy::EarliestDeadline);
    if drawn.root.is_some() || random.chance(50) {
        return table;
    }
    let mut path = || Duration(random.between(100, 4_000));
    (table.release, table.completion, table.budget_end) = (path(), path(), path());
    (table.signal, table.wake, table.wait, table.block) = (path(), path(), path(), path());
    (table.handoff, table.inherit_step, table.fault) = (path(), path(), path());
    let (into, back) = (path(), path());
    table.invoke = ProtocolCosts::of_each(|_| Some(into));
    table.return_ = ProtocolCosts::of_each(|_| Some(back));
    let (lock, look, lose, gain, pass) = (path(), path(), path(), path(), path());
    let others = table.cores.unwrap_or_default();
    table.cores = Some(CoreCosts { lock, look, lose, gain, pass, ..others });
    table
}

/// Runs with all together, and with other starts.
fn runs(random: &mut Random, system: &System, costs: &CostTable) -> Vec<Options> {
    let period = |task: &Task| task.release.as_ref().map_or(0, |own| own.period.value.ns());
    let longest = system.tasks.iter().map(period).max().unwrap_or(1).max(1);
    let base = Options {
        duration: Duration(longest * 15),
        most_events: 30_000,
        costs: costs.clone(),
        execution: Execution::Worst,
        ..Options::default()
    };
    let mut runs = vec![base.clone()];
    for _ in 0..3 {
        let starts = system.tasks.iter().map(|task| Duration(random.between(0, period(task))));
        let releases = Releases::Phased { starts: starts.collect() };
        runs.push(Options { releases, seed: random.bits(), ..base.clone() });
    }
    runs
}

/// A system with what is promised of it.
struct Promise {
    system: System,
    analysis: Analysis,
    /// For each task, what is to be held of it.
    honest: Vec<Honest>,
}

impl Promise {
    fn of(system: System, drawn: &Drawn, costs: &CostTable) -> Self {
        let analysis = analyze(&system, &Derived::of(&system), costs);
        let honest = honest(drawn, &system, &analysis);
        Self { system, analysis, honest }
    }

    /// Holds one run against the bounds; what is wrong.
    fn judge(&self, outcome: &Outcome, tally: &mut Tally) -> Vec<String> {
        let mut wrong = Vec::new();
        let tasks = self.system.tasks.iter().zip(&outcome.tasks).zip(&self.analysis.tasks);
        for (((task, seen), bounds), honest) in tasks.zip(&self.honest) {
            let name = &task.name;
            if *honest == Honest::Hostile {
                tally.saw_hostile(seen, bounds.wcet);
                continue;
            }
            if !honest.is_held() {
                continue;
            }
            let Some(bound) = bounds.response() else { continue };
            let longest = seen.latest();
            tally.saw_honest(longest, bound);
            if longest > bound {
                wrong.push(format!("`{name}` took {longest}, its bound is {bound}"));
            }
            // Who is late signals too often at once.
            let refused = if seen.misses == 0 { seen.refused } else { 0 };
            if (seen.faults, refused, seen.crashed) != (0, 0, 0) {
                wrong.push(format!("`{name}` did not do what it does: {seen:?}"));
            }
            // Signals that come too often are lost, not releases by the clock.
            if seen.lost > 0 && task.release_event().is_none() {
                wrong.push(format!("`{name}` lost {} releases", seen.lost));
            }
        }
        wrong
    }

    /// Runs the system with hostile code in several ways, until something is wrong.
    fn attack(&self, random: &mut Random, costs: &CostTable, tally: &mut Tally) -> Vec<String> {
        for options in runs(random, &self.system, costs) {
            let Hostile { bodies, faults } = hostile(&self.system, random);
            let code = Code { bodies: &bodies, faults };
            let outcome = simulate_code(&self.system, &code, &options);
            let wrong = self.judge(&outcome.expect("it is simulated"), tally);
            if !wrong.is_empty() {
                return wrong;
            }
        }
        Vec::new()
    }
}

#[test]
fn no_honest_task_is_later_than_its_bound() {
    let campaign = Campaign::asked("HOSTILE_SYSTEMS", "HOSTILE", (FEW, SEED));
    let seed = campaign.seed;
    println!("{campaign:?}");
    let (mut tally, mut broken) = (Tally::default(), Vec::new());
    for index in campaign.systems() {
        let drawn = drawn(SHAPE, seed, index);
        let random = &mut Random::new(seed ^ 0xbad, index);
        let system = match fusee_soundness::read("drawn", &drawn.text) {
            Ok(system) => system,
            Err(why) => {
                if tally.refuse(&why) {
                    println!("system {index} of seed {seed}:\n{}\n  {why}", drawn.text);
                }
                continue;
            }
        };
        let costs = costs(random, &drawn);
        let promise = Promise::of(system, &drawn, &costs);
        tally.drew(&drawn, &promise.honest);
        for (bounds, honest) in promise.analysis.tasks.iter().zip(&promise.honest) {
            tally.saw_obstacle(bounds, *honest);
        }
        let wrong = promise.attack(random, &costs, &mut tally);
        if !wrong.is_empty() {
            println!("system {index} of seed {seed}:\n{}\n  {}", drawn.text, wrong.join("\n  "));
            broken.push(index);
        }
    }
    println!("{tally:#?}");
    assert!(
        broken.is_empty(),
        "of seed {seed}, systems {broken:?}: again by HOSTILE_SEED, HOSTILE_FIRST, HOSTILE_SYSTEMS"
    );
    if campaign.count >= FEW {
        tally.assert_worth_its_while();
    }
}
