//! Executing functions, blocks and calls.

mod outcomes;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::approach::{Approach, Watched};
use super::findings::Findings;
use super::granted::{Facts, Held};
use super::kernel::{Cut, Ended};
use super::listing::Listing;
use super::path::{Visit, Way, Ways};
use super::prospect::Prospect;
use super::tally::Tally;
use super::watch::Watch;
use super::{Beginning, Effort};
use crate::background::Learned;
use crate::flow::{Block, Function, Node, Resolved};
use crate::machine::Machine;
use crate::program::Program;
use crate::state::{Access, State};
use crate::value::{Base, Value};
use fusee_isa::language::{Effect, Flow, Instruction, Register, Target};

/// Jump tables with more entries than this are not taken apart.
const TABLE: u64 = 1024;

/// So many pieces of memory that are known make a block twice the work.
const PIECES: u64 = 64;

const NO_CALLER: &str = "this path returns, but nobody has called it";

const SECTIONS: &str = "nothing writes to sections that are marked as read-only";

/// The kind of fact that would settle an obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    /// A bound on a loop's rounds.
    Bounded,
    /// Where a computed jump or call leads.
    Targets,
    /// Nothing: it may be executed all the same.
    Nothing,
    /// How deep a function calls itself.
    Recursion,
}

/// Why an execution ended before its end.
pub(super) enum Stop {
    /// A computed jump leads somewhere new; the flow must be found again.
    NewTargets(u64, BTreeSet<u64>),
    /// The effort is used up.
    Exhausted,
}

/// A state, how long it took to get there at most, and by which way.
#[derive(Clone)]
pub(super) struct Path<T> {
    pub(super) state: State,
    pub(super) timing: T,
    pub(super) time: u64,
    pub(super) way: Way,
    /// Whether it begins where the kernel looks for interrupts.
    pub(super) resumed: bool,
    /// What facts across regions must know of it.
    pub(super) tally: Tally,
}

/// A call in progress.
pub(super) struct Frame<T> {
    pub(super) function: Rc<Function>,
    /// Paths that have arrived at a block and not gone on.
    pub(super) waiting: Vec<Vec<Path<T>>>,
    /// How many paths have arrived at each block so far.
    pub(super) arrived: Vec<u64>,
    /// How many paths have returned so far.
    pub(super) gone: u64,
    /// Paths that have returned.
    pub(super) returned: Vec<Path<T>>,
    /// Where a return must lead.
    pub(super) way_back: Value,
}

pub(super) struct Engine<'p, M: Machine> {
    pub(super) program: &'p Program,
    pub(super) machine: &'p M,
    pub(super) facts: &'p Facts,
    /// What each round costs that a total grants.
    pub(super) prices: &'p [i64],
    /// What registers are taken to hold at the entry.
    pub(super) held: &'p [Held],
    pub(super) effort: Effort,
    /// Where computed jumps are known to lead.
    pub(super) resolved: Resolved,
    /// Who sees from outside what is done.
    pub(super) watch: Option<&'p Watch>,
    pub(super) functions: BTreeMap<u64, Rc<Function>>,
    /// Where the execution begins.
    pub(super) first: u64,
    pub(super) calls: Vec<u64>,
    /// Loops in progress, the outermost first: header and rounds so far.
    pub(super) loops: Vec<(u64, u64)>,
    /// What is seen of each of those loops that no fact ends.
    pub(super) prospects: Vec<Option<Prospect>>,
    /// What was found out, apart from paths.
    pub(super) findings: Findings,
    pub(super) listing: Listing,
    pub(super) ways: Ways,
    pub(super) stack_pointer: Register,
    pub(super) blocks: u64,
    /// How many there may be before the execution ends.
    pub(super) limit: u64,
    /// How many there were when the outermost loop in progress began.
    pub(super) outermost: u64,
    /// What the branches of a loop compare, while that is asked.
    pub(super) watched: Option<Watched>,
    /// How often it was tried in vain to sum up a loop, by header.
    pub(super) in_vain: BTreeMap<u64, u32>,
    /// How many loops are being summed up, one inside the other.
    pub(super) trials: u32,
    /// Comparisons for equality that tell an order in the loop whose rounds are summed up.
    pub(super) approaches: Vec<Approach>,
    pub(super) comparisons: u64,
    /// The instruction whose effects are applied.
    pub(super) at: u64,
    pub(super) ended: Ended,
    pub(super) learned: Learned,
    pub(super) cuts: Vec<Cut>,
    /// How often paths were cut.
    pub(super) pauses: u64,
    /// Whether a path was cut for others to go on.
    pub(super) is_cut: bool,
    /// Where paths begin anew, with an empty stack.
    pub(super) resumptions: BTreeSet<u64>,
    /// Paths that have ended with a system call, and how many there were.
    pub(super) finished: Vec<Path<M::Timing>>,
    pub(super) endings: u64,
}

impl<'p, M: Machine> Engine<'p, M> {
    pub(super) fn new(
        program: &'p Program,
        machine: &'p M,
        facts: &'p Facts,
        effort: Effort,
    ) -> Self {
        Self {
            program,
            machine,
            facts,
            prices: &[],
            held: &[],
            effort,
            resolved: facts.targets.clone(),
            watch: None,
            functions: BTreeMap::new(),
            first: 0,
            calls: Vec::new(),
            loops: Vec::new(),
            prospects: Vec::new(),
            findings: Findings::new(),
            listing: Listing::default(),
            ways: Ways::default(),
            stack_pointer: program.architecture().stack_pointer(),
            blocks: 0,
            limit: effort.blocks,
            outermost: 0,
            watched: None,
            in_vain: BTreeMap::new(),
            trials: 0,
            approaches: Vec::new(),
            comparisons: 0,
            at: 0,
            ended: [None; 2],
            learned: Learned::default(),
            cuts: Vec::new(),
            pauses: 0,
            is_cut: false,
            resumptions: BTreeSet::new(),
            finished: Vec::new(),
            endings: 0,
        }
    }

    /// Executes from the entry to its return.
    pub(super) fn begin(&mut self, entry: &Beginning<'_>) -> Result<Vec<Path<M::Timing>>, Stop> {
        self.first = entry.at;
        let mut state = State::at_entry(self.program);
        let way_back = state.get(self.program.architecture().link());
        for &(register, value) in entry.registers {
            state.set(register, value);
        }
        for &(at, number) in entry.memory {
            state.place(at, number, self.program);
        }
        self.findings.grounds.assumptions.extend(self.machine.assumptions());
        if !self.is_kernel() {
            let bytes = self.program.architecture().stack_alignment();
            self.findings.assume(&format!(
                "the stack pointer at entry is a multiple of {bytes}, and nothing in the stack is \
                 at 0"
            ));
        }
        if self.program.believes_sections() {
            self.findings.assume(SECTIONS);
        }
        let tally = Tally::new(self.facts.totals.len());
        let path = Path {
            state,
            timing: self.machine.at_entry(),
            time: 0,
            way: Way::START,
            resumed: entry.resumed,
            tally,
        };
        let returned = self.call(entry.at, vec![path], way_back)?;
        if self.is_kernel() && !returned.is_empty() {
            self.obstacle(entry.at, NO_CALLER, Settled::Nothing);
        }
        Ok(returned)
    }

    /// So much work was done before.
    pub(super) fn start_at(&mut self, blocks: u64) {
        self.blocks = blocks;
    }

    /// The work so far, in blocks.
    pub(super) fn blocks(&self) -> u64 {
        self.blocks
    }

    pub(super) fn nodes(
        &mut self,
        frame: &mut Frame<M::Timing>,
        nodes: &[Node],
    ) -> Result<(), Stop> {
        for node in nodes {
            match node {
                Node::Block(block) => {
                    for path in std::mem::take(&mut frame.waiting[*block]) {
                        self.block(frame, *block, path)?;
                    }
                }
                Node::Loop(looping) => self.looping(frame, looping)?,
            }
        }
        Ok(())
    }

    fn block(
        &mut self,
        frame: &mut Frame<M::Timing>,
        index: usize,
        path: Path<M::Timing>,
    ) -> Result<(), Stop> {
        let function = frame.function.clone();
        let block: &Block = &function.blocks[index];
        if let Some(never) = self.facts.never(block) {
            self.findings.rest_on(never);
            return Ok(());
        }
        let mut path = path;
        if !self.passes(block, &mut path) {
            return Ok(());
        }
        let before = path.time;
        self.instructions(frame, (block, before), 0, path)
    }

    /// Executes a block's instructions from the given one on.
    fn instructions(
        &mut self,
        frame: &mut Frame<M::Timing>,
        (block, before): (&Block, u64),
        from: usize,
        mut path: Path<M::Timing>,
    ) -> Result<(), Stop> {
        self.blocks += 1 + path.state.pieces() as u64 / PIECES;
        self.findings.reach(block.address(), block.last().address);
        if self.blocks > self.limit || !self.watch.is_none_or(Watch::goes_on) {
            return Err(Stop::Exhausted);
        }
        let Some((last, rest)) = block.instructions.split_last() else { return Ok(()) };
        let table_jump = matches!(
            last.flow,
            Flow::Jump(Target::Computed(_))
                | Flow::Call { target: Target::Computed(_), .. }
                | Flow::Return { .. }
        );
        for (i, instruction) in rest.iter().enumerate().skip(from) {
            self.at = instruction.address;
            if !table_jump {
                let accesses = self.effects(&mut path.state, &instruction.effects);
                path.time += self.time(&mut path.timing, instruction, &accesses, false);
                continue;
            }
            let mut outcomes = self.outcomes(path, &instruction.effects);
            for (path, accesses) in &mut outcomes {
                path.time += self.time(&mut path.timing, instruction, accesses, false);
            }
            if outcomes.len() > 1 {
                for (path, _) in outcomes {
                    self.instructions(frame, (block, before), i + 1, path)?;
                }
                return Ok(());
            }
            let Some((only, _)) = outcomes.pop() else { return Ok(()) };
            path = only;
        }
        self.at = last.address;
        let Some(mut path) = self.guarded(frame, path, last, (block.address(), before)) else {
            return Ok(());
        };
        let outcomes = if table_jump {
            self.outcomes(path, &last.effects)
        } else {
            let accesses = self.effects(&mut path.state, &last.effects);
            vec![(path, accesses)]
        };
        for (path, accesses) in outcomes {
            self.leave(frame, path, last, &accesses, (block, before))?;
        }
        Ok(())
    }

    fn effects(&mut self, state: &mut State, effects: &[Effect]) -> Vec<Access> {
        if self.is_kernel() {
            return self.kernel_effects(state, effects);
        }
        let mut accesses = Vec::new();
        for effect in effects {
            accesses.extend(match *effect {
                Effect::Store { address, value, width } => {
                    let place =
                        self.within_table(state, state.address(address, self.program), width);
                    Some(state.store_at(place, value, width, self.program))
                }
                _ => state.apply(effect, self.program),
            });
        }
        let stack = state.get(self.stack_pointer);
        self.findings.lowest_stack = match (stack.base, self.findings.lowest_stack) {
            (Base::Stack, Some(lowest)) => Some(lowest.min(stack.range.low())),
            _ => None,
        };
        accesses
    }

    /// Goes on behind the last instruction of a block, everywhere it can lead.
    fn leave(
        &mut self,
        frame: &mut Frame<M::Timing>,
        path: Path<M::Timing>,
        last: &Instruction,
        accesses: &[Access],
        (block, before): (&Block, u64),
    ) -> Result<(), Stop> {
        let next = last.next_address();
        let spend = |engine: &mut Self, mut path: Path<M::Timing>, taken: bool| {
            path.time += engine.time(&mut path.timing, last, accesses, taken);
            let misses = engine.machine.take_misses(&mut path.timing);
            path.way = engine
                .ways
                .extend(path.way, Visit::once(block.address(), path.time - before, misses));
            engine.cut(path, block, before)
        };
        match last.flow {
            Flow::Next | Flow::WaitForInterrupt => {
                if let Some(path) = spend(self, path, false) {
                    self.arrive(frame, next, path);
                }
            }
            Flow::Jump(Target::Fixed(target)) => {
                if let Some(path) = spend(self, path, true) {
                    self.arrive(frame, target, path);
                }
            }
            Flow::Branch { comparison, left, right, target } => {
                self.note_branch(&path.state, last.address, (left, right));
                for (holds, to) in [(comparison, Some(target)), (comparison.negated(), None)] {
                    let path = self.branch(&path, holds, (left, right), last.echo);
                    if let Some(path) = path.and_then(|path| spend(self, path, to.is_some())) {
                        self.arrive(frame, to.unwrap_or(next), path);
                    }
                }
            }
            Flow::Jump(Target::Computed(address)) => {
                let target = path.state.address(address, self.program);
                let Some(path) = spend(self, path, true) else { return Ok(()) };
                self.computed_jump(frame, last, path, target)?;
            }
            Flow::Call { target, link } => {
                let target = match target {
                    Target::Fixed(target) => Value::constant(target),
                    Target::Computed(address) => path.state.address(address, self.program),
                };
                let Some(mut path) = spend(self, path, true) else { return Ok(()) };
                path.state.set(link, Value::constant(self.program.register_number(next)));
                self.computed_call(frame, last, path, target)?;
            }
            Flow::Return { link } => {
                let Some(path) = spend(self, path, true) else { return Ok(()) };
                self.come_back(frame, last, path, link)?;
            }
            Flow::TrapReturn => {
                let Some(path) = spend(self, path, true) else { return Ok(()) };
                match self.is_kernel() {
                    true => self.ends(&path),
                    false => self.keep(frame, None, path),
                }
            }
            Flow::SystemCall => {
                let requests = self.requests(&path.state);
                if let Some(path) = spend(self, path, true) {
                    self.system_call(frame, last, path, requests);
                }
            }
            Flow::Breakpoint => {}
        }
        Ok(())
    }
}
