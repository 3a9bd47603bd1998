//! The code of a program, as far as its flow is known.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::flow::{Block, Function, Resolved};
use crate::program::Program;
use fusee_isa::DecodeError;
use fusee_isa::language::Flow;

/// Functions cut into blocks, and where computed jumps lead.
#[derive(Debug, Default)]
pub(super) struct Code {
    resolved: Resolved,
    functions: BTreeMap<u64, Rc<Function>>,
}

impl Code {
    /// Nothing is known but where some jumps lead.
    pub(super) fn new(resolved: Resolved) -> Self {
        Self { resolved, functions: BTreeMap::new() }
    }

    /// The function that begins at an entry, and how many instructions were decoded for it.
    pub(super) fn function(
        &mut self,
        program: &Program,
        entry: u64,
    ) -> Result<(Rc<Function>, u64), DecodeError> {
        if let Some(function) = self.functions.get(&entry) {
            return Ok((function.clone(), 0));
        }
        let function = Function::find(program, entry, &self.resolved)?;
        let decoded = function.blocks.iter().map(|block| block.instructions.len() as u64).sum();
        self.functions.insert(entry, function.clone());
        Ok((function, decoded))
    }

    /// Returns the function that begins at an entry, if it was called before.
    pub(super) fn get(&self, entry: u64) -> Option<&Function> {
        self.functions.get(&entry).map(Rc::as_ref)
    }

    /// Returns `true` if some way may lead from an entry back to its caller: calls of functions
    /// that never come back themselves are no way, whether they were executed or not.
    pub(super) fn may_come_back(&mut self, program: &Program, entry: u64) -> bool {
        let mut open = vec![entry];
        let mut reached = BTreeMap::new();
        let mut back = BTreeSet::new();
        while let Some(entry) = open.pop() {
            if reached.contains_key(&entry) || back.contains(&entry) {
                continue;
            }
            match self.function(program, entry) {
                // What is asked here is no execution, so it counts as no work.
                Ok((function, _)) => {
                    open.extend(function.callees());
                    reached.insert(entry, function);
                }
                // What cannot be read may do anything.
                Err(_) => {
                    back.insert(entry);
                }
            }
        }
        // The least such set: a function that comes back only if it comes back itself never does.
        loop {
            let known = back.len();
            reached.retain(|&entry, function| {
                let comes_back = function.comes_back(|called| back.contains(&called));
                if comes_back {
                    back.insert(entry);
                }
                !comes_back
            });
            if back.len() == known {
                return back.contains(&entry);
            }
        }
    }

    /// Returns whether some way may lead from an entry back to what a trap has interrupted.
    pub(super) fn may_leave_trap(&mut self, program: &Program, entry: u64) -> bool {
        let mut open = vec![entry];
        let mut reached = BTreeSet::new();
        while let Some(entry) = open.pop() {
            if !reached.insert(entry) {
                continue;
            }
            // Whoever misses a return from a trap here asks for a fact too many, which makes no
            // bound too low.
            let Ok((function, _)) = self.function(program, entry) else { continue };
            let leaves = |block: &Block| block.last().flow == Flow::TrapReturn;
            if function.blocks.iter().any(leaves) {
                return true;
            }
            open.extend(function.callees());
        }
        false
    }

    /// The blocks of all functions that were called.
    pub(super) fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.functions.values().flat_map(|function| &function.blocks)
    }

    /// Returns whether a jump is known to lead to all of these.
    pub(super) fn knows(&self, jump: u64, targets: &BTreeSet<u64>) -> bool {
        let known = self.resolved.get(&jump);
        targets.iter().all(|target| known.is_some_and(|known| known.contains(target)))
    }

    /// Notes that a computed jump leads somewhere new: functions that have it are cut into blocks
    /// again.
    pub(super) fn learn(&mut self, jump: u64, targets: BTreeSet<u64>) {
        self.resolved.entry(jump).or_default().extend(targets);
        self.functions.retain(|_, function| !function.holds(jump));
    }

    /// The same where the functions that have it are not known.
    pub(super) fn begin_again(&mut self, jump: u64, targets: BTreeSet<u64>) {
        self.resolved.entry(jump).or_default().extend(targets);
        self.functions.clear();
    }
}
