//! Bounds in cycles with every number proved, beside what the Verilog shows.

#![allow(clippy::print_stdout, reason = "how close it comes is shown with --nocapture")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use fusee_model::Protocol;
use fusee_testing::{Tool, copy, document, row};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// The platform, and the same with memory that takes ten cycles longer.
const VEXRISCV: &str = "rtl-vexriscv";
const SLOW: &str = "rtl-vexriscv-10";

/// Returns an empty folder below the project's, where the Verilog of its `.venv` is found.
fn temporary(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("vexriscv-proved-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

fn example(name: &str) -> String {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/vexriscv");
    examples.join(name).with_extension("camkes").display().to_string()
}

fn succeed(folder: &Path, arguments: &[&str]) {
    let output = FUSEE.run_in(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {text}");
}

/// The command is refused as bad input, and its complaint has this in it.
fn refused(folder: &Path, arguments: &[&str], told: &str) {
    let output = FUSEE.run_in(folder, arguments);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && text.contains(told), "{arguments:?}: {text}");
}

/// Builds an example into `made` in a folder, and bounds its kernel into `table.toml`.
fn built(folder: &str, name: &str, platform: &str) -> PathBuf {
    let folder = temporary(folder);
    build(&folder, &example(name), platform);
    folder
}

/// Returns the lander, for tests that only read.
fn lander() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| built("lander", "inherited", VEXRISCV))
}

/// Returns the first configuration of the nested requests, likewise.
fn nested() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| built("nested", "nested/config1", VEXRISCV))
}

fn make(folder: &Path, description: &str, platform: &str) {
    succeed(folder, &["build", description, "--platform", platform, "-o", "made"]);
}

fn build(folder: &Path, description: &str, platform: &str) {
    make(folder, description, platform);
    let kernel = ["wcet", "--kernel", "made/image.elf", "--machine", "vexriscv"];
    succeed(folder, &[&kernel[..], &["-o", "table.toml"]].concat());
}

/// The bounds of an example with the table in its folder.
fn analyzed(folder: &Path, name: &str, platform: &str) -> Value {
    let example = example(name);
    let costs = ["--programs", "made", "--costs", "table.toml", "--json"];
    let analyze = [&["analyze", &example, "--platform", platform][..], &costs].concat();
    document(&FUSEE.run_in(folder, &analyze))
}

/// No response is above its bound, and at the median at least half of it is seen.
fn assert_bounds_hold(name: &str, duration: &str) {
    let mut ratios = ratios(name, VEXRISCV, duration);
    ratios.sort_unstable();
    assert!(ratios.len() > 3, "{ratios:?}");
    let median = (ratios[(ratios.len() - 1) / 2] + ratios[ratios.len() / 2]) / 2;
    println!("{name}: median {median} %");
    assert!(median >= 50, "{ratios:?}");
}

/// Every number is proved, and no response of so long a run is above its bound: how much of it each
/// task with a complete job takes.
fn ratios(name: &str, platform: &str, duration: &str) -> Vec<u64> {
    let folder = format!("{platform}-{}-{duration}", name.replace('/', "-"));
    let folder = built(&folder, name, platform);
    let promised = analyzed(&folder, name, platform);
    let origins = &promised["origins"];
    assert_eq!(origins["kernel"]["from"], "proved", "{origins:#}");
    let times = origins["times"].as_array().expect("a list");
    assert!(times.iter().all(|time| time["from"] == "proved"), "{origins:#}");
    let path = example(name);
    let run = ["run", &path, "--platform", platform, "--costs", "table.toml", "-o", "made"];
    let run =
        document(&FUSEE.run_in(&folder, &[&run[..], &["--for", duration, "--json"]].concat()));
    let mut ratios = Vec::new();
    for task in run["tasks"].as_array().expect("tasks") {
        let name = task["name"].as_str().expect("a name");
        let bound = task["response_bound_ns"].as_u64().expect("a bound");
        let analyzed = row(&promised["tasks"], "name", name)["response_bound_ns"].as_u64();
        assert_eq!(analyzed, Some(bound), "{name}");
        let Some(seen) = task["response_max_ns"].as_u64().filter(|_| task["jobs"] != 0) else {
            continue;
        };
        assert!(seen <= bound, "{name} took {seen}, and its bound is {bound}: {run:#}");
        println!("  {name}: {} %", 100 * seen / bound);
        ratios.push(100 * seen / bound);
    }
    ratios
}

#[test]
fn a_lander_keeps_its_proved_bounds() {
    assert_bounds_hold("inherited", "7ms");
}

/// A device interrupts, its task is released, and what that takes from everybody is counted.
#[test]
fn a_task_of_a_device_keeps_its_proved_bound() {
    let ratios = ratios("devices/devices", VEXRISCV, "3ms");
    assert!(ratios.len() == 3 && ratios.iter().all(|&ratio| ratio > 10), "{ratios:?}");
}

/// The same where memory is slow: kernel, bodies and what interruptions reload are bounded with the
/// platform's wait states, which nobody names.
#[test]
fn bounds_are_proved_for_slow_memory_too() {
    let ratios = ratios("inherited", SLOW, "6ms");
    assert!(ratios.len() == 5 && ratios.iter().all(|&ratio| ratio > 20), "{ratios:?}");
}

/// A result for one memory is for no other.
#[test]
fn programs_and_bounds_of_slow_memory_are_for_no_other() {
    let folder = temporary("slow");
    let description = example("devices/devices");
    make(&folder, &description, SLOW);
    let refused = |arguments: &[&str], told: &str| refused(&folder, arguments, told);
    let analyze = ["analyze", &description, "--platform", VEXRISCV, "--programs", "made"];
    refused(&analyze, "the programs are for `rtl-vexriscv-10`, not for `rtl-vexriscv`");
    let kernel = ["wcet", "--kernel", "made/image.elf", "--machine", "vexriscv"];
    let fast = [&kernel[..], &["--wait-states", "0"]].concat();
    refused(&fast, "this image is for `rtl-vexriscv-10`");
    let other = [&kernel[..], &["--wait-states", "3", "-o", "table.toml"]].concat();
    refused(&other, "none has memory with these wait states");
    let bounds = |more: &[&str]| {
        let output = FUSEE.run_in(&folder, &[&kernel[..], &["--json"], more].concat());
        row(&document(&output)["entries"], "name", "invoke")["bound"].as_u64()
    };
    assert_eq!(bounds(&[]), bounds(&["--wait-states", "10"]));
}

/// If a device's interrupts release no task, nothing says how many there are.
#[test]
fn interrupts_that_release_no_task_are_refused() {
    let folder = temporary("uncounted");
    copy(Path::new(&example("devices/devices")).parent().expect("a folder"), &folder);
    let path = folder.join("devices.camkes");
    let text = std::fs::read_to_string(&path).expect("a description");
    let periodic = text.replace("driver.arrival = \"event elapsed\";", "driver.wcet = \"1 us\";");
    std::fs::write(&path, periodic).expect("it is written");
    make(&folder, "devices.camkes", VEXRISCV);
    let analyze = ["analyze", "devices.camkes", "--platform", VEXRISCV, "--programs", "made"];
    refused(&folder, &analyze, "nothing says how often `device.elapsed` interrupts");
}

/// `make soundness`, which has the time.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn all_keep_their_proved_bounds() {
    assert_bounds_hold("inherited", "60ms");
    for config in 1..=4 {
        assert_bounds_hold(&format!("nested/config{config}"), "17ms");
    }
    assert_bounds_hold("events/events", "6ms");
    assert_bounds_hold("engine/engine", "100ms");
}

/// Gates of one protocol after the other, and the cost table beside what the core shows.
///
/// A system whose gates all have one protocol takes no path but that protocol's: each is one of
/// those that the row is the bound of, and none is longer.
#[test]
fn rows_by_protocol_hold_for_gates_that_have_it() {
    assert_rows_hold(&["propagated"]);
}

/// `make soundness`, which has the time.
#[test]
#[ignore = "takes a minute; `make soundness` runs it"]
fn rows_of_other_protocols_hold_as_well() {
    assert_rows_hold(&["inherited", "fixed", "fifo"]);
}

fn assert_rows_hold(protocols: &[&str]) {
    for &protocol in protocols {
        let folder = of_one_protocol(protocol);
        let build = ["build", "vexriscv/nested/config1.camkes", "--platform", VEXRISCV];
        succeed(&folder, &[&build[..], &["-o", "made"]].concat());
        let kernel = ["wcet", "--kernel", "made/image.elf", "--machine", "vexriscv", "--json"];
        let observe = ["--observe", VEXRISCV, "--for", "2300us", "-o", "table.toml"];
        let document = document(&FUSEE.run_in(&folder, &[&kernel[..], &observe].concat()));
        let paths = &document["paths"];
        assert_eq!((&paths["unexplained"], &paths["refused"]), (&0.into(), &0.into()), "{paths}");
        let table = std::fs::read_to_string(folder.join("table.toml")).expect("a table");
        let table = fusee_model::costs::CostTable::from_toml(&table).expect("a table");
        let of = Protocol::from_name(protocol).expect("a protocol");
        let (enter, leave) = table.gate_passage(of).expect("rows");
        for (name, row) in [("invoke", enter.ns()), ("return", leave.ns())] {
            let entry = fusee_testing::row(&document["entries"], "name", name);
            let (seen, bound) = (entry["observed"].as_u64(), entry["bound"].as_u64());
            assert!(seen.is_some_and(|seen| seen <= row), "{protocol}: {row}, {entry}");
            assert!(bound.is_some_and(|bound| row <= bound), "{protocol}: {row}, {entry}");
            // What that rests on is said, and only where it rests on that.
            let own =
                fusee_testing::row(&document["entries"], "name", &format!("{name}.{protocol}"));
            let premises = own["assumptions"].as_array().expect("a list").iter();
            let free = premises.filter_map(Value::as_str).any(|it| it.starts_with("nobody holds"));
            assert_eq!(free, (name, protocol) == ("invoke", "propagated"), "{own}");
            println!("{name}.{protocol}: {seen:?} of {row}, {bound:?} whatever the protocol");
        }
    }
}

/// If gates of two protocols are in one image, those without waiting cost far less, and the cost of
/// further words is for those who pass some.
#[test]
fn rows_by_protocol_differ() {
    let table = std::fs::read_to_string(nested().join("table.toml")).expect("a table");
    let table = fusee_model::costs::CostTable::from_toml(&table).expect("a table");
    let passage = |protocol| {
        let (enter, leave) = table.gate_passage(protocol).expect("rows");
        enter.ns() + leave.ns()
    };
    let [many, one, none] = [Protocol::Propagated, Protocol::Inherited, Protocol::Fifo];
    let (many, one, none) = (passage(many), passage(one), passage(none));
    assert!(10 * many < 7 * one && one < none, "{many} {one} {none}");
    assert!(table.message.is_some_and(|message| message.invocation.ns() > 1000), "{table:?}");
}

/// Configuration 1 of the nested requests with one protocol at all gates.
fn of_one_protocol(protocol: &str) -> PathBuf {
    let folder = temporary(&format!("protocol-{protocol}"));
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for part in ["nested", "vexriscv/nested"] {
        copy(&examples.join(part), &folder.join(part));
    }
    for file in ["config1.camkes", "timing.inc"] {
        let path = folder.join("vexriscv/nested").join(file);
        let text = std::fs::read_to_string(&path).expect("a description");
        let word = |line: &str| line.contains("_priority_protocol").then_some(protocol);
        let lines = text.lines().map(|line| match (word(line), line.split_once('=')) {
            (Some(word), Some((attribute, _))) => format!("{attribute}= \"{word}\";\n"),
            _ => format!("{line}\n"),
        });
        std::fs::write(&path, lines.collect::<String>()).expect("it is written");
    }
    folder
}

/// A table's missing rows for one image are told by the image's name, not by an entry without a
/// bound.
#[test]
fn an_image_with_schedulers_has_no_table() {
    let folder = temporary("schedulers");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/schedulers");
    let path = examples.join("priorities.camkes").display().to_string();
    succeed(&folder, &["build", &path, "--platform", VEXRISCV, "-o", "made"]);
    let kernel = ["wcet", "--kernel", "made/image.elf", "--machine", "vexriscv"];
    let output = FUSEE.run_in(&folder, &[&kernel[..], &["-o", "table.toml"]].concat());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let told = "no cost table of an image has what schedulers that are components take";
    assert!(!output.status.success() && text.contains(told), "{text}");
}

/// A component that four tasks can be inside of has four stacks, and a body touches one of them:
/// with the pages of all it would have no bound.
#[test]
fn a_body_runs_on_one_of_its_stacks() {
    let tasks = analyzed(nested(), "nested/config1", VEXRISCV)["tasks"].clone();
    let bounded = |task: &Value| task["response_bound_ns"].is_u64();
    assert!(tasks.as_array().expect("tasks").iter().all(bounded), "{tasks:#}");
}

/// Nobody knows how long a callback runs: where it may be in a task's way, no task has a bound.
#[test]
fn a_callback_above_a_task_is_refused() {
    let folder = temporary("callback");
    copy(Path::new(&example("events/events")).parent().expect("a folder"), &folder);
    let path = folder.join("events.camkes");
    let text = std::fs::read_to_string(&path).expect("a description");
    std::fs::write(&path, text.replace("exceeded_priority = 1;", "exceeded_priority = 252;"))
        .expect("it is written");
    build(&folder, "events.camkes", VEXRISCV);
    let analyze = ["analyze", "events.camkes", "--platform", VEXRISCV];
    let more = ["--costs", "table.toml", "--programs", "made"];
    let told = "nothing says how long a callback of `log.exceeded` runs";
    refused(&folder, &[&analyze[..], &more].concat(), told);
}

/// The kernel's observed paths with caches that hold nothing of it are in the bounds of a small
/// system as well, where the system takes them at all.
#[test]
fn rows_cover_what_was_measured() {
    let table = std::fs::read_to_string(lander().join("table.toml")).expect("a table");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../platform/tables/rtl-vexriscv.toml");
    let measured = std::fs::read_to_string(path).expect("a table");
    let read = |text: &str| fusee_model::costs::CostTable::from_toml(text).expect("a table");
    let (proved, measured) = (read(&table), read(&measured));
    let inherited = Protocol::Inherited;
    let passage =
        |table: &fusee_model::costs::CostTable| table.gate_passage(inherited).expect("it");
    let ((enter, leave), (entered, left)) = (passage(&proved), passage(&measured));
    let rows = [
        ("release", proved.release.ns(), measured.release.ns()),
        ("completion", proved.completion.ns(), measured.completion.ns()),
        ("time_slice", proved.time_slice.ns(), measured.time_slice.ns()),
        ("budget_end", proved.budget_end.ns(), measured.budget_end.ns()),
        ("fault", proved.fault.ns(), measured.fault.ns()),
        ("invoke and block", enter.ns(), entered.ns() + measured.block.ns()),
        ("return and handoff", leave.ns(), left.ns() + measured.handoff.ns()),
    ];
    assert_eq!(proved.weakest(), fusee_model::costs::Provenance::Proved);
    assert!(rows.iter().all(|(_, proved, measured)| proved >= measured), "{rows:?}");
}

/// The table counts one kernel in one image, and no component's code.
#[test]
fn a_table_of_one_image_is_for_no_other() {
    let example = example("inherited");
    let analyze = ["analyze", &example, "--platform", VEXRISCV, "--costs", "table.toml"];
    let refused = |more: &[&str], what: &str| {
        let output = FUSEE.run_in(lander(), &[&analyze[..], more].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("F0002") && text.contains(what), "{text}");
    };
    refused(&[], "the cost table is of one image");
    let other =
        changed("changed", |text| text.replace("period = \"2200 us\"", "period = \"2300 us\""));
    make(&other, "inherited.camkes", VEXRISCV);
    let made = other.join("made").display().to_string();
    refused(&["--programs", &made], "the cost table is of another image");
}

/// A time from elsewhere has nothing of what is around a body.
#[test]
fn a_time_from_elsewhere_is_refused() {
    let folder = changed("attribute", |text| text + "imaging.wcet = \"3 ms\";\n");
    build(&folder, "inherited.camkes", VEXRISCV);
    let analyze = ["analyze", "inherited.camkes", "--platform", VEXRISCV];
    let more = ["--costs", "table.toml", "--programs", "made"];
    let told = "the time of `imaging` is the description's word";
    refused(&folder, &[&analyze[..], &more].concat(), told);
}

/// Returns the lander with other times, in its own folder.
fn changed(name: &str, times: impl Fn(String) -> String) -> PathBuf {
    let (folder, system) = (temporary(name), example("inherited"));
    copy(Path::new(&system).parent().expect("a folder"), &folder);
    let timing = folder.join("timing.inc");
    let text = std::fs::read_to_string(&timing).expect("times");
    std::fs::write(&timing, times(text)).expect("it is written");
    folder
}

/// The headers that bodies include.
const HEADERS: &str = "#include <camkes.h>\n#include <fusee.h>\n#include <stdio.h>\n";

/// A body that touches three pages of data a few times each.
const TOUCHES: &str = "\
#define WORDS 1024

static volatile unsigned pages[3 * WORDS] __attribute__((aligned(4096)));

static inline void touch(void)
{
    unsigned sum = 0;
    for (unsigned round = 0; round < 4; round++) {
        sum += pages[0] + pages[WORDS] + pages[2 * WORDS];
    }
    pages[1] = sum;
}
";

/// A body that reads a register of a device a thousand times.
const READS: &str = "\
static inline void touch(void)
{
    volatile unsigned *device = (volatile unsigned *)registers;
    unsigned sum = 0;
    for (unsigned round = 0; round < 1000; round++) {
        sum += device[8];
    }
    device[9] = sum;
}
";

/// The body that is bounded.
const BOUNDED: &str = "int run(void) { touch(); return 0; }\n";

/// The same beside the clock, and now and then told.
const TIMED: &str = "\
int run(void)
{
    static unsigned longest, jobs;
    uint64_t before = fusee_now();
    touch();
    unsigned took = (unsigned)(fusee_now() - before);
    longest = took > longest ? took : longest;
    if (++jobs == 4) {
        printf(\"took %u\\n\", longest);
    }
    return 0;
}
";

/// A component whose job is `code` and `body`.
struct Probe {
    code: &'static str,
    /// Its declarations, its connections, and their settings.
    beside: [&'static str; 3],
}

impl Probe {
    fn folder(&self, name: &str, body: &str) -> PathBuf {
        let folder = temporary(name);
        std::fs::create_dir_all(folder.join("components/Probe")).expect("a folder");
        let code = format!("{HEADERS}\n{}\n{body}", self.code);
        std::fs::write(folder.join("components/Probe/probe.c"), code).expect("a file");
        let [declares, connected, set] = self.beside;
        let text = format!(
            "import <std_connector.camkes>;\n\
             component Chip {{ hardware; dataport Buf(4096) registers; }}\n\
             component Probe {{ control; {declares} }}\n\
             assembly {{ composition {{ component Probe probe; {connected} }}\n\
             configuration {{ probe.period = \"5 ms\"; {set} }} }}\n"
        );
        std::fs::write(folder.join("probe.camkes"), text).expect("a file");
        folder
    }

    /// Returns the bound of the body alone on the core, and how long it took.
    fn measured(&self, name: &str) -> (u64, u64) {
        let bounded = self.folder(&format!("{name}-bounded"), BOUNDED);
        build(&bounded, "probe.camkes", VEXRISCV);
        let costs = ["--programs", "made", "--costs", "table.toml", "--json"];
        let analyze = [&["analyze", "probe.camkes", "--platform", VEXRISCV][..], &costs].concat();
        let tasks = document(&FUSEE.run_in(&bounded, &analyze))["tasks"].clone();
        let bound = row(&tasks, "name", "probe")["wcet_ns"].as_u64().expect("a bound");
        let timed = self.folder(&format!("{name}-timed"), TIMED);
        let run = ["run", "probe.camkes", "--platform", VEXRISCV, "-o", "made", "--for", "22ms"];
        let run = document(&FUSEE.run_in(&timed, &[&run[..], &["--json"]].concat()));
        let said = run["console"].as_array().expect("lines").iter();
        let mut said = said.filter_map(|line| line["text"].as_str()?.strip_prefix("took "));
        (bound, said.next().expect("it tells").parse().expect("a number"))
    }
}

/// A body without anything else on the core: nearly all of its time is walks through page tables
/// and lines that no cache holds. A bound without the walks is below what the core takes.
#[test]
#[ignore = "`make soundness` runs it; programs below page tables are drawn in `make test`"]
fn walks_through_page_tables_are_in_a_bodys_time() {
    let probe = Probe { code: TOUCHES, beside: ["", "", ""] };
    let (bound, took) = probe.measured("walks");
    assert!(took <= bound && bound <= 2 * took, "it took {took} cycles, and its bound is {bound}");
}

/// No cache keeps a device's register, so that each load is one from the bus. A bound that took it
/// for kept is below what the core takes.
#[test]
fn registers_of_devices_are_not_kept_in_caches() {
    let connected = "component Chip chip; \
                     connection seL4HardwareMMIO c(from probe.registers, to chip.registers);";
    let set = "chip.registers_paddr = 0xf0030000; chip.registers_size = 4096;";
    let declares = "dataport Buf(4096) registers;";
    let probe = Probe { code: READS, beside: [declares, connected, set] };
    let (bound, took) = probe.measured("reads");
    assert!(took <= bound && 4 * bound <= 5 * took, "it took {took} cycles, bound {bound}");
}
