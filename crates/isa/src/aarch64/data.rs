//! Data processing with registers.

use super::{Decoder, FLAGS, HALVES, LOW, Meaning, TEMPORARY, View, general};
use crate::emit::{Emit, constant};
use crate::language::{Binary, Class, Operand, Width};

/// A sum or a difference, and its effect on the flags.
#[derive(Clone, Copy)]
pub(super) struct Additive {
    pub(super) subtract: bool,
    pub(super) flags: bool,
}

impl Additive {
    pub(super) fn name(self) -> &'static str {
        match (self.subtract, self.flags) {
            (false, false) => "add",
            (false, true) => "adds",
            (true, false) => "sub",
            (true, true) => "subs",
        }
    }

    pub(super) fn operation(self) -> Binary {
        if self.subtract { Binary::Subtract } else { Binary::Add }
    }
}

/// The same number extended by zeros.
fn zero_extended(emit: &mut Emit, number: Operand, into: usize) -> Operand {
    if let Operand::Constant(constant) = number {
        return Operand::Constant(constant & 0xffff_ffff);
    }
    emit.compute(TEMPORARY[into], Binary::And, (number, LOW), Width::Double);
    Operand::Register(TEMPORARY[into])
}

/// Returns the register of 64 bits whose low half an operand is, or the operand itself.
fn whole(half: Operand) -> Operand {
    match half {
        Operand::Register(half) if (HALVES..HALVES + 31).contains(&half.number()) => {
            Operand::Register(general(half.number() - HALVES))
        }
        other => other,
    }
}

impl Decoder {
    pub(super) fn register(&self) -> Option<Meaning> {
        match (self.bits(28, 1), self.bits(21, 4)) {
            (0, 0..=7) => self.logical(),
            (0, kind) if kind & 1 == 0 => self.shifted_sum(),
            (0, _) => self.extended_sum(),
            (_, 0b0000) if self.bits(10, 6) == 0 => self.sum_with_carry(),
            (_, 0b0010) if !self.bit(10) && !self.bit(4) && self.bit(29) => {
                self.conditional_compare()
            }
            (_, 0b0100) if !self.bit(29) && !self.bit(11) => self.select(),
            (_, 0b0110) if !self.bit(29) && self.bit(30) => self.one_source(),
            (_, 0b0110) if !self.bit(29) => self.two_sources(),
            (_, 8..) if self.bits(29, 2) == 0 => self.three_sources(),
            _ => None,
        }
    }

    /// Returns the second operand, shifted by a constant; `None` for shifts that do not exist.
    fn shifted(&self, emit: &mut Emit, rotate: bool) -> Option<Operand> {
        let (from, amount) = (self.view(16), self.bits(10, 6));
        if !from.wide && amount >= 32 {
            return None;
        }
        let kind = self.bits(22, 2);
        if kind == 3 && !rotate {
            return None;
        }
        if amount == 0 {
            return Some(from.read());
        }
        let result = TEMPORARY[0];
        let by = constant(amount.into());
        match kind {
            0 => emit.compute(result, Binary::ShiftLeft, (from.read(), by), from.width()),
            1 => emit.compute(result, Binary::ShiftRight, (from.read(), by), from.width()),
            2 => emit.compute(result, Binary::ShiftRightSigned, (from.read(), by), from.width()),
            _ => rotate_right(emit, from.read(), by, from.width()),
        }
        Some(Operand::Register(result))
    }

    fn logical(&self) -> Option<Meaning> {
        let mut emit = Emit::default();
        let mut second = self.shifted(&mut emit, true)?;
        let (target, first) = (self.view(0), self.view(5));
        let inverted = self.bit(21);
        let (name, operation) = match (self.bits(29, 2), inverted) {
            (0, false) => ("and", Binary::And),
            (0, true) => ("bic", Binary::And),
            (1, false) => ("orr", Binary::Or),
            (1, true) => ("orn", Binary::Or),
            (2, false) => ("eor", Binary::Xor),
            (2, true) => ("eon", Binary::Xor),
            (_, false) => ("ands", Binary::And),
            (_, true) => ("bics", Binary::And),
        };
        if inverted {
            emit.compute(TEMPORARY[0], Binary::Xor, (second, constant(-1)), target.width());
            second = Operand::Register(TEMPORARY[0]);
        }
        if self.bits(29, 2) == 3 {
            emit.compute(TEMPORARY[0], operation, (first.read(), second), target.width());
            FLAGS.result(&mut emit, Operand::Register(TEMPORARY[0]));
            emit.set(target, Operand::Register(TEMPORARY[0]));
        } else if first.number == 31 && operation != Binary::And {
            emit.set(target, second);
        } else {
            emit.assign(target, operation, (first.read(), second));
        }
        Some(Meaning::new(name, Class::Arithmetic, emit))
    }

    fn additive(&self) -> Additive {
        Additive { subtract: self.bit(30), flags: self.bit(29) }
    }

    fn shifted_sum(&self) -> Option<Meaning> {
        let mut emit = Emit::default();
        let second = self.shifted(&mut emit, false)?;
        let kind = self.additive();
        let (target, first) = (self.view(0), self.view(5).read());
        if kind.flags {
            self.flags_of(&mut emit, kind, first, second);
        }
        emit.assign(target, kind.operation(), (first, second));
        Some(Meaning::new(kind.name(), Class::Arithmetic, emit))
    }

    fn extended_sum(&self) -> Option<Meaning> {
        let (kind, shift) = (self.additive(), self.bits(10, 3));
        if shift > 4 || self.bits(22, 2) != 0 {
            return None;
        }
        let mut emit = Emit::default();
        let second = self.extended(&mut emit, shift, self.bit(31));
        let (target, first) = (self.view(0), self.view(5).read_or_stack());
        if kind.flags {
            let first = self.with_sign(&mut emit, first);
            self.flags_of(&mut emit, kind, first, second);
            emit.assign(target, kind.operation(), (first, second));
        } else {
            emit.assign_or_stack(target, kind.operation(), (first, second));
        }
        Some(Meaning::new(kind.name(), Class::Arithmetic, emit))
    }

    /// Returns a register, or the stack pointer, as a number of this instruction's width.
    pub(super) fn with_sign(&self, emit: &mut Emit, number: Operand) -> Operand {
        if self.bit(31) || number != Operand::Register(super::SP) {
            return number;
        }
        emit.copy(TEMPORARY[1], number, Width::Word);
        Operand::Register(TEMPORARY[1])
    }

    /// Returns a register extended from some of its low bits, then shifted left.
    pub(super) fn extended(&self, emit: &mut Emit, shift: u32, wide: bool) -> Operand {
        let number = self.number(16);
        let (half, whole) = (View { number, wide: false }, View { number, wide: true });
        let result = TEMPORARY[0];
        let width = if wide { Width::Double } else { Width::Word };
        let mut extended = Operand::Register(result);
        match self.bits(13, 3) {
            0 => emit.compute(result, Binary::And, (half.read(), constant(0xff)), width),
            1 => emit.compute(result, Binary::And, (half.read(), constant(0xffff)), width),
            2 if wide => emit.compute(result, Binary::And, (half.read(), LOW), width),
            4 => emit.sign_extend(result, half.read(), 8, width),
            5 => emit.sign_extend(result, half.read(), 16, width),
            3 | 7 if wide => extended = whole.read(),
            _ => extended = half.read(),
        }
        if shift == 0 {
            return extended;
        }
        emit.compute(result, Binary::ShiftLeft, (extended, constant(shift.into())), width);
        Operand::Register(result)
    }

    /// The flags of a sum or difference of two numbers of this instruction's width.
    pub(super) fn flags_of(&self, emit: &mut Emit, kind: Additive, left: Operand, right: Operand) {
        let wide = self.bit(31);
        let width = if wide { Width::Double } else { Width::Word };
        if kind.subtract {
            let extended = if wide {
                (left, right)
            } else {
                (zero_extended(emit, whole(left), 2), zero_extended(emit, whole(right), 3))
            };
            return FLAGS.difference(emit, (left, right), extended, width);
        }
        let sum = TEMPORARY[3];
        emit.compute(sum, Binary::Add, (left, right), width);
        FLAGS.sum(emit, (left, right), Operand::Register(sum), Operand::Register(sum));
    }

    fn sum_with_carry(&self) -> Option<Meaning> {
        let (subtract, flags) = (self.bit(30), self.bit(29));
        let (target, first) = (self.view(0), self.view(5));
        let mut emit = Emit::default();
        let mut second = self.view(16).read();
        if subtract {
            emit.compute(TEMPORARY[0], Binary::Xor, (second, constant(-1)), target.width());
            second = Operand::Register(TEMPORARY[0]);
        }
        let (half, result) = (TEMPORARY[1], TEMPORARY[2]);
        FLAGS.carry(&mut emit, result);
        emit.compute(half, Binary::Add, (first.read(), second), target.width());
        let (half, result) = (Operand::Register(half), Operand::Register(result));
        emit.compute(TEMPORARY[2], Binary::Add, (half, result), target.width());
        if flags {
            FLAGS.sum(&mut emit, (first.read(), second), half, result);
        }
        emit.set(target, result);
        let name = match (subtract, flags) {
            (false, false) => "adc",
            (false, true) => "adcs",
            (true, false) => "sbc",
            (true, true) => "sbcs",
        };
        Some(Meaning::new(name, Class::Arithmetic, emit))
    }

    fn conditional_compare(&self) -> Option<Meaning> {
        let subtract = self.bit(30);
        let first = self.view(5);
        let second =
            if self.bit(11) { constant(self.bits(16, 5).into()) } else { self.view(16).read() };
        let mut emit = Emit::default();
        self.flags_of(&mut emit, Additive { subtract, flags: true }, first.read(), second);
        let mut otherwise = Emit::default();
        FLAGS.fixed(&mut otherwise, self.bits(0, 4));
        let meaning = Meaning::new(if subtract { "ccmp" } else { "ccmn" }, Class::Arithmetic, emit);
        Some(Self::guarded(self.bits(12, 4), meaning, otherwise))
    }

    fn select(&self) -> Option<Meaning> {
        let (target, first, second) = (self.view(0), self.view(5), self.view(16));
        let (mut emit, mut otherwise) = (Emit::default(), Emit::default());
        emit.set(target, first.read());
        let second = second.read();
        let name = match (self.bit(30), self.bit(10)) {
            (false, false) => {
                otherwise.set(target, second);
                "csel"
            }
            (false, true) => {
                otherwise.assign(target, Binary::Add, (second, constant(1)));
                "csinc"
            }
            (true, false) => {
                otherwise.assign(target, Binary::Xor, (second, constant(-1)));
                "csinv"
            }
            (true, true) => {
                otherwise.assign(target, Binary::Subtract, (constant(0), second));
                "csneg"
            }
        };
        let meaning = Meaning::new(name, Class::Arithmetic, emit);
        Some(Self::guarded(self.bits(12, 4), meaning, otherwise))
    }

    fn one_source(&self) -> Option<Meaning> {
        let (target, from) = (self.view(0), self.view(5));
        let mut emit = Emit::default();
        if self.bits(16, 5) == 1 && target.wide && self.bits(10, 6) < 18 {
            // Pointer authentication.
            emit.hide(target.read());
            emit.lose(target);
            return Some(Meaning::new("pac", Class::Arithmetic, emit));
        }
        if self.bits(16, 5) != 0 {
            return None;
        }
        let value = from.read();
        let name = match self.bits(10, 6) {
            0 => {
                emit.assign(target, Binary::ReverseBits, (value, constant(0)));
                "rbit"
            }
            1 => {
                swap_bytes_of_halves(&mut emit, target, value);
                "rev16"
            }
            2 if target.wide => {
                emit.compute(
                    TEMPORARY[0],
                    Binary::ReverseBytes,
                    (value, constant(0)),
                    Width::Double,
                );
                rotate_right(
                    &mut emit,
                    Operand::Register(TEMPORARY[0]),
                    constant(32),
                    Width::Double,
                );
                emit.set(target, Operand::Register(TEMPORARY[0]));
                "rev32"
            }
            2 | 3 if target.wide == (self.bits(10, 6) == 3) => {
                emit.assign(target, Binary::ReverseBytes, (value, constant(0)));
                "rev"
            }
            4 => {
                emit.assign(target, Binary::LeadingZeros, (value, constant(0)));
                "clz"
            }
            5 => {
                leading_signs(&mut emit, target, value);
                "cls"
            }
            _ => return None,
        };
        Some(Meaning::new(name, Class::Arithmetic, emit))
    }

    fn two_sources(&self) -> Option<Meaning> {
        let (target, first, second) = (self.view(0), self.view(5).read(), self.view(16).read());
        let mut emit = Emit::default();
        let (name, class) = match self.bits(10, 6) {
            2 => {
                divide(&mut emit, target, Binary::DivideUnsigned, (first, second));
                ("udiv", Class::Divide)
            }
            3 => {
                divide(&mut emit, target, Binary::DivideSigned, (first, second));
                ("sdiv", Class::Divide)
            }
            8 => {
                emit.assign(target, Binary::ShiftLeft, (first, second));
                ("lslv", Class::Shift)
            }
            9 => {
                emit.assign(target, Binary::ShiftRight, (first, second));
                ("lsrv", Class::Shift)
            }
            10 => {
                emit.assign(target, Binary::ShiftRightSigned, (first, second));
                ("asrv", Class::Shift)
            }
            11 => {
                rotate_right(&mut emit, first, second, target.width());
                emit.set(target, Operand::Register(TEMPORARY[0]));
                ("rorv", Class::Shift)
            }
            size @ 0x10..=0x17 if target.wide == (size & 3 == 3) => {
                emit.lose(View { wide: false, ..target });
                (if size < 0x14 { "crc32" } else { "crc32c" }, Class::Arithmetic)
            }
            12 if target.wide => {
                emit.lose(target);
                ("pacga", Class::Arithmetic)
            }
            _ => return None,
        };
        Some(Meaning::new(name, class, emit))
    }

    fn three_sources(&self) -> Option<Meaning> {
        let (target, first, second, third) =
            (self.view(0), self.view(5), self.view(16), self.view(10));
        let subtract = self.bit(15);
        let pick = |plus: &'static str, minus: &'static str| if subtract { minus } else { plus };
        let half = |view: View| View { wide: false, ..view }.read();
        let mut emit = Emit::default();
        let product = TEMPORARY[0];
        let name = match (self.bits(21, 3), target.wide) {
            (0, _) => {
                emit.compute(
                    product,
                    Binary::Multiply,
                    (first.read(), second.read()),
                    target.width(),
                );
                pick("madd", "msub")
            }
            (1, true) => {
                emit.compute(product, Binary::Multiply, (half(first), half(second)), Width::Double);
                pick("smaddl", "smsubl")
            }
            (5, true) => {
                let (left, right) = (half(first), half(second));
                let operands =
                    (zero_extended(&mut emit, left, 1), zero_extended(&mut emit, right, 2));
                emit.compute(product, Binary::Multiply, operands, Width::Double);
                pick("umaddl", "umsubl")
            }
            (2 | 6, true) if !subtract => {
                let signed = self.bits(21, 3) == 2;
                let operation =
                    if signed { Binary::MultiplyHighSigned } else { Binary::MultiplyHighUnsigned };
                emit.assign(target, operation, (first.read(), second.read()));
                return Some(Meaning::new(
                    if signed { "smulh" } else { "umulh" },
                    Class::Multiply,
                    emit,
                ));
            }
            _ => return None,
        };
        let operation = if subtract { Binary::Subtract } else { Binary::Add };
        emit.assign(target, operation, (third.read(), Operand::Register(product)));
        Some(Meaning::new(name, Class::Multiply, emit))
    }
}

/// Puts a number that is rotated to the right into the first temporary register.
pub(super) fn rotate_right(emit: &mut Emit, number: Operand, by: Operand, width: Width) {
    let (result, left) = (TEMPORARY[0], TEMPORARY[1]);
    emit.compute(left, Binary::Subtract, (constant(0), by), width);
    // A rotation by nothing is the number twice, which changes nothing.
    emit.compute(left, Binary::ShiftLeft, (number, Operand::Register(left)), width);
    emit.compute(result, Binary::ShiftRight, (number, by), width);
    emit.compute(result, Binary::Or, (Operand::Register(result), Operand::Register(left)), width);
}

/// A quotient; division by zero gives zero.
fn divide(emit: &mut Emit, target: View, operation: Binary, operands: (Operand, Operand)) {
    let (quotient, mask) = (TEMPORARY[0], TEMPORARY[1]);
    emit.compute(quotient, operation, operands, target.width());
    emit.compute(mask, Binary::LessUnsigned, (constant(0), operands.1), Width::Double);
    emit.compute(mask, Binary::Subtract, (constant(0), Operand::Register(mask)), Width::Double);
    emit.assign(target, Binary::And, (Operand::Register(quotient), Operand::Register(mask)));
}

/// The bytes of each 16 bits in opposite order.
fn swap_bytes_of_halves(emit: &mut Emit, target: View, value: Operand) {
    let (low, high) = (TEMPORARY[0], TEMPORARY[1]);
    let mask = constant(0x00ff_00ff_00ff_00ff);
    emit.compute(low, Binary::And, (value, mask), target.width());
    emit.compute(low, Binary::ShiftLeft, (Operand::Register(low), constant(8)), target.width());
    emit.compute(high, Binary::ShiftRight, (value, constant(8)), target.width());
    emit.compute(high, Binary::And, (Operand::Register(high), mask), target.width());
    emit.assign(target, Binary::Or, (Operand::Register(low), Operand::Register(high)));
}

/// Counts the bits below the sign that are like it.
fn leading_signs(emit: &mut Emit, target: View, value: Operand) {
    let (signs, shifted) = (TEMPORARY[0], TEMPORARY[1]);
    let last = constant(i64::from(target.width().bits()) - 1);
    emit.compute(signs, Binary::ShiftRightSigned, (value, last), target.width());
    emit.compute(shifted, Binary::Xor, (value, Operand::Register(signs)), target.width());
    emit.compute(
        signs,
        Binary::LeadingZeros,
        (Operand::Register(shifted), constant(0)),
        target.width(),
    );
    emit.assign(target, Binary::Subtract, (Operand::Register(signs), constant(1)));
}
