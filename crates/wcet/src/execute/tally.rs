//! The counts of a path that facts across regions need.
//!
//! An exclusion is kept by marks: a path that has been at one of the places
//! carries its mark, is not joined with paths that carry others, and ends where
//! it comes to another of the places. That is exact, and costs no more than the
//! states that are kept apart.
//!
//! A total is kept by its dual multiplier, the price of an iteration. Each call
//! (or iteration) in which it counts begins with the price of all iterations
//! added to the path's worth, and each iteration takes its price off again. A
//! path that keeps to the total has lost nothing, so the worth of the best path
//! is a bound at any price; `multipliers` finds the best one. This is the
//! linear program's dual, solved by the longest path that is needed anyway.

use super::granted::{Exclusion, Facts, Total, Used};
use crate::flow::{Block, Function, Loop, Node};

/// The marks of a path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// A bit for each place of an exclusion at which it has been.
    pub(super) marks: u64,
    /// For each total, the iterations that were granted and not used; empty where there are no
    /// totals.
    pub(super) left: Option<Box<[i64]>>,
}

impl Tally {
    pub(super) fn new(totals: usize) -> Self {
        // Without totals there is no list, because every copy of a path would copy it.
        Self { marks: 0, left: (totals > 0).then(|| vec![0; totals].into()) }
    }

    /// Returns what the iterations are worth that were granted and not used.
    pub(super) fn worth(&self, multipliers: &[i64]) -> i128 {
        let left = self.left.iter().flat_map(|left| left.iter());
        left.zip(multipliers).map(|(&left, &each)| i128::from(left) * i128::from(each)).sum()
    }

    /// Returns whether the path keeps to the totals so far.
    pub(super) fn keeps_to_totals(&self) -> bool {
        self.left.iter().flat_map(|left| left.iter()).all(|&left| left >= 0)
    }

    /// Takes one iteration off what these totals grant.
    pub(super) fn count_iteration(&mut self, totals: &[usize]) {
        totals.iter().for_each(|&total| self.grant(total, -1));
    }

    fn grant(&mut self, total: usize, iterations: i64) {
        if let Some(left) = self.left.as_mut().and_then(|left| left.get_mut(total)) {
            // A path that keeps to the total stays at 0 or above also if this saturates. So its
            // worth is never less than its time.
            *left = left.saturating_add(iterations);
        }
    }

    /// Notes that the path is at a block of a function that was called at its entry.
    ///
    /// # Errors
    /// The fact that says that it cannot be.
    pub(super) fn pass(&mut self, facts: &Facts, entry: u64, block: &Block) -> Result<(), Used> {
        // What counts during a call begins with the call, not with the block at its entry.
        let begins = |during: Option<u64>| during == Some(block.address()) && during != Some(entry);
        // A new iteration of the loop in which a total counts is granted all of it.
        for (index, total) in facts.totals.iter().enumerate() {
            if begins(total.during) {
                self.grant(index, iterations(total.iterations));
            }
        }
        for (index, exclusion, first, all) in bits(&facts.exclusions) {
            // Marks are of one call, or of one iteration, and go with it.
            if begins(exclusion.during) {
                self.marks &= !all;
            }
            let places = exclusion.places.iter().enumerate();
            let here = places.filter(|(_, place)| place.is_block(block));
            // The reader of facts refuses more places than there are bits.
            for own in here.filter_map(|(n, _)| 1u64.checked_shl(first + n as u32)) {
                // It has been at another of the places, so it is never here.
                if self.marks & all & !own != 0 {
                    return Err(Used::Exclusion(index));
                }
                self.marks |= own;
            }
        }
        Ok(())
    }

    /// Grants the totals that count during one call of a function.
    pub(super) fn enter(&mut self, facts: &Facts, function: &Function) {
        for (index, total) in facts.totals.iter().enumerate() {
            if counts_during_call(total, function) {
                self.grant(index, iterations(total.iterations));
            }
        }
    }
}

/// Returns whether a total counts during one call of a function: because it says so, or because it
/// says nothing and its loop is there.
fn counts_during_call(total: &Total, function: &Function) -> bool {
    let is_here = || any_loop(&function.nest, &|looping| total.looping.is_loop(function, looping));
    total.during == Some(function.entry) || total.during.is_none() && is_here()
}

/// Returns the marks that count during one call of a function only.
pub(super) fn marks_of_call(facts: &Facts, entry: u64) -> u64 {
    let during = |(_, exclusion, _, all): (_, &Exclusion, _, u64)| {
        (exclusion.during == Some(entry)).then_some(all)
    };
    bits(&facts.exclusions).filter_map(during).fold(0, |marks, all| marks | all)
}

/// Returns the bits of the exclusions, in their order.
fn bits(exclusions: &[Exclusion]) -> impl Iterator<Item = (usize, &Exclusion, u32, u64)> {
    exclusions.iter().enumerate().scan(0u32, |first, (index, exclusion)| {
        let (from, length) = (*first, exclusion.places.len() as u32);
        *first += length;
        let all =
            (0..length).filter_map(|n| 1u64.checked_shl(from + n)).fold(0, |all, bit| all | bit);
        Some((index, exclusion, from, all))
    })
}

/// More iterations than the sum can hold are as good as any number.
fn iterations(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn any_loop(nodes: &[Node], holds: &impl Fn(&Loop) -> bool) -> bool {
    nodes.iter().any(|node| match node {
        Node::Loop(looping) => holds(looping) || any_loop(&looping.body, holds),
        Node::Block(_) => false,
    })
}
