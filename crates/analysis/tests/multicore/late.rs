//! Sets with a late task: others keep the bounds that do not rest on it.

use fusee_analysis::{Family, Request, SchedulabilityTest, Task, TaskSet, partitioned, registry};

#[test]
fn who_does_not_depend_on_a_late_task_keeps_a_bound() {
    // On core 0 two tasks that fit, and one below that cannot; on core 1 one that shares with the
    // first.
    let tasks = [
        Task::implicit(2, 10, 4),
        Task::implicit(3, 20, 3),
        Task::implicit(20, 30, 1),
        Task::implicit(4, 40, 2).on(1),
    ];
    let one = |length| vec![Request::new(0, 1, length)];
    let set = TaskSet::new(tasks.to_vec()).unwrap().with_cores(2).unwrap();
    let set = set.with_requests(vec![one(1), vec![], vec![], one(2)]).unwrap();
    let tests = partitioned::TESTS.iter().filter(|t| t.response_times(&set).is_some());
    let mut asked = 0;
    for test in tests.filter(|t| t.metadata().family == Family::PartitionedFixedPriority) {
        let name = test.metadata().name;
        let bounds = test.response_times(&set).unwrap();
        assert!(
            bounds[0].is_some() && bounds[1].is_some() && bounds[3].is_some(),
            "{name}: {bounds:?}"
        );
        assert_eq!(
            (bounds[2], test.check(&set).unwrap().is_schedulable()),
            (None, false),
            "{name}"
        );
        asked += 1;
    }
    assert!(asked > 12, "{asked}");
    // A task that waits suspended for a late task of higher priority has no bound: it may wait for
    // ever.
    let late = [Task::implicit(8, 10, 5).with_deadline(7), Task::implicit(2, 40, 1).on(1)];
    let late = TaskSet::new(late.to_vec()).unwrap().with_requests(vec![one(1), one(1)]).unwrap();
    let mpcp = partitioned::mpcp::Mpcp.response_times(&late).unwrap();
    assert_eq!(mpcp, [None, None]);
    // In FIFO order it waits for one section of it.
    let fifo = partitioned::msrp::MsrpHolistic.response_times(&late).unwrap();
    assert_eq!(fifo, [None, Some(3)]);
    // On any core: the third task is late, who is above it is not.
    let global = [
        Task::implicit(2, 10, 3),
        Task::implicit(3, 12, 2),
        Task::implicit(11, 12, 1),
        Task::implicit(1, 100, 0),
    ];
    let global = TaskSet::new(global.to_vec()).unwrap().with_cores(1).unwrap();
    for name in ["guan", "rta-global-fp"] {
        let test = registry::by_name(name).unwrap();
        let bounds = test.response_times(&global).unwrap();
        assert!(bounds[0].is_some() && bounds[1].is_some(), "{name}: {bounds:?}");
        assert_eq!((bounds[2], bounds[3]), (None, None), "{name}");
    }
}
