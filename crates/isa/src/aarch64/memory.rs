//! Loads and stores of one general register, exclusive and atomic accesses.

use super::{Decoder, HALVES, Meaning, TEMPORARY, View, at, general};
use crate::emit::{Emit, signed};
use crate::language::{Address, Binary, Class, Effect, Operand, Register, Width};

/// The change of an address register by the distance, before or after the access.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Writeback {
    None,
    Before,
    After,
}

/// A base register, a distance, and what becomes of the register.
#[derive(Clone, Copy)]
pub(super) struct Indexed {
    pub(super) base: u8,
    pub(super) distance: i64,
    pub(super) writeback: Writeback,
}

impl Indexed {
    /// Returns the address of the access; changes the register first where that is asked for.
    pub(super) fn begin(self, emit: &mut Emit) -> Address {
        match self.writeback {
            Writeback::None => at(self.base, self.distance),
            Writeback::After => at(self.base, 0),
            Writeback::Before => {
                self.advance(emit);
                at(self.base, 0)
            }
        }
    }

    /// Changes the register behind the access where that is asked for.
    pub(super) fn end(self, emit: &mut Emit) {
        if self.writeback == Writeback::After {
            self.advance(emit);
        }
    }

    fn advance(self, emit: &mut Emit) {
        let view = View { number: self.base, wide: true };
        let distance = Operand::Constant(self.distance as u64);
        emit.assign_or_stack(view, Binary::Add, (view.read_or_stack(), distance));
    }
}

/// Returns the width of an access from its binary logarithm in bytes.
pub(super) fn width(size: u32) -> Width {
    [Width::Byte, Width::Half, Width::Word, Width::Double][(size & 3) as usize]
}

impl Emit {
    /// Loads into a general register.
    pub(super) fn load_general(&mut self, to: View, address: Address, width: Width, signed: bool) {
        let half = Register::new(HALVES + to.number);
        match to.number {
            31 => self.load(Register::LOST, address, width, signed),
            number if to.wide || !(signed || width == Width::Word) => {
                self.load(general(number), address, width, signed);
                self.complete(number, true);
            }
            number => {
                self.load(half, address, width, true);
                self.complete(number, false);
            }
        }
    }
}

/// Returns a register that stores read: all of its low bits are in the wide one as well.
pub(super) fn stored(number: u8, width: Width) -> Operand {
    View { number, wide: width == Width::Double }.read()
}

impl Decoder {
    pub(super) fn memory(&self) -> Option<Meaning> {
        let vector = self.bit(26);
        match (self.bits(28, 2), self.bit(24)) {
            (0, _) if vector => self.structures(),
            (0, false) => self.exclusive(),
            (1, false) => self.literal(),
            (2, _) => self.pair(),
            (3, true) => self.scaled(),
            (3, false) if !self.bit(21) => self.unscaled(),
            (3, false) if self.bits(10, 2) == 2 => self.indexed_by_register(),
            (3, false) if self.bits(10, 2) == 0 && !vector => self.atomic(),
            _ => None,
        }
    }

    fn literal(&self) -> Option<Meaning> {
        let address = Address { base: Operand::Constant(self.relative(5, 19)), offset: 0 };
        let mut emit = Emit::default();
        let (kind, to) = (self.bits(30, 2), self.number(0));
        match (kind, self.bit(26)) {
            (0, false) => {
                emit.load_general(View { number: to, wide: false }, address, Width::Word, true)
            }
            (1, false) => {
                emit.load_general(View { number: to, wide: true }, address, Width::Double, true)
            }
            (2, false) => {
                emit.load_general(View { number: to, wide: true }, address, Width::Word, true)
            }
            (_, false) => return Some(Meaning::new("prfm", Class::Arithmetic, emit)),
            (0..3, true) => emit.load_vector(to, address, 4 << kind),
            (_, true) => return None,
        }
        Some(Meaning::new(
            if kind == 2 && !self.bit(26) { "ldrsw" } else { "ldr" },
            Class::Load,
            emit,
        ))
    }

    fn scaled(&self) -> Option<Meaning> {
        let size = self.access_size()?;
        let distance = i64::from(self.bits(10, 12)) << size;
        self.access(Indexed { base: self.number(5), distance, writeback: Writeback::None })
    }

    fn unscaled(&self) -> Option<Meaning> {
        let writeback = match self.bits(10, 2) {
            1 => Writeback::After,
            3 => Writeback::Before,
            2 if self.bit(26) => return None,
            _ => Writeback::None,
        };
        let distance = signed(self.bits(12, 9), 9);
        let indexed = Indexed { base: self.number(5), distance, writeback };
        let loses = writeback != Writeback::None && !self.bit(26);
        // What happens when both are one register is not defined, nor is a prefetch with writeback.
        if loses
            && (indexed.base == self.number(0) && indexed.base != 31
                || self.bits(30, 2) == 3 && self.bit(23))
        {
            return None;
        }
        self.access(indexed)
    }

    /// Returns the binary logarithm of the access's length.
    fn access_size(&self) -> Option<u32> {
        let size = self.bits(30, 2);
        match (self.bit(26), self.bit(23)) {
            (true, true) => (size == 0).then_some(4),
            _ => Some(size),
        }
    }

    /// One access, by the fields that all forms share.
    fn access(&self, indexed: Indexed) -> Option<Meaning> {
        let mut emit = Emit::default();
        let address = indexed.begin(&mut emit);
        let named = self.at_address(&mut emit, address)?;
        indexed.end(&mut emit);
        Some(Meaning::new(named.0, named.1, emit))
    }

    fn indexed_by_register(&self) -> Option<Meaning> {
        let option = self.bits(13, 3);
        if option & 2 == 0 {
            return None;
        }
        let size = self.access_size()?;
        let shift = if self.bit(12) { size } else { 0 };
        let mut emit = Emit::default();
        let index = self.extended(&mut emit, shift, true);
        let base = self.wide(5).read_or_stack();
        emit.compute(TEMPORARY[1], Binary::Add, (base, index), Width::Double);
        let address = Address { base: Operand::Register(TEMPORARY[1]), offset: 0 };
        let named = self.at_address(&mut emit, address)?;
        Some(Meaning::new(named.0, named.1, emit))
    }

    /// Returns the access of `size`, `V` and `opc` at an address.
    fn at_address(&self, emit: &mut Emit, address: Address) -> Option<(&'static str, Class)> {
        let (size, kind, number) = (self.bits(30, 2), self.bits(22, 2), self.number(0));
        if self.bit(26) {
            let bytes = 1 << self.access_size()?;
            return Some(if kind & 1 == 1 {
                emit.load_vector(number, address, bytes);
                ("ldr", Class::Load)
            } else {
                emit.store_vector(number, address, bytes);
                ("str", Class::Store)
            });
        }
        let plain = |load: bool| match (size, load) {
            (0, false) => "strb",
            (1, false) => "strh",
            (_, false) => "str",
            (0, true) => "ldrb",
            (1, true) => "ldrh",
            (_, true) => "ldr",
        };
        match (kind, size) {
            (0, _) => {
                emit.store(address, stored(number, width(size)), width(size));
                Some((plain(false), Class::Store))
            }
            (1, _) => {
                emit.load_general(
                    View { number, wide: size == 3 },
                    address,
                    width(size),
                    size == 3,
                );
                Some((plain(true), Class::Load))
            }
            (2, 3) => Some(("prfm", Class::Arithmetic)),
            (_, 0..2) | (2, 2) => {
                emit.load_general(View { number, wide: kind == 2 }, address, width(size), true);
                Some((["ldrsb", "ldrsh", "ldrsw"][size as usize], Class::Load))
            }
            _ => None,
        }
    }

    /// Exclusive, ordered, and compare-and-swap accesses.
    fn exclusive(&self) -> Option<Meaning> {
        let (size, load) = (self.bits(30, 2), self.bit(22));
        let (status, second, first) = (self.number(16), self.number(10), self.number(0));
        let address = at(self.number(5), 0);
        let wide = size == 3;
        let mut emit = Emit::default();
        let atomic = |width| Effect::Atomic { target: None, address, width };
        match (self.bit(23), self.bit(21)) {
            (true, true) => {
                // Compare and swap: the first register gets what was there.
                emit.hide(self.wide(0).read());
                emit.effects.push(Effect::Atomic {
                    target: Some(TEMPORARY[0]),
                    address,
                    width: width(size),
                });
                emit.set_old(status, width(size));
                (second == 31).then(|| Meaning::new("cas", Class::Atomic, emit))
            }
            (true, false) => {
                if load {
                    emit.load_general(View { number: first, wide }, address, width(size), wide);
                } else {
                    emit.store(address, stored(first, width(size)), width(size));
                }
                let name = if load { "ldar" } else { "stlr" };
                Some(Meaning::new(name, if load { Class::Load } else { Class::Store }, emit))
            }
            (false, true) if size < 2 => {
                let width = if size == 1 { Width::Double } else { Width::Word };
                let further = Address { offset: width.bytes() as i64, ..address };
                emit.hide(self.wide(0).read());
                emit.hide(View { number: first | 1, wide: true }.read());
                emit.effects.push(atomic(width));
                emit.effects.push(Effect::Atomic { target: None, address: further, width });
                for number in [status, status | 1] {
                    emit.lose(View { number, wide: size == 1 });
                }
                (status & 1 == 0 && second == 31).then(|| Meaning::new("casp", Class::Atomic, emit))
            }
            (false, pair) => {
                let further = Address { offset: width(size).bytes() as i64, ..address };
                let places = if pair {
                    vec![(first, address), (second, further)]
                } else {
                    vec![(first, address)]
                };
                if load {
                    if pair && first == second {
                        return None;
                    }
                    emit.copy(TEMPORARY[0], address.base, Width::Double);
                    for (number, place) in places {
                        let place = Address { base: Operand::Register(TEMPORARY[0]), ..place };
                        emit.load_general(View { number, wide }, place, width(size), wide);
                    }
                    return Some(Meaning::new("ldxr", Class::Atomic, emit));
                }
                for (number, place) in places {
                    emit.hide(View { number, wide: true }.read());
                    emit.effects.push(Effect::Atomic {
                        target: None,
                        address: place,
                        width: width(size),
                    });
                }
                emit.lose(View { number: status, wide: false });
                Some(Meaning::new("stxr", Class::Atomic, emit))
            }
        }
    }

    /// Read-modify-write in one instruction; the register gets what was there.
    fn atomic(&self) -> Option<Meaning> {
        let (size, number) = (self.bits(30, 2), self.number(0));
        let address = at(self.number(5), 0);
        let mut emit = Emit::default();
        if self.bit(15) && self.bits(12, 3) == 4 && self.number(16) == 31 && !self.bit(22) {
            emit.load_general(View { number, wide: size == 3 }, address, width(size), size == 3);
            return Some(Meaning::new("ldapr", Class::Load, emit));
        }
        let name = match (self.bit(15), self.bits(12, 3)) {
            (false, kind) => {
                ["ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin"]
                    [kind as usize]
            }
            (true, 0) => "swp",
            _ => return None,
        };
        emit.hide(self.wide(16).read());
        emit.effects.push(Effect::Atomic {
            target: Some(TEMPORARY[0]),
            address,
            width: width(size),
        });
        emit.set_old(number, width(size));
        Some(Meaning::new(name, Class::Atomic, emit))
    }
}

impl Emit {
    /// Puts what an atomic access has read into a general register, extended by zeros.
    fn set_old(&mut self, number: u8, width: Width) {
        let old = Operand::Register(TEMPORARY[0]);
        match width {
            Width::Double => self.set(View { number, wide: true }, old),
            Width::Word => self.set(View { number, wide: false }, old),
            narrow => {
                let ones = Operand::Constant((1 << narrow.bits()) - 1);
                self.assign(View { number, wide: false }, Binary::And, (old, ones));
            }
        }
    }
}
