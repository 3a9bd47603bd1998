//! Floating-point and vector data processing: what is copied, and flags.

use super::{Decoder, FLAGS, Meaning, View};
use crate::emit::Emit;
use crate::language::Class;

impl Decoder {
    pub(super) fn vector(&self) -> Option<Meaning> {
        let mut emit = Emit::default();
        match (self.copies_vector(), self.clears_vector()) {
            (true, _) => emit.copy_vector(self.number(0), self.number(5)),
            (_, true) => emit.clear_vector(self.number(0)),
            _ if self.keeps_vectors() => {}
            _ => emit.lose_vector(self.number(0)),
        }
        let mut float = None;
        if self.is_fused() {
            float = self.calculation();
        } else if self.is_scalar() {
            float = self.calculation();
            if let Some(constant) = self.moved_constant() {
                self.put_constant(&mut emit, constant);
            }
            if self.changes_flags() {
                FLAGS.unknown(&mut emit);
            }
            if self.converts_to_general() {
                emit.lose(self.view(0));
            } else if self.converts_from_general() {
                emit.hide(self.wide(5).read());
            }
        } else if self.moves_general_to_element() {
            emit.hide(self.wide(5).read());
        } else if self.moves_element_to_general() {
            emit.lose(View { number: self.number(0), wide: self.bit(30) });
        }
        let class = if self.divides() { Class::FloatDivide } else { Class::Float };
        Some(Meaning { float, ..Meaning::new("vector", class, emit) })
    }

    /// A vector of 16 bytes combined with itself by `orr`, which copies it.
    fn copies_vector(&self) -> bool {
        let combines = !self.bit(31) && self.bits(21, 9) == 0b0_0111_0101;
        let all = self.bit(30);
        combines && all && self.bits(10, 6) == 0b000111 && self.number(16) == self.number(5)
    }

    /// A constant for all places of a vector that is zero: one that is not combined with what was
    /// there, nor shifted with ones behind it.
    fn clears_vector(&self) -> bool {
        let immediate = !self.bit(31) && self.bits(19, 10) == 0b01_1110_0000;
        let is_zero = self.bits(16, 3) == 0 && self.bits(5, 5) == 0;
        let form = match (self.bit(29), self.bits(12, 4)) {
            (false, form) => form == 0b1110 || form < 0b1100 && form & 1 == 0,
            (true, form) => form == 0b1110,
        };
        immediate && self.bits(10, 2) == 0b01 && is_zero && form
    }

    /// Quotients and roots, of one number or of a vector of them.
    fn divides(&self) -> bool {
        if self.is_scalar() {
            return self.bit(21)
                && (self.bits(10, 6) == 0b000110 || self.bits(10, 11) == 0b000_0111_0000);
        }
        let quotient = self.bits(10, 6) == 0b111111 && self.bit(21) || self.bits(10, 6) == 0b001111;
        let root = matches!(self.bits(10, 12), 0b1000_0111_1110 | 0b1110_0111_1110);
        self.bit(29) && (quotient || root)
    }

    /// Scalar floating point and its conversions from and to integers.
    fn is_scalar(&self) -> bool {
        !self.bit(30) && !self.bit(29) && self.bits(24, 5) == 0b11110
    }

    /// Returns `true` for a product and a sum of scalar numbers at once.
    fn is_fused(&self) -> bool {
        self.bits(29, 3) == 0 && self.bits(24, 5) == 0b11111
    }

    /// Returns `true` if the instruction writes no vector.
    fn keeps_vectors(&self) -> bool {
        self.is_scalar() && (self.changes_flags() || self.converts_to_general())
            || self.moves_element_to_general()
    }

    fn changes_flags(&self) -> bool {
        let compares = self.bits(10, 4) == 0b1000;
        let compares_on_condition = self.bits(10, 2) == 0b01;
        let converts_for_scripts = self.bits(10, 6) == 0 && self.bits(16, 5) == 0b11110;
        self.bit(21) && (compares || compares_on_condition || converts_for_scripts)
    }

    fn converts_to_general(&self) -> bool {
        let kind = self.bits(16, 3);
        match (self.bit(21), self.bits(10, 6)) {
            (true, 0) => matches!(kind, 0 | 1 | 4 | 5 | 6),
            (true, _) => false,
            (false, _) => matches!(kind, 0 | 1),
        }
    }

    fn converts_from_general(&self) -> bool {
        let kind = self.bits(16, 3);
        match (self.bit(21), self.bits(10, 6)) {
            (true, 0) => matches!(kind, 2 | 3 | 7),
            (true, _) => false,
            (false, _) => matches!(kind, 2 | 3),
        }
    }

    /// Copies of one element, of or to a general register among them.
    fn copies_element(&self) -> bool {
        let copies = !self.bit(31) && !self.bit(29) && self.bits(21, 8) == 0b0111_0000;
        copies && !self.bit(15) && self.bit(10)
    }

    fn moves_element_to_general(&self) -> bool {
        self.copies_element() && matches!(self.bits(11, 4), 0b0101 | 0b0111)
    }

    fn moves_general_to_element(&self) -> bool {
        self.copies_element() && matches!(self.bits(11, 4), 0b0001 | 0b0011)
    }
}
