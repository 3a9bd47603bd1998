//! Executing functions, blocks and calls.

mod approach;
pub(super) mod called;
mod calling;
mod conclude;
pub(super) use conclude::asked;
mod depths;
mod general;
mod guessing;
mod joining;
mod jump;
pub(super) mod kernel;
mod looping;
mod measured;
pub(super) mod mode;
mod nested;
mod outcomes;
mod self_contained;
mod stopping;
mod storing;
mod summary;
mod system_call;
mod timing;
mod trial;
mod unwinding;

use self::mode::Mode;
use self::outcomes::decisive;
use super::Beginning;
use super::before::Before;
use super::code::Code;
use super::concrete::{ConcreteRun, Refuted};
use super::cuts::Cuts;
use super::depth::Depths;
use super::findings::Findings;
use super::granted::Held;
use super::listing::Listing;
use super::loop_watch::LoopWatch;
use super::path::{Frame, Path, Stop};
use super::subject::Subject;
use super::summaries::Summaries;
use super::tally::Tally;
use super::ways::{Visit, Way, Ways};
use super::work::Work;
use crate::fact_line;
use crate::flow::{Block, Node};
use crate::machine::Machine;
use crate::state::{Access, State};
use crate::value::Value;
use fusee_isa::language::{Comparison, Effect, Flow, Instruction, Operand, Register, Target};

const NO_CALLER: &str = "this path returns, but nobody has called it";

const AS_LOADED: &str = "memory is as the file loads it when the entry is called, and the stack \
                         lies where nothing is read by its address";

const NEAREST: &str = "floating-point numbers are rounded to the nearest one at entry, as they are \
                       where a processor starts";

const WAITS: &str = "how long an instruction waits for an interrupt or an event is not counted";

const SECTIONS: &str = "nothing writes to sections that are marked as read-only";

/// The kind of fact that is missing where there is an obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// A bound on a loop's iterations.
    LoopBound,
    /// The targets of a computed jump or call.
    Targets,
    /// None would help; it may be executed all the same.
    Nothing,
    /// The depth to which a function calls itself.
    Recursion,
    /// The number of calls of a function in all.
    Calls,
    /// A promise that no path comes here, from where none comes back.
    Way,
    /// A promise that a path ends here.
    End,
    /// The time of something that is not in the program.
    Time,
}

impl Missing {
    /// Returns the line of a facts file that is missing about a place.
    pub(super) fn fact(self, symbol: &str) -> String {
        match self {
            Self::LoopBound => fact_line::loop_line(symbol, "N"),
            Self::Targets => fact_line::targets_line(symbol, &["A", "B"]),
            Self::Nothing => String::new(),
            Self::Recursion => fact_line::recursion_line(symbol, "N"),
            Self::Calls => fact_line::calls_line(symbol, "N"),
            Self::Way => fact_line::unreachable_line(&[symbol]),
            Self::End => fact_line::ends_line(&[symbol]),
            Self::Time => fact_line::time_line(symbol, "N"),
        }
    }
}

/// The state where the execution begins, as far as it is known.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry<'p> {
    pub(super) at: u64,
    /// The numbers that registers are taken to hold.
    pub(super) held: &'p [Held],
    /// The contents of memory that are known because of what was executed before.
    pub(super) before: Option<&'p Before>,
}

/// Paths that have ended, but not by a return to the caller of the function that they were in.
pub(super) struct Endings<T> {
    /// Paths that have ended with a system call.
    paths: Vec<Path<T>>,
    /// Paths that have ended several calls at once, and the number of calls around the outermost
    /// of these.
    unwound: Vec<(usize, Path<T>)>,
    /// The number of both, those included that one of these stands for.
    count: u64,
}

/// An execution in progress.
pub(super) struct Engine<'p, M: Machine, K: Mode> {
    pub(super) subject: Subject<'p, M>,
    /// The cost of each iteration that a total grants.
    pub(super) multipliers: &'p [i64],
    pub(super) entry: Entry<'p>,
    pub(super) code: Code,
    pub(super) work: Work<'p>,
    pub(super) listing: Listing,
    pub(super) cuts: Cuts,
    /// The way in which it is entered and left.
    pub(super) mode: K,
    /// The functions under way, the outermost first.
    calls: Vec<u64>,
    /// The addresses to which they return.
    return_addresses: Vec<Value>,
    /// The instruction whose effects are applied.
    at: u64,
    loops: LoopWatch,
    findings: Findings,
    ways: Ways,
    endings: Endings<M::Timing>,
    /// The results of functions that keep to themselves.
    summaries: Summaries<M::Timing>,
    /// The results of functions that call themselves.
    depths: Depths<M::Timing>,
    /// Why loops end, as their code tells.
    measures: measured::Measures,
}

/// A block that is being executed, and the time of a path before it.
#[derive(Clone, Copy)]
struct Begun<'b> {
    block: &'b Block,
    before: u64,
}

impl<'p, M: Machine, K: Mode> Engine<'p, M, K> {
    pub(super) fn new(subject: Subject<'p, M>, work: Work<'p>, code: Code) -> Self {
        Self {
            subject,
            multipliers: &[],
            entry: Entry::default(),
            code,
            work,
            listing: Listing::default(),
            cuts: Cuts::default(),
            mode: K::default(),
            calls: Vec::new(),
            return_addresses: Vec::new(),
            at: 0,
            loops: LoopWatch::default(),
            findings: Findings::new(),
            ways: Ways::default(),
            endings: Endings { paths: Vec::new(), unwound: Vec::new(), count: 0 },
            summaries: Summaries::default(),
            depths: Depths::default(),
            measures: measured::Measures::default(),
        }
    }

    fn stack_pointer(&self) -> Register {
        self.subject.setting.architecture().stack_pointer()
    }

    /// Executes from the entry to its return.
    pub(super) fn begin(&mut self, entry: &Beginning<'_>) -> Result<Vec<Path<M::Timing>>, Stop> {
        let state = State::at_entry(self.subject.setting);
        // Nobody has called the entry, so it returns to whatever the link register held.
        let return_address = state.get(self.subject.setting.architecture().link());
        let path = self.beginning(entry, state);
        let returned = self.call(entry.at, vec![path], return_address)?;
        // A kernel is left by a trap's return. A plain return means that the code is not
        // understood.
        if !K::RETURNS && !returned.is_empty() {
            self.obstacle(entry.at, NO_CALLER, Missing::Nothing);
        }
        Ok(returned)
    }

    /// Executes the only path from the entry to its return on numbers, if that can be.
    ///
    /// Facts that it shows to be false come with it.
    pub(super) fn follow(&mut self, entry: &Beginning<'_>) -> Option<(Path<M::Timing>, Refuted)> {
        let mut path = self.beginning(entry, State::at_entry(self.subject.setting));
        let Subject { setting, machine, facts } = self.subject;
        let single =
            ConcreteRun::new((setting, machine, facts), &mut self.code, path.state.clone());
        let found = single.run(entry.at, &mut self.work)?;
        path.time = found.time;
        path.way = found.way.iter().fold(path.way, |way, &visit| self.ways.extend(way, visit));
        found.loops.iter().for_each(|(&header, &most)| self.findings.turn(header, most));
        found.reached.iter().for_each(|(&block, &last)| self.findings.reach(block, last));
        self.findings.lowest_stack = found.lowest;
        self.findings.recursions = found.recursions;
        if found.rounds {
            self.findings.assume(NEAREST);
        }
        Some((path, found.refuted))
    }

    /// Returns what is known where the execution begins.
    fn beginning(&mut self, entry: &Beginning<'_>, mut state: State) -> Path<M::Timing> {
        self.entry.at = entry.at;
        for &(register, value) in entry.registers {
            state.set(register, value);
            // What a comparison tells of it is remembered by a name.
            state.name_register(register);
        }
        if self.subject.facts.as_loaded {
            state.load_file(self.subject.setting);
            self.findings.assume(AS_LOADED);
        } else if let Some(before) = self.entry.before {
            state.remember(before.memory.clone());
            self.findings.assume(&before.why);
            self.findings.grounds.is_first_call = true;
        }
        // This comes last: what is told of the entry holds even where the file says something else.
        for &(at, width, number) in entry.memory {
            state.place(at, width, number, self.subject.setting);
        }
        self.findings.grounds.assumptions.extend(self.subject.machine.assumptions());
        if let Some(assumption) = K::assumption(self.subject.setting.program()) {
            self.findings.assume(&assumption);
        }
        if self.subject.setting.believes_sections() {
            self.findings.assume(SECTIONS);
        }
        let tally = Tally::new(self.subject.facts.totals.len());
        Path {
            state,
            timing: self.subject.machine.at_entry(),
            time: 0,
            way: Way::START,
            resumed: entry.resumed,
            tally,
        }
    }

    fn nodes(&mut self, frame: &mut Frame<M::Timing>, nodes: &[Node]) -> Result<(), Stop> {
        for node in nodes {
            match node {
                Node::Block(block) => {
                    // Edges lead forward in the nest, so no other path can arrive here before the
                    // next iteration.
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
        mut path: Path<M::Timing>,
    ) -> Result<(), Stop> {
        let function = frame.function.clone();
        let block: &Block = &function.blocks[index];
        if let Some(comes_back) = K::awaits(self, block.address(), &path.state) {
            if comes_back {
                self.behind_convention(&mut path.state);
                self.keep(frame, None, path);
            }
            return Ok(());
        }
        // Facts end a path before the block counts, so that it adds neither time nor coverage.
        if let Some(never) = self.subject.facts.never(block) {
            self.findings.rest_on(never);
            return Ok(());
        }
        let entry = function.entry;
        if let Err(never) = path.tally.pass(self.subject.facts, entry, block) {
            self.findings.rest_on(never);
            return Ok(());
        }
        // A stated time is for whoever comes to the function from elsewhere. The function itself is
        // executed when it is bounded.
        if block.address() != entry && self.subject.facts.replaces(block.address()) {
            self.instead_of_jump(frame, block.address(), path);
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
        self.findings.reach(block.address(), block.last().address);
        // Of a single path nothing is copied where nothing is remembered.
        let pieces = if self.counts() { 0 } else { path.state.pieces() };
        if !self.work.begin_block(pieces) {
            return Err(Stop::Exhausted);
        }
        let Some((last, rest)) = block.instructions.split_last() else { return Ok(()) };
        // Only loads that decide where the block leads are taken apart: each entry of a table is
        // one more path.
        let decisive = decisive(&block.instructions);
        let decides = |at: usize| decisive.iter().any(|&(instruction, _)| instruction == at);
        for (i, instruction) in rest.iter().enumerate().skip(from) {
            self.at = instruction.address;
            if !decides(i) {
                let accesses = self.effects(&mut path.state, &instruction.effects);
                let time = self.time(&mut path.timing, instruction, &accesses, false);
                path.time = path.time.saturating_add(time);
                continue;
            }
            let mut outcomes = self.outcomes(path, (&instruction.effects, i), &decisive);
            for (path, accesses) in &mut outcomes {
                let time = self.time(&mut path.timing, instruction, accesses, false);
                path.time = path.time.saturating_add(time);
            }
            // Each entry executes the rest of the block alone: joined now, they would be an
            // interval again, with addresses in it that are no entry.
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
        let outcomes = if decides(rest.len()) {
            self.outcomes(path, (&last.effects, rest.len()), &decisive)
        } else {
            let accesses = self.effects(&mut path.state, &last.effects);
            vec![(path, accesses)]
        };
        for (path, accesses) in outcomes {
            self.leave(frame, path, last, &accesses, Begun { block, before })?;
        }
        Ok(())
    }

    fn effects(&mut self, state: &mut State, effects: &[Effect]) -> Vec<Access> {
        // A summary holds for all callers only if each access is checked.
        match self.summaries.alone {
            Some(_) => self.watched(state, effects),
            None => K::effects(self, state, effects),
        }
    }

    /// Adds the time of the last instruction of a block to a path, and the block to its way; `None`
    /// if the path ends there.
    fn spend(
        &mut self,
        mut path: Path<M::Timing>,
        (last, accesses): (&Instruction, &[Access]),
        taken: bool,
        Begun { block, before }: Begun<'_>,
    ) -> Option<Path<M::Timing>> {
        let time = self.time(&mut path.timing, last, accesses, taken);
        path.time = path.time.saturating_add(time);
        // Taken at each block, so that every visit shows its own.
        let misses = self.subject.machine.take_misses(&mut path.timing);
        let visit = Visit::once(block.address(), path.time - before, misses);
        path.way = self.ways.extend(path.way, visit);
        K::cut(self, path, (block, before))
    }

    /// Returns whether a branch is taken, where that is known; the loops are told of it before.
    fn known_branch(
        &mut self,
        state: &State,
        comparison: Comparison,
        operands: (Operand, Operand),
        last: &Instruction,
    ) -> Option<bool> {
        // A branch on an address of the caller would make a summary true for that caller only.
        self.watch_operands(state, [operands.0, operands.1]);
        let branch = self.branching(last.address);
        // A known outcome is noted too: the operands still tell how far the other outcome is.
        self.loops.note_branch(state, branch, operands);
        self.decided(state, comparison, operands, last.echo)
    }

    /// Goes on behind the last instruction of a block, everywhere it can lead.
    fn leave(
        &mut self,
        frame: &mut Frame<M::Timing>,
        path: Path<M::Timing>,
        last: &Instruction,
        accesses: &[Access],
        begun: Begun<'_>,
    ) -> Result<(), Stop> {
        let next = last.next_address();
        let spend =
            |engine: &mut Self, path, taken| engine.spend(path, (last, accesses), taken, begun);
        match last.flow {
            Flow::Next | Flow::WaitForInterrupt => {
                if last.flow == Flow::WaitForInterrupt && K::RETURNS {
                    self.findings.assume(WAITS);
                }
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
                let to = |holds: bool| if holds { target } else { next };
                let known = self.known_branch(&path.state, comparison, (left, right), last);
                if let Some(holds) = known {
                    if let Some(path) = spend(self, path, holds) {
                        self.arrive(frame, to(holds), path);
                    }
                    return Ok(());
                }
                if self.counts() {
                    self.work.copy(path.state.pieces());
                }
                for (comparison, holds) in [(comparison, true), (comparison.negated(), false)] {
                    let path = self.branch(&path, comparison, (left, right), last.echo);
                    if let Some(path) = path.and_then(|path| spend(self, path, holds)) {
                        self.arrive(frame, to(holds), path);
                    }
                }
            }
            Flow::Jump(Target::Computed(address)) => {
                let target = path.state.address(address, self.subject.setting);
                let Some(path) = spend(self, path, true) else { return Ok(()) };
                self.computed_jump(frame, last, path, target)?;
            }
            Flow::Call { target, link } => {
                let target = match target {
                    Target::Fixed(target) => Value::constant(target),
                    Target::Computed(address) => path.state.address(address, self.subject.setting),
                };
                let Some(mut path) = spend(self, path, true) else { return Ok(()) };
                path.state.set(link, Value::constant(self.subject.setting.register_number(next)));
                self.computed_call(frame, last, path, target)?;
            }
            Flow::Return { link } => {
                let Some(path) = spend(self, path, true) else { return Ok(()) };
                self.return_to_caller(frame, last, path, link)?;
            }
            Flow::TrapReturn => {
                let Some(path) = spend(self, path, true) else { return Ok(()) };
                K::return_from_trap(self, frame, path);
            }
            Flow::SystemCall => {
                let requests = self.requests(&path.state);
                if let Some(path) = spend(self, path, true) {
                    self.system_call(frame, last, path, requests);
                }
            }
            Flow::Breakpoint => {
                if let Some(path) = spend(self, path, true) {
                    self.breakpoint(frame, last, path);
                }
            }
        }
        Ok(())
    }
}
