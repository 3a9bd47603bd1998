//! A task that never waits suspended runs no later than its release lets it.

use super::*;
use crate::registry::by_name;

/// Tests that charge R - C to who may wait suspended.
const SUSPENDING: [&str; 6] =
    ["mpcp", "mpcp-lp", "mpcp-virtual-spinning", "fmlp-plus", "fmlp-plus-lp", "dpcp"];

#[test]
fn without_resources_each_is_response_time_analysis() {
    let tasks = [(10, 23), (4, 23), (12, 62), (1, 74)];
    let tasks: Vec<Task> =
        tasks.iter().zip((0..4).rev()).map(|(&(c, t), p)| Task::implicit(c, t, p)).collect();
    let plain = set(&tasks, &[&[], &[], &[], &[]]);
    let analysis = bounds(by_name("fp-rta").unwrap(), &plain);
    assert!(analysis.iter().all(Option::is_some));
    for name in SUSPENDING {
        assert_eq!(bounds(by_name(name).unwrap(), &plain), analysis, "{name}");
    }
}

#[test]
fn a_lower_section_delays_steady_tasks_and_comes_back_to_nobody() {
    let tasks = [
        Task::implicit(4, 12, 4),
        Task::implicit(3, 12, 3),
        Task::implicit(4, 40, 2),
        Task::implicit(2, 40, 1).on(1),
    ];
    let mixed = set(&tasks, &[&[], &[], &[(0, 1, 1)], &[(0, 1, 1)]]);
    for name in SUSPENDING.iter().filter(|name| **name != "dpcp") {
        let found = bounds(by_name(name).unwrap(), &mixed);
        assert_eq!(found[..3], [5, 8, 12].map(Some), "{name}");
    }
}

#[test]
fn release_jitter_of_steady_tasks_counts() {
    // w = 5 + 4 ceil((w + 2) / 10): 9 is too short, since 11 hold two jobs.
    let tasks = [Task::implicit(4, 10, 2).with_jitter(2), Task::implicit(5, 40, 1)];
    for name in SUSPENDING {
        let found = bounds(by_name(name).unwrap(), &set(&tasks, &[&[], &[]]));
        assert_eq!(found, [6, 13].map(Some), "{name}");
    }
}

#[test]
fn self_suspension_counts_as_in_the_analysis_without_resources() {
    // Chen et al. 2019: S as jitter would give 12 for the last task, which can take 22.
    let tasks = [
        Task::implicit(1, 2, 3),
        Task::implicit(5, 20, 2).with_suspension(5),
        Task::implicit(1, 50, 1),
    ];
    for name in ["mpcp", "fmlp-plus", "fmlp-plus-lp"] {
        let found = bounds(by_name(name).unwrap(), &set(&tasks, &[&[], &[], &[]]));
        assert_eq!(found, [1, 20, 22].map(Some), "{name}");
    }
}

#[test]
fn all_pending_sections_of_lower_tasks_meet_who_suspends_itself() {
    let tasks = [Task::implicit(2, 20, 2).with_suspension(2), Task::implicit(5, 40, 1)];
    let shared = set(&tasks, &[&[(0, 1, 1)], &[(0, 1, 3)]]);
    // One lower job is pending in 7 ticks.
    for name in ["fmlp-plus", "mpcp"] {
        assert_eq!(bounds(by_name(name).unwrap(), &shared), [2 + 2 + 3, 7].map(Some), "{name}");
    }
    let refused = by_name("dpcp").unwrap().check(&shared).unwrap_err();
    assert_eq!((refused.assumption, refused.task), (crate::Assumption::NoSuspension, 0));
}
