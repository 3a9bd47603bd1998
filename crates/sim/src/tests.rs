//! Runs of whole systems.

use crate::{Code, Execution, Options, Recording, Releases, SimError, simulate, simulate_code};
use fusee_generate::{Mix, case};
use fusee_model::{Budget, Duration, Overrun, System};
use fusee_testing::systems::{Builder, compute, sourced};

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

/// Two tasks, of which the first is said to take 1 of each 20 and stopped after 3.
fn limited_pair() -> System {
    let tasks = Builder::default().task(9, 20, &[compute(1)]).task(1, 100, &[compute(6)]);
    let mut system = tasks.system();
    system.tasks[0].budget =
        Some(Budget { amount: sourced(Duration(3)), overrun: Overrun::Suspend });
    system
}

#[test]
fn code_takes_what_the_kernel_lets_it_take_whatever_is_said() {
    let system = limited_pair();
    let mut bodies = system.clone();
    bodies.tasks[0].body.steps = vec![compute(50)];
    let code = Code { bodies: &bodies, faults: Vec::new() };
    let longest = |code: &Code<'_>| {
        let options = Options { duration: Duration(1_000), ..options() };
        let outcome = simulate_code(&system, code, &options).unwrap();
        outcome.tasks[1].responses.longest.ns()
    };
    assert_eq!((longest(&Code::of(&system)), longest(&code)), (7, 9));
}

#[test]
fn a_job_that_faults_ends_and_the_next_one_begins_anew() {
    let system = limited_pair();
    let code = Code { faults: vec![0_usize.into()], ..Code::of(&system) };
    let options = Options { duration: Duration(1_000), ..options() };
    let outcome = simulate_code(&system, &code, &options).unwrap();
    let faulty = &outcome.tasks[0];
    assert_eq!((faulty.jobs, faulty.faults, faulty.crashed, faulty.unfinished), (0, 50, 50, 0));
    assert_eq!((outcome.tasks[1].jobs, outcome.tasks[1].responses.longest.ns()), (10, 7));
}
