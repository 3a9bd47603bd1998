//! Tasks that disturb another core as often as their own kernel lets them.
//!
//! On the Verilog of the Rocket cores, and on QEMU: who has nothing to do with them keeps its
//! bound, and they are named.

use std::path::PathBuf;

use fusee_testing::verilog::task;
use fusee_testing::{Tool, document};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// `wheel` of core 0 shares nothing with `talker` of core 1, which may emit once a period.
const STORM: &str = r#"
import <std_connector.camkes>;
component Talker { control; emits Ping ping; }
component Listener { control; consumes Ping ping; }
component Wheel { control; }
assembly {
    composition {
        component Talker talker; component Listener listener; component Wheel wheel;
        connection seL4Notification pings(from talker.ping, to listener.ping);
    }
    configuration {
        system.startup = "300 us";
        wheel.stub = true; wheel.core = 0; wheel.priority = 200;
        wheel.period = "200 us"; wheel.wcet = "40 us";
        listener.stub = true; listener.core = 0; listener.priority = 20;
        listener.period = "1500 us"; LISTENS
        talker.core = 1; talker.priority = 10; talker.period = "1500 us";
        talker.calls = ["10 us", "emit ping"]; talker.wcet = "10 us";
        talker.budget = "BUDGET"; talker.overrun = "suspend"; talker._stack_size = 4096;
    }
}
"#;

/// The ways in which the listener takes signals: bits that merge, or each a job.
const LISTENS: [&str; 2] = [
    "listener.calls = [\"wait ping\", \"5 us\"];",
    "listener.arrival = \"event ping\"; listener.wcet = \"5 us\"; listener.calls = [];",
];

/// It emits for ever.
const STORMS: &str = "#include <camkes.h>
int run(void) { for (;;) ping_emit(); return 0; }
";

/// It keeps to its description.
const EMITS: &str = "#include <camkes.h>
int run(void) { ping_emit(); return 0; }
";

/// Returns a description and the code of its components, in a folder of its own, and what a run
/// says.
fn run(name: &str, text: &str, code: &[(&str, &str)], options: &[&str]) -> Value {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("storms-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    for (component, code) in code {
        let place = folder.join("components").join(component);
        std::fs::create_dir_all(&place).expect("a folder");
        std::fs::write(place.join("code.c"), code).expect("code");
    }
    std::fs::write(folder.join("system.camkes"), text).expect("the description");
    let arguments = [&["run", "system.camkes", "--json", "-o", "."], options].concat();
    document(&FUSEE.run_in(&folder, &arguments))
}

/// Returns the messages of a code.
fn messages(run: &Value, code: &str) -> Vec<String> {
    let all = run["diagnostics"].as_array().expect("messages");
    let own = all.iter().filter(|one| one["code"] == code);
    own.map(|one| one["message"].as_str().expect("text").to_owned()).collect()
}

/// On the Verilog, for so long.
fn on_rocket(name: &str, text: &str, code: &[(&str, &str)], time: &str) -> Value {
    run(name, text, code, &["--platform", "rtl-rocket", "--for", time])
}

/// `wheel` and who listens keep their bounds.
fn wheel_turns(run: &Value, least: u64) {
    let (jobs, longest, bound) = task(run, "wheel");
    assert!(jobs >= least, "{jobs} jobs: {run:#}");
    assert!(longest <= bound, "{longest} ns, the bound is {bound}: {run:#}");
    let beyond = messages(run, "F1110");
    let honest = beyond.iter().filter(|text| !text.starts_with("task `talker`"));
    assert_eq!(honest.count(), 0, "{run:#}");
}

/// A thread that emits for ever is refused the signals that are not described, and named.
#[test]
fn a_storm_is_refused_at_home_and_named() {
    for (number, listens) in LISTENS.iter().enumerate() {
        let text = STORM.replace("LISTENS", listens).replace("BUDGET", "400 us");
        let options = ["--platform", "qemu-rv64", "--for", "20ms"];
        let seen = run(&format!("qemu-{number}"), &text, &[("Talker", STORMS)], &options);
        let said = messages(&seen, "F1128");
        let [message] = &said[..] else { panic!("{seen:#}") };
        assert!(message.starts_with("`talker` signals `"), "{message}");
        let refused = seen["refused"].as_u64().expect("a number");
        assert!(refused > 100, "{refused}");
        let name = format!("qemu-quiet-{number}");
        let quiet = run(&name, &text, &[("Talker", EMITS)], &options);
        assert_eq!((messages(&quiet, "F1128").len(), &quiet["refused"]), (0, &0.into()));
    }
}

/// Bits and jobs, with a budget that ends early, late, and almost never.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn a_storm_takes_no_other_core() {
    for (number, listens) in LISTENS.iter().enumerate() {
        for budget in ["100 us", "400 us", "1400 us"] {
            let text = STORM.replace("LISTENS", listens).replace("BUDGET", budget);
            let name = format!("{number}-{}", &budget[..3]);
            let seen = on_rocket(&name, &text, &[("Talker", STORMS)], "3200us");
            wheel_turns(&seen, 15);
            assert_eq!(messages(&seen, "F1128").len(), 1, "{seen:#}");
        }
    }
}

/// A thread that keeps to its description is refused nothing.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn who_keeps_to_its_description_is_refused_nothing() {
    let text = STORM.replace("LISTENS", LISTENS[1]).replace("BUDGET", "400 us");
    let seen = on_rocket("quiet", &text, &[("Talker", EMITS)], "3200us");
    wheel_turns(&seen, 15);
    assert_eq!((&seen["refused"], &seen["bounds_held"]), (&0.into(), &true.into()), "{seen:#}");
}

/// The storm is in a component that is called: whose thread it is counts, wherever that is.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn a_storm_in_a_component_that_is_called_takes_no_other_core() {
    let components = "procedure Horn { void blow(); }
component Band { provides Horn horn; emits Ping ping; }
component Talker { control; uses Horn horn; }";
    let connected = "to listener.ping);
        connection seL4RPCCall horns(from talker.horn, to band.horn);";
    let listed = "\"horn.blow\"]; band.horn_calls = [\"emit ping\"]; band.horn_wcet = \"5 us\";
        band.horn_priority_protocol = \"propagated\"";
    let text = STORM
        .replace("component Talker { control; emits Ping ping; }", components)
        .replace("component Talker talker;", "component Talker talker; component Band band;")
        .replace("from talker.ping,", "from band.ping,")
        .replace("to listener.ping);", connected)
        .replace("\"emit ping\"]", listed)
        .replace("LISTENS", LISTENS[1])
        .replace("BUDGET", "1400 us");
    let calls = "#include <camkes.h>\nint run(void) { horn_blow(); return 0; }\n";
    let storms = "#include <camkes.h>\nvoid horn_blow(void) { for (;;) ping_emit(); }\n";
    let seen = on_rocket("called", &text, &[("Talker", calls), ("Band", storms)], "3200us");
    wheel_turns(&seen, 15);
    let said = messages(&seen, "F1128");
    assert!(said.len() == 1 && said[0].starts_with("`talker` signals"), "{said:?}");
}

/// Several talkers for one event, each with its own limit, from three other cores.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn storms_of_three_cores_take_no_other_core() {
    let more = |name: &str, core: u32| {
        format!(
            "{name}.core = {core}; {name}.priority = 10; {name}.period = \"1500 us\";
             {name}.calls = [\"10 us\", \"emit ping\"]; {name}.wcet = \"10 us\";
             {name}._stack_size = 4096;"
        )
    };
    let talkers = "component Talker talker; component Talker second; component Talker third;";
    let moved = format!("{} {} talker.core = 1;", more("second", 2), more("third", 3));
    let text = STORM
        .replace("component Talker talker;", talkers)
        .replace("from talker.ping,", "from talker.ping, from second.ping, from third.ping,")
        .replace("talker.core = 1;", &moved)
        .replace("LISTENS", LISTENS[1])
        .replace("BUDGET", "1400 us");
    let seen = on_rocket("four", &text, &[("Talker", STORMS)], "1600us");
    // What kernels take on four cores was not measured, so there are no bounds.
    let wheel = seen["tasks"].as_array().expect("tasks").iter().find(|one| one["name"] == "wheel");
    let wheel = wheel.expect("the task");
    assert_eq!((&wheel["misses"], wheel["jobs"].as_u64()), (&0.into(), Some(8)), "{seen:#}");
    assert_eq!(messages(&seen, "F1128").len(), 3, "{seen:#}");
}

/// A thread that locks and unlocks a mutex between cores for ever brings no look to a core that
/// does not ask there.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn a_storm_of_locks_takes_no_other_core() {
    let text = r#"
import <std_connector.camkes>;
procedure Put { void put(); }
component Log { provides Put put; has mutex guard; }
component Talker { control; uses Put put; }
component Wheel { control; }
assembly {
    composition {
        component Log log; component Talker talker; component Talker honest; component Wheel wheel;
        connection seL4RPCCall puts(from talker.put, from honest.put, to log.put);
    }
    configuration {
        system.startup = "300 us";
        wheel.stub = true; wheel.core = 0; wheel.priority = 200;
        wheel.period = "200 us"; wheel.wcet = "40 us";
        log.put_wcet = "2 us"; log.put_priority_protocol = "propagated";
        log.guard_priority_protocol = "msrp";
        log.put_calls = ["lock guard", "2 us", "unlock guard"];
        honest.stub = true; honest.core = 0; honest.priority = 20; honest.period = "1500 us";
        honest.calls = ["5 us", "put.put"]; honest.wcet = "5 us";
        talker.core = 1; talker.priority = 10; talker.period = "1500 us";
        talker.calls = ["5 us", "put.put"]; talker.wcet = "5 us"; talker._stack_size = 4096;
        talker.budget = "1400 us"; talker.overrun = "suspend";
    }
}
"#;
    let calls = "#include <camkes.h>\nint run(void) { for (;;) put_put(); return 0; }\n";
    let locks = "#include <camkes.h>\nvoid put_put(void) { guard_lock(); guard_unlock(); }\n";
    let seen = on_rocket("locks", text, &[("Talker", calls), ("Log", locks)], "3200us");
    wheel_turns(&seen, 15);
}
