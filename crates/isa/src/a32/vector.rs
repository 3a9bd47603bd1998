//! Vector loads and stores: addresses and lengths, no values.

use super::{COUNTER, Decoder, Meaning, STACK_NUMBER, TEMPORARY, general, register, word};
use crate::emit::{Emit, constant};
use crate::language::{Address, Binary, Class, Operand, Register, Width};

/// The register that keeps the first address.
const FIRST: Register = TEMPORARY[3];

/// An opaque access of so many bytes, in words and smaller pieces.
fn access(emit: &mut Emit, load: bool, address: Address, bytes: u32) {
    let mut done = 0;
    while done < bytes {
        let width = match bytes - done {
            1 => Width::Byte,
            2 | 3 => Width::Half,
            _ => Width::Word,
        };
        let place = Address { offset: address.offset + i64::from(done), ..address };
        if load {
            emit.load(Register::LOST, place, width, true);
        } else {
            emit.unknown(TEMPORARY[2]);
            emit.store(place, register(TEMPORARY[2]), width);
        }
        done += width.bytes() as u32;
    }
}

impl Decoder {
    /// Loads and stores of vector registers in order, and moves of two general registers.
    pub(super) fn coprocessor_memory(&self) -> Option<Meaning> {
        let (base, load, number) = (self.number(16), self.bit(20), self.bits(8, 4));
        let mut emit = Emit::default();
        if self.bits(21, 4) == 2 {
            if load {
                emit.unknown(general(self.target()?));
                emit.unknown(general(Some(base).filter(|&number| number != COUNTER)?));
            } else {
                emit.hide(self.read(self.number(12)));
                emit.hide(self.read(base));
            }
            let class = if number < 14 { Class::Arithmetic } else { Class::Status };
            return Some(Meaning::new(if load { "mrrc" } else { "mcrr" }, class, emit));
        }
        if !matches!(number, 10 | 11) {
            return None;
        }
        let distance = i64::from(self.bits(0, 8)) * 4;
        let (before, up, changes) = (self.bit(24), self.bit(23), self.bit(21));
        let from: Operand =
            if base == COUNTER { word(self.counter() & !3) } else { self.read(base) };
        emit.put(FIRST, from);
        let signed = if up { distance } else { -distance };
        let (offset, bytes) = match (before, changes) {
            (true, false) => (signed, if number == 11 { 8 } else { 4 }),
            (false, _) if up => (0, self.bits(0, 8) * 4),
            (true, true) if !up => (-distance, self.bits(0, 8) * 4),
            _ => return None,
        };
        access(&mut emit, load, Address { base: register(FIRST), offset }, bytes);
        if changes {
            if base == COUNTER {
                return None;
            }
            emit.binary(general(base), Binary::Add, register(FIRST), constant(signed));
        }
        let class = if load { Class::Load } else { Class::Store };
        Some(Meaning::new(if load { "vldm" } else { "vstm" }, class, emit))
    }

    /// Structures of one to four registers, or of one element of each.
    pub(super) fn structures(&self) -> Option<Meaning> {
        let (base, load, change) = (self.number(16), self.bit(21), self.number(0));
        if base == COUNTER {
            return None;
        }
        let bytes = if self.bit(23) { self.element_bytes()? } else { self.register_bytes()? };
        let mut emit = Emit::default();
        emit.put(FIRST, self.read(base));
        access(&mut emit, load, Address { base: register(FIRST), offset: 0 }, bytes);
        match change {
            COUNTER => {}
            STACK_NUMBER => {
                emit.binary(general(base), Binary::Add, register(FIRST), constant(bytes.into()))
            }
            _ => emit.binary(general(base), Binary::Add, register(FIRST), self.read(change)),
        }
        let class = if load { Class::Load } else { Class::Store };
        Some(Meaning::new(if load { "vld" } else { "vst" }, class, emit))
    }

    fn register_bytes(&self) -> Option<u32> {
        Some(match self.bits(8, 4) {
            0b0000..=0b0011 => 32,
            0b0100..=0b0110 => 24,
            0b0111 => 8,
            0b1000..=0b1010 => 16,
            _ => return None,
        })
    }

    fn element_bytes(&self) -> Option<u32> {
        let count = self.bits(8, 2) + 1;
        let size = match self.bits(10, 2) {
            3 if self.bit(21) => self.bits(6, 2).min(2),
            3 => return None,
            size => size,
        };
        Some(count << size)
    }
}
