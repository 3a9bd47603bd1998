//! The examples: no miss where none is promised, nothing above a bound.

use fusee_bounds::{Analysis, analyze};
use fusee_generate::Random;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, System};
use fusee_sim::{Execution, Options, Outcome, Releases, simulate};
use std::path::Path;

fn system(name: &str) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let reading = fusee_adl::read(&path, &fusee_adl::Options::default());
    reading.system.unwrap_or_else(|| panic!("{name}: {:?}", reading.diagnostics))
}

/// Returns a synchronous run, a drawn one, and four with phases drawn.
fn runs(system: &System, seconds: u64) -> impl Iterator<Item = Outcome> {
    let synchronous = Options { duration: Duration(seconds * 1_000_000_000), ..Options::default() };
    let drawn =
        Options { releases: Releases::Drawn, execution: Execution::Random, ..synchronous.clone() };
    let mut random = Random::new(6, 0);
    let phased = (0..4).map(|_| {
        let starts = system.tasks.iter().map(|_| Duration(random.between(0, 100_000_000)));
        Options { releases: Releases::Phased { starts: starts.collect() }, ..synchronous.clone() }
    });
    let all: Vec<Options> = phased.chain([drawn]).collect();
    [synchronous]
        .into_iter()
        .chain(all)
        .map(|options| simulate(system, &options).expect("the example can be run"))
}

fn hold(name: &str, analysis: &Analysis, outcome: &Outcome) {
    assert_eq!(outcome.refused, 0, "{name}");
    for (task, seen) in analysis.tasks.iter().zip(&outcome.tasks) {
        let observed = seen.latest();
        assert!(
            task.response().is_none_or(|bound| observed <= bound),
            "{name}: {task:?} was seen to take {observed}"
        );
        assert!(
            !task.is_schedulable() || seen.misses == 0,
            "{name}: {} misses of {task:?}",
            seen.misses
        );
    }
}

#[test]
fn nested_configurations_keep_their_deadlines_for_a_hundred_seconds() {
    for number in 1..=4 {
        let name = format!("nested/config{number}.camkes");
        let system = system(&name);
        let analysis = analyze(&system, &Derived::of(&system), &CostTable::zero("sim"));
        let mut contended = 0;
        for outcome in runs(&system, 100) {
            assert_eq!(outcome.elapsed, Duration(100_000_000_000));
            assert!(outcome.tasks.iter().all(|task| task.jobs > 0), "{name}");
            contended += outcome.gates.iter().map(|gate| gate.contended).sum::<u64>();
            assert!(!analysis.is_schedulable() || outcome.misses() == 0, "{name}");
            hold(&name, &analysis, &outcome);
        }
        assert!(contended > 0, "{name}: nobody ever waits");
    }
}

#[test]
fn pathfinder_misses_with_fifo_and_not_with_inheritance() {
    for (name, schedulable) in
        [("pathfinder/fifo.camkes", false), ("pathfinder/inherited.camkes", true)]
    {
        let system = system(name);
        let analysis = analyze(&system, &Derived::of(&system), &CostTable::zero("sim"));
        assert_eq!(analysis.is_schedulable(), schedulable, "{name}");
        for outcome in runs(&system, 20) {
            hold(name, &analysis, &outcome);
        }
        let synchronous = runs(&system, 20).next().expect("one of two runs");
        assert_eq!(
            synchronous.misses() == 0,
            schedulable,
            "{name}: {} misses",
            synchronous.misses()
        );
    }
}

#[test]
fn the_engine_keeps_its_bounds() {
    let system = system("engine/engine.camkes");
    let analysis = analyze(&system, &Derived::of(&system), &CostTable::zero("sim"));
    assert!(analysis.tasks.iter().any(|task| task.response().is_some()));
    for outcome in runs(&system, 20) {
        hold("engine", &analysis, &outcome);
    }
}
