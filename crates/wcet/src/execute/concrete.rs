//! A path that is the only one, executed on numbers instead of sets of them.
//!
//! Where a program finds all its inputs in memory that is known, there is often
//! but one path, and it may be a hundred million instructions long. It is
//! executed as a processor does it, on the same decoded blocks and with the same
//! machine, and on the same grounds as sets of values are: the stack lies apart,
//! and of what a register held at entry nothing is known but that it is that.
//! Whatever depends on something else ends this, and sets of values decide.

mod bits;
mod floats;
mod known;
mod memory;
mod number;
mod told;

use std::collections::BTreeMap;

use self::floats::Floats;
use self::known::{Inside, Known};
use self::memory::{Memory, Place};
use self::number::{Kind, Number, is_near};
use self::told::Told;
use super::code::Code;
use super::granted::{Boundary, Facts, Used};
use super::ways::Visit;
use super::work::Work;
use crate::flow::Block;
use crate::machine::Machine;
use crate::setting::Setting;
use crate::state::{Access, State};
use crate::value::{Base, Range, Value};
use fusee_isa::language::{
    Address, Effect, Flow, Instruction, Operand, REGISTERS, Register, Target, Width,
};

/// Instructions for each block of the effort.
const INSTRUCTIONS: u64 = 80;

/// A call in progress.
struct Frame {
    function: usize,
    block: usize,
    /// Iterations of each loop since it was entered.
    iterations: Vec<u64>,
    return_address: Number,
}

/// Facts that are false, with the reason.
pub(super) type Refuted = BTreeMap<Used, String>;

/// The result of the path.
pub(super) struct Found {
    pub(super) time: u64,
    /// The lowest that the stack pointer was, if that is known.
    pub(super) lowest: Option<i64>,
    /// Each block, in the order in which they were executed first.
    pub(super) way: Vec<Visit>,
    /// The blocks with their last instructions.
    pub(super) reached: BTreeMap<u64, u64>,
    /// Loops with the most iterations.
    pub(super) loops: BTreeMap<u64, u64>,
    /// The most calls of each function under way at once, if more than one.
    pub(super) recursions: BTreeMap<u64, u64>,
    /// Facts that the path does not need and shows to be false, with the reason.
    pub(super) refuted: Refuted,
    /// True if it rests on how floating-point numbers are rounded at entry.
    pub(super) rounds: bool,
}

/// The execution of the only path.
pub(super) struct ConcreteRun<'p, 'c, M: Machine> {
    setting: Setting<'p>,
    machine: &'p M,
    facts: &'p Facts,
    kind: Kind,
    stack_pointer: Register,
    code: &'c mut Code,
    registers: [Number; REGISTERS],
    floats: Floats,
    memory: Memory<'p>,
    timing: M::Timing,
    known: Vec<Known>,
    by_entry: BTreeMap<u64, usize>,
    frames: Vec<Frame>,
    lowest: Option<i64>,
    way: Vec<Visit>,
    time: u64,
    /// The memory accesses of the instruction under way.
    accesses: Vec<Access>,
    told: Told,
}

/// The error that code cannot be followed on numbers.
struct Lost;

/// A block that is being executed, and the time before it.
#[derive(Clone, Copy)]
struct Begun<'b> {
    block: &'b Block,
    before: u64,
}

impl<'p, 'c, M: Machine> ConcreteRun<'p, 'c, M> {
    /// At the beginning of a path of which this state is known.
    pub(super) fn new(
        (setting, machine, facts): (Setting<'p>, &'p M, &'p Facts),
        code: &'c mut Code,
        state: State,
    ) -> Self {
        let registers = std::array::from_fn(|index| {
            Number::of(state.get(Register::new(index as u8)), index as u8)
        });
        let architecture = setting.architecture();
        let (whole, alignment) = (setting.register_width(), architecture.stack_alignment());
        Self {
            setting,
            machine,
            facts,
            kind: Kind { whole, alignment },
            stack_pointer: architecture.stack_pointer(),
            code,
            registers,
            floats: Floats::default(),
            memory: Memory::new(state, setting),
            timing: machine.at_entry(),
            known: Vec::new(),
            by_entry: BTreeMap::new(),
            frames: Vec::new(),
            lowest: Some(0),
            way: Vec::new(),
            time: 0,
            accesses: Vec::new(),
            told: Told::default(),
        }
    }

    /// Executes a function to its return, if nothing is in the way.
    pub(super) fn run(mut self, entry: u64, work: &mut Work<'_>) -> Option<Found> {
        // Totals and exclusions need counts along the path that are not kept here.
        let across = self.facts.totals.is_empty() && self.facts.exclusions.is_empty();
        let link = self.setting.architecture().link();
        let back = self.registers[link.index()];
        if !across || self.call(entry, back, work).is_err() {
            return None;
        }
        let mut executed = 0;
        loop {
            match self.block(&mut executed, work) {
                Ok(true) => {}
                Ok(false) => return Some(self.found()),
                Err(Lost) => return None,
            }
            while executed >= INSTRUCTIONS {
                executed -= INSTRUCTIONS;
                if !work.begin_block(0) {
                    return None;
                }
            }
        }
    }

    fn found(self) -> Found {
        let (mut loops, mut reached) = (BTreeMap::new(), BTreeMap::new());
        let (mut recursions, mut refuted) = (BTreeMap::new(), self.told.refuted);
        for known in &self.known {
            for inside in known.loops.iter().filter(|inside| inside.is_entered) {
                refuted.extend(inside.refuted());
                let most: &mut u64 = loops.entry(inside.header).or_default();
                *most = inside.most.max(*most);
            }
            for (block, _) in
                known.function.blocks.iter().zip(&known.slots).filter(|(_, slot)| slot.is_some())
            {
                let last: &mut u64 = reached.entry(block.address()).or_default();
                *last = block.last().address.max(*last);
            }
            if known.deepest > 1 {
                recursions.insert(known.function.entry, known.deepest);
            }
        }
        let Self { time, lowest, way, floats, .. } = self;
        let rounds = floats.rounds;
        Found { time, lowest, way, reached, loops, recursions, refuted, rounds }
    }

    /// Executes the block at which the innermost call is; says whether the path goes on.
    fn block(&mut self, executed: &mut u64, work: &mut Work<'_>) -> Result<bool, Lost> {
        let frame = self.frames.last().ok_or(Lost)?;
        let (index, at) = (frame.function, frame.block);
        let function = self.known[index].function.clone();
        let block: &Block = &function.blocks[at];
        let (last, rest) = block.instructions.split_last().ok_or(Lost)?;
        let before = self.time;
        *executed += block.instructions.len() as u64;
        for instruction in rest {
            self.told.at = instruction.address;
            self.perform(instruction)?;
            self.spend(instruction, false)?;
        }
        if let Some(guard) = &last.guard {
            // A condition that is not known makes two paths of one, so this execution ends.
            let (left, right) = (self.operand(guard.left), self.operand(guard.right));
            if !Number::compare(guard.comparison, left, right).ok_or(Lost)? {
                self.told.at = last.address;
                self.apply(&guard.otherwise)?;
                self.spend(last, false)?;
                self.visit((index, at), block, before);
                return self.arrive(last.next_address()).map(|()| true);
            }
        }
        self.leave(last, (index, at), Begun { block, before }, work)
    }

    /// Executes the last instruction of a block, and goes where it leads.
    fn leave(
        &mut self,
        last: &Instruction,
        place: (usize, usize),
        Begun { block, before }: Begun<'_>,
        work: &mut Work<'_>,
    ) -> Result<bool, Lost> {
        let next = last.next_address();
        self.told.at = last.address;
        // What is stated is not executed, and what it leaves in registers and memory is not known.
        if self.facts.times.contains_key(&Boundary::Instruction(last.address)) {
            return Err(Lost);
        }
        self.perform(last)?;
        let target = |single: &Self, target: Target| match target {
            Target::Fixed(target) => Ok(target),
            Target::Computed(address) => match single.address(address) {
                Number::Known(number) => {
                    let architecture = single.setting.architecture();
                    Ok(single.setting.wrap(architecture.jump_target(number)))
                }
                _ => Err(Lost),
            },
        };
        let (taken, to) = match last.flow {
            Flow::Next => (false, next),
            Flow::Jump(to) => (true, target(self, to)?),
            Flow::Branch { comparison, left, right, target } => {
                let (left, right) = (self.operand(left), self.operand(right));
                let holds = Number::compare(comparison, left, right).ok_or(Lost)?;
                (holds, if holds { target } else { next })
            }
            Flow::Call { target: to, .. } => (true, target(self, to)?),
            Flow::Return { .. } => (true, 0),
            _ => return Err(Lost),
        };
        self.spend(last, taken)?;
        self.visit(place, block, before);
        if let Flow::Jump(Target::Computed(_)) | Flow::Call { target: Target::Computed(_), .. } =
            last.flow
        {
            self.hold_targets(last.address, to);
        }
        match last.flow {
            Flow::Call { link, .. } => {
                let back = Number::Known(self.setting.register_number(next));
                self.registers[link.index()] = back;
                self.call(to, back, work)?;
            }
            Flow::Return { link } => {
                let frame = self.frames.pop().ok_or(Lost)?;
                self.known[frame.function].active -= 1;
                let back = self.registers[link.index()];
                match back {
                    Number::Any => return Err(Lost),
                    // A return to another place ends several calls at once, which sets of values
                    // follow.
                    _ if back != frame.return_address => return Err(Lost),
                    // The entry returns to what the link register held, which need not be a number.
                    _ if self.frames.is_empty() => return Ok(false),
                    Number::Known(back) => self.arrive(self.setting.wrap(back))?,
                    _ => return Err(Lost),
                }
            }
            Flow::Jump(Target::Computed(_)) => {
                self.learn(last.address, to)?;
                self.arrive(to)?;
            }
            _ => self.arrive(to)?,
        }
        Ok(true)
    }

    /// The path goes on at a block of the function under way.
    fn arrive(&mut self, address: u64) -> Result<(), Lost> {
        let frame = self.frames.last_mut().ok_or(Lost)?;
        let known = &mut self.known[frame.function];
        let blocks = &known.function.blocks;
        // Nearly always it is a successor, and that is found faster than by a look-up among all
        // blocks.
        let near = blocks[frame.block].successors.iter().copied();
        let next = near.into_iter().find(|&next| blocks[next].address() == address);
        let next = next.or_else(|| known.function.block_at(address)).ok_or(Lost)?;
        for &one in &known.headed[next] {
            let inside = &mut known.loops[one];
            let count = &mut frame.iterations[one];
            // From inside control comes back for another iteration; from outside the loop begins
            // anew.
            *count = match inside.blocks.contains(&frame.block) {
                true => *count + u64::from(inside.back_to.contains(&next)),
                false => 0,
            };
            inside.turn(*count)?;
        }
        frame.block = next;
        known.enter(next)
    }

    /// A function is called.
    fn call(&mut self, entry: u64, back: Number, work: &mut Work<'_>) -> Result<(), Lost> {
        let is_replaced = !self.frames.is_empty() && self.facts.replaces(entry);
        if is_replaced || self.frames.len() >= work.effort.depth {
            return Err(Lost);
        }
        let function = match self.by_entry.get(&entry) {
            Some(&function) => function,
            None => {
                let found = self.code.function(self.setting.program(), entry);
                let (function, decoded) = found.map_err(|_| Lost)?;
                work.spend(decoded);
                self.known.push(Known::new(function, self.facts));
                self.by_entry.insert(entry, self.known.len() - 1);
                self.known.len() - 1
            }
        };
        let known = &mut self.known[function];
        let calls = known.call();
        self.told.hold_calls(self.facts, entry, calls);
        if self.facts.recursion.get(&entry).is_some_and(|&most| known.active > most) {
            return Err(Lost);
        }
        let block = known.function.block_at(entry).ok_or(Lost)?;
        for &one in &known.headed[block] {
            known.loops[one].turn(0)?;
        }
        known.enter(block)?;
        let iterations = vec![0; known.loops.len()];
        self.frames.push(Frame { function, block, iterations, return_address: back });
        Ok(())
    }

    /// A computed jump leads somewhere; where that is new, the function is cut into blocks again.
    fn learn(&mut self, jump: u64, to: u64) -> Result<(), Lost> {
        if self.code.knows(jump, &[to].into()) {
            return Ok(());
        }
        self.code.learn(jump, [to].into());
        // Several functions may share the jump.
        for index in 0..self.known.len() {
            let old = self.known[index].function.clone();
            if !old.holds(jump) {
                continue;
            }
            let found = self.code.function(self.setting.program(), old.entry);
            let (function, _) = found.map_err(|_| Lost)?;
            let mut new = Known::new(function, self.facts);
            new.go_on_as(&self.known[index]);
            // What was seen of loops goes on where they still are the same.
            for inside in &mut new.loops {
                let same = self.known[index].loops.iter().find(|one| one.header == inside.header);
                if let Some(same) = same {
                    (inside.most, inside.is_entered) = (same.most, same.is_entered);
                }
            }
            // Calls under way must go on at the same place, among blocks with new numbers.
            for frame in self.frames.iter_mut().filter(|frame| frame.function == index) {
                let at = old.blocks[frame.block].address();
                frame.block = new.function.block_at(at).ok_or(Lost)?;
                let counted = |inside: &Inside| {
                    let before = self.known[index].loops.iter().zip(&frame.iterations);
                    before.into_iter().find(|(one, _)| one.header == inside.header)
                };
                let counts = new.loops.iter().map(|inside| counted(inside).map_or(0, |(_, &n)| n));
                frame.iterations = counts.collect();
            }
            self.known[index] = new;
        }
        Ok(())
    }

    /// Notes that a block was executed, from that time on.
    fn visit(&mut self, (function, block): (usize, usize), code: &Block, before: u64) {
        let misses = self.machine.take_misses(&mut self.timing);
        let slot = &mut self.known[function].slots[block];
        let time = self.time - before;
        match *slot {
            Some(slot) => self.way[slot].add(time, misses),
            None => {
                *slot = Some(self.way.len());
                self.way.push(Visit::once(code.address(), time, misses));
            }
        }
    }

    /// Does all that an instruction does but going on.
    fn perform(&mut self, instruction: &Instruction) -> Result<(), Lost> {
        match &instruction.float {
            Some(float) => self.calculate(float, instruction),
            None => self.apply(&instruction.effects),
        }
    }

    fn spend(&mut self, instruction: &Instruction, taken: bool) -> Result<(), Lost> {
        if self.machine.lacks(instruction.class).is_some() {
            return Err(Lost);
        }
        self.time += self.machine.execute(&mut self.timing, instruction, &self.accesses, taken);
        Ok(())
    }

    fn apply(&mut self, effects: &[Effect]) -> Result<(), Lost> {
        self.accesses.clear();
        for effect in effects {
            match *effect {
                Effect::Compute { target, operation, left, right, width } => {
                    let sides = (self.operand(left), self.operand(right));
                    self.set(target, Number::compute(operation, sides, width, self.kind));
                }
                Effect::Load { target, address, width, signed } => {
                    let address = self.address(address);
                    let number = match self.place(address) {
                        Some(place) => self.memory.load(place, width, signed),
                        None => Number::Any,
                    };
                    self.set(target, number);
                    self.touch(address, width, false);
                }
                Effect::Store { address, value, width } => {
                    let (address, value) = (self.address(address), self.operand(value));
                    // A store at an unknown place would end all that is known of memory.
                    let place = self.place(address).ok_or(Lost)?;
                    self.hold_table(place, width);
                    self.memory.store(place, (value, width), self.kind.whole);
                    self.touch(address, width, true);
                }
                Effect::Unknown { target } => self.set(target, Number::Any),
                // A store through what is lost sight of has no known place, and ends this
                // execution. So there is nothing to note here.
                Effect::Hide { .. } => {}
                Effect::Atomic { .. } => return Err(Lost),
            }
        }
        Ok(())
    }

    fn touch(&mut self, address: Number, width: Width, write: bool) {
        // Millions of instructions are executed, and such a machine would not read this list.
        if !M::SEES_DATA {
            return;
        }
        let address = match address {
            Number::Known(number) => Value::constant(self.setting.wrap(number)),
            Number::Stack(at) => Value { base: Base::Stack, range: Range::constant(at) },
            _ => Value::ANY,
        };
        self.accesses.push(Access { address, width, write, atomic: false });
    }

    fn place(&self, address: Number) -> Option<Place> {
        match address {
            Number::Known(number) => {
                Some(Place { in_stack: false, at: self.setting.wrap(number) as i64 })
            }
            Number::Stack(at) if is_near(at) => Some(Place { in_stack: true, at }),
            _ => None,
        }
    }

    fn operand(&self, operand: Operand) -> Number {
        match operand {
            Operand::Register(register) => self.registers[register.index()],
            Operand::Constant(number) => Number::Known(number),
        }
    }

    fn address(&self, address: Address) -> Number {
        self.operand(address.base).moved(address.offset)
    }

    fn set(&mut self, register: Register, number: Number) {
        // What is written there is never read back: on RISC-V it is the register that is always 0.
        if register == Register::LOST {
            return;
        }
        self.registers[register.index()] = number;
        if register == self.stack_pointer {
            self.lowest = match (number, self.lowest) {
                (Number::Stack(at), Some(lowest)) => Some(lowest.min(at)),
                _ => None,
            };
        }
    }
}
