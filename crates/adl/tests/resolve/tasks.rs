//! Timing, priorities, budgets.

use super::{complaints, component, gate, system, task};
use fusee_model::{
    Duration, NotificationId, OnFault, Overrun, PriorityAssignment, PrioritySource, Protocol,
    ReleaseKind, Step, System,
};

fn one(settings: &str) -> System {
    system(&format!(
        "component A {{ control; }}
         assembly {{ composition {{ component A a; component A b; component A c; }}
         configuration {{ {settings} }} }}"
    ))
}

#[test]
fn all_times_of_a_task() {
    let system = one("a.period = \"10 ms\"; a.deadline = \"0.5 s\"; a.offset = \"3 us\";
        a.jitter = \"7 ticks\"; a.core = 2;
         a.budget = \"1_000 us\"; a.overrun = \"continue\"; a.on_fault = \"restart\";
         a.priority = 9;
         b.period = \"1 s\"; b.arrival = \"sporadic\"; b.budget = \"2 ms\";");
    let a = task(&system, "a");
    let release = a.release.as_ref().expect("a release");
    assert_eq!((release.kind, release.period.value), (ReleaseKind::Periodic, Duration(10_000_000)));
    assert_eq!((release.offset, release.jitter.value), (Duration(3000), Duration(7)));
    assert_eq!(a.deadline.map(|d| d.value), Some(Duration(500_000_000)));
    assert_eq!((a.priority.value, a.priority_source, a.core), (9, PrioritySource::Given, 2));
    let budget = a.budget.as_ref().expect("a budget");
    assert_eq!((budget.amount.value, budget.overrun), (Duration(1_000_000), Overrun::Continue));
    assert_eq!(component(&system, "a").on_fault, OnFault::Restart);
    let b = task(&system, "b");
    assert_eq!(b.release.as_ref().map(|r| r.kind), Some(ReleaseKind::Sporadic));
    assert_eq!(b.deadline.map(|d| d.value), Some(Duration(1_000_000_000)), "the period");
    assert_eq!(b.budget.as_ref().map(|b| b.overrun), Some(Overrun::Suspend));
    assert_eq!(system.cores(), 3);
    let c = task(&system, "c");
    assert_eq!(
        (c.release.clone(), c.priority.value, c.priority_source),
        (None, 254, PrioritySource::Default)
    );
}

#[test]
fn priorities_are_deadline_monotonic_where_left_out() {
    let system = one(
        "a.period = \"10 ms\"; b.period = \"5 ms\"; c.period = \"20 ms\"; c.deadline = \"5 ms\";",
    );
    let levels: Vec<u8> = system.tasks.iter().map(|task| task.priority.value).collect();
    assert_eq!(levels, [252, 253, 253]);
    assert!(
        system.tasks.iter().all(|task| task.priority_source == PrioritySource::DeadlineMonotonic)
    );
    assert_eq!(system.settings.priority_assignment, PriorityAssignment::DeadlineMonotonic);
    assert_eq!(
        one("system.priority_assignment = \"audsley\";").settings.priority_assignment,
        PriorityAssignment::Audsley
    );
}

#[test]
fn the_control_threads_own_attributes_win() {
    let system = one("a.priority = 20; a._priority = 20; a._affinity = 1;");
    let a = task(&system, "a");
    assert_eq!((a.priority.value, a.core), (20, 1));
}

#[test]
fn a_scheduling_context_limits_and_releases_nothing() {
    let system = one(
        "a._period = 10000; a._budget = 500; b._budget = 10000; c._period = 5000; c.priority = 3;",
    );
    assert!(system.tasks.iter().all(|task| task.release.is_none() && task.budget.is_none()));
    let system =
        one("a.period = \"10 ms\"; a._budget = 500; b.period = \"10 ms\"; b._budget = 10000;
         c.period = \"10 ms\"; c.budget = \"1 ms\";");
    let budgets: Vec<_> =
        system.tasks.iter().map(|t| t.budget.as_ref().map(|b| b.amount.value.ns())).collect();
    assert_eq!(budgets, [Some(500_000), None, Some(1_000_000)]);
}

#[test]
fn an_overrun_notifies() {
    let system = system(
        "import <std_connector.camkes>;
         component A { control; emits Alarm late; }
         component Watch { control; consumes Alarm late; }
         assembly {
             composition { component A a; component Watch w;
             connection seL4Notification c(from a.late, to w.late); }
             configuration { a.period = \"1 ms\"; a.budget = \"100 us\";
             a.overrun = \"notify late\"; }
         }",
    );
    assert_eq!(
        task(&system, "a").budget.as_ref().map(|b| b.overrun),
        Some(Overrun::Notify(NotificationId(0)))
    );
}

#[test]
fn gates_have_protocols_ceilings_and_pools() {
    let system = system(
        "procedure P { void run(); }
         component A { provides P one; provides P two; provides P three; provides P four; }
         assembly {
             composition { component A a; }
             configuration {
                 a.one_priority_protocol = \"fixed\"; a.one_priority = 200; a.one_num_threads = 1;
                 a.two_priority_protocol = \"propagated\"; a.two_priority = 199;
                 a.two_num_threads = 4;
                 a.three_priority_protocol = \"fifo\"; a.three_ceiling = 7;
             }
         }",
    );
    let facts = |name: &str| {
        let gate = gate(&system, name);
        (
            gate.protocol.value,
            gate.given_ceiling.map(|c| c.value),
            gate.given_threads.map(|t| t.value),
        )
    };
    assert_eq!(facts("a.one"), (Protocol::Fixed, Some(200), Some(1)));
    assert_eq!(facts("a.two"), (Protocol::Propagated, None, Some(4)));
    assert_eq!(facts("a.three"), (Protocol::Fifo, Some(7), None));
    assert_eq!(facts("a.four"), (Protocol::Inherited, None, None));
}

#[test]
fn attributes_that_a_component_declares_for_itself_are_its_own() {
    let text = "component A { control; attribute int period = 500;
    attribute string deadline = \"1 s\"; attribute int budget; }
         assembly { composition { component A a; } configuration { a.budget = 3; } }";
    let system = system(&text.replace("attribute string deadline = \"1 s\";", ""));
    assert_eq!((&task(&system, "a").release, &task(&system, "a").budget), (&None, &None));
    assert_eq!(complaints(text), [""; 0]);
    let declared = "component A { control; attribute string period = \"5 ms\"; }
         assembly { composition { component A a; component A b; }
         configuration { b.period = \"7 ms\"; } }";
    let system = super::system(declared);
    let periods: Vec<u64> =
        system.tasks.iter().filter_map(|t| t.release.as_ref().map(|r| r.period.value.0)).collect();
    assert_eq!(periods, [5_000_000, 7_000_000]);
}

fn released(settings: &str) -> String {
    format!(
        "import <std_connector.camkes>;
         component S {{ control; emits Tick tick; }}
         component M {{ control; consumes Tick tick; emits Tick tock; }}
         component E {{ control; consumes Tick tock; }}
         assembly {{
             composition {{
                 component S s; component M m; component E e;
                 connection seL4Notification one(from s.tick, to m.tick);
                 connection seL4Notification two(from m.tock, to e.tock);
             }}
             configuration {{ {settings} }}
         }}"
    )
}

const CHAIN: &str = "s.period = \"10 ms\"; s.calls = [\"1 ms\", \"emit tick\"];
    m.arrival = \"event tick\"; m.calls = [\"2 ms\", \"wait tick\", \"3 ms\", \"emit tock\"];
    e.arrival = \"event tock\"; e.wcet = \"1 ms\";";

#[test]
fn events_release_tasks_as_often_as_their_emitter() {
    let system = system(&released(CHAIN));
    let releases = ["m", "e"].map(|name| task(&system, name).release.clone().expect("a release"));
    assert_eq!(
        releases.each_ref().map(|r| r.kind),
        [0, 1].map(|id| ReleaseKind::Notification(NotificationId(id)))
    );
    assert_eq!(releases.map(|r| r.period.value), [Duration(10_000_000); 2]);
    assert_eq!(task(&system, "e").deadline.map(|d| d.value), Some(Duration(10_000_000)));
    let ms =
        |n: u64| Step::Compute { best: Duration(n * 1_000_000), worst: Duration(n * 1_000_000) };
    assert_eq!(
        task(&system, "m").body.steps,
        [ms(3), Step::Emit(NotificationId(1)), ms(2)],
        "from behind the wait"
    );
    let given =
        super::system(&released(&format!("{CHAIN} m.period = \"4 ms\"; m.deadline = \"2 ms\";")));
    assert_eq!(task(&given, "m").deadline.map(|d| d.value), Some(Duration(2_000_000)));
    assert_eq!(
        task(&given, "e").release.as_ref().map(|r| r.period.value),
        Some(Duration(4_000_000))
    );
}

#[test]
fn an_event_of_unknown_rate_needs_a_period() {
    for emits in ["[\"emit tick\", \"emit tick\", \"1 ms\"]", "[\"1 ms\"]"] {
        let text = released(&CHAIN.replace("[\"1 ms\", \"emit tick\"]", emits));
        assert_eq!(complaints(&text), ["F0310", "F0310"], "{emits}");
    }
}
