//! Bit manipulation: Zba, Zbb and Zbs; and Zicond, which chooses by a number.
//!
//! The common language has few of these operations; the others are put together from what it has,
//! so that a number that is known stays known. Minima and maxima choose by a guard, since they are
//! how compilers clamp: on each side it is known which operand was less.

use super::decode::{Decoder, operand};
use super::fields::Word;
use super::{SCRATCH, Xlen};
use crate::emit::{Emit, constant};
use crate::language::{
    Binary, Class, Comparison, Effect, Flow, Guard, Instruction, Operand, Register, Width,
};

/// A second register for intermediate results, besides [`SCRATCH`]; no program can name it.
const SECOND: Register = Register::new(36);

/// An instruction's two operands and where its result goes.
struct Operands {
    target: Register,
    left: Operand,
    right: Operand,
    width: Width,
}

impl Operands {
    fn of(w: Word, width: Width) -> Self {
        let target = Register::new(w.rd());
        Operands { target, left: operand(w.rs1()), right: operand(w.rs2()), width }
    }

    /// The same with a number instead of the second register.
    fn with(self, number: u32) -> Self {
        Operands { right: constant(number.into()), ..self }
    }
}

impl Decoder {
    /// Instructions with two registers.
    pub(super) fn bits_of_registers(&self, w: Word, width: Width) -> Option<Instruction> {
        let operands = Operands::of(w, width);
        let short = width != self.width();
        let pick = |word: &'static str, full: &'static str| if short { word } else { full };
        match (w.funct7(), w.funct3()) {
            (0x04, 0) if short => self.shifted_sum("add.uw", 0, operands, true),
            (0x10, 2) => self.shifted_sum(pick("sh1add.uw", "sh1add"), 1, operands, short),
            (0x10, 4) => self.shifted_sum(pick("sh2add.uw", "sh2add"), 2, operands, short),
            (0x10, 6) => self.shifted_sum(pick("sh3add.uw", "sh3add"), 3, operands, short),
            (0x30, 1) => self.rotate(pick("rolw", "rol"), Binary::ShiftLeft, operands),
            (0x30, 5) => self.rotate(pick("rorw", "ror"), Binary::ShiftRight, operands),
            (0x04, 4) if w.rs2() == 0 && short == (self.xlen == Xlen::Rv64) => {
                let half = Operands { width: self.width(), ..operands };
                self.binary("zext.h", Binary::And, half.with(0xffff))
            }
            _ if short => None,
            (0x20, 4) => self.inverted("xnor", Binary::Xor, operands),
            (0x20, 6) => self.inverted("orn", Binary::Or, operands),
            (0x20, 7) => self.inverted("andn", Binary::And, operands),
            (0x05, 4) => self.less("min", Comparison::LessSigned, operands),
            (0x05, 5) => self.less("minu", Comparison::LessUnsigned, operands),
            (0x05, 6) => self.less("max", Comparison::NotLessSigned, operands),
            (0x05, 7) => self.less("maxu", Comparison::NotLessUnsigned, operands),
            (0x07, 5) => self.or_zero("czero.eqz", Comparison::NotEqual, operands),
            (0x07, 7) => self.or_zero("czero.nez", Comparison::Equal, operands),
            (funct7, funct3) => self.single_bit(BIT_NAMES, (funct7, funct3), operands),
        }
    }

    /// Instructions with one register, or one and a number.
    pub(super) fn bits_of_register(&self, w: Word, width: Width) -> Option<Instruction> {
        let operands = Operands::of(w, width);
        let short = width != self.width();
        let pick = |word: &'static str, full: &'static str| if short { word } else { full };
        let all = w.i() as u32 & 0xfff;
        match (w.funct3(), all) {
            (1, 0x600) => self.binary(pick("clzw", "clz"), Binary::LeadingZeros, operands.with(0)),
            (1, 0x601) => self.trailing_zeros(pick("ctzw", "ctz"), operands),
            (1, 0x602) => self.population(pick("cpopw", "cpop"), operands),
            (1, 0x604) if !short => self.sign_extended("sext.b", 8, operands),
            (1, 0x605) if !short => self.sign_extended("sext.h", 16, operands),
            (5, 0x287) if !short => self.bytes_that_are_not_zero(operands),
            (5, 0x698) if self.xlen == Xlen::Rv32 => {
                self.binary("rev8", Binary::ReverseBytes, operands.with(0))
            }
            (5, 0x6b8) if self.xlen == Xlen::Rv64 && !short => {
                self.binary("rev8", Binary::ReverseBytes, operands.with(0))
            }
            (funct3, _) => self.by_a_number((funct3, all), operands),
        }
    }

    /// Instructions with a register and a number of a bit: as many bits as the register has.
    fn by_a_number(&self, (funct3, all): (u32, u32), operands: Operands) -> Option<Instruction> {
        let short = operands.width != self.width();
        // The number takes a bit more where registers are wide, of what tells the instruction.
        let amount = all & if self.xlen == Xlen::Rv64 { 0x3f } else { 0x1f };
        let funct7 = (all ^ amount) >> 5;
        match (funct7, funct3) {
            (0x04, 1) if short => {
                let (mut emit, from) = self.low_word(operands.left);
                let pair = (from, constant(amount.into()));
                emit.compute(operands.target, Binary::ShiftLeft, pair, Width::Double);
                self.done("slli.uw", Class::Shift, emit, Flow::Next)
            }
            (0x30, 5) if short && amount > 31 => None,
            (0x30, 5) => {
                let name = if short { "roriw" } else { "rori" };
                self.rotate(name, Binary::ShiftRight, operands.with(amount))
            }
            _ if short => None,
            which => self.single_bit(BIT_NAMES_OF_NUMBERS, which, operands.with(amount)),
        }
    }

    fn binary(
        &self,
        name: &'static str,
        operation: Binary,
        operands: Operands,
    ) -> Option<Instruction> {
        let Operands { target, left, right, width } = operands;
        let mut emit = Emit::default();
        emit.compute(target, operation, (left, right), width);
        self.done(name, Class::Arithmetic, emit, Flow::Next)
    }

    /// Returns the low 32 bits of an operand, zeros above.
    fn low_word(&self, from: Operand) -> (Emit, Operand) {
        let mut emit = Emit::default();
        emit.compute(SCRATCH, Binary::And, (from, constant(0xffff_ffff)), Width::Double);
        (emit, Operand::Register(SCRATCH))
    }

    /// Right plus left, shifted; of left only the low word, where it is so.
    fn shifted_sum(
        &self,
        name: &'static str,
        amount: i64,
        operands: Operands,
        unsigned_word: bool,
    ) -> Option<Instruction> {
        let Operands { target, left, right, .. } = operands;
        let (mut emit, left) =
            if unsigned_word { self.low_word(left) } else { (Emit::default(), left) };
        emit.compute(SCRATCH, Binary::ShiftLeft, (left, constant(amount)), self.width());
        let sum = (Operand::Register(SCRATCH), right);
        emit.compute(target, Binary::Add, sum, self.width());
        self.done(name, Class::Arithmetic, emit, Flow::Next)
    }

    /// As the operation with right's bits inverted.
    fn inverted(
        &self,
        name: &'static str,
        operation: Binary,
        operands: Operands,
    ) -> Option<Instruction> {
        let Operands { target, left, right, width } = operands;
        let mut emit = Emit::default();
        emit.compute(SCRATCH, Binary::Xor, (right, constant(-1)), width);
        emit.compute(target, operation, (left, Operand::Register(SCRATCH)), width);
        self.done(name, Class::Arithmetic, emit, Flow::Next)
    }

    /// Left where the comparison holds, else right.
    fn less(
        &self,
        name: &'static str,
        comparison: Comparison,
        operands: Operands,
    ) -> Option<Instruction> {
        let Operands { target, left, right, width } = operands;
        let mut emit = Emit::default();
        emit.copy(target, left, width);
        let mut otherwise = Emit::default();
        otherwise.copy(target, right, width);
        let otherwise: Vec<Effect> = otherwise.effects;
        let chosen = self.done(name, Class::Arithmetic, emit, Flow::Next)?;
        Some(Instruction { guard: Some(Guard { comparison, left, right, otherwise }), ..chosen })
    }

    /// Left where right compares so with 0, else 0.
    fn or_zero(
        &self,
        name: &'static str,
        comparison: Comparison,
        operands: Operands,
    ) -> Option<Instruction> {
        let Operands { target, left, right, width } = operands;
        let (mut emit, mut otherwise) = (Emit::default(), Emit::default());
        emit.copy(target, left, width);
        otherwise.copy(target, constant(0), width);
        let chosen = self.done(name, Class::Arithmetic, emit, Flow::Next)?;
        let otherwise: Vec<Effect> = otherwise.effects;
        let guard = Guard { comparison, left: right, right: constant(0), otherwise };
        Some(Instruction { guard: Some(guard), ..chosen })
    }

    /// Rotates: the bits that a shift moves out come in at the other end. Amounts count modulo the
    /// width, so the shift in the other direction is by the negated amount.
    fn rotate(&self, name: &'static str, shift: Binary, operands: Operands) -> Option<Instruction> {
        let Operands { target, left, right, width } = operands;
        let back = match shift {
            Binary::ShiftLeft => Binary::ShiftRight,
            _ => Binary::ShiftLeft,
        };
        let mut emit = Emit::default();
        emit.compute(SCRATCH, Binary::Subtract, (constant(0), right), width);
        emit.compute(SCRATCH, back, (left, Operand::Register(SCRATCH)), width);
        emit.compute(SECOND, shift, (left, right), width);
        let halves = (Operand::Register(SCRATCH), Operand::Register(SECOND));
        emit.compute(target, Binary::Or, halves, width);
        self.done(name, Class::Shift, emit, Flow::Next)
    }

    fn trailing_zeros(&self, name: &'static str, operands: Operands) -> Option<Instruction> {
        let Operands { target, left, width, .. } = operands;
        let mut emit = Emit::default();
        emit.compute(SCRATCH, Binary::ReverseBits, (left, constant(0)), width);
        let reversed = (Operand::Register(SCRATCH), constant(0));
        emit.compute(target, Binary::LeadingZeros, reversed, width);
        self.done(name, Class::Arithmetic, emit, Flow::Next)
    }

    /// Counts the ones: pairs, fours and bytes are counted side by side, and all bytes are added up
    /// in the highest one.
    fn population(&self, name: &'static str, operands: Operands) -> Option<Instruction> {
        let Operands { target, left, width, .. } = operands;
        let (first, second) = (Operand::Register(SCRATCH), Operand::Register(SECOND));
        let each = |byte: u8| each_byte(byte, width);
        let mut emit = Emit::default();
        let mut step = |into, operation, pair| emit.compute(into, operation, pair, width);
        step(SCRATCH, Binary::ShiftRight, (left, constant(1)));
        step(SCRATCH, Binary::And, (first, each(0x55)));
        step(SECOND, Binary::Subtract, (left, first));
        step(SCRATCH, Binary::ShiftRight, (second, constant(2)));
        step(SCRATCH, Binary::And, (first, each(0x33)));
        step(SECOND, Binary::And, (second, each(0x33)));
        step(SECOND, Binary::Add, (second, first));
        step(SCRATCH, Binary::ShiftRight, (second, constant(4)));
        step(SECOND, Binary::Add, (second, first));
        step(SECOND, Binary::And, (second, each(0x0f)));
        step(SECOND, Binary::Multiply, (second, each(0x01)));
        step(SECOND, Binary::ShiftRight, (second, constant(i64::from(width.bits()) - 8)));
        // Changes nothing; it tells the range of the result to who does not know the input.
        step(target, Binary::And, (second, constant(2 * i64::from(width.bits()) - 1)));
        self.done(name, Class::Arithmetic, emit, Flow::Next)
    }

    fn sign_extended(
        &self,
        name: &'static str,
        count: u32,
        operands: Operands,
    ) -> Option<Instruction> {
        let mut emit = Emit::default();
        emit.sign_extend(operands.target, operands.left, count, operands.width);
        self.done(name, Class::Arithmetic, emit, Flow::Next)
    }

    /// `orc.b`: all ones in each byte that is not zero. The low seven bits carry into the highest
    /// one if any of them is set.
    fn bytes_that_are_not_zero(&self, operands: Operands) -> Option<Instruction> {
        let Operands { target, left, width, .. } = operands;
        let first = Operand::Register(SCRATCH);
        let each = |byte: u8| each_byte(byte, width);
        let mut emit = Emit::default();
        let mut step = |into, operation, pair| emit.compute(into, operation, pair, width);
        step(SCRATCH, Binary::And, (left, each(0x7f)));
        step(SCRATCH, Binary::Add, (first, each(0x7f)));
        step(SCRATCH, Binary::Or, (first, left));
        step(SCRATCH, Binary::ShiftRight, (first, constant(7)));
        step(SCRATCH, Binary::And, (first, each(0x01)));
        step(target, Binary::Multiply, (first, constant(0xff)));
        self.done("orc.b", Class::Arithmetic, emit, Flow::Next)
    }

    /// Sets, clears, inverts or extracts one bit.
    fn single_bit(
        &self,
        names: [&'static str; 4],
        which: (u32, u32),
        operands: Operands,
    ) -> Option<Instruction> {
        let Operands { target, left, right, width } = operands;
        let (first, one) = (Operand::Register(SCRATCH), constant(1));
        let [clear, extract, invert, set] = names;
        let mut emit = Emit::default();
        if which == (0x24, 5) {
            emit.compute(SCRATCH, Binary::ShiftRight, (left, right), width);
            emit.compute(target, Binary::And, (first, one), width);
            return self.done(extract, Class::Arithmetic, emit, Flow::Next);
        }
        emit.compute(SCRATCH, Binary::ShiftLeft, (one, right), width);
        let (name, operation) = match which {
            (0x24, 1) => {
                emit.compute(SCRATCH, Binary::Xor, (first, constant(-1)), width);
                (clear, Binary::And)
            }
            (0x34, 1) => (invert, Binary::Xor),
            (0x14, 1) => (set, Binary::Or),
            _ => return None,
        };
        emit.compute(target, operation, (left, first), width);
        self.done(name, Class::Arithmetic, emit, Flow::Next)
    }
}

const BIT_NAMES: [&str; 4] = ["bclr", "bext", "binv", "bset"];
const BIT_NAMES_OF_NUMBERS: [&str; 4] = ["bclri", "bexti", "binvi", "bseti"];

/// Returns a number each byte of which is this one.
fn each_byte(byte: u8, width: Width) -> Operand {
    match width {
        Width::Word => constant(i32::from_ne_bytes([byte; 4]).into()),
        _ => constant(i64::from_ne_bytes([byte; 8])),
    }
}
