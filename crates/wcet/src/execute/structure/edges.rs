//! The edges behind a block, by its last instruction and by facts.

use super::{Lack, Structure};
use crate::execute::engine::Missing;
use crate::execute::granted::{Boundary, Facts, Faults, Used};
use crate::flow::{Block, Function, targets};
use crate::machine::Machine;
use fusee_isa::language::{Flow, Target};

/// Something that is called, or jumped to instead of it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Called {
    /// A function, by its entry.
    Function(u64),
    /// Code at an address that takes a stated time and comes back.
    Stated(u64, u64),
    /// A place at which paths end.
    End,
}

/// The edges behind a block.
#[derive(Debug, Default)]
pub(super) struct Edges {
    /// Blocks of the function that follow it.
    pub(super) next: Vec<usize>,
    /// The code that it calls before that, if it calls any.
    pub(super) calls: Option<Vec<Called>>,
    /// True if it may go on without its call.
    pub(super) skips: bool,
    /// True if nothing of the block itself is executed: something is there instead.
    pub(super) is_replaced: bool,
    /// True if it may lead back to the caller, behind what is called.
    pub(super) returns: bool,
    /// True if a path may end behind it.
    pub(super) ends: bool,
}

/// The edges of a block, with the facts that were used and those that are missing.
#[derive(Default)]
struct Found {
    edges: Edges,
    lacks: Vec<Lack>,
    used: Vec<Used>,
    faults: Vec<u64>,
}

impl<M: Machine> Structure<'_, M> {
    /// Returns what follows a block; nothing for one that is never executed.
    pub(super) fn edges_of(&mut self, function: &Function, block: &Block) -> Option<Edges> {
        let facts = self.subject.facts;
        if let Some(never) = facts.never(block) {
            self.rest_on([never]);
            return None;
        }
        let mut found = Found::default();
        if block.address() != function.entry && facts.replaces(block.address()) {
            // A jump to such a function comes back to the caller of this one, as a tail call does.
            found.edges.is_replaced = true;
            found.edges.returns = true;
            found.edges.calls = Some(found.instead_of(facts, block.address()));
        } else {
            self.behind(function, block, &mut found);
        }
        self.rest_on(found.used);
        self.grounds.faults.extend(found.faults);
        self.lacks.extend(found.lacks);
        Some(found.edges)
    }

    /// Finds what follows a block that is executed.
    fn behind(&mut self, function: &Function, block: &Block, found: &mut Found) {
        let (facts, last) = (self.subject.facts, block.last());
        let at = last.address;
        found.edges.next.clone_from(&block.successors);
        found.edges.skips = last.guard.is_some();
        let stated = facts.times.get(&Boundary::Instruction(at)).map(|stated| stated.time);
        match last.flow {
            Flow::Next | Flow::WaitForInterrupt | Flow::Branch { .. } => {}
            Flow::Jump(Target::Fixed(_)) => {}
            Flow::Jump(Target::Computed(_)) => match stated {
                Some(time) => found.comes_back_to_caller(at, time),
                // The function was cut into blocks with these targets, so they are among its
                // successors.
                None if facts.targets.contains_key(&at) => found.used.push(Used::Targets(at)),
                None => {
                    let what = "the target of this computed jump is not known".to_owned();
                    found.lacks.push((at, what, Missing::Targets));
                }
            },
            Flow::Call { .. } => {
                let called = match stated {
                    Some(time) => found.stated(at, time),
                    None => self.callees(block, found),
                };
                if !found.edges.skips && !called.is_empty() && !self.any_comes_back(&called) {
                    found.edges.next.clear();
                    found.edges.calls = Some(called);
                    return;
                }
                found.edges.calls = Some(called);
            }
            Flow::Return { .. } => found.edges.returns = true,
            Flow::TrapReturn => found.edges.ends = true,
            Flow::SystemCall | Flow::Breakpoint => self.behind_trap(block, stated, found),
        }
        // The instruction itself names no address for these.
        if !matches!(last.flow, Flow::Return { .. } | Flow::Jump(Target::Computed(_))) {
            self.check_next(function, block, found);
        }
    }

    /// Returns whether any of what is called may come back: bytes behind a call that never does
    /// need not be code.
    fn any_comes_back(&mut self, called: &[Called]) -> bool {
        let program = self.subject.setting.program();
        called.iter().any(|called| match *called {
            Called::Function(entry) => self.code.may_come_back(program, entry),
            Called::Stated(..) => true,
            Called::End => false,
        })
    }

    /// Adds the targets that are no block of the function: control never comes there, or facts are
    /// missing.
    fn check_next(&self, function: &Function, block: &Block, found: &mut Found) {
        for target in targets(block.last(), &self.subject.facts.flows(self.subject.setting)) {
            if function.block_at(target).is_some() {
                continue;
            }
            if self.subject.facts.unreachable.contains(&target) {
                found.used.push(Used::Unreachable(target));
            } else if found.goes_on() {
                let error = self.subject.setting.instruction(target).err();
                let what =
                    error.map_or("there is no instruction here".to_owned(), |e| e.to_string());
                found.lacks.push(self.unknown_code(function, target, what));
            }
        }
    }

    /// Returns what is missing about a function in which there is code that is not known: it may be
    /// executed all the same, and how long the function takes can be stated.
    fn unknown_code(&self, function: &Function, at: u64, what: String) -> Lack {
        match function.entry == self.entry {
            true => (at, what, Missing::Nothing),
            false => {
                let place = self.subject.setting.describe(at);
                (function.entry, format!("at `{place}`: {what}"), Missing::Time)
            }
        }
    }

    fn behind_trap(&self, block: &Block, stated: Option<u64>, found: &mut Found) {
        let (facts, at) = (self.subject.facts, block.last().address);
        let is_call = block.last().flow == Flow::SystemCall;
        let next = block.last().next_address();
        let ends = |found: &mut Found, path_ends: bool| {
            found.edges.ends = path_ends;
            // With a guard the instruction may do nothing, and then control goes on.
            if !found.edges.skips {
                found.edges.next.clear();
            }
        };
        if facts.ends.contains(&Boundary::Instruction(at)) {
            found.used.push(Used::End(at));
            return ends(found, true);
        }
        if let Some(time) = stated {
            found.edges.calls = Some(found.stated(at, time));
            return;
        }
        // What is said about faults is not about system calls.
        match &facts.faults {
            _ if is_call => {
                let what = "a system call's time is not in this binary".to_owned();
                found.lacks.push((at, what, Missing::Time));
            }
            Faults::Open => {
                let what = format!("what follows this breakpoint, at {next:#x}, is not known");
                found.lacks.push((at, what, Missing::End));
            }
            Faults::Excluded(_) => {
                // The path that faults is not counted, and the result names the place.
                found.faults.push(at);
                ends(found, false);
            }
            Faults::Counted => ends(found, true),
        }
    }

    /// Returns what a call leads to.
    fn callees(&self, block: &Block, found: &mut Found) -> Vec<Called> {
        let (facts, at) = (self.subject.facts, block.last().address);
        let given = facts.targets.get(&at).into_iter().flatten().copied();
        let all: Vec<u64> = match block.callee {
            Some(callee) => vec![callee],
            None => given.collect(),
        };
        // A callee that the code tells needs no fact.
        if block.callee.is_none() && facts.targets.contains_key(&at) {
            found.used.push(Used::Targets(at));
        } else if all.is_empty() {
            let what = "the function that is called here is not known".to_owned();
            found.lacks.push((at, what, Missing::Targets));
        }
        all.into_iter().flat_map(|entry| found.called(facts, entry)).collect()
    }
}

impl Found {
    /// Returns whether control goes on behind the block at all.
    fn goes_on(&self) -> bool {
        // An empty list: facts exclude every call here, or targets are missing, which is said
        // already.
        let never = self.edges.calls.as_ref().is_some_and(Vec::is_empty);
        let ended = self.edges.ends && self.edges.next.is_empty();
        !(never || ended) || self.edges.skips
    }

    /// Returns what a call of a function leads to, nothing where nobody calls it.
    fn called(&mut self, facts: &Facts, entry: u64) -> Vec<Called> {
        if facts.unreachable.contains(&entry) {
            self.used.push(Used::Unreachable(entry));
            return Vec::new();
        }
        if facts.replaces(entry) {
            return self.instead_of(facts, entry);
        }
        vec![Called::Function(entry)]
    }

    /// Returns what is there instead of a function that is not executed.
    fn instead_of(&mut self, facts: &Facts, entry: u64) -> Vec<Called> {
        let boundary = Boundary::Function(entry);
        if facts.ends.contains(&boundary) {
            self.used.push(Used::End(entry));
            return vec![Called::End];
        }
        match facts.times.get(&boundary) {
            Some(stated) => self.stated(entry, stated.time),
            // What is left are functions that report faults, and those are excluded.
            None => {
                self.faults.push(entry);
                Vec::new()
            }
        }
    }

    fn stated(&mut self, at: u64, time: u64) -> Vec<Called> {
        self.used.push(Used::Time(at));
        vec![Called::Stated(at, time)]
    }

    /// A jump leads to code that takes a stated time and returns to the caller.
    fn comes_back_to_caller(&mut self, at: u64, time: u64) {
        self.edges.calls = Some(self.stated(at, time));
        self.edges.returns = true;
        if !self.edges.skips {
            self.edges.next.clear();
        }
    }
}
