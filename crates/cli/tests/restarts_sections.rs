//! A component crashes in which sections of a gate between cores are.
//!
//! QEMU's cores take turns, so nothing is asked of times; what is asked is what must hold whatever
//! the order of events is.

use fusee_testing::{Tool, beginning, write_project};
use std::path::PathBuf;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// On core 0 somebody crashes the parser now and then, beside the gate; users on the others use it
/// for long, through the gate or a desk behind one, and the first of them is preempted. Now and
/// then a user crashes it from inside.
const TEXT: &str = r#"
import <std_connector.camkes>;
procedure Parse { int brief(in int crashes); int thorough(in int crashes); }
component Crasher { control; uses Parse parse; }
component User { control; uses Parse parse; }
component Brake { control; }
component Desk { provides Parse desk; uses Parse parser; }
component Parser { provides Parse quick; provides Parse slow; }
assembly {
    composition {
        component Parser parser; component Desk desk; component Brake brake;
        component Crasher crasher; component User user1; component User user2;
        connection seL4RPCCall crashes(from crasher.parse, to parser.quick);
        connection seL4RPCCall below(from desk.parser, to parser.BELOW);
        connection seL4RPCCall calls(from user1.parse, from user2.parse, to TO);
    }
    configuration {
        parser.quick_brief_wcet = "100 us"; parser.quick_thorough_wcet = "9 ms";
        parser.slow_brief_wcet = "100 us"; parser.slow_thorough_wcet = "9 ms";
        desk.desk_brief_wcet = "1 ms"; desk.desk_thorough_wcet = "1 ms";
        desk.desk_brief_calls = ["parser.brief"]; desk.desk_thorough_calls = ["parser.thorough"];
        parser.quick_priority_protocol = "propagated";
        GATE_priority_protocol = "PROTOCOL"; parser.on_fault = "FATE";
        crasher.period = "11 ms"; crasher.wcet = "1 ms"; crasher.priority = 50;
        crasher.calls = ["parse.brief"];
        brake.period = "5 ms"; brake.wcet = "1 ms"; brake.priority = 90; brake.core = 1;
        user1.period = "27 ms"; user1.wcet = "1 ms"; user1.priority = 20; user1.core = 1;
        user1.calls = ["parse.thorough"];
        user2.period = "31 ms"; user2.wcet = "1 ms"; user2.priority = 20; user2.core = LAST;
        user2.calls = ["parse.thorough"];
    }
}
"#;

/// Whatever is written must be there until it returns, and nothing of what was before a restart.
const PARSER: &str = r#"
#include <camkes.h>
#include <stdint.h>

static volatile int used;
static volatile int begun = 7;
static char far[9000];

static void crash(void)
{
    *(volatile int *)(intptr_t)16 = 1;
}

int quick_brief(int crashes)
{
    if (begun < 7 || far[8999])
        return -1;
    far[8999] = 1;
    if (crashes)
        crash();
    far[8999] = 0;
    return 1;
}

int slow_thorough(int crashes)
{
    int own = ++begun;
    used = own;
    for (volatile int i = 0; i < 500000; i++)
        if (used != own)
            return -1;
    if (crashes)
        crash();
    return own - 7;
}

int slow_brief(int crashes)
{
    return quick_brief(crashes);
}

int quick_thorough(int crashes)
{
    return slow_thorough(crashes);
}
"#;

/// Tells its own from what has failed below.
const DESK: &str = r#"
#include <camkes.h>

static int served;

int desk_brief(int crashes)
{
    return parser_brief(crashes);
}

int desk_thorough(int crashes)
{
    int number = parser_thorough(crashes);
    served++;
    return number == 0 ? fusee_take_error() * 1000 + served : number;
}
"#;

const CRASHER: &str = r#"
#include <camkes.h>
#include <stdio.h>

static int jobs;

int run(void)
{
    int result = parse_brief(++jobs % 4 == 0);
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

static int jobs;

int run(void)
{
    int crashes = ++jobs % 5 == 0;
    int result = parse_thorough(crashes);
    if (result < 0 || (crashes && result > 0 && result < 1000))
        printf("changed\n");
    if (result == 0)
        printf("%s: %d\n", crashes ? "own end" : "cut off", fusee_take_error());
    if (result > 1000)
        printf("%s: below, %d\n", crashes ? "own end" : "cut off", result);
    if (result > 0 && result < 1000)
        printf("number %d\n", result);
    return 0;
}
"#;

const BRAKE: &str = r#"
#include <camkes.h>

int run(void)
{
    for (volatile int i = 0; i < 100000; i++)
        ;
    return 0;
}
"#;

/// A system: where its sections run, their protocol, what a fault does, and how many cores.
struct Parsers {
    below: bool,
    protocol: &'static str,
    fate: &'static str,
    cores: usize,
}

impl Parsers {
    fn text(&self) -> String {
        let (below, to, gate) = match self.below {
            true => ("quick", "desk.desk", "desk.desk"),
            false => ("slow", "parser.slow", "parser.slow"),
        };
        let text = TEXT.replace("BELOW", below).replace("TO)", &format!("{to})"));
        // Without a desk nobody comes by way of it.
        let text = match self.below {
            true => text,
            false => text
                .replace("component Desk desk; ", "")
                .replace(
                    "        connection seL4RPCCall below(from desk.parser, to parser.slow);\n",
                    "",
                )
                .lines()
                .filter(|line| !line.contains("desk.desk_"))
                .map(|line| format!("{line}\n"))
                .collect(),
        };
        text.replace("GATE", gate)
            .replace("PROTOCOL", self.protocol)
            .replace("FATE", self.fate)
            .replace("LAST", &(self.cores - 1).to_string())
    }

    /// Returns the output of a boot of it.
    fn console(&self, (platform, kernel): (&str, &str)) -> Vec<String> {
        let place = if self.below { "below" } else { "inside" };
        let (protocol, fate, cores) = (self.protocol, self.fate, self.cores);
        let name = format!("sections-{place}-{protocol}-{fate}-{cores}-{platform}-{kernel}");
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let code = [
            ("Parser", PARSER),
            ("Desk", DESK),
            ("Crasher", CRASHER),
            ("User", USER),
            ("Brake", BRAKE),
        ];
        let path = write_project(&folder, ("parsers.camkes", &self.text()), &code);
        let how = ["--for", "600ms", "--platform", platform, "--kernel", kernel];
        // There are faults, and jobs that failed.
        FUSEE.console(&path, &how, 1)
    }
}

/// Whoever is inside is cut off, wherever its section is; nobody else is, and all begin anew.
fn restarts(below: bool, protocol: &'static str, cores: usize, machine: (&str, &str)) {
    let parsers = Parsers { below, protocol, fate: "restart", cores };
    let lines = parsers.console(machine);
    assert_eq!(beginning(&lines, "changed"), 0, "{protocol}: {lines:?}");
    assert!(beginning(&lines, "job ") >= 8, "{protocol}: {lines:?}");
    assert!(beginning(&lines, "cut off") >= 2, "{protocol}: {lines:?}");
    assert!(beginning(&lines, "own end") >= 2, "{protocol}: {lines:?}");
    assert!(beginning(&lines, "number 1") >= 3, "{protocol}: {lines:?}");
}

#[test]
fn sections_of_msrp_are_cut_off() {
    restarts(false, "msrp", 2, ("qemu-rv64", "checked"));
}

#[test]
fn sections_of_mrsp_are_cut_off_wherever_they_are() {
    restarts(false, "mrsp", 3, ("qemu-rv64", "checked"));
}

#[test]
fn sections_of_mpcp_are_cut_off() {
    restarts(false, "mpcp", 3, ("qemu-rv64", "plain"));
}

#[test]
fn sections_are_cut_off_on_a_machine_of_narrow_words() {
    restarts(false, "mrsp", 2, ("qemu-rv32", "checked"));
}

/// The gate above the component goes on.
#[test]
fn sections_are_cut_off_below_a_gate() {
    restarts(true, "mrsp", 3, ("qemu-rv64", "checked"));
}

#[test]
fn sections_end_in_a_component_that_dies() {
    let parsers = Parsers { below: false, protocol: "mrsp", fate: "dead", cores: 3 };
    let lines = parsers.console(("qemu-rv64", "checked"));
    let dies = lines.iter().position(|line| line.starts_with("job 4 crashed")).expect("a crash");
    assert_eq!(beginning(&lines[dies..], "number"), 0, "{lines:?}");
    assert!(
        beginning(&lines[dies..], "cut off") >= 4 && beginning(&lines, "changed") == 0,
        "{lines:?}"
    );
}
