//! Chains over an event that several tasks signal, by hand.

use fusee_bounds::{Analysis, ChainObstacle, ChainPartKind, analyze};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::*;
use fusee_testing::systems::{Builder, compute};

const EMIT: Step = Step::Emit(NotificationId(0));

/// Tasks 0 and 1 release task 2, which may be released so often; each of them begins a chain there.
fn system(apart: u64, signals: &[Step]) -> System {
    let mut system = Builder::default()
        .task(9, 100, &[compute(1), EMIT])
        .task(8, 50, signals)
        .task(7, apart, &[compute(3)])
        .system();
    let (name, origin) = ("e".into(), Origin::NONE);
    system.notifications.push(Notification { name, counting: false, origin });
    let release = system.tasks[2].release.as_mut().expect("it has a release");
    release.kind = ReleaseKind::Notification(NotificationId(0));
    for first in [0, 1] {
        let stage = |task: usize, link| ChainStage { task: TaskId::from(task), link };
        let event = ChainLink::Event(NotificationId(0));
        let stages = vec![stage(first, ChainLink::Start), stage(2, event)];
        let name = format!("{first} -> 2");
        system.chains.push(Chain { name, stages, within: None, age: None, origin });
    }
    system
}

fn bounds(system: &System) -> Analysis {
    analyze(system, &Derived::of(system), &CostTable::zero("free"))
}

/// Two signals at once: the second waits 10. Task 2 responds within 5 of its release, and what the
/// first chain brought it may use until that comes again, up to 100 later.
#[test]
fn a_signal_waits_for_those_of_others() {
    let analysis = bounds(&system(10, &[compute(1), EMIT]));
    let [first, second] = analysis.chains.as_slice() else { panic!("two chains") };
    assert_eq!(first.reaction, Ok(Duration(100 + 1 + 10 + 5)));
    assert_eq!(first.age, Ok(Duration(1 + 10 + 5 + 100)));
    let deferral = |kind| kind == ChainPartKind::Deferral;
    assert!(first.parts.iter().any(|part| deferral(part.kind) && part.time == Duration(10)));
    assert_eq!(second.reaction, Ok(Duration(50 + 2 + 10 + 5)));
    assert_eq!(second.age, Ok(Duration(2 + 10 + 5 + 50)));
}

/// With two signals of the other one a third waits 20.
#[test]
fn bursts_of_others_make_it_longer() {
    let analysis = bounds(&system(10, &[compute(1), EMIT, EMIT]));
    assert_eq!(analysis.chains[0].reaction, Ok(Duration(100 + 1 + 20 + 5)));
}

/// Three in 100 cannot be 40 apart, which each of both emitters alone could be.
#[test]
fn what_comes_too_often_in_all_has_no_bound() {
    let analysis = bounds(&system(40, &[compute(1), EMIT]));
    let too_often = ChainObstacle::TooOften { task: TaskId(2), event: NotificationId(0) };
    assert_eq!(analysis.chains[0].reaction, Err(too_often));
    assert!(bounds(&system(33, &[compute(1), EMIT])).chains[0].reaction.is_ok());
}
