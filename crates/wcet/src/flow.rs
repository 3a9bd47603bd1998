//! Control flow of one function: blocks, and the nest of its loops.
//!
//! A function is what is reached from its first instruction without calls. A
//! tail call is a jump like any other, so what it reaches belongs to the caller
//! too; shared epilogues need no special care for the same reason.
//!
//! The nest is found by strongly connected components: a component with a cycle
//! is a loop, its headers are the blocks by which it is entered, and what is
//! left of it without the edges into the headers is taken apart again. A loop
//! with several headers (irreducible, as hand-written assembly and some
//! optimizers leave it) is no special case.

mod called;
mod endless;
mod measure;
mod step;
mod turns;

pub(crate) use measure::{Measure, of as why_it_ends};

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::program::Program;
use fusee_isa::DecodeError;
use fusee_isa::language::{Flow, Instruction, Target};

/// Known targets of computed jumps, by the jump's address.
pub type Resolved = BTreeMap<u64, BTreeSet<u64>>;

/// Instructions that are executed one after the other.
#[derive(Debug)]
pub struct Block {
    /// At least one instruction.
    pub instructions: Vec<Instruction>,
    /// Blocks that may follow within the function.
    pub successors: Vec<usize>,
    /// The function that its last instruction calls, whatever else is known; where it has a guard,
    /// it may call nothing.
    pub callee: Option<u64>,
}

impl Block {
    /// Address of the first instruction.
    pub fn address(&self) -> u64 {
        self.instructions[0].address
    }

    /// Returns the last instruction, which decides where control goes.
    pub fn last(&self) -> &Instruction {
        &self.instructions[self.instructions.len() - 1]
    }
}

/// Instructions of the longest function; what is longer is not code that was meant to run.
const LONGEST: usize = 1 << 19;
/// Loops around a block at most.
const DEEPEST: usize = 64;

/// A part of the nest.
#[derive(Debug)]
pub enum Node {
    /// A block by index.
    Block(usize),
    /// A loop with its blocks.
    Loop(Loop),
}

/// A loop of the nest.
#[derive(Debug)]
pub struct Loop {
    /// Blocks by which it is entered.
    pub headers: Vec<usize>,
    /// Its blocks and inner loops; every edge leads forward or into a header.
    pub body: Vec<Node>,
}

impl Loop {
    /// Adds the loops inside of it.
    pub(crate) fn inner<'a>(&'a self, into: &mut Vec<&'a Loop>) {
        for looping in loops(&self.body) {
            into.push(looping);
            looping.inner(into);
        }
    }

    /// Adds all its blocks, those of inner loops too.
    pub fn blocks(&self, into: &mut BTreeSet<usize>) {
        self.body.iter().for_each(|node| node.blocks(into));
    }
}

impl Node {
    /// Adds its blocks.
    fn blocks(&self, into: &mut BTreeSet<usize>) {
        match self {
            Self::Block(block) => {
                into.insert(*block);
            }
            Self::Loop(inner) => inner.blocks(into),
        }
    }
}

/// Returns the loops among nodes, without those inside of them.
pub(crate) fn loops(nodes: &[Node]) -> impl Iterator<Item = &Loop> {
    nodes.iter().filter_map(|node| match node {
        Node::Block(_) => None,
        Node::Loop(looping) => Some(looping),
    })
}

/// A function of the program.
#[derive(Debug)]
pub struct Function {
    /// Its first address.
    pub entry: u64,
    /// Blocks; the first one is the entry.
    pub blocks: Vec<Block>,
    /// Blocks and loops in an order in which every edge leads forward.
    pub nest: Vec<Node>,
    index: BTreeMap<u64, usize>,
    /// For each block, true if it may lead out of the function.
    leaves: Vec<bool>,
    /// For each block, true if a way leads from it out of the function.
    comes_back: Vec<bool>,
}

impl Function {
    /// Finds the function that starts at `entry`.
    ///
    /// # Errors
    /// A [`DecodeError`] for bytes on its way that are no instruction.
    pub fn find(
        program: &Program,
        entry: u64,
        resolved: &Resolved,
    ) -> Result<Rc<Self>, DecodeError> {
        let instructions = collect(program, entry, resolved)?;
        let leaders = leaders(&instructions, entry, resolved);
        let blocks = cut(instructions, &leaders, resolved);
        let index: BTreeMap<u64, usize> =
            blocks.iter().enumerate().map(|(i, (b, _))| (b[0].address, i)).collect();
        let blocks: Vec<Block> = blocks
            .into_iter()
            .map(|(instructions, targets)| {
                // Bytes that are no instruction have no block, so a way there has no
                // edge. Who executes the branch arrives at the address all the same, and
                // reports an obstacle there.
                let successors = targets.iter().filter_map(|t| index.get(t).copied()).collect();
                let callee = called::callee(program, &instructions);
                Block { instructions, successors, callee }
            })
            .collect();
        let start = index[&entry];
        let all: Vec<usize> = (0..blocks.len()).collect();
        // Who calls enters at the start: where a loop begins with it, it is one of its headers.
        let nest = nest(&blocks, &all, &[start], &mut BTreeSet::new(), DEEPEST);
        let nest = nest.ok_or(DecodeError::Endless {
            address: entry,
            what: "its loops are nested too deep",
        })?;
        let leaves: Vec<bool> = blocks.iter().map(|block| endless::leaves(block, &index)).collect();
        let comes_back = endless::comes_back(&blocks, &leaves);
        Ok(Rc::new(Self { entry, blocks, nest, index, leaves, comes_back }))
    }

    /// Returns whether one call of it may call the function that begins at an address more than
    /// once.
    pub fn calls_often(&self, entry: u64) -> bool {
        let calls = |block: &Block| block.callee == Some(entry);
        // A loop may execute its call any number of times, so one call in it counts as several.
        let mut inside = BTreeSet::new();
        loops(&self.nest).for_each(|looping| looping.blocks(&mut inside));
        let all = self.blocks.iter().filter(|block| calls(block)).count();
        all > 1 || inside.iter().any(|&block| calls(&self.blocks[block]))
    }

    /// Returns whether it has a computed jump that is no call and no return.
    pub fn jumps_anywhere(&self) -> bool {
        self.blocks.iter().any(|block| matches!(block.last().flow, Flow::Jump(Target::Computed(_))))
    }

    /// Returns whether an instruction is one of its own.
    pub fn holds(&self, address: u64) -> bool {
        let is_within =
            |block: &&Block| (block.address()..=block.last().address).contains(&address);
        let holds = |block: &Block| {
            block.instructions.iter().any(|instruction| instruction.address == address)
        };
        self.blocks.iter().filter(is_within).any(holds)
    }

    /// Returns all its loops, those inside of others too.
    pub(crate) fn all_loops(&self) -> Vec<&Loop> {
        let mut all: Vec<&Loop> = loops(&self.nest).collect();
        loops(&self.nest).for_each(|outer| outer.inner(&mut all));
        all
    }

    /// The addresses of some blocks.
    pub fn addresses(&self, blocks: &[usize]) -> Vec<u64> {
        blocks.iter().map(|&block| self.blocks[block].address()).collect()
    }

    /// Returns the headers to which a way through a loop's body leads back: at one of them every
    /// iteration begins but the first.
    pub fn back_to(&self, looping: &Loop) -> Vec<usize> {
        // What iterates at all comes back to the only one.
        if let [_] = looping.headers[..] {
            return looping.headers.clone();
        }
        // In the body each edge leads forward, or into a header. So an edge into a
        // header leads back only if it comes from the header's own place or from behind
        // it; any other one just enters.
        let mut places = BTreeMap::new();
        for (place, node) in looping.body.iter().enumerate() {
            let mut blocks = BTreeSet::new();
            node.blocks(&mut blocks);
            places.extend(blocks.into_iter().map(|block| (block, place)));
        }
        let leads_back = |header: &usize| {
            let at = places.get(header);
            let mut from = places.iter().filter(|&(_, place)| Some(place) >= at);
            from.any(|(&block, _)| self.blocks[block].successors.contains(header))
        };
        looping.headers.iter().copied().filter(leads_back).collect()
    }

    /// Returns the instructions that decide over a loop: they lead back to a header, or from a
    /// header out of it.
    pub fn controls(&self, looping: &Loop) -> Vec<u64> {
        let mut inside = BTreeSet::new();
        looping.blocks(&mut inside);
        let decides = |index: &&usize| {
            let successors = &self.blocks[**index].successors;
            let back = successors.iter().any(|next| looping.headers.contains(next));
            back || looping.headers.contains(index)
                && successors.iter().any(|next| !inside.contains(next))
        };
        inside.iter().filter(decides).map(|&index| self.blocks[index].last().address).collect()
    }

    /// The blocks that lead back to a loop's headers, each with the number of loops inside of this
    /// one that it is in. A jump by itself belongs to what leads to it.
    pub fn turns(&self, looping: &Loop) -> Vec<(&Block, usize)> {
        let mut inside = BTreeSet::new();
        looping.blocks(&mut inside);
        let is_jump = |index: usize| {
            let block = &self.blocks[index];
            block.instructions.len() == 1
                && matches!(block.last().flow, Flow::Jump(_))
                && !looping.headers.contains(&index)
        };
        let mut targets: BTreeSet<usize> = looping.headers.iter().copied().collect();
        let leads = |index: usize, targets: &BTreeSet<usize>| {
            self.blocks[index].successors.iter().any(|next| targets.contains(next))
        };
        let jumps: Vec<usize> =
            inside.into_iter().filter(|&one| is_jump(one) && leads(one, &targets)).collect();
        targets.extend(jumps);
        let mut found = Vec::new();
        let mut nodes: Vec<(&Node, usize)> = looping.body.iter().map(|node| (node, 0)).collect();
        while let Some((node, depth)) = nodes.pop() {
            match node {
                Node::Block(index) if is_jump(*index) && targets.contains(index) => {}
                Node::Block(index) if leads(*index, &targets) => {
                    found.push((&self.blocks[*index], depth));
                }
                Node::Block(_) => {}
                Node::Loop(inner) => {
                    nodes.extend(inner.body.iter().map(|node| (node, depth + 1)));
                }
            }
        }
        found
    }

    /// Returns the loops that a loop is in, and those that are in it.
    pub fn around_and_inside(&self, looping: &Loop) -> Vec<&Loop> {
        let mut found = Vec::new();
        let mut nodes = &self.nest;
        // One header is enough: on each level of the nest a block is in one loop at most.
        let header = looping.headers[0];
        loop {
            let holds = |one: &&Loop| {
                let mut blocks = BTreeSet::new();
                one.blocks(&mut blocks);
                blocks.contains(&header)
            };
            let Some(next) = loops(nodes).find(holds) else { return found };
            if next.headers == looping.headers {
                next.inner(&mut found);
                return found;
            }
            found.push(next);
            nodes = &next.body;
        }
    }

    /// Returns the block that starts at an address.
    pub fn block_at(&self, address: u64) -> Option<usize> {
        self.index.get(&address).copied()
    }
}

/// Returns where control can go within the function after an instruction.
pub(crate) fn targets(instruction: &Instruction, resolved: &Resolved) -> Vec<u64> {
    let mut targets = targets_of_flow(instruction, resolved);
    // Where its guard does not hold, it does nothing, and the next instruction follows.
    if instruction.guard.is_some() {
        targets.push(instruction.next_address());
    }
    targets
}

fn targets_of_flow(instruction: &Instruction, resolved: &Resolved) -> Vec<u64> {
    let next = instruction.next_address();
    match instruction.flow {
        Flow::Next | Flow::Call { .. } | Flow::WaitForInterrupt | Flow::SystemCall => vec![next],
        Flow::Jump(Target::Fixed(target)) => vec![target],
        // Targets that are not known yet make no edges. Once one is found,
        // the function is cut anew.
        Flow::Jump(Target::Computed(_)) => {
            resolved.get(&instruction.address).into_iter().flatten().copied().collect()
        }
        Flow::Branch { target, .. } => vec![next, target],
        // Of a return, those that were found not to be its caller; of a breakpoint, what follows it
        // where it is said to come back.
        Flow::Return { .. } | Flow::Breakpoint => {
            resolved.get(&instruction.address).into_iter().flatten().copied().collect()
        }
        Flow::TrapReturn => Vec::new(),
    }
}

fn collect(
    program: &Program,
    entry: u64,
    resolved: &Resolved,
) -> Result<BTreeMap<u64, Instruction>, DecodeError> {
    let mut found = BTreeMap::new();
    // A list and no recursion: code that is made up must not exhaust the stack.
    let mut open = vec![entry];
    let mut failure = None;
    while let Some(address) = open.pop() {
        if found.contains_key(&address) {
            continue;
        }
        match program.instruction(address) {
            Ok(instruction) => {
                open.extend(targets(&instruction, resolved));
                found.insert(address, instruction);
                if found.len() > LONGEST {
                    return Err(DecodeError::Endless {
                        address: entry,
                        what: "it has too many instructions",
                    });
                }
            }
            // Bytes behind a call that never returns need not be code.
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    if found.contains_key(&entry) {
        Ok(found)
    } else {
        Err(failure.unwrap_or(DecodeError::Truncated { address: entry }))
    }
}

fn leaders(
    instructions: &BTreeMap<u64, Instruction>,
    entry: u64,
    resolved: &Resolved,
) -> BTreeSet<u64> {
    let mut leaders = BTreeSet::from([entry]);
    // Instructions that overlap interrupt each other's blocks; both go on in a block of their own.
    for (before, &address) in instructions.values().zip(instructions.keys().skip(1)) {
        if before.next_address() != address {
            leaders.insert(before.next_address());
        }
    }
    for instruction in instructions.values() {
        // What stands behind a call begins a block of its own, because the callee comes back there.
        if instruction.ends_block() {
            leaders.extend(targets(instruction, resolved));
            leaders.insert(instruction.next_address());
        }
    }
    leaders
}

type Cut = Vec<(Vec<Instruction>, Vec<u64>)>;

fn cut(
    instructions: BTreeMap<u64, Instruction>,
    leaders: &BTreeSet<u64>,
    resolved: &Resolved,
) -> Cut {
    let mut blocks: Cut = Vec::new();
    let mut current: Vec<Instruction> = Vec::new();
    for (address, instruction) in instructions {
        // Instructions may overlap, so the next one by address need not be the next one executed.
        let contiguous =
            current.last().is_some_and(|l| l.next_address() == address && !l.ends_block());
        if !current.is_empty() && (leaders.contains(&address) || !contiguous) {
            finish(&mut blocks, &mut current, resolved);
        }
        current.push(instruction);
    }
    if !current.is_empty() {
        finish(&mut blocks, &mut current, resolved);
    }
    blocks
}

fn finish(blocks: &mut Cut, current: &mut Vec<Instruction>, resolved: &Resolved) {
    let done = std::mem::take(current);
    let targets = done.last().map(|last| targets(last, resolved)).unwrap_or_default();
    blocks.push((done, targets));
}

/// Orders the members and takes loops apart, ignoring edges into `cut`; nothing where loops are
/// nested too deep.
fn nest(
    blocks: &[Block],
    members: &[usize],
    entries: &[usize],
    cut: &mut BTreeSet<usize>,
    depth: usize,
) -> Option<Vec<Node>> {
    let mut graph = DiGraph::<usize, ()>::new();
    let nodes: BTreeMap<usize, NodeIndex> =
        members.iter().map(|&b| (b, graph.add_node(b))).collect();
    for &block in members {
        for successor in blocks[block].successors.iter().filter(|s| !cut.contains(s)) {
            if let Some(&to) = nodes.get(successor) {
                graph.add_edge(nodes[&block], to, ());
            }
        }
    }
    // The components come in an order in which edges lead backward, so they are taken from the end.
    let components = tarjan_scc(&graph);
    let entered = entered(blocks, members, entries, &components, &graph);
    let mut parts = Vec::new();
    for component in components.into_iter().rev() {
        let mut inside: Vec<usize> = component.iter().map(|&n| graph[n]).collect();
        inside.sort_unstable();
        // A single block that branches to itself is a loop, too.
        let cyclic = inside.len() > 1 || component.iter().any(|&n| graph.contains_edge(n, n));
        if !cyclic {
            parts.push(Node::Block(inside[0]));
            continue;
        }
        let headers: Vec<usize> =
            inside.iter().copied().filter(|block| entered.contains(block)).collect();
        // Without the edges into the headers, all that still goes round in circles is inner loops.
        cut.extend(&headers);
        let body = nest(blocks, &inside, &headers, cut, depth.checked_sub(1)?)?;
        headers.iter().for_each(|header| {
            cut.remove(header);
        });
        parts.push(Node::Loop(Loop { headers, body }));
    }
    Some(parts)
}

/// Returns the members that are reached from another component, or from outside.
fn entered(
    blocks: &[Block],
    members: &[usize],
    entries: &[usize],
    components: &[Vec<NodeIndex>],
    graph: &DiGraph<usize, ()>,
) -> BTreeSet<usize> {
    let numbered = components.iter().enumerate();
    let component: BTreeMap<usize, usize> = numbered
        .flat_map(|(number, nodes)| nodes.iter().map(move |&node| (graph[node], number)))
        .collect();
    let mut entered: BTreeSet<usize> = entries.iter().copied().collect();
    for &member in members {
        let elsewhere =
            |to: &&usize| component.get(*to).is_some_and(|number| *number != component[&member]);
        entered.extend(blocks[member].successors.iter().filter(elsewhere));
    }
    entered
}
