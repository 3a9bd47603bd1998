//! Systems in which a bound was once exceeded, as the campaign shrank them.
//!
//! What a seed draws changes with the generator, so each stands here as it was, with the
//! seed and index that drew it.

use fusee_generate::Case;
use fusee_model::costs::CostTable;
use fusee_model::*;
use fusee_soundness::{Effort, describe, judge};
use fusee_testing::systems::{Builder, call, compute};

fn emit(notification: usize) -> Step {
    Step::Emit(NotificationId::from(notification))
}

/// Returns the system on a kernel that costs nothing, one task of it released by its last
/// notification.
fn case(builder: Builder, notifications: usize, released: usize) -> Case {
    let mut system = builder.system();
    for index in 0..notifications {
        system.notifications.push(Notification {
            name: format!("n{index}"),
            counting: false,
            origin: Origin::NONE,
        });
    }
    let release = system.tasks[released].release.as_mut().expect("all tasks here have releases");
    release.kind = ReleaseKind::Notification(NotificationId::from(notifications - 1));
    Case { system, costs: CostTable::zero("random") }
}

fn hold(case: &Case, task: usize, bound: u64) {
    let judgement = judge(case, &Effort::default().times(4)).expect("a system that can be run");
    let broken = judgement.attack.violation.map(|violation| describe(case, &violation));
    assert_eq!(broken, None);
    assert_eq!(judgement.attack.refused, 0);
    assert_eq!(judgement.analysis.tasks[task].response(), Some(Duration(bound)));
}

/// The job's last action, inside a gate, releases the task above: 9 where the bound was 7.
#[test]
fn seed_79591_system_83744() {
    let gates = Builder::default()
        .gate(Protocol::Inherited, &[compute(1)])
        .gate(Protocol::Inherited, &[compute(1), emit(0)])
        .gate(Protocol::Fifo, &[compute(1)]);
    let tasks = gates
        .task(251, 24, &[compute(1), call(1)])
        .task(254, 7, &[compute(1)])
        .task(252, 7, &[compute(1)])
        .task(253, 111, &[emit(0), compute(1), call(0), call(2)]);
    hold(&case(tasks, 1, 1), 0, 9);
}

/// The same at the end of the job's own body: 10 where the bound was 6.
#[test]
fn seed_424242_system_11540() {
    let gates = Builder::default()
        .gate(Protocol::Fixed, &[compute(1)])
        .gate(Protocol::Propagated, &[compute(1)]);
    let tasks = gates
        .task(252, 8, &[compute(1)])
        .task(254, 6, &[emit(0), compute(1), call(1)])
        .task(253, 6, &[compute(1)])
        .task(251, 18, &[call(0), compute(1), emit(0)]);
    hold(&case(tasks, 1, 2), 3, 10);
}
