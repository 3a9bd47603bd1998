//! Schedules drawn by hand, of locks with gates in and around sections.
//!
//! Who waits for one lends its priority on along both, and what that makes run is in the bounds.

use fusee_bounds::analyze;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, TaskId};
use fusee_sim::{Options, Releases, simulate};

use crate::draw::{Grouping, composition, inner_composition};
use crate::read;

/// Four tasks, of which the second has the locks itself as well and the third asks for nothing, two
/// stores with locks, and two without. Code of lock components takes no time.
fn description(kind: &str, grouping: Grouping, configuration: &str) -> String {
    let locking = if kind == "Optimistic" { "OptimisticLocking" } else { "Locking" };
    let composition = composition((kind, grouping), (2, &[false, true, false, false]));
    let inner = inner_composition(grouping, (2, 4));
    let (users, calls) = ("uses Calls i0; uses Calls i1;", "uses Calls s0; uses Calls s1;");
    let own = |task| if task == 1 { format!(" uses {locking} locks;") } else { String::new() };
    let tasks: String = (0..4)
        .map(|task| format!("component T{task} {{ control; {calls} {users}{} }}\n", own(task)))
        .collect();
    format!(
        r#"
import <std_connector.camkes>;
import <fusee/locks.camkes>;
procedure Calls {{ void m0(); void m1(); }};
component Inner {{ provides Calls calls; maybe uses Calls next; }}
component Store {{ provides Calls calls; uses {locking} locks; {users} }}
{tasks}assembly {{
    composition {{
{composition}{inner}    }}
    configuration {{
        t0.period = "5000 ns";
        t0.priority = 10;
        t1.period = "5000 ns";
        t1.priority = 11;
        t2.period = "5000 ns";
        t2.priority = 20;
        t2.calls = ["500 ns"];
        t3.period = "5000 ns";
        t3.priority = 30;
{configuration}
        inner0.calls_calls = ["100 ns"];
        inner1.calls_calls = ["100 ns"];
        keeper.locks_priority_protocol = "propagated";
        keeper.locks_wcet = "0 ns";
        keeper.ceiling_0 = 30;
        scheduler.scheduling_priority_protocol = "propagated";
        scheduler.scheduling_wcet = "0 ns";
    }}
}}
"#
    )
}

/// Returns the response of the most urgent task, and its bound.
fn most_urgent(description: &str) -> [u64; 2] {
    let system = read(description);
    let starts = [0, 12, 40, 30].map(Duration).to_vec();
    let releases = Releases::Phased { starts };
    let options = Options { duration: Duration(5_000), releases, ..Options::default() };
    let outcome = simulate(&system, &options).expect("it can be simulated");
    assert_eq!(outcome.refused, 0);
    let analysis = analyze(&system, &Derived::of(&system), &CostTable::zero("by hand"));
    let bound = analysis.tasks[TaskId(3).index()].response().expect("it has a bound");
    [outcome.tasks[3].responses.longest.ns(), bound.ns()]
}

/// The first is in a gate from 10 on. The second takes the lock at 17, and waits for the gate at
/// 27. The last asks for the lock at 35: it waits for the second, and so for the first, whose gate
/// it never comes to. That is left at 130, the second's own at 230, its lock at 240.
#[test]
fn who_waits_for_a_lock_lends_to_who_is_in_a_gate() {
    let configuration = r#"
        s0.calls_priority_protocol = "propagated";
        s0.calls_calls = ["lock locks.0", "20 ns", "unlock locks.0"];
        s1.calls_priority_protocol = "propagated";
        s1.calls_calls = [];
        t0.calls = ["10 ns", "i0.m0", "10 ns"];
        t1.calls = ["5 ns", "lock locks.0", "10 ns", "i0.m0", "10 ns", "unlock locks.0"];
        t3.calls = ["5 ns", "s0.m1"];"#;
    for kind in ["Pessimistic", "Optimistic", "Ceiling"] {
        for grouping in [Grouping::Apart, Grouping::Lock] {
            let found = most_urgent(&description(kind, grouping, configuration));
            assert_eq!(found, [230, 245], "{kind} {grouping:?}");
        }
    }
}

/// The first has the lock from 10 on. The second enters the store at 17, and waits for the lock
/// there at 22. The last comes to the store at 35, and never asks for a lock: the first lets go at
/// 125, the second leaves at 145.
#[test]
fn who_waits_for_a_gate_lends_to_who_has_a_lock() {
    let configuration = r#"
        s0.calls_priority_protocol = "inherited";
        s0.calls_m0_calls = ["5 ns", "lock locks.0", "10 ns", "unlock locks.0", "10 ns"];
        s0.calls_m1_calls = ["20 ns"];
        s1.calls_priority_protocol = "propagated";
        s1.calls_calls = ["lock locks.0", "100 ns", "unlock locks.0"];
        t0.calls = ["10 ns", "s1.m0", "10 ns"];
        t1.calls = ["5 ns", "s0.m0"];
        t3.calls = ["5 ns", "s0.m1"];"#;
    for kind in ["Pessimistic", "Ceiling"] {
        for grouping in [Grouping::Apart, Grouping::Lock] {
            let found = most_urgent(&description(kind, grouping, configuration));
            assert_eq!(found, [135, 150], "{kind} {grouping:?}");
        }
    }
}
