//! A schedule that was drawn by hand, for each kind of lock in each grouping.

use fusee_model::Duration;
use fusee_sim::{Options, Outcome, Releases, simulate};

use crate::draw::{GROUPINGS, Grouping, KINDS, composition};
use crate::read;

/// Three tasks, of which the middle one asks for nothing.
fn description(kind: &str, grouping: Grouping) -> String {
    let locking = if kind == "Optimistic" { "OptimisticLocking" } else { "Locking" };
    let composition = composition((kind, grouping), (1, &[false; 3]));
    format!(
        r#"
import <std_connector.camkes>;
import <fusee/locks.camkes>;
procedure Calls {{ void m0(); void m1(); }};
component Store {{ provides Calls calls; uses {locking} locks; }}
component T0 {{ control; uses Calls s0; }}
component T1 {{ control; uses Calls s0; }}
component T2 {{ control; uses Calls s0; }}
assembly {{
    composition {{
{composition}    }}
    configuration {{
        t0.period = "2000 ns";
        t0.priority = 10;
        t0.calls = ["10 ns", "s0.m0", "10 ns"];
        t1.period = "2000 ns";
        t1.priority = 20;
        t1.calls = ["500 ns"];
        t2.period = "2000 ns";
        t2.priority = 30;
        t2.calls = ["5 ns", "s0.m1"];
        s0.calls_priority_protocol = "propagated";
        s0.calls_m0_calls = ["lock locks.0", "100 ns", "unlock locks.0"];
        s0.calls_m1_calls = ["lock locks.0", "20 ns", "unlock locks.0"];
        keeper.locks_priority_protocol = "propagated";
        keeper.locks_wcet = "0 ns";
        scheduler.scheduling_priority_protocol = "propagated";
        scheduler.scheduling_wcet = "0 ns";
    }}
}}
"#
    )
}

fn run(description: &str) -> Outcome {
    let starts = [0, 40, 30].map(Duration).to_vec();
    let releases = Releases::Phased { starts };
    let options = Options { duration: Duration(2_000), releases, ..Options::default() };
    simulate(&read(description), &options).expect("it can be simulated")
}

/// The first has the lock from 10 on. The last, released at 30, asks at 35, sleeps, and lends its
/// priority until the lock is handed over at 115. The middle one waits for both.
#[test]
fn who_has_the_lock_is_run_by_who_waits() {
    for kind in KINDS {
        for grouping in GROUPINGS {
            let outcome = run(&description(kind, grouping));
            let longest = outcome.tasks.iter().map(|task| task.responses.longest.ns());
            assert_eq!(longest.collect::<Vec<_>>(), [645, 595, 105], "{kind} {grouping:?}");
            assert_eq!(outcome.refused, 0);
        }
    }
}

/// Whoever asks for what it has is refused, and so is who gives back what it has not.
#[test]
fn misuse_is_refused() {
    for kind in KINDS {
        let right = description(kind, Grouping::Apart);
        let body = r#"["lock locks.0", "100 ns", "unlock locks.0"]"#;
        let wrong =
            r#"["lock locks.0", "lock locks.0", "100 ns", "unlock locks.0", "unlock locks.0"]"#;
        let outcome = run(&right.replace(body, wrong));
        assert_eq!((outcome.refused, outcome.tasks[2].jobs), (2, 1), "{kind}");
    }
}
