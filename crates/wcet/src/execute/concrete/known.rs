//! Functions that the only path has come to.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Lost;
use crate::execute::granted::{Facts, Used};
use crate::flow::{Block, Function};

/// A function that is executed.
pub(super) struct Known {
    pub(super) function: Rc<Function>,
    pub(super) loops: Vec<Inside>,
    /// The loops of which each block is a header.
    pub(super) headed: Vec<Vec<usize>>,
    /// The place of each block on the way, once it was executed.
    pub(super) slots: Vec<Option<usize>>,
    /// Blocks that a fact says are never executed, or not here.
    never: Vec<bool>,
    /// The number of its calls that are under way.
    pub(super) active: u64,
    /// The most of them at once so far.
    pub(super) deepest: u64,
    /// Calls since it was called while it was not under way.
    calls: u64,
}

/// A loop of a function.
pub(super) struct Inside {
    pub(super) header: u64,
    /// The headers at which every iteration begins but the first.
    pub(super) back_to: Vec<usize>,
    pub(super) blocks: BTreeSet<usize>,
    /// The most iterations so far, for one entry.
    pub(super) most: u64,
    pub(super) is_entered: bool,
    /// The iterations that facts grant, pragmas apart.
    pub(super) granted: Option<u64>,
    /// The iterations that pragmas state.
    stated: Vec<(Used, u64)>,
}

impl Known {
    pub(super) fn new(function: Rc<Function>, facts: &Facts) -> Self {
        let mut headed = vec![Vec::new(); function.blocks.len()];
        let mut found = Vec::new();
        for (index, looping) in function.all_loops().into_iter().enumerate() {
            let mut blocks = BTreeSet::new();
            looping.blocks(&mut blocks);
            looping.headers.iter().for_each(|&header| headed[header].push(index));
            let bounds = facts.bounds(&function, looping);
            // A pragma that the path refutes is only reported. Any other fact ends this execution
            // when it is exceeded.
            let (stated, granted): (Vec<_>, Vec<_>) =
                bounds.partition(|&(fact, _)| facts.is_pragma(fact));
            found.push(Inside {
                header: function.blocks[looping.headers[0]].address(),
                back_to: function.back_to(looping),
                blocks,
                most: 0,
                is_entered: false,
                // All of these facts hold, so the smallest number does.
                granted: granted.into_iter().map(|(_, bound)| bound).min(),
                stated,
            });
        }
        let slots = vec![None; function.blocks.len()];
        // A path that jumps to a replaced function must not execute it here.
        let is_never = |block: &Block| {
            facts.never(block).is_some()
                || block.address() != function.entry && facts.replaces(block.address())
        };
        let never = function.blocks.iter().map(is_never).collect();
        Self { function, loops: found, headed, slots, never, active: 0, deepest: 0, calls: 0 }
    }

    /// The path calls it; gives how often it has in all, since it was not under way.
    pub(super) fn call(&mut self) -> u64 {
        // A fact counts calls from one that is made while none is under way.
        self.calls = if self.active == 0 { 1 } else { self.calls + 1 };
        self.active += 1;
        self.deepest = self.deepest.max(self.active);
        self.calls
    }

    /// Takes over the calls seen so far, where the function was cut into blocks again.
    pub(super) fn go_on_as(&mut self, before: &Self) {
        (self.active, self.deepest, self.calls) = (before.active, before.deepest, before.calls);
    }

    /// The path comes to a block.
    pub(super) fn enter(&self, block: usize) -> Result<(), Lost> {
        if self.never[block] { Err(Lost) } else { Ok(()) }
    }
}

impl Inside {
    /// It iterates so often.
    pub(super) fn turn(&mut self, iterations: u64) -> Result<(), Lost> {
        self.is_entered = true;
        self.most = self.most.max(iterations);
        // Sets of values show what contradicts a fact.
        self.granted.is_none_or(|granted| iterations <= granted).then_some(()).ok_or(Lost)
    }

    /// Pragmas that say less than what was executed.
    pub(super) fn refuted(&self) -> impl Iterator<Item = (Used, String)> + '_ {
        let why = |most| format!("on the only path this loop iterates {most} times");
        let less = |&&(_, stated): &&(Used, u64)| stated < self.most;
        self.stated.iter().filter(less).map(move |&(fact, _)| (fact, why(self.most)))
    }
}
