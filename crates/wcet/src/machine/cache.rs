//! Caches as sets of executions see them: what is surely there, and a debt.
//!
//! The classic analysis keeps the lines that are in the cache on every path,
//! with the greatest age that they can have (*must*), and adds to it which
//! lines are loaded at most once (*persistence*). Here both are one state. A
//! line is *certain* when it is in the cache whatever happened. Where paths
//! meet, lines that only one of them has loaded become *doubtful*, and the
//! state carries a debt: how many doubtful lines can be missing at most. A
//! doubtful line costs a miss while there is a debt, and each such miss pays
//! one off; without a debt it costs nothing. So two branches in a loop that
//! load a line each cost two misses in all, not one in every iteration, and a
//! table that is read by an unknown index costs as many misses as it has lines.
//!
//! Why that is sound: for an execution of the real machine let `t` be its time
//! and `u` the number of doubtful lines that are missing, and let `T` and
//! `debt` be those of the analysis, `P` the time of a miss. Then always `t <=
//! T` and `t + P u <= T + P debt`. A paid miss adds `P` to `T` and takes 1 from
//! the debt, and whether the line was missing or not, both sides keep their
//! order. When the debt is 0, the second one says that the time of every miss
//! to come is already in `T`. A line that may have been evicted leaves the
//! state, which only lowers `u`; lines become doubtful together with as much
//! debt. Where paths meet, the one that is earlier has time to spare, which
//! pays off some of its debt.
//!
//! Only what is sound is offered. A pseudo-random replacement can evict every
//! line of a set but the last one used, so it is the cache of one way with as
//! many sets, as Blackham et al. 2011 treat it (section IV-A).

mod access;
mod meet;

pub use meet::Spare;

use std::rc::Rc;

/// The rule by which a line of a full set makes room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Replacement {
    /// The one that was not used for the longest time.
    Lru,
    /// The one that was loaded first.
    Fifo,
    /// Any line may be replaced.
    Random,
}

/// The shape of a cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Bytes of a line, a power of two.
    pub line: u64,
    /// Number of sets, a power of two.
    pub sets: u64,
    /// Lines of a set.
    pub ways: u8,
    /// The rule by which a line makes room; never `Random`, see [`Shape::new`].
    pub replacement: Replacement,
}

impl Shape {
    /// Returns the shape with which a cache of `size` bytes is analyzed.
    ///
    /// Pseudo-random replacement becomes one way. Nothing where the numbers do
    /// not fit: line and number of sets are powers of two, ways at least one.
    pub fn new(size: u64, line: u64, ways: u8, replacement: Replacement) -> Option<Self> {
        let sets = size.checked_div(line)?.checked_div(ways.into())?;
        // A size that is no product of these numbers is that of another cache.
        let whole = sets.checked_mul(line)?.checked_mul(ways.into())? == size;
        // An instruction of four bytes is then in two lines at most.
        let fits = whole && line >= 4 && line.is_power_of_two() && sets.is_power_of_two();
        let (ways, replacement) = match replacement {
            Replacement::Random => (1, Replacement::Lru),
            other => (ways, other),
        };
        fits.then_some(Self { line, sets, ways, replacement })
    }

    /// Returns the line that an address belongs to.
    pub fn line_of(&self, address: u64) -> u64 {
        address / self.line
    }

    /// Returns whether one of two lines can evict the other.
    pub fn compete(&self, one: u64, other: u64) -> bool {
        // A line does not evict itself.
        one != other && self.set_of(one) == self.set_of(other)
    }

    fn set_of(&self, line: u64) -> u64 {
        // The number of sets is a power of two, so the low bits of a line's number tell its set.
        line & (self.sets - 1)
    }

    /// Returns the greatest age of a line that is in the cache.
    fn oldest(&self) -> u8 {
        self.ways - 1
    }
}

/// A line that is, or was, loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    set: u64,
    line: u64,
    /// The greatest age it can have where it is in the cache.
    age: u8,
    doubtful: bool,
}

impl Entry {
    fn key(&self) -> (u64, u64) {
        (self.set, self.line)
    }
}

/// The outcome of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The line is there.
    Hit,
    /// The line may be missing, but the time for that was spent before.
    Paid,
    /// The time of a miss must be counted; nothing was known of the line.
    Miss,
    /// The time of a miss must be counted in full: it pays for one of the doubtful lines.
    Owed,
}

impl Found {
    /// Returns whether the time of a miss must be counted.
    pub fn costs(self) -> bool {
        matches!(self, Found::Miss | Found::Owed)
    }
}

/// The lines of a cache, as far as they are known; nothing at first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cache {
    /// By set and line.
    entries: Rc<Vec<Entry>>,
    /// The most doubtful lines that can be missing.
    debt: u32,
}

impl Cache {
    fn find(&self, shape: &Shape, line: u64) -> Result<usize, usize> {
        let key = (shape.set_of(line), line);
        self.entries.binary_search_by_key(&key, Entry::key)
    }

    fn doubtful(&self) -> u32 {
        self.entries.iter().filter(|entry| entry.doubtful).count() as u32
    }

    /// Lines that are no longer there cannot be missing.
    fn settle(&mut self) {
        if self.debt > 0 {
            self.debt = self.debt.min(self.doubtful());
        }
    }

    /// Forgets the lines that are doubtful, and so what may be missing of them.
    pub fn forget_doubts(&mut self) {
        if self.doubtful() > 0 {
            // Without the lines nothing is missing of them, so both go together. Their next use is
            // a miss that is counted in full.
            Rc::make_mut(&mut self.entries).retain(|entry| !entry.doubtful);
        }
        self.debt = 0;
    }

    /// Forgets all lines.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns whether the line is in the cache whatever happened.
    pub fn is_certain(&self, shape: &Shape, line: u64) -> bool {
        self.find(shape, line).is_ok_and(|at| !self.entries[at].doubtful)
    }
}

#[cfg(test)]
mod tests;
