//! Loads and stores of one register or two, and exclusive ones.

use super::data::jump_to_result;
use super::operand::Carry;
use super::{COUNTER, Decoder, Meaning, STACK_NUMBER, TEMPORARY, general, register, word};
use crate::emit::{Emit, constant};
use crate::language::{Address, Binary, Class, Effect, Flow, Operand, Register, Width};

/// The register that keeps the address with its distance.
const PLACE: Register = TEMPORARY[3];

impl Decoder {
    /// Words and bytes.
    pub(super) fn single(&self) -> Option<Meaning> {
        let mut emit = Emit::default();
        let distance = if self.bit(25) {
            let (distance, _): (_, Carry) = self.shifted_by_constant(&mut emit, false);
            distance
        } else {
            constant(self.bits(0, 12).into())
        };
        let (target, load, byte) = (self.number(12), self.bit(20), self.bit(22));
        let address = self.indexed(&mut emit, distance, load)?;
        let width = if byte { Width::Byte } else { Width::Word };
        if !load {
            // The base changes behind the store, which may be of the base itself.
            let change = std::mem::take(&mut emit.effects);
            let (before, after) = split(change, self.changes_base());
            emit.effects = before;
            emit.store(address, self.read(target), width);
            emit.effects.extend(after);
            return Some(Meaning::new(if byte { "strb" } else { "str" }, Class::Store, emit));
        }
        if target != COUNTER {
            emit.load(general(target), address, width, !byte);
            return Some(Meaning::new(if byte { "ldrb" } else { "ldr" }, Class::Load, emit));
        }
        if byte {
            return None;
        }
        emit.load(TEMPORARY[0], address, width, true);
        let flow = if self.number(16) == STACK_NUMBER {
            Flow::Return { link: TEMPORARY[0] }
        } else {
            jump_to_result()
        };
        Some(Meaning { flow, ..Meaning::new("ldr", Class::IndirectJump, emit) })
    }

    fn changes_base(&self) -> bool {
        !self.bit(24) || self.bit(21)
    }

    /// Returns the address of an access; the base changes as its fields say, at the end of the
    /// effects.
    fn indexed(&self, emit: &mut Emit, distance: Operand, load: bool) -> Option<Address> {
        let (base, target) = (self.number(16), self.number(12));
        let changes = self.changes_base();
        if changes && (base == COUNTER || load && base == target) {
            return None;
        }
        let from = if base == COUNTER { word(self.counter() & !3) } else { self.read(base) };
        let operation = if self.bit(23) { Binary::Add } else { Binary::Subtract };
        if !changes {
            if let (Operand::Constant(distance), Operand::Register(_)) = (distance, from) {
                let offset = if self.bit(23) { distance as i64 } else { -(distance as i64) };
                return Some(Address { base: from, offset });
            }
            emit.binary(PLACE, operation, from, distance);
            return Some(Address { base: register(PLACE), offset: 0 });
        }
        // The old base is kept for accesses that come before the change.
        let before = self.bit(24);
        if before {
            emit.binary(PLACE, operation, from, distance);
            emit.put(general(base), register(PLACE));
        } else {
            emit.put(PLACE, from);
            emit.binary(general(base), operation, from, distance);
        }
        Some(Address { base: register(PLACE), offset: 0 })
    }

    /// Halves, signed bytes, and pairs.
    pub(super) fn narrow(&self) -> Option<Meaning> {
        let mut emit = Emit::default();
        let distance = if self.bit(22) {
            constant((self.bits(8, 4) << 4 | self.bits(0, 4)).into())
        } else if self.number(0) == COUNTER || self.bits(8, 4) != 0 {
            return None;
        } else {
            self.read(self.number(0))
        };
        let (target, load, kind) = (self.number(12), self.bit(20), self.bits(5, 2));
        if target == COUNTER {
            return None;
        }
        let pair = !load && kind >= 2;
        let loads = load || kind == 2;
        if pair && (target & 1 == 1 || target == 14) {
            return None;
        }
        let address = self.indexed(&mut emit, distance, loads)?;
        if loads && !pair {
            let (name, width, signed) = match kind {
                1 => ("ldrh", Width::Half, false),
                2 => ("ldrsb", Width::Byte, true),
                _ => ("ldrsh", Width::Half, true),
            };
            emit.load(general(target), address, width, signed);
            return Some(Meaning::new(name, Class::Load, emit));
        }
        if pair && loads {
            return self.load_pair(emit, address, target);
        }
        let change = std::mem::take(&mut emit.effects);
        let (before, after) = split(change, self.changes_base());
        emit.effects = before;
        if pair {
            emit.store(address, self.read(target), Width::Word);
            let further = Address { offset: address.offset + 4, ..address };
            emit.store(further, self.read(target + 1), Width::Word);
        } else {
            emit.store(address, self.read(target), Width::Half);
        }
        emit.effects.extend(after);
        Some(Meaning::new(if pair { "strd" } else { "strh" }, Class::Store, emit))
    }

    fn load_pair(&self, mut emit: Emit, mut address: Address, target: u8) -> Option<Meaning> {
        if self.changes_base() && self.number(16) == target + 1 {
            return None;
        }
        if address.base == register(general(target)) {
            emit.put(PLACE, address.base);
            address.base = register(PLACE);
        }
        for (number, offset) in [(target, address.offset), (target + 1, address.offset + 4)] {
            emit.load(general(number), Address { offset, ..address }, Width::Word, true);
        }
        Some(Meaning::new("ldrd", Class::Load, emit))
    }

    /// Exclusive accesses, and the swap of old processors.
    pub(super) fn exclusive(&self) -> Option<Meaning> {
        let (kind, load) = (self.bits(21, 2), self.bit(20));
        let base = self.number(16);
        let address = Address { base: self.read(base), offset: 0 };
        let further = Address { offset: 4, ..address };
        let mut emit = Emit::default();
        let atomic = |address, width| Effect::Atomic { target: None, address, width };
        let target = self.target()?;
        if base == COUNTER {
            return None;
        }
        if !self.bit(23) {
            let width = if self.bit(22) { Width::Byte } else { Width::Word };
            emit.hide(self.read(self.number(0)));
            emit.effects.push(atomic(address, width));
            emit.unknown(general(target));
            return (!load && kind & 1 == 0).then(|| Meaning::new("swp", Class::Atomic, emit));
        }
        if self.bits(8, 4) != 15 {
            return None;
        }
        let width = [Width::Word, Width::Word, Width::Byte, Width::Half][kind as usize];
        let double = kind == 1;
        if load {
            emit.put(PLACE, address.base);
            let from = Address { base: register(PLACE), offset: 0 };
            emit.load(general(target), from, width, width == Width::Word);
            if double {
                if target & 1 == 1 || target == 14 {
                    return None;
                }
                emit.load(general(target + 1), Address { offset: 4, ..from }, width, true);
            }
            return Some(Meaning::new("ldrex", Class::Atomic, emit));
        }
        emit.hide(self.read(self.number(0)));
        emit.effects.push(atomic(address, width));
        if double {
            emit.hide(self.read(self.number(0) | 1));
            emit.effects.push(atomic(further, width));
        }
        emit.unknown(general(target));
        Some(Meaning::new("strex", Class::Atomic, emit))
    }
}

/// Cuts the last effect off where it changes the base.
fn split(mut effects: Vec<Effect>, changes: bool) -> (Vec<Effect>, Vec<Effect>) {
    let last = if changes { effects.pop() } else { None };
    (effects, last.into_iter().collect())
}
