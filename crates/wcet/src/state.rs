//! The facts at one point of an execution: registers, memory, symbols.
//!
//! A symbol names a number that is not known but stays what it is: an argument,
//! or a number that was loaded. A state says that there are numbers for its
//! symbols, each in its range, such that registers and memory hold what they are
//! said to hold. That two states use one symbol for different things is no harm:
//! in each of them such numbers exist, and so they do in their join.

mod copied;
pub(crate) mod induction;
mod memory;
mod merge;
mod multiples;
mod parts;
mod remembered;
mod same;
mod self_contained;
mod step;
mod words;

pub(crate) use memory::{Memory, Stored};
pub(crate) use self_contained::Outside;
pub use step::Access;

use std::collections::BTreeSet;

use crate::setting::Setting;
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Operand, REGISTERS, Register, Width};
use fusee_isa::{Architecture, aarch64, riscv};

/// Ranges that are remembered; when there are more, those that nothing uses are forgotten.
const RANGES: usize = 64;
/// The number of used ranges that are kept; of those that no register needs, the oldest beyond
/// these are forgotten, which is sound.
const USED_RANGES: usize = 48;

/// Remembers one more of so many; if there are as many, the oldest goes.
fn remember<T>(entries: &mut Vec<T>, entry: T, most: usize) {
    // What was found out last is the most likely to be asked next.
    if entries.len() >= most {
        entries.remove(0);
    }
    entries.push(entry);
}

/// The state at one point of an execution, as far as it is known.
#[derive(Debug, Clone)]
pub(crate) struct State {
    registers: Box<[Value; REGISTERS]>,
    /// Registers that keep something from one instruction to the next.
    kept: usize,
    /// The contents of memory, as far as they are known.
    memory: Memory,
    /// Ranges of symbols of which more is known than the width of registers, by rising name.
    ranges: Vec<(u32, Range)>,
    /// The number of symbols whose ranges are remembered.
    room: usize,
    fresh: u32,
    /// The outcomes of comparisons that ranges do not tell.
    remembered: remembered::Remembered,
    /// The numbers that are multiples of others.
    multiples: multiples::Multiples,
    /// The numbers that are words of others.
    words: words::Words,
    /// The fields of numbers.
    parts: parts::Parts,
    /// The numbers that are pieces of addresses.
    pieces: copied::Pieces,
    /// The registers that hold the same.
    same: same::Same,
    /// All numbers that a register can hold.
    all: Range,
    /// The alignment of the stack pointer at entry, in bytes.
    stack_alignment: u64,
    /// True if something is known of memory besides what was stored on the way.
    has_invariant: bool,
}

impl State {
    /// Nothing is known but where the stack is; arguments are what they are.
    ///
    /// Every register holds the value that it had at entry, which is some value
    /// that stays the same: that is how saved registers are found restored.
    pub(crate) fn at_entry(setting: Setting<'_>) -> Self {
        let registers = Box::new(std::array::from_fn(|i| Value::based(Base::Symbol(i as u32))));
        let all = Range::of_width(setting.register_width(), true);
        let kept = setting.architecture().kept_registers();
        let (memory, ranges, fresh) = (Memory::default(), Vec::new(), REGISTERS as u32);
        let (remembered, multiples, words, parts, pieces) = Default::default();
        let same = same::Same::default();
        let has_invariant = setting.invariant().is_some();
        // A kernel is entered with the stack pointers of others.
        let stack_alignment =
            if has_invariant { 1 } else { setting.architecture().stack_alignment() };
        let room = RANGES;
        let mut state = Self {
            registers,
            kept,
            memory,
            ranges,
            room,
            fresh,
            remembered,
            multiples,
            words,
            pieces,
            parts,
            same,
            all,
            stack_alignment,
            has_invariant,
        };
        state.set(setting.architecture().stack_pointer(), Value::based(Base::Stack));
        match setting.architecture() {
            // It changes by itself.
            Architecture::Riscv(_) => state.set(riscv::PENDING, Value::number(all)),
            // Low halves are numbers of 32 bits.
            Architecture::Aarch64 => {
                let half = Value::number(Range::of_width(Width::Word, true));
                (0..aarch64::GENERAL).for_each(|number| state.set(aarch64::half(number), half));
                // Vectors hold numbers only: an address that gets there is followed no further.
                aarch64::all_lanes().for_each(|lane| state.set(lane, Value::number(all)));
            }
            Architecture::A32 => {}
        }
        // A kernel decides by many fields of memory, so more ranges are worth their place.
        if has_invariant {
            state.room *= 4;
        }
        state
    }

    /// Returns how much is known of memory, in pieces that are copied apart.
    pub(crate) fn pieces(&self) -> usize {
        self.memory.pieces()
    }

    /// Returns what a register can hold.
    pub(crate) fn get(&self, register: Register) -> Value {
        self.registers[register.index()]
    }

    /// Says what a register holds.
    pub(crate) fn set(&mut self, register: Register, value: Value) {
        // What was copied from here, or to here, is another number from now on.
        self.same.forget(register);
        self.registers[register.index()] = value;
    }

    /// Says that memory holds what the file loads there.
    pub(crate) fn load_file(&mut self, setting: Setting<'_>) {
        self.memory.load_file(setting.program());
    }

    /// Memory at plain addresses, as numbers that are the same in any state.
    pub(crate) fn plain_memory(&self) -> Memory {
        let mut memory = self.memory.clone();
        memory.keep_plain();
        memory
    }

    /// Returns a byte at a plain address, if it is known.
    pub(crate) fn byte(&self, at: i64, setting: Setting<'_>) -> Option<u8> {
        self.memory.byte(Base::None, at, setting).map(|byte| byte as u8)
    }

    /// Says what memory holds.
    pub(crate) fn remember(&mut self, memory: Memory) {
        self.memory = memory;
    }

    /// Says what a place in memory holds.
    pub(crate) fn place(&mut self, at: u64, width: Width, number: u64, setting: Setting<'_>) {
        let number = Value::constant(setting.register_number(number));
        self.store(Value::constant(at), number, width, setting);
    }

    /// Records a store.
    fn store(
        &mut self,
        address: Value,
        value: Value,
        width: fusee_isa::language::Width,
        setting: Setting<'_>,
    ) {
        // Memory asks the state about numbers while it changes, so it is taken out for so long.
        let mut memory = std::mem::take(&mut self.memory);
        memory.store(address, value, width, setting, &|value| self.numbers(value));
        self.memory = memory;
    }

    /// Forgets all memory but that at these addresses.
    pub(crate) fn keep_only(&mut self, addresses: std::ops::Range<u64>) {
        self.memory.keep_only(addresses);
    }

    /// Names the number in a register, if it is not known.
    pub(crate) fn name_register(&mut self, register: Register) {
        let value = self.get(register);
        let named = self.named(value);
        // Another write would make the state forget copies for nothing.
        if named != value {
            self.set(register, named);
        }
    }

    /// Records a store into memory that nothing else is known of: another such place may be the
    /// same.
    pub(crate) fn store_elsewhere(
        &mut self,
        address: Value,
        value: Operand,
        width: fusee_isa::language::Width,
    ) {
        if let Operand::Register(register) = value {
            self.name_register(register);
        }
        let value = self.operand(value);
        self.memory.store_elsewhere(address, value, width);
    }

    /// Returns what an operand can be.
    pub(crate) fn operand(&self, operand: Operand) -> Value {
        match operand {
            Operand::Register(register) => self.get(register),
            Operand::Constant(number) => Value::constant(number),
        }
    }

    /// The numbers that a value can be.
    pub(crate) fn numbers(&self, value: Value) -> Range {
        match value.base {
            Base::None => value.range,
            Base::Stack => self.stack_numbers(value.range),
            // A sum that may wrap around can be any number.
            Base::Symbol(symbol) => self.sum(self.symbol(symbol), value.range).unwrap_or(self.all),
        }
    }

    /// Returns the numbers of addresses that are so far from the stack pointer at entry.
    fn stack_numbers(&self, distance: Range) -> Range {
        // Nothing is known of the stack pointer at entry but its alignment.
        let entry = Range::congruent(0, self.stack_alignment.into());
        let stride = entry.common_stride(distance);
        let numbers = Range::congruent(distance.low().into(), stride.into());
        numbers.clamp(self.all.low(), self.all.high()).unwrap_or(self.all)
    }

    /// Returns the range of a symbol.
    fn symbol(&self, symbol: u32) -> Range {
        // Only what is known is kept, so a symbol without a range is any
        // number that fits a register.
        self.place_of(symbol).map_or(self.all, |place| self.ranges[place].1)
    }

    /// Returns where the range of a symbol stands, or would stand.
    fn place_of(&self, symbol: u32) -> Result<usize, usize> {
        self.ranges.binary_search_by_key(&symbol, |&(name, _)| name)
    }

    fn set_symbol(&mut self, symbol: u32, range: Range) {
        match self.place_of(symbol) {
            // A range that says nothing only takes room.
            Ok(place) if range == self.all => drop(self.ranges.remove(place)),
            Ok(place) => self.ranges[place].1 = range,
            Err(_) if range == self.all => {}
            Err(_) => {
                if self.ranges.len() >= self.room {
                    self.forget_ranges();
                }
                // Others may have gone, so it is looked up again.
                let (Ok(place) | Err(place)) = self.place_of(symbol);
                self.ranges.insert(place, (symbol, range));
            }
        }
    }

    /// Makes room for more ranges; those of symbols with later names are more likely to matter.
    fn forget_ranges(&mut self) {
        let mut used: BTreeSet<u32> = self.registers.iter().filter_map(Value::symbol).collect();
        // A kernel decides by its memory as much; a program counts in registers while it fills a
        // buffer.
        let held = if self.has_invariant { BTreeSet::new() } else { used.clone() };
        used.extend(self.memory.values().filter_map(|value| value.symbol()));
        // The names of what moves in a loop stay, though nothing may hold them: the loop
        // still asks for their ranges.
        self.ranges.retain(|(name, _)| used.contains(name) || induction::is_induction(*name));
        let mut beyond = self.ranges.len().saturating_sub(self.room * USED_RANGES / RANGES);
        // Names rise as they are given, so the first ones are the oldest.
        self.ranges.retain(|(name, _)| {
            let goes = beyond > 0 && !held.contains(name) && !induction::is_induction(*name);
            beyond -= usize::from(goes);
            !goes
        });
    }

    /// Gives a number that is not known a name, so that what is learnt of it is learnt everywhere.
    fn named(&mut self, value: Value) -> Value {
        // A number that is known needs no name, and one that has a base is known by that already.
        if value.base != Base::None || value.range.as_constant().is_some() {
            return value;
        }
        let symbol = self.fresh;
        self.fresh = self.fresh.wrapping_add(1);
        self.set_symbol(symbol, value.range);
        Value::based(Base::Symbol(symbol))
    }

    /// Sums that all fit a register; nothing where one could wrap around.
    fn sum(&self, left: Range, right: Range) -> Option<Range> {
        let low = i128::from(left.low()) + i128::from(right.low());
        let high = i128::from(left.high()) + i128::from(right.high());
        let fits = low >= i128::from(self.all.low()) && high <= i128::from(self.all.high());
        fits.then(|| Range::new(low, high, left.common_stride(right).into()))
    }
}
