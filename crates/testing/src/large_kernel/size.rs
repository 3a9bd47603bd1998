//! The size of a program, and that with every call inlined.

use std::collections::BTreeMap;

use fusee_isa::language::{Flow, Target};
use fusee_wcet::flow::{Function, Node, Resolved};
use fusee_wcet::program::Program;

/// The size of the code reached from one function.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Functions that are reached.
    pub functions: u64,
    /// The number of their instructions.
    pub instructions: u64,
    /// Their basic blocks.
    pub blocks: u64,
    /// The number of their loops.
    pub loops: u64,
    /// Blocks once every call is inlined.
    pub inlined: u64,
}

/// The size of all that a function reaches.
///
/// # Panics
/// Where what it reaches is no code.
pub fn size(program: &Program, entry: u64) -> Size {
    let mut found = BTreeMap::new();
    let inlined = inlined(program, entry, &mut found);
    let mut size = Size { inlined, functions: found.len() as u64, ..Size::default() };
    for &address in found.keys() {
        let function = Function::find(program, address, &Resolved::new()).expect("code");
        size.blocks += function.blocks.len() as u64;
        size.instructions +=
            function.blocks.iter().map(|block| block.instructions.len() as u64).sum::<u64>();
        size.loops += loops(&function.nest);
    }
    size
}

fn inlined(program: &Program, entry: u64, found: &mut BTreeMap<u64, u64>) -> u64 {
    if let Some(&known) = found.get(&entry) {
        return known;
    }
    let function = Function::find(program, entry, &Resolved::new()).expect("code");
    let mut blocks = function.blocks.len() as u64;
    for block in &function.blocks {
        if let Flow::Call { target: Target::Fixed(callee), .. } = block.last().flow {
            blocks += inlined(program, callee, found);
        }
    }
    found.insert(entry, blocks);
    blocks
}

fn loops(nodes: &[Node]) -> u64 {
    let count = |node: &Node| match node {
        Node::Loop(inner) => 1 + loops(&inner.body),
        Node::Block(_) => 0,
    };
    nodes.iter().map(count).sum()
}
