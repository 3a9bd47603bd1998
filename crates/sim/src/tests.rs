//! Runs of whole systems.

use crate::{Execution, Options, Recording, Releases, SimError, simulate};
use fusee_generate::{Mix, case};
use fusee_model::Duration;

fn options() -> Options {
    Options { duration: Duration(1_000_000_000), most_events: 2_000, ..Options::default() }
}

#[test]
fn same_options_give_the_same_outcome() {
    let window = Recording::Window { from: Duration::ZERO, to: Duration(1_000_000_000) };
    for index in 0..50 {
        let case = case(&Mix::default(), 4, index);
        for (releases, execution) in
            [(Releases::Synchronous, Execution::Worst), (Releases::Drawn, Execution::Random)]
        {
            let options = Options {
                releases,
                execution,
                costs: case.costs.clone(),
                recording: window,
                ..options()
            };
            let outcome = simulate(&case.system, &options);
            assert_eq!(outcome, simulate(&case.system, &options));
            assert!(
                outcome.is_ok_and(|outcome| outcome.refused == 0 && outcome.elapsed.ns() > 0),
                "case {index}"
            );
        }
    }
}

#[test]
fn a_task_without_wcet_is_named() {
    let mut system = case(&Mix { tasks: (2, 2), ..Mix::default() }, 4, 0).system;
    system.tasks[1].body.wcet_origin = None;
    let expected = SimError::NoWcet { task: 1_usize.into(), body: "t1".into() };
    assert_eq!(simulate(&system, &options()), Err(expected));
}

#[test]
fn a_system_in_which_nothing_happens_ends() {
    let mut system = case(&Mix { tasks: (1, 1), ..Mix::default() }, 4, 1).system;
    system.tasks.clear();
    let outcome = simulate(&system, &options()).unwrap();
    assert_eq!((outcome.events, outcome.elapsed), (0, Duration(1_000_000_000)));
}

#[test]
fn absurd_numbers_end_and_do_not_overflow() {
    for index in 0..60 {
        let mut case = case(&Mix { costs: 100, ..Mix::default() }, 8, index);
        case.costs.release = Duration(u64::MAX / 2);
        case.costs.invoke.set(fusee_model::Protocol::Inherited, Duration(u64::MAX));
        for task in &mut case.system.tasks {
            if let Some(release) = &mut task.release {
                release.jitter.value = Duration(u64::MAX);
                release.offset = Duration(u64::MAX - 1);
            }
        }
        for releases in [Releases::Synchronous, Releases::Drawn] {
            let duration = Duration(u64::MAX);
            let options = Options { duration, releases, costs: case.costs.clone(), ..options() };
            assert!(
                simulate(&case.system, &options).is_ok_and(|outcome| outcome.events <= 2_001),
                "case {index}"
            );
        }
    }
}
