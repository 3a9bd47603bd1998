//! Each protocol on small sets by hand.

use super::*;
use crate::partitioned::dpcp::{Dpcp, WrongHomes};
use crate::partitioned::fmlp::{FmlpPlus, FmlpPlusEdf};
use crate::partitioned::mpcp::{Mpcp, MpcpVirtualSpinning};
use crate::partitioned::mrsp::{Helping, Mrsp2013, Mrsp2017, MrspNested};
use crate::partitioned::omlp::{OmlpDonation, OmlpDonationEdf, OmlpToken};
use crate::partitioned::ordered_spin::{PrioritySpinLock, UnorderedSpinLock};
use crate::partitioned::phase_fair::PhaseFair;

/// Three cores, one task each, priorities 3, 2, 1; all request resource 0 once, for 1, 2 and 4.
fn three() -> TaskSet {
    let tasks =
        [Task::implicit(5, 30, 3), Task::implicit(5, 40, 2).on(1), Task::implicit(5, 60, 1).on(2)];
    set(&tasks, &[&[(0, 1, 1)], &[(0, 1, 2)], &[(0, 1, 4)]])
}

#[test]
fn suspending_locks_on_three_cores() {
    // MPCP: 4; 4 + 1; 1 + 2: each of the others once in the window.
    assert_eq!(bounds(&Mpcp, &three()), [9, 10, 8].map(Some));
    // With turns as at a spin lock the same.
    assert_eq!(bounds(&MpcpVirtualSpinning, &three()), [9, 10, 8].map(Some));
    // FMLP+: one request of each other task.
    assert_eq!(bounds(&FmlpPlus, &three()), [11, 10, 8].map(Some));
    // DPCP: the resource is on core 0: the agents of tasks 1 and 2 run above task 0, and whether it
    // waits for them or is preempted, once each. Task 1 waits for one lower and one higher section.
    assert_eq!(bounds(&Dpcp::default(), &three()), [5 + 2 + 4, 5 + 4 + 1, 5 + 1 + 2].map(Some));
    assert_eq!(bounds(&Dpcp { homes: Some(vec![2]) }, &three())[0], Some(4 + 5));
}

#[test]
fn home_cores_that_are_none_are_refused() {
    let [missing, outside] = [vec![], vec![3]].map(|homes| Dpcp { homes: Some(homes) });
    assert_eq!(missing.fits(&three()), Err(WrongHomes::Missing { named: 0, all: 1 }));
    let wrong = WrongHomes::Outside { resource: 0, core: 3, cores: 3 };
    assert_eq!(outside.fits(&three()), Err(wrong));
    for test in [missing, outside] {
        let refused = test.check(&three()).unwrap_err().to_string();
        assert!(refused.ends_with("one for each resource, which the given ones are not"));
        // Asked all the same, it promises nothing.
        assert_eq!(test.response_times(&three()), Some(vec![None; 3]));
        assert!(!test.decide(&three()).is_schedulable());
    }
    assert!(Dpcp { homes: Some(vec![2]) }.check(&three()).is_ok());
}

#[test]
fn a_lower_job_has_the_turn_first_and_a_local_section_after_each_wait() {
    // Task 1 has the turn and waits for task 2 (10); then its section (3), and task 3's (1).
    let tasks = [
        Task::implicit(5, 100, 3),
        Task::implicit(20, 200, 1),
        Task::implicit(30, 300, 2).on(1),
        Task::implicit(9, 400, 0).on(2),
    ];
    let turn = set(&tasks, &[&[(0, 1, 1)], &[(1, 1, 3)], &[(1, 1, 10)], &[(0, 1, 1)]]);
    assert_eq!(bounds(&MpcpVirtualSpinning, &turn)[0], Some(5 + 10 + 3 + 1));
    // Resource 1 is local: task 1 holds it at the release and when task 0 resumes.
    let two = [tasks[0], tasks[1], tasks[2]];
    let local = set(&two, &[&[(0, 1, 1), (1, 1, 1)], &[(1, 2, 3)], &[(0, 1, 5)]]);
    assert_eq!(bounds(&MpcpVirtualSpinning, &local)[0], Some(5 + 5 + 2 * 3));
}

#[test]
fn spin_locks_on_three_cores() {
    // By priority: 4; 4 + 1; 1 + 2. In no order each other request comes first once.
    assert_eq!(bounds(&PrioritySpinLock, &three()), [9, 10, 8].map(Some));
    assert_eq!(bounds(&UnorderedSpinLock, &three()), [5 + 6, 5 + 5, 5 + 3].map(Some));
}

/// The same, where the tasks in `readers` only read.
fn with_readers(readers: &[usize]) -> TaskSet {
    let list = |i| three().requests(i).iter().cloned().map(|r| (i, r)).collect::<Vec<_>>();
    let kind = |(i, r): (usize, Request)| if readers.contains(&i) { r.reading() } else { r };
    let requests = (0..3).map(|i| list(i).into_iter().map(kind).collect()).collect();
    three().with_requests(requests).unwrap()
}

#[test]
fn readers_and_one_writer_take_turns() {
    // The reader of 4, the writer of 2, then task 0. The writer comes second. Task 2 waits for 1
    // and 2.
    assert_eq!(bounds(&PhaseFair, &with_readers(&[0, 2])), [5 + 6, 5 + 4, 5 + 3].map(Some));
    // Task 0 reads before one writer, in no phase of readers. The writers: one of each other core.
    assert_eq!(bounds(&PhaseFair, &with_readers(&[0])), [5 + 4, 5 + 5, 5 + 3].map(Some));
    // Writers alone are served in order, and readers alone do not wait.
    assert_eq!(bounds(&PhaseFair, &three()), [11, 10, 8].map(Some));
    assert_eq!(bounds(&PhaseFair, &with_readers(&[0, 1, 2])), [5, 5, 5].map(Some));
    // Who does not know readers lets everybody exclude everybody.
    let msrp = crate::partitioned::msrp::MsrpHolistic;
    assert_eq!(bounds(&msrp, &with_readers(&[0, 2])), [11, 10, 8].map(Some));
}

#[test]
fn a_window_meets_no_reader_twice() {
    // Two writes of task 0 meet the two reads of task 1, not twice the longer one.
    let tasks = [Task::implicit(6, 50, 2), Task::implicit(9, 100, 1).on(1)];
    let requests = vec![
        vec![Request::new(0, 2, 1)],
        vec![Request::new(0, 1, 5).reading(), Request::new(0, 1, 2).reading()],
    ];
    let two = TaskSet::new(tasks.to_vec()).unwrap().with_requests(requests).unwrap();
    assert_eq!(bounds(&PhaseFair, &two), [6 + 5 + 2, 9 + 1 + 1].map(Some));
}

#[test]
fn mrsp_costs_a_section_for_each_core() {
    // Three cores, longest section 4: each request costs 12.
    assert_eq!(bounds(&Mrsp2013::default(), &three()), [4 + 12, 3 + 12, 1 + 12].map(Some));
    assert_eq!(bounds(&Mrsp2017::default(), &three()), [4 + 12, 3 + 12, 1 + 12].map(Some));
    // A section of 4 moves at most ceil(4 / 2) + 1 = 3 times, and a holder that moved here
    // blocks 3.
    let helping = Helping { migration: 1, non_preemptive: 2 };
    assert_eq!(bounds(&Mrsp2013 { helping }, &three())[0], Some(4 + 3 * 7 + 3));
    assert_eq!(bounds(&Mrsp2017 { helping }, &three())[0], Some(4 + 3 * 7 + 3));
    let endless = Helping { migration: 1, non_preemptive: 0 };
    assert_eq!(bounds(&Mrsp2017 { helping: endless }, &three())[0], None);
    // Without nesting, the lengths of each core count.
    assert_eq!(bounds(&MrspNested, &three()), [5 + 6, 5 + 5, 5 + 3].map(Some));
}

#[test]
fn chains_of_nested_sections_count() {
    // Task 1 holds 0 while it waits for 1, which task 2 holds: task 0 waits for both.
    let tasks =
        [Task::implicit(3, 50, 3), Task::implicit(6, 50, 2).on(1), Task::implicit(7, 50, 1).on(2)];
    let nested = Request::new(0, 1, 3).with_nested(vec![Request::new(1, 1, 2)]);
    let requests = vec![vec![Request::new(0, 1, 1)], vec![nested], vec![Request::new(1, 1, 5)]];
    let chain = TaskSet::new(tasks.to_vec()).unwrap().with_requests(requests).unwrap();
    assert_eq!(bounds(&MrspNested, &chain), [3 + 1 + 2 + 5, 6 + 1 + 5, 7 + 2].map(Some));
    let circle = Request::new(1, 1, 3).with_nested(vec![Request::new(0, 1, 2)]);
    let lists = vec![vec![], chain.requests(1).to_vec(), vec![circle]];
    let circle = TaskSet::new(tasks.to_vec()).unwrap().with_requests(lists).unwrap();
    let error = MrspNested.check(&circle).unwrap_err();
    assert_eq!((error.assumption, error.task), (crate::Assumption::OrderedNesting, 1));
}

#[test]
fn oblivious_locks_charge_waiting_as_execution() {
    assert_eq!(bounds(&OmlpDonation, &three()), [11, 10, 8].map(Some));
    assert_eq!(bounds(&OmlpToken, &three()), [11, 10, 8].map(Some));
    let tight = |d| {
        let mut tasks = three().tasks().to_vec();
        tasks[0].deadline = d;
        set(&tasks, &[&[(0, 1, 1)], &[(0, 1, 2)], &[(0, 1, 4)]])
    };
    for test in [&OmlpDonationEdf as &dyn SchedulabilityTest, &FmlpPlusEdf] {
        assert!(
            accepts(test, &tight(11)) && !accepts(test, &tight(10)),
            "{}",
            test.metadata().name
        );
    }
}

#[test]
fn late_higher_jobs_come_back_to_back() {
    // Task 0 may be delayed by 4 and then run again at once: jitter R - C = 4, not 0:
    // task 1: w = 10: ceil((10 + 4) / 10) = 2 jobs of 4.
    let tasks =
        [Task::implicit(4, 10, 3), Task::implicit(5, 40, 2), Task::implicit(4, 40, 1).on(1)];
    let late = set(&tasks, &[&[(0, 1, 1)], &[], &[(0, 1, 4)]]);
    assert_eq!(bounds(&Mpcp, &late), [Some(8), Some(13), Some(4 + 1)]);
}

#[test]
fn a_local_section_counts_once_however_often_a_job_resumes() {
    // The lowest task has one section of 7 that reaches the middle one, which resumes up to three
    // times.
    let tasks = [
        Task::implicit(3, 1000, 3),
        Task::implicit(20, 1000, 2).on(1),
        Task::implicit(40, 1000, 1).on(1),
    ];
    let requests: [&[(usize, u64, u64)]; 3] =
        [&[(0, 1, 1)], &[(0, 3, 1), (1, 1, 1)], &[(1, 1, 7), (0, 1, 1)]];
    let tasks = set(&tasks, &requests);
    // 20 of its own, 7, one global section of the lowest task, one of the other core.
    for test in ["fmlp-plus", "fmlp-plus-lp", "mpcp", "mpcp-lp", "dpcp"] {
        let test = crate::registry::by_name(test).unwrap();
        let bounds = test.response_times(&tasks).unwrap();
        assert_eq!(bounds[1], Some(29), "{}: {bounds:?}", test.metadata().name);
    }
    // As many as with a turn for each request: 53 with the section of 7 four times.
    assert!(MpcpVirtualSpinning.response_times(&tasks).unwrap()[1] <= Some(53 - 3 * 7));
}
