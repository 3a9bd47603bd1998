//! Branches, calls, and the instructions that no condition holds back.

use super::{Decoder, FLAGS, LINK, Meaning, SP, general};
use crate::emit::Emit;
use crate::language::{Class, Flow, Target};

impl Decoder {
    pub(super) fn branch(&self) -> Meaning {
        let target = Target::Fixed(self.relative(0));
        if self.bit(24) {
            return Meaning::flow("bl", Class::Jump, Flow::Call { target, link: LINK });
        }
        Meaning::flow("b", Class::Jump, Flow::Jump(target))
    }

    /// Words whose condition field is all ones.
    pub(super) fn unconditional(&self) -> Option<Meaning> {
        if self.bits(25, 3) == 0b101 {
            // The target is Thumb code, of which the odd address tells.
            let target = Target::Fixed(self.relative(self.bits(24, 1) << 1) | 1);
            return Some(Meaning::flow("blx", Class::Jump, Flow::Call { target, link: LINK }));
        }
        let matches = |mask: u32, pattern: u32| self.word & mask == pattern;
        if matches(0xfe50_0000, 0xf810_0000) {
            return Some(Meaning::flow("rfe", Class::System, Flow::TrapReturn));
        }
        if matches(0xfff1_fe20, 0xf100_0000) {
            return Some(self.change_state());
        }
        if matches(0xffff_ff00, 0xf57f_f000) {
            return self.barrier();
        }
        // Prefetches of data and code, by a constant or a register.
        let prefetch =
            [(0xfd30_f000, 0xf510_f000), (0xff70_f010, 0xf750_f000), (0xff30_f010, 0xf710_f000)];
        let of_code = [(0xff70_f000, 0xf450_f000), (0xff70_f010, 0xf650_f000)];
        if prefetch.into_iter().chain(of_code).any(|(mask, pattern)| matches(mask, pattern)) {
            return Some(Meaning::new("pld", Class::Arithmetic, Emit::default()));
        }
        if self.bits(25, 3) == 0b001 {
            return Some(Meaning::new("vector", Class::Float, Emit::default()));
        }
        if matches(0xff10_0000, 0xf400_0000) {
            return self.structures();
        }
        None
    }

    fn barrier(&self) -> Option<Meaning> {
        let name = match self.bits(4, 4) {
            1 => "clrex",
            4 => "dsb",
            5 => "dmb",
            6 => "isb",
            _ => return None,
        };
        Some(Meaning::new(name, Class::Fence, Emit::default()))
    }

    /// Interrupts on or off, perhaps another mode with its own stack.
    fn change_state(&self) -> Meaning {
        let mut emit = Emit::default();
        if self.bit(17) {
            emit.unknown(SP);
            emit.unknown(LINK);
        }
        Meaning::new("cps", Class::Status, emit)
    }

    /// Moves between general registers and coprocessors, vectors among them.
    pub(super) fn coprocessor(&self) -> Option<Meaning> {
        let (number, load, target) = (self.bits(8, 4), self.bit(20), self.number(12));
        let mut emit = Emit::default();
        if matches!(number, 10 | 11) && !self.bit(4) {
            let divides = self.bit(23) && self.bits(20, 2) == 0 && !self.bit(6);
            let root = self.bit(23)
                && self.bits(20, 2) == 3
                && self.number(16) == 1
                && self.bits(6, 2) == 3;
            let class = if divides || root { Class::FloatDivide } else { Class::Float };
            return Some(Meaning::new("vector", class, emit));
        }
        if !matches!(number, 10 | 11 | 14 | 15) || !self.bit(4) {
            return None;
        }
        if load && target == super::COUNTER {
            FLAGS.unknown(&mut emit);
        } else if load {
            emit.unknown(general(target));
        } else {
            emit.hide(self.read(target));
        }
        let class = if number < 14 { Class::Arithmetic } else { Class::Status };
        Some(Meaning::new(if load { "mrc" } else { "mcr" }, class, emit))
    }
}
