//! The execution of a kernel: it is left, not returned from.
//!
//! A path ends where the processor goes back to user mode. It also ends where
//! the kernel waits for an interrupt or looks whether one is pending: an
//! interrupt that comes before this is taken here. What follows is another path,
//! whose time begins at 0; the block in which the kernel looks counts for both.
//!
//! An instruction that raises an exception on purpose, and a loop that nothing
//! leaves, stop the system; nobody waits for anything then.

use std::collections::BTreeSet;

use super::Engine;
use super::mode::{Loaded, Mode};
use crate::execute::KernelRun;
use crate::execute::path::{Frame, Path};
use crate::execute::ways::{Visit, Way};
use crate::flow::{Block, Loop, Node};
use crate::invariant::Learned;
use crate::machine::{Machine, Misses};
use crate::program::Program;
use crate::setting::Setting;
use crate::state::{Access, State};
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Address, Effect, Flow, Instruction, Operand, Target, Width};
use fusee_isa::riscv::PENDING;

const PANICS: &str =
    "an instruction that only raises an exception is not reached: the system would stand still";
const HALTS: &str = "a loop that nothing leaves is not reached: the system would stand still";

const TABLES: &str =
    "the index into a jump table that no comparison bounds is one of the table's, as its type says";
/// Jump tables are not longer than this.
const TABLE: usize = 256;

/// The mode of a kernel.
#[derive(Debug, Default)]
pub(in crate::execute) struct Kernel {
    /// The longest path that has ended, from the entry and from a look at pending interrupts.
    ended: [Option<(u64, Way)>; 2],
    learned: Learned,
    pauses: u64,
    /// True if a path was cut for others to go on.
    is_cut: bool,
    /// Addresses at which paths begin anew, with an empty stack.
    pub(in crate::execute) resumptions: BTreeSet<u64>,
}

impl Mode for Kernel {
    // What is assumed of memory is about to change: what stands in the way is looked for when it no
    // longer does.
    const GUESSES: bool = false;
    // What was stored is learnt for good.
    const TAKES_BACK: bool = false;
    // Paths end within a loop as well: where the kernel is left, and where it looks for interrupts.
    const REFUTES: bool = false;
    const RETURNS: bool = false;
    const STANDS_STILL: Option<&'static str> = Some(PANICS);

    fn assumption(_: &Program) -> Option<String> {
        None
    }

    fn effects<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        state: &mut State,
        effects: &[Effect],
    ) -> Vec<Access> {
        let elsewhere =
            engine.subject.setting.invariant().is_some_and(|b| b.stores_elsewhere(engine.at));
        let mut accesses = Vec::new();
        for effect in effects {
            match *effect {
                Effect::Store { address, value, width } if elsewhere => {
                    // With a name for its base the place is found again by loads through the same
                    // pointer.
                    if let Operand::Register(base) = address.base {
                        state.name_register(base);
                    }
                    let address = state.address(address, engine.subject.setting);
                    state.store_elsewhere(address, value, width);
                    // The store reaches nothing that is known, but it takes its time.
                    accesses.push(Access { address, width, write: true, atomic: false });
                    continue;
                }
                Effect::Atomic { target, address, width } if elsewhere => {
                    let address = state.address(address, engine.subject.setting);
                    accesses.push(Access { address, width, write: true, atomic: true });
                    if let Some(target) = target {
                        state.set(target, Value::number(Range::of_width(Width::Double, true)));
                    }
                    continue;
                }
                Effect::Store { address, value, width } => {
                    engine.learn(state, address, value, width)
                }
                Effect::Atomic { address, width, .. } => {
                    let address = state.address(address, engine.subject.setting);
                    // What an atomic operation leaves there is not followed, so it is taken for any
                    // number.
                    let all = Range::of_width(width, true);
                    engine.mode.learned.store(engine.at, address, width, all);
                }
                _ => {}
            }
            accesses.extend(state.apply(effect, engine.subject.setting));
        }
        // Half of an address is no stack.
        let begun = |effect: &Effect| match *effect {
            Effect::Compute { target, left: Operand::Constant(_), .. } => {
                target == engine.stack_pointer()
            }
            _ => false,
        };
        if !effects.iter().any(begun) {
            engine.watch_stack(state);
        }
        accesses
    }

    /// Returns the entries of a jump table whose index nothing bounds: those that lead into the
    /// function of the jump.
    ///
    /// A compiler leaves the comparison out where the type of the index allows no other number.
    fn table_entries<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        state: &State,
        table: &Loaded,
    ) -> Vec<Value> {
        let Loaded { address, width, signed } = *table;
        if address.base != Base::None
            || address.range.steps() == 0
            || width != engine.subject.setting.register_width()
        {
            return Vec::new();
        }
        // Only a table whose contents never change lists the places to which its jump can lead.
        let low = engine.subject.setting.wrap(address.range.low() as u64);
        if engine
            .subject
            .setting
            .invariant()
            .is_none_or(|b| b.read(low, width, &engine.subject.setting).is_none())
        {
            return Vec::new();
        }
        let Some(function) = engine.subject.setting.function_at(engine.at) else {
            return Vec::new();
        };
        let inside = function.address..function.address + function.size;
        let setting = engine.subject.setting;
        let numbers: Vec<i64> = address.range.numbers().take(TABLE).collect();
        let all = numbers.len() as u64 == address.range.steps() + 1;
        let entry = |&offset: &i64| {
            state
                .peek(Value::constant(offset as u64), width, signed, engine.subject.setting)
                .as_constant()
        };
        let entries: BTreeSet<Option<u64>> = numbers.iter().map(entry).collect();
        let valid: Vec<Value> = entries
            .iter()
            .flatten()
            .filter(|&&target| inside.contains(&setting.wrap(target)))
            .map(|&target| Value::constant(target))
            .collect();
        // What leads elsewhere is taken to lie behind the table. That is an assumption, so the
        // result must list it.
        if valid.len() < entries.len() || !all {
            engine.findings.assume(TABLES);
        }
        valid
    }

    /// Cuts a path where the kernel looks for interrupts, at the end of this block; nothing if what
    /// follows is known.
    ///
    /// Behind a cut only the stack is known as it is, all other memory as it always is: so the
    /// paths of all entries go on alike, and once is enough. Where the stack is empty as well,
    /// nothing is known: that is an entry of its own, and nobody is returned to.
    fn cut<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        mut path: Path<M::Timing>,
        (block, before): (&Block, u64),
    ) -> Option<Path<M::Timing>> {
        let waits = matches!(block.last().flow, Flow::WaitForInterrupt);
        let looks = block.instructions.iter().any(looks_for_interrupts);
        let stack =
            engine.subject.setting.invariant().map(|b| b.stack.clone()).filter(|_| waits || looks);
        let Some(stack) = stack else { return Some(path) };
        // An interrupt may be taken here, so the path up to here is a whole one.
        engine.mode.ends(&path);
        engine.mode.pauses += 1;
        let pointer = path.state.get(engine.stack_pointer());
        let empty =
            pointer.as_constant().is_some_and(|at| engine.subject.setting.wrap(at) == stack.end);
        if waits && empty {
            engine.mode.resumptions.insert(block.last().next_address());
            return None;
        }
        engine.mode.is_cut = true;
        path.state.keep_only(stack);
        if engine.goes_on_alike(block.address(), &mut path.state) {
            return None;
        }
        // A handler may have run in between, and left anything in caches and pipeline.
        path.timing = engine.subject.machine.at_entry();
        // The look is somewhere in this block. An interrupt right behind it waits for the rest of
        // the block, so that counts here as well.
        path.time = if looks { path.time - before } else { 0 };
        path.way = engine
            .ways
            .extend(Way::START, Visit::once(block.address(), path.time, Misses::default()));
        path.resumed = true;
        Some(path)
    }

    fn return_from_trap<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        _: &mut Frame<M::Timing>,
        path: Path<M::Timing>,
    ) {
        engine.mode.ends(&path);
    }

    /// Not where stacks are filled differently.
    fn may_join(one: &State, other: &State, setting: Setting<'_>) -> bool {
        let pointer = setting.architecture().stack_pointer();
        one.get(pointer) == other.get(pointer)
    }

    fn stands_still<M: Machine>(
        engine: &mut Engine<'_, M, Self>,
        frame: &Frame<M::Timing>,
        looping: &Loop,
    ) -> bool {
        let mut inside = Vec::new();
        collect(&looping.body, &mut inside);
        let leaves = |&block: &usize| {
            let block = &frame.function.blocks[block];
            let leads_out = block.successors.iter().any(|next| !inside.contains(next));
            // Where these lead is not looked into, so they count as a way out.
            let unclear = matches!(
                block.last().flow,
                Flow::Return { .. }
                    | Flow::TrapReturn
                    | Flow::Jump(Target::Computed(_))
                    | Flow::SystemCall
                    | Flow::Call { .. }
            );
            leads_out || unclear
        };
        let still = !inside.iter().any(leaves);
        if still {
            engine.findings.assume(HALTS);
        }
        still
    }

    fn ended(&self) -> [Option<(u64, Way)>; 2] {
        self.ended
    }

    fn pauses(&self) -> u64 {
        self.pauses
    }

    fn run(self) -> KernelRun {
        KernelRun { resumed: None, learned: self.learned, is_cut: self.is_cut }
    }
}

impl Kernel {
    /// A path leaves the kernel, or is cut in two.
    fn ends<T>(&mut self, path: &Path<T>) {
        let longest = &mut self.ended[usize::from(path.resumed)];
        // Paths from the entry and from a look are kept apart: each has a bound of its own.
        if longest.is_none_or(|(time, _)| time < path.time) {
            *longest = Some((path.time, path.way));
        }
    }
}

impl<M: Machine> Engine<'_, M, Kernel> {
    /// Notes what a store may change, field by field.
    fn learn(&mut self, state: &State, address: Address, value: Operand, width: Width) {
        let place = state.address(address, self.subject.setting);
        let stack = self.subject.setting.invariant().map_or(0..0, |b| b.stack.clone());
        let (low, end) =
            (place.range.low() as u64, (place.range.high() as u64).saturating_add(width.bytes()));
        // What is on the stack is gone when the path ends.
        if place.base == Base::None && stack.contains(&low) && end <= stack.end {
            return;
        }
        // A wide store that copies fields is learnt field by field. As one number each field would
        // hold whatever any of them can.
        let parts = state.fields(value, width);
        if parts.is_empty() {
            let numbers = state.numbers(state.operand(value)).truncated(width);
            self.mode.learned.store(self.at, place, width, numbers);
        }
        for (offset, width, numbers) in parts {
            let Some(range) = place.range.shifted(offset as i64) else { continue };
            self.mode.learned.store(self.at, Value { range, ..place }, width, numbers);
        }
    }

    /// The stack is where the start has put it; another address in the stack pointer is no stack.
    fn watch_stack(&mut self, state: &State) {
        let Some(stack) = self.subject.setting.invariant().map(|b| b.stack.clone()) else {
            return;
        };
        let pointer = state.get(self.stack_pointer());
        let address = |at: i64| self.subject.setting.wrap(at as u64);
        let low = address(pointer.range.low());
        // At the entry the stack pointer may still be a thread's: that uses no stack of the kernel.
        if pointer.base == Base::None
            && stack.contains(&low)
            && address(pointer.range.high()) <= stack.end
        {
            let used = -((stack.end - low) as i64);
            self.findings.lowest_stack = self.findings.lowest_stack.map(|lowest| lowest.min(used));
        }
    }
}

fn looks_for_interrupts(instruction: &Instruction) -> bool {
    let pending = Operand::Register(PENDING);
    instruction
        .effects
        .iter()
        .any(|effect| matches!(*effect, Effect::Compute { left, .. } if left == pending))
}

fn collect(nodes: &[Node], blocks: &mut Vec<usize>) {
    for node in nodes {
        match node {
            Node::Block(block) => blocks.push(*block),
            Node::Loop(inner) => collect(&inner.body, blocks),
        }
    }
}
