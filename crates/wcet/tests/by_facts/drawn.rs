//! Control flow by chance, and its longest path by looking at all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use fusee_testing::Draw;

/// Instructions around the body: the return address is saved and put back.
const BEFORE: u64 = 2;
const AFTER: u64 = 3;

/// The end of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Goes on at a block.
    Jump(usize),
    /// Goes on at a block, or at the next one.
    Branch(usize),
    /// Calls an earlier graph, then goes on at the next block.
    Call(u64),
    /// Returns to the caller.
    Return,
}

/// A function of blocks, each of whose loops has one header.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    pub(crate) id: u64,
    /// Instructions of each block before its end, and the end.
    blocks: Vec<(u64, End)>,
    /// The blocks that lead back to each header, and its bound.
    loops: BTreeMap<usize, (BTreeSet<usize>, u64)>,
}

/// Returns the name of the function of a graph.
pub(crate) fn name(id: u64) -> String {
    format!("graph_{id}")
}

impl Graph {
    /// Draws the graph of a number.
    pub(crate) fn draw(seed: u64, id: u64) -> Self {
        let mut draw = Draw::of(id, seed.wrapping_mul(77) + 5);
        loop {
            let count = 3 + draw.below(7) as usize;
            let blocks: Vec<_> = (0..count).map(|at| block(&mut draw, id, at, count)).collect();
            let mut graph = Self { id, blocks, loops: BTreeMap::new() };
            if graph.find_loops(&mut draw) {
                return graph;
            }
        }
    }

    fn next(&self, at: usize) -> Vec<usize> {
        match self.blocks[at].1 {
            End::Jump(to) => vec![to],
            End::Branch(to) => vec![at + 1, to],
            End::Call(_) => vec![at + 1],
            End::Return => Vec::new(),
        }
    }

    /// Returns the blocks that are reached from the first one without coming to some block.
    fn reached_without(&self, without: Option<usize>) -> BTreeSet<usize> {
        let (mut found, mut open) = (BTreeSet::new(), vec![0]);
        while let Some(at) = open.pop() {
            if Some(at) != without && found.insert(at) {
                open.extend(self.next(at));
            }
        }
        found
    }

    /// Finds the edges that lead back to what is on every way to them; says whether there is no
    /// circle but by these.
    fn find_loops(&mut self, draw: &mut Draw) -> bool {
        let reached = self.reached_without(None);
        for &header in &reached {
            let around = self.reached_without(Some(header));
            let leads_back = |&at: &usize| {
                (at == header || !around.contains(&at)) && self.next(at).contains(&header)
            };
            let back: BTreeSet<usize> = reached.iter().copied().filter(leads_back).collect();
            if !back.is_empty() {
                self.loops.insert(header, (back, draw.below(4)));
            }
        }
        // Blocks go, from which all that is left leads to blocks that are gone.
        let mut left = reached;
        loop {
            let before = left.len();
            let stays = |&at: &usize| {
                self.next(at).into_iter().any(|to| left.contains(&to) && !self.is_back(at, to))
            };
            left = left.iter().copied().filter(stays).collect();
            if left.len() == before {
                return left.is_empty();
            }
        }
    }

    fn is_back(&self, from: usize, to: usize) -> bool {
        self.loops.get(&to).is_some_and(|(back, _)| back.contains(&from))
    }

    pub(crate) fn name(&self) -> String {
        name(self.id)
    }

    /// The headers of its loops, with how often control comes back to each.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = (usize, u64)> {
        self.loops.iter().map(|(&header, &(_, most))| (header, most))
    }

    fn instructions(&self, at: usize) -> u64 {
        let (filling, end) = self.blocks[at];
        filling
            + match end {
                End::Jump(_) | End::Call(_) => 1,
                End::Branch(_) => 2,
                End::Return => AFTER,
            }
    }

    /// Returns where a block begins, in bytes from the function's entry.
    pub(crate) fn offset(&self, block: usize) -> u64 {
        4 * (BEFORE + (0..block).map(|at| self.instructions(at)).sum::<u64>())
    }

    /// Returns its text for the assembler.
    pub(crate) fn assembly(&self) -> String {
        let name = self.name();
        let mut text = format!(
            "    .globl {name}\n    .type {name}, @function\n{name}:\n    addi sp, sp, -16\n    \
             sd ra, 8(sp)\n"
        );
        for (at, (filling, end)) in self.blocks.iter().enumerate() {
            let _ = writeln!(text, ".L{}_{at}:{}", self.id, "\n    nop".repeat(*filling as usize));
            let label = |to: &usize| format!(".L{}_{to}", self.id);
            let _ = match end {
                End::Jump(to) => writeln!(text, "    j {}", label(to)),
                End::Branch(to) => {
                    writeln!(text, "    lw t0, {}(a0)\n    bnez t0, {}", 4 * at, label(to))
                }
                End::Call(id) => writeln!(text, "    jal graph_{id}"),
                End::Return => writeln!(text, "    ld ra, 8(sp)\n    addi sp, sp, 16\n    ret"),
            };
        }
        text + &format!("    .size {name}, .-{name}\n")
    }

    /// Returns the most instructions of any path to a return, if there is one; `times` has those of
    /// what it calls.
    pub(crate) fn longest(&self, times: &BTreeMap<u64, Option<u64>>) -> Option<u64> {
        let mut known = BTreeMap::new();
        let counts = self.loops.keys().map(|&header| (header, 0)).collect();
        self.from(0, counts, times, &mut known).map(|time| BEFORE + time)
    }

    /// The most from a block on, where control has come back to each header so often since the loop
    /// was entered.
    fn from(
        &self,
        at: usize,
        counts: BTreeMap<usize, u64>,
        times: &BTreeMap<u64, Option<u64>>,
        known: &mut BTreeMap<(usize, BTreeMap<usize, u64>), Option<u64>>,
    ) -> Option<u64> {
        if let Some(&time) = known.get(&(at, counts.clone())) {
            return time;
        }
        let called = match self.blocks[at].1 {
            End::Call(id) => times[&id],
            _ => Some(0),
        };
        let mut most = (self.blocks[at].1 == End::Return).then_some(0);
        for to in self.next(at) {
            let mut counts = counts.clone();
            if let Some((_, bound)) = self.loops.get(&to) {
                let count = counts.entry(to).or_default();
                *count = if self.is_back(at, to) { *count + 1 } else { 0 };
                if *count > *bound {
                    continue;
                }
            }
            most = most.max(self.from(to, counts, times, known));
        }
        let time = called.zip(most).map(|(called, most)| self.instructions(at) + called + most);
        known.insert((at, counts), time);
        time
    }
}

/// Draws a block; the last one returns.
fn block(draw: &mut Draw, id: u64, at: usize, count: usize) -> (u64, End) {
    let filling = draw.below(4);
    let to = draw.below(count as u64) as usize;
    let end = match draw.below(10) {
        _ if at + 1 == count => End::Return,
        0 => End::Return,
        1 => End::Jump(to),
        // Calls are three deep at most.
        2 | 3 if !id.is_multiple_of(4) => {
            let step = if id % 2 == 1 { 2 } else { 4 };
            End::Call(draw.below(id) / step * step)
        }
        _ => End::Branch(to),
    };
    (filling, end)
}
