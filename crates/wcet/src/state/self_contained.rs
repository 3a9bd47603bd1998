//! The inputs and results of a self-contained function.
//!
//! A function that reads but registers, constants and its own frame, and stores
//! but into its own frame, does the same in every state in which the registers
//! that it reads hold the same. So it is executed once from a state in which
//! nothing else is known, every register under the name that it has at entry,
//! and what comes out is put into the state of any call: each name stands for
//! what its register held there. Addresses in the stack keep what they are, or
//! nobody would see whether the function loses sight of one.

use super::{State, Stored};
use crate::setting::Setting;
use crate::value::{Base, LONGEST_OBJECT, Range, Value};
use fusee_isa::language::{Effect, Operand, REGISTERS, Register, Width};
use fusee_isa::{Architecture, aarch64};

/// Far beyond any frame, and by so much apart, stand addresses in the stack of which a function
/// sees no more than that they are some.
const FAR: i64 = 1 << 48;
const APART: u32 = 32;

/// Places outside of its frame that a function touches are as many at most.
const OUTSIDE: usize = 64;

/// The memory that a function touches and that others use as well.
///
/// What it reads there may be any number wherever it is called, and what it stores there is any
/// number from then on. Places are told by what registers held when it was entered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outside {
    /// The places in the stack at which it looks and where it has not stored.
    looks: Vec<(Value, Width)>,
    stores: Vec<(Value, Width)>,
    /// True if it stores where nothing bounds.
    anywhere: bool,
}

impl Outside {
    /// A place in the stack is looked at; says whether that is told.
    pub(crate) fn look(&mut self, place: (Value, Width)) -> bool {
        Self::add(&mut self.looks, place)
    }

    /// Something that is no address in the stack is stored at a place that is none of the stack;
    /// says whether that is told.
    pub(crate) fn store(&mut self, place: Value, width: Width) -> bool {
        // Addresses further apart are in no one object, so they do not tell where the store goes.
        let near = place.range.high().abs_diff(place.range.low()) < LONGEST_OBJECT;
        let is_told = match place.base {
            Base::None => near,
            // Only what a register held at entry can be looked up where the function is called.
            Base::Symbol(symbol) => near && symbol < REGISTERS as u32,
            Base::Stack => return false,
        };
        if !is_told || !Self::add(&mut self.stores, (place, width)) {
            // More places than are kept: one store to anywhere stands for all of them.
            self.anywhere = true;
        }
        true
    }

    /// Returns where it stores, and anywhere.
    fn all_stores(&self) -> impl Iterator<Item = (Value, Width)> {
        let anywhere = self.anywhere.then_some((Value::ANY, Width::Double));
        self.stores.iter().copied().chain(anywhere)
    }

    fn add(places: &mut Vec<(Value, Width)>, place: (Value, Width)) -> bool {
        let is_known = places.contains(&place);
        let is_told = is_known || places.len() < OUTSIDE;
        if is_told && !is_known {
            places.push(place);
        }
        is_told
    }
}

impl State {
    /// Returns what registers hold on which it depends what a function does that reads these: their
    /// numbers, and which are addresses in the stack.
    pub(crate) fn inputs(&self, read: u128) -> Vec<(Register, Value)> {
        let input = |register: Register| {
            let value = self.get(register);
            match (value.base, read & (1 << register.index()) != 0) {
                (Base::Stack, true) => Some((register, value)),
                // Where a register is not read, only that it holds such an address matters, so
                // calls with other addresses share the result.
                (Base::Stack, false) => Some((register, unseen(register))),
                (_, true) => Some((register, Value::number(self.numbers(value)))),
                // What is not read changes nothing in the function.
                (_, false) => None,
            }
        };
        (0..self.kept as u8).map(Register::new).filter_map(input).collect()
    }

    /// Returns whether an operand may be an address in the stack that a function must not look at.
    pub(crate) fn is_unseen(&self, operand: Operand) -> bool {
        let value = self.operand(operand);
        value.base == Base::Stack && value.range.high() >= FAR
    }

    /// Returns the narrow view of a register that a function must not look at, where it is brought
    /// up to date and nothing else is done.
    pub(crate) fn half_of_unseen(&self, effect: &Effect, setting: Setting<'_>) -> Option<Register> {
        let Effect::Compute { target, .. } = *effect else { return None };
        // Only there a register has a narrow view of its own.
        if setting.architecture() != Architecture::Aarch64 {
            return None;
        }
        let number = (0..aarch64::GENERAL).find(|&number| aarch64::half(number) == target)?;
        let whole = Operand::Register(aarch64::general(number));
        let is_view = |one: Operand| one == whole || matches!(one, Operand::Constant(_));
        (effect.operands().all(is_view) && self.is_unseen(whole)).then_some(target)
    }

    /// Returns whether each such address that is in a register is a whole one.
    pub(crate) fn keeps_unseen(&self) -> bool {
        // An address that was moved or joined with another one belongs to no register any more.
        self.registers[..self.kept].iter().all(|&value| {
            value.base != Base::Stack || value.range.high() < FAR || whose(value).is_some()
        })
    }

    /// Inputs of which nothing is known but addresses in the stack and the numbers of one register.
    pub(crate) fn any_inputs(
        inputs: &[(Register, Value)],
        but: Register,
        setting: Setting<'_>,
    ) -> Vec<(Register, Value)> {
        let nothing = State::at_entry(setting);
        let any = |&(register, value): &(Register, Value)| match value.base {
            // Addresses in the stack stay what they are, for nobody could find them among numbers.
            Base::None if register != but => {
                (register, Value::number(nothing.numbers(nothing.get(register))))
            }
            _ => (register, value),
        };
        inputs.iter().map(any).collect()
    }

    /// Returns a state at a function's entry of which nothing is known but these inputs.
    pub(crate) fn self_contained(inputs: &[(Register, Value)], setting: Setting<'_>) -> State {
        let mut state = State::at_entry(setting);
        for &(register, value) in inputs {
            match state.get(register).symbol() {
                // The register keeps its name from entry, by which the caller puts
                // its own value in its place.
                Some(symbol) if value.base == Base::None && value.range.as_constant().is_none() => {
                    state.set_symbol(symbol, value.range);
                }
                _ => state.set(register, value),
            }
        }
        state
    }

    /// Returns whether a load gives the same wherever a function is called: it looks at constants,
    /// or at what was stored since in the stack below an offset.
    pub(crate) fn keeps_to(
        &self,
        frame: i64,
        (place, width): (Value, Width),
        setting: Setting<'_>,
    ) -> bool {
        let bytes = width.bytes() as i64;
        match (place.base, place.range.as_constant()) {
            // Above its frame is what the caller has, which differs from call to call.
            (Base::Stack, Some(at)) => {
                at.saturating_add(bytes) <= frame && self.memory.is_whole(Base::Stack, at, width)
            }
            (Base::None, Some(at)) => {
                let is_constant = |at: i64| !setting.is_writable(setting.wrap(at as u64));
                is_constant(at) && is_constant(at.saturating_add(bytes - 1))
            }
            // Of several places hardly more is known elsewhere than what the file holds there, and
            // nothing of those behind a number that was first seen here.
            (Base::None, None) => true,
            (Base::Symbol(symbol), _) => symbol >= REGISTERS as u32,
            _ => false,
        }
    }

    /// Returns whether a place in the stack surely holds what was stored there.
    pub(crate) fn has_stored(&self, at: i64, width: Width) -> bool {
        self.memory.own(Base::Stack, at, width).is_some()
    }

    /// Returns whether a pointer of unknown origin may point into the stack.
    pub(crate) fn has_stack_escaped(&self) -> bool {
        self.memory.has_stack_escaped()
    }

    /// Returns the state that a function leaves that was entered in this state, and has ended in
    /// `end` where it was executed for itself.
    ///
    /// Nothing where it touches places outside of its frame of which nobody can say what that
    /// changes here.
    pub(crate) fn behind(
        &self,
        end: &State,
        (stores, outside): (&[Stored], &Outside),
        setting: Setting<'_>,
    ) -> Option<State> {
        let mut after = self.clone();
        // The function has read there, so an address that lay there is in its hands.
        for &(place, width) in &outside.looks {
            after.memory.escape_from(place, width);
        }
        // A number that was first seen in the function gets one new name here, the
        // same wherever it is held.
        let mut names: Vec<(u32, Value)> = Vec::new();
        for register in (0..self.kept as u8).map(Register::new) {
            let value = end.get(register);
            let value = self.translated(value, end).unwrap_or_else(|symbol| {
                let known = names.iter().find(|(name, _)| *name == symbol);
                let base = known.map_or_else(
                    || after.named(Value::number(end.numbers(Value::based(value.base)))),
                    |&(_, value)| value,
                );
                names.push((symbol, base));
                let moved = value.range.as_constant().and_then(|by| base.range.shifted(by));
                match moved.filter(|_| base.base != Base::None) {
                    Some(range) => Value { range, ..base },
                    None => Value::number(end.numbers(value)),
                }
            });
            after.set(register, value);
        }
        // A register that came back with its old number has its old narrow view, which
        // the function was not told.
        if setting.architecture() == Architecture::Aarch64 {
            for number in 0..aarch64::GENERAL {
                let (whole, half) = (aarch64::general(number), aarch64::half(number));
                let own = Value::based(Base::Symbol(whole.index() as u32));
                if end.get(whole) == own || end.get(whole) == unseen(whole) {
                    after.set(half, self.get(half));
                }
            }
        }
        for &one in stores {
            after.memory.overwrite(one);
        }
        // Addresses that it has left in its dead frame may be found by who loads there.
        after.memory.hide_what_is_left(&end.memory);
        for (place, width) in outside.all_stores() {
            let place = self.place_here(place, setting)?;
            // What it has stored depends on what it has read, so it is any number.
            after.store(place, Value::number(Range::of_width(width, true)), width, setting);
        }
        Some(after)
    }

    /// Returns where a function stores outside of its frame that is entered in this state.
    fn place_here(&self, place: Value, setting: Setting<'_>) -> Option<Value> {
        let Base::Symbol(symbol) = place.base else { return Some(place) };
        // A function that has lost sight of an address in the stack may have it in any register.
        if self.has_stack_escaped() {
            return None;
        }
        let held = self.get(Register::new(symbol as u8));
        let here = self.pointed(held, Value::number(place.range), setting);
        let near = here.range.high().abs_diff(here.range.low()) < LONGEST_OBJECT;
        // A pointer into the stack would let the function change what the
        // caller knows of its own frame.
        (near && here.base != Base::Stack).then_some(here)
    }

    /// Returns what the function touches that is executed for itself from this state, of what
    /// another one touches that it calls.
    pub(crate) fn touches(&self, other: &Outside, all: &mut Outside, setting: Setting<'_>) -> bool {
        let mut is_told = other.looks.iter().all(|&place| all.look(place));
        for (place, width) in other.all_stores() {
            let here = self.place_here(place, setting);
            is_told &= here.is_some_and(|here| all.store(here, width));
        }
        is_told
    }

    /// Something was stored at an unknown place.
    pub(crate) fn store_anywhere(&mut self, setting: Setting<'_>) {
        self.store(Value::ANY, Value::ANY, Width::Double, setting);
    }

    /// Any number may be stored somewhere among these places.
    pub(crate) fn overwrite(&mut self, places: Value, setting: Setting<'_>) {
        self.store(places, Value::number(Range::of_width(Width::Byte, true)), Width::Byte, setting);
    }

    /// Says of places in the stack that something was surely stored there.
    pub(crate) fn hold(&mut self, stores: &[Stored], setting: Setting<'_>) {
        for one in stores.iter().filter(|one| one.surely) {
            let place = Value { base: Base::Stack, range: Range::constant(one.at) };
            let anything = Value::number(Range::of_width(one.width, true));
            self.store(place, anything, one.width, setting);
        }
    }

    /// Returns the meaning of a value for the caller that entered in this state; the name of what
    /// it did not know.
    fn translated(&self, value: Value, end: &State) -> Result<Value, u32> {
        if let Some(register) = whose(value) {
            return Ok(self.get(register));
        }
        let Base::Symbol(symbol) = value.base else { return Ok(value) };
        if symbol >= REGISTERS as u32 {
            return Err(symbol);
        }
        let held = self.get(Register::new(symbol as u8));
        let moved = value.range.as_constant().and_then(|by| match by {
            0 => Some(held.range),
            // A sum of plain numbers may have wrapped around in the register; a
            // distance from a base stays one.
            _ => held.range.shifted(by).filter(|_| held.base != Base::None),
        });
        Ok(match moved {
            Some(range) => Value { range, ..held },
            None => Value::number(end.numbers(value)),
        })
    }
}

/// Stands for the address in the stack that a register holds at entry.
fn unseen(register: Register) -> Value {
    // Each register has an address of its own, so that it is seen which one comes back in which.
    let at = FAR + ((register.index() as i64) << APART);
    Value { base: Base::Stack, range: Range::constant(at) }
}

/// Returns the register at entry for whose address a value stands.
fn whose(value: Value) -> Option<Register> {
    let at = value.range.as_constant().filter(|_| value.base == Base::Stack)?;
    let index = u8::try_from(at.checked_sub(FAR)? >> APART).ok()?;
    // What is near such an address, but is not it, was computed from it, and is none.
    Some(Register::new(index)).filter(|&register| unseen(register) == value)
}
