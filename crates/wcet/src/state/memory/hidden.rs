//! The places in the stack of stack addresses that are lost sight of.
//!
//! A function that saves the caller's frame pointer on one of two ways leaves it
//! below the stack pointer, where nobody looks for it. That nobody does is not
//! known, so the place is remembered: whoever loads from it may have the address,
//! and before that nobody has.

use std::ops::Range as Span;
use std::rc::Rc;

/// More places than this are taken for one.
const KEPT: usize = 16;

/// Places in the stack, apart from each other and in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Hidden(Rc<Vec<Span<i64>>>);

impl Hidden {
    /// An address is lost sight of here.
    pub(super) fn add(&mut self, place: Span<i64>) {
        // Nothing new: so the places stay shared with other memories.
        if self.contains(&place) {
            return;
        }
        let spans = Rc::make_mut(&mut self.0);
        let mut whole = place;
        spans.retain(|one| {
            // Neighbors become one place, so that few places last long.
            let near = one.start <= whole.end && whole.start <= one.end;
            if near {
                whole = one.start.min(whole.start)..one.end.max(whole.end);
            }
            !near
        });
        let at = spans.partition_point(|one| one.start < whole.start);
        spans.insert(at, whole);
        if spans.len() > KEPT
            && let (Some(first), Some(last)) = (spans.first(), spans.last())
        {
            // All between them counts as well: whoever loads there is taken to find an
            // address, which is sound.
            let all = first.start..last.end;
            spans.clear();
            spans.push(all);
        }
    }

    /// All that is lost sight of elsewhere is lost sight of here.
    pub(super) fn add_all(&mut self, other: &Self) {
        if !Rc::ptr_eq(&self.0, &other.0) {
            other.0.iter().for_each(|place| self.add(place.clone()));
        }
    }

    /// Something else is stored here.
    pub(super) fn cut(&mut self, place: &Span<i64>) {
        if !self.overlaps(place) {
            return;
        }
        let left = |one: &Span<i64>| {
            [one.start..one.end.min(place.start), one.start.max(place.end)..one.end]
        };
        // What is stored covers some of the bytes; the rest of an address may still be read.
        let parts = self.0.iter().flat_map(left).filter(|part| !part.is_empty());
        self.0 = Rc::new(parts.collect());
    }

    /// Returns whether an address may be here.
    pub(super) fn overlaps(&self, place: &Span<i64>) -> bool {
        self.0.iter().any(|one| one.start < place.end && place.start < one.end)
    }

    /// Returns whether it is known of all of this place that an address may be here.
    pub(super) fn contains(&self, place: &Span<i64>) -> bool {
        self.0.iter().any(|one| one.start <= place.start && place.end <= one.end)
    }

    /// Returns whether all that is lost sight of elsewhere is lost sight of here.
    pub(super) fn includes(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || other.0.iter().all(|place| self.contains(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_again_is_seen_and_all_else_stays_hidden() {
        let mut hidden = Hidden::default();
        hidden.add(-48..-40);
        hidden.add(-16..-8);
        assert!(hidden.overlaps(&(-41..-40)) && !hidden.overlaps(&(-40..-16)));
        hidden.cut(&(-44..-12));
        assert!(hidden.contains(&(-48..-44)) && hidden.contains(&(-12..-8)));
        assert!(!hidden.overlaps(&(-44..-12)));
        hidden.add(-44..-12);
        assert!(hidden.contains(&(-48..-8)), "neighbours are one");
    }

    #[test]
    fn many_places_are_taken_for_all_between_them() {
        let (mut hidden, mut few) = (Hidden::default(), Hidden::default());
        few.add(-8..0);
        hidden.add_all(&few);
        assert!(hidden.includes(&few));
        (0..2 * KEPT as i64).for_each(|n| hidden.add(-100 * n - 8..-100 * n));
        assert!(hidden.includes(&few) && !few.includes(&hidden));
        assert!(hidden.contains(&(-1508..-1492)));
    }
}
