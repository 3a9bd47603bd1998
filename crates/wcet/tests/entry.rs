//! The registers at an entry: the global pointer, and typed arguments.

use std::path::Path;

use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with, cases};
use fusee_testing::side_by_side;
use fusee_wcet::execute::{Bound, Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::parameters;
use fusee_wcet::program::Program;

const TARGETS: [Target; 4] = [Target::Rv32, Target::Rv64, Target::Aarch64, Target::A32];
const LEVELS: [&str; 3] = ["-O1", "-O2", "-Os"];

/// Loops of which the analysis does not see the limit where flags decide: a remainder that is made
/// from the high half of a product, an end whose distance the flags have for themselves.
const OPEN: [&str; 4] =
    ["clamp_remainder", "clamp_signed_remainder", "clamp_below_end", "clamp_filled"];

/// Functions whose first argument is an address.
const FROM_ADDRESSES: [&str; 7] = [
    "clamp_table",
    "clamp_pointer",
    "clamp_below_end",
    "clamp_filled",
    "clamp_loaded",
    "clamp_both_ends",
    "clamp_floating",
];

/// Returns `true` if a loop is one of them there: RISC-V's compiler asks for the remainder, and its
/// branches compare registers.
fn is_open(name: &str, target: Target) -> bool {
    OPEN.contains(&name) && matches!(target, Target::Aarch64 | Target::A32)
}

fn elf(source: &str, target: Target, level: &str, flags: &[&str]) -> Vec<u8> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops").join(source);
    let stem = source.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
    let stripped = if flags.is_empty() { "" } else { "-stripped" };
    let plain = match target {
        Target::Aarch64 | Target::A32 => {
            &["-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"][..]
        }
        _ => &[],
    };
    let flags = [&["-g"], plain, flags].concat();
    let elf = build_with(
        &[&source],
        &format!("entry-{stem}-{target:?}{level}{stripped}"),
        target,
        level,
        &flags,
    );
    std::fs::read(elf).expect("the ELF")
}

fn bounded(file: &[u8], program: &Program, entry: u64) -> Bound {
    let facts = Facts { entry: parameters::held(file, program, entry), ..Facts::default() };
    bound(program, &Instructions, entry, &facts, Effort::default()).expect("no failure")
}

/// Whatever an argument is, the loop is held within limits, and no run takes longer than its bound.
#[test]
fn loops_of_which_an_argument_is_held_within_limits_are_bounded() {
    side_by_side(&cases(&TARGETS, &LEVELS), |_, &(target, level)| {
        let file = elf("clamped.c", target, level, &[]);
        let program = Program::load(&file).expect("a program");
        let functions = program
            .symbols()
            .iter()
            .filter(|symbol| symbol.code && symbol.name.starts_with("clamp_"));
        let functions: Vec<_> = functions.filter(|symbol| !is_open(&symbol.name, target)).collect();
        assert!(functions.len() >= 17, "{target:?} {level}");
        for symbol in functions {
            let case = format!("{} {target:?} {level}", symbol.name);
            let found = bounded(&file, &program, symbol.address);
            let time = found.time.unwrap_or_else(|| panic!("{case}: {:?}", found.obstacles));
            // These numbers mean the same to every type here; an argument that is an address is not
            // one of them.
            let takes_address = FROM_ADDRESSES.contains(&symbol.name.as_str());
            for input in [0, 1, 5, 42, 99, 100, 101, 127].into_iter().filter(|_| !takes_address) {
                let run = Interpreter::new(&program).call(symbol.address, input);
                assert!(run <= time, "{case}: {run} instructions for {input}, bound {time}");
            }
        }
    });
}

/// A linker's way to small data: by its symbol, else by what the program's start does.
#[test]
fn small_data_is_found_through_the_global_pointer() {
    for target in [Target::Rv32, Target::Rv64] {
        let named = elf("small.c", target, "-O2", &[]);
        let program = Program::load(&named).expect("a program");
        let entry = program.symbol("small").expect("a function").address;
        let through = program.instruction(entry).expect("an instruction");
        let by_symbol = bounded(&named, &program, entry);
        let said = |found: &Bound, who: &str| {
            found.grounds.assumptions.iter().any(|one| one.contains("`gp`") && one.contains(who))
        };
        assert!(
            by_symbol.time.is_some() && said(&by_symbol, "symbol"),
            "{through:?} {by_symbol:?}"
        );
        let other = bounded(&named, &program, program.symbol("plain").expect("a function").address);
        assert!(
            other.time.is_some() && !said(&other, ""),
            "nothing in it reads the register: {other:?}"
        );
        let stripped = elf("small.c", target, "-O2", &["-Wl,--strip-all"]);
        let by_code = bounded(&stripped, &Program::load(&stripped).expect("a program"), entry);
        assert!(by_code.time == by_symbol.time && said(&by_code, "start"), "{by_code:?}");
    }
}
