//! The lines of the last loads, known by a register though its address is not.
//!
//! Where a pointer can point to one of many things, no line is known to be in the
//! cache. But what a program has read through a register a moment ago lies in a line
//! that is there, and so does what stands beside it in the same line: how much of
//! that is certain follows from what all addresses that the load can have share, the
//! place within a power of two of bytes. It is so until the register has another
//! number, or another load can evict that line. Stores load nothing and evict
//! nothing where only this is asked: caches with one way, written through. Of several
//! sets, so that a load across the end of a line does not evict its own first part.
//!
//! What is not certain to be in the same line is in one that follows, and how many
//! lines loads through one register have needed depends on where in its line the
//! register points to. So each such place is followed by itself ([`Way`]): a miss
//! that is counted though for some of these places the line was there is one that
//! need not be counted for them later. Those are spared: for every place `p`,
//! execution time `t` and counted time `T` with misses of `P` keep `t + P spare(p) <=
//! T`, besides what the cache itself owes, which no such miss pays off.

use super::{Pipeline, Timing};
use crate::machine::cache::Shape;
use crate::state::Access;
use crate::value::{Base, Value};
use fusee_isa::language::{Address, Binary, Effect, Flow, Instruction, Operand, Register, Width};

/// The bit of [`Way::there`] for the line that the register points to.
const OWN: i64 = 32;
/// Lines on both sides of it.
const LINES: i64 = 64;

/// Lines around a register's number that are in the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Near {
    register: Register,
    /// Bytes of a line.
    line: i64,
    /// For each place in its line that the register can point to, in their order.
    ways: Vec<Way>,
}

/// The lines where the register points to one place in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    /// Bytes from where the line begins.
    within: i64,
    /// The lines that are in the cache, one bit each.
    there: u64,
    /// Misses that were counted and were none.
    spare: u32,
}

/// The outcome of a load through the same register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// A line that is there.
    There,
    /// A line that may be missing: that was counted before.
    Counted,
    /// A line that may be missing.
    Missing,
}

impl Way {
    /// Returns the bit of the line that an access goes to; nothing where it is far away or in two
    /// lines.
    fn line_at(&self, offset: i64, bytes: u64, line: i64) -> Option<u64> {
        let place = self.within.checked_add(offset)?;
        // Across the end of a line, two lines would have to be there.
        let aligned = place.rem_euclid(i64::try_from(bytes).ok()?) == 0;
        let bit = place.div_euclid(line) + OWN;
        (aligned && (0..LINES).contains(&bit)).then(|| 1 << bit)
    }

    /// The same where the register has moved on.
    fn moved(&self, step: i64, line: i64) -> Option<Self> {
        let place = self.within.checked_add(step)?;
        let by = place.div_euclid(line);
        // A distance beyond all bits leaves none of the lines known.
        let distance = u32::try_from(by.unsigned_abs()).unwrap_or(u32::MAX);
        let there = if by < 0 {
            self.there.checked_shl(distance)
        } else {
            self.there.checked_shr(distance)
        };
        Some(Self { within: place.rem_euclid(line), there: there.unwrap_or(0), ..*self })
    }

    /// Returns what is so here and there.
    fn meet(self, other: Self) -> Self {
        Self {
            there: self.there & other.there,
            spare: self.spare.min(other.spare),
            within: self.within,
        }
    }
}

impl Near {
    /// Returns what a load of so many bytes has brought that can go to these places.
    fn of(place: (Register, i64), bytes: u64, address: Value, shape: &Shape) -> Option<Self> {
        let (register, offset) = place;
        // Only a number tells where in its line the register points to.
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
        let (line, block) = (i64::try_from(shape.line).ok()?, i64::try_from(block).ok()?);
        let first = range.low().checked_sub(offset)?.rem_euclid(block);
        let ways = (first..line).step_by(usize::try_from(block).ok()?).map(|within| {
            let way = Way { within, there: 0, spare: 0 };
            Some(Way { there: way.line_at(offset, bytes, line)?, ..way })
        });
        Some(Self { register, line, ways: ways.collect::<Option<_>>()? })
    }

    /// Returns whether all bytes of an access are in lines that are there.
    fn holds(&self, (register, offset): (Register, i64), bytes: u64) -> bool {
        let there = |way: &Way| {
            way.line_at(offset, bytes, self.line).is_some_and(|line| way.there & line != 0)
        };
        register == self.register && self.ways.iter().all(there)
    }

    /// Returns what a load finds, which is there from then on; nothing where that is not known.
    ///
    /// Loading a line evicts all others of a cache in which lines so near each other `compete`.
    fn load(
        &mut self,
        (register, offset): (Register, i64),
        bytes: u64,
        compete: bool,
    ) -> Option<Beside> {
        let at = |way: &Way| way.line_at(offset, bytes, self.line);
        let lines: Vec<u64> = self.ways.iter().map(at).collect::<Option<_>>()?;
        if register != self.register {
            return None;
        }
        let mut found = Beside::There;
        for (way, _) in self.ways.iter().zip(&lines).filter(|(way, line)| way.there & *line == 0) {
            let counted = if way.spare > 0 { Beside::Counted } else { Beside::Missing };
            // One place in the line at which it may be missing is enough for
            // the whole load to count.
            found = if found == Beside::Missing { found } else { counted };
        }
        for (way, line) in self.ways.iter_mut().zip(lines) {
            let was_there = way.there & line != 0;
            match found {
                // The miss was counted for all places: where the line was
                // there, it is spared for later.
                Beside::Missing => way.spare += u32::from(was_there),
                Beside::Counted => way.spare -= u32::from(!was_there),
                Beside::There => {}
            }
            let others = if compete && !was_there { 0 } else { way.there };
            way.there = others | line;
        }
        Some(found)
    }

    /// Returns what is in the cache whichever of two is.
    pub(super) fn meet(one: Option<&Self>, other: Option<&Self>) -> Option<Self> {
        let (one, other) = (one?, other?);
        // Only one register is followed, so of two nothing is left.
        if (one.register, one.line) != (other.register, other.line) {
            return None;
        }
        let mut ways: Vec<Way> = one.ways.iter().chain(&other.ways).copied().collect();
        ways.sort_by_key(|way| way.within);
        ways.dedup_by(|later, first| {
            let same = later.within == first.within;
            *first = if same { first.meet(*later) } else { *first };
            same
        });
        Some(Self { ways, ..one.clone() })
    }

    /// Returns whether everything that is known here is so there.
    pub(super) fn is_within(one: Option<&Self>, other: Option<&Self>) -> bool {
        one.is_none() || Self::meet(one, other).as_ref() == one
    }

    /// Returns what is still known behind an instruction.
    pub(super) fn behind(self, instruction: &Instruction, registers: Width) -> Option<Self> {
        let straight = matches!(instruction.flow, Flow::Next | Flow::Branch { .. });
        if !straight || instruction.guard.is_some() {
            return None;
        }
        instruction.effects.iter().try_fold(self, |near, effect| near.after(effect, registers))
    }

    /// The same after an effect: the register may move on by a constant.
    fn after(mut self, effect: &Effect, registers: Width) -> Option<Self> {
        if effect.target() != Some(self.register) {
            return Some(self);
        }
        let Effect::Compute { operation: Binary::Add, left, right, width, .. } = *effect else {
            return None;
        };
        let Operand::Constant(step) = right else { return None };
        let moves_on = left == Operand::Register(self.register) && width == registers;
        let step = moves_on.then_some(step as i64)?;
        let moved = self.ways.iter().map(|way| way.moved(step, self.line));
        self.ways = moved.collect::<Option<_>>()?;
        // Places that leave one line stand in the next, so their order may turn.
        self.ways.sort_by_key(|way| way.within);
        Some(self)
    }
}

/// Returns the register and the distance by which an instruction loads, if it loads once.
fn place(instruction: &Instruction) -> Option<(Register, i64)> {
    let accessed = |effect: &Effect| match *effect {
        Effect::Load { address, .. }
        | Effect::Store { address, .. }
        | Effect::Atomic { address, .. } => Some(address),
        _ => None,
    };
    let mut accesses = instruction.effects.iter().filter_map(accessed);
    // Of two accesses nobody tells here which one is looked at, and a guarded one may not be made.
    let only = accesses.next().filter(|_| accesses.next().is_none() && instruction.guard.is_none());
    match only? {
        Address { base: Operand::Register(register), offset } => Some((register, offset)),
        _ => None,
    }
}

impl Pipeline<'_> {
    /// Returns whether a load's line is one that the last loads have used.
    pub(super) fn is_near(
        &self,
        timing: &Timing,
        instruction: &Instruction,
        access: &Access,
    ) -> bool {
        let near = timing.near.as_ref().zip(place(instruction));
        near.is_some_and(|(near, place)| near.holds(place, access.width.bytes()))
    }

    /// Returns what a load finds beside the last ones, if these have more than one possible place.
    ///
    /// Where only one is, the cache knows as much, and remembers it for longer.
    pub(super) fn beside(
        &self,
        timing: &mut Timing,
        instruction: &Instruction,
        access: &Access,
    ) -> Option<Beside> {
        let near = timing.near.as_mut().filter(|near| near.ways.len() > 1)?;
        // Lines that are nearer than there are sets lie in sets of their own.
        let compete = self.loads.as_ref()?.sets < LINES as u64;
        near.load(place(instruction)?, access.width.bytes(), compete)
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
        timing.near = shape.zip(place(instruction)).and_then(|(shape, place)| {
            Near::of(place, access.width.bytes(), access.address, shape)
        });
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

    /// Returns what a load at a distance from `a0` has brought that goes to `low`, or so many steps
    /// on.
    fn loaded(offset: i64, low: i128, stride: u128) -> Near {
        let shape = Shape::new(4096, 32, 1, Replacement::Lru).expect("a cache");
        let address = Value::number(Range::new(low, low + 100 * stride as i128, stride));
        Near::of((A0, offset), 4, address, &shape).expect("a number")
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
        let near = &loaded(0, 0x8000_0000, 32);
        let [rv32, rv64] = [Xlen::Rv32, Xlen::Rv64].map(|xlen| {
            let width = if xlen == Xlen::Rv32 { Width::Word } else { Width::Double };
            move |word| near.clone().behind(&instruction(word, xlen), width)
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
            assert_eq!(rv32(word), Some(near.clone()), "{word:#x}");
        }
    }

    #[test]
    fn both_ways_are_covered_where_they_meet() {
        let (one, other) = (loaded(0, 0x8000_0000, 32), loaded(4, 0x8000_0004, 8));
        let both = Near::meet(Some(&one), Some(&other));
        let within = |one: &Near, other: &Near| Near::is_within(Some(one), Some(other));
        assert_eq!(both.as_ref(), Some(&other));
        assert!(within(&other, &one) && !within(&one, &other));
        assert!(Near::is_within(None, Some(&one)) && !Near::is_within(Some(&one), None));
        assert_eq!(Near::meet(Some(&one), None), None);
        assert_eq!(Near::meet(Some(&one), Some(&Near { register: A1, ..one.clone() })), None);
        // What is spared on one way only is not spared.
        let mut spared = other.clone();
        spared.ways[2].spare = 1;
        assert!(within(&other, &spared) && !within(&spared, &other));
        assert_eq!(Near::meet(Some(&spared), Some(&other)), Some(other));
    }

    /// In structures of 76 bytes, word by word: one line more is counted, and none after that,
    /// wherever the line ends, until a second end of a line can be among the words.
    #[test]
    fn lines_of_words_behind_each_other_are_counted_once() {
        let mut near = loaded(0, 0x8000_0000, 76);
        let mut load = |offset| near.load((A0, offset), 4, false).expect("near");
        assert_eq!([0, 4].map(&mut load), [Beside::There, Beside::Missing]);
        for offset in (8..=32).step_by(4) {
            assert_eq!(load(offset), Beside::Counted, "{offset}");
        }
        assert_eq!([36, 40, 64, 68].map(load), {
            use Beside::{Counted, Missing};
            [Missing, Counted, Counted, Missing]
        });
    }

    #[test]
    fn a_miss_is_spared_once() {
        let mut near = loaded(0, 0x8000_0000, 32);
        near.ways[0].spare = 1;
        let found = [32, 64, 32].map(|offset| near.load((A0, offset), 4, false));
        assert_eq!(found, [Beside::Counted, Beside::Missing, Beside::There].map(Some));
    }

    #[test]
    fn a_line_that_is_there_on_one_way_only_is_not_there() {
        let mut one = loaded(0, 0x8000_0000, 32);
        let mut other = one.clone();
        one.load((A0, 32), 4, false);
        other.load((A0, -32), 4, false);
        let both = Near::meet(Some(&one), Some(&other)).expect("the first line");
        let there = [-32, 0, 32].map(|offset| both.holds((A0, offset), 4));
        assert_eq!(there, [false, true, false]);
    }

    #[test]
    fn a_register_that_leaves_its_line_knows_where_that_lies() {
        // addi a0, a0, 32; addi a0, a0, -32
        for (word, there) in [(0x0205_0513, -32), (0xfe05_0513, 32)] {
            let near = loaded(0, 0x8000_0000, 32);
            let near = near.behind(&instruction(word, Xlen::Rv32), Width::Word).expect("known");
            let held = [-32, 0, 32].map(|offset| near.holds((A0, offset), 4));
            assert_eq!(held, [-32, 0, 32].map(|offset| offset == there));
        }
    }

    #[test]
    fn what_is_far_away_or_in_two_lines_is_not_known() {
        let mut near = loaded(0, 0x8000_0000, 76);
        assert_eq!(near.load((A0, 2), 4, false), None);
        assert_eq!(near.load((A0, 32 * 32), 4, false), None);
        assert_eq!(near.load((A1, 4), 4, false), None);
        // Where lines evict each other only the last one is there.
        assert_eq!(near.load((A0, 32), 4, true), Some(Beside::Missing));
        assert!(near.holds((A0, 32), 4) && !near.holds((A0, 0), 4));
    }
}
