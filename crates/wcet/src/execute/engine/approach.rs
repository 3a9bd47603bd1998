//! Comparisons for equality that a number comes nearer to, never going beyond.
//!
//! A loop that goes on while `i != n` goes on for ever if `i` ever jumps over
//! `n`. It does not if `i` begins no further than `n`, a whole number of steps
//! away, if each iteration adds one step to it, if `n` stays what it is, if
//! every iteration that comes back has asked, and if the loop is left where both
//! are equal. Then `i != n` says `i < n`. What can be seen of that before the
//! iterations are executed is looked at here; the rest is held against the very
//! execution that the answer follows from.

use std::collections::BTreeSet;

use super::Engine;
use super::mode::Mode;
use crate::execute::compared::{Approach, Compared, Watched};
use crate::execute::induction::{General, Induction};
use crate::execute::path::{Frame, Path};
use crate::flow::{Block, Function, Loop};
use crate::machine::Machine;
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Comparison, Flow, Guard, Instruction};

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Returns what can be seen of approaches before iterations are executed.
    pub(super) fn approaching(
        &self,
        frame: &Frame<M::Timing>,
        looping: &Loop,
        general: &General<M::Timing>,
        watched: &Watched,
    ) -> Vec<Approach> {
        let mut approaches: Vec<Approach> = Vec::new();
        // A comparison that was not kept could stand against an approach.
        if watched.is_full() {
            return approaches;
        }
        for compared in &watched.compared {
            let [left, right] = compared.sides;
            for (mine, other, is_left) in [(left, right, true), (right, left, false)] {
                // A step of two lengths could jump over the end.
                let of = |(index, moving): (usize, &Induction)| {
                    let (low, high) = moving.step;
                    let own = moving.name.is_some_and(|name| mine.0.base == Base::Symbol(name));
                    let steady = own
                        && low == high
                        && is_steady(general, other.0)
                        && moving.nears(mine.0, other.1);
                    steady.then_some((index, low))
                };
                let Some((mover, step)) = general.moving.iter().enumerate().find_map(of) else {
                    continue;
                };
                let (address, depth) = (compared.address, watched.depth);
                approaches.push(Approach {
                    address,
                    depth,
                    mover,
                    step,
                    sides: (mine.0, other.0),
                    is_left,
                });
            }
        }
        let same = |one: &Approach, compared: &Compared| {
            compared.address != one.address
                || one.is_about(compared) && {
                    let (mine, other) = one.of(compared.sides);
                    general.moving[one.mover].nears(mine.0, other.1)
                }
        };
        // A branch that compares something else on another way tells no order.
        approaches.retain(|one| watched.compared.iter().all(|compared| same(one, compared)));
        let ends = |one: &Approach| {
            is_passed(frame, looping, one.address)
                && is_left_when_equal(frame, looping, one.address)
        };
        approaches.retain(ends);
        // Only one order is asked of each branch.
        approaches.dedup_by_key(|one| one.address);
        approaches
    }

    /// Returns whether what was taken for an approach has shown itself as one in this iteration.
    pub(super) fn has_approached(
        &self,
        general: &General<M::Timing>,
        begin: &Path<M::Timing>,
        backs: &[Path<M::Timing>],
    ) -> bool {
        // Nothing was watched, so no approach has shown itself.
        let Some(watched) = &self.loops.watched else { return self.loops.approaches.is_empty() };
        self.loops.approaches.iter().all(|one| {
            let moving = &general.moving[one.mover];
            let compared =
                watched.compared.iter().filter(|compared| compared.address == one.address);
            let stays = |variable| {
                let value = begin.state.look(variable);
                let own = value.is_some_and(|value| {
                    value.base == one.sides.1.base && value.range.as_constant().is_some()
                });
                own && backs.iter().all(|back| back.state.look(variable) == value)
            };
            // The other side must be a constant, or a name that still stands for the same number
            // behind the iteration. A mover without places turned out not to move that way.
            !watched.is_full()
                && !moving.variables.is_empty()
                && moving.step == (one.step, one.step)
                && compared.clone().all(|compared| one.is_about(compared))
                && (one.sides.1.as_constant().is_some()
                    || begin.state.variables().into_iter().any(stays))
        })
    }
}

impl Induction {
    /// Returns whether it begins no further than those numbers, a whole number of steps away, where
    /// it is compared.
    fn nears(&self, side: Value, other: Range) -> bool {
        let Some(distance) = side.range.as_constant() else { return false };
        let Some(start) = self.start.range.shifted(distance) else { return false };
        let step = self.step.0;
        // A number beyond the end would have to wrap around to meet it.
        let before = if step > 0 {
            start.high() <= other.low()
        } else {
            step < 0 && start.low() >= other.high()
        };
        let whole = |number: u64| number.is_multiple_of(step.unsigned_abs().max(1));
        // A distance that is not a whole number of steps leads over the end.
        before
            && whole(start.low().abs_diff(other.low()))
            && whole(start.stride())
            && whole(other.stride())
    }
}

/// Returns whether a number is the same in all iterations, as far as their beginning tells.
fn is_steady<T>(general: &General<T>, value: Value) -> bool {
    if value.range.as_constant().is_none() {
        return false;
    }
    match value.base {
        Base::None => true,
        Base::Stack => false,
        Base::Symbol(name) => general.moving.iter().all(|moving| moving.name != Some(name)),
    }
}

/// Returns whether no way through an iteration gets around a branch.
fn is_passed<T>(frame: &Frame<T>, looping: &Loop, address: u64) -> bool {
    // Each iteration passes the branch at the end of its header.
    let header = &frame.function.blocks[looping.headers[0]];
    header.last().address == address
        || !leads_back(frame, looping, header.successors.clone(), Some(address))
}

/// Returns `true` if no way leads back from a branch where the numbers that it compares are equal:
/// a path that goes on from there is beyond the place that it came nearer to.
fn is_left_when_equal<T>(frame: &Frame<T>, looping: &Loop, address: u64) -> bool {
    let function = &frame.function;
    let mut branches = function.blocks.iter().filter(|block| block.last().address == address);
    branches.all(|block| !leads_back(frame, looping, when_equal(function, block), None))
}

/// Returns where a block may lead to when the numbers are equal that its last instruction compares.
/// Behind one that is not executed then may be another one that asks the same.
fn when_equal(function: &Function, block: &Block) -> Vec<usize> {
    let last = block.last();
    let next = function.block_at(last.next_address());
    match (&last.guard, last.flow) {
        (None, Flow::Branch { comparison: Comparison::Equal, target, .. }) => {
            function.block_at(target).into_iter().collect()
        }
        (None, Flow::Branch { comparison: Comparison::NotEqual, .. }) => next.into_iter().collect(),
        (Some(Guard { comparison: Comparison::NotEqual, .. }), _) => {
            match next.map(|next| &function.blocks[next]).filter(|next| asks_again(last, next)) {
                Some(again) => when_equal(function, again),
                None => next.into_iter().collect(),
            }
        }
        (Some(Guard { comparison: Comparison::Equal, .. }), Flow::Return { .. }) => {
            block.successors.iter().copied().filter(|&to| Some(to) != next).collect()
        }
        // What another branch does at equality is not known, so every way out of it counts.
        _ => block.successors.clone(),
    }
}

/// Returns whether a block is one instruction that compares what one before it compared that was
/// not executed and did nothing.
fn asks_again(skipped: &Instruction, block: &Block) -> bool {
    let compared = |one: &Instruction| match (&one.guard, one.flow) {
        (Some(guard), _) => Some((guard.left, guard.right)),
        (None, Flow::Branch { left, right, .. }) => Some((left, right)),
        _ => None,
    };
    let did_nothing = skipped.guard.as_ref().is_some_and(|guard| guard.otherwise.is_empty());
    did_nothing && block.instructions.len() == 1 && compared(skipped) == compared(block.last())
}

/// Returns whether some way leads from one of these blocks to the loop's header, within the loop
/// and not past a branch.
fn leads_back<T>(
    frame: &Frame<T>,
    looping: &Loop,
    mut open: Vec<usize>,
    without: Option<u64>,
) -> bool {
    let mut inside = BTreeSet::new();
    looping.blocks(&mut inside);
    while let Some(index) = open.pop() {
        if index == looping.headers[0] {
            return true;
        }
        let block = &frame.function.blocks[index];
        // What was seen before is taken out.
        if inside.remove(&index) && Some(block.last().address) != without {
            open.extend(&block.successors);
        }
    }
    false
}
