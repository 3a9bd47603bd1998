//! The results of instructions of Zba, Zbb and Zbs.
//!
//! Words that an assembler makes of them are held against Rust's own operations.

use std::collections::BTreeMap;

use fusee_isa::language::{Comparison, Effect, Instruction, Operand, Register, Width};
use fusee_isa::riscv::{Xlen, decode};
use fusee_wcet::value::Range;

const TARGET: Register = Register::new(10);
const LEFT: Register = Register::new(11);
const RIGHT: Register = Register::new(12);

/// Returns the value that an instruction leaves in `a0`, with these numbers in `a1` and `a2`.
fn computed(instruction: &Instruction, left: i64, right: i64) -> i64 {
    let mut registers = BTreeMap::from([(LEFT, left), (RIGHT, right)]);
    let of = |registers: &BTreeMap<Register, i64>, operand| match operand {
        Operand::Register(register) => registers[&register],
        Operand::Constant(constant) => constant as i64,
    };
    let effects = match &instruction.guard {
        Some(guard) => {
            let (left, right) = (of(&registers, guard.left), of(&registers, guard.right));
            let holds = match guard.comparison {
                Comparison::LessSigned => left < right,
                Comparison::NotLessSigned => left >= right,
                Comparison::LessUnsigned => (left as u64) < right as u64,
                Comparison::NotLessUnsigned => left as u64 >= right as u64,
                other => panic!("{other:?} chooses no minimum"),
            };
            if holds { &instruction.effects } else { &guard.otherwise }
        }
        None => &instruction.effects,
    };
    for effect in effects {
        let &Effect::Compute { target, operation, left, right, width } = effect else {
            panic!("{effect:?} computes nothing")
        };
        let number = |operand| Range::constant(of(&registers, operand));
        let result = Range::compute(operation, number(left), number(right), width);
        registers.insert(target, result.as_constant().expect("known numbers give a known one"));
    }
    registers[&TARGET]
}

const NUMBERS: [i64; 14] = [
    0,
    1,
    -1,
    2,
    31,
    33,
    0x80,
    0xff00,
    0x7fff_ffff,
    -0x8000_0000,
    0x1234_5678,
    -0x0fed_cba9,
    0x0102_0000_8000_0304,
    i64::MIN,
];

/// The meaning of a word.
struct Case {
    word: u32,
    gives: fn(u64, u64) -> u64,
}

const fn case(word: u32, gives: fn(u64, u64) -> u64) -> Case {
    Case { word, gives }
}

fn judge(cases: &[Case], xlen: Xlen, seen: fn(u64) -> i64) {
    for Case { word, gives } in cases {
        let instruction = decode(&word.to_le_bytes(), 0x4000, xlen).expect("an instruction");
        for left in NUMBERS {
            for right in NUMBERS {
                let [left, right] = [left, right].map(|number| seen(number as u64));
                let (is, should) =
                    (computed(&instruction, left, right), seen(gives(left as u64, right as u64)));
                let name = instruction.mnemonic;
                assert_eq!(is, should, "{xlen:?} {name} of {left:#x} and {right:#x}");
            }
        }
    }
}

/// Returns a word's number as a wide register holds it.
fn word(number: u32) -> u64 {
    i64::from(number as i32) as u64
}

fn or_of_bytes<const BYTES: usize>(bytes: [u8; BYTES]) -> [u8; BYTES] {
    bytes.map(|byte| if byte == 0 { 0 } else { 0xff })
}

#[test]
fn on_wide_registers() {
    let cases = [
        case(0x20c5_a533, |a, b| (a << 1).wrapping_add(b)),
        case(0x20c5_c533, |a, b| (a << 2).wrapping_add(b)),
        case(0x20c5_e533, |a, b| (a << 3).wrapping_add(b)),
        case(0x40c5_f533, |a, b| a & !b),
        case(0x40c5_e533, |a, b| a | !b),
        case(0x40c5_c533, |a, b| !(a ^ b)),
        case(0x6005_9513, |a, _| a.leading_zeros().into()),
        case(0x6015_9513, |a, _| a.trailing_zeros().into()),
        case(0x6025_9513, |a, _| a.count_ones().into()),
        case(0x0ac5_e533, |a, b| (a as i64).max(b as i64) as u64),
        case(0x0ac5_f533, |a, b| a.max(b)),
        case(0x0ac5_c533, |a, b| (a as i64).min(b as i64) as u64),
        case(0x0ac5_d533, |a, b| a.min(b)),
        case(0x6045_9513, |a, _| i64::from(a as i8) as u64),
        case(0x6055_9513, |a, _| i64::from(a as i16) as u64),
        case(0x0805_c53b, |a, _| u64::from(a as u16)),
        case(0x60c5_9533, |a, b| a.rotate_left((b % 64) as u32)),
        case(0x60c5_d533, |a, b| a.rotate_right((b % 64) as u32)),
        case(0x60d5_d513, |a, _| a.rotate_right(13)),
        case(0x62d5_d513, |a, _| a.rotate_right(45)),
        case(0x2875_d513, |a, _| u64::from_ne_bytes(or_of_bytes(a.to_ne_bytes()))),
        case(0x6b85_d513, |a, _| a.swap_bytes()),
        case(0x48c5_9533, |a, b| a & !(1 << (b % 64))),
        case(0x4b15_9513, |a, _| a & !(1 << 49)),
        case(0x48c5_d533, |a, b| a >> (b % 64) & 1),
        case(0x4b15_d513, |a, _| a >> 49 & 1),
        case(0x68c5_9533, |a, b| a ^ 1 << (b % 64)),
        case(0x6b15_9513, |a, _| a ^ 1 << 49),
        case(0x28c5_9533, |a, b| a | 1 << (b % 64)),
        case(0x2b15_9513, |a, _| a | 1 << 49),
        case(0x08c5_853b, |a, b| u64::from(a as u32).wrapping_add(b)),
        case(0x20c5_a53b, |a, b| (u64::from(a as u32) << 1).wrapping_add(b)),
        case(0x20c5_c53b, |a, b| (u64::from(a as u32) << 2).wrapping_add(b)),
        case(0x20c5_e53b, |a, b| (u64::from(a as u32) << 3).wrapping_add(b)),
        case(0x0a95_951b, |a, _| u64::from(a as u32) << 41),
        case(0x6005_951b, |a, _| (a as u32).leading_zeros().into()),
        case(0x6015_951b, |a, _| (a as u32).trailing_zeros().into()),
        case(0x6025_951b, |a, _| (a as u32).count_ones().into()),
        case(0x60c5_953b, |a, b| word((a as u32).rotate_left((b % 32) as u32))),
        case(0x60c5_d53b, |a, b| word((a as u32).rotate_right((b % 32) as u32))),
        case(0x60d5_d51b, |a, _| word((a as u32).rotate_right(13))),
    ];
    judge(&cases, Xlen::Rv64, |number| number as i64);
}

#[test]
fn on_narrow_registers() {
    let cases = [
        case(0x20c5_e533, |a, b| (a << 3).wrapping_add(b)),
        case(0x40c5_f533, |a, b| a & !b),
        case(0x6005_9513, |a, _| (a as u32).leading_zeros().into()),
        case(0x6015_9513, |a, _| (a as u32).trailing_zeros().into()),
        case(0x6025_9513, |a, _| (a as u32).count_ones().into()),
        case(0x0ac5_f533, |a, b| (a as u32).max(b as u32).into()),
        case(0x0ac5_c533, |a, b| (a as i32).min(b as i32) as u64),
        case(0x6045_9513, |a, _| i64::from(a as i8) as u64),
        case(0x0805_c533, |a, _| u64::from(a as u16)),
        case(0x60c5_9533, |a, b| (a as u32).rotate_left((b % 32) as u32).into()),
        case(0x60d5_d513, |a, _| (a as u32).rotate_right(13).into()),
        case(0x2875_d513, |a, _| u32::from_ne_bytes(or_of_bytes((a as u32).to_ne_bytes())).into()),
        case(0x6985_d513, |a, _| (a as u32).swap_bytes().into()),
        case(0x48c5_9533, |a, b| a & !(1 << (b % 32))),
        case(0x4915_d513, |a, _| a >> 17 & 1),
        case(0x68c5_9533, |a, b| a ^ 1 << (b % 32)),
        case(0x2915_9513, |a, _| a | 1 << 17),
    ];
    judge(&cases, Xlen::Rv32, |number| i64::from(number as i32));
}

/// Words of wide registers are no instructions on narrow ones.
#[test]
fn words_of_wide_registers_are_refused_on_narrow_ones() {
    for word in [0x08c5_853b_u32, 0x6b85_d513, 0x0805_c53b, 0x62d5_d513, 0x4b15_9513, 0x6005_951b] {
        assert!(decode(&word.to_le_bytes(), 0x4000, Xlen::Rv32).is_err(), "{word:#x}");
    }
    assert!(decode(&0x6985_d513_u32.to_le_bytes(), 0x4000, Xlen::Rv64).is_err(), "narrow `rev8`");
    assert!(decode(&0x0805_c533_u32.to_le_bytes(), 0x4000, Xlen::Rv64).is_err(), "narrow `zext.h`");
}

/// Without the input it is known how far a count or a minimum can go.
#[test]
fn ranges_of_results_are_known() {
    let counted = decode(&0x6025_9513_u32.to_le_bytes(), 0x4000, Xlen::Rv64).expect("`cpop`");
    let Some(Effect::Compute { operation, right: Operand::Constant(most), .. }) =
        counted.effects.last()
    else {
        panic!("{counted:?}")
    };
    let all = Range::of_width(Width::Double, true);
    let range = Range::compute(*operation, all, Range::constant(*most as i64), Width::Double);
    assert_eq!((range.low(), range.high()), (0, 127));
}
