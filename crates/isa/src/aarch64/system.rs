//! Exceptions, hints, barriers and system registers.

use super::{Decoder, FLAGS, Meaning, SP, scalar};
use crate::emit::Emit;
use crate::language::{Class, Flow};

/// The system register of the condition flags, from bit 5 up.
const CONDITION_FLAGS: u32 = 0b1101_1010_0001_0000;

impl Decoder {
    pub(super) fn system_group(&self) -> Option<Meaning> {
        if !self.bit(24) {
            return self.exception();
        }
        if self.bits(22, 2) != 0 {
            return None;
        }
        match (self.bits(21, 1), self.bits(19, 2)) {
            (0, 0) => self.hint_or_barrier(),
            (1, 0) => None,
            (load, 1) => self.maintenance(load == 1),
            (load, _) => Some(self.system_register(load == 1)),
        }
    }

    fn exception(&self) -> Option<Meaning> {
        let raised = |name, flow| Some(Meaning::flow(name, Class::System, flow));
        match (self.bits(21, 3), self.bits(0, 5)) {
            (0, 1) => raised("svc", Flow::SystemCall),
            (0, 2) => raised("hvc", Flow::SystemCall),
            (0, 3) => raised("smc", Flow::SystemCall),
            (1, 0) => raised("brk", Flow::Breakpoint),
            (2, 0) => raised("hlt", Flow::Breakpoint),
            _ => None,
        }
    }

    fn hint_or_barrier(&self) -> Option<Meaning> {
        let (group, operation) = (self.bits(12, 4), self.bits(5, 3));
        match (self.bits(16, 3), group, self.number(0)) {
            (3, 2, 31) => Some(match self.bits(5, 7) {
                2 => Meaning::flow("wfe", Class::System, Flow::WaitForInterrupt),
                3 => Meaning::flow("wfi", Class::System, Flow::WaitForInterrupt),
                _ => Meaning::new("hint", Class::Arithmetic, Emit::default()),
            }),
            (3, 3, 31) => {
                let name = match operation {
                    2 => "clrex",
                    4 => "dsb",
                    5 => "dmb",
                    6 => "isb",
                    7 => "sb",
                    _ => return None,
                };
                Some(Meaning::new(name, Class::Fence, Emit::default()))
            }
            (field, 4, 31) => {
                let mut emit = Emit::default();
                match (field, operation) {
                    // The carry or the form of the flags changes.
                    (0, 0..=2) => FLAGS.unknown(&mut emit),
                    // Another stack pointer is selected.
                    (0, 5) => emit.unknown(SP),
                    _ => {}
                }
                Some(Meaning::new("msr", Class::Status, emit))
            }
            _ => None,
        }
    }

    /// Cache and translation maintenance; what writes memory is not supported.
    fn maintenance(&self, load: bool) -> Option<Meaning> {
        let mut emit = Emit::default();
        if load {
            emit.lose(self.wide(0));
            return Some(Meaning::new("sysl", Class::Fence, emit));
        }
        let zeroes = self.bits(16, 3) == 3 && self.bits(12, 4) == 7 && self.bits(8, 4) == 4;
        (!zeroes).then(|| Meaning::new("sys", Class::Fence, emit))
    }

    fn system_register(&self, load: bool) -> Meaning {
        let mut emit = Emit::default();
        if load {
            emit.lose(self.wide(0));
        } else {
            emit.hide(self.wide(0).read());
            if self.bits(5, 16) == CONDITION_FLAGS {
                FLAGS.unknown(&mut emit);
            }
        }
        let float = (!load && self.bits(5, 16) == scalar::ROUNDING).then(scalar::set_rounding);
        let name = if load { "mrs" } else { "msr" };
        Meaning { float, ..Meaning::new(name, Class::Status, emit) }
    }
}
