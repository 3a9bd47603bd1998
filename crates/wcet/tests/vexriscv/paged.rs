//! Drawn programs below page tables, with calls and preemptions.
//!
//! What a body of a component takes is put together as `fusee analyze --programs`
//! does: the bound of its code with empty caches at the start and behind each call,
//! walks to each page from there, and the most that an interruption costs for each
//! preemption. All that the core retires in the user's pages, with what it waits
//! for from the kernel's `mret` on, must fit in there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fusee_isa::language::Register;
use fusee_rtl::{Board, Retired, Run};
use fusee_testing::programs::{Target, build_with};
use fusee_wcet::execute::{Bound, Effort, Facts, KernelInterface, bound};
use fusee_wcet::machine::{Counting, Footprint, Pipeline, Touched, Translated, description};
use fusee_wcet::program::Program;
use fusee_wcet::replay::{Executed, Replay};

use super::sequences;

/// `s11` says what a call asks for.
const OPERATION: Register = Register::new(27);
/// Says nothing: no call is done to anything.
const SUBJECT: Register = Register::new(26);
/// The operation that ends the program.
const END: u64 = 2;
/// The effort, as for the bodies of components.
const EFFORT: Effort = Effort { blocks: 1_000_000, iterations: 16_384, states: 1, depth: 200 };
/// The stack of a program without one.
const STACK: u64 = 0x8010_0000;

/// A program, below page tables of its own.
pub(crate) struct Paged<'b> {
    pub(crate) board: &'b Board,
    pub(crate) id: u64,
}

/// The bound of a program, and its time.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) bound: u64,
    pub(crate) observed: u64,
    /// The time by the model that follows its trace.
    pub(crate) followed: u64,
    /// The number of its preemptions.
    pub(crate) preemptions: u64,
}

impl Held {
    /// Returns `true` if the core takes no longer than both.
    pub(crate) fn is_covered(&self) -> bool {
        self.bound.min(self.followed) >= self.observed
    }
}

impl Paged<'_> {
    pub(crate) fn measure(&self) -> Held {
        let waits = [0, 10, 1, 3][self.id as usize / 2 % 4];
        let (source, elf) = self.build();
        let program = Program::load(&std::fs::read(&elf).expect("the ELF")).expect("a program");
        let description = description::built_in("vexriscv", waits).expect("it is built in");
        let machine = Pipeline::new(description, &program, Some(STACK)).expect("a machine");
        let (without, interruption) = composed(&program, &machine);
        let address = |name: &str| program.symbol(name).expect("a symbol").address;
        let paged = Translated::new(machine.clone(), address("root"), address("leaf_table"));
        let mut user = User::of(&program, &paged);
        let run = Run { first: waits, further: waits, cycles: 5_000_000 };
        let outcome = self.board.run(&elf, run, &mut |retired| user.see(retired));
        assert_eq!(outcome.expect("it ends").status, 0);
        assert!(user.before.is_some(), "program {} does not run", self.id);
        let bound = without + interruption * user.preemptions;
        let (observed, followed) = (user.time, user.replay.time());
        let held = Held { bound, observed, followed, preemptions: user.preemptions };
        if held.is_covered() {
            [source, elf].iter().for_each(|file| std::fs::remove_file(file).expect("a file"));
        }
        held
    }

    fn build(&self) -> (PathBuf, PathBuf) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let source = folder.join(format!("paged-{}.s", self.id));
        std::fs::write(&source, sequences::paged(self.id)).expect("a source");
        let kernel = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vexriscv/kernel.S");
        let name = format!("paged-{}", self.id);
        let elf = build_with(&[&kernel, &source], &name, Target::WarmBoard, "-O1", &[]);
        (source, elf)
    }
}

/// Returns the most that the program takes without preemptions, and what each of these adds.
fn composed(program: &Program, machine: &Pipeline<'_>) -> (u64, u64) {
    let entry = program.symbol("run").expect("run").address;
    let kernel = KernelInterface {
        operation: OPERATION,
        subject: SUBJECT,
        ends: [END].into(),
        next_job: 0..0,
        changed: Vec::new(),
    };
    let facts = &Facts { kernel: Some(kernel), ..Facts::default() };
    let found = bound(program, machine, entry, facts, EFFORT).expect("no defect");
    let time = found.time.unwrap_or_else(|| panic!("no bound: {:?}", found.obstacles));
    let touched = Touched::with_stack(STACK);
    bound(program, &touched, entry, facts, EFFORT).expect("no defect");
    let used = footprint(machine, &found, touched);
    let count = |places: &BTreeSet<u64>| match places.is_empty() {
        true => 0,
        false => {
            let found = bound(program, &Counting(places), entry, facts, EFFORT);
            found.expect("no defect").time.expect("a number")
        }
    };
    let calls = count(&found.coverage.requests.keys().copied().collect());
    let walks = machine.walks(&used, calls, count(&used.strays)).expect("a number");
    (time + walks, machine.interruption(&used))
}

fn footprint(machine: &Pipeline<'_>, found: &Bound, touched: Touched) -> Footprint {
    let bytes = touched.bytes();
    assert!(bytes.anywhere.is_empty(), "{:x?}", bytes.anywhere);
    let reached = found.coverage.reached.iter().map(|(&first, &last)| (first, last));
    let used = machine.footprint(reached, &bytes);
    assert_eq!(used.excess(), None);
    used
}

/// Counts the cycles that the core is the user's, and follows what it does in them.
struct User<'a> {
    /// Its first address, and behind its last one.
    pages: std::ops::Range<u64>,
    /// The addresses that say that it was preempted, or has called.
    preempted: u64,
    called: u64,
    replay: Replay<'a, Translated<'a>>,
    /// The user's instruction that retired last.
    before: Option<u64>,
    /// Nothing of it has retired since it was preempted.
    is_back: bool,
    /// When whatever retired last was over.
    last: u64,
    time: u64,
    preemptions: u64,
}

impl<'a> User<'a> {
    fn of(program: &'a Program, machine: &'a Translated<'a>) -> Self {
        let address = |name: &str| program.symbol(name).expect("a symbol").address;
        Self {
            pages: address("user_begins")..address("user_ends"),
            preempted: address("preempted"),
            called: address("called"),
            replay: Replay::new(program, machine),
            before: None,
            is_back: false,
            last: 0,
            time: 0,
            preemptions: 0,
        }
    }

    fn see(&mut self, retired: Retired) {
        let last = std::mem::replace(&mut self.last, retired.cycle);
        if self.pages.contains(&retired.address) {
            self.time += retired.cycle - last;
            self.before = Some(retired.address);
            self.step(retired.address, retired.result);
            if std::mem::take(&mut self.is_back) {
                // That was where the one before led; it begins again, with nothing in caches.
                self.replay.interrupt();
                self.step(retired.address, retired.result);
            }
        } else if retired.address == self.preempted {
            self.preemptions += 1;
            self.is_back = true;
        } else if retired.address == self.called {
            // The call itself does not retire, but its line may be waited for.
            let call = self.before.map_or(0, |before| before + 4);
            self.step(call, 0);
            self.step(call + 4, 0);
            self.replay.interrupt();
        }
    }

    fn step(&mut self, address: u64, result: u32) {
        let executed = Executed { address, result: result.into() };
        self.replay.step(executed).expect("an instruction");
    }
}
