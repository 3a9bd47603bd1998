//! Qualities: one priority for each principal that has a say.

use core::cmp::Ordering;

use crate::mutation::seeded;

/// How important time is to a principal: a lower number is better. Sixty-four bits hold an absolute
/// deadline as well as a level.
pub type Priority = u64;

/// Most principals in one quality, so that every operation on it is bounded.
pub const ENTRIES: usize = 16;

/// Who has a say about time: a scheduler, or the kernel itself (the article's subsystem).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Principal(pub u16);

impl Principal {
    /// The kernel, whose fixed priorities are the root's opinion.
    pub const ROOT: Self = Principal(0);
}

/// What one principal thinks of an account's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Who.
    pub principal: Principal,
    /// What.
    pub priority: Priority,
}

impl Entry {
    /// What stands where there is none.
    const VACANT: Self = Entry { principal: Principal(u16::MAX), priority: 0 };
}

/// Priorities by principal, strictly sorted. Every operation takes one walk along the entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Quality {
    entries: [Entry; ENTRIES],
    count: u8,
}

impl Quality {
    /// Nobody has a say.
    pub const NONE: Self = Quality { entries: [Entry::VACANT; ENTRIES], count: 0 };

    /// The priority of a single principal.
    pub const fn of(principal: Principal, priority: Priority) -> Self {
        let mut quality = Quality::NONE;
        quality.entries[0] = Entry { principal, priority };
        quality.count = 1;
        quality
    }

    /// The entries, by principal.
    pub fn entries(&self) -> &[Entry] {
        &self.entries[..usize::from(self.count)]
    }

    /// A principal's priority, if it has a say.
    pub fn priority(&self, principal: Principal) -> Option<Priority> {
        let of_it = |entry: &&Entry| entry.principal == principal;
        self.entries().iter().find(of_it).map(|entry| entry.priority)
    }

    /// The same, but for the priority of a principal that has a say already.
    #[must_use]
    pub fn with(mut self, principal: Principal, priority: Priority) -> Self {
        let count = usize::from(self.count);
        for entry in &mut self.entries[..count] {
            if entry.principal == principal {
                entry.priority = priority;
            }
        }
        self
    }

    /// The union of both, with the worse priority where both have one (equation 3); none: these
    /// are more than [`ENTRIES`] principals.
    pub fn worse(&self, other: &Self) -> Option<Self> {
        let (mut own, mut others) = (self.entries(), other.entries());
        let mut union = Quality::NONE;
        loop {
            let entry = match (own, others) {
                ([], []) => return Some(union),
                ([entry, rest @ ..], []) => {
                    own = rest;
                    *entry
                }
                ([], [entry, rest @ ..]) => {
                    others = rest;
                    *entry
                }
                ([entry, rest @ ..], [other, more @ ..]) => {
                    match entry.principal.cmp(&other.principal) {
                        Ordering::Less => {
                            own = rest;
                            *entry
                        }
                        Ordering::Greater => {
                            others = more;
                            *other
                        }
                        Ordering::Equal => {
                            (own, others) = (rest, more);
                            let worse = entry.priority.max(other.priority);
                            let priority = seeded!(Overwritten, other.priority, worse);
                            Entry { principal: entry.principal, priority }
                        }
                    }
                }
            };
            let place = union.entries.get_mut(usize::from(union.count))?;
            *place = entry;
            union.count += 1;
        }
    }

    /// Whether all principals that have a say in both find this as good as the other, or better
    /// (equation 2, whose text asks that *all* agree). Not transitive, so nothing is sorted by it.
    pub fn agrees(&self, other: &Self) -> bool {
        let (mut own, mut others) = (self.entries(), other.entries());
        while let ([entry, rest @ ..], [other, more @ ..]) = (own, others) {
            match entry.principal.cmp(&other.principal) {
                Ordering::Less => own = rest,
                Ordering::Greater => others = more,
                Ordering::Equal => {
                    (own, others) = (rest, more);
                    let better = entry.priority <= other.priority;
                    if seeded!(AnyAgrees, better, !better) {
                        return seeded!(AnyAgrees, true, false);
                    }
                }
            }
        }
        seeded!(AnyAgrees, false, true)
    }
}
