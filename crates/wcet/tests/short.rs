//! Instructions that binutils does not know, by another assembler.

use std::path::{Path, PathBuf};
use std::process::Command;

use fusee_isa::Architecture;
use fusee_isa::language::{Effect, Flow, Instruction, Operand};
use fusee_isa::riscv::Xlen;
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
