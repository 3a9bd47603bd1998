//! Programs in full against optima without a solver, and against sums.

use proptest::prelude::*;

use super::arbitrary::any_set;
use super::*;
use crate::linear::Program;
use crate::partitioned::fmlp::{FmlpPlus, FmlpPlusLinear};
use crate::partitioned::layout::{Access, Layout};
use crate::partitioned::mpcp::{Mpcp, MpcpLinear};
use crate::partitioned::msrp::fifo_spin_delay;
use crate::partitioned::window::jobs;

/// The program for FIFO spin locks in full: waiting and arrival blocking of one task in a window.
fn fifo_program(set: &TaskSet, i: usize, window: u64, reach: &[u64]) -> Program {
    let layout = Layout::new(set);
    let tasks = set.tasks();
    let mut program = Program::default();
    let mut choice = Vec::new();
    for q in 0..set.resources() {
        let users = layout.users(q);
        let released = |j: usize| if i == j { 1 } else { jobs(window, tasks[j].jitter, tasks[j].period) };
        let level = |a: &&Access| a.core == tasks[i].core && tasks[a.task].priority >= tasks[i].priority;
        let own: u64 = users.iter().filter(level).map(|a| released(a.task) * a.count).sum();
        let lower = users.iter().filter(|a| a.core == tasks[i].core && tasks[a.task].priority < tasks[i].priority);
        let chosen = program.variable(0, 1);
        let blocks = layout.is_global(q) || layout.ceiling(q, tasks[i].core) >= Some(tasks[i].priority);
        let blocker: Vec<usize> = lower.filter(|_| blocks).map(|a| program.variable(a.length, 1)).collect();
        if blocker.is_empty() {
            program.at_most(vec![(chosen, 1)], 0);
        }
        program.at_most(blocker.into_iter().map(|v| (v, 1)).chain([(chosen, -1)]).collect(), 0);
        choice.push((chosen, 1));
        for core in layout.users_by_core(q).filter(|users| users[0].core != tasks[i].core) {
            let (mut spin, mut arrival) = (Vec::new(), vec![(chosen, -1)]);
            for a in core {
                let supply = jobs(window, reach[a.task], tasks[a.task].period) * a.count;
                let (s, b) = (program.variable(a.length, supply), program.variable(a.length, supply));
                program.at_most(vec![(s, 1), (b, 1)], supply);
                spin.push((s, 1));
                arrival.push((b, 1));
            }
            program.at_most(spin, own);
            program.at_most(arrival, 0);
        }
    }
    program.at_most(choice, 1);
    program
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn fifo_spin_delay_is_the_optimum_of_its_program(tasks in any_set(), which in 0_usize..8, window in 1_u64..200) {
        let i = which % tasks.tasks().len();
        let reach: Vec<u64> = tasks.tasks().iter().map(|t| t.deadline).collect();
        let direct = fifo_spin_delay(&tasks, i, window, &reach);
        prop_assert_eq!(fifo_program(&tasks, i, window, &reach).bound(), direct);
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
    // Two requests; the other task has one in any window, the sums charge it twice.
    let tasks = [Task::implicit(4, 50, 2), Task::implicit(6, 500, 1).on(1)];
    let rare = set(&tasks, &[&[(0, 2, 1)], &[(0, 1, 6)]]);
    assert_eq!([bounds(&FmlpPlus, &rare)[0], bounds(&FmlpPlusLinear, &rare)[0]], [Some(16), Some(16)]);
    let closer = set(&[tasks[0], tasks[1].with_deadline(100)], &[&[(0, 2, 1)], &[(0, 1, 6)]]);
    assert_eq!([bounds(&FmlpPlus, &closer)[0], bounds(&FmlpPlusLinear, &closer)[0]], [Some(16), Some(10)]);
    assert_eq!([bounds(&Mpcp, &closer)[0], bounds(&MpcpLinear, &closer)[0]], [Some(16), Some(10)]);
}
