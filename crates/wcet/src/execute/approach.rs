//! Comparisons for equality that a number comes nearer to, never going beyond.
//!
//! A loop that goes on while `i != n` goes on for ever if `i` ever jumps over `n`.
//! It does not if `i` begins no further than `n`, a whole number of steps away, if
//! each round adds one step to it, if `n` stays what it is, and if every round that
//! comes back has asked. Then `i != n` says `i < n`. What can be seen of that
//! before the rounds are executed is looked at here; the rest is held against the
//! very execution that the answer follows from.

use std::collections::BTreeSet;

use super::engine::{Engine, Frame, Path};
use super::general::{General, Moving};
use crate::flow::{Loop, Node};
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Base, Range, Value};

/// Comparisons that are looked at.
const WATCHED: usize = 256;

/// What a branch compared, with the numbers of both sides.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compared {
    address: u64,
    pub(super) sides: [(Value, Range); 2],
}

/// What the branches of a loop compare that are in no loop inside of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Watched {
    depth: usize,
    branches: BTreeSet<u64>,
    pub(super) compared: Vec<Compared>,
}

/// A number that moves towards another one, and is compared with it in every round.
#[derive(Debug, Clone, Copy)]
pub(super) struct Approach {
    address: u64,
    depth: usize,
    /// Which of the numbers that move, and by how much.
    mover: usize,
    step: i64,
    /// What is compared: the number that moves, the other one; whether the first stands on the
    /// left.
    sides: (Value, Value),
    is_left: bool,
}

impl Watched {
    /// Nothing was compared yet in a loop of a function so deep in calls.
    pub(super) fn new(depth: usize, looping: &Loop, blocks: &[crate::flow::Block]) -> Self {
        let own = |node: &Node| match node {
            Node::Block(block) => Some(blocks[*block].last().address),
            Node::Loop(_) => None,
        };
        Self {
            depth,
            branches: looping.body.iter().filter_map(own).collect(),
            compared: Vec::new(),
        }
    }

    /// Whether not all comparisons could be kept.
    fn is_full(&self) -> bool {
        self.compared.len() >= WATCHED
    }
}

impl<M: Machine> Engine<'_, M> {
    /// Notes what a branch compares.
    pub(super) fn watch(&mut self, state: &State, address: u64, (left, right): (Value, Value)) {
        let depth = self.calls.len();
        if let Some(watched) = self.watched.as_mut()
            && watched.depth == depth
            && watched.branches.contains(&address)
            && !watched.is_full()
        {
            let sides = [(left, state.numbers(left)), (right, state.numbers(right))];
            watched.compared.push(Compared { address, sides });
        }
    }

    /// Whether two numbers that the branch here finds to differ are in order: the left one below
    /// the right one, or above.
    pub(super) fn in_order(&self) -> Option<bool> {
        let depth = self.calls.len();
        let here =
            self.approaches.iter().find(|one| one.address == self.at && one.depth == depth)?;
        Some((here.step > 0) == here.is_left)
    }

    /// What can be seen of approaches before rounds are executed.
    pub(super) fn approaching(
        &self,
        frame: &Frame<M::Timing>,
        looping: &Loop,
        general: &General<M::Timing>,
        watched: &Watched,
    ) -> Vec<Approach> {
        let mut approaches: Vec<Approach> = Vec::new();
        if watched.is_full() {
            return approaches;
        }
        for compared in &watched.compared {
            let [left, right] = compared.sides;
            for (mine, other, is_left) in [(left, right, true), (right, left, false)] {
                let of = |(index, moving): (usize, &Moving)| {
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
                    let [left, right] = compared.sides;
                    let (mine, other) = if one.is_left { (left, right) } else { (right, left) };
                    general.moving[one.mover].nears(mine.0, other.1)
                }
        };
        approaches.retain(|one| watched.compared.iter().all(|compared| same(one, compared)));
        approaches.retain(|one| is_passed(frame, looping, one.address));
        approaches.dedup_by_key(|one| one.address);
        approaches
    }

    /// Whether what was taken for an approach has shown itself as one in this round.
    pub(super) fn has_approached(
        &self,
        general: &General<M::Timing>,
        begin: &Path<M::Timing>,
        backs: &[Path<M::Timing>],
    ) -> bool {
        let Some(watched) = &self.watched else { return self.approaches.is_empty() };
        self.approaches.iter().all(|one| {
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
            !watched.is_full()
                && !moving.variables.is_empty()
                && moving.step == (one.step, one.step)
                && compared.clone().all(|compared| one.is_about(compared))
                && (one.sides.1.as_constant().is_some()
                    || begin.state.variables().into_iter().any(stays))
        })
    }
}

impl Approach {
    fn is_about(&self, compared: &Compared) -> bool {
        let [(left, _), (right, _)] = compared.sides;
        self.sides == if self.is_left { (left, right) } else { (right, left) }
    }
}

impl Moving {
    /// Whether it begins no further than those numbers, a whole number of steps away, where it is
    /// compared.
    fn nears(&self, side: Value, other: Range) -> bool {
        let Some(distance) = side.range.as_constant() else { return false };
        let Some(start) = self.start.range.shifted(distance) else { return false };
        let step = self.step.0;
        let before = if step > 0 {
            start.high() <= other.low()
        } else {
            step < 0 && start.low() >= other.high()
        };
        let whole = |number: u64| number.is_multiple_of(step.unsigned_abs().max(1));
        before
            && whole(start.low().abs_diff(other.low()))
            && whole(start.stride())
            && whole(other.stride())
    }
}

/// Whether a number is the same in all rounds, as far as their beginning tells.
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

/// Whether no way through a round gets around a branch.
fn is_passed<T>(frame: &Frame<T>, looping: &Loop, address: u64) -> bool {
    let mut inside = BTreeSet::new();
    looping.blocks(&mut inside);
    let blocks = &frame.function.blocks;
    let header = looping.headers[0];
    let mut open = vec![header];
    let mut seen = BTreeSet::from([header]);
    while let Some(block) = open.pop() {
        if blocks[block].last().address == address {
            continue;
        }
        for &next in blocks[block].successors.iter().filter(|next| inside.contains(next)) {
            if next == header {
                return false;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    true
}
