//! Loads and stores of pairs.

use super::memory::{Indexed, Writeback, stored, width};
use super::{Decoder, Meaning, TEMPORARY, View};
use crate::emit::{Emit, signed};
use crate::language::{Address, Class, Operand, Width};

impl Decoder {
    pub(super) fn pair(&self) -> Option<Meaning> {
        let (kind, vector, load) = (self.bits(30, 2), self.bit(26), self.bit(22));
        let writeback = match self.bits(23, 2) {
            1 => Writeback::After,
            3 => Writeback::Before,
            _ => Writeback::None,
        };
        let words = kind == 1 && !vector;
        if kind == 3 || words && (!load || self.bits(23, 2) == 0) {
            return None;
        }
        let size = if vector { 2 + kind } else { 2 + (kind >> 1) };
        let distance = signed(self.bits(15, 7), 7) << size;
        let indexed = Indexed { base: self.number(5), distance, writeback };
        let mut emit = Emit::default();
        if vector {
            let address = indexed.begin(&mut emit);
            let bytes = 1 << size;
            let second = Address { offset: address.offset + i64::from(bytes), ..address };
            for (number, place) in [(self.number(0), address), (self.number(10), second)] {
                if load {
                    emit.load_vector(number, place, bytes)
                } else {
                    emit.store_vector(number, place, bytes)
                }
            }
        } else {
            self.general_pair(&mut emit, indexed, size, words)?;
        }
        indexed.end(&mut emit);
        let name = match (load, words) {
            (true, true) => "ldpsw",
            (true, false) => "ldp",
            _ => "stp",
        };
        Some(Meaning::new(name, if load { Class::Load } else { Class::Store }, emit))
    }

    fn general_pair(
        &self,
        emit: &mut Emit,
        indexed: Indexed,
        size: u32,
        words: bool,
    ) -> Option<()> {
        let (first, second, load) = (self.number(0), self.number(10), self.bit(22));
        let in_base = |number: u8| number == indexed.base && number != 31;
        // What happens to a register that is loaded twice, or loaded and changed, is not defined.
        let clash = indexed.writeback != Writeback::None && (in_base(first) || in_base(second));
        if clash || load && first == second {
            return None;
        }
        let mut address = indexed.begin(emit);
        if load && in_base(first) {
            emit.copy(TEMPORARY[0], address.base, Width::Double);
            address.base = Operand::Register(TEMPORARY[0]);
        }
        let bytes = width(size).bytes() as i64;
        for (number, offset) in [(first, address.offset), (second, address.offset + bytes)] {
            let place = Address { offset, ..address };
            if load {
                emit.load_general(
                    View { number, wide: size == 3 || words },
                    place,
                    width(size),
                    size == 3 || words,
                );
            } else {
                emit.store(place, stored(number, width(size)), width(size));
            }
        }
        Some(())
    }
}
