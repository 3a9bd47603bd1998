//! A thread that waits inside a gate keeps the core from none outside of it.
//!
//! A thread below a scheduler waits for a signal inside a gate; a more urgent one comes to that
//! gate and waits, too. Both have a scheduler that must hear of it at once, or a third one gets the
//! core when the signal comes.

use fusee_testing::{Tool, write_project};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// `low` waits behind the gate until `tick` signals, 60 ms later; `high` comes after 5 ms.
const SYSTEM: &str = r#"
import <std_connector.camkes>;
import <fusee/SCHEDULER.camkes>;
procedure Data { void use(in int who); }
component Store { provides Data data; consumes E e; has semaphore full; }
component Way { provides Data data; uses Data on; }
component Client { control; uses Data data; attribute int who; }
component Job { control; }
component Tick { control; emits E e; }
assembly {
    composition {
        component KIND root; component Store store; component Client high; component Job mid;
        component Client low; component Tick tick; component Way way; component Client between;
        connection seL4RPCCall c(from low.data, DIRECT from way.on, to store.data);
        connection seL4RPCCall d(from between.data, VIA to way.data);
        connection seL4Notification n(from tick.e, to store.e);
    }
    configuration {
        root.priority = 100; store.full_value = 0;
        high.scheduler = "root"; mid.scheduler = "root"; low.scheduler = "root";
        between.scheduler = "root";
        store.data_priority_protocol = "inherited"; store.data_use_wcet = "100 us";
        way.data_priority_protocol = "inherited"; way.data_use_wcet = "10 us";
        way.data_use_calls = ["on.use"];
        high.priority = 30; high.period = "100 ms"; high.offset = "5 ms"; high.who = 1;
        high.calls = ["10 us", "data.use"];
        between.priority = 15; between.period = "100 ms"; between.offset = "2 ms";
        between.who = 1; between.calls = ["10 us", "data.use"];
        mid.priority = 20; mid.period = "100 ms"; mid.offset = "5 ms"; mid.wcet = "1 ms";
        mid.calls = [];
        low.priority = 10; low.period = "100 ms"; low.who = 2; low.calls = ["10 us", "data.use"];
        tick.priority = 200; tick.period = "100 ms"; tick.offset = "60 ms"; tick.wcet = "10 us";
        tick.calls = ["emit e"];
    }
}
"#;

/// While `top` runs, `above`, which is the kernel's own, comes to the gate that `low` holds: `low`
/// goes on in its place, and waits. `root` dispatches it when `top` has ended.
const ON_LOAN: &str = r#"
import <std_connector.camkes>;
import <fusee/fixed_priority.camkes>;
procedure Data { void use(in int who); }
component Store { provides Data data; consumes E e; }
component Client { control; uses Data data; attribute int who; }
component Job { control; attribute int instructions = 900000; }
component Tick { control; emits E e; }
assembly {
    composition {
        component FixedPriority root; component Store store; component Client above;
        component Client low; component Tick tick; component Job top; component Job mid;
        connection seL4RPCCall c(from low.data, from above.data, to store.data);
        connection seL4Notification n(from tick.e, to store.e);
    }
    configuration {
        root.priority = 100;
        top.scheduler = "root"; mid.scheduler = "root"; low.scheduler = "root";
        store.data_priority_protocol = "inherited"; store.data_use_wcet = "3 ms";
        top.priority = 40; top.period = "100 ms"; top.offset = "1 ms"; top.wcet = "4 ms";
        top.instructions = 3000000;
        low.priority = 30; low.period = "100 ms"; low.who = 2; low.calls = ["10 us", "data.use"];
        mid.priority = 20; mid.period = "100 ms"; mid.offset = "8 ms"; mid.wcet = "1 ms";
        above.priority = 220; above.period = "100 ms"; above.offset = "2 ms"; above.who = 1;
        above.calls = ["10 us", "data.use"];
        tick.priority = 230; tick.period = "100 ms"; tick.offset = "60 ms"; tick.wcet = "10 us";
        tick.calls = ["emit e"];
    }
}
"#;

/// Boots such a system; what is told of the thread that has nothing to do with the gate.
fn unrelated((scheduler, kind): (&str, &str), via: bool, wait: &str) -> Value {
    let (direct, way) = if via { ("", "from high.data,") } else { ("from high.data,", "") };
    let text = SYSTEM
        .replace("SCHEDULER", scheduler)
        .replace("KIND", kind)
        .replace("DIRECT", direct)
        .replace("VIA", way);
    let store = format!(
        "#include <camkes.h>\nvoid data_use(int who) {{ if (who == 2) {wait}; }}\n\
         static void come(void *_) {{ full_post(); e_reg_callback(come, 0); }}\n\
         void post_init(void) {{ REGISTER }}\n"
    );
    let registers =
        if wait.starts_with("full") { "e_reg_callback(come, 0);" } else { "(void)come;" };
    let store = store.replace("REGISTER", registers);
    told_of_mid(
        &text,
        &[
            ("Store", &store),
            ("Way", "#include <camkes.h>\nvoid data_use(int who) { on_use(who); }\n"),
            ("Client", CLIENT),
            ("Job", "#include <camkes.h>\nint run(void) { fusee_compute(900000); return 0; }\n"),
            ("Tick", TICK),
        ],
    )
}

const CLIENT: &str = "#include <camkes.h>\nint run(void) { data_use(who); return 0; }\n";
const TICK: &str = "#include <camkes.h>\nint run(void) { e_emit(); return 0; }\n";

/// Boots a system, in which those at the gate are late: how long they wait inside is in no
/// description.
fn told_of_mid(text: &str, code: &[(&str, &str)]) -> Value {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let folder = root.path().expect("it has a path");
    let description = write_project(folder, ("system.camkes", text), code);
    let system = description.display().to_string();
    let built = folder.join("built").display().to_string();
    let value = FUSEE.json(&["run", &system, "--for", "200ms", "--trust-written", "-o", &built], 1);
    let tasks = value["tasks"].as_array().expect("tasks");
    tasks.iter().find(|task| task["name"] == "mid").expect("it is there").clone()
}

/// The core is `mid`'s as soon as `high` waits, and not when the signal has come.
#[test]
fn who_waits_at_a_gate_whose_holder_waits_leaves_the_core() {
    let fixed = ("fixed_priority", "FixedPriority");
    for (name, scheduler, via, wait) in [
        ("event", fixed, false, "e_wait()"),
        ("chain", ("earliest_deadline", "EarliestDeadline"), true, "e_wait()"),
        ("semaphore", fixed, false, "full_wait()"),
    ] {
        let mid = unrelated(scheduler, via, wait);
        assert_eq!((&mid["jobs"], &mid["misses"]), (&2.into(), &0.into()), "{name}: {mid}");
        let seen = mid["response_max_ns"].as_u64().expect("it ran");
        assert!(seen < 2_000_000, "{name}: {mid}");
        let bound = mid["response_bound_ns"].as_u64();
        assert!(bound.is_none_or(|bound| seen <= bound), "{name}: {mid}");
    }
}

/// A scheduler that dispatches a thread which waits, because it began to on another's time, has
/// control again.
#[test]
fn who_began_to_wait_on_a_loan_leaves_the_core() {
    let job = "#include <camkes.h>\nint run(void) { fusee_compute(instructions); return 0; }\n";
    for steps in ["2000000", "100"] {
        let store = format!(
            "#include <camkes.h>\n\
             void data_use(int who) {{ if (who == 2) {{ fusee_compute({steps}); e_wait(); }} }}\n"
        );
        let mid = told_of_mid(
            ON_LOAN,
            &[("Store", &store), ("Client", CLIENT), ("Job", job), ("Tick", TICK)],
        );
        assert_eq!((&mid["jobs"], &mid["misses"]), (&2.into(), &0.into()), "{steps}: {mid}");
        let seen = mid["response_max_ns"].as_u64().expect("it ran");
        assert!(seen < 2_000_000, "{steps}: {mid}");
    }
}
