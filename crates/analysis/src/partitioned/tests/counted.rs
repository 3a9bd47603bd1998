//! Sets on which counting requests over the window decides.

use super::*;
use crate::partitioned::msrp::{MsrpClassicEdf, MsrpHolistic};
use crate::registry::by_name;

fn of(name: &str, set: &TaskSet) -> Vec<Option<u64>> {
    bounds(by_name(name).unwrap(), set)
}

#[test]
fn carry_in_goes_by_response_times_under_fmlp_plus() {
    let tasks = [
        Task::implicit(76, 141, 3).on(1),
        Task::implicit(25, 164, 2).on(1),
        Task::implicit(77, 514, 1),
    ];
    let three = set(&tasks, &[&[(0, 2, 3)], &[(0, 2, 2)], &[(0, 1, 16)]]);
    for name in ["fmlp-plus", "fmlp-plus-lp"] {
        // Task 0 waits suspended once, for the one request of task 2: 76 + 16 + 2 * 2.
        assert_eq!(of(name, &three), [96, 117, 82].map(Some), "{name}");
    }
}

#[test]
fn an_agent_on_the_own_core_counts_once_under_dpcp() {
    let tasks = [
        Task::implicit(15, 26, 2).with_deadline(21),
        Task::implicit(5, 54, 1).with_deadline(48).on(1),
    ];
    let two = set(&tasks, &[&[(0, 1, 3)], &[(0, 1, 4)]]);
    assert_eq!(of("dpcp", &two), [19, 8].map(Some));
}

#[test]
fn spin_locks_meet_no_request_twice_in_a_window() {
    let tasks = [
        Task::implicit(50, 184, 2).with_deadline(182),
        Task::implicit(480, 970, 1).with_deadline(956).on(1),
    ];
    let two = set(&tasks, &[&[(0, 2, 16)], &[(0, 2, 18)]]);
    for name in ["spin-unordered", "spin-priority"] {
        assert_eq!(of(name, &two), [86, 544].map(Some), "{name}");
    }
}

#[test]
fn a_short_job_meets_what_comes_while_it_is_pending() {
    let tasks = [
        Task::implicit(8, 53, 3),
        Task::implicit(14, 110, 2),
        Task::implicit(128, 145, 1).with_deadline(140).on(1),
    ];
    let three = set(&tasks, &[&[(0, 2, 1)], &[], &[(0, 1, 1)]]);
    assert_eq!(bounds(&MsrpHolistic, &three), [9, 23, 129].map(Some));
}

#[test]
fn a_core_that_is_exactly_full_keeps_its_deadlines_under_edf() {
    // C' = 3 + 2 and 4 + 1 on periods of 10: the core is full, and nothing blocks beyond a length
    // of 10.
    let tasks = |d| {
        [
            Task::implicit(5, 10, 0).with_deadline(d),
            Task::implicit(4, 10, 0),
            Task::implicit(2, 10, 0).on(1),
        ]
    };
    let requests: [&[(usize, u64, u64)]; 3] = [&[], &[(0, 1, 1)], &[(0, 1, 1)]];
    assert!(accepts(&MsrpClassicEdf, &set(&tasks(10), &requests)));
    assert!(accepts(&MsrpClassicEdf, &set(&tasks(7), &requests)), "5 + 2 <= 7");
    assert!(!accepts(&MsrpClassicEdf, &set(&tasks(6), &requests)), "5 + 2 > 6");
}

#[test]
fn requests_of_several_lengths_for_one_resource_each_wait() {
    // Each of the two requests of task 1 waits for one of the two of task 0.
    let tasks = [Task::implicit(10, 33, 2), Task::implicit(13, 43, 1).with_deadline(40).on(1)];
    let two = set(&tasks, &[&[(0, 2, 5)], &[(0, 1, 3), (0, 1, 1)]]);
    for name in ["fmlp-plus", "fmlp-plus-lp"] {
        assert_eq!(of(name, &two), [10 + 3 + 1, 13 + 5 + 5].map(Some), "{name}");
    }
}

#[test]
fn who_resumes_seldom_meets_lower_sections_seldom() {
    // Of the two requests of task 0 one finds its resource held, by the one request of task 2; so
    // it begins twice, and each time task 1 may have asked for a section before.
    let tasks = [
        Task::implicit(4, 50, 3),
        Task::implicit(10, 500, 1),
        Task::implicit(2, 500, 2).on(1),
        Task::implicit(5, 600, 0).on(1),
    ];
    let four = set(&tasks, &[&[(0, 2, 1)], &[(1, 3, 3)], &[(0, 1, 1)], &[(1, 1, 1)]]);
    for name in ["fmlp-plus", "fmlp-plus-lp"] {
        assert_eq!(of(name, &four)[0], Some(4 + 1 + 1 + 2 * 3), "{name}");
    }
}

#[test]
fn agents_of_the_own_core_let_nobody_else_begin() {
    // Resource 0 is at home on core 0, where task 0 waits for it: the section of task 1 comes once.
    let tasks =
        [Task::implicit(4, 50, 3), Task::implicit(5, 90, 1), Task::implicit(3, 90, 2).on(1)];
    let three = set(&tasks, &[&[(0, 1, 1), (1, 1, 1)], &[(1, 1, 3)], &[(0, 1, 1)]]);
    assert_eq!(of("dpcp", &three)[0], Some(4 + 1 + 3));
}

#[test]
fn a_higher_job_meets_what_comes_while_it_is_pending() {
    let tasks = [
        Task::implicit(31, 314, 3).with_deadline(214),
        Task::implicit(113, 504, 2).on(1),
        Task::implicit(5, 59, 4).on(2),
        Task::implicit(142, 849, 1).with_deadline(569),
    ];
    let four = set(&tasks, &[&[(0, 2, 4)], &[(0, 1, 3)], &[(0, 1, 2)], &[]]);
    assert_eq!(of("spin-unordered", &four), [36, 123, 16, 178].map(Some));
    assert_eq!(of("spin-priority", &four), [36, 123, 9, 178].map(Some));
}

#[test]
fn each_core_has_its_own_limits_under_msrp() {
    // While task 4 is pending, core 3 has fewer requests than in the window of task 2; core 0 has
    // no more in that window than in those of task 4.
    let tasks = [
        Task::implicit(72, 597, 2),
        Task::implicit(48, 167, 5).with_deadline(148).on(1),
        Task::implicit(157, 713, 1).on(2),
        Task::implicit(31, 179, 4).on(3),
        Task::implicit(62, 234, 3).on(2),
    ];
    let requests: [&[(usize, u64, u64)]; 5] = [
        &[(1, 3, 2), (2, 2, 4), (3, 3, 4)],
        &[],
        &[(2, 2, 4), (3, 3, 4)],
        &[(1, 1, 3), (2, 4, 1)],
        &[(1, 4, 2)],
    ];
    let found = bounds(&MsrpHolistic, &set(&tasks, &requests));
    assert_eq!(found, [103, 48, 315, 51, 80].map(Some));
}

#[test]
fn who_stays_on_its_core_is_never_late_under_dpcp() {
    // Resources 1 and 3 are at home on core 1.
    let tasks = [
        Task::implicit(254, 918, 1),
        Task::implicit(24, 110, 4).on(1),
        Task::implicit(27, 150, 3).on(1),
        Task::implicit(34, 180, 2).on(1),
    ];
    let requests: [&[(usize, u64, u64)]; 4] =
        [&[(1, 1, 4), (3, 1, 3)], &[(1, 2, 3), (3, 1, 4)], &[(1, 1, 1), (3, 1, 2)], &[(3, 1, 4)]];
    assert!(of("dpcp", &set(&tasks, &requests))[3] <= Some(110));
}

#[test]
fn a_lower_agent_of_the_own_core_comes_once_under_dpcp() {
    let tasks = [
        Task::implicit(185, 572, 2).with_deadline(491),
        Task::implicit(193, 788, 1).on(1),
        Task::implicit(69, 138, 3).on(1),
    ];
    let three = set(&tasks, &[&[(1, 1, 2)], &[(1, 3, 3)], &[]]);
    assert_eq!(of("dpcp", &three)[2], Some(69 + 2 + 3));
}

#[test]
fn an_agent_that_has_started_waits_for_nobody_below_the_ceiling() {
    let tasks = [Task::implicit(50, 91, 2), Task::implicit(24, 241, 1).with_deadline(204).on(2)];
    // Of task 0, which takes 73, one job is pending within 1 tick, until the section starts, and
    // two within 24, until it ends.
    let two = set(&tasks, &[&[(1, 1, 1)], &[(1, 1, 23)]]);
    assert_eq!(of("dpcp", &two), [73, 25].map(Some));
}

#[test]
fn mpcp_waits_go_by_response_times_in_the_program() {
    let tasks = [Task::implicit(37, 51, 2), Task::implicit(48, 70, 1).on(1)];
    assert_eq!(of("mpcp-lp", &set(&tasks, &[&[(0, 1, 1)], &[(0, 1, 1)]])), [38, 49].map(Some));
    // A lower task of the core delays at the release and once more, in whatever way.
    let tasks = [
        Task::implicit(21, 157, 3),
        Task::implicit(133, 776, 1).on(1),
        Task::implicit(100, 407, 2).with_deadline(390),
    ];
    let three = set(&tasks, &[&[(0, 1, 3)], &[(0, 1, 1)], &[(0, 3, 3)]]);
    assert_eq!(of("mpcp-lp", &three)[0], Some(21 + 1 + 2 * 3));
}

#[test]
fn a_job_meets_of_a_lower_user_no_more_than_is_pending_with_it() {
    // While task 1 is pending, task 2 has one job with two requests; in the window of task 3 two.
    let tasks = [
        Task::implicit(332, 949, 1).with_deadline(644),
        Task::implicit(74, 468, 3),
        Task::implicit(237, 400, 2).with_deadline(390).on(1),
        Task::implicit(100, 900, 0).on(2),
    ];
    let four = set(&tasks, &[&[], &[(0, 3, 3)], &[(0, 2, 2)], &[(0, 1, 1)]]);
    assert_eq!(of("spin-priority", &four)[0], Some(332 + 74 + 2 * 2 + 1));
}

#[test]
fn waits_under_mpcp_meet_no_section_twice() {
    // Of the two requests of task 0 one waits for the 3 and one for the 1 of task 1's only job.
    let tasks = [Task::implicit(10, 100, 2), Task::implicit(13, 200, 1).with_deadline(190).on(1)];
    let several = set(&tasks, &[&[(0, 2, 5)], &[(0, 1, 3), (0, 1, 1)]]);
    // Each of the two of task 1 may meet both of the one job of task 0, but there are two.
    assert_eq!(of("mpcp", &several), [10 + 3 + 1, 13 + 2 * 5].map(Some));
    // A remote section counts with what preempts it: task 2 keeps task 1 from its end once.
    let tasks = [
        Task::implicit(4, 50, 4),
        Task::implicit(2, 500, 2).on(1),
        Task::implicit(6, 60, 3).on(1),
        Task::implicit(1, 500, 5).on(2),
    ];
    let preempted = set(&tasks, &[&[(0, 2, 1)], &[(0, 1, 1)], &[(1, 2, 3)], &[(1, 1, 1)]]);
    assert_eq!(of("mpcp", &preempted)[0], Some(4 + 1 + 3));
}

#[test]
fn windows_count_for_those_who_do_not_rest_on_a_late_task() {
    // Task 2 is late for its own sake; the others meet what is pending in their windows.
    let tasks = [
        Task::implicit(4, 50, 3),
        Task::implicit(6, 500, 2).on(1),
        Task::implicit(40, 45, 1).on(1).with_deadline(41),
    ];
    let late = set(&tasks, &[&[(0, 2, 1)], &[(0, 1, 6)], &[]]);
    assert_eq!(of("mpcp", &late), [Some(4 + 6), Some(6 + 2), None]);
}
