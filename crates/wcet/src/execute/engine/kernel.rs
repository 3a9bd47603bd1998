//! What is different where a kernel is executed: it is left, not returned from.
//!
//! A path ends where the processor goes back to user mode. It also ends where
//! the kernel waits for an interrupt or looks whether one is pending: an
//! interrupt that comes before this is taken here. What follows is another path,
//! whose time begins at 0; the block in which the kernel looks counts for both.
//!
//! An instruction that raises an exception on purpose, and a loop that nothing
//! leaves, stop the system; nobody waits for anything then.

use super::Engine;
use crate::execute::path::{Frame, Path};
use crate::execute::ways::{Visit, Way};
use crate::flow::{Block, Loop, Node};
use crate::machine::{Machine, Misses};
use crate::state::{Access, State};
use crate::value::{Base, Value};
use fusee_isa::language::{Address, Effect, Flow, Instruction, Operand, Target, Width};
use fusee_isa::riscv::PENDING;

const PANICS: &str =
    "an instruction that only raises an exception is not reached: the system would stand still";
const HALTS: &str = "a loop that nothing leaves is not reached: the system would stand still";

const TABLES: &str =
    "the index into a jump table that no comparison bounds is one of the table's, as its type says";
/// Jump tables are not longer than this.
const TABLE: usize = 256;

impl<M: Machine> Engine<'_, M> {
    /// Whether this is a kernel's code, of whose memory something is known.
    pub(super) fn is_kernel(&self) -> bool {
        self.subject.program.background().is_some()
    }

    /// The effects of an instruction, with all that is stored.
    pub(super) fn kernel_effects(&mut self, state: &mut State, effects: &[Effect]) -> Vec<Access> {
        let elsewhere =
            self.subject.program.background().is_some_and(|b| b.stores_elsewhere(self.at));
        let mut accesses = Vec::new();
        for effect in effects {
            match *effect {
                Effect::Store { address, value, width } if elsewhere => {
                    if let Operand::Register(base) = address.base {
                        state.name_register(base);
                    }
                    let address = state.address(address, self.subject.program);
                    state.store_elsewhere(address, value, width);
                    accesses.push(Access { address, width, write: true, atomic: false });
                    continue;
                }
                Effect::Atomic { target, address, width } if elsewhere => {
                    let address = state.address(address, self.subject.program);
                    accesses.push(Access { address, width, write: true, atomic: true });
                    if let Some(target) = target {
                        state.set(
                            target,
                            Value::number(crate::value::Range::of_width(Width::Double, true)),
                        );
                    }
                    continue;
                }
                Effect::Store { address, value, width } => self.learn(state, address, value, width),
                Effect::Atomic { address, width, .. } => {
                    let address = state.address(address, self.subject.program);
                    let all = crate::value::Range::of_width(width, true);
                    self.kernel.learned.store(self.at, address, width, all);
                }
                _ => {}
            }
            accesses.extend(state.apply(effect, self.subject.program));
        }
        // Half of an address is no stack.
        let begun = |effect: &Effect| match *effect {
            Effect::Compute { target, left: Operand::Constant(_), .. } => {
                target == self.stack_pointer()
            }
            _ => false,
        };
        if !effects.iter().any(begun) {
            self.watch_stack(state);
        }
        accesses
    }

    /// Notes what a store may change, field by field.
    fn learn(&mut self, state: &State, address: Address, value: Operand, width: Width) {
        let place = state.address(address, self.subject.program);
        let stack = self.subject.program.background().map_or(0..0, |b| b.stack.clone());
        let (low, end) =
            (place.range.low() as u64, (place.range.high() as u64).saturating_add(width.bytes()));
        // What is on the stack is gone when the path ends.
        if place.base == Base::None && stack.contains(&low) && end <= stack.end {
            return;
        }
        let parts = state.fields(value, width);
        if parts.is_empty() {
            let numbers = state.numbers(state.operand(value)).truncated(width);
            self.kernel.learned.store(self.at, place, width, numbers);
        }
        for (offset, width, numbers) in parts {
            let Some(range) = place.range.shifted(offset as i64) else { continue };
            self.kernel.learned.store(self.at, Value { range, ..place }, width, numbers);
        }
    }

    /// The stack is where the start has put it; another address in the stack pointer is no stack.
    fn watch_stack(&mut self, state: &State) {
        let Some(stack) = self.subject.program.background().map(|b| b.stack.clone()) else {
            return;
        };
        let pointer = state.get(self.stack_pointer());
        let low = pointer.range.low() as u64;
        if pointer.base == Base::None
            && stack.contains(&low)
            && pointer.range.high() as u64 <= stack.end
        {
            let used = -((stack.end - low) as i64);
            self.findings.lowest_stack = self.findings.lowest_stack.map(|lowest| lowest.min(used));
        }
    }

    /// A path leaves the kernel, or is cut in two.
    pub(super) fn ends(&mut self, path: &Path<M::Timing>) {
        let longest = &mut self.kernel.ended[usize::from(path.resumed)];
        if longest.is_none_or(|(time, _)| time < path.time) {
            *longest = Some((path.time, path.way));
        }
    }

    /// Cuts a path where the kernel looks for interrupts, at the end of this block; nothing if what
    /// follows is known.
    ///
    /// Behind a cut only the stack is known as it is, all other memory as it always is: so the
    /// paths of all entries go on alike, and once is enough. Where the stack is empty as well,
    /// nothing is known: that is an entry of its own, and nobody is returned to.
    pub(super) fn cut(
        &mut self,
        mut path: Path<M::Timing>,
        block: &Block,
        before: u64,
    ) -> Option<Path<M::Timing>> {
        let waits = matches!(block.last().flow, Flow::WaitForInterrupt);
        let looks = block.instructions.iter().any(looks_for_interrupts);
        let stack =
            self.subject.program.background().map(|b| b.stack.clone()).filter(|_| waits || looks);
        let Some(stack) = stack else { return Some(path) };
        self.ends(&path);
        self.kernel.pauses += 1;
        let pointer = path.state.get(self.stack_pointer());
        let empty =
            pointer.as_constant().is_some_and(|at| self.subject.program.wrap(at) == stack.end);
        if waits && empty {
            self.kernel.resumptions.insert(block.last().next_address());
            return None;
        }
        self.kernel.is_cut = true;
        path.state.keep_only(stack);
        if self.goes_on_alike(block.address(), &mut path.state) {
            return None;
        }
        path.timing = self.subject.machine.at_entry();
        path.time = if looks { path.time - before } else { 0 };
        path.way = self
            .ways
            .extend(Way::START, Visit::once(block.address(), path.time, Misses::default()));
        path.resumed = true;
        Some(path)
    }

    /// Whether a path that is cut at a place goes on as one before it; if not, it goes on for all
    /// that were cut there.
    pub(super) fn goes_on_alike(&mut self, place: u64, state: &mut State) -> bool {
        self.cuts.goes_on_alike((place, &self.calls), state, self.subject.program)
    }

    /// The entries of a jump table whose index nothing bounds: those that lead into the function of
    /// the jump.
    ///
    /// A compiler leaves the comparison out where the type of the index allows no other number.
    pub(super) fn kernel_table(
        &mut self,
        state: &State,
        address: Value,
        width: Width,
        signed: bool,
    ) -> Vec<Value> {
        if address.base != Base::None
            || address.range.steps() == 0
            || width != self.subject.program.register_width()
        {
            return Vec::new();
        }
        let low = address.range.low() as u64;
        if self
            .subject
            .program
            .background()
            .is_none_or(|b| b.read(low, width, self.subject.program).is_none())
        {
            return Vec::new();
        }
        let Some(function) = self.subject.program.function_at(self.at) else { return Vec::new() };
        let inside = function.address..function.address + function.size;
        let numbers: Vec<i64> = address.range.numbers().take(TABLE).collect();
        let all = numbers.len() as u64 == address.range.steps() + 1;
        let entry = |&offset: &i64| {
            state
                .peek(Value::constant(offset as u64), width, signed, self.subject.program)
                .as_constant()
        };
        let entries: std::collections::BTreeSet<Option<u64>> = numbers.iter().map(entry).collect();
        let valid: Vec<Value> = entries
            .iter()
            .flatten()
            .filter(|&target| inside.contains(target))
            .map(|&target| Value::constant(target))
            .collect();
        if valid.len() < entries.len() || !all {
            self.findings.assume(TABLES);
        }
        valid
    }

    /// Whether two paths may be joined: not across a cut, nor where a kernel's stacks are filled
    /// differently.
    pub(super) fn alike(&self, one: &Path<M::Timing>, other: &Path<M::Timing>) -> bool {
        let stack = |path: &Path<M::Timing>| path.state.get(self.stack_pointer());
        one.resumed == other.resumed && (!self.is_kernel() || stack(one) == stack(other))
    }

    /// Whether there is an instruction that can only raise an exception.
    pub(super) fn stops_at(&mut self, address: u64) -> bool {
        let stops = self.is_kernel()
            && self.subject.program.is_code(address)
            && self.subject.program.initial(address, Width::Half) == Some(0);
        if stops {
            self.findings.assume(PANICS);
        }
        stops
    }

    /// Whether nothing leads out of a loop; nobody waits for what would come behind it.
    pub(super) fn stands_still(&mut self, frame: &Frame<M::Timing>, looping: &Loop) -> bool {
        let mut inside = Vec::new();
        collect(&looping.body, &mut inside);
        let leaves = |&block: &usize| {
            let block = &frame.function.blocks[block];
            let leads_out = block.successors.iter().any(|next| !inside.contains(next));
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
        let still = self.is_kernel() && !inside.iter().any(leaves);
        if still {
            self.findings.assume(HALTS);
        }
        still
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
