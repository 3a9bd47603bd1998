//! A component's initialization is limited, and others start without it.

use fusee_testing::{Tool, write_project};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

const SYSTEM: &str = "
import <std_connector.camkes>;
component Slow { control; consumes E e; has mutex m; }
component Good { control; emits E e; }
assembly {
    composition {
        component Slow slow; component Good good;
        connection seL4Notification n(from good.e, to slow.e);
    }
    configuration {
        slow.period = \"10 ms\"; slow.wcet = \"10 us\"; slow.calls = []; slow.priority = 5;
        good.period = \"1 ms\"; good.wcet = \"50 us\"; good.calls = []; good.priority = 200;
        SETTING
    }
}
";

/// The mutex of the component is locked on two cores.
const SHARED: &str = "
import <std_connector.camkes>;
procedure P { void act(); };
component Slow { control; provides P p; has mutex m; }
component Good { control; uses P p; }
assembly {
    composition {
        component Slow slow; component Good good;
        connection seL4RPCCall c(from good.p, to slow.p);
    }
    configuration {
        slow.m_priority_protocol = \"msrp\"; slow.p_priority_protocol = \"propagated\";
        slow.p_act_calls = [\"lock m\", \"10 us\", \"unlock m\"];
        slow.period = \"10 ms\"; slow.wcet = \"10 us\"; slow.priority = 5;
        slow.calls = [\"lock m\", \"10 us\", \"unlock m\"];
        good.period = \"1 ms\"; good.wcet = \"50 us\"; good.priority = 200; good.core = 1;
        SETTING
    }
}
";

/// Boots a system with such code for a component; its messages, and the jobs of the other one.
fn booted(code: &str, setting: &str, platform: &str) -> (Vec<String>, Value) {
    let slow = format!("#include <camkes.h>\n{code}\nint run(void) {{ return 0; }}\n");
    let good = "#include <camkes.h>\nint run(void) { fusee_compute(100); return 0; }\n";
    booted_with(&SYSTEM.replace("SETTING", setting), &[("Slow", &slow), ("Good", good)], platform)
}

/// Boots a system with such code for its components; messages, and the jobs of `good`.
fn booted_with(text: &str, code: &[(&str, &str)], platform: &str) -> (Vec<String>, Value) {
    let root = snapbox::dir::DirRoot::mutable_temp().expect("a temporary folder");
    let folder = root.path().expect("it has a path");
    let path = write_project(folder, ("system.camkes", text), code).display().to_string();
    let built = folder.join("built").display().to_string();
    let arguments = ["run", &path, "--for", "20ms", "--platform", platform, "--json", "-o", &built];
    let run = FUSEE.run(&arguments);
    let value: Value = serde_json::from_slice(&run.stdout).expect("one JSON document");
    let messages = value["diagnostics"].as_array().expect("messages").iter();
    let told = messages.map(|one| format!("{} {}", one["code"], one["message"])).collect();
    let tasks = value["tasks"].as_array().expect("tasks");
    let good =
        tasks.iter().find(|task| task["name"] == "good").unwrap_or_else(|| panic!("{value:#}"));
    (told, good["jobs"].clone())
}

/// Returns `true` if it is said that the component took too long.
fn is_told(messages: &[String]) -> bool {
    messages.iter().any(|one| one.contains("F1134") && one.contains("`slow` took longer"))
}

/// Code that never ends, in any phase, on any machine; code that waits for what does not come; and
/// a budget that is short. Who takes less than its own budget is let alone, however much that is.
#[test]
fn who_takes_too_long_to_set_itself_up_is_named_and_left_behind() {
    let endless = "void pre_init(void) { for (;;) { } }";
    let last = "void post_init(void) { for (;;) { } }";
    let some = "void post_init(void) { fusee_compute(2000000); }";
    // Ending a job, coming back from a gate, waiting: none of it is for who sets itself up.
    let refused = "void pre_init(void) { for (;;) (void)fusee_operation(2, 0); }";
    let once = "void pre_init(void) { (void)fusee_operation(2, 0); (void)fusee_operation(4, 99); \
                (void)fusee_operation(1, 0); }";
    for (code, setting, platform, late) in [
        (last, "", "qemu-rv64", true),
        (refused, "", "qemu-rv64", true),
        (once, "", "qemu-rv64", false),
        (endless, "", "qemu-rv32", true),
        (last, "slow.core = 1;", "qemu-rv64", true),
        ("void post_init(void) { e_wait(); }", "", "qemu-rv64", true),
        (some, "system.startup = \"8 ms\"; slow.startup = \"1 ms\";", "qemu-rv64", true),
        (some, "slow.startup = \"3 ms\";", "qemu-rv64", false),
    ] {
        let (messages, jobs) = booted(code, setting, platform);
        assert_eq!(is_told(&messages), late, "{platform} {setting}: {messages:#?}");
        assert_eq!(jobs, 20, "{platform} {setting}: {messages:#?}");
    }
}

/// A fault in any phase is told of the component, and keeps nobody else from starting.
#[test]
fn who_faults_while_it_sets_itself_up_is_named_and_left_behind() {
    let instruction = "void pre_init(void) { __asm__ volatile(\".word 0\"); }";
    let memory = "void post_init(void) { *(volatile int *)16 = 1; }";
    for (code, setting, platform) in [
        (instruction, "", "qemu-rv64"),
        (instruction, "slow.core = 1;", "qemu-rv64"),
        (memory, "", "qemu-rv32"),
    ] {
        let (messages, jobs) = booted(code, setting, platform);
        let is_named = |one: &String| one.contains("F1109") && one.contains("`slow`");
        assert!(messages.iter().any(is_named), "{platform} {setting}: {messages:#?}");
        assert_eq!(jobs, 20, "{platform} {setting}: {messages:#?}");
    }
}

/// With a mutex of several cores nobody is cut off; who has used up its time is ended afterward.
#[test]
fn who_locks_a_mutex_of_two_cores_for_too_long_is_ended_when_it_has_unlocked() {
    let good = "#include <camkes.h>\nint run(void) { p_act(); return 0; }\n";
    for (inside, setting, late) in [
        (2_000_000, "slow.startup = \"1 ms\";", true),
        (2_000_000, "system.startup = \"8 ms\"; slow.startup = \"4 ms\";", false),
        (100, "slow.startup = \"1 ms\";", false),
    ] {
        let slow = format!(
            "#include <camkes.h>\n\
             static void section(int time) {{ m_lock(); fusee_compute(time); m_unlock(); }}\n\
             void pre_init(void) {{ section({inside}); }}\n\
             void post_init(void) {{ section(100); }}\n\
             void p_act(void) {{ section(100); }}\nint run(void) {{ section(100); return 0; }}\n"
        );
        let code = [("Slow", slow.as_str()), ("Good", good)];
        let text = SHARED.replace("SETTING", setting);
        let (messages, jobs) = booted_with(&text, &code, "qemu-rv64");
        assert_eq!(is_told(&messages), late, "{setting}: {messages:#?}");
        assert_eq!(jobs, 20, "{setting}: {messages:#?}");
    }
}
