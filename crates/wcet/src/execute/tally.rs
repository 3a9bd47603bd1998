//! What facts across regions must know of a path.
//!
//! An exclusion is kept by marks: a path that has been at one of the places
//! carries its mark, is not joined with paths that carry others, and ends where it
//! comes to another of the places. That is exact, and costs no more than the
//! states that are kept apart.
//!
//! A total is kept by a price. Each call (or round) in which it counts begins with
//! the price of all rounds added to the path's worth, and each round takes its
//! price off again. A path that keeps to the total has lost nothing, so the worth
//! of the best path is a bound at any price; `prices` finds the best one. This is
//! the linear program's dual, solved by the longest path that is needed anyway.

use super::engine::{Engine, Frame, Path};
use super::granted::{Exclusion, Used};
use crate::flow::{Block, Function, Loop, Node};
use crate::machine::Machine;

/// What is noted of a path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// A bit for each place of an exclusion at which it has been.
    pub(super) marks: u64,
    /// For each total, the rounds that were granted and not used; empty where there are no totals.
    pub(super) left: Option<Box<[i64]>>,
}

impl Tally {
    pub(super) fn new(totals: usize) -> Self {
        Self { marks: 0, left: (totals > 0).then(|| vec![0; totals].into()) }
    }

    fn grant(&mut self, total: usize, rounds: i64) {
        if let Some(left) = self.left.as_mut().and_then(|left| left.get_mut(total)) {
            *left = left.saturating_add(rounds);
        }
    }
}

/// The bits of the exclusions, in their order.
fn bits(exclusions: &[Exclusion]) -> impl Iterator<Item = (usize, &Exclusion, u32, u64)> {
    exclusions.iter().enumerate().scan(0u32, |first, (index, exclusion)| {
        let (from, length) = (*first, exclusion.places.len() as u32);
        *first += length;
        let all =
            (0..length).filter_map(|n| 1u64.checked_shl(from + n)).fold(0, |all, bit| all | bit);
        Some((index, exclusion, from, all))
    })
}

impl<M: Machine> Engine<'_, M> {
    /// A path's time with what totals grant it.
    pub(super) fn worth(&self, path: &Path<M::Timing>) -> i128 {
        let granted = match &path.tally.left {
            Some(left) => left
                .iter()
                .zip(self.prices)
                .map(|(&left, &price)| i128::from(left) * i128::from(price))
                .sum(),
            None => 0,
        };
        i128::from(path.time) + granted
    }

    /// Notes that a path is at a block; says whether it can be.
    pub(super) fn passes(&mut self, block: &Block, path: &mut Path<M::Timing>) -> bool {
        let facts = self.facts;
        let begins = |during: Option<u64>| {
            during == Some(block.address()) && self.calls.last() != during.as_ref()
        };
        for (index, total) in
            facts.totals.iter().enumerate().filter(|(_, total)| begins(total.during))
        {
            path.tally.grant(index, rounds(total.rounds));
        }
        for (index, exclusion, first, all) in bits(&facts.exclusions) {
            if begins(exclusion.during) {
                path.tally.marks &= !all;
            }
            let here =
                exclusion.places.iter().enumerate().filter(|(_, place)| place.is_block(block));
            for own in here.filter_map(|(n, _)| 1u64.checked_shl(first + n as u32)) {
                if path.tally.marks & all & !own != 0 {
                    self.findings.rest_on(Used::Exclusion(index));
                    return false;
                }
                path.tally.marks |= own;
            }
        }
        true
    }

    /// The marks that count during one call of a function only.
    pub(super) fn marks_of_call(&self, entry: u64) -> u64 {
        let during = |(_, exclusion, _, all): (_, &Exclusion, _, u64)| {
            (exclusion.during == Some(entry)).then_some(all)
        };
        bits(&self.facts.exclusions).filter_map(during).fold(0, |marks, all| marks | all)
    }

    /// Grants the totals that count during one call of a function.
    pub(super) fn grant_call(&self, function: &Function, paths: &mut [Path<M::Timing>]) {
        for (index, total) in self.facts.totals.iter().enumerate() {
            let own = |total: &super::granted::Total| {
                any_loop(&function.nest, &|l| total.looping.is_loop(function, l))
            };
            if total.during == Some(function.entry) || total.during.is_none() && own(total) {
                paths.iter_mut().for_each(|path| path.tally.grant(index, rounds(total.rounds)));
            }
        }
    }

    /// The totals that count the rounds of a loop here.
    pub(super) fn totals_of(&self, frame: &Frame<M::Timing>, looping: &Loop) -> Vec<usize> {
        let counts = |during: Option<u64>| {
            during.is_none_or(|at| {
                self.calls.contains(&at) || self.loops.iter().any(|&(header, _)| header == at)
            })
        };
        let totals = self.facts.totals.iter().enumerate();
        let here =
            totals.filter(|(_, t)| counts(t.during) && t.looping.is_loop(&frame.function, looping));
        here.map(|(index, _)| index).collect()
    }

    /// Takes one round off what totals grant to the paths at a loop's headers.
    pub(super) fn count_round(
        &self,
        frame: &mut Frame<M::Timing>,
        looping: &Loop,
        totals: &[usize],
    ) {
        for &header in &looping.headers {
            for path in &mut frame.waiting[header] {
                totals.iter().for_each(|&total| path.tally.grant(total, -1));
            }
        }
    }
}

fn rounds(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn any_loop(nodes: &[Node], holds: &impl Fn(&Loop) -> bool) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(looping) => holds(looping) || any_loop(&looping.body, holds),
        Node::Block(_) => false,
    })
}
