//! Loads and stores of many registers.

use super::data::jump_to_result;
use super::{COUNTER, Decoder, Meaning, TEMPORARY, general, register, word};
use crate::emit::{Emit, constant};
use crate::language::{Address, Binary, Class, Flow, Operand, Register, Width};

/// The register that keeps the first address.
const FIRST: Register = TEMPORARY[3];
/// The frame pointer of old calling conventions, from which functions return as well.
const FRAME_NUMBER: u8 = 11;

impl Decoder {
    pub(super) fn block(&self) -> Option<Meaning> {
        let (base, load, other_mode) = (self.number(16), self.bit(20), self.bit(22));
        let list = self.bits(0, 16);
        if list == 0 || base == COUNTER {
            return None;
        }
        let count = i64::from(list.count_ones()) * 4;
        let mut emit = Emit::default();
        emit.put(FIRST, self.read(base));
        let start = match (self.bit(24), self.bit(23)) {
            (false, true) => 0,
            (true, true) => 4,
            (false, false) => 4 - count,
            (true, false) => -count,
        };
        let end = if self.bit(23) { count } else { -count };
        let change = |emit: &mut Emit| {
            if self.bit(21) {
                emit.binary(general(base), Binary::Add, register(FIRST), constant(end));
            }
        };
        let places = (0..16u8).filter(|&number| list >> number & 1 == 1).zip((start..).step_by(4));
        let place = |offset| Address { base: register(FIRST), offset };
        if !load {
            for (number, offset) in places {
                self.store_one(&mut emit, number, place(offset), other_mode);
            }
            change(&mut emit);
            return Some(Meaning::new("stm", Class::Store, emit));
        }
        change(&mut emit);
        for (number, offset) in places {
            let target = match number {
                COUNTER => TEMPORARY[0],
                // Registers of another mode: nobody reads them here.
                13.. if other_mode && list >> COUNTER & 1 == 0 => Register::LOST,
                _ => general(number),
            };
            emit.load(target, place(offset), Width::Word, true);
        }
        if list >> COUNTER & 1 == 0 {
            return Some(Meaning::new("ldm", Class::Load, emit));
        }
        let flow = match base {
            _ if other_mode => Flow::TrapReturn,
            super::STACK_NUMBER | FRAME_NUMBER => Flow::Return { link: TEMPORARY[0] },
            _ => jump_to_result(),
        };
        Some(Meaning { flow, ..Meaning::new("ldm", Class::IndirectJump, emit) })
    }

    fn store_one(&self, emit: &mut Emit, number: u8, place: Address, other_mode: bool) {
        let value: Operand = if number == COUNTER {
            word(self.counter())
        } else if other_mode && number >= 8 {
            emit.unknown(TEMPORARY[0]);
            register(TEMPORARY[0])
        } else {
            self.read(number)
        };
        emit.store(place, value, Width::Word);
    }
}
