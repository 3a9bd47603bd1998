//! A trace-driven simulator of in-order processors, event by event.
//!
//! It keeps the absolute cycle of every event, lets fetching overlap with the
//! accesses before it, and has real caches with real contents at the start. It
//! shares its numbers with the analysis and none of its code.

use std::collections::VecDeque;

use fusee_wcet::machine::cache::Replacement;
use fusee_wcet::machine::description::{CacheDescription, Description, Prediction, Write};

use super::interpreter::{Kind, Step};
use fusee_testing::Draw;

/// A cache as it is: lines by set with whether they must be written back, the next victim last.
struct Cache {
    line: u64,
    ways: usize,
    replacement: Replacement,
    sets: Vec<Vec<(u64, bool)>>,
}

impl Cache {
    /// With contents of an unknown past.
    fn new(description: &CacheDescription, draw: &mut Draw) -> Self {
        let ways = usize::from(description.ways);
        let count = description.size / description.line / ways as u64;
        let mut cache = Self {
            line: description.line,
            ways,
            replacement: description.replacement,
            sets: Vec::new(),
        };
        for set in 0..count {
            let mut lines: Vec<(u64, bool)> = Vec::new();
            for _ in 0..draw.below(ways as u64 + 1) {
                // Lines around the program, so that some of them are its own.
                let line = (0x8000_0000 / description.line / count + draw.below(80)) * count + set;
                if lines.iter().all(|&(other, _)| other != line) {
                    lines.push((line, description.write == Write::Back && draw.below(2) == 0));
                }
            }
            cache.sets.push(lines);
        }
        cache
    }

    /// Returns `true` if the line was there, and `true` if another one had to be written back for
    /// it.
    fn access(&mut self, address: u64, write: bool, draw: &mut Draw) -> (bool, bool) {
        let line = address / self.line;
        let count = self.sets.len() as u64;
        let set = &mut self.sets[(line % count) as usize];
        if let Some(at) = set.iter().position(|&(other, _)| other == line) {
            set[at].1 |= write;
            if self.replacement == Replacement::Lru {
                let used = set.remove(at);
                set.insert(0, used);
            }
            return (true, false);
        }
        let victim = if set.len() < self.ways {
            None
        } else if self.replacement == Replacement::Random {
            Some(set.remove(draw.below(self.ways as u64) as usize))
        } else {
            set.pop()
        };
        set.insert(0, (line, write));
        (false, victim.is_some_and(|(_, dirty)| dirty))
    }

    fn holds(&self, address: u64) -> bool {
        let line = address / self.line;
        self.sets[(line % self.sets.len() as u64) as usize].iter().any(|&(other, _)| other == line)
    }
}

/// A processor at work.
pub(crate) struct Simulator<'d> {
    description: &'d Description,
    draw: Draw,
    instructions: Option<Cache>,
    data: Option<Cache>,
    /// When the next instruction can be issued, fetched, and the bus used.
    issue: u64,
    fetch: u64,
    bus: u64,
    ready: [u64; 32],
    /// When the writes that are on their way will be done.
    writes: VecDeque<u64>,
    /// The result of an arithmetic instruction issued alone, and when.
    open: Option<(Option<u8>, u64)>,
}

impl<'d> Simulator<'d> {
    pub(crate) fn new(description: &'d Description, seed: u64) -> Self {
        let mut draw = Draw::new(seed);
        let instructions =
            description.instruction_cache.as_ref().map(|cache| Cache::new(cache, &mut draw));
        let data = description.data_cache.as_ref().map(|cache| Cache::new(cache, &mut draw));
        let ready = [0; 32];
        Self {
            description,
            draw,
            instructions,
            data,
            issue: 0,
            fetch: 0,
            bus: 0,
            ready,
            writes: VecDeque::new(),
            open: None,
        }
    }

    /// Returns the cycle in which everything so far is issued.
    pub(crate) fn now(&self) -> u64 {
        self.issue
    }

    pub(crate) fn step(&mut self, step: Step) {
        let there = self.fetched(step.address);
        let operands = step
            .sources
            .iter()
            .flatten()
            .map(|&register| self.ready[usize::from(register)])
            .max()
            .unwrap_or(0);
        let at = self.issue.max(there).max(operands);
        if self.paired(&step, at) {
            return;
        }
        let own = u64::from(self.own(step.kind));
        let alone = self.description.issue.dual && step.kind == Kind::Arithmetic;
        self.open = alone.then_some((step.target, at));
        self.issue = at + own;
        // The next one is fetched while this one is under way.
        self.fetch = if matches!(step.kind, Kind::Branch { .. } | Kind::Jump | Kind::IndirectJump) {
            at + own
        } else {
            at + 1
        };
        match step.kind {
            Kind::Load { address } => self.load(address, false),
            Kind::Store { address } => self.store(address),
            _ => {}
        }
        self.finish(&step, self.issue.max(at + own));
    }

    /// Issues an instruction together with the one before it, where that can be.
    fn paired(&mut self, step: &Step, at: u64) -> bool {
        let Some((result, when)) = self.open else { return false };
        let uses = result.is_some() && (step.sources.contains(&result) || step.target == result);
        let fits =
            matches!(step.kind, Kind::Arithmetic | Kind::Load { .. }) && !uses && at <= when + 1;
        if fits {
            self.open = None;
            if let Kind::Load { address } = step.kind {
                self.load(address, false);
            }
            self.finish(step, self.issue);
        }
        fits
    }

    fn finish(&mut self, step: &Step, at: u64) {
        let result = &self.description.result;
        let latency = match step.kind {
            Kind::Shift => result.shift,
            Kind::Multiply => result.multiply,
            Kind::Divide => result.divide,
            Kind::Load { .. } => result.load,
            _ => result.arithmetic,
        };
        if let Some(register) = step.target {
            self.ready[usize::from(register)] = at + u64::from(latency) - 1;
        }
    }

    fn own(&self, kind: Kind) -> u32 {
        let (issue, control) = (&self.description.issue, &self.description.control);
        match kind {
            Kind::Multiply => issue.multiply,
            Kind::Divide => issue.divide,
            Kind::Jump => control.jump,
            Kind::IndirectJump => control.indirect,
            Kind::Branch { taken, backward } => {
                let guess = control.prediction == Prediction::BackwardTaken && backward;
                match (guess, taken) {
                    (true, true) => control.taken,
                    (false, false) => control.not_taken,
                    _ => control.mispredicted,
                }
            }
            _ => issue.default,
        }
    }

    /// When an instruction is there.
    fn fetched(&mut self, address: u64) -> u64 {
        let memory = &self.description.memory;
        let cycles = match &mut self.instructions {
            Some(cache) => match cache.access(address, false, &mut self.draw) {
                (true, _) => return self.fetch,
                (false, _) => memory.line,
            },
            None => memory.read,
        };
        let start = if memory.separate_buses { self.fetch } else { self.fetch.max(self.bus) };
        let done = start + u64::from(cycles);
        if !memory.separate_buses {
            self.bus = done;
        }
        done
    }

    fn load(&mut self, address: u64, write: bool) {
        let memory = &self.description.memory;
        let cycles = match &mut self.data {
            Some(cache) => match cache.access(address, write, &mut self.draw) {
                (true, _) => return,
                (false, dirty) => memory.line + if dirty { memory.write } else { 0 },
            },
            None => memory.read,
        };
        self.issue = self.issue.max(self.bus) + u64::from(cycles);
        self.bus = self.issue;
    }

    fn store(&mut self, address: u64) {
        let memory = &self.description.memory;
        let back =
            self.description.data_cache.as_ref().is_some_and(|cache| cache.write == Write::Back);
        if back {
            return self.load(address, true);
        }
        let draw = &mut self.draw;
        if let Some(cache) = self.data.as_mut().filter(|cache| cache.holds(address)) {
            cache.access(address, false, draw);
        }
        self.writes.retain(|&done| done > self.issue);
        while self.writes.len() > memory.pending_writes as usize {
            self.issue = self.writes.pop_front().unwrap_or(0).max(self.issue);
        }
        let done =
            (self.issue + u64::from(memory.write_start)).max(self.bus) + u64::from(memory.write);
        self.bus = done;
        self.writes.push_back(done);
    }
}
