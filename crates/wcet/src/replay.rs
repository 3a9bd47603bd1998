//! One execution on a machine: what a trace would cost.
//!
//! A bound covers all executions; this is a single one, instruction by
//! instruction with the addresses it really touched. So a machine can be held
//! against hardware that ran the same trace, without the analysis of paths
//! between them.

use crate::machine::Follows;
use crate::program::Program;
use crate::state::Access;
use crate::value::Value;
use fusee_isa::language::{Address, Effect, Flow, Instruction, Operand, REGISTERS, Register};

/// One executed instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Executed {
    /// The address of it.
    pub address: u64,
    /// The number in its register afterwards, if it writes one.
    pub result: u64,
}

/// A machine that follows an execution.
pub struct Replay<'a, M: Follows> {
    program: &'a Program,
    machine: &'a M,
    timing: M::Timing,
    registers: [u64; REGISTERS],
    /// The instruction whose successor is not known yet, with its accesses.
    last: Option<(Instruction, Vec<Access>)>,
    time: u64,
}

impl<'a, M: Follows> Replay<'a, M> {
    /// At the start of an execution; nothing is known of caches.
    pub fn new(program: &'a Program, machine: &'a M) -> Self {
        Self {
            program,
            machine,
            timing: machine.begin(),
            registers: [0; REGISTERS],
            last: None,
            time: 0,
        }
    }

    /// Returns the time of all instructions but the last one, of which it is not known where it
    /// leads.
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Returns what a register holds now, as far as the trace has shown it.
    pub fn register(&self, register: Register) -> u64 {
        self.registers[register.index()]
    }

    /// Whatever came between behind the last instruction has left nothing of what the machine
    /// remembers; where that instruction leads is not known, and its time is not counted.
    pub fn interrupt(&mut self) {
        self.last = None;
        self.timing = self.machine.begin();
    }

    /// Goes on by one instruction; gives the time of the one before it.
    ///
    /// Nothing where there is no instruction at the address.
    pub fn step(&mut self, executed: Executed) -> Option<u64> {
        // Only now is it known where the instruction before has led.
        let spent = self.finish(executed.address);
        let instruction = self.program.instruction(executed.address).ok()?;
        // Addresses are told by the registers before the instruction, so
        // they come before its result.
        let accesses =
            instruction.effects.iter().filter_map(|effect| self.access(effect)).collect();
        let target = instruction.effects.iter().find_map(Effect::target);
        // A call writes its return address, which is no effect of its own.
        let link = match instruction.flow {
            Flow::Call { link, .. } => Some(link),
            _ => None,
        };
        for register in target.into_iter().chain(link) {
            self.registers[register.index()] = executed.result;
        }
        self.last = Some((instruction, accesses));
        Some(spent)
    }

    fn finish(&mut self, next: u64) -> u64 {
        let Some((last, accesses)) = self.last.take() else { return 0 };
        // Of a branch to what stands behind it no trace tells; that it was taken costs more.
        let nowhere =
            matches!(last.flow, Flow::Branch { target, .. } if target == last.next_address());
        let taken = last.flow != Flow::Next && (nowhere || next != last.next_address());
        let spent = self.machine.follow(&mut self.timing, &last, &accesses, taken);
        self.time += spent;
        spent
    }

    fn access(&self, effect: &Effect) -> Option<Access> {
        let (address, width, write, atomic) = match *effect {
            Effect::Load { address, width, .. } => (address, width, false, false),
            Effect::Store { address, width, .. } => (address, width, true, false),
            Effect::Atomic { address, width, .. } => (address, width, true, true),
            Effect::Compute { .. } | Effect::Unknown { .. } | Effect::Hide { .. } => return None,
        };
        Some(Access { address: Value::constant(self.address(address)), width, write, atomic })
    }

    fn address(&self, address: Address) -> u64 {
        let base = match address.base {
            Operand::Register(register) => self.registers[register.index()],
            Operand::Constant(constant) => constant,
        };
        self.program.wrap(base.wrapping_add_signed(address.offset))
    }
}
