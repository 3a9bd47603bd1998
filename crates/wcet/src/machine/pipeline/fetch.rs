//! Fetching instructions, the right way and the wrong one.

use super::issue::serial;
use super::{Pipeline, Timing};
use crate::machine::cache::{Found, Shape};
use crate::machine::description::Prediction;
use fusee_isa::language::{Class, Flow, Instruction, Target, Width};

/// The certainty that an instruction of the wrong way is fetched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sure {
    Yes,
    No,
}

impl Pipeline<'_> {
    /// Cycles until an instruction is there.
    pub(super) fn fetch(&self, timing: &mut Timing, instruction: &Instruction) -> u32 {
        let memory = &self.description.memory;
        // A bus that is shared is busy until all stores are written.
        let bus = if memory.separate_buses { 0 } else { timing.writing };
        let last = instruction.next_address().wrapping_sub(1);
        let mut owed = 0;
        let cycles = match &self.fetches {
            Some(shape) => {
                let (first, last) = (shape.line_of(instruction.address), shape.line_of(last));
                let mut line = |line| {
                    let found = timing.instructions.access(shape, line);
                    timing.misses.instructions += u32::from(found.costs());
                    let again =
                        // A line that is there for sure is not loaded, so it evicts nothing.
                        if found == Found::Hit { 0 } else { self.evicting(timing, shape, line) };
                    timing.again.fetch(line);
                    owed += again + if found == Found::Owed { memory.line } else { 0 };
                    let once = match found {
                        Found::Hit => 0,
                        Found::Paid => bus,
                        Found::Miss => memory.line - self.saved(timing) + bus,
                        Found::Owed => memory.line + bus,
                    };
                    once + again
                };
                line(first) + if last == first { 0 } else { line(last) }
            }
            None => memory.read + bus,
        };
        // The lines that are owed may come at another time, and what is done again hides nothing.
        timing.pass(cycles - owed);
        cycles
    }

    /// Returns how a branch is guessed.
    pub(super) fn guess(&self, instruction: &Instruction) -> bool {
        let Flow::Branch { target, .. } = instruction.flow else { return false };
        self.description.control.prediction == Prediction::BackwardTaken
            && target < instruction.address
    }

    /// Cycles for what is fetched behind a wrong guess or a computed jump.
    ///
    /// The instructions of the wrong way get as far as the decoder: they load
    /// lines, and a word that looks like a flush empties the cache. An instruction
    /// behind one that missed, or behind one that jumps, may or may not get there, and
    /// its line may be loaded only later: nothing else goes on meanwhile.
    pub(super) fn wrong_way(
        &self,
        timing: &mut Timing,
        instruction: &Instruction,
        taken: bool,
    ) -> u32 {
        let Some(shape) = &self.fetches else { return 0 };
        let Some(mut at) = self.misled(instruction, taken) else { return 0 };
        let mut cycles = 0;
        let mut sure = Sure::Yes;
        let mut before: Option<Instruction> = None;
        let strays = self.strays(timing, instruction);
        for stray in 0..strays {
            at = self.program.wrap(at);
            if stray >= self.surely(instruction) {
                sure = Sure::No;
            }
            let found = self.stray(timing, shape, at, sure);
            let missed = if found.costs() { self.description.memory.line } else { 0 };
            let mut spent = missed + self.flush(timing, at);
            // While its line is on its way the branch is decided, and those behind it may not be
            // fetched.
            if found != Found::Hit {
                spent += self.evicting(timing, shape, shape.line_of(at));
                sure = Sure::No;
            }
            timing.again.fetch(shape.line_of(at));
            // Memory that can be written may hold other words by now.
            let next = self.program.instruction(at).ok().filter(|_| !self.program.is_writable(at));
            match &next {
                // Halves are not all that is fetched: what such a word is taken for is not known.
                None | Some(Instruction { size: 2, .. }) => {
                    spent += self.astray(timing, shape);
                    (at, sure) = (at.wrapping_add(4), Sure::No);
                }
                Some(found) => {
                    if before.map_or(strays == 1 && serial(found.class), |before| {
                        self.waits_for(found, &before)
                    }) {
                        // The way back to a load before it as well.
                        let ways = timing.again.behind_stores().saturating_add(1);
                        spent += self.description.control.wrong_way_wait.saturating_mul(ways);
                    }
                    match self.follows(found) {
                        // The decoder sends fetching on a little later, and by then
                        // the right way may be known.
                        Some(target) => (at, sure) = (target, Sure::No),
                        None => at = found.next_address(),
                    }
                }
            }
            before = next;
            cycles += spent;
        }
        cycles
    }

    /// Returns how many instructions of the wrong way can get to the decoder.
    ///
    /// One less where the decoder has sent fetching on, unless the branch was held
    /// up behind something slow.
    fn strays(&self, timing: &Timing, instruction: &Instruction) -> u32 {
        if timing.held_up == 0 {
            self.surely(instruction)
        } else {
            self.description.control.wrong_way
        }
    }

    /// Returns how many of them surely do.
    fn surely(&self, instruction: &Instruction) -> u32 {
        let all = self.description.control.wrong_way;
        if self.guess(instruction) { all.saturating_sub(1) } else { all }
    }

    /// Returns where the wrong way begins, if one is taken.
    pub(super) fn misled(&self, instruction: &Instruction, taken: bool) -> Option<u64> {
        let guessed = self.guess(instruction);
        match instruction.flow {
            Flow::Branch { target, .. } if guessed && !taken => Some(target),
            Flow::Branch { .. } if guessed || !taken => None,
            Flow::Branch { .. } => Some(instruction.next_address()),
            // A computed jump is not guessed: fetching goes on behind it
            // until the address is known.
            _ => (instruction.class == Class::IndirectJump).then(|| instruction.next_address()),
        }
    }

    /// Returns where the decoder itself sends fetching on.
    pub(super) fn follows(&self, instruction: &Instruction) -> Option<u64> {
        match instruction.flow {
            Flow::Jump(Target::Fixed(target))
            | Flow::Call { target: Target::Fixed(target), .. } => Some(target),
            Flow::Branch { target, .. } if self.guess(instruction) => Some(target),
            _ => None,
        }
    }

    /// Returns the fetch of an instruction of the wrong way.
    fn stray(&self, timing: &mut Timing, shape: &Shape, address: u64, sure: Sure) -> Found {
        let line = shape.line_of(address);
        let found = match sure {
            Sure::Yes => timing.instructions.access(shape, line),
            Sure::No => timing.instructions.access_maybe(shape, line),
        };
        timing.misses.instructions += u32::from(found.costs());
        found
    }

    /// Behind a word that is no instruction, fetching may go anywhere.
    ///
    /// What is fetched there is decoded only where the jump is held up; then it may
    /// be a word that empties the cache.
    fn astray(&self, timing: &mut Timing, shape: &Shape) -> u32 {
        timing.instructions.lose_one(shape);
        let again = self.evicting_any(timing);
        let cycles = self.description.memory.line
            + again
            + self
                .description
                .control
                .wrong_way_wait
                .saturating_mul(timing.again.behind_stores().saturating_add(1));
        let flush = self.description.instruction_cache.as_ref().and_then(|cache| cache.flush);
        match flush.filter(|_| timing.held_up > 0) {
            Some(flush) => {
                timing.instructions.clear();
                cycles + flush.cycles
            }
            None => cycles,
        }
    }

    /// Cycles of a flush that a word on the wrong way can cause.
    fn flush(&self, timing: &mut Timing, address: u64) -> u32 {
        let Some(flush) = self.description.instruction_cache.as_ref().and_then(|cache| cache.flush)
        else {
            return 0;
        };
        // A word that can change may be one that empties the cache at some time.
        let known = if self.program.is_writable(address) {
            None
        } else {
            self.program.initial(address, Width::Word)
        };
        if known.is_some_and(|word| word as u32 & flush.mask != flush.word) {
            return 0;
        }
        timing.instructions.clear();
        flush.cycles
    }
}
