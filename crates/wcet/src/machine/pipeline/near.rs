//! The line of the last load, known by a register though its address is not.
//!
//! Where a pointer can point to one of many things, no line is known to be in the
//! cache. But what a program has read through a register a moment ago lies in a line
//! that is there, and so does what stands beside it in the same line: how much of
//! that is certain follows from what all addresses that the load can have share, the
//! place within a power of two of bytes. It is so until the register has another
//! number, or another load can evict that line. Stores load nothing and evict
//! nothing where only this is asked: caches with one way, written through. Of several
//! sets, so that a load across the end of a line does not evict its own first part.

use super::{Pipeline, Timing};
use crate::machine::cache::Shape;
use crate::state::Access;
use crate::value::{Base, Value};
use fusee_isa::language::{Address, Binary, Effect, Flow, Instruction, Operand, Register, Width};

/// Distances from a register's number at which all bytes are in one line of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Near {
    register: Register,
    first: i64,
    last: i64,
}

impl Near {
    /// What a load has brought that can go to these places.
    fn of(place: (Register, i64), address: Value, shape: &Shape) -> Option<Self> {
        let (register, offset) = place;
        if address.base != Base::None {
            return None;
        }
        let range = address.range;
        // The largest power of two that divides all distances between the addresses; it divides
        // the size of a line or is that size.
        let block = match range.as_constant() {
            Some(_) => shape.line,
            None => (1 << range.stride().trailing_zeros().min(62)).min(shape.line),
        };
        let within = (range.low() as u64 % block) as i64;
        let first = offset.checked_sub(within)?;
        Some(Self { register, first, last: first.checked_add(block as i64 - 1)? })
    }

    /// Whether all bytes of an access are in the line.
    fn holds(self, place: (Register, i64), bytes: u64) -> bool {
        let (register, offset) = place;
        let last = i64::try_from(bytes).ok().and_then(|bytes| offset.checked_add(bytes - 1));
        register == self.register && self.first <= offset && last.is_some_and(|at| at <= self.last)
    }

    /// What is in the line whichever of two is.
    pub(super) fn meet(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let (one, other) = (one?, other?);
        let both =
            Self { first: one.first.max(other.first), last: one.last.min(other.last), ..one };
        (one.register == other.register && both.first <= both.last).then_some(both)
    }

    /// Whether everything that is known to be in the line here is so there.
    pub(super) fn is_within(one: Option<Self>, other: Option<Self>) -> bool {
        Self::meet(one, other) == one
    }

    /// What is still known behind an instruction.
    pub(super) fn behind(self, instruction: &Instruction, registers: Width) -> Option<Self> {
        let straight = matches!(instruction.flow, Flow::Next | Flow::Branch { .. });
        if !straight || instruction.guard.is_some() {
            return None;
        }
        instruction.effects.iter().try_fold(self, |near, effect| near.after(effect, registers))
    }

    /// The same after an effect: the register may move on by a constant.
    fn after(self, effect: &Effect, registers: Width) -> Option<Self> {
        if effect.target() != Some(self.register) {
            return Some(self);
        }
        let Effect::Compute { operation: Binary::Add, left, right, width, .. } = *effect else {
            return None;
        };
        let Operand::Constant(step) = right else { return None };
        let moves_on = left == Operand::Register(self.register) && width == registers;
        let step = moves_on.then_some(step as i64)?;
        Some(Self {
            first: self.first.checked_sub(step)?,
            last: self.last.checked_sub(step)?,
            ..self
        })
    }
}

/// The register and the distance by which an instruction loads, if it loads once.
fn place(instruction: &Instruction) -> Option<(Register, i64)> {
    let accessed = |effect: &Effect| match *effect {
        Effect::Load { address, .. }
        | Effect::Store { address, .. }
        | Effect::Atomic { address, .. } => Some(address),
        _ => None,
    };
    let mut accesses = instruction.effects.iter().filter_map(accessed);
    let only = accesses.next().filter(|_| accesses.next().is_none() && instruction.guard.is_none());
    match only? {
        Address { base: Operand::Register(register), offset } => Some((register, offset)),
        _ => None,
    }
}

impl Pipeline<'_> {
    /// Whether a load's line is the one that the last load has used.
    pub(super) fn is_near(
        &self,
        timing: &Timing,
        instruction: &Instruction,
        access: &Access,
    ) -> bool {
        let near = timing.near.zip(place(instruction));
        near.is_some_and(|(near, place)| near.holds(place, access.width.bytes()))
    }

    /// Notes what a load has used that was not near.
    pub(super) fn note_near(
        &self,
        timing: &mut Timing,
        instruction: &Instruction,
        access: &Access,
    ) {
        let shape = self
            .loads
            .as_ref()
            .filter(|shape| shape.ways == 1 && shape.sets > 1 && !self.writes_back());
        timing.near = shape
            .zip(place(instruction))
            .and_then(|(shape, place)| Near::of(place, access.address, shape));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::cache::Replacement;
    use crate::value::Range;
    use fusee_isa::Architecture;
    use fusee_isa::riscv::Xlen;

    const A0: Register = Register::new(10);
    const A1: Register = Register::new(11);

    /// What a load at a distance from `a0` has brought that goes to `low`, or so many steps on.
    fn loaded(offset: i64, low: i128, stride: u128) -> Near {
        let shape = Shape::new(4096, 32, 1, Replacement::Lru).expect("a cache");
        let address = Value::number(Range::new(low, low + 100 * stride as i128, stride));
        Near::of((A0, offset), address, &shape).expect("a number")
    }

    fn instruction(word: u32, xlen: Xlen) -> Instruction {
        Architecture::Riscv(xlen).decode(&word.to_le_bytes(), 0x8000_0000).expect("an instruction")
    }

    #[test]
    fn what_all_addresses_share_says_what_is_beside() {
        // In the second half of eight bytes: the first is there as well, and nothing else.
        let near = loaded(4, 0x8000_0004, 8);
        let there = |offset| near.holds((A0, offset), 4);
        assert_eq!([-4, 0, 4, 8].map(there), [false, true, true, false]);
        assert!(near.holds((A0, 6), 2) && !near.holds((A0, 6), 4) && !near.holds((A1, 4), 4));
        // In structures of 76 bytes only what was read itself is there.
        let near = loaded(8, 0x8000_0008, 76);
        assert_eq!([4, 8, 12].map(|offset| near.holds((A0, offset), 4)), [false, true, false]);
        // A line ends, however far apart the addresses are.
        let near = loaded(0, 0x8000_0010, 4096);
        assert_eq!(
            [-20, -16, 12, 16].map(|at| near.holds((A0, at), 4)),
            [false, true, true, false]
        );
    }

    #[test]
    fn a_register_that_moves_on_takes_its_distances_along() {
        let near = loaded(0, 0x8000_0000, 32);
        let [rv32, rv64] = [Xlen::Rv32, Xlen::Rv64].map(|xlen| {
            let width = if xlen == Xlen::Rv32 { Width::Word } else { Width::Double };
            move |word| near.behind(&instruction(word, xlen), width)
        });
        // addi a0, a0, 8
        for moved in [rv32(0x0085_0513), rv64(0x0085_0513)] {
            let moved = moved.expect("the line");
            assert_eq!(
                [-12, -8, 20, 24].map(|at| moved.holds((A0, at), 4)),
                [false, true, true, false]
            );
        }
        // addiw a0, a0, 8; addi a0, a1, 8; lw a0, 0(a0); jal ra, 8; mret
        assert_eq!(rv64(0x0085_051b), None);
        for word in [0x0085_8513, 0x0005_2503, 0x0080_00ef, 0x3020_0073] {
            assert_eq!(rv32(word), None, "{word:#x}");
        }
        // addi a1, a0, 8; sw a1, 0(a0); bne a0, a1, 8
        for word in [0x0085_0593, 0x00b5_2023, 0x00b5_1463] {
            assert_eq!(rv32(word), Some(near), "{word:#x}");
        }
    }

    #[test]
    fn both_ways_are_covered_where_they_meet() {
        let (one, other) = (loaded(0, 0x8000_0000, 32), loaded(4, 0x8000_0004, 8));
        let both = Near::meet(Some(one), Some(other));
        assert!(Near::is_within(both, Some(one)) && Near::is_within(both, Some(other)));
        assert_eq!(both, Some(other));
        assert!(!Near::is_within(Some(one), Some(other)) && Near::is_within(None, Some(one)));
        assert_eq!(Near::meet(Some(one), None), None);
        assert_eq!(Near::meet(Some(one), Some(Near { register: A1, ..one })), None);
    }
}
