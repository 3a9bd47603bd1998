//! Kernels: bounds of all entries, from the system's own tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_isa::language::Register;
use fusee_wcet::execute::{Effort, Facts};
use fusee_wcet::invariant::Elsewhere;
use fusee_wcet::lines::Lines;
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;
use fusee_wcet::value::Range;
use fusee_wcet_kernel::{Bounds, Entry, IDLE, Kernel, KernelFacts, NotStarted, Trap};

const OPERATION: Register = Register::new(17);

/// Returns the kernel with a table of so many threads.
fn build(test: &str, length: u32) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernel");
    let elf =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("kernel-{test}-{length}.elf"));
    let run = Command::new("riscv64-unknown-elf-gcc")
        .args([
            "-march=rv64imac",
            "-mabi=lp64",
            "-mcmodel=medany",
            "-O2",
            "-g",
            "-nostdlib",
            "-ffreestanding",
        ])
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
    let timer =
        Entry { name: "timer".to_owned(), traps: vec![Trap::Interrupt(7)], registers: Vec::new() };
    let external = Entry {
        name: "external".to_owned(),
        traps: vec![Trap::Interrupt(11)],
        registers: Vec::new(),
    };
    vec![call("visit", 0), call("walk", 1), call("deeper", 2), timer, call("follow", 3), external]
}

/// A place where the kernel's stores change nothing that it decides by, and the length of its list.
const PLACES: &str = "elsewhere = [\"exception\", \"timer\", \"external\"]\n";
const LIST: &str = "[loops]\n\"walk_list\" = \"2 * threads\"\n";

fn given(elf: &[u8], program: &Program, text: &str) -> Result<KernelFacts, Vec<Diagnostic>> {
    let mut sources = SourceMap::default();
    let file = sources.add(Path::new("facts.toml"), text.to_owned());
    KernelFacts::read(
        (&sources, file),
        program,
        &Lines::read(elf),
        &BTreeMap::from([("threads", 4)]),
    )
}

fn bounds(elf: &[u8], with_fact: bool) -> Bounds {
    let program = Program::load(elf).expect("a program");
    let text = if with_fact { format!("{PLACES}{LIST}") } else { PLACES.to_owned() };
    let given = given(elf, &program, &text).expect("facts");
    let mut kernel =
        Kernel::start(program, given.facts.clone(), given.elsewhere.clone()).expect("it starts");
    let bounds =
        kernel.bounds(&Instructions, &entries(), Effort::default()).expect("a host with memory");
    let walk = &bounds.entries[1].bound.grounds.facts_used;
    let lines: Vec<&str> = given.about(walk).collect();
    assert_eq!(lines, if with_fact { vec!["loops.\"walk_list\" = 8"] } else { vec![] });
    assert_eq!(given.unused(walk).len(), 0);
    assert_eq!(given.unused(&BTreeSet::new()).len(), usize::from(with_fact));
    bounds
}

#[test]
fn facts_that_say_nothing_are_refused() {
    let elf = build("refused", 3);
    let program = Program::load(&elf).expect("a program");
    let wrong = [
        "[loops]\n\"walk_lost\" = 3\n",
        "[loops]\n\"walk_list\" = \"gates\"\n",
        "[loops]\n\"walk_list\" = -1\n",
        "elsewhere = [3]\n",
        "unreachable = [\"walk_lost\"]\n",
        "unreachable = \"walk_list\"\n",
    ];
    for text in wrong {
        assert_eq!(given(&elf, &program, text).expect_err(text).len(), 1, "{text}");
    }
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
fn iterations_of_a_counted_loop_with_a_fact_are_alike() {
    let elf = build("alike", 7);
    let visited = |facts: &str| {
        let program = Program::load(&elf).expect("a program");
        let given = given(&elf, &program, &format!("{PLACES}[loops]\n{facts}")).expect("facts");
        let mut kernel = Kernel::start(program, given.facts.clone(), given.elsewhere.clone())
            .expect("it starts");
        let bounds = kernel
            .bounds(&Instructions, &entries()[..1], Effort::default())
            .expect("a host with memory");
        bounds.entries[0].bound.clone()
    };
    let (exact, alike) = (visited(""), visited("\"visit_all\" = 7\n"));
    let (least, most) = (exact.time.expect("a bound"), alike.time.expect("a bound"));
    // The iterations are the same, but what is different in each of them is not looked at.
    assert!(least <= most && most <= least + 8, "{least} {most}");
    // However many they are, they are not executed one by one.
    let many = visited("\"visit_all\" = 1000\n");
    assert!(
        many.time.is_some_and(|time| time > 900) && many.blocks <= alike.blocks + 4,
        "{}",
        many.blocks
    );
}

#[test]
fn fields_survive_a_copy_as_one_word() {
    let follow = time(&bounds(&build("fields", 3), true), "follow").expect("a bound");
    // At most five iterations, as the field says; the fields around it hold anything.
    assert!((5 * 3..5 * 12 + 80).contains(&follow), "{follow}");
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
    assert!(walk.time.is_some() && !walk.grounds.facts_used.is_empty(), "{:?}", walk.obstacles);
    assert!(with.entries[0].bound.grounds.facts_used.is_empty());
}

/// After a store that may go anywhere nothing is known of memory: only the first ones are worth
/// reading.
#[test]
fn stores_that_may_go_anywhere_are_listed_without_what_follows_from_them() {
    let elf = build("wild", 5);
    let program = Program::load(&elf).expect("a program");
    let given = given(&elf, &program, LIST).expect("facts");
    let mut kernel = Kernel::start(program, given.facts, given.elsewhere).expect("it starts");
    let bounds =
        kernel.bounds(&Instructions, &entries(), Effort::default()).expect("a host with memory");
    assert_eq!((bounds.longest(), bounds.iterations), (None, 1));
    let saves = ["exception", "timer", "external"];
    for entry in &bounds.entries {
        let found = &entry.bound.obstacles;
        let is_save = |symbol: &str| saves.iter().any(|save| symbol.starts_with(save));
        assert!(
            found.iter().all(|obstacle| is_save(&obstacle.symbol)),
            "{}: {found:#?}",
            entry.name
        );
        let is_named =
            |save: &&str| found.iter().any(|obstacle| obstacle.symbol.starts_with(*save));
        assert!(saves.iter().all(is_named), "{}: {found:#?}", entry.name);
    }
}

#[test]
fn a_wait_for_interrupts_cuts_paths() {
    let bounds = bounds(&build("waits", 6), true);
    let (timer, resumed) =
        (time(&bounds, "timer").expect("a bound"), bounds.resumed.expect("paths behind the wait"));
    // One path ends at the wait; those behind it visit all threads, or leave.
    assert!(timer < 40, "{timer}");
    let visit = time(&bounds, "visit").expect("a bound");
    assert!(resumed > 6 * 3 && resumed < visit + 40, "{resumed}");
    assert_eq!(
        bounds.longest(),
        bounds.entries.iter().filter_map(|entry| entry.bound.time).chain([resumed]).max()
    );
    for entry in &bounds.entries {
        let stack = entry.bound.stack_bytes.expect("a known stack");
        assert!(stack <= 128, "{}: {stack}", entry.name);
    }
}

#[test]
fn a_wait_with_an_empty_stack_is_an_entry_of_its_own() {
    let bounds = bounds(&build("dozes", 6), true);
    assert!(time(&bounds, "external").expect("a bound") < 10);
    let idle = bounds.entries.last().expect("an entry");
    assert_eq!((idle.name.as_str(), idle.bound.stack_bytes), (IDLE, Some(32)));
    // From the wait until the kernel looks, and from there to the next wait or to user mode.
    assert!((6..12).contains(&idle.bound.time.expect("a bound")), "{:?}", idle.bound.time);
}

#[test]
fn the_same_kernel_has_the_same_bounds() {
    let elf = build("same", 4);
    let [one, other] = [(); 2].map(|()| bounds(&elf, true));
    let times =
        |bounds: &Bounds| bounds.entries.iter().map(|entry| entry.bound.time).collect::<Vec<_>>();
    assert_eq!(times(&one), times(&other));
}

#[test]
fn what_is_no_kernel_does_not_start() {
    let elf = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kernel-none.elf");
    let source = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kernel-none.S");
    std::fs::write(&source, ".globl _start\n_start: addi a0, a0, 1\n beqz a0, _start\n")
        .expect("a file");
    let run = Command::new("riscv64-unknown-elf-gcc")
        .args(["-march=rv64imac", "-mabi=lp64", "-nostdlib", "-Wl,-Ttext=0x80000000", "-o"])
        .args([&elf, &source])
        .status()
        .expect("riscv64-unknown-elf-gcc runs");
    assert!(run.success());
    let program = Program::load(&std::fs::read(elf).expect("a file")).expect("a program");
    let refused = Kernel::start(program, Facts::default(), Elsewhere::default()).err();
    assert!(matches!(refused, Some(NotStarted::NoVector(_))), "{refused:?}");
}
