//! Floating point, F and D: what it does to numbers.

use super::fields::Word;
use crate::float::{Bank, Float, Format, Operation, Rounding, Whole};

/// The control and status registers with the rounding mode: `frm` and `fcsr`.
const ROUNDING: [u32; 2] = [2, 3];

/// Returns the effect of an instruction on floating-point numbers, if there is one.
pub(super) fn numbers(w: Word) -> Option<Float> {
    let operation = match w.opcode() {
        0x07 => Operation::Load,
        0x27 => Operation::Store,
        0x43 => multiply_add(false, false),
        0x47 => multiply_add(false, true),
        0x4b => multiply_add(true, false),
        0x4f => multiply_add(true, true),
        0x53 => calculation(w)?,
        0x73 => rounding_mode(w)?,
        _ => return None,
    };
    let format = match (operation, w.funct7() & 3) {
        (Operation::Load | Operation::Store, _) if w.funct3() == 2 => Format::Single,
        (Operation::Load | Operation::Store, _) => Format::Double,
        (_, 0) => Format::Single,
        _ => Format::Double,
    };
    let sources = match operation {
        Operation::Store => [w.rs2(), 0, 0],
        _ => [w.rs1(), w.rs2(), w.funct5() as u8],
    };
    let (rounding, target) = (rounding(w), w.rd());
    Some(Float { operation, format, rounding, target, sources, bank: Bank::Own })
}

fn multiply_add(negates_product: bool, negates_addend: bool) -> Operation {
    Operation::MultiplyAdd { negates_product, negates_addend }
}

fn calculation(w: Word) -> Option<Operation> {
    const SIGNS: [Operation; 3] =
        [Operation::Sign, Operation::OppositeSign, Operation::ExclusiveSign];
    const COMPARISONS: [Operation; 3] = [Operation::LessOrEqual, Operation::Less, Operation::Equal];
    let by_mode = |all: &[Operation]| all.get(w.funct3() as usize).copied();
    Some(match w.funct7() >> 2 {
        0x00 => Operation::Add,
        0x01 => Operation::Subtract,
        0x02 => Operation::Multiply,
        0x03 => Operation::Divide,
        0x0b => Operation::SquareRoot,
        0x08 => Operation::FromFormat(if w.rs2() == 0 { Format::Single } else { Format::Double }),
        0x04 => by_mode(&SIGNS)?,
        0x05 => by_mode(&[Operation::Least, Operation::Greatest])?,
        0x14 => by_mode(&COMPARISONS)?,
        0x18 => Operation::ToWhole(whole(w)?),
        0x1a => Operation::FromWhole(whole(w)?),
        0x1c => by_mode(&[Operation::ToBits, Operation::Classify])?,
        0x1e => Operation::FromBits,
        _ => return None,
    })
}

fn whole(w: Word) -> Option<Whole> {
    const ALL: [Whole; 4] =
        [Whole::Word, Whole::UnsignedWord, Whole::Double, Whole::UnsignedDouble];
    ALL.get(usize::from(w.rs2())).copied()
}

/// Returns a write of the rounding mode; to set or clear no bits is none.
fn rounding_mode(w: Word) -> Option<Operation> {
    let writes = matches!(w.funct3(), 1 | 5) || w.funct3() & 3 != 0 && w.rs1() != 0;
    (writes && ROUNDING.contains(&(w.0 >> 20))).then_some(Operation::SetRounding)
}

fn rounding(w: Word) -> Rounding {
    match w.funct3() {
        0 => Rounding::Nearest,
        1 => Rounding::Zero,
        2 => Rounding::Down,
        3 => Rounding::Up,
        4 => Rounding::NearestAway,
        _ => Rounding::Dynamic,
    }
}
