//! The readers' phase before a writer, by hand.

use fusee_analysis::{Request, SchedulabilityTest, Task, TaskSet, partitioned};
use fusee_schedules::{Load, PhaseFair, Random, simulate};

#[test]
fn readers_come_before_the_writer_ahead_and_behind_it() {
    // Core 1 reads, core 2 waits to write, then core 0: a reader, a writer, a reader again.
    let tasks =
        [Task::implicit(1, 40, 3), Task::implicit(8, 60, 2).on(1), Task::implicit(3, 80, 1).on(2)];
    let requests = vec![
        vec![Request::new(0, 1, 1)],
        vec![Request::new(0, 2, 4).reading()],
        vec![Request::new(0, 1, 3)],
    ];
    let set = TaskSet::new(tasks.to_vec()).unwrap().with_requests(requests).unwrap();
    let bounds = partitioned::phase_fair::PhaseFair.response_times(&set).unwrap();
    assert_eq!(bounds[0], Some(1 + 4 + 3 + 4));
    let longest = |seed| {
        let load = Load { dense: true, together: true, ticks: 600 };
        simulate(&set, &mut PhaseFair::default(), load, &mut Random::new(4, seed))[0]
    };
    assert_eq!((0..100).map(longest).max(), Some(12));
}
