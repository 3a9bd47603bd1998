//! Data processing with constants: sums, masks, moves, bit fields, addresses.

use super::data::{Additive, rotate_right};
use super::{Decoder, FLAGS, Meaning, TEMPORARY, View};
use crate::emit::{Emit, constant, signed};
use crate::language::{Binary, Class, Operand, Width};

impl Decoder {
    pub(super) fn immediate(&self) -> Option<Meaning> {
        match self.bits(23, 3) {
            0 | 1 => Some(self.near_address()),
            2 => Some(self.constant_sum()),
            4 => self.mask(),
            5 => self.move_constant(),
            6 => self.bit_field(),
            7 => self.extract(),
            _ => None,
        }
    }

    fn near_address(&self) -> Meaning {
        let distance = signed(self.bits(5, 19) << 2 | self.bits(29, 2), 21);
        let page = self.bit(31);
        let base = if page { self.address & !0xfff } else { self.address };
        let address = base.wrapping_add_signed(if page { distance << 12 } else { distance });
        let mut emit = Emit::default();
        emit.set(self.wide(0), Operand::Constant(address));
        Meaning::new(if page { "adrp" } else { "adr" }, Class::Arithmetic, emit)
    }

    fn constant_sum(&self) -> Meaning {
        let kind = Additive { subtract: self.bit(30), flags: self.bit(29) };
        let number = i64::from(self.bits(10, 12)) << if self.bit(22) { 12 } else { 0 };
        let (target, first) = (self.view(0), self.view(5).read_or_stack());
        let mut emit = Emit::default();
        if !kind.flags {
            emit.assign_or_stack(target, kind.operation(), (first, constant(number)));
            return Meaning::new(kind.name(), Class::Arithmetic, emit);
        }
        let first = self.with_sign(&mut emit, first);
        match (kind.subtract, number) {
            (true, _) => self.flags_of(&mut emit, kind, first, constant(number)),
            (false, 0) => FLAGS.result(&mut emit, first),
            // The sum with a number is the difference from its opposite, also in the flags.
            (false, _) => {
                let opposite = Additive { subtract: true, flags: true };
                self.flags_of(&mut emit, opposite, first, constant(-number));
            }
        }
        emit.assign(target, kind.operation(), (first, constant(number)));
        Meaning::new(kind.name(), Class::Arithmetic, emit)
    }

    fn mask(&self) -> Option<Meaning> {
        let (target, first) = (self.view(0), self.view(5));
        let mask = mask(self.bit(22), self.bits(10, 6), self.bits(16, 6), target.wide)?;
        let mask = constant(if target.wide { mask as i64 } else { i64::from(mask as i32) });
        let mut emit = Emit::default();
        let (name, operation) = match self.bits(29, 2) {
            0 => ("and", Binary::And),
            1 => ("orr", Binary::Or),
            2 => ("eor", Binary::Xor),
            _ => {
                let result = TEMPORARY[0];
                emit.compute(result, Binary::And, (first.read(), mask), target.width());
                FLAGS.result(&mut emit, Operand::Register(result));
                emit.set(target, Operand::Register(result));
                return Some(Meaning::new("ands", Class::Arithmetic, emit));
            }
        };
        emit.assign_or_stack(target, operation, (first.read(), mask));
        Some(Meaning::new(name, Class::Arithmetic, emit))
    }

    fn move_constant(&self) -> Option<Meaning> {
        let target = self.view(0);
        let place = self.bits(21, 2) * 16;
        if !target.wide && place >= 32 {
            return None;
        }
        let number = u64::from(self.bits(5, 16)) << place;
        let held = |number: u64| {
            constant(if target.wide { number as i64 } else { i64::from(number as i32) })
        };
        let mut emit = Emit::default();
        let name = match self.bits(29, 2) {
            0 => {
                emit.set(target, held(!number));
                "movn"
            }
            2 => {
                emit.set(target, held(number));
                "movz"
            }
            3 => {
                let rest = TEMPORARY[0];
                emit.compute(
                    rest,
                    Binary::And,
                    (target.read(), held(!(0xffff << place))),
                    target.width(),
                );
                emit.assign(target, Binary::Or, (Operand::Register(rest), held(number)));
                "movk"
            }
            _ => return None,
        };
        Some(Meaning::new(name, Class::Arithmetic, emit))
    }

    fn bit_field(&self) -> Option<Meaning> {
        let (target, from) = (self.view(0), self.view(5));
        let (rotation, last) = (self.bits(16, 6), self.bits(10, 6));
        let count = target.width().bits();
        if self.bit(22) != target.wide || rotation >= count || last >= count {
            return None;
        }
        let mut emit = Emit::default();
        let kind = self.bits(29, 2);
        let name = match kind {
            0 => "sbfm",
            1 => "bfm",
            2 => "ubfm",
            _ => return None,
        };
        if kind == 1 {
            insert(&mut emit, target, from, (rotation, last));
            return Some(Meaning::new(name, Class::Arithmetic, emit));
        }
        // The field is pushed to the top, then down to where it belongs.
        let right = if kind == 0 { Binary::ShiftRightSigned } else { Binary::ShiftRight };
        let up = count - 1 - last;
        let field = TEMPORARY[0];
        let value = if kind == 0 && last == 31 && target.wide {
            // Extension of a word: its register with a sign is at hand.
            let half = View { wide: false, ..from }.read();
            emit.copy(field, half, Width::Double);
            self.place_word(&mut emit, target, rotation);
            return Some(Meaning::new(name, Class::Arithmetic, emit));
        } else {
            from.read()
        };
        if rotation == 0 && kind == 2 && (last < 31 || (target.wide && last < 62)) {
            // A mask keeps what is known of the number better than two shifts.
            let value = if last == 31 { View { wide: false, ..from }.read() } else { value };
            emit.assign(target, Binary::And, (value, constant((1i64 << (last + 1)) - 1)));
        } else if last >= rotation {
            emit.compute(field, Binary::ShiftLeft, (value, constant(up.into())), target.width());
            emit.assign(
                target,
                right,
                (Operand::Register(field), constant((up + rotation).into())),
            );
        } else {
            let place = count - rotation;
            let shift = up - place;
            emit.compute(field, Binary::ShiftLeft, (value, constant(up.into())), target.width());
            emit.assign(target, right, (Operand::Register(field), constant(shift.into())));
        }
        let class = if last == count - 1 || rotation == last + 1 {
            Class::Shift
        } else {
            Class::Arithmetic
        };
        Some(Meaning::new(name, class, emit))
    }

    /// Puts the word in the first temporary register where a signed extension wants it.
    fn place_word(&self, emit: &mut Emit, target: View, rotation: u32) {
        let word = Operand::Register(TEMPORARY[0]);
        match rotation {
            0 => emit.set(target, word),
            1..=31 => {
                emit.assign(target, Binary::ShiftRightSigned, (word, constant(rotation.into())))
            }
            _ => emit.assign(target, Binary::ShiftLeft, (word, constant((64 - rotation).into()))),
        }
    }

    fn extract(&self) -> Option<Meaning> {
        let (target, first, second) = (self.view(0), self.view(5), self.view(16));
        let last = self.bits(10, 6);
        if self.bits(29, 2) != 0
            || self.bit(21)
            || self.bit(22) != target.wide
            || last >= target.width().bits()
        {
            return None;
        }
        let mut emit = Emit::default();
        if last == 0 {
            emit.set(target, second.read());
        } else if first == second {
            rotate_right(&mut emit, first.read(), constant(last.into()), target.width());
            emit.set(target, Operand::Register(TEMPORARY[0]));
        } else {
            let (high, low) = (TEMPORARY[0], TEMPORARY[1]);
            let left = constant((target.width().bits() - last).into());
            emit.compute(high, Binary::ShiftLeft, (first.read(), left), target.width());
            emit.compute(
                low,
                Binary::ShiftRight,
                (second.read(), constant(last.into())),
                target.width(),
            );
            emit.assign(target, Binary::Or, (Operand::Register(high), Operand::Register(low)));
        }
        Some(Meaning::new("extr", Class::Shift, emit))
    }
}

/// Bits of a register replaced by bits of another one.
fn insert(emit: &mut Emit, target: View, from: View, (rotation, last): (u32, u32)) {
    let count = target.width().bits();
    let ones = |length: u32| if length == 64 { u64::MAX } else { (1u64 << length) - 1 };
    let (length, place, source) = if last >= rotation {
        (last - rotation + 1, 0, rotation)
    } else {
        (last + 1, count - rotation, 0)
    };
    let held =
        |number: u64| constant(if target.wide { number as i64 } else { i64::from(number as i32) });
    let (field, rest) = (TEMPORARY[0], TEMPORARY[1]);
    emit.compute(field, Binary::ShiftRight, (from.read(), constant(source.into())), target.width());
    emit.compute(
        field,
        Binary::And,
        (Operand::Register(field), held(ones(length))),
        target.width(),
    );
    emit.compute(
        field,
        Binary::ShiftLeft,
        (Operand::Register(field), constant(place.into())),
        target.width(),
    );
    emit.compute(
        rest,
        Binary::And,
        (target.read(), held(!(ones(length) << place))),
        target.width(),
    );
    emit.assign(target, Binary::Or, (Operand::Register(field), Operand::Register(rest)));
}

/// Returns the mask that the fields of a logical instruction stand for.
fn mask(wide_pattern: bool, last: u32, rotation: u32, wide: bool) -> Option<u64> {
    let pattern = u32::from(wide_pattern) << 6 | (!last & 0x3f);
    let length = pattern.checked_ilog2().filter(|&length| length >= 1)?;
    if wide_pattern && !wide {
        return None;
    }
    let size = 1u32 << length;
    let (ones, turn) = ((last & (size - 1)) + 1, rotation & (size - 1));
    if ones == size {
        return None;
    }
    let element = (1u64 << ones) - 1;
    let size_mask = if size == 64 { u64::MAX } else { (1u64 << size) - 1 };
    let turned =
        if turn == 0 { element } else { (element >> turn | element << (size - turn)) & size_mask };
    let mut mask = turned;
    let mut filled = size;
    while filled < 64 {
        mask |= mask << filled;
        filled *= 2;
    }
    Some(mask)
}
