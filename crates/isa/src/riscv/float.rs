//! Floating point, F and D: what it does to memory and to general registers.
//!
//! No number of a floating-point register is followed. What such an instruction
//! puts into a general register is unknown, and an address that goes into a
//! floating-point register is lost sight of. All floating-point registers are
//! one for a machine's timing: whoever uses any of them waits for the last load
//! into any of them, which is never too early.

use super::decode::{Decoder, operand, target};
use super::fields::Word;
use super::{FLOATS, Xlen};
use crate::emit::Emit;
use crate::language::{Address, Class, Flow, Instruction, Operand, Register, Width};

/// A load into this register is lost; that it is under way is not.
const LOADED: Register = Register::LOST;

/// The effect of an instruction on general registers.
enum General {
    /// They stay untouched.
    Untouched,
    /// It writes `rd`.
    Written,
    /// It reads `rs1`.
    Read,
}

/// The name for each format: single, double.
type Names = [&'static str; 2];

impl Decoder {
    pub(super) fn load_float(&self, w: Word) -> Option<Instruction> {
        let (name, bytes) =
            [("flw", 4), ("fld", 8)].into_iter().nth(w.funct3().checked_sub(2)? as usize)?;
        let mut emit = Emit::default();
        for (offset, width) in self.pieces(bytes) {
            let address = Address { base: operand(w.rs1()), offset: w.i() + offset };
            emit.load(LOADED, address, width, true);
        }
        self.done(name, Class::Load, emit, Flow::Next)
    }

    pub(super) fn store_float(&self, w: Word) -> Option<Instruction> {
        let (name, bytes) =
            [("fsw", 4), ("fsd", 8)].into_iter().nth(w.funct3().checked_sub(2)? as usize)?;
        let mut emit = Emit::default();
        // It waits for what is loaded, and stores what nobody knows.
        emit.copy(FLOATS, Operand::Register(LOADED), self.width());
        for (offset, width) in self.pieces(bytes) {
            let address = Address { base: operand(w.rs1()), offset: w.s() + offset };
            emit.unknown(FLOATS);
            emit.store(address, Operand::Register(FLOATS), width);
        }
        self.done(name, Class::Store, emit, Flow::Next)
    }

    /// Returns an access in parts that a general register could hold.
    fn pieces(&self, bytes: u64) -> Vec<(i64, Width)> {
        match (bytes, self.xlen) {
            (4, _) => vec![(0, Width::Word)],
            (_, Xlen::Rv64) => vec![(0, Width::Double)],
            (_, Xlen::Rv32) => vec![(0, Width::Word), (4, Width::Word)],
        }
    }

    /// Returns a product with a sum, in one step.
    pub(super) fn fused(&self, w: Word, names: Names) -> Option<Instruction> {
        is_rounding(w)
            .then(|| self.calculates(w, names, Class::Float, General::Untouched))
            .flatten()
    }

    pub(super) fn float(&self, w: Word) -> Option<Instruction> {
        let plain = |names, class| {
            is_rounding(w).then(|| self.calculates(w, names, class, General::Untouched)).flatten()
        };
        let by_mode = |names: &[Names], general| {
            let names = *names.get(w.funct3() as usize)?;
            self.calculates(w, names, Class::Float, general)
        };
        match (w.funct7() >> 2, w.rs2()) {
            (0x00, _) => plain(["fadd.s", "fadd.d"], Class::Float),
            (0x01, _) => plain(["fsub.s", "fsub.d"], Class::Float),
            (0x02, _) => plain(["fmul.s", "fmul.d"], Class::Float),
            (0x03, _) => plain(["fdiv.s", "fdiv.d"], Class::FloatDivide),
            (0x0b, 0) => plain(["fsqrt.s", "fsqrt.d"], Class::FloatDivide),
            (0x08, from) if from <= 1 && u32::from(from) != format(w) => {
                plain(["fcvt.s.d", "fcvt.d.s"], Class::Float)
            }
            (0x04, _) => by_mode(
                &[["fsgnj.s", "fsgnj.d"], ["fsgnjn.s", "fsgnjn.d"], ["fsgnjx.s", "fsgnjx.d"]],
                General::Untouched,
            ),
            (0x05, _) => by_mode(&[["fmin.s", "fmin.d"], ["fmax.s", "fmax.d"]], General::Untouched),
            (0x14, _) => by_mode(
                &[["fle.s", "fle.d"], ["flt.s", "flt.d"], ["feq.s", "feq.d"]],
                General::Written,
            ),
            (0x18 | 0x1a, kind) => self.convert(w, kind),
            (0x1c, 0) => by_mode(
                &[self.moves(w, "fmv.x.w", "fmv.x.d")?, ["fclass.s", "fclass.d"]],
                General::Written,
            ),
            (0x1e, 0) if w.funct3() == 0 => {
                by_mode(&[self.moves(w, "fmv.w.x", "fmv.d.x")?], General::Read)
            }
            _ => None,
        }
    }

    /// Between a floating-point number and a whole one.
    fn convert(&self, w: Word, kind: u8) -> Option<Instruction> {
        const TO: [Names; 4] = [
            ["fcvt.w.s", "fcvt.w.d"],
            ["fcvt.wu.s", "fcvt.wu.d"],
            ["fcvt.l.s", "fcvt.l.d"],
            ["fcvt.lu.s", "fcvt.lu.d"],
        ];
        const FROM: [Names; 4] = [
            ["fcvt.s.w", "fcvt.d.w"],
            ["fcvt.s.wu", "fcvt.d.wu"],
            ["fcvt.s.l", "fcvt.d.l"],
            ["fcvt.s.lu", "fcvt.d.lu"],
        ];
        let fits = kind < 2 || self.xlen == Xlen::Rv64;
        let (names, general) = match w.funct7() >> 2 {
            0x18 => (TO.get(usize::from(kind))?, General::Written),
            _ => (FROM.get(usize::from(kind))?, General::Read),
        };
        (fits && is_rounding(w))
            .then(|| self.calculates(w, *names, Class::Float, general))
            .flatten()
    }

    /// The names of a move between registers; one of 64 bits needs a general register as wide, a
    /// classification none.
    fn moves(&self, w: Word, single: &'static str, double: &'static str) -> Option<Names> {
        let wide = format(w) == 1 && w.funct3() == 0;
        (!wide || self.xlen == Xlen::Rv64).then_some([single, double])
    }

    fn calculates(
        &self,
        w: Word,
        names: Names,
        class: Class,
        general: General,
    ) -> Option<Instruction> {
        let name = names.get(format(w) as usize)?;
        let mut emit = Emit::default();
        match general {
            General::Untouched => {}
            General::Written => target(w.rd()).into_iter().for_each(|target| emit.unknown(target)),
            General::Read => emit.hide(operand(w.rs1())),
        }
        self.done(name, class, emit, Flow::Next)
    }
}

/// 0: single, 1: double.
fn format(w: Word) -> u32 {
    w.funct7() & 3
}

/// Returns `true` if an instruction names a way of rounding that exists.
fn is_rounding(w: Word) -> bool {
    !matches!(w.funct3(), 5 | 6)
}
