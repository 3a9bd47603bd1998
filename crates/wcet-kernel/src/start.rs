//! A kernel's start, executed number by number.
//!
//! Until the first decision that depends on the world outside (the clock, as a
//! rule: the first job begins when it is time), a kernel does the same at every
//! start of an image. So its start needs no analysis: it is executed. Numbers
//! that only a machine knows stay unknown and may be stored, not decided by,
//! but for one decision: to wait on, in a loop that writes nothing.

use std::collections::BTreeMap;
use std::ops::Range as Span;
use std::rc::Rc;

use fusee_isa::language::{
    Address, Binary, Comparison, Effect, Flow, Instruction, Operand, REGISTERS, Register, Target,
    Width,
};
use fusee_isa::riscv::{SP, Status, StatusAccess};
use fusee_wcet::invariant::Bytes;
use fusee_wcet::program::Program;
use fusee_wcet::value::{Range, Value};

/// Instructions after which a start has lasted too long.
const LIMIT: u64 = 50_000_000;
/// The longest stack of a kernel.
const STACK: u64 = 64 << 10;

/// The content of a place in memory: address, width, number.
pub type Known = (u64, Width, u64);

/// The reason for which a program could not be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotStarted {
    /// It runs into something that is no instruction.
    #[error("the start reaches {0}, where there is no instruction")]
    NoInstruction(String),
    /// It reads or writes at an address that nobody knows.
    #[error("the start uses memory at an unknown address, at {0}")]
    UnknownAddress(String),
    /// It did not come to an end.
    #[error("the start lasts longer than {LIMIT} instructions")]
    Endless,
    /// It never says where traps arrive.
    #[error("the start ends at {0} before the program has said where traps arrive (mtvec)")]
    NoVector(String),
}

/// The state that the start leaves behind.
#[derive(Debug, Clone)]
pub struct Started {
    /// The address at which traps arrive.
    pub vector: u64,
    /// `true` if interrupt `n` arrives at `4 * n` behind that. Otherwise all traps arrive there,
    /// and only their cause tells them apart.
    pub is_vectored: bool,
    /// The stack, from the lowest address that it may use.
    pub stack: Span<u64>,
    /// The first instruction that was not executed.
    pub at: u64,
    /// The content of registers there.
    pub registers: Vec<(Register, Value)>,
    /// The content of the stack there, address by address, in words of registers.
    pub on_stack: Vec<Known>,
    /// The number of instructions executed.
    pub instructions: u64,
}

/// A register's number, as far as it is known: a copy of a structure moves its fields together with
/// what lies between them, which nobody has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    /// Its bits; those that are not known are 0.
    bits: u64,
    /// The known ones of them.
    known: u64,
}

impl Word {
    const UNKNOWN: Word = Word { bits: 0, known: 0 };

    fn of(number: u64) -> Self {
        Word { bits: number, known: u64::MAX }
    }

    fn number(self) -> Option<u64> {
        (self.known == u64::MAX).then_some(self.bits)
    }

    /// Returns `true` if its upper half is the sign of its lower one, known or not: what a register
    /// of 32 bits holds.
    fn is_half(self) -> bool {
        let extended = |bits: u64| bits as i64 == i64::from(bits as i32);
        extended(self.bits) && extended(self.known)
    }

    fn byte(self, at: u64) -> Option<u64> {
        let known = self.known >> (8 * at) & 0xff == 0xff;
        known.then_some(self.bits >> (8 * at) & 0xff)
    }

    fn compute(operation: Binary, left: Word, right: Word, width: Width) -> Self {
        if let (Some(l), Some(r)) = (left.number(), right.number()) {
            let constant = |number| Range::constant(number as i64);
            let result = Range::compute(operation, constant(l), constant(r), width).as_constant();
            return result.map_or(Word::UNKNOWN, |number| Word::of(number as u64));
        }
        let shifts = matches!(operation, Binary::ShiftLeft | Binary::ShiftRight);
        let both = left.known & right.known;
        let zeros = (left.known & !left.bits) | (right.known & !right.bits);
        match (operation, right.number()) {
            // Of half a register bits move out at its end.
            _ if width != Width::Double && (shifts || !left.is_half() || !right.is_half()) => {
                Word::UNKNOWN
            }
            (Binary::Add | Binary::Subtract, Some(0)) => left,
            (Binary::Add, _) if left.number() == Some(0) => right,
            (Binary::And, _) => Word { bits: left.bits & right.bits, known: both | zeros },
            (Binary::Or, _) => {
                Word { bits: left.bits | right.bits, known: both | left.bits | right.bits }
            }
            (Binary::ShiftLeft, Some(by)) => {
                let by = by & 63;
                Word { bits: left.bits << by, known: left.known << by | ((1 << by) - 1) }
            }
            (Binary::ShiftRight, Some(by)) => {
                let by = by & 63;
                Word { bits: left.bits >> by, known: left.known >> by | !(u64::MAX >> by) }
            }
            _ => Word::UNKNOWN,
        }
    }
}

struct Starter<'p> {
    program: &'p Program,
    registers: [Word; REGISTERS],
    bytes: Bytes,
    decoded: BTreeMap<u64, Rc<Instruction>>,
    /// The value of `mtvec`: an address, and in its lowest bit the mode.
    vector: Option<u64>,
    top: Option<u64>,
}

/// Executes the start of a program from its entry on.
pub(crate) fn start(program: &Program) -> Result<(Started, Bytes), NotStarted> {
    let mut starter = Starter {
        program,
        registers: [Word::UNKNOWN; REGISTERS],
        bytes: Bytes::default(),
        decoded: BTreeMap::new(),
        vector: None,
        top: None,
    };
    let mut at = program.entry();
    for instructions in 0..LIMIT {
        match starter.step(at)? {
            Some(next) => at = next,
            None => return starter.finish(at, instructions),
        }
    }
    Err(NotStarted::Endless)
}

impl Started {
    /// Returns the address at which an interrupt arrives.
    pub fn interrupt(&self, number: u64) -> u64 {
        if self.is_vectored { self.vector + 4 * number } else { self.vector }
    }
}

impl Starter<'_> {
    fn finish(self, at: u64, instructions: u64) -> Result<(Started, Bytes), NotStarted> {
        let (Some(vector), Some(top)) = (self.vector, self.top) else {
            return Err(NotStarted::NoVector(self.program.describe(at)));
        };
        let known = self.registers.iter().enumerate();
        let registers = known
            .filter_map(|(i, word)| Some((Register::new(i as u8), Value::constant(word.number()?))))
            .collect();
        let stack = lowest_of_stack(self.program, top)..top;
        let width = self.program.register_width();
        let words = stack.clone().step_by(width.bytes() as usize);
        let on_stack =
            words.filter_map(|at| Some((at, width, self.bytes.read(at, width, self.program)?)));
        let on_stack = on_stack.collect();
        let is_vectored = vector & 1 == 1;
        let vector = vector & !3;
        let started = Started { vector, is_vectored, stack, at, registers, on_stack, instructions };
        Ok((started, self.bytes))
    }

    fn instruction(&mut self, address: u64) -> Result<Rc<Instruction>, NotStarted> {
        if let Some(decoded) = self.decoded.get(&address) {
            return Ok(decoded.clone());
        }
        let decoded = self.program.instruction(address);
        let decoded = Rc::new(
            decoded.map_err(|_| NotStarted::NoInstruction(self.program.describe(address)))?,
        );
        self.decoded.insert(address, decoded.clone());
        Ok(decoded)
    }

    /// Executes one instruction; nothing where what follows is not known.
    fn step(&mut self, at: u64) -> Result<Option<u64>, NotStarted> {
        let instruction = self.instruction(at)?;
        if let Flow::Branch { left, right, target, .. } = instruction.flow
            && (self.operand(left).is_none() || self.operand(right).is_none())
        {
            return if self.waits(target, at)? {
                Ok(Some(instruction.next_address()))
            } else {
                Ok(None)
            };
        }
        for effect in &instruction.effects {
            self.effect(effect)
                .ok_or_else(|| NotStarted::UnknownAddress(self.program.describe(at)))?;
        }
        self.status(&instruction);
        // An address is put together by two instructions: it is whole where the first block ends.
        if instruction.flow != Flow::Next {
            let top = || self.register(SP).map(|at| self.program.wrap(at));
            self.top = self.top.or_else(top);
        }
        Ok(self.flow(&instruction))
    }

    /// Returns whether a branch back only waits for something; whatever its loop computes is
    /// unknown then.
    ///
    /// A start that waits for ever leads to no trap, so there is nothing to bound.
    fn waits(&mut self, target: u64, branch: u64) -> Result<bool, NotStarted> {
        let (mut at, mut computed, mut asks) = (target, Vec::new(), false);
        while at <= branch {
            let instruction = self.instruction(at)?;
            if at < branch && instruction.flow != Flow::Next {
                return Ok(false);
            }
            for effect in &instruction.effects {
                asks |= matches!(effect, Effect::Unknown { .. });
                match *effect {
                    Effect::Compute { target, .. }
                    | Effect::Load { target, .. }
                    | Effect::Unknown { target } => {
                        computed.push(target);
                    }
                    Effect::Hide { .. } => {}
                    Effect::Store { .. } | Effect::Atomic { .. } => return Ok(false),
                }
            }
            at = instruction.next_address();
        }
        let waits = asks && target <= branch;
        computed
            .into_iter()
            .filter(|_| waits)
            .for_each(|register| self.set(register, Word::UNKNOWN));
        Ok(waits)
    }

    /// Control and status registers: the core that starts is the first one.
    fn status(&mut self, instruction: &Instruction) {
        let bits = self
            .program
            .initial(instruction.address, Width::Word)
            .filter(|_| instruction.size == 4);
        let Some(access) = bits.and_then(|bits| StatusAccess::of(bits as u32)) else { return };
        match (access.register, access.written) {
            (Status::Vector, Some(source)) => {
                let number = self.registers[usize::from(source)].number();
                self.vector = number.map(|number| self.program.wrap(number)).or(self.vector);
            }
            (Status::Core, None) => {
                for effect in &instruction.effects {
                    if let Effect::Unknown { target } = *effect {
                        self.registers[target.index()] = Word::of(0);
                    }
                }
            }
            _ => {}
        }
    }

    fn flow(&mut self, instruction: &Instruction) -> Option<u64> {
        let next = instruction.next_address();
        match instruction.flow {
            Flow::Next => Some(next),
            Flow::Jump(target) => self.target(target),
            Flow::Branch { comparison, left, right, target } => {
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                Some(if holds(comparison, left, right) { target } else { next })
            }
            Flow::Call { target, link } => {
                let target = self.target(target)?;
                self.registers[link.index()] = Word::of(self.program.register_number(next));
                Some(target)
            }
            Flow::Return { link } => self.register(link).map(|at| self.program.wrap(at)),
            Flow::SystemCall | Flow::TrapReturn | Flow::WaitForInterrupt | Flow::Breakpoint => None,
        }
    }

    fn target(&self, target: Target) -> Option<u64> {
        match target {
            Target::Fixed(target) => Some(target),
            Target::Computed(address) => self.address(address).map(|address| address & !1),
        }
    }

    fn register(&self, register: Register) -> Option<u64> {
        self.registers[register.index()].number()
    }

    fn operand(&self, operand: Operand) -> Option<u64> {
        self.word(operand).number()
    }

    fn word(&self, operand: Operand) -> Word {
        match operand {
            Operand::Register(register) => self.registers[register.index()],
            Operand::Constant(number) => Word::of(number),
        }
    }

    fn address(&self, address: Address) -> Option<u64> {
        Some(self.program.wrap(self.operand(address.base)?.wrapping_add_signed(address.offset)))
    }

    /// Applies an effect; nothing for memory at an address that nobody knows.
    fn effect(&mut self, effect: &Effect) -> Option<()> {
        match *effect {
            Effect::Compute { target, operation, left, right, width } => {
                self.set(
                    target,
                    Word::compute(operation, self.word(left), self.word(right), width),
                );
            }
            Effect::Load { target, address, width, signed } => {
                let at = self.address(address)?;
                let word = match self.bytes.read(at, width, self.program) {
                    Some(number) => Word::of(extended(number, width, signed)),
                    None if width == self.program.register_width() => self.partly(at, width),
                    None => Word::UNKNOWN,
                };
                self.set(target, word);
            }
            Effect::Store { address, value, width } => {
                let (at, word) = (self.address(address)?, self.word(value));
                for byte in 0..width.bytes() {
                    self.bytes.write(
                        at.wrapping_add(byte),
                        Width::Byte,
                        word.byte(byte),
                        self.program,
                    );
                }
            }
            Effect::Atomic { target, address, width } => {
                let at = self.address(address)?;
                self.bytes.write(at, width, None, self.program);
                if let Some(target) = target {
                    self.set(target, Word::UNKNOWN);
                }
            }
            Effect::Unknown { target } => self.set(target, Word::UNKNOWN),
            Effect::Hide { .. } => {}
        }
        Some(())
    }

    /// Returns the bytes of a register of which not all are known.
    fn partly(&self, at: u64, width: Width) -> Word {
        let byte =
            |i: u64| Some((i, self.bytes.read(at.wrapping_add(i), Width::Byte, self.program)?));
        let word = (0..width.bytes()).filter_map(byte).fold(Word::UNKNOWN, |word, (i, byte)| {
            Word { bits: word.bits | byte << (8 * i), known: word.known | 0xff << (8 * i) }
        });
        match width {
            Width::Double => word,
            _ => Word { bits: word.bits as i32 as u64, known: word.known as i32 as u64 },
        }
    }

    fn set(&mut self, target: Register, word: Word) {
        self.registers[target.index()] = word;
    }
}

/// Returns the lowest end of the stack: behind everything that the program has a name for.
fn lowest_of_stack(program: &Program, top: u64) -> u64 {
    let below = program.symbols().iter().filter(|symbol| symbol.address < top);
    let ends =
        below.map(|symbol| symbol.address.saturating_add(symbol.size)).filter(|&end| end < top);
    ends.max().unwrap_or(0).max(top.saturating_sub(STACK))
}

fn extended(number: u64, width: Width, signed: bool) -> u64 {
    let range = Range::constant(number as i64);
    let seen = if signed { range.truncated(width) } else { range.zero_extended(width) };
    seen.as_constant().unwrap_or_default() as u64
}

fn holds(comparison: Comparison, left: u64, right: u64) -> bool {
    let (l, r) = (left as i64, right as i64);
    match comparison {
        Comparison::Equal => l == r,
        Comparison::NotEqual => l != r,
        Comparison::LessSigned => l < r,
        Comparison::NotLessSigned => l >= r,
        Comparison::LessUnsigned => left < right,
        Comparison::NotLessUnsigned => left >= right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the unknown bits are, the known bits of a result are those of the numbers' result.
    #[test]
    fn known_bits_do_not_depend_on_unknown_ones() {
        let masks = [0, u64::MAX, 0xff, 0xffff_0000, !0xff00, 0x00ff_ffff_0000_0000];
        let numbers = [0u64, 0x0123_4567_89ab_cdef, 0xf00f_0ff0_8000_00ff, u64::MAX, 16];
        let words = || {
            numbers
                .into_iter()
                .flat_map(|n| masks.map(|known| (n, Word { bits: n & known, known })))
        };
        let operations = [
            Binary::Add,
            Binary::Subtract,
            Binary::And,
            Binary::Or,
            Binary::Xor,
            Binary::ShiftLeft,
        ];
        let operations =
            operations.into_iter().chain([Binary::ShiftRight, Binary::ShiftRightSigned]);
        for operation in operations {
            for ((l, left), (r, right)) in
                words().flat_map(|left| words().map(move |right| (left, right)))
            {
                for width in [Width::Double, Width::Word] {
                    let result = Word::compute(operation, left, right, width);
                    let whole = Word::compute(operation, Word::of(l), Word::of(r), width).bits;
                    assert_eq!(
                        result.bits,
                        whole & result.known,
                        "{operation:?} {left:x?} {right:x?}"
                    );
                }
            }
        }
    }
}
