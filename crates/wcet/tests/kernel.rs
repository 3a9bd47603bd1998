//! Kernels: bounds of all entries, from the system's own tables.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use fusee_wcet::execute::{Effort, Facts};
use fusee_wcet::kernel::{Bounds, Entry, Kernel, NotStarted, Trap};
use fusee_wcet::language::Register;
use fusee_wcet::lines::{Lines, Source, closest};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;
use fusee_wcet::value::Range;

const OPERATION: Register = Register(17);

/// The kernel with a table of so many threads.
fn build(test: &str, length: u32) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel");
    let elf = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("kernel-{test}-{length}.elf"));
    let run = Command::new("riscv64-unknown-elf-gcc")
        .args(["-march=rv64imac", "-mabi=lp64", "-mcmodel=medany", "-O2", "-g", "-nostdlib", "-ffreestanding"])
        .args([
            "-fno-tree-vectorize",
            "-Wa,-march=rv64imac_zicsr",
            "-Wl,-Ttext=0x80000000",
            "-Wl,--build-id=none",
            "-Wl,--no-relax",
        ])
        .arg(format!("-DLENGTH={length}"))
        .arg("-o")
        .args([&elf, &folder.join("vector.S"), &folder.join("kernel.c")])
        .output()
        .expect("riscv64-unknown-elf-gcc runs; `make setup` installs it");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    std::fs::read(elf).expect("the linked file")
}

fn entries() -> Vec<Entry> {
    let call = |name: &str, operation| Entry {
        name: name.to_owned(),
        traps: vec![Trap::Exception(Range::constant(8))],
        registers: vec![(OPERATION, Range::constant(operation))],
    };
    let timer = Entry { name: "timer".to_owned(), traps: vec![Trap::Interrupt(7)], registers: Vec::new() };
    vec![call("visit", 0), call("walk", 1), call("deeper", 2), timer]
}

fn bounds(elf: &[u8], with_fact: bool) -> Bounds {
    let program = Program::load(elf).expect("a program");
    let lines = Lines::read(elf);
    let all = |text: &str| closest(&program, &lines, &[Source::parse(text)]).into_keys();
    let elsewhere: BTreeSet<u64> = all("exception").chain(all("timer")).collect();
    let mut facts = Facts::default();
    if with_fact {
        facts.loop_bounds.extend(all("walk_list").map(|address| (address, 8)));
    }
    let mut kernel = Kernel::start(program, facts, elsewhere).expect("it starts");
    kernel.bounds(&Instructions, &entries(), Effort::default()).expect("a host with memory")
}

fn time(bounds: &Bounds, name: &str) -> Option<u64> {
    let entry = bounds.entries.iter().find(|entry| entry.name == name).expect("the entry");
    entry.bound.time
}

#[test]
fn loops_end_with_the_tables_of_the_system() {
    let [small, large] = [3, 7].map(|length| bounds(&build("tables", length), true));
    let visit = |bounds| time(bounds, "visit").expect("a bound");
    let each = (visit(&large) - visit(&small)) / 4;
    assert!((3..=8).contains(&each), "{each} for each thread");
    assert_eq!((visit(&large) - visit(&small)) % 4, 0);
    // The depth starts at 0 and is never counted beyond 4: found by what the entries store.
    let deeper = time(&large, "deeper").expect("a bound");
    assert!((4 * 3..4 * 12 + 60).contains(&deeper), "{deeper}");
    assert_eq!(time(&small, "deeper"), Some(deeper));
}

#[test]
fn a_list_needs_a_fact() {
    let elf = build("list", 5);
    let without = bounds(&elf, false);
    assert_eq!(time(&without, "walk"), None);
    assert_eq!(without.longest(), None);
    assert!(time(&without, "visit").is_some());
    let with = bounds(&elf, true);
    let walk = &with.entries[1].bound;
    assert!(walk.time.is_some() && !walk.facts_used.is_empty(), "{:?}", walk.obstacles);
    assert!(with.entries[0].bound.facts_used.is_empty());
}

#[test]
fn a_wait_for_interrupts_cuts_paths() {
    let bounds = bounds(&build("waits", 6), true);
    let (timer, resumed) = (time(&bounds, "timer").expect("a bound"), bounds.resumed.expect("paths behind the wait"));
    // One path ends at the wait; those behind it visit all threads, or leave.
    assert!(timer < 40, "{timer}");
    let visit = time(&bounds, "visit").expect("a bound");
    assert!(resumed > 6 * 3 && resumed < visit + 40, "{resumed}");
    assert_eq!(bounds.longest(), bounds.entries.iter().filter_map(|entry| entry.bound.time).chain([resumed]).max());
    for entry in &bounds.entries {
        let stack = entry.bound.stack_bytes.expect("a known stack");
        assert!(stack <= 128, "{}: {stack}", entry.name);
    }
}

#[test]
fn the_same_kernel_has_the_same_bounds() {
    let elf = build("same", 4);
    let [one, other] = [(); 2].map(|()| bounds(&elf, true));
    let times = |bounds: &Bounds| bounds.entries.iter().map(|entry| entry.bound.time).collect::<Vec<_>>();
    assert_eq!(times(&one), times(&other));
}

#[test]
fn what_is_no_kernel_does_not_start() {
    let elf = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kernel-none.elf");
    let source = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kernel-none.S");
    std::fs::write(&source, ".globl _start\n_start: addi a0, a0, 1\n beqz a0, _start\n").expect("a file");
    let run = Command::new("riscv64-unknown-elf-gcc")
        .args(["-march=rv64imac", "-mabi=lp64", "-nostdlib", "-Wl,-Ttext=0x80000000", "-o"])
        .args([&elf, &source])
        .status()
        .expect("riscv64-unknown-elf-gcc runs");
    assert!(run.success());
    let program = Program::load(&std::fs::read(elf).expect("a file")).expect("a program");
    let refused = Kernel::start(program, Facts::default(), BTreeSet::new()).err();
    assert!(matches!(refused, Some(NotStarted::NoVector(_))), "{refused:?}");
}
