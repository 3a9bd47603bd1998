//! Follows all paths of one function.

use super::value::{Table, Value};
use super::{Depths, Obstacle};
use fusee_isa::language::{
    Address, Comparison, Effect, Flow, Instruction, Operand, REGISTERS, Target, Width,
};
use fusee_isa::riscv::{RA, SP};
use fusee_tables::symbol;
use fusee_wcet::program::Program;
use std::collections::BTreeMap;

/// All registers of the language; the decoder uses one of them for itself.
type Registers = [Value; REGISTERS];

/// Registers that a call keeps: sp, gp, tp, s0 to s11.
const KEPT: [u8; 15] = [2, 3, 4, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27];

/// A `switch` has no more cases than this.
const MOST_ENTRIES: u64 = 1024;

/// One function under way.
pub(super) struct Walk<'d, 'p> {
    depths: &'d mut Depths<'p>,
    program: &'p Program,
    entry: u64,
    before: BTreeMap<u64, Registers>,
    open: Vec<u64>,
    deepest: u64,
}

impl<'d, 'p> Walk<'d, 'p> {
    pub(super) fn of(depths: &'d mut Depths<'p>, entry: u64) -> Self {
        let program = depths.program;
        Walk { depths, program, entry, before: BTreeMap::new(), open: Vec::new(), deepest: 0 }
    }

    pub(super) fn depth(mut self) -> Result<u64, Obstacle> {
        let mut start = [Value::Unknown; REGISTERS];
        start[SP.index()] = Value::Stack(0);
        self.go(self.entry, &start);
        while let Some(address) = self.open.pop() {
            let Some(registers) = self.before.get(&address).copied() else { continue };
            match self.program.instruction(address) {
                Ok(instruction) => self.step(&instruction, registers)?,
                // Two zero bytes are an instruction that always faults.
                Err(_) if self.faults(address) => {}
                Err(_) => return Err(self.at(address, "runs into no code")),
            }
        }
        Ok(self.deepest)
    }

    fn faults(&self, address: u64) -> bool {
        self.program.is_code(address) && self.program.initial(address, Width::Half) == Some(0)
    }

    /// Returns a sentence about a place of this function.
    fn at(&self, address: u64, what: &str) -> Obstacle {
        let function = self
            .program
            .function_at(address)
            .map_or_else(|| self.program.describe(self.entry), |symbol| symbol.name.clone());
        format!("`{function}` {what} at {address:#x}")
    }

    /// Control may come to an address with these registers.
    fn go(&mut self, address: u64, registers: &Registers) {
        let joined = match self.before.get(&address) {
            None => *registers,
            Some(known) => std::array::from_fn(|index| known[index].join(registers[index])),
        };
        if self.before.get(&address) != Some(&joined) {
            self.before.insert(address, joined);
            self.open.push(address);
        }
    }

    fn step(
        &mut self,
        instruction: &Instruction,
        mut registers: Registers,
    ) -> Result<(), Obstacle> {
        // A job that goes on where a wait has left the stack: what is below was counted on the way
        // to that wait.
        if self
            .program
            .function_at(instruction.address)
            .is_some_and(|here| here.name == symbol::RESUME)
        {
            return Ok(());
        }
        for effect in &instruction.effects {
            self.apply(effect, &mut registers);
        }
        let address = instruction.address;
        let below = self.below(&registers, address)?;
        self.deepest = self.deepest.max(below);
        let next = instruction.next_address();
        match &instruction.flow {
            Flow::Next | Flow::WaitForInterrupt => self.go(next, &registers),
            Flow::SystemCall => self.go(next, &after_call(&registers)),
            Flow::Branch { comparison, left, right, target } => {
                self.go(next, &self.given(comparison.negated(), *left, *right, registers));
                self.go(*target, &self.given(*comparison, *left, *right, registers));
            }
            Flow::Jump(Target::Fixed(target)) => self.go(*target, &registers),
            Flow::Jump(Target::Computed(to)) => self.jump(address, *to, below, &registers)?,
            // A routine that saves registers for its caller, on the caller's stack: a part of this
            // function.
            Flow::Call { target: Target::Fixed(routine), link } if *link != RA => {
                registers[link.index()] = Value::Constant(next);
                self.go(*routine, &registers);
            }
            Flow::Return { link } if *link != RA => match registers[link.index()] {
                Value::Constant(back) => self.go(back, &registers),
                _ => return Err(self.at(address, "leaves a routine for an unknown place")),
            },
            Flow::Call { target, .. } => {
                self.call(address, *target, below, &registers)?;
                if self.goes_on(address, next) {
                    self.go(next, &after_call(&registers));
                }
            }
            Flow::Return { .. } if below != 0 => {
                return Err(self.at(address, "returns without giving its stack back"));
            }
            Flow::Return { .. } | Flow::TrapReturn | Flow::Breakpoint => {}
        }
        Ok(())
    }

    /// Returns the limit of an index that is known once a comparison holds.
    fn given(
        &self,
        comparison: Comparison,
        left: Operand,
        right: Operand,
        mut registers: Registers,
    ) -> Registers {
        let constant = |operand| match self.operand(operand, &registers) {
            Value::Constant(value) => Some(value),
            _ => None,
        };
        let limit = match comparison {
            Comparison::LessUnsigned => {
                constant(right).and_then(|c| c.checked_sub(1)).map(|most| (left, most))
            }
            Comparison::NotLessUnsigned => constant(left).map(|most| (right, most)),
            _ => None,
        };
        if let Some((Operand::Register(register), most)) = limit {
            let value = &mut registers[register.index()];
            match *value {
                Value::Unknown => *value = Value::UpTo(most),
                Value::UpTo(known) => *value = Value::UpTo(known.min(most)),
                _ => {}
            }
        }
        registers
    }

    /// Returns the distance of the stack pointer below that at entry.
    fn below(&self, registers: &Registers, address: u64) -> Result<u64, Obstacle> {
        match registers[SP.index()] {
            Value::Stack(distance) if distance <= 0 => Ok(distance.unsigned_abs()),
            _ => Err(self.at(address, "moves its stack by an amount that is not constant")),
        }
    }

    /// Returns `true` if a call's next instruction belongs to the same function; if not, the callee
    /// does not return.
    fn goes_on(&self, address: u64, next: u64) -> bool {
        match (self.program.function_at(address), self.program.function_at(next)) {
            (Some(here), Some(there)) => here.address == there.address,
            (Some(_), None) => false,
            (None, _) => self.program.is_code(next),
        }
    }

    fn call(
        &mut self,
        address: u64,
        target: Target,
        below: u64,
        registers: &Registers,
    ) -> Result<(), Obstacle> {
        let callees = match target {
            Target::Fixed(callee) => vec![callee],
            Target::Computed(to) => match self.place(to, registers) {
                Value::Constant(callee) => vec![self.program.wrap(callee & !1)],
                _ if self.depths.pointed.functions.is_empty() => {
                    return Err(self.at(address, "calls through a pointer"));
                }
                _ => self.depths.pointed.functions.clone(),
            },
        };
        for callee in callees {
            let depth = self.depths.deepest(callee)?;
            self.deepest = self.deepest.max(below.saturating_add(depth));
        }
        Ok(())
    }

    /// A jump to a computed address: to a constant one, or through the table of a `switch`.
    fn jump(
        &mut self,
        address: u64,
        to: Address,
        below: u64,
        registers: &Registers,
    ) -> Result<(), Obstacle> {
        let targets = match self.place(to, registers) {
            Value::Constant(target) => vec![self.program.wrap(target & !1)],
            Value::Entry { table } => self.targets(address, table, 0),
            Value::Offset { table, base } => self.targets(address, table, base),
            _ => Vec::new(),
        };
        if targets.is_empty() {
            return self.jump_anywhere(address, to, below, registers);
        }
        for target in targets {
            self.go(target, registers);
        }
        Ok(())
    }

    /// A jump of which nothing is known: through a table of any length to each place of the
    /// function that the program has an address of, or the last call of the function.
    fn jump_anywhere(
        &mut self,
        address: u64,
        to: Address,
        below: u64,
        registers: &Registers,
    ) -> Result<(), Obstacle> {
        let places = self.depths.pointed.inside(address);
        let pointed = &self.depths.pointed.functions;
        // A last call is made when the stack was given back.
        let may_be_last = below == 0;
        if places.is_empty() && !may_be_last {
            return Err(self.at(address, "jumps to where no pointer of the program leads"));
        }
        if may_be_last && (places.is_empty() || !pointed.is_empty()) {
            self.call(address, Target::Computed(to), below, registers)?;
        }
        for place in places {
            self.go(place, registers);
        }
        Ok(())
    }

    /// Returns the entries of a table of jumps within the function; none if one leads out of it.
    fn targets(&self, address: u64, table: Table, base: u64) -> Vec<u64> {
        let Some(function) = self.program.function_at(address) else { return Vec::new() };
        let width = if table.bytes == 8 { Width::Double } else { Width::Word };
        if (table.last - table.first) / table.bytes >= MOST_ENTRIES {
            return Vec::new();
        }
        let read = |place: u64| {
            let entry = self.program.initial(self.program.wrap(place), width)?;
            let entry = if table.bytes == 4 { i64::from(entry as i32) as u64 } else { entry };
            Some(self.program.wrap(base.wrapping_add(entry) & !1))
        };
        let inside =
            |target: &u64| *target >= function.address && target - function.address < function.size;
        let places = (table.first..=table.last).step_by(table.bytes as usize);
        places
            .map(|place| read(place).filter(inside))
            .collect::<Option<Vec<u64>>>()
            .unwrap_or_default()
    }

    fn operand(&self, operand: Operand, registers: &Registers) -> Value {
        match operand {
            Operand::Constant(value) => Value::Constant(value),
            Operand::Register(register) => registers[register.index()],
        }
    }

    fn place(&self, address: Address, registers: &Registers) -> Value {
        let base = self.operand(address.base, registers);
        if address.offset == 0 {
            return base;
        }
        let offset = Value::Constant(address.offset as u64);
        Value::compute(fusee_isa::language::Binary::Add, base, offset, Width::Double)
    }

    fn apply(&self, effect: &Effect, registers: &mut Registers) {
        let (target, value) = match *effect {
            Effect::Store { .. } | Effect::Hide { .. } | Effect::Atomic { target: None, .. } => {
                return;
            }
            Effect::Atomic { target: Some(target), .. } | Effect::Unknown { target } => {
                (target, Value::Unknown)
            }
            Effect::Compute { target, operation, left, right, width } => {
                let (left, right) = (self.operand(left, registers), self.operand(right, registers));
                // On a machine of 32 bits all operations have its width, and addresses wrap there.
                let width =
                    if width == self.program.register_width() { Width::Double } else { width };
                (target, Value::compute(operation, left, right, width))
            }
            Effect::Load { target, address, width, signed } => {
                (target, self.load(self.place(address, registers), (width, signed)))
            }
        };
        registers[target.index()] = value;
    }

    /// Returns the content of memory that never changes.
    fn load(&self, place: Value, (width, signed): (Width, bool)) -> Value {
        match place {
            Value::Constant(address) if !self.program.is_writable(self.program.wrap(address)) => {
                let loaded = self.program.initial(self.program.wrap(address), width);
                let extended = |number| if signed { sign_extended(number, width) } else { number };
                loaded.map_or(Value::Unknown, |number| Value::Constant(extended(number)))
            }
            Value::Within { first, last } if last >= first && width.bytes() >= 4 => {
                let constant = |address| !self.program.is_writable(self.program.wrap(address));
                let table = Table { first, last, bytes: width.bytes() };
                if constant(first) && constant(last) {
                    Value::Entry { table }
                } else {
                    Value::Unknown
                }
            }
            _ => Value::Unknown,
        }
    }
}

/// Returns a number of a width, extended by its sign.
fn sign_extended(number: u64, width: Width) -> u64 {
    let unused = 64 - width.bits();
    ((number << unused) as i64 >> unused) as u64
}

/// Returns the known registers after a call.
fn after_call(registers: &Registers) -> Registers {
    std::array::from_fn(|index| {
        if KEPT.contains(&(index as u8)) { registers[index] } else { Value::Unknown }
    })
}
