//! Instructions that binutils does not know, by another assembler and compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

use fusee_isa::Architecture;
use fusee_isa::language::{Effect, Flow, Instruction, Operand};
use fusee_isa::riscv::Xlen;
use fusee_testing::interpreter::Interpreter;
use fusee_testing::programs::{Target, build_with};
use fusee_wcet::execute::{Effort, Facts, bound};
use fusee_wcet::machine::Instructions;
use fusee_wcet::program::Program;
use fusee_wcet::value::{Range, decide};
use object::{Object, ObjectSection};

const BITS: [(u32, Xlen); 2] = [(32, Xlen::Rv32), (64, Xlen::Rv64)];

/// Returns the instructions of a source, in the order in which they stand there.
fn assembled(name: &str, bits: u32, xlen: Xlen, with: &str) -> Vec<Instruction> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/programs");
    let output = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("short-{name}-{bits}.o"));
    let status = Command::new("clang-19")
        .arg(format!("--target=riscv{bits}-none-elf"))
        .arg(format!("-march=rv{bits}imac_{with}"))
        .args(["-c", "-o"])
        .arg(&output)
        .arg(here.join(format!("{name}.S")))
        .status()
        .expect("clang-19 runs; `make setup` installs it");
    assert!(status.success(), "{name} does not assemble");
    let bytes = std::fs::read(&output).expect("the object");
    let file = object::File::parse(&*bytes).expect("an object");
    let code = file.section_by_name(".text").expect("code").data().expect("bytes").to_vec();
    let (mut at, mut found) = (0, Vec::new());
    while at < code.len() {
        let decoded = Architecture::Riscv(xlen).decode(&code[at..], at as u64);
        let instruction = decoded.unwrap_or_else(|error| panic!("{name}: {error}"));
        at += usize::from(instruction.size);
        found.push(instruction);
    }
    found
}

#[test]
fn what_zcb_shortens_does_what_the_long_instruction_does() {
    for (bits, xlen) in BITS {
        let all = assembled("zcb", bits, xlen, "zba_zbb_zcb");
        assert_eq!(all.len(), if bits == 64 { 40 } else { 38 });
        for pair in all.chunks(2) {
            let [short, long] = pair else { panic!("a pair") };
            assert_eq!((short.size, long.size), (2, 4), "{long:?}");
            let (address, size) = (long.address, long.size);
            assert_eq!(&Instruction { address, size, ..short.clone() }, long);
        }
    }
}

/// Returns the number in a register behind an instruction that chooses.
fn chosen(instruction: &Instruction, numbers: impl Fn(Operand) -> i64) -> i64 {
    let guard = instruction.guard.as_ref().expect("a guard");
    let [left, right] = [guard.left, guard.right].map(|side| Range::constant(numbers(side)));
    let effects = match decide(guard.comparison, left, right).expect("numbers compare") {
        true => &instruction.effects,
        false => &guard.otherwise,
    };
    let [Effect::Compute { operation, left, right, width, .. }] = effects[..] else {
        panic!("{effects:?}")
    };
    let [left, right] = [left, right].map(|side| Range::constant(numbers(side)));
    Range::compute(operation, left, right, width).as_constant().expect("a number")
}

#[test]
fn zicond_keeps_a_number_or_gives_zero() {
    for (bits, xlen) in BITS {
        let all = assembled("zicond", bits, xlen, "zicond");
        // `czero.eqz a0, a1, a2`, then `czero.nez a0, a1, a2`.
        for (instruction, name, kept_at_zero) in
            [(&all[0], "czero.eqz", false), (&all[1], "czero.nez", true)]
        {
            assert_eq!((instruction.mnemonic, instruction.flow), (name, Flow::Next));
            for (number, condition) in [(7, 0), (7, 1), (-9, 0), (-9, -1), (0, 5)] {
                let numbers = |side: Operand| match side {
                    Operand::Register(register) if register.number() == 11 => number,
                    Operand::Register(register) if register.number() == 12 => condition,
                    Operand::Constant(constant) => constant as i64,
                    Operand::Register(other) => panic!("reads {other:?}"),
                };
                let expected = if (condition == 0) == kept_at_zero { number } else { 0 };
                assert_eq!(chosen(instruction, numbers), expected, "{name} {number} {condition}");
            }
        }
        // With the register that always reads 0 as condition.
        let always = chosen(&all[2], |side| match side {
            Operand::Register(_) => 7,
            Operand::Constant(constant) => constant as i64,
        });
        assert_eq!(always, 0);
    }
}

/// Returns functions in C, compiled for Zcb and Zicond, and linked by binutils all the same.
fn compiled(bits: u32, target: Target) -> Program {
    let object = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("compiled-{bits}.o"));
    let status = Command::new("clang-19")
        .arg(format!("--target=riscv{bits}-none-elf"))
        .arg(format!("-march=rv{bits}imac_zba_zbb_zcb_zicond"))
        .args(["-mcmodel=medany", "-O2", "-fno-unroll-loops", "-ffreestanding", "-c", "-o"])
        .arg(&object)
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/short/functions.c"))
        .status()
        .expect("clang-19 runs; `make setup` installs it");
    assert!(status.success(), "the functions do not compile");
    let elf = build_with(&[&object], &format!("short-{bits}"), target, "-O2", &[]);
    Program::load(&std::fs::read(elf).expect("the ELF")).expect("a program")
}

/// Returns the instructions of a function.
fn instructions(program: &Program, name: &str) -> Vec<Instruction> {
    let symbol = program.symbol(name).expect("the function");
    let (mut at, mut found) = (symbol.address, Vec::new());
    while at < symbol.address + symbol.size {
        let instruction = program.instruction(at).expect("an instruction");
        at = instruction.next_address();
        found.push(instruction);
    }
    found
}

#[test]
fn functions_that_a_compiler_made_with_zcb_and_zicond_are_bounded() {
    for (bits, target) in [(32, Target::Rv32), (64, Target::Rv64)] {
        let program = compiled(bits, target);
        // Their names are those of the long ones.
        let of_zcb = ["lbu", "lh", "sb", "sh", "mul", "xori"];
        for (name, short) in [("mixed", &of_zcb[..]), ("chosen", &[])] {
            let all = instructions(&program, name);
            let all: Vec<_> = all.iter().map(|one| (one.mnemonic, one.size)).collect();
            assert!(short.iter().all(|&name| all.contains(&(name, 2))), "{name}: {all:?}");
            assert!(all.iter().any(|(name, _)| name.starts_with("czero.")), "{name}: {all:?}");
            let function = program.symbol(name).expect("it").address;
            let run = Interpreter::new(&program).call(function, 15);
            let found =
                bound(&program, &Instructions, function, &Facts::default(), Effort::default());
            let found = found.expect("no failure");
            assert_eq!(found.time, Some(run), "{name}, {bits} bits: {:?}", found.obstacles);
        }
    }
}
