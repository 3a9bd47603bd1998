//! Qualities: one priority for each principal that has a say.
//!
//! A principal is the article's scheduler id.

use crate::mutation::seeded;

/// The importance of time to a principal: a lower number is better. Sixty-four bits hold an
/// absolute deadline as well as a level.
pub type Priority = u64;

/// Most principals in one quality, so that every operation on it is bounded.
pub const ENTRIES: usize = 16;

/// A party with a say about time (the article's scheduler id): a scheduler, or the kernel itself
/// (the article's subsystem).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Principal(pub u16);

impl Principal {
    /// The kernel, whose fixed priorities are the root's opinion.
    pub const ROOT: Self = Principal(0);
}

/// The priority that one principal attaches to an account's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The principal that has the say.
    pub principal: Principal,
    /// The priority that it attaches.
    pub priority: Priority,
}

impl Entry {
    /// The entry of a free place.
    const VACANT: Self = Entry { principal: Principal(u16::MAX), priority: 0 };
}

/// Priorities by principal, strictly sorted. Every operation takes one walk along the entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Quality {
    entries: [Entry; ENTRIES],
    /// A whole word, so that all of it is copied word by word.
    count: usize,
}

impl Quality {
    /// A quality in which no principal has a say.
    pub const NONE: Self = Quality { entries: [Entry::VACANT; ENTRIES], count: 0 };

    /// Returns the priority of a single principal.
    pub const fn of(principal: Principal, priority: Priority) -> Self {
        let mut quality = Quality::NONE;
        quality.entries[0] = Entry { principal, priority };
        quality.count = 1;
        quality
    }

    /// Returns the priorities of the root and of another one.
    pub(super) fn below_root(root: Priority, other: Entry) -> Self {
        let mut quality = Quality::of(Principal::ROOT, root);
        quality.entries[1] = other;
        quality.count = 2;
        quality
    }

    /// Returns the entries, by principal.
    pub fn entries(&self) -> &[Entry] {
        &self.entries[..self.count]
    }

    /// Returns a principal's priority, if it has a say.
    pub fn priority(&self, principal: Principal) -> Option<Priority> {
        let of_it = |entry: &&Entry| entry.principal == principal;
        self.entries().iter().find(of_it).map(|entry| entry.priority)
    }

    /// Returns the priorities of all principals.
    pub(super) fn opinions(&self) -> Opinions<'_> {
        Opinions { entries: self.entries(), other: Entry::VACANT }
    }

    /// Returns the root's priority; no principal comes before the root. Constant time.
    pub(super) fn roots(&self) -> Option<Priority> {
        // Entries are sorted and the root has the lowest number.
        let first = self.entries[0];
        (first.principal == Principal::ROOT).then_some(first.priority)
    }

    /// A defect: changes the priority of a principal that has a say already.
    #[cfg(feature = "mutations")]
    pub(super) fn set(&mut self, principal: Principal, priority: Priority) {
        let count = self.count;
        let mut entries = self.entries[..count].iter_mut();
        if let Some(entry) = entries.find(|entry| entry.principal == principal) {
            entry.priority = priority;
        }
    }

    /// Returns the union of both, with the worse priority where both have one (equation 3); none:
    /// these are more than [`ENTRIES`] principals.
    pub fn worse(&self, other: &Self) -> Option<Self> {
        let mut union = *self;
        let other = other.opinions();
        let together = self.union_len(other);
        (together <= ENTRIES).then(|| union.worsen(other, (together, None)))?;
        Some(union)
    }

    /// Returns the number of principals that have a say in at least one of both.
    pub(super) fn union_len(&self, other: Opinions<'_>) -> usize {
        let (mut own, mut others, mut both) = (self.entries(), other.entries, 0);
        // Both are sorted, so one walk along the two is enough.
        while let ([entry, rest @ ..], [given, more @ ..]) = (own, others) {
            if entry.principal == given.principal {
                (own, others, both) = (rest, more, both + 1);
            } else if entry.principal < given.principal {
                own = rest;
            } else {
                others = more;
            }
        }
        self.count + other.entries.len() - both
    }

    /// Becomes the union of both, as [`worse`](Self::worse); how many that are, not too many, is
    /// known, and whose priority stays.
    pub(super) fn worsen(
        &mut self,
        other: Opinions<'_>,
        (together, kept): (usize, Option<Principal>),
    ) {
        // No principal is new, so no entry has to be moved.
        if together == self.count {
            self.worsen_in_place(other, kept);
        } else {
            self.merge(other, (together, kept));
        }
    }

    /// The same, where all of the others have a say already.
    fn worsen_in_place(&mut self, other: Opinions<'_>, kept: Option<Principal>) {
        let mut at = 0;
        for entry in &mut self.entries[..self.count] {
            if at == other.entries.len() {
                break;
            }
            let given = other.at(at);
            if given.principal == entry.principal {
                at += 1;
                if kept != Some(given.principal) {
                    let worse = entry.priority.max(given.priority);
                    entry.priority = seeded!(Overwritten, given.priority, worse);
                }
            }
        }
    }

    /// The same, where others get a say.
    ///
    /// It is made from its end on: so nothing is overwritten that is still to be moved, and what
    /// is left at last is at its place.
    #[inline(never)]
    fn merge(&mut self, other: Opinions<'_>, (together, kept): (usize, Option<Principal>)) {
        let (mut own, mut others) = (self.count, other.entries.len());
        // The callers have refused more already. This keeps the index in range whatever they do.
        let mut place = together.min(ENTRIES);
        self.count = place;
        while others > 0 && place > 0 {
            let given = other.at(others - 1);
            let entry = match own.checked_sub(1).map(|last| self.entries[last]) {
                Some(entry) if entry.principal > given.principal => {
                    own -= 1;
                    entry
                }
                Some(entry) if entry.principal == given.principal => {
                    (own, others) = (own - 1, others - 1);
                    let worse = entry.priority.max(given.priority);
                    let priority = seeded!(Overwritten, given.priority, worse);
                    let stays = kept == Some(entry.principal);
                    if stays { entry } else { Entry { priority, ..entry } }
                }
                _ => {
                    others -= 1;
                    given
                }
            };
            place -= 1;
            // Found by its number each time, which is checked: a bound of this loop's time must
            // know where this goes, and loses sight of an address that is counted down.
            self.entries[core::hint::black_box(place)] = entry;
        }
    }

    /// Returns `true` if all principals that have a say in both find this as good as the other, or
    /// better (equation 2, whose text asks that *all* agree). Not transitive, so nothing is sorted
    /// by it.
    pub fn agrees(&self, other: &Self) -> bool {
        self.agrees_with(other.opinions())
    }

    /// The same, with opinions of which one may be another.
    pub(super) fn agrees_with(&self, other: Opinions<'_>) -> bool {
        let (mut own, mut at) = (self.entries(), 0);
        while let ([entry, rest @ ..], true) = (own, at < other.entries.len()) {
            let given = other.at(at);
            if entry.principal == given.principal {
                (own, at) = (rest, at + 1);
                // An equal priority agrees: whoever becomes ready by a send may preempt its equal.
                let better = entry.priority <= given.priority;
                if seeded!(AnyAgrees, better, !better) {
                    return seeded!(AnyAgrees, true, false);
                }
            } else if entry.principal < given.principal {
                own = rest;
            } else {
                at += 1;
            }
        }
        seeded!(AnyAgrees, false, true)
    }
}

/// A quality in which one principal's priority may be replaced: nothing is copied for that.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opinions<'q> {
    entries: &'q [Entry],
    other: Entry,
}

impl Opinions<'_> {
    /// The same, but for the priority of a principal that has a say already.
    pub(super) fn with(self, principal: Principal, priority: Priority) -> Self {
        Opinions { other: Entry { principal, priority }, ..self }
    }

    /// Returns the root's priority; no principal comes before the root. Constant time.
    pub(super) fn roots(self) -> Option<Priority> {
        let first = self.entries.first()?;
        (first.principal == Principal::ROOT).then(|| self.at(0).priority)
    }

    #[inline(always)]
    fn at(self, place: usize) -> Entry {
        let entry = self.entries[place];
        // Replaced as it is read: a quality is large, and a copy for one entry would cost more than
        // the rest.
        if self.other.principal == entry.principal { self.other } else { entry }
    }
}

#[cfg(feature = "mutations")]
impl Opinions<'_> {
    /// A defect: of one principal only.
    pub(super) fn only(self, principal: Principal) -> Self {
        let of_it = |entry: &Entry| entry.principal == principal;
        let place = self.entries.iter().position(of_it).unwrap_or(0);
        Opinions { entries: self.entries.get(place..=place).unwrap_or(&[]), ..self }
    }
}
