//! Branches, calls and returns.

use super::{Decoder, FLAGS, HALVES, LINK, Meaning, TEMPORARY, View, general};
use crate::emit::{Emit, constant};
use crate::flags;
use crate::language::{Address, Binary, Class, Comparison, Flow, Operand, Register, Target, Width};

impl Decoder {
    pub(super) fn branches(&self) -> Option<Meaning> {
        match self.bits(26, 6) {
            0b00_0101 => Some(Meaning::flow(
                "b",
                Class::Jump,
                Flow::Jump(Target::Fixed(self.relative(0, 26))),
            )),
            0b10_0101 => Some(self.call("bl", Class::Jump, Target::Fixed(self.relative(0, 26)))),
            0b01_0101 if !self.bit(25) && !self.bit(24) && !self.bit(4) => {
                Some(self.on_condition())
            }
            0b11_0101 if self.bit(25) => self.through_register(),
            0b11_0101 => self.system_group(),
            0b00_1101 | 0b10_1101 if self.bit(25) => Some(self.on_bit()),
            0b00_1101 | 0b10_1101 => Some(self.on_zero()),
            _ => None,
        }
    }

    /// Returns a call; the low half of the return address is nobody's number.
    fn call(&self, mnemonic: &'static str, class: Class, target: Target) -> Meaning {
        let mut emit = Emit::default();
        emit.unknown(Register::new(HALVES + 30));
        let target = match target {
            // The register may be the one that the return address goes to.
            Target::Computed(Address { base: Operand::Register(LINK), offset }) => {
                emit.copy(TEMPORARY[0], Operand::Register(LINK), Width::Double);
                Target::Computed(Address { base: Operand::Register(TEMPORARY[0]), offset })
            }
            other => other,
        };
        Meaning { flow: Flow::Call { target, link: LINK }, ..Meaning::new(mnemonic, class, emit) }
    }

    fn on_condition(&self) -> Meaning {
        let target = self.relative(5, 19);
        let Some(asked) = FLAGS.condition(self.bits(0, 4)) else {
            return Meaning::flow("b.al", Class::Jump, Flow::Jump(Target::Fixed(target)));
        };
        let flags::Condition { comparison, left, right, echo } = asked;
        let name = NAMES[self.bits(0, 4) as usize];
        Meaning {
            echo,
            ..Meaning::flow(name, Class::Branch, Flow::Branch { comparison, left, right, target })
        }
    }

    fn on_zero(&self) -> Meaning {
        let different = self.bit(24);
        let comparison = if different { Comparison::NotEqual } else { Comparison::Equal };
        let (left, right) = (self.view(0).read(), constant(0));
        let flow = Flow::Branch { comparison, left, right, target: self.relative(5, 19) };
        // What is zero in the low half is zero in a register whose high half is.
        Meaning::flow(if different { "cbnz" } else { "cbz" }, Class::Branch, flow)
    }

    fn on_bit(&self) -> Meaning {
        let set = self.bit(24);
        let bit = self.bits(31, 1) << 5 | self.bits(19, 5);
        let tested = View { number: self.number(0), wide: bit > 31 };
        let mut emit = Emit::default();
        let (comparison, left) = if bit == 31 || bit == 63 {
            (if set { Comparison::LessSigned } else { Comparison::NotLessSigned }, tested.read())
        } else {
            emit.compute(
                TEMPORARY[0],
                Binary::And,
                (tested.read(), constant(1 << bit)),
                Width::Double,
            );
            (
                if set { Comparison::NotEqual } else { Comparison::Equal },
                Operand::Register(TEMPORARY[0]),
            )
        };
        let flow =
            Flow::Branch { comparison, left, right: constant(0), target: self.relative(5, 14) };
        Meaning { flow, ..Meaning::new(if set { "tbnz" } else { "tbz" }, Class::Branch, emit) }
    }

    fn through_register(&self) -> Option<Meaning> {
        // Pointer authentication changes what is checked, not where control goes.
        let plain = self.bits(10, 6) == 0 && self.bits(0, 5) == 0;
        let signed = matches!(self.bits(10, 6), 2 | 3);
        if self.bits(16, 5) != 31 || !(plain || signed) {
            return None;
        }
        let base = self.wide(5).read();
        let to = Target::Computed(Address { base, offset: 0 });
        let link = if plain { general(self.number(5)) } else { LINK };
        match self.bits(21, 4) {
            0 | 8 if self.number(5) == 31 => None,
            0 | 8 => Some(Meaning::flow("br", Class::IndirectJump, Flow::Jump(to))),
            1 | 9 if self.number(5) == 31 => None,
            1 | 9 => Some(self.call("blr", Class::IndirectJump, to)),
            2 if plain == (self.number(5) != 31) => {
                Some(Meaning::flow("ret", Class::IndirectJump, Flow::Return { link }))
            }
            4 if self.number(5) == 31 => {
                Some(Meaning::flow("eret", Class::System, Flow::TrapReturn))
            }
            _ => None,
        }
    }
}

const NAMES: [&str; 16] = [
    "b.eq", "b.ne", "b.hs", "b.lo", "b.mi", "b.pl", "b.vs", "b.vc", "b.hi", "b.ls", "b.ge", "b.lt",
    "b.gt", "b.le", "b.al", "b.nv",
];
