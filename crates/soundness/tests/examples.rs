//! The examples: no miss where none is promised, nothing above a bound.

use fusee_bounds::{Analysis, analyze, analyze_at_offsets};
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

fn offset(system: &mut System, name: &str, microseconds: u64) {
    let task = system.tasks.iter_mut().find(|task| task.name == name).expect("a task");
    task.release.as_mut().expect("a release").offset = Duration(microseconds * 1_000);
}

/// Returns the reaction of the brake's first chain for all offsets, with its own, and as a run
/// shows it.
fn brake(change: impl Fn(&mut System)) -> [Duration; 3] {
    let mut system = system("offsets/brake.camkes");
    change(&mut system);
    let (derived, costs) = (Derived::of(&system), CostTable::zero("sim"));
    let anywhere = analyze(&system, &derived, &costs);
    let known = analyze_at_offsets(&system, &derived, &costs);
    let duration = Duration(1_000_000_000);
    let options = Options { releases: Releases::Drawn, duration, ..Options::default() };
    let outcome = simulate(&system, &options).expect("the example can be run");
    hold("brake", &known, &outcome);
    let reactions = outcome.chains.iter().zip(&known.chains);
    for (seen, bound) in reactions {
        assert!(seen.reactions > 10 && bound.reaction.is_ok_and(|most| seen.reaction_max <= most));
        assert!(bound.age.is_ok_and(|most| seen.age_max <= most), "{bound:?}");
    }
    let bound = |analysis: &Analysis| analysis.chains[0].reaction.expect("a bound");
    [bound(&anywhere), bound(&known), outcome.chains[0].reaction_max]
}

#[test]
fn the_brake_answers_as_its_offsets_say() {
    let microseconds = |times: [u64; 3]| times.map(|time| Duration(time * 1_000));
    // A change just behind a wheel's reading at 0 is read at 5,000; the speed is made of it from
    // 7,000, slip reads that at 11,000, and the actuator moves from 16,000 to 16,240.
    assert_eq!(brake(|_| {}), microseconds([22_200, 16_240, 16_240]));
    // With slip behind the speed, and the actuator behind slip, nothing waits for another round.
    let laid_out = |system: &mut System| {
        offset(system, "slip", 2_400);
        offset(system, "actuator", 3_200);
    };
    assert_eq!(brake(laid_out), microseconds([22_200, 8_440, 8_440]));
    // A tenth of a millisecond too early, slip misses the speed: a period more.
    let too_early = |system: &mut System| {
        offset(system, "slip", 2_200);
        offset(system, "actuator", 3_200);
    };
    assert_eq!(brake(too_early), microseconds([22_200, 13_440, 13_440]));
}
