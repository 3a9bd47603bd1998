//! Floating-point registers where a path is the only one.

use super::number::Number;
use super::{ConcreteRun, Lost, Place};
use crate::machine::Machine;
use crate::value::float;
use fusee_isa::aarch64;
use fusee_isa::float::{Bank, Float, Format, Operation};
use fusee_isa::language::{Effect, Instruction, Register, Width};

/// The contents of registers, and the rounding of results.
pub(super) struct Floats {
    registers: [Number; 32],
    /// True if nothing has changed the rounding mode.
    keeps_mode: bool,
    /// True if a result rests on the rounding mode.
    pub(super) rounds: bool,
}

impl Default for Floats {
    fn default() -> Self {
        Self { registers: [Number::Any; 32], keeps_mode: true, rounds: false }
    }
}

impl<M: Machine> ConcreteRun<'_, '_, M> {
    /// Executes an instruction that does something to floating-point numbers: its effects as well.
    pub(super) fn calculate(
        &mut self,
        float: &Float,
        instruction: &Instruction,
    ) -> Result<(), Lost> {
        // Effects may lose sight of what is read.
        let result = match float.operation {
            Operation::SetRounding | Operation::Load | Operation::Store => Number::Any,
            _ => self.result(float),
        };
        self.apply(&instruction.effects)?;
        match float.bank {
            Bank::Own => self.put(float, result, instruction),
            Bank::Lanes => self.put_in_lanes(float, result),
        }
    }

    /// Puts a result where it belongs, where floating-point registers are apart.
    fn put(
        &mut self,
        float: &Float,
        result: Number,
        instruction: &Instruction,
    ) -> Result<(), Lost> {
        let target = usize::from(float.target);
        match float.operation {
            Operation::SetRounding => self.floats.keeps_mode = false,
            Operation::Load => {
                let place = self.place_of(instruction);
                let number = place.map_or(Number::Any, |place| self.load_float(place, float));
                self.floats.registers[target] = number;
            }
            // A load from an unknown place gives an unknown number. A store there would end all
            // that is known.
            Operation::Store => {
                let place = self.place_of(instruction).ok_or(Lost)?;
                let number = self.floats.registers[usize::from(float.sources[0])];
                self.store_float(place, number, float.format);
            }
            Operation::ToBits
            | Operation::ToWhole(_)
            | Operation::Classify
            | Operation::Less
            | Operation::LessOrEqual
            | Operation::Equal => {
                // The general register 0 is always 0.
                if target != 0 {
                    self.set(Register::new(float.target), result);
                }
            }
            _ => self.floats.registers[target] = result,
        }
        Ok(())
    }

    /// The same where they are halves of vectors.
    fn put_in_lanes(&mut self, float: &Float, result: Number) -> Result<(), Lost> {
        match result {
            _ if float.operation == Operation::SetRounding => self.floats.keeps_mode = false,
            Number::Known(result) => return self.apply(&aarch64::put(float, result)),
            _ => {}
        }
        // The effects have made the target unknown already.
        Ok(())
    }

    /// The number that an instruction calculates.
    fn result(&mut self, float: &Float) -> Number {
        let from_general = matches!(float.operation, Operation::FromBits | Operation::FromWhole(_));
        let read = |source: u8| match (float.bank, from_general, source) {
            (Bank::Own, true, 0) | (Bank::Lanes, _, 0) => Number::Known(0),
            (Bank::Own, false, register) => self.floats.registers[usize::from(register)],
            (_, _, register) => self.registers[usize::from(register)],
        };
        // What an instruction does not read is nothing to wait for.
        let count = sources(float.operation);
        let mut known = [0; 3];
        for (known, &source) in known.iter_mut().zip(&float.sources).take(count) {
            match (read(source), float.operation) {
                (Number::Known(number), _) => *known = number,
                // An address passes through as it is.
                (other, Operation::ToBits | Operation::FromBits)
                    if float.format == Format::Double =>
                {
                    return other;
                }
                _ => return Number::Any,
            }
        }
        let result = match float.bank {
            Bank::Own => float::result,
            Bank::Lanes => float::lane_result,
        };
        // Without the rounding mode first: a result that is exact needs no assumption about it.
        let fixed = result(float, known, false);
        let found = fixed.or_else(|| result(float, known, self.floats.keeps_mode));
        self.floats.rounds |= fixed.is_none() && found.is_some();
        found.map_or(Number::Any, Number::Known)
    }

    /// Returns where an instruction loads or stores.
    fn place_of(&self, instruction: &Instruction) -> Option<Place> {
        let address = instruction.effects.iter().find_map(|effect| match *effect {
            Effect::Load { address, .. } | Effect::Store { address, .. } => Some(address),
            _ => None,
        });
        self.place(self.address(address?))
    }

    fn load_float(&mut self, place: Place, float: &Float) -> Number {
        // In one piece, so that an address passes through as well.
        if float.format == Format::Double && self.kind.whole == Width::Double {
            return self.memory.load(place, Width::Double, true);
        }
        let mut word = |by| match self.memory.load(place.further(by), Width::Word, false) {
            Number::Known(number) => Some(number & 0xffff_ffff),
            _ => None,
        };
        let bits = match float.format {
            Format::Single => word(0),
            Format::Double => word(0).zip(word(4)).map(|(low, high)| high << 32 | low),
        };
        bits.map_or(Number::Any, |bits| Number::Known(float::register(bits, float.format)))
    }

    fn store_float(&mut self, place: Place, number: Number, format: Format) {
        let whole = self.kind.whole;
        if format == Format::Double && whole == Width::Double {
            self.memory.store(place, (number, Width::Double), whole);
            return;
        }
        let word = |shift: u32| match number {
            Number::Known(number) => Number::Known(float::as_kept(number >> shift, Format::Single)),
            _ => Number::Any,
        };
        self.memory.store(place, (word(0), Width::Word), whole);
        if format == Format::Double {
            self.memory.store(place.further(4), (word(32), Width::Word), whole);
        }
    }
}

/// Returns how many registers an operation reads.
fn sources(operation: Operation) -> usize {
    match operation {
        Operation::MultiplyAdd { .. } => 3,
        Operation::SquareRoot
        | Operation::Classify
        | Operation::ToBits
        | Operation::FromBits
        | Operation::ToWhole(_)
        | Operation::FromWhole(_)
        | Operation::FromFormat(_) => 1,
        _ => 2,
    }
}
