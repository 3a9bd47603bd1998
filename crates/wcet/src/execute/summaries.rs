//! The results of self-contained functions, by their inputs.
//!
//! Arithmetic that a processor lacks is done by functions: a loop that computes
//! calls them again and again, each a hundred blocks long, and each time with
//! numbers of which as little is known. What such a call comes to is kept, and
//! the next one that is entered with the same costs as much as a block.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::findings::Findings;
use super::ways::Visit;
use crate::flow::{Block, Function};
use crate::state::{Outside, State, Stored};
use crate::value::{Base, Value};
use fusee_isa::language::{Effect, Flow, Operand, Register, Target, Width};

/// Inputs that are remembered of a function, and summaries that are kept.
const KEPT: usize = 32;
/// Executions for a summary that are not worth it, of each function.
const TRIALS: u64 = 8;
/// The part of the time by which a result for all inputs of a function may take longer.
const DEARER: u64 = 4;
/// Executions that have found none, after which a function is not executed for one any more.
const FAILURES: u64 = 4;

/// The registers where a function is entered on which its result depends, with what they hold.
pub(super) type Inputs = Vec<(Register, Value)>;

/// The result of an execution of a function for itself.
pub(super) struct Summary<T> {
    pub(super) inputs: Inputs,
    /// The timing with which it was entered.
    pub(super) timing: T,
    pub(super) ends: Vec<End<T>>,
    /// Its stores in its frame.
    pub(super) stores: Vec<Stored>,
    /// The memory that it touched elsewhere.
    pub(super) outside: Outside,
    pub(super) findings: Rc<Findings>,
    /// Its number among all summaries, once it is kept.
    pub(super) number: u64,
}

/// A path behind its return.
pub(super) struct End<T> {
    pub(super) state: State,
    pub(super) timing: T,
    /// The time that it takes.
    pub(super) time: u64,
    pub(super) way: Vec<Visit>,
}

/// A function that is executed for itself: what it was seen to do.
#[derive(Default)]
pub(super) struct Alone {
    /// The end of its frame.
    pub(super) frame: i64,
    /// Its stores: the place and the width.
    pub(super) stores: BTreeSet<(i64, Width)>,
    /// The memory that it may have touched elsewhere.
    pub(super) outside: Outside,
    /// True if it touched what it must not.
    pub(super) is_open: bool,
}

/// The results of all functions.
pub(super) struct Summaries<T> {
    functions: BTreeMap<u64, Known<T>>,
    /// The registers that functions read before they change them, if nothing in them stores
    /// elsewhere than on the stack.
    read: BTreeMap<u64, Option<u128>>,
    /// The execution for a summary, while there is one.
    pub(super) alone: Option<Alone>,
    /// The number of summaries that were found.
    found: u64,
}

/// The results of a function.
struct Known<T> {
    calls: u64,
    /// Executions for summaries, and how often a summary was of use.
    trials: u64,
    uses: u64,
    failures: u64,
    /// True if it was tried to execute it for whatever it is entered with.
    is_tried: bool,
    seen: Vec<Inputs>,
    summaries: Vec<Rc<Summary<T>>>,
    /// The longest time of all of them.
    longest: u64,
    /// The one for whatever it is entered with.
    any: Option<Rc<Summary<T>>>,
}

impl<T> Summary<T> {
    /// Returns the longest of its times.
    pub(super) fn time(&self) -> u64 {
        self.ends.iter().map(|end| end.time).max().unwrap_or(0)
    }
}

/// Returns whether what is found for some inputs holds for others as well.
pub(super) fn allows(some: &Inputs, others: &Inputs) -> bool {
    let same = |(one, other): (&(Register, Value), &(Register, Value))| {
        one.0 == other.0
            && one.1.base == other.1.base
            && match one.1.base {
                // A set of numbers covers its parts. An address in the stack is one place, where
                // only the same one will do.
                Base::None => one.1.range.includes(other.1.range),
                _ => one.1 == other.1,
            }
    };
    some.len() == others.len() && some.iter().zip(others).all(same)
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        let (calls, trials, uses, failures, is_tried) = Default::default();
        let (seen, summaries, longest, any) = Default::default();
        Self { calls, trials, uses, failures, is_tried, seen, summaries, longest, any }
    }
}

impl<T> Default for Summaries<T> {
    fn default() -> Self {
        Self { functions: BTreeMap::new(), read: BTreeMap::new(), alone: None, found: 0 }
    }
}

impl<T> Summaries<T> {
    /// A function is called; says whether it was before.
    pub(super) fn is_called_again(&mut self, entry: u64) -> bool {
        let known = self.functions.entry(entry).or_default();
        known.calls += 1;
        known.calls > 1
    }

    /// The summary of a function that is entered with these inputs, or with others that `allow`
    /// them, and a timing that `covers`.
    pub(super) fn find(
        &mut self,
        entry: u64,
        allow: impl Fn(&Inputs) -> bool,
        covers: impl Fn(&T) -> bool,
    ) -> Option<Rc<Summary<T>>> {
        let known = self.functions.get_mut(&entry)?;
        // A result for all inputs is left out where it would lengthen the bound by much.
        let any =
            known.any.iter().filter(|one| one.time() <= known.longest + known.longest / DEARER);
        let mut all = known.summaries.iter().chain(any);
        let found = all.find(|one| allow(&one.inputs) && covers(&one.timing));
        known.uses += u64::from(found.is_some());
        found.cloned()
    }

    /// Returns whether a function is to be executed for a summary: it was entered like that before,
    /// and is worth it.
    pub(super) fn asks_for(&mut self, entry: u64, inputs: &Inputs) -> bool {
        let known = self.functions.entry(entry).or_default();
        if known.seen.contains(inputs) {
            known.trials += 1;
            // Each use of a summary has saved an execution, and so pays for another trial.
            return known.failures < FAILURES && known.trials <= TRIALS + known.uses;
        }
        // The oldest inputs go, because calls that are alike mostly follow each other soon.
        if known.seen.len() >= KEPT {
            known.seen.remove(0);
        }
        known.seen.push(inputs.clone());
        false
    }

    /// Returns whether it is to be tried what a function comes to whatever it is entered with:
    /// once.
    pub(super) fn asks_for_any(&mut self, entry: u64) -> bool {
        let known = self.functions.entry(entry).or_default();
        // Any inputs are always the same, so a second try would find nothing else.
        known.failures < FAILURES && !std::mem::replace(&mut known.is_tried, true)
    }

    /// An execution for a summary has found none.
    pub(super) fn failed(&mut self, entry: u64) {
        self.functions.entry(entry).or_default().failures += 1;
    }

    /// A summary was found; the oldest one makes room for it.
    pub(super) fn keep(&mut self, entry: u64, mut summary: Summary<T>) {
        summary.number = self.count();
        let known = self.functions.entry(entry).or_default();
        // Of summaries that went as well: it only tells what is much longer.
        known.longest = known.longest.max(summary.time());
        // A search goes through all of them, so they must stay few.
        if known.summaries.len() >= KEPT {
            known.summaries.remove(0);
        }
        known.summaries.push(Rc::new(summary));
    }

    /// The summary for whatever a function is entered with; it counts once it is hardly longer than
    /// one that is known of what it was entered with.
    pub(super) fn keep_any(&mut self, entry: u64, mut summary: Summary<T>) {
        summary.number = self.count();
        self.functions.entry(entry).or_default().any = Some(Rc::new(summary));
    }

    /// The number of one more summary.
    pub(super) fn count(&mut self) -> u64 {
        self.found += 1;
        self.found
    }

    /// Code turned out to be other than it was taken to be.
    pub(super) fn forget(&mut self) {
        self.functions.clear();
        self.read.clear();
    }

    /// Returns the registers that a function reads before it changes them, if that was asked
    /// before.
    pub(super) fn read(&self, entry: u64) -> Option<Option<u128>> {
        self.read.get(&entry).copied()
    }

    /// Notes the registers that a function reads.
    pub(super) fn note_read(&mut self, entry: u64, read: Option<u128>) {
        self.read.insert(entry, read);
    }
}

/// Returns the functions that a function calls, where nothing in it stores elsewhere than through
/// these registers, if they are told, by what is written there.
pub(super) fn calls_of(function: &Function, frame: Option<&[Register]>) -> Option<BTreeSet<u64>> {
    let is_frame = |operand| {
        frame.is_none_or(|frame| frame.iter().any(|&one| Operand::Register(one) == operand))
    };
    let keeps = |effect: &Effect| match effect {
        Effect::Store { address, .. } => is_frame(address.base),
        Effect::Atomic { .. } => false,
        _ => true,
    };
    let mut calls = BTreeSet::new();
    for block in &function.blocks {
        if !block.instructions.iter().flat_map(|one| &one.effects).all(keeps) {
            return None;
        }
        match block.last().flow {
            // A call through a register can lead to anything, so nothing is told of the function
            // then.
            Flow::Call { .. } => drop(calls.insert(block.callee?)),
            // What these do is not in the function's own code.
            Flow::SystemCall | Flow::TrapReturn | Flow::WaitForInterrupt => return None,
            _ => {}
        }
    }
    Some(calls)
}

/// Returns the registers that a function reads before it changes them; `called` tells those of
/// functions that it calls.
pub(super) fn read_by(function: &Function, called: &dyn Fn(u64) -> u128) -> u128 {
    let blocks = &function.blocks;
    let mut live = vec![0u128; blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        // What is read goes backwards, so the last blocks first take the fewest turns.
        for (index, block) in blocks.iter().enumerate().rev() {
            let behind = block.successors.iter().fold(0, |all, &next| all | live[next]);
            let before = read_in(block, behind, called);
            changed |= before != live[index];
            live[index] = before;
        }
    }
    function.block_at(function.entry).map_or(0, |start| live[start])
}

/// Returns the registers that are read from a block on, where those are that are read behind it.
fn read_in(block: &Block, behind: u128, called: &dyn Fn(u64) -> u128) -> u128 {
    let of = |operand: Operand| match operand {
        Operand::Register(register) => 1u128 << register.index(),
        Operand::Constant(_) => 0,
    };
    let mut live = behind;
    // What the callee writes stays live: it may not write it on all of its ways.
    if let Some(callee) = block.callee {
        live |= called(callee);
    }
    for instruction in block.instructions.iter().rev() {
        if let Flow::Branch { left, right, .. } = instruction.flow {
            live |= of(left) | of(right);
        }
        if let Flow::Jump(Target::Computed(address))
        | Flow::Call { target: Target::Computed(address), .. } = instruction.flow
        {
            live |= of(address.base);
        }
        for effect in instruction.effects.iter().rev() {
            // An instruction with a guard may leave the old value, which is read behind it then.
            if let Some(target) = effect.target().filter(|_| instruction.guard.is_none()) {
                live &= !(1u128 << target.index());
            }
            live |= effect.operands().fold(0, |all, operand| all | of(operand));
        }
        if let Some(guard) = &instruction.guard {
            live |= of(guard.left) | of(guard.right);
            let operands = guard.otherwise.iter().flat_map(Effect::operands);
            live |= operands.fold(0, |all, operand| all | of(operand));
        }
    }
    live
}
