//! Vector loads and stores, with the numbers of the first few vectors.

use super::memory::{Indexed, Writeback};
use super::{Decoder, Meaning, TEMPORARY, lanes};
use crate::emit::{Emit, constant};
use crate::language::{Address, Binary, Class, Operand, Register, Width};

impl Emit {
    /// Reads bytes, a power of two of them or a sum of such, for nobody.
    pub(super) fn load_opaque(&mut self, address: Address, bytes: u32) {
        for (offset, width) in pieces(bytes) {
            let place = Address { offset: address.offset + offset, ..address };
            self.load(Register::LOST, place, width, true);
        }
    }

    /// Writes bytes of which nothing is known.
    pub(super) fn store_opaque(&mut self, address: Address, bytes: u32) {
        for (offset, width) in pieces(bytes) {
            let place = Address { offset: address.offset + offset, ..address };
            self.unknown(TEMPORARY[3]);
            self.store(place, Operand::Register(TEMPORARY[3]), width);
        }
    }
}

impl Emit {
    /// Loads one vector, or the low part of it, and zeros above that.
    pub(super) fn load_vector(&mut self, number: u8, address: Address, bytes: u32) {
        let Some([low, high]) = lanes(number) else { return self.load_opaque(address, bytes) };
        let mut parts = pieces(bytes);
        let mut load = |emit: &mut Emit, lane| match parts.next() {
            Some((offset, width)) => {
                let place = Address { offset: address.offset + offset, ..address };
                emit.load(lane, place, width, width == Width::Double);
            }
            None => emit.copy(lane, constant(0), Width::Double),
        };
        load(self, low);
        load(self, high);
    }

    /// Stores one vector, or the low part of it.
    pub(super) fn store_vector(&mut self, number: u8, address: Address, bytes: u32) {
        let Some(lanes) = lanes(number) else { return self.store_opaque(address, bytes) };
        for ((offset, width), lane) in pieces(bytes).zip(lanes) {
            let place = Address { offset: address.offset + offset, ..address };
            self.store(place, Operand::Register(lane), width);
        }
    }

    /// A vector gets numbers that no analysis knows.
    pub(super) fn lose_vector(&mut self, number: u8) {
        lanes(number).into_iter().flatten().for_each(|lane| self.unknown(lane));
    }

    /// A vector gets the numbers of another one.
    pub(super) fn copy_vector(&mut self, to: u8, from: u8) {
        match (lanes(to), lanes(from)) {
            (Some(to), Some(from)) => to.into_iter().zip(from).for_each(|(to, from)| {
                self.copy(to, Operand::Register(from), Width::Double);
            }),
            _ => self.lose_vector(to),
        }
    }

    /// A vector gets zeros.
    pub(super) fn clear_vector(&mut self, number: u8) {
        let all = lanes(number).into_iter().flatten();
        all.for_each(|lane| self.copy(lane, constant(0), Width::Double));
    }
}

/// Returns a length as accesses of at most eight bytes.
fn pieces(bytes: u32) -> impl Iterator<Item = (i64, Width)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let width = match bytes - done {
            0 => return None,
            1 => Width::Byte,
            2..4 => Width::Half,
            4..8 => Width::Word,
            _ => Width::Double,
        };
        let offset = i64::from(done);
        done += width.bytes() as u32;
        Some((offset, width))
    })
}

impl Decoder {
    /// Structures of one to four registers, or of one element of each.
    pub(super) fn structures(&self) -> Option<Meaning> {
        if self.bit(31) || self.bit(29) || self.bits(25, 1) != 0 {
            return None;
        }
        let (single, after, load) = (self.bit(24), self.bit(23), self.bit(22));
        let bytes = if single { self.single_length()? } else { self.multiple_length()? };
        let by_length = self.number(16) == 31;
        if !after && self.bits(16, 5) != 0 {
            return None;
        }
        let mut emit = Emit::default();
        let writeback = if after && by_length { Writeback::After } else { Writeback::None };
        let indexed = Indexed { base: self.number(5), distance: 0, writeback: Writeback::None };
        let address = indexed.begin(&mut emit);
        if load {
            emit.load_opaque(address, bytes);
            (0..4).for_each(|further| emit.lose_vector((self.number(0) + further) % 32));
        } else {
            emit.store_opaque(address, bytes)
        }
        Indexed { distance: bytes.into(), writeback, ..indexed }.end(&mut emit);
        if after && !by_length {
            let base = self.wide(5);
            emit.assign_or_stack(base, Binary::Add, (base.read_or_stack(), self.wide(16).read()));
        }
        let name = if load { "ld1" } else { "st1" };
        Some(Meaning::new(name, if load { Class::Load } else { Class::Store }, emit))
    }

    fn multiple_length(&self) -> Option<u32> {
        let registers = match self.bits(12, 4) {
            0b0000 | 0b0010 => 4,
            0b0100 | 0b0110 => 3,
            0b0111 => 1,
            0b1000 | 0b1010 => 2,
            _ => return None,
        };
        let bytes = if self.bit(30) { 16 } else { 8 };
        (!self.bit(21)).then_some(registers * bytes)
    }

    fn single_length(&self) -> Option<u32> {
        let registers = 1 + (self.bits(13, 1) << 1 | self.bits(21, 1));
        let size = match self.bits(14, 2) {
            0 => 0,
            1 if self.bits(10, 1) == 0 => 1,
            2 if self.bits(10, 2) == 0 => 2,
            2 if self.bits(10, 2) == 1 && !self.bit(12) => 3,
            // One element for all places of the register.
            3 if self.bit(22) && !self.bit(12) => self.bits(10, 2),
            _ => return None,
        };
        Some(registers << size)
    }
}
