//! Published numbers for tasks that suspend themselves or are not preempted.

use super::*;
use crate::{SchedulabilityTest, Task, TaskSet, Verdict};

fn bounds(test: &dyn SchedulabilityTest, tasks: &[Task]) -> Vec<Option<u64>> {
    test.response_times(&TaskSet::new(tasks.to_vec()).unwrap()).unwrap()
}

#[test]
fn suspension_is_not_jitter() {
    // Chen et al. 2019: with S as jitter the last task gets 12; a legal schedule takes longer.
    let tasks = [
        Task::implicit(1, 2, 3),
        Task::implicit(5, 20, 2).with_suspension(5),
        Task::implicit(1, 50, 1),
    ];
    assert_eq!(bounds(&SuspensionAware, &tasks), [Some(1), Some(20), Some(22)]);
    let as_jitter = [tasks[0], Task::implicit(5, 20, 2).with_jitter(5), tasks[2]];
    assert_eq!(bounds(&ResponseTimeAnalysis, &as_jitter)[2], Some(12), "the unsound number");
    let tight = [tasks[0], tasks[1], tasks[2].with_deadline(21)];
    assert_eq!(SuspensionAware.decide(&TaskSet::new(tight.to_vec()).unwrap()), Verdict::NotShown);
}

#[test]
fn a_task_that_suspends_can_lengthen_the_window_instead() {
    let suspending = |c, t, priority, s| Task::implicit(c, t, priority).with_suspension(s);
    // Jitter 2 for the second task leaves the last one none; a window longer by 1 leaves it 5.
    let tasks = [Task::implicit(1, 3, 3), suspending(1, 3, 2, 1), Task::implicit(1, 5, 1)];
    assert_eq!(bounds(&SuspensionAware, &tasks), [Some(1), Some(3), Some(5)]);
    let finer = [
        Task::implicit(1000, 3000, 3),
        suspending(1000, 3000, 2, 1000),
        Task::implicit(1000, 5000, 1),
    ];
    assert_eq!(bounds(&SuspensionAware, &finer), [Some(1000), Some(3000), Some(5000)]);
    // 1 + 2 ceil((9 + 2) / 6) + 2 ceil((9 + 2) / 6); with jitter 4 instead 1 + 4 + 6 is too long.
    let longer = [Task::implicit(2, 6, 3), suspending(2, 6, 2, 2), Task::implicit(1, 9, 1)];
    assert_eq!(bounds(&SuspensionAware, &longer), [Some(2), Some(6), Some(9)]);
    // Of equals each may run while the other is pending: jitter for both.
    let equal = [Task::implicit(1, 3, 3), suspending(1, 3, 1, 1), Task::implicit(1, 5, 1)];
    assert_eq!(bounds(&SuspensionAware, &equal)[2], None);
}

#[test]
fn without_suspension_it_is_the_plain_analysis() {
    let tasks = [Task::implicit(3, 10, 2).with_jitter(6), Task::implicit(2, 20, 1)];
    assert_eq!(bounds(&SuspensionAware, &tasks), bounds(&ResponseTimeAnalysis, &tasks));
}

#[test]
fn the_second_instance_can_be_the_worst() {
    // Davis, Burns, Bril and Lukkien 2007, table 2, in quarters of a millisecond: 3.5 ms, not 3.
    let message = |t, priority| Task::implicit(4, t, priority).with_deadline(13);
    let messages = [Task::implicit(4, 10, 3), message(14, 2), message(14, 1)];
    assert_eq!(bounds(&NonPreemptive, &messages), [Some(7), Some(11), None]);
    let later = [messages[0], messages[1], messages[2].with_deadline(14)];
    assert_eq!(bounds(&NonPreemptive, &later), [Some(7), Some(11), Some(14)]);
}

#[test]
fn thresholds_lie_between_both_extremes() {
    let tasks = |threshold| {
        [
            Task::implicit(2, 10, 3),
            Task::implicit(4, 20, 2),
            Task::implicit(5, 40, 1).with_threshold(threshold),
        ]
    };
    let plain = bounds(&ResponseTimeAnalysis, &tasks(1));
    assert_eq!(bounds(&PreemptionThresholds, &tasks(1)), plain);
    assert_eq!(plain, [Some(2), Some(6), Some(13)]);
    // At threshold 2 the last task keeps the second one off, but not the first.
    assert_eq!(bounds(&PreemptionThresholds, &tasks(2)), [Some(2), Some(10), Some(13)]);
    assert_eq!(bounds(&PreemptionThresholds, &tasks(3)), [Some(6), Some(10), Some(11)]);
}

#[test]
fn least_thresholds_of_wang_and_saksena() {
    let tasks = [
        Task::implicit(20, 70, 3).with_deadline(50),
        Task::implicit(20, 80, 2),
        Task::implicit(35, 200, 1).with_deadline(100),
    ];
    // Neither always preempted nor never do all meet their deadlines.
    assert_eq!(bounds(&PreemptionThresholds, &tasks), [Some(20), Some(40), None]);
    assert_eq!(bounds(&NonPreemptive, &tasks), [None, Some(74), Some(75)]);
    let set = TaskSet::new(tasks.to_vec()).unwrap();
    let found = assignment::preemption_thresholds(&set).unwrap();
    assert_eq!(found, [3, 3, 2]);
    // The third starts at 40 and would end at 75; the first comes at 70 and is above its threshold.
    let assigned = set.with_thresholds(&found).unwrap();
    assert_eq!(bounds(&PreemptionThresholds, assigned.tasks()), [Some(39), Some(74), Some(95)]);
}
