//! Programs in full against optima without a solver, and against sums.

use proptest::prelude::*;

use super::arbitrary::any_set;
use super::*;
use crate::linear::Program;
use crate::partitioned::fmlp::{FmlpPlus, FmlpPlusLinear};
use crate::partitioned::mpcp::{Mpcp, MpcpLinear};
use crate::partitioned::programs::Delay;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_tests_use_is_the_optimum_of_the_program(
        tasks in any_set(),
        which in 0_usize..8,
        window in 1_u64..200,
    ) {
        for delay in Delay::ALL {
            let count =
                if delay == Delay::FifoSpinEdf { tasks.cores() } else { tasks.tasks().len() };
            let program = delay.program(&tasks, which % count, window);
            let optimum = program.as_ref().and_then(Program::bound);
            prop_assert_eq!(
                optimum,
                delay.bound(&tasks, which % count, window),
                "{:?}: {:?}",
                delay,
                program,
            );
            prop_assert!(program.is_some() || delay == Delay::Mpcp);
            prop_assert!(delay.program(&tasks, count, window).is_none());
            prop_assert!(delay.bound(&tasks, count, window).is_none());
        }
    }

    #[test]
    fn programs_are_never_worse_than_sums(tasks in any_set()) {
        let pairs: [(&dyn SchedulabilityTest, &dyn SchedulabilityTest); 2] =
            [(&MpcpLinear, &Mpcp), (&FmlpPlusLinear, &FmlpPlus)];
        for (program, sum) in pairs {
            let (program, sum) = (bounds(program, &tasks), bounds(sum, &tasks));
            if sum.iter().all(Option::is_some) {
                for (p, s) in program.iter().zip(&sum) {
                    prop_assert!(p.is_some_and(|p| Some(p) <= *s), "{program:?} {sum:?}");
                }
            }
        }
    }
}

#[test]
fn a_task_that_comes_seldom_delays_only_once() {
    // Two requests; the other task has one in any window.
    let tasks = [Task::implicit(4, 50, 2), Task::implicit(6, 500, 1).on(1)];
    let rare = set(&tasks, &[&[(0, 2, 1)], &[(0, 1, 6)]]);
    assert_eq!(
        [bounds(&FmlpPlus, &rare)[0], bounds(&FmlpPlusLinear, &rare)[0]],
        [Some(10), Some(10)]
    );
    let closer = set(&[tasks[0], tasks[1].with_deadline(100)], &[&[(0, 2, 1)], &[(0, 1, 6)]]);
    assert_eq!([bounds(&Mpcp, &closer)[0], bounds(&MpcpLinear, &closer)[0]], [Some(10), Some(10)]);
}

#[test]
fn who_delays_indirectly_does_so_once_for_each_who_delays_directly() {
    // Task 1 holds resource 0 once in the window; so task 2 keeps it from going on once, not twice.
    let tasks = [
        Task::implicit(4, 50, 4),
        Task::implicit(2, 500, 3).on(1),
        Task::implicit(6, 60, 2).on(1),
        Task::implicit(1, 500, 1).on(2),
    ];
    let seldom = set(&tasks, &[&[(0, 2, 1)], &[(0, 1, 1)], &[(1, 2, 3)], &[(1, 1, 1)]]);
    for test in [&FmlpPlus as &dyn SchedulabilityTest, &FmlpPlusLinear] {
        assert_eq!(bounds(test, &seldom)[0], Some(4 + 1 + 3), "{}", test.metadata().name);
    }
}
