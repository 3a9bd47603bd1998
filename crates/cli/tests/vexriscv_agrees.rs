//! QEMU and a core's Verilog run the same examples to the same effect.
//!
//! The two machines agree on no time: what takes an instruction on one takes some
//! cycles on the other. So who preempts whom, who waits for whom and how many signals
//! come together may differ, and with them the order in which different threads come.
//! What must agree is what time has no part in. A thread does next what follows from
//! its registers and from what it reads: what it has written, arguments, the kernel's
//! answers. So everything that one thread does (gates that it enters and leaves,
//! signals, faults, ends of jobs) is one sequence on both machines, and the lines that
//! a component prints in which one task alone executes are one text. Arrivals of
//! periodic tasks are instants that the description says. Where another thread can
//! come first to what is read this need not hold; in these examples it does. Who reads
//! the clock and prints what it says prints the same but for the numbers.
//!
//! A run ends at an instant and not at the end of what is under way, so one machine's
//! sequence is the beginning of the other's. How far it comes is a matter of time again,
//! and of what a budget buys: at least half as many jobs end.

#![allow(clippy::print_stdout, reason = "how many jobs ended is shown with --nocapture")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use fusee_kernel::{Kind, Record, ThreadIndex};
use fusee_model::{Duration, ReleaseKind};
use fusee_platform::Platform;
use fusee_run::{Image, Run};
use fusee_testing::{Tool, with_times};

const FUSEE: Tool = Tool(env!("CARGO_BIN_EXE_fusee"));

/// The machines, both of 32 bits.
const MACHINES: [Platform; 2] = [Platform::QemuRv32, Platform::RtlVexriscv];

/// The word for a thread's deed that ends a job.
const ENDS: &str = "Complete";

/// A description that is run.
struct Example {
    /// Its path below `examples`.
    name: &'static str,
    /// The factor by which its times are shorter than described; components are stubs where they
    /// are.
    shorter: u64,
    /// The length of the run in milliseconds.
    ms: u64,
    /// `true` if components read the clock and print what it says.
    tells_time: bool,
}

const fn as_it_is(name: &'static str, ms: u64) -> Example {
    Example { name, shorter: 1, ms, tells_time: false }
}

/// As it is, and lines are compared without the numbers in them.
const fn telling_time(name: &'static str, ms: u64) -> Example {
    Example { tells_time: true, ..as_it_is(name, ms) }
}

const fn shorter(name: &'static str, shorter: u64, ms: u64) -> Example {
    Example { name, shorter, ms, tells_time: false }
}

/// The examples that fit the core: one core, and times of which some milliseconds show something.
const EXAMPLES: [Example; 45] = [
    as_it_is("attack/c", 12),
    as_it_is("attack/c-peace", 12),
    as_it_is("attack/flood", 12),
    as_it_is("attack/flood-peace", 12),
    as_it_is("attack/rust", 12),
    as_it_is("attack/rust-peace", 12),
    as_it_is("chain/chain", 22),
    as_it_is("dataports/dataports", 22),
    as_it_is("edf/deadlines", 20),
    as_it_is("edf/priorities", 20),
    as_it_is("events/events", 22),
    as_it_is("groups/groups", 12),
    as_it_is("hello/hello", 12),
    as_it_is("locks/locks", 20),
    as_it_is("locks/optimistic", 20),
    as_it_is("released/released", 22),
    as_it_is("restart/restart", 22),
    as_it_is("rocket/inversion", 5),
    as_it_is("locks/component", 20),
    as_it_is("locks/cabinet", 20),
    as_it_is("locks/deadlines", 20),
    as_it_is("schedulers/below", 20),
    as_it_is("schedulers/deadlines", 20),
    telling_time("schedulers/hostile", 20),
    as_it_is("schedulers/interrupts", 20),
    as_it_is("schedulers/lending", 20),
    telling_time("schedulers/nested", 20),
    telling_time("schedulers/partitions", 20),
    as_it_is("schedulers/priorities", 20),
    as_it_is("schedulers/server", 20),
    as_it_is("schedulers/shares", 25),
    as_it_is("schedulers/turns", 20),
    as_it_is("timer/timer", 6),
    as_it_is("vexriscv/inherited", 8),
    shorter("ceiling/opposite", 10, 12),
    shorter("engine/engine", 1, 10),
    shorter("nested/config1", 50, 21),
    shorter("nested/config2", 50, 21),
    shorter("nested/config3", 50, 21),
    shorter("nested/config4", 50, 21),
    shorter("pathfinder/fifo", 100, 21),
    shorter("pathfinder/inherited", 100, 21),
    as_it_is("virtual/delegation", 10),
    as_it_is("virtual/driver-high", 10),
    as_it_is("virtual/driver-low", 10),
];

/// The results that a machine has shown, without its times.
#[derive(Debug, Clone)]
struct Effects {
    /// By thread: when its jobs arrived, if its period says so.
    arrivals: BTreeMap<String, Vec<String>>,
    /// By thread: what it did.
    deeds: BTreeMap<String, Vec<String>>,
    /// By component: what it printed.
    lines: BTreeMap<String, Vec<String>>,
    /// The output of the serial line.
    serial: Vec<u8>,
}

impl Effects {
    fn of(image: &Image, run: &Run) -> Self {
        let name = |thread: ThreadIndex| {
            let found = image.manifest.threads.get(usize::from(thread.0));
            found.map(|thread| thread.name.clone())
        };
        let periodic = |thread: ThreadIndex| {
            let task = image.system.tasks.get(usize::from(thread.0));
            let release = task.and_then(|task| task.release.as_ref());
            release.is_some_and(|release| release.kind == ReleaseKind::Periodic)
        };
        let mut found = Self {
            arrivals: BTreeMap::new(),
            deeds: BTreeMap::new(),
            lines: BTreeMap::new(),
            serial: run.serial.clone(),
        };
        for record in &run.records {
            let Some(name) = name(record.thread) else { continue };
            if record.kind == Kind::Release && periodic(record.thread) {
                found.arrivals.entry(name).or_default().push(record.value.to_string());
            } else if let Some(deed) = deed(record) {
                found.deeds.entry(name).or_default().push(deed);
            }
        }
        for line in &run.console {
            found.lines.entry(line.component.clone()).or_default().push(line.text.clone());
        }
        found
    }
}

/// Returns the deed of a thread by itself, if a record tells one.
fn deed(record: &Record) -> Option<String> {
    let counts = match record.kind {
        Kind::Enter | Kind::Return | Kind::Signal | Kind::Wake | Kind::Complete => 0,
        Kind::Fault | Kind::Abort => record.value,
        _ => return None,
    };
    Some(format!("{:?} {} {counts}", record.kind, record.object))
}

/// Copies a folder of examples for a machine: with its devices, and with times so many times
/// shorter and then without sources, since those name times, too.
fn copy(from: &Path, to: &Path, machine: Platform, shorter: u64) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        let is_text =
            ["camkes", "inc", "h"].iter().any(|end| path.extension() == Some(end.as_ref()));
        if path.is_dir() {
            if shorter == 1 || name == "include" {
                copy(&path, &to.join(name), machine, shorter);
            }
        } else if is_text {
            let text = placed(&fs::read_to_string(&path).expect("a text"), machine);
            fs::write(to.join(name), shortened(&text, shorter)).expect("a file");
        } else {
            fs::copy(&path, to.join(name)).expect("a file");
        }
    }
}

/// Returns a description with the devices where a machine has them, or where nothing of its is.
fn placed(text: &str, machine: Platform) -> String {
    let (here, there) = (Platform::QemuRv32.memory_map(), machine.memory_map());
    let interrupt = |source: u16| format!("_irq_number = {source};");
    let others = if machine == Platform::QemuRv32 { "0x400" } else { "0xf00" };
    text.replace(&format!("{:#x}", here.serial), &format!("{:#x}", there.serial))
        .replace(&interrupt(here.serial_interrupt), &interrupt(there.serial_interrupt))
        .replace("0x4000", "0x4004")
        .replace("0x4001", "0x4005")
        .replace("0x4002", "0x4006")
        .replace("0x400", others)
}

/// Returns a text with all times so many times shorter.
fn shortened(text: &str, times: u64) -> String {
    with_times(text, |ns| ns / times)
}

/// Builds an example for a machine with the kernel that records everything, and runs it.
fn effects(example: &Example, machine: Platform) -> Effects {
    let (folder, name) = example.name.split_once('/').expect("a folder and a name");
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder);
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("agrees").join(machine.name());
    let copied = root.join(example.name);
    let _ = fs::remove_dir_all(&copied);
    copy(&examples, &copied, machine, example.shorter);
    let built = copied.join("built").display().to_string();
    let description = copied.join(name).with_extension("camkes").display().to_string();
    let how = ["--kernel", "traced", "--stubs", "-o", &built];
    let build =
        FUSEE.run(&[&["build", &description, "--platform", machine.name()], &how[..]].concat());
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    let image = Image::read(&copied.join("built/image.elf")).expect("an image");
    let run = fusee_run::boot(&image, Duration(example.ms * 1_000_000)).expect("it runs");
    let mut effects = Effects::of(&image, &run);
    if example.tells_time {
        effects.lines.values_mut().flatten().for_each(|line| *line = without_numbers(line));
    }
    effects
}

fn without_numbers(line: &str) -> String {
    line.chars().filter(|character| !character.is_ascii_digit()).collect()
}

/// Returns the first place where neither of two sequences is the other's beginning.
fn differ<T: PartialEq + std::fmt::Debug>(one: &[T], other: &[T]) -> Option<String> {
    let at = one.iter().zip(other).position(|(one, other)| one != other)?;
    Some(format!("number {at} is {:?} and {:?}", one[at], other[at]))
}

/// Returns the differences between two machines.
fn differences([one, other]: &[Effects; 2]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (what, one, other) in [
        ("arrivals", &one.arrivals, &other.arrivals),
        ("deeds", &one.deeds, &other.deeds),
        ("lines", &one.lines, &other.lines),
    ] {
        let nothing = Vec::new();
        let names: BTreeSet<_> = one.keys().chain(other.keys()).collect();
        for name in names {
            let [one, other] = [one, other].map(|all| all.get(name).unwrap_or(&nothing));
            wrong.extend(differ(one, other).map(|why| format!("{what} of `{name}`: {why}")));
            let (fewer, more) = (ends(one).min(ends(other)), ends(one).max(ends(other)));
            if more > 2 * (fewer + 1) {
                wrong.push(format!("{what} of `{name}`: {fewer} and {more} jobs"));
            }
        }
    }
    wrong.extend(differ(&one.serial, &other.serial).map(|why| format!("the serial line: {why}")));
    wrong
}

/// Returns the number of jobs that ended.
fn ends(deeds: &[String]) -> usize {
    deeds.iter().filter(|deed| deed.starts_with(ENDS)).count()
}

fn assert_machines_agree(example: &Example) {
    let both = MACHINES.map(|machine| effects(example, machine));
    let wrong = differences(&both);
    assert!(wrong.is_empty(), "{}: {}", example.name, wrong.join("; "));
    let jobs = [&both[0], &both[1]]
        .map(|effects| effects.deeds.values().map(|deeds| ends(deeds)).sum::<usize>());
    println!("{}: {jobs:?} jobs", example.name);
    let happened = |effects: &Effects| !effects.arrivals.is_empty() || !effects.deeds.is_empty();
    assert!(both.iter().all(happened), "{}: nothing happened", example.name);
}

/// Faults, restarts and refused calls; a device, its interrupts and what it sends: in `make test`.
#[test]
fn qemu_and_the_core_do_the_same() {
    assert_machines_agree(&as_it_is("restart/restart", 4));
    assert_machines_agree(&as_it_is("released/released", 3));
}

/// `make soundness`, which has the time.
#[test]
#[ignore = "takes minutes; `make soundness` runs it"]
fn qemu_and_the_core_do_the_same_in_all_examples() {
    EXAMPLES.iter().for_each(assert_machines_agree);
}

/// An example that is not in the list is for several cores, and refused.
#[test]
fn every_example_for_one_core_is_in_the_list() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let to = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("agrees/others").display().to_string();
    for folder in fs::read_dir(&examples).expect("a folder") {
        let folder = folder.expect("an entry").path();
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(&examples).expect("below").with_extension("");
            let text = fs::read_to_string(&path).unwrap_or_default();
            let listed = EXAMPLES.iter().any(|example| Path::new(example.name) == name);
            let is_whole = path.extension() == Some("camkes".as_ref());
            if listed || !is_whole || !text.contains("assembly {") {
                continue;
            }
            let how = ["--platform", "rtl-vexriscv", "--stubs", "-o", &to];
            let build = FUSEE.run(&[&["build", &path.display().to_string()], &how[..]].concat());
            let says = String::from_utf8_lossy(&build.stderr).into_owned();
            assert!(says.contains("F1014"), "{}: {says}", name.display());
        }
    }
}

/// Two machines of which one does something else are found.
#[test]
fn what_differs_is_found() {
    let of = |deeds: &[&str], serial: &str| Effects {
        arrivals: BTreeMap::new(),
        deeds: [("a".to_owned(), deeds.iter().map(|&deed| deed.to_owned()).collect())].into(),
        lines: BTreeMap::new(),
        serial: serial.into(),
    };
    let done = of(&["Enter 1 0", ENDS], "ab");
    let same = |other: Effects| differences(&[done.clone(), other]).is_empty();
    assert!(same(of(&["Enter 1 0"], "abc")) && same(of(&[], "")));
    assert!(!same(of(&["Enter 2 0"], "ab")) && !same(of(&["Enter 1 0"], "ac")));
    assert!(!same(of(&["Enter 1 0", ENDS, ENDS, ENDS, ENDS, ENDS], "ab")));
}
