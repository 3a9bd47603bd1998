//! The kernel's own paths: bounded, not longer on the machine, costs proved.

use std::path::{Path, PathBuf};

use fusee_testing::{Tool, document};
use serde_json::Value;

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// Returns a folder of this test's own, in which `fusee` runs.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("wcet-kernel-{test}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Returns the examples of the repository, by name.
fn example(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path).display().to_string()
}

/// The entries without a fast path in `tests/systems/general`.
const GENERAL: [&str; 8] = [
    "invoke",
    "invoke_with_message",
    "return",
    "return_with_message",
    "wait",
    "complete",
    "yield",
    "fault",
];

/// Returns the bounds of the kernel below one of the systems in `tests/systems`, and the
/// observations of it.
fn observed(system: &str, arguments: &[&str]) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../tests/systems/{system}/{system}.camkes"));
    let start =
        ["wcet", "--kernel", &file.display().to_string(), "--observe", "qemu-rv64", "--json"];
    let run = FUSEE.run_in(&folder(system), &[&start[..], arguments].concat());
    let document = document(&run);
    assert_eq!(run.status.code(), Some(0), "{document:#}");
    assert_eq!(document["paths"]["unexplained"], 0);
    document
}

/// Holds that the bound of an entry is no less than what was seen and no more than half as much
/// again; null: not seen.
fn is_close(entry: &Value) -> bool {
    let bound = entry["bound"].as_u64().expect("a bound");
    entry["observed"].as_u64().is_none_or(|observed| observed <= bound && 2 * bound <= 3 * observed)
}

/// The requests of schedulers to the kernel.
const OF_SCHEDULERS: [&str; 6] =
    ["receive", "dispatch", "delegate", "delegate_and_yield", "transfer", "yield_until"];

/// Returns the entries of a result whose names begin so, all of which were seen.
fn seen<'d>(document: &'d Value, names: &[&str]) -> Vec<&'d Value> {
    let entries = document["entries"].as_array().expect("a list").iter();
    let named = |entry: &&Value| {
        names.iter().any(|&name| entry["name"].as_str().is_some_and(|n| n.starts_with(name)))
    };
    let found: Vec<_> = entries.filter(named).collect();
    assert!(found.iter().all(|entry| entry["observed"].is_u64()), "{found:#?}");
    found
}

/// A request that waits for who waits, with a long message to be copied for who goes on.
#[test]
#[ignore = "bounds and measures a kernel; `make soundness` runs it"]
fn a_request_at_the_end_of_a_chain_comes_near_its_bound() {
    let document = observed("chains", &["--for", "2ms"]);
    let requests = seen(&document, &["invoke"]);
    assert!(requests.len() == 2 && requests.iter().all(|entry| is_close(entry)), "{requests:#?}");
    // From `outer` to `inner`, and no further: the tables say how long a chain can be, and the
    // kernel counts.
    let facts = requests[0]["facts"].as_array().expect("a list");
    assert!(
        !facts.iter().any(|fact| fact.as_str().is_some_and(|fact| fact.contains("boost"))),
        "{facts:?}"
    );
}

/// The same at a mutex, and the end of one that hands it on to who does not run next.
#[test]
#[ignore = "bounds and measures a kernel; `make soundness` runs it"]
fn mutexes_come_near_their_bounds() {
    let document = observed("mutexes", &["--for", "2ms"]);
    let both = seen(&document, &["lock", "unlock"]);
    assert!(both.len() == 2 && both.iter().all(|entry| is_close(entry)), "{both:#?}");
}

/// Returns the bound of an entry in a result.
fn bound(document: &Value, name: &str) -> u64 {
    let entries = document["entries"].as_array().expect("a list");
    let entry = entries.iter().find(|entry| entry["name"] == name).expect("an entry");
    entry["bound"].as_u64().expect("a bound")
}

/// In each but a dispatch a budget may end, which nothing here shows.
#[test]
#[ignore = "takes half a minute; `make soundness` runs it"]
fn calls_of_schedulers_have_bounds_that_hold() {
    let document = observed("scheduler", &[]);
    let entries = document["entries"].as_array().expect("a list");
    for name in OF_SCHEDULERS {
        let entry = entries.iter().find(|entry| entry["name"] == name).expect("an entry");
        let bound = entry["bound"].as_u64().expect("a bound");
        assert!(entry["observed"].as_u64().is_none_or(|seen| seen <= bound), "{entry}");
        assert!((1_000..15_000).contains(&bound), "{entry}");
    }
    let seen =
        |name| entries.iter().any(|entry| entry["name"] == name && !entry["observed"].is_null());
    assert!(seen("dispatch") && seen("receive"), "{document:#}");
}

/// The function in which the kernel asks if all agree.
const TEST: &str = "fusee_kernel::tcaps::dispatcher::Dispatcher::preempts";

/// A path, its entry, and functions of components.
type Measured = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The measurements that `fusee measure` makes of schedulers: the entry that each is most of, and
/// the components' functions in which it begins and ends, with their stubs.
const MEASURED: [Measured; 8] = [
    ("dispatch", "dispatch", &[DISPATCH, WAIT]),
    ("dispatch_timer", "dispatch", &[DISPATCH, WAIT]),
    ("send_receive", "signal", &[("worker", "measured_signal"), ("peer", "measured_receive")]),
    ("scheduler_activation", "wait", &[WAIT, DISPATCH]),
    ("timer_activation", "timer", &[("worker", "measured_spin"), DISPATCH]),
    ("delegate", "delegate", &[("leaf", "measured_delegate")]),
    // Of two signals, of which one asks, the difference: so without stubs.
    ("preemption_test", TEST, &[]),
    ("transfer", "transfer", &[("leaf", "measured_transfer")]),
];
const DISPATCH: (&str, &str) = ("leaf", "measured_dispatch");
const WAIT: (&str, &str) = ("worker", "measured_wait");

/// The bound of a component's function, without what the kernel does in its system calls.
fn stub(folder: &Path, build: &str, (component, function): (&str, &str)) -> u64 {
    let program = format!("{build}/domains/{component}.elf");
    let command = ["wcet", "--system-calls", &program, function, "--json"];
    let found = document(&FUSEE.run_in(folder, &command));
    let entry = &found["entries"][0];
    if let Some(bound) = entry["bound"].as_u64() {
        return bound;
    }
    // Who spins is interrupted in its loop, somewhere between two looks at the clock.
    let fact = entry["obstacles"][0]["fact"].as_str().expect("a loop");
    let facts = format!("[loops]\n{}\n", fact.trim_start_matches("loops.").replace("= N", "= 2"));
    std::fs::write(folder.join("facts.toml"), facts).expect("a file");
    let found =
        document(&FUSEE.run_in(folder, &[&command[..], &["--facts", "facts.toml"]].concat()));
    found["entries"][0]["bound"].as_u64().expect("a bound")
}

/// Returns the longest time of each of these paths in a measured system, stubs included.
fn proved(folder: &Path, build: &str) -> Vec<(&'static str, u64)> {
    let image = format!("{build}/image.elf");
    let kernel = |more: &[&str]| {
        let command = ["wcet", "--kernel", &image, "--json"];
        document(&FUSEE.run_in(folder, &[&command[..], more].concat()))
    };
    let (bounds, test) = (kernel(&[]), kernel(&["--within", TEST]));
    let of = |&(call, entry, stubs): &Measured| {
        let entry = if entry == TEST { bound(&test, "signal") } else { bound(&bounds, entry) };
        let stubs = stubs.iter().map(|&place| stub(folder, build, place));
        (call, entry + stubs.sum::<u64>())
    };
    MEASURED.iter().map(of).collect()
}

/// In the very images in which it is measured; and bounds lie within a hundredth of the line
/// through the smallest and the largest.
#[test]
#[ignore = "measures in eight systems and bounds three; `make soundness` runs it"]
fn what_schedulers_ask_for_takes_no_longer_than_proved() {
    let folder = folder("tcaps");
    let measure = ["measure", "--json", "--tcaps", "figures", "--in", "systems"];
    let measured = document(&FUSEE.run_in(&folder, &measure));
    let bounds = [3, 8, 14].map(|schedulers: u64| {
        let bounds = proved(&folder, &format!("systems/schedulers-{schedulers}/build"));
        for &(call, proved) in &bounds {
            let suffix = if schedulers == 3 { String::new() } else { format!(".{schedulers}") };
            let name = format!("tcap.{call}{suffix}");
            let paths = measured["paths"].as_array().expect("a list").iter();
            let path = paths.clone().find(|path| path["name"] == *name).expect("a path");
            let longest = path["max"].as_u64().expect("a number");
            println!("{name}: {longest} of {proved}");
            assert!(longest <= proved, "{name}: {longest} of {proved}");
        }
        bounds
    });
    for (place, (call, ..)) in MEASURED.iter().enumerate() {
        let [few, some, many] = [0, 1, 2].map(|system: usize| bounds[system][place].1);
        let straight = few as f64 + (many - few) as f64 * 5.0 / 11.0;
        let off = (some as f64 - straight).abs();
        assert!(off <= 0.01 * straight, "{call}: {few}, {some}, {many}");
    }
}

#[test]
fn one_function_counts_where_it_is_asked_for() {
    let (folder, events) = (folder("within"), example("events/events.camkes"));
    let run = |function| {
        let command = ["wcet", "--kernel", &events, "--json", "--within", function];
        FUSEE.run_in(&folder, &command)
    };
    let bounds = |function| document(&run(function));
    // From where a trap arrives nothing returns: all counts.
    let whole = bounds("fusee_arch_riscv::trap::vector::vector");
    let part = bounds("fusee_kernel::kernel::Kernel::choose");
    for entry in ["wait", "complete"] {
        let (part, whole) = (bound(&part, entry), bound(&whole, entry));
        assert!(part > 10 && 2 * part < whole, "{entry}: {part} of {whole}");
    }
    assert_eq!(bound(&part, "no_operation"), 0);
    assert!(part["interrupt_response"]["closed"].is_null(), "{part}");
    let unknown = run("fusee_kernel::kernel::Kernel::chose");
    let text = String::from_utf8_lossy(&unknown.stdout).into_owned();
    assert!(unknown.status.code() == Some(2) && text.contains("F0804"), "{text}");
}

#[test]
fn no_path_is_longer_on_the_machine() {
    let document = observed("general", &["--for", "8ms", "--path", "--entry", "return"]);
    let entries = document["entries"].as_array().expect("a list");
    assert!(entries.len() >= 16, "{document:#}");
    for entry in entries {
        let name = entry["name"].as_str().expect("a name");
        let bound = entry["bound"].as_u64().expect("a bound");
        assert!(entry["stack_bytes"].is_u64(), "{entry:#}");
        let observed = entry["observed"].as_u64();
        let not_there = ["lock", "unlock"].contains(&name);
        assert_eq!(observed.is_some(), !not_there, "{entry:#}");
        assert!(
            !GENERAL.contains(&name) || observed.is_some_and(|observed| observed > 800),
            "{entry:#}"
        );
        assert!(is_close(entry), "{entry:#}");
        // The steps of the path that was asked for are all of its time.
        let steps = entry["path"]["steps"].as_array();
        assert_eq!(steps.is_some(), name == "return");
        let sum =
            steps.map(|steps| steps.iter().filter_map(|step| step["time"].as_u64()).sum::<u64>());
        assert!(sum.is_none_or(|sum| sum == bound), "{sum:?} of {bound}");
    }
    let response = &document["interrupt_response"];
    // A system of the largest size, in which everything can happen, is not faster than one of six
    // threads.
    assert!(
        response["closed"].as_u64().expect("a bound") < response["open"].as_u64().expect("a bound"),
        "{response}"
    );
}

/// A kernel that orders by deadline or bars gates is another one than that of the open system, and
/// a system of more threads or of more mutexes in a component is larger than it: nothing is said of
/// the open system there. (Where something is, `no_path_is_longer_on_the_machine` compares.)
#[test]
fn nothing_is_said_of_an_open_system_that_does_not_include_the_one_asked_for() {
    let folder = folder("open-or-not");
    let many: String = (0..40).map(|task| format!("        component T t{task};\n")).collect();
    let times: String = (0..40)
        .map(|task| {
            format!(
                "        t{task}.period = \"1 s\"; t{task}.wcet = \"1 us\"; t{task}.calls = [];\n"
            )
        })
        .collect();
    let many = format!(
        "component T {{ control; }}\nassembly {{\n    composition {{\n{many}    }}\n    \
         configuration {{\n{times}    }}\n}}\n"
    );
    std::fs::write(folder.join("many.camkes"), many).expect("a description");
    for (system, why) in [
        (example("edf/deadlines.camkes"), "its kernel is another one than this system's"),
        (example("ceiling/opposite.camkes"), "its kernel is another one than this system's"),
        (example("locks/locks.camkes"), "this system is larger in one of its sizes"),
        ("many.camkes".to_owned(), "this system is larger in one of its sizes"),
    ] {
        let asked = ["wcet", "--kernel", &system, "--stubs", "--json"];
        let document = document(&FUSEE.run_in(&folder, &asked));
        let response = &document["interrupt_response"];
        assert_eq!(response["no_open"], why, "{system}: {document:#}");
        assert!(response["open"].is_null(), "{system}: {response}");
    }
}

/// Every path in cycles, on the core's own Verilog: with caches that hold anything at first.
#[test]
#[ignore = "takes half a minute; `make soundness` runs it"]
fn no_path_takes_more_cycles_on_the_core() {
    let events = example("events/events.camkes");
    let cycles = ["wcet", "--kernel", &events, "--machine", "vexriscv", "--json"];
    let of = |waits: &[&str]| {
        let run = FUSEE.run_in(&folder("cycles"), &[&cycles[..], waits].concat());
        let document = document(&run);
        assert_eq!(run.status.code(), Some(0), "{document:#}");
        document
    };
    let watched = of(&["--observe", "rtl-vexriscv", "--for", "3ms"]);
    assert_eq!((&watched["machine"], &watched["unit"]), (&"vexriscv".into(), &"cycles".into()));
    assert_eq!(watched["paths"]["unexplained"], 0, "{watched:#}");
    let entries = watched["entries"].as_array().expect("a list");
    assert!(entries.len() >= 16, "{watched:#}");
    for entry in entries {
        let bound = entry["bound"].as_u64().expect("a bound");
        assert!(entry["observed"].as_u64().is_none_or(|observed| observed <= bound), "{entry:#}");
        assert!(entry["stack_bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{entry:#}");
    }
    let seen = entries.iter().filter(|entry| entry["observed"].is_u64()).count();
    assert!(seen >= 6, "{watched:#}");
    // A slower memory makes every entry slower.
    let slow = of(&["--wait-states", "10"]);
    for (fast, slow) in entries.iter().zip(slow["entries"].as_array().expect("a list")) {
        assert!(slow["bound"].as_u64() > fast["bound"].as_u64(), "{slow:#}");
    }
    // The largest system has a bound too, and is no faster.
    let open = FUSEE.json(&["wcet", "--kernel", "--machine", "vexriscv"], 0);
    let [closed, open] = [(&watched, "closed"), (&open, "open")]
        .map(|(document, kind)| document["interrupt_response"][kind].as_u64().expect("a bound"));
    assert!(closed < open, "{closed} {open}");
}

/// A kernel that is bounded on one machine is not watched on another, and an image is for one
/// machine.
#[test]
fn kernels_are_watched_where_they_are_bounded() {
    let folder = folder("elsewhere");
    let refused = |arguments: &[&str], why: &str| {
        let run = FUSEE.run_in(&folder, &[&["wcet", "--kernel"], arguments].concat());
        let text = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.code() == Some(2) && text.contains(why), "{text}");
    };
    let core = ["--machine", "vexriscv", "--observe"];
    refused(&[&core[..], &["qemu-rv64"]].concat(), "take `--observe rtl-vexriscv`");
    refused(&[&core[..], &["rtl-vexriscv-10"]].concat(), "take `--observe rtl-vexriscv`");
    let faster = [&core[..], &["rtl-vexriscv-10", "--wait-states", "9"]].concat();
    refused(&faster, "take `--observe rtl-vexriscv`");
    refused(&["--observe", "rtl-vexriscv"], "take `--observe qemu-rv64`");
    refused(&["--machine", "small.toml"], "`instructions` or `vexriscv`");
    let hello = example("hello/hello.camkes");
    let built = FUSEE.run_in(&folder, &["build", &hello, "-o", "."]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    refused(&["image.elf", "--machine", "vexriscv"], "this image is for `qemu-rv64`");
}

#[test]
fn costs_are_proved_for_every_system_and_not_from_one() {
    let folder = folder("open");
    let closed = example("events/events.camkes");
    let run = FUSEE.run_in(&folder, &["wcet", "--kernel", &closed, "-o", "refused.toml"]);
    assert_eq!(run.status.code(), Some(2), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(!folder.join("refused.toml").exists());
    let run = FUSEE.run_in(&folder, &["wcet", "--kernel", "-o", "costs.toml", "--json"]);
    let document = document(&run);
    assert_eq!(run.status.code(), Some(0), "{document:#}");
    let entries = document["entries"].as_array().expect("a list");
    assert!(
        entries.len() >= 16 && entries.iter().all(|entry| entry["bound"].is_u64()),
        "{document:#}"
    );
    let response = &document["interrupt_response"];
    assert!(response["closed"].is_null(), "{response}");
    // Who waits for whom is looked at once for each thread, not once for each thread that waits for
    // each.
    assert!(response["open"].as_u64().expect("a bound") < 200_000, "{response}");
    let table = std::fs::read_to_string(folder.join("costs.toml")).expect("a file");
    assert!(
        table.contains("release = \"proved\"") && table.contains("provenance = \"measured\""),
        "{table}"
    );
    let run = FUSEE.run_in(
        &folder,
        &[
            "analyze",
            &example("hello/hello.camkes"),
            "--platform",
            "qemu-rv64",
            "--costs",
            "costs.toml",
            "--json",
        ],
    );
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
}

fn source(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(path).expect("a file")
}

/// Returns the number in a line of a file, between its beginning and its end.
fn number(path: &str, before: &str, after: &str) -> u64 {
    let text = source(path);
    let line = text.lines().find_map(|line| line.strip_prefix(before)).expect("the line");
    line.trim_end_matches(after).parse().expect("a number")
}

#[test]
fn the_memory_for_registers_is_what_the_kernel_takes_for_them() {
    let words = |name: &str| {
        number("crates/image-format/src/cores.rs", &format!("pub const {name}: usize = "), ";")
    };
    let (frame, live) = (words("FRAME_WORDS"), words("LIVE_WORDS"));
    let of_frames = format!("{frame} * word * depth * threads");
    let bytes = format!("{of_frames} + {} * word * threads", frame + live);
    assert!(
        source("os/kernel.facts.toml").contains(&format!("\"__arena_start\" = \"{bytes}\"")),
        "{bytes}"
    );
}

#[test]
fn the_rounds_granted_for_a_piece_of_data_cover_its_words() {
    let words = number("os/system/src/restarts.rs", "const PIECE_WORDS: u16 = ", ";");
    let granted = number("os/kernel.facts.toml", "\"restore\" = ", "");
    // At most all but one of the rounds of eight words, then seven of one, and one to see that
    // nothing is left.
    assert!(granted > words / 8 - 1 + 7, "{granted} rounds for {words} words");
}

#[test]
fn people_read_names_as_they_were_written() {
    let events = example("events/events.camkes");
    let command = ["wcet", "--kernel", &events, "--path", "--entry", "return"];
    let shown = FUSEE.run_in(&folder("names"), &command);
    let text = String::from_utf8_lossy(&shown.stdout);
    assert!(text.contains("by function") && text.contains("::") && !text.contains("_RN"), "{text}");
}

/// Nothing is described without the macro; an image has been built with or without it.
#[test]
fn a_description_is_read_with_macros() {
    let folder = folder("macros");
    let text = "#ifdef WITH\ncomponent Task { control; }\n\
                assembly { composition { component Task task; }\n\
                configuration { task.period = \"1 ms\"; task.wcet = \"1 us\"; } }\n#endif\n";
    std::fs::write(folder.join("system.camkes"), text).expect("a file");
    let function = ["--within", "fusee_kernel::kernel::Kernel::choose", "--json"];
    let run = |system: &str, macros: &[&str]| {
        let kernel = ["wcet", "--kernel", system, "--stubs"];
        FUSEE.run_in(&folder, &[&kernel[..], macros, &function].concat())
    };
    assert_eq!(run("system.camkes", &[]).status.code(), Some(2));
    let found = document(&run("system.camkes", &["-D", "WITH"]));
    assert!(bound(&found, "complete") > 10, "{found}");
    let late = run("build/system/image.elf", &["-D", "WITH"]);
    let text = String::from_utf8_lossy(&late.stdout).into_owned();
    assert!(late.status.code() == Some(2) && text.contains("has been built"), "{text}");
}

#[test]
fn what_is_no_image_is_refused() {
    let folder = folder("refused");
    std::fs::write(folder.join("other.elf"), b"\x7fELF and nothing else").expect("a file");
    let run = FUSEE.run_in(&folder, &["wcet", "--kernel", "other.elf", "--json"]);
    assert_eq!(run.status.code(), Some(2), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(document(&run)["entries"], serde_json::json!([]));
}

/// An image with two kernels is refused: it is not clear which of the two is meant.
#[test]
fn an_image_with_kernels_of_two_policies_is_refused() {
    let folder = folder("policies");
    let built = folder.to_str().expect("UTF-8");
    let build = FUSEE.run(&["build", "examples/edf/mixed.camkes", "-o", built]);
    assert_eq!(build.status.code(), Some(0), "{}", String::from_utf8_lossy(&build.stderr));
    let run = FUSEE.run_in(&folder, &["wcet", "--kernel", "image.elf"]);
    let text = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{text}");
    assert!(text.contains("its cores have kernels of different policies"), "{text}");
    assert!(text.contains("an image all of whose cores have its policy"), "{text}");
}
