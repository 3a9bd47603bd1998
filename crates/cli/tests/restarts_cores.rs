//! A component that several cores enter crashes, and is restarted or dies.
//!
//! QEMU's cores take turns, so nothing is asked of times; what is asked is what must hold whatever
//! the order of events is.

use fusee_testing::{Tool, beginning, write_project};
use std::path::PathBuf;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// On core 0 somebody crashes the parser now and then; on the others it is used for long.
const TEXT: &str = r#"
import <std_connector.camkes>;
procedure Parse { int brief(in int crashes); int thorough(); }
component Crasher { control; uses Parse parse; }
component User { control; uses Parse parse; }
component Parser { provides Parse parse; }
assembly {
    composition {
        component Parser parser; component Crasher crasher;
USERS
        connection seL4RPCCall calls(FROM from crasher.parse, to parser.parse);
    }
    configuration {
        parser.parse_brief_wcet = "100 us"; parser.parse_thorough_wcet = "9 ms";
        parser.parse_priority_protocol = "propagated"; parser.on_fault = "FATE";
        crasher.period = "11 ms"; crasher.wcet = "1 ms"; crasher.priority = 50;
        crasher.calls = ["parse.brief"];
SETTINGS
    }
}
"#;

/// Whatever a job writes must be there until it returns, and nothing of a job before a restart.
const PARSER: &str = r#"
#include <camkes.h>
#include <stdint.h>

static volatile int used[8];
static volatile int begun = 7;
static char far[9000];

int parse_brief(int crashes)
{
    if (begun < 7 || far[8999])
        return -1;
    far[8999] = 1;
    if (crashes)
        *(volatile int *)(intptr_t)16 = 1;
    far[8999] = 0;
    return 1;
}

int parse_thorough(void)
{
    int own = ++begun;
    used[own % 8] = own;
    for (volatile int i = 0; i < 700000; i++)
        if (used[own % 8] != own)
            return -1;
    return begun - 7;
}
"#;

const CRASHER: &str = r#"
#include <camkes.h>
#include <stdio.h>

static int jobs;

int run(void)
{
    int result = parse_brief(++jobs % 3 == 0);
    if (result < 0)
        printf("changed\n");
    if (result == 0)
        printf("job %d crashed: %d\n", jobs, fusee_take_error());
    return 0;
}
"#;

const USER: &str = r#"
#include <camkes.h>
#include <stdio.h>

int run(void)
{
    int result = parse_thorough();
    if (result < 0)
        printf("changed\n");
    if (result == 0)
        printf("cut off: %d\n", fusee_take_error());
    if (result > 0)
        printf("number %d\n", result);
    return 0;
}
"#;

/// Writes such a system, and boots it.
fn console(fate: &str, cores: usize, (platform, kernel): (&str, &str)) -> Vec<String> {
    let users: String =
        (1..cores).map(|core| format!("        component User user{core};\n")).collect();
    let from: String = (1..cores).map(|core| format!("from user{core}.parse, ")).collect();
    let settings: String = (1..cores)
        .map(|core| {
            format!(
                "        user{core}.period = \"{} ms\"; user{core}.wcet = \"1 ms\"; \
                 user{core}.core = {core};\n        user{core}.priority = 20; user{core}.calls = \
                 [\"parse.thorough\"];\n",
                23 + 4 * core
            )
        })
        .collect();
    let text = TEXT
        .replace("USERS\n", &users)
        .replace("FROM ", &from)
        .replace("SETTINGS\n", &settings)
        .replace("FATE", fate);
    let name = format!("{fate}-{cores}-{platform}-{kernel}");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let code = [("Parser", PARSER), ("Crasher", CRASHER), ("User", USER)];
    let path = write_project(&folder, ("parsers.camkes", &text), &code);
    let how = ["--for", "400ms", "--platform", platform, "--kernel", kernel];
    // There are faults, and jobs that failed.
    FUSEE.console(&path, &how, 1)
}

/// A component is put back whoever is inside, on which core.
/// Of two, one comes to run when the other sleeps, and finds nobody inside.
fn restarts(cores: usize, machine: (&str, &str)) {
    let lines = console("restart", cores, machine);
    assert_eq!(beginning(&lines, "changed"), 0, "{lines:?}");
    assert!(beginning(&lines, "job ") >= 8, "{lines:?}");
    assert!(cores == 2 || beginning(&lines, "cut off") >= 2, "{lines:?}");
    // What was counted is forgotten each time.
    assert!(beginning(&lines, "number 1") >= 3, "{lines:?}");
}

#[test]
fn two_cores_come_back_to_a_component_that_was_restarted() {
    restarts(2, ("qemu-rv64", "checked"));
    restarts(2, ("qemu-rv32", "plain"));
}

#[test]
fn more_cores_are_cut_off_inside() {
    restarts(4, ("qemu-rv64", "checked"));
    restarts(8, ("qemu-rv32", "plain"));
}

#[test]
fn a_component_dies_on_all_cores() {
    let lines = console("dead", 2, ("qemu-rv64", "checked"));
    let dies = lines.iter().position(|line| line.starts_with("job 3 crashed")).expect("a crash");
    assert_eq!(beginning(&lines[dies..], "number"), 0, "{lines:?}");
    assert!(
        beginning(&lines[dies..], "cut off") >= 4 && beginning(&lines, "changed") == 0,
        "{lines:?}"
    );
}
