//! Executes what the decoders say that instructions do, on numbers.
//!
//! It knows nothing of processors: only the common language. What it counts and
//! stores is held against QEMU, which makes it an oracle for the decoders.

use std::collections::BTreeMap;

use fusee_isa::language::{
    Address, Comparison, Effect, Flow, Instruction, Operand, REGISTERS, Register, Target, Width,
};
use fusee_isa::{Architecture, a32, aarch64};
use fusee_wcet::program::Program;
use fusee_wcet::value::{Range, decide};

/// The address to which calls from outside return.
const OUTSIDE: u64 = 0x100;
/// More instructions than any program here takes.
const LIMIT: u64 = 4_000_000;

/// A program, its registers and its memory as they change.
#[derive(Debug)]
pub struct Interpreter<'p> {
    program: &'p Program,
    registers: [u64; REGISTERS],
    memory: BTreeMap<u64, u8>,
    decoded: BTreeMap<u64, Instruction>,
}

/// The state that is seen before an instruction is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Before {
    /// The address of the instruction.
    pub at: u64,
    /// The stack pointer.
    pub stack: u64,
    /// The address to which a function that begins here returns.
    pub link: u64,
}

impl<'p> Interpreter<'p> {
    /// Before the first call: registers of zeros but for the stack pointer.
    ///
    /// # Panics
    /// When the program has no `stack_end`.
    pub fn new(program: &'p Program) -> Self {
        let mut new = Self {
            program,
            registers: [0; REGISTERS],
            memory: BTreeMap::new(),
            decoded: BTreeMap::new(),
        };
        let stack = program.symbol("stack_end").expect("a stack").address;
        new.set(program.architecture().stack_pointer(), program.register_number(stack));
        new
    }

    /// Calls a function with one argument; counts its instructions. What raises an exception on
    /// purpose or returns from a trap is its end.
    ///
    /// # Panics
    /// At what is not decoded, at what no test program does, and when there is no end.
    pub fn call(&mut self, function: u64, argument: u64) -> u64 {
        let mut count = 0;
        self.follow(function, argument, |_| count += 1);
        count
    }

    /// The same, with each instruction shown before it is executed.
    ///
    /// # Panics
    /// As `call` does.
    pub fn follow(&mut self, function: u64, argument: u64, mut see: impl FnMut(Before)) {
        let registers: &[Register] = match self.program.architecture() {
            Architecture::Riscv(_) => &[Register::new(10)],
            Architecture::Aarch64 => &[aarch64::general(0), aarch64::half(0)],
            Architecture::A32 => &[a32::general(0)],
        };
        registers.iter().for_each(|&register| self.set(register, argument));
        let architecture = self.program.architecture();
        let (stack, link) = (architecture.stack_pointer(), architecture.link());
        self.set(link, OUTSIDE);
        let mut at = function;
        for _ in 0..LIMIT {
            if at == OUTSIDE {
                return;
            }
            let [stack, link] = [stack, link].map(|register| self.registers[register.index()]);
            see(Before { at, stack, link: self.program.wrap(link) });
            at = self.step(at);
        }
        panic!("no end of {function:#x}");
    }

    fn set(&mut self, register: Register, value: u64) {
        self.registers[register.index()] = value;
    }

    fn operand(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Register(register) => self.registers[register.index()],
            Operand::Constant(constant) => constant,
        }
    }

    fn holds(&self, comparison: Comparison, left: Operand, right: Operand) -> bool {
        let constant = |operand| Range::constant(self.operand(operand) as i64);
        decide(comparison, constant(left), constant(right)).expect("numbers compare")
    }

    fn address(&self, address: Address) -> u64 {
        self.program.wrap(self.operand(address.base).wrapping_add_signed(address.offset))
    }

    fn step(&mut self, at: u64) -> u64 {
        let program = self.program;
        let instruction = self
            .decoded
            .entry(at)
            .or_insert_with(|| program.instruction(at).unwrap_or_else(|error| panic!("{error}")))
            .clone();
        let next = instruction.next_address();
        if let Some(guard) = &instruction.guard {
            let held = self.holds(guard.comparison, guard.left, guard.right);
            // A second pair of operands never says otherwise.
            let same = |(left, right)| self.holds(guard.comparison, left, right) == held;
            assert!(instruction.echo.is_none_or(same), "the echo at {at:#x} differs");
            if !held {
                self.apply(&guard.otherwise);
                return next;
            }
        }
        self.apply(&instruction.effects);
        match instruction.flow {
            Flow::Next => next,
            Flow::Jump(target) => self.target(target),
            Flow::Branch { comparison, left, right, target } => {
                let held = self.holds(comparison, left, right);
                let same = |(left, right)| self.holds(comparison, left, right) == held;
                assert!(instruction.echo.is_none_or(same), "the echo at {at:#x} differs");
                if held { target } else { next }
            }
            Flow::Call { target, link } => {
                let target = self.target(target);
                self.set(link, self.program.register_number(next));
                target
            }
            Flow::Return { link } => self.program.wrap(self.operand(Operand::Register(link))),
            // Whatever is asked for is done at once.
            Flow::SystemCall => next,
            Flow::Breakpoint | Flow::TrapReturn => OUTSIDE,
            Flow::WaitForInterrupt => panic!("waits at {at:#x}"),
        }
    }

    fn target(&self, target: Target) -> u64 {
        match target {
            Target::Fixed(target) => target,
            Target::Computed(address) => {
                self.program.architecture().jump_target(self.address(address))
            }
        }
    }

    fn apply(&mut self, effects: &[Effect]) {
        for effect in effects {
            match *effect {
                Effect::Compute { target, operation, left, right, width } => {
                    let constant = |operand| Range::constant(self.operand(operand) as i64);
                    let result = Range::compute(operation, constant(left), constant(right), width);
                    self.set(target, result.as_constant().expect("numbers give a number") as u64);
                }
                Effect::Load { target, address, width, signed } => {
                    let value = self.read(self.address(address), width, signed);
                    if target != Register::LOST {
                        self.set(target, value);
                    }
                }
                Effect::Store { address, value, width } => {
                    let (at, value) = (self.address(address), self.operand(value));
                    for i in 0..width.bytes() {
                        self.memory.insert(at + i, (value >> (8 * i)) as u8);
                    }
                }
                // A number that would show where it is used.
                Effect::Hide { .. } => {}
                Effect::Unknown { target } => self.set(target, 0x5a5a_1234),
                Effect::Atomic { .. } => panic!("the programs share nothing"),
            }
        }
    }

    fn read(&self, at: u64, width: Width, signed: bool) -> u64 {
        let byte = |i| {
            let initial = || self.program.initial(at + i, Width::Byte).unwrap_or(0) as u8;
            self.memory.get(&(at + i)).copied().unwrap_or_else(initial)
        };
        let number = (0..width.bytes()).fold(0, |number, i| number | u64::from(byte(i)) << (8 * i));
        let unused = 64 - width.bits();
        if signed { ((number << unused) as i64 >> unused) as u64 } else { number }
    }
}
