//! Systems of two and four parallel cores on the Verilog of the Rocket cores.
//!
//! What cores that take turns never show is asked for here: two that are in the kernel at once, a
//! section that goes on while its owner's core does something else, and one order of what both have
//! recorded.

use std::path::{Path, PathBuf};

use fusee_kernel::{Kind, Record};
use fusee_measure::{Between, CoresSeen, Guard, Section};
use fusee_model::costs::CostTable;
use fusee_model::{Duration, Policy, Protocol};
use fusee_pipeline::measure::Asked;
use fusee_pipeline::protocols::watched;
use fusee_platform::{KernelConfig, Platform};
use fusee_run::{Image, Run};
use fusee_testing::sums::{HELPER, keeper};
use fusee_testing::verilog::{assert_committed_costs_cover, task};
use fusee_testing::{Tool, document, side_by_side};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// The name of the platform.
const ROCKET: &str = "rtl-rocket";

/// Each user adds to a sum behind a gate and reads it again, in steps between which others could
/// come; who ticks preempts those who are inside.
const SUMS: &str = r#"
import <std_connector.camkes>;
procedure Sum { int add(in int value); int both(in int value); }
procedure Twice { int twice(in int value); }
component User { control; uses Sum sum; }
component Keeper { provides Sum sum; uses Twice twice; }
component Helper { provides Twice twice; }
component Ticker { control; }
assembly {
    composition {
        component User user0; component User user1; component User user2; component User user3;
        component Ticker tick0; component Ticker tick1;
        component Keeper keeper; component Helper helper;
        connection seL4RPCCall sums(from user0.sum, from user1.sum, from user2.sum,
            from user3.sum, to keeper.sum);
        connection seL4RPCCall twices(from keeper.twice, to helper.twice);
    }
    configuration {
        system.startup = "300 us";
        keeper.sum_wcet = "12 us"; helper.twice_wcet = "1 us";
        keeper.sum_priority_protocol = "PROTOCOL"; keeper.sum_calls = ["twice.twice"];
        helper.twice_priority_protocol = "propagated";
        user0.core = 0; user0.period = "190 us"; user0.priority = 10;
        user1.core = 0; user1.period = "310 us"; user1.priority = 11;
        user2.core = 1; user2.period = "170 us"; user2.priority = 12;
        user3.core = 1; user3.period = "330 us"; user3.priority = 13;
        user0.wcet = "5 us"; user0.calls = ["sum.both", "sum.add"];
        user1.wcet = "5 us"; user1.calls = ["sum.both", "sum.add"];
        user2.wcet = "5 us"; user2.calls = ["sum.both", "sum.add"];
        user3.wcet = "5 us"; user3.calls = ["sum.both", "sum.add"];
        tick0.core = 0; tick0.period = "71 us"; tick0.wcet = "1 us"; tick0.priority = 200;
        tick1.core = 1; tick1.period = "83 us"; tick1.wcet = "1 us"; tick1.priority = 200;
        tick0.stub = true; tick1.stub = true;
    }
}
"#;

const USER: &str = r#"
#include <camkes.h>
#include <stdio.h>

static int jobs;

int run(void)
{
    int before = sum_add(0);
    int after = jobs % 2 ? sum_both(1) : sum_add(1);
    if (after <= before)
        printf("lost: %d after %d\n", after, before);
    if (++jobs == 2)
        printf("2 jobs\n");
    return 0;
}
"#;

/// Users of gates that answer with twice what they are given.
const DOUBLES: &str = r#"
import <std_connector.camkes>;
procedure Number { int twice(in int value); }
component User { control; uses Number number; }
component Keeper { provides Number number; }
assembly {
    composition {
COMPONENTS
    }
    configuration {
SETTINGS
    }
}
"#;

const ASKS: &str = r#"
#include <camkes.h>
#include <stdio.h>

static int jobs;

int run(void)
{
    int value = 7 + jobs++, answer = number_twice(value);
    printf(answer == 2 * value ? "right\n" : "%d became %d\n", value, answer);
    return 0;
}
"#;

const ANSWERS: &str = "
#include <camkes.h>

int number_twice(int value)
{
    fusee_compute(50000);
    return 2 * value;
}
";

/// Returns a folder of its own below the project's, where the Verilog of its `.venv` is found, with
/// a description and the code of its components.
fn written(name: &str, text: &str, code: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rocket-cores-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (component, code) in code {
        let place = folder.join("components").join(component);
        std::fs::create_dir_all(&place).expect("a folder");
        std::fs::write(place.join("code.c"), code).expect("code");
    }
    std::fs::write(folder.join("system.camkes"), text).expect("the description");
    folder
}

/// Makes its image and runs it so long.
fn run(folder: &Path, kernel: &str, time: Duration) -> Run {
    let build = ["build", "system.camkes", "--platform", ROCKET, "--kernel", kernel, "-o", "."];
    // Users call as often as a round draws.
    let output = FUSEE.run_in(folder, &[&build[..], &["--trust-written"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let image = Image::read(&folder.join("image.elf")).expect("an image");
    fusee_run::boot(&image, time).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
}

/// Returns the printed lines, without times.
fn lines(run: &Run) -> Vec<&str> {
    run.console.iter().map(|line| line.text.as_str()).collect()
}

/// Checks that a gate's sections follow each other in the order of the records. Answers how often a
/// section went on in another thread's time than its owner's.
fn helped(records: &[Record]) -> usize {
    let mut inside = None;
    let mut helped = 0;
    for record in records {
        let who = Some((record.thread, record.value));
        match record.kind {
            Kind::Take => {
                assert_eq!(inside, None, "two execute a section at {}", record.time);
                helped += usize::from(u64::from(record.thread.0) != record.value);
                inside = who;
            }
            Kind::LayDown | Kind::Finish => {
                assert_eq!(inside, who, "a section ends elsewhere at {}", record.time);
                inside = None;
            }
            _ => {}
        }
    }
    helped
}

/// A waiting thread stays on its core: the two protocols in which both cores are at it at the same
/// time.
#[test]
fn two_cores_at_once_pass_a_gate() {
    pass_a_gate_for("short", &["msrp", "mrsp"], SUMS, Duration(500_000));
}

/// One user on each core. Nobody interrupts who is on the last two.
#[test]
#[ignore = "takes a minute; `make soundness` runs it"]
fn four_cores_at_once_pass_a_gate_under_each_protocol() {
    let text = SUMS.replace("user1.core = 0", "user1.core = 2");
    let text = text.replace("user3.core = 1", "user3.core = 3");
    pass_a_gate_for("four", &PROTOCOLS, &text, Duration(900_000));
}

/// `make soundness`, which has the time.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn two_cores_at_once_pass_a_gate_under_each_protocol() {
    pass_a_gate_for("long", &PROTOCOLS, SUMS, Duration(8_000_000));
}

/// All of them.
const PROTOCOLS: [&str; 3] = ["msrp", "mrsp", "mpcp"];

fn pass_a_gate_for(name: &str, protocols: &[&str], text: &str, time: Duration) {
    let code =
        [("User", USER), ("Keeper", &keeper("    fusee_compute(8000);")), ("Helper", HELPER)];
    side_by_side(protocols, |_, protocol| {
        let text = text.replace("PROTOCOL", protocol);
        let run = run(&written(&format!("{name}-{protocol}"), &text, &code), "traced", time);
        assert_eq!(run.faults, []);
        assert_eq!(lines(&run), ["2 jobs"; 4], "{protocol}: {:?}", run.console);
        // Two ticks come while somebody is inside and another core waits.
        let helped = helped(&run.records);
        assert_eq!(helped > 0, *protocol == "mrsp", "{protocol}: {helped}");
        let asked = run.records.iter().filter(|record| record.kind == Kind::Ask);
        assert!(asked.filter(|record| record.value > 0).count() >= 4, "{protocol}: nobody waits");
    });
}

/// The same users, behind a gate that lets all of them in: the keeper has a mutex.
#[test]
#[ignore = "takes a minute; `make soundness` runs it"]
fn two_cores_at_once_pass_a_mutex() {
    let calls = "[\"lock guard\", \"12 us\", \"twice.twice\", \"unlock guard\"]";
    let text = SUMS
        .replace("component Keeper { ", "component Keeper { has mutex guard; ")
        .replace("\"PROTOCOL\"", "\"propagated\"; keeper.guard_priority_protocol = \"msrp\"")
        .replace("[\"twice.twice\"]", calls);
    let inside = keeper("    fusee_compute(8000);")
        .replace("int sum_add(", "static int add(")
        .replace("int sum_both(", "static int both(");
    let code = [("User", USER), ("Keeper", &(inside + LOCKED)), ("Helper", HELPER)];
    let run = run(&written("mutex", &text, &code), "traced", Duration(500_000));
    assert_eq!(run.faults, []);
    assert_eq!(lines(&run), ["2 jobs"; 4], "{:?}", run.console);
    assert_eq!(helped(&run.records), 0, "who has a mutex executes its own section");
    let asked = run.records.iter().filter(|record| record.kind == Kind::Ask);
    assert!(asked.filter(|record| record.value > 0).count() >= 4, "nobody waits");
}

/// The methods that are provided with the mutex held.
const LOCKED: &str = "
int sum_add(int value)
{
    guard_lock();
    int result = add(value);
    guard_unlock();
    return result;
}

int sum_both(int value)
{
    guard_lock();
    int result = both(value);
    guard_unlock();
    return result;
}
";

/// News of one gate that a core gets while it executes the section of another does not change whose
/// section that is: `low` has its turn at `slow` while `high` is inside `fast`, and both get their
/// answers.
#[test]
#[ignore = "takes half a minute; `make soundness` runs it"]
fn a_look_at_another_gate_leaves_the_section_its_owner() {
    let components = "component User high; component User low; component User other;
        component User peer; component Keeper fast; component Keeper slow;
        connection seL4RPCCall fasts(from high.number, from peer.number, to fast.number);
        connection seL4RPCCall slows(from low.number, from other.number, to slow.number);";
    let settings = "fast.number_wcet = \"50 us\"; fast.number_priority_protocol = \"msrp\";
        slow.number_wcet = \"50 us\"; slow.number_priority_protocol = \"mpcp\";
        other.core = 1; other.period = \"400 us\"; other.priority = 20; other.wcet = \"10 us\";
        low.core = 0; low.period = \"400 us\"; low.offset = \"10 us\"; low.priority = 10;
        high.core = 0; high.period = \"400 us\"; high.offset = \"30 us\"; high.priority = 30;
        peer.core = 1; peer.period = \"400 us\"; peer.offset = \"200 us\"; peer.priority = 10;
        high.wcet = \"10 us\"; low.wcet = \"10 us\"; peer.wcet = \"10 us\";";
    let text = DOUBLES.replace("COMPONENTS", components).replace("SETTINGS", settings);
    let folder = written("look", &text, &[("User", ASKS), ("Keeper", ANSWERS)]);
    let run = run(&folder, "traced", Duration(290_000));
    assert_eq!(lines(&run), ["right"; 4], "{:?}", run.console);
    let turn = run.records.iter().find(|record| record.kind == Kind::Turn).expect("a turn");
    let inside = |record: &&Record| record.object == 0 && record.time <= turn.time;
    let last = run.records.iter().filter(inside).rfind(|record| record.kind == Kind::Take);
    assert!(last.is_some(), "the turn comes while nobody is inside the other gate");
}

/// Two cores come to a gate's lock at about the same time, in both orders, one of them to leave the
/// gate and the other to ask there. Times of what they record are in the order of the lock.
#[test]
#[ignore = "takes half a minute; `make soundness` runs it"]
fn records_of_two_cores_are_in_one_order() {
    let components = "component User one; component User two; component Keeper gate;
        connection seL4RPCCall gates(from one.number, from two.number, to gate.number);";
    // The second comes 300 ns later each time, around the end of the first one's section.
    let settings = "gate.number_wcet = \"10 us\"; gate.number_priority_protocol = \"mrsp\";
        one.stub = true; two.stub = true; gate.stub = true;
        one.calls = [\"1 us\", \"number.twice\", \"1 us\"]; one.wcet = \"2 us\";
        two.calls = [\"1 us\", \"number.twice\", \"1 us\"]; two.wcet = \"2 us\";
        one.core = 0; one.period = \"50 us\"; one.priority = 20;
        two.core = 1; two.period = \"50300 ns\"; two.offset = \"12400 ns\"; two.priority = 20;";
    let text = DOUBLES.replace("COMPONENTS", components).replace("SETTINGS", settings);
    let run = run(&written("order", &text, &[]), "traced", Duration(1_100_000));
    helped(&run.records);
    // Both orders came.
    let asked = |waits: u64| {
        let mut asked = run.records.iter().filter(|record| record.kind == Kind::Ask);
        asked.any(|record| record.thread.0 == 1 && record.value == waits)
    };
    assert!(asked(0) && asked(1), "the second always comes on the same side of the first's end");
    assert!(run.records.is_sorted_by_key(|record| record.time));
}

/// A core that waits at a gate does not sleep here, and looks again and again whether it is to go
/// on: that is no part of a path. What is one takes no longer than the committed table says.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn the_committed_table_covers_a_gate_between_two_cores() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rocket-cores-watched");
    let asked = Asked { cores: 2, ..Asked::plain(Platform::RtlRocket, folder) };
    let between = Between {
        guard: Guard::Gate(Protocol::Msrp),
        cores: 2,
        users: 1,
        budgets: false,
        policy: Policy::FixedPriority,
    };
    let recorder = watched(&between, &asked).unwrap_or_else(|problem| {
        panic!("{:?}", problem.diagnostics);
    });
    for section in [Section::Ask, Section::Leave, Section::Look] {
        let seen = recorder.paths.iter().any(|path| path.kinds().eq([section]));
        assert!(seen, "{section:?}");
    }
    // The user waits for tens of thousands of cycles until the owner comes back.
    let longest = recorder.paths.iter().map(|path| path.length).max();
    assert!(longest < Some(20_000), "{longest:?}");
    let committed =
        asked.platform.descriptor().costs_of(KernelConfig::PLAIN.on(2), 2).expect("measured");
    let table = CostTable::from_toml(committed).expect("a table");
    let seen =
        CoresSeen { by_clock: Vec::new(), watched: vec![(Guard::Gate(Protocol::Msrp), recorder)] };
    assert_eq!(seen.covered_by(&table), Ok(()), "type `make costs`");
    // A table that says less is found out.
    assert!(seen.covered_by(&table.scaled(1, 2)).is_err());
}

/// The vehicle, as Fusee proposes it for two cores: observed, at most the bound.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn the_vehicle_keeps_its_bounds() {
    let jobs = [
        ("motor", 21),
        ("shutter", 11),
        ("steering", 4),
        ("camera", 2),
        ("network", 2),
        ("planner", 1),
    ];
    let run = vehicle("rocket");
    for (name, jobs) in jobs {
        let (done, longest, bound) = task(&run, name);
        assert_eq!(done, jobs, "{name}: {run:#}");
        assert!(longest <= bound, "{name} took {longest} ns, its bound is {bound}: {run:#}");
    }
    assert_eq!((&run["bounds_held"], &run["deadlines_held"]), (&true.into(), &true.into()));
}

/// The same on the four cores that it is meant for; what kernels take there was not measured, so
/// there are no bounds, and that is said.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn the_vehicle_keeps_its_deadlines_on_four_cores() {
    let run = vehicle("rocket-four");
    for (name, jobs) in
        [("motor", 7), ("shutter", 7), ("steering", 2), ("camera", 2), ("network", 2)]
    {
        let tasks = run["tasks"].as_array().expect("tasks");
        let task = tasks.iter().find(|task| task["name"] == name).expect("the task");
        assert_eq!((&task["jobs"], &task["response_bound_ns"]), (&jobs.into(), &Value::Null));
    }
    assert_eq!(run["deadlines_held"], true, "{run:#}");
}

/// Runs the vehicle of that name for as long as it takes to see all of its tasks.
fn vehicle(name: &str) -> Value {
    let out = written(name, "", &[]).display().to_string();
    let example = format!("examples/cores/{name}.camkes");
    let arguments =
        ["run", &example, "--platform", ROCKET, "--for", "8200us", "--json", "-o", &out];
    document(&FUSEE.run(&arguments))
}

/// `make soundness`, which has the time: nothing takes longer now than the committed table says.
#[test]
#[ignore = "takes a quarter of an hour; `make soundness` runs it"]
fn the_committed_costs_of_two_cores_cover_what_is_measured_now() {
    let folder = written("costs", "", &[]);
    assert_committed_costs_cover(FUSEE, &folder, Platform::RtlRocket, 2);
}

/// Returns a command's output about a task that runs on a core and shares nothing with another on
/// core 0.
fn said_of(command: &str, core: u32, options: &[&str]) -> (Option<i32>, String) {
    let settings = format!(
        "one.core = 0; one.period = \"50 us\"; one.wcet = \"2 us\"; one.stub = true;
        two.core = {core}; two.period = \"50 us\"; two.wcet = \"2 us\"; two.stub = true;"
    );
    let components = "component User one; component User two;";
    let text = DOUBLES.replace("COMPONENTS", components).replace("SETTINGS", &settings);
    let text = text.replace("uses Number number; ", "");
    let folder = written(&format!("{command}-{core}-{}", options.len()), &text, &[]);
    let arguments = [&[command, "system.camkes", "--platform", ROCKET], options].concat();
    let output = FUSEE.run_in(&folder, &arguments);
    let both = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&both).into_owned())
}

#[test]
fn a_fifth_core_is_not_there() {
    let (status, text) = said_of("build", 4, &[]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("F1014") && text.contains("5 cores, and rtl-rocket has 4"), "{text}");
}

/// Two cores wait for each other at the memory, whatever they share besides: what one was measured
/// to take is no bound for both, and they have a table of their own.
#[test]
fn two_cores_have_no_bounds_from_what_one_takes() {
    let one = Platform::RtlRocket.descriptor().costs_of(KernelConfig::PLAIN, 1).expect("measured");
    let folder = written("one", "", &[]);
    let file = folder.join("one.toml");
    std::fs::write(&file, one).expect("a table");
    let costs = ["--costs", &file.display().to_string()];
    let (status, text) = said_of("analyze", 0, &costs);
    assert!(status == Some(0) && !text.contains("F0615"), "{text}");
    let (status, text) = said_of("analyze", 1, &costs);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("F0615") && text.contains("2 cores execute at the same time"), "{text}");
    let (status, text) = said_of("analyze", 1, &[]);
    assert!(status == Some(0) && !text.contains("F0615"), "{text}");
}
