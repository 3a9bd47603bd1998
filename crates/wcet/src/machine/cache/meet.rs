//! The meeting of paths: the lines of both, with the greater debt.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{Cache, Entry, Shape};

/// Time that one of two paths has to spare where they meet at the later's time.
#[derive(Debug, Clone, Copy)]
pub struct Spare {
    mine: u64,
    theirs: u64,
}

impl Spare {
    /// With the time that the one that is joined into leads by; below 0 the other one does.
    pub fn of(lead: i64) -> Self {
        let (theirs, mine) =
            if lead > 0 { (lead.unsigned_abs(), 0) } else { (0, lead.unsigned_abs()) };
        Self { mine, theirs }
    }

    /// The debt of both after the earlier one has paid of its own what it can and need.
    fn settle(&mut self, mine: u32, theirs: u32, miss: u32) -> u32 {
        let pay = |spare: &mut u64, own: u32, other: u32| {
            // A miss that takes no time costs nothing to owe, so none need be paid.
            let affordable = spare.checked_div(miss.into()).unwrap_or(0);
            // Only what is above the other's debt matters, since the greater one is kept.
            let paid = u64::from(own.saturating_sub(other)).min(affordable);
            *spare -= paid * u64::from(miss);
            own - paid as u32
        };
        pay(&mut self.mine, mine, theirs).max(pay(&mut self.theirs, theirs, mine))
    }
}

impl Cache {
    /// Makes this cover `other` as well, when a miss takes `miss`.
    ///
    /// For the earlier path `t <= T` leaves `T - t` to spare: by that many misses
    /// its debt may be less.
    pub fn join(&mut self, other: &Cache, shape: &Shape, spare: &mut Spare, miss: u32) {
        let (mut mine, mut theirs) = (self.debt, other.debt);
        // With equal lines no doubt is added, so only the debts are compared.
        if Rc::ptr_eq(&self.entries, &other.entries) || self.entries == other.entries {
            self.debt = spare.settle(mine, theirs, miss);
            return;
        }
        let mut joined = Vec::with_capacity(self.entries.len().max(other.entries.len()));
        for (left, right) in pairs(&self.entries, &other.entries) {
            let entry = match (left, right) {
                (Some(left), Some(right)) => {
                    let doubtful = left.doubtful || right.doubtful;
                    Entry { age: left.age.max(right.age), doubtful, ..*left }
                }
                (Some(only), None) => {
                    // On the way that has not loaded the line it may be missing,
                    // so that way owes one more.
                    theirs += 1;
                    Entry { age: shape.oldest(), doubtful: true, ..*only }
                }
                (None, Some(only)) => {
                    mine += 1;
                    Entry { age: shape.oldest(), doubtful: true, ..*only }
                }
                (None, None) => continue,
            };
            joined.push(entry);
        }
        *self = Self { entries: Rc::new(joined), debt: spare.settle(mine, theirs, miss) };
        self.settle();
    }

    /// Returns whether everything that `other` allows is allowed here.
    pub fn includes(&self, other: &Cache, shape: &Shape) -> bool {
        let mut missing = 0;
        let covered = pairs(&self.entries, &other.entries).all(|pair| match pair {
            (Some(mine), Some(theirs)) => {
                mine.age >= theirs.age && (mine.doubtful || !theirs.doubtful)
            }
            (Some(mine), None) => {
                missing += 1;
                // A line that the other state does not know may be gone there, or about to go.
                mine.doubtful && mine.age == shape.oldest()
            }
            (None, _) => true,
        });
        // No more can be missing than there are.
        covered && self.debt >= (other.debt + missing).min(self.doubtful())
    }
}

/// Returns the entries of both, those of the same line together.
fn pairs<'a>(
    left: &'a [Entry],
    right: &'a [Entry],
) -> impl Iterator<Item = (Option<&'a Entry>, Option<&'a Entry>)> + use<'a> {
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    std::iter::from_fn(move || {
        let order = match (left.peek(), right.peek()) {
            (Some(l), Some(r)) => l.key().cmp(&r.key()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return None,
        };
        let l = if order == Ordering::Greater { None } else { left.next() };
        let r = if order == Ordering::Less { None } else { right.next() };
        Some((l, r))
    })
}
