//! By how much a register grows in an iteration of a loop, as its code has it.
//!
//! Of a pointer into something nobody knows where, values tell where it may be,
//! not by how much it moved. Its code does, where all that writes it adds
//! constants: every way through the body is added up.

use std::collections::{BTreeMap, BTreeSet};

use super::{Block, Function, Loop, Node};
use fusee_isa::language::{Binary, Effect, Flow, Operand, Register, Width};

/// The least and the most.
type Step = (i64, i64);

/// Steps at the beginnings of blocks.
type Steps = BTreeMap<usize, Step>;

fn join(into: &mut Steps, block: usize, (low, high): Step) {
    into.entry(block)
        .and_modify(|step| *step = (step.0.min(low), step.1.max(high)))
        .or_insert((low, high));
}

impl Function {
    /// Returns the growth of a register from the header of a loop back to it, if only constants are
    /// added to it.
    pub fn step(&self, looping: &Loop, register: Register, width: Width) -> Option<(i64, i64)> {
        // With several headers, a way from one back to it may pass another one,
        // where an iteration ends.
        let [header] = looping.headers[..] else { return None };
        let mut inside = BTreeSet::new();
        looping.blocks(&mut inside);
        let mut steps = Steps::from([(header, (0, 0))]);
        let mut back = Steps::new();
        for node in &looping.body {
            let after = match node {
                Node::Block(block) => {
                    // In the body edges lead forward, so all ways to this block
                    // have been added up by now.
                    let Some(step) = steps.remove(block) else { continue };
                    let own = growth(&self.blocks[*block], register, width)?;
                    let step = (step.0.checked_add(own)?, step.1.checked_add(own)?);
                    vec![(*block, step)]
                }
                Node::Loop(inner) => self.around(inner, (register, width), &mut steps)?,
            };
            for (block, step) in after {
                for &next in
                    self.blocks[block].successors.iter().filter(|next| inside.contains(next))
                {
                    join(if next == header { &mut back } else { &mut steps }, next, step);
                }
            }
        }
        back.remove(&header)
    }

    /// The steps behind the blocks of a loop that leaves the register alone.
    fn around(
        &self,
        inner: &Loop,
        (register, width): (Register, Width),
        steps: &mut Steps,
    ) -> Option<Vec<(usize, Step)>> {
        let mut blocks = BTreeSet::new();
        inner.blocks(&mut blocks);
        // Which way comes to which exit is not known, so each exit gets the
        // least and the most of all.
        let arrived: Vec<Step> = blocks.iter().filter_map(|block| steps.remove(block)).collect();
        let low = arrived.iter().map(|step| step.0).min();
        let high = arrived.iter().map(|step| step.1).max();
        let Some(step) = low.zip(high) else { return Some(Vec::new()) };
        let untouched =
            blocks.iter().all(|&block| growth(&self.blocks[block], register, width) == Some(0));
        // Edges inside of it lead to blocks that are done.
        untouched.then(|| blocks.iter().map(|&block| (block, step)).collect())
    }
}

/// Returns the growth of a register in a block; nothing where the block does something else to it.
fn growth(block: &Block, register: Register, width: Width) -> Option<i64> {
    // Registers that hold what the register held at the beginning, and a distance.
    let mut copies = BTreeMap::from([(register, 0i64)]);
    for instruction in &block.instructions {
        let guarded = instruction.guard.as_ref();
        let otherwise = guarded.iter().flat_map(|guard| &guard.otherwise);
        let conditional = guarded.is_some();
        for effect in instruction.effects.iter().chain(otherwise) {
            let Some(target) = effect.target() else { continue };
            let sum = match *effect {
                // A sum of another width wraps around elsewhere, and a guarded
                // one may not be executed.
                Effect::Compute {
                    operation,
                    left: Operand::Register(from),
                    right: Operand::Constant(by),
                    width: w,
                    ..
                } if w == width && !conditional => {
                    copies.get(&from).and_then(|&distance| match operation {
                        Binary::Add => distance.checked_add(by as i64),
                        Binary::Subtract => distance.checked_sub(by as i64),
                        _ => None,
                    })
                }
                _ => None,
            };
            match sum {
                Some(sum) => drop(copies.insert(target, sum)),
                None if target == register => return None,
                None => drop(copies.remove(&target)),
            }
        }
    }
    // Whoever is called may write the register, too.
    let last = block.last();
    let leaves = matches!(last.flow, Flow::Call { .. } | Flow::SystemCall);
    copies.get(&register).copied().filter(|_| !leaves)
}
