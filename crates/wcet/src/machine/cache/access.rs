//! The effect of accesses on a cache.

use std::rc::Rc;

use super::{Cache, Entry, Found, Replacement, Shape};

/// The lines that grow older when a line is used.
#[derive(Clone, Copy)]
enum Aging {
    /// Lines younger than this.
    Below(u8),
    /// All lines of the set; the oldest may be evicted.
    All,
    /// All lines of the set, but none is evicted.
    Capped,
}

impl Cache {
    /// An access to one line, which is loaded where it is missing.
    pub fn access(&mut self, shape: &Shape, line: u64) -> Found {
        match self.find(shape, line) {
            Ok(at) if !self.entries[at].doubtful => {
                self.use_certain(shape, at);
                Found::Hit
            }
            place => {
                let found = match place {
                    // Without a debt, the time of each miss to come is counted already.
                    Ok(_) if self.debt == 0 => Found::Paid,
                    Ok(_) => {
                        self.debt -= 1;
                        Found::Owed
                    }
                    Err(_) => Found::Miss,
                };
                // Whether it was there or not, the line is in the cache from now on.
                self.load(shape, line);
                found
            }
        }
    }

    fn use_certain(&mut self, shape: &Shape, at: usize) {
        let entry = self.entries[at];
        // In a queue a hit changes nothing, and the youngest line stays the youngest.
        if entry.age == 0 || shape.replacement == Replacement::Fifo {
            return;
        }
        // Older lines keep their order, so only what was younger than the line gets older.
        self.age(entry.set, entry.line, Aging::Below(entry.age), shape);
        self.change(shape, entry.line, |entry| entry.age = 0);
    }

    /// The line is in the cache from now on; that it was loaded just now is not known.
    fn load(&mut self, shape: &Shape, line: u64) {
        let set = shape.set_of(line);
        self.age(set, line, Aging::All, shape);
        // A line of a queue may have been there for long, and then the next one
        // that is loaded may evict it.
        let age = if shape.replacement == Replacement::Fifo { shape.oldest() } else { 0 };
        self.insert(shape, Entry { set, line, age, doubtful: false });
        self.settle();
    }

    /// An access to one of several lines, which is loaded where it is missing.
    pub fn access_any(&mut self, shape: &Shape, lines: &[u64]) -> Found {
        if let [line] = lines {
            return self.access(shape, *line);
        }
        let place =
            |cache: &Self, line: u64| cache.find(shape, line).ok().map(|at| cache.entries[at]);
        let known: Vec<Option<Entry>> = lines.iter().map(|&line| place(self, line)).collect();
        let all_known = known.iter().all(Option::is_some);
        let doubt = known.iter().flatten().any(|entry| entry.doubtful);
        for (&line, entry) in lines.iter().zip(&known) {
            // What is surely there evicts nothing, if it is the one that is used.
            let surely_there = entry.is_some_and(|entry| !entry.doubtful);
            let aging = if surely_there { Aging::Capped } else { Aging::All };
            self.age(shape.set_of(line), line, aging, shape);
        }
        if all_known {
            let found = match (doubt, self.debt) {
                (false, _) => Found::Hit,
                (true, 0) => Found::Paid,
                (true, _) => Found::Owed,
            };
            self.debt -= u32::from(found == Found::Owed);
            self.settle();
            return found;
        }
        self.expect(shape, lines);
        Found::Owed
    }

    /// After a miss of one of several lines: all are doubtful, and one miss is paid.
    fn expect(&mut self, shape: &Shape, lines: &[u64]) {
        let crowded = |line: u64| {
            lines.iter().filter(|&&other| shape.set_of(other) == shape.set_of(line)).count()
        };
        // Lines that evict each other do not stay, so each use of them is a miss.
        let fits = lines.len() as u64 <= shape.sets * u64::from(shape.ways)
            && lines.iter().all(|&line| crowded(line) <= usize::from(shape.ways));
        if fits {
            let absent: Vec<u64> =
                lines.iter().copied().filter(|&line| self.find(shape, line).is_err()).collect();
            for &line in &absent {
                let set = shape.set_of(line);
                // Which of them was loaded is not known, so each may be the next to go.
                self.insert(shape, Entry { set, line, age: shape.oldest(), doubtful: true });
            }
            // One of the lines was loaded just now, and its miss is counted: it
            // is not missing any more.
            self.debt += (absent.len() as u32).saturating_sub(1);
        }
        self.settle();
    }

    /// An access to some line, no one knows which.
    pub fn access_somewhere(&mut self, shape: &Shape) -> Found {
        // The line may be in any set, and evict the oldest there.
        self.age_everywhere(shape, Aging::All);
        self.settle();
        Found::Owed
    }

    /// An access to one of several lines, or to any, whose miss is not counted among those here.
    pub fn load_any(&mut self, shape: &Shape, lines: Option<&[u64]>) {
        match lines {
            Some(lines) => {
                // Other lines get older, but none of these becomes known here: their
                // misses are counted elsewhere.
                lines.iter().for_each(|&line| {
                    self.age(shape.set_of(line), line, Aging::All, shape);
                });
            }
            None => self.age_everywhere(shape, Aging::All),
        }
        self.settle();
    }

    /// An access to one line that may be made, or may not.
    ///
    /// Of a line of which nothing was known the miss is counted: with it the line is in the cache,
    /// or its next miss is paid.
    pub fn access_maybe(&mut self, shape: &Shape, line: u64) -> Found {
        let set = shape.set_of(line);
        let found = match self.find(shape, line) {
            Ok(at) if !self.entries[at].doubtful => Found::Hit,
            Ok(_) if self.debt == 0 => Found::Paid,
            Ok(_) => Found::Owed,
            Err(_) => Found::Miss,
        };
        self.age(set, line, if found == Found::Hit { Aging::Capped } else { Aging::All }, shape);
        if found == Found::Miss {
            self.insert(shape, Entry { set, line, age: shape.oldest(), doubtful: true });
        }
        self.debt -= u32::from(found == Found::Owed);
        self.settle();
        found
    }

    /// One line of some set may be loaded, no one knows which: one line may be evicted.
    pub fn lose_one(&mut self, shape: &Shape) {
        let entries = Rc::make_mut(&mut self.entries);
        for entry in entries.iter_mut() {
            // Its age tells no more; the next line that is loaded may evict it.
            (entry.age, entry.doubtful) = (shape.oldest(), true);
        }
        // Of all lines one may be missing now, whichever it is.
        self.debt += 1;
        self.settle();
    }

    /// A write that loads nothing; whether it counts as a use is left open.
    pub fn write_around(&mut self, shape: &Shape, lines: Option<&[u64]>) {
        // With one way there is no order of uses, and a queue does not look at them.
        if shape.ways == 1 || shape.replacement == Replacement::Fifo {
            return;
        }
        match lines {
            Some(lines) => {
                for &line in lines {
                    self.age(shape.set_of(line), line, Aging::Capped, shape);
                }
            }
            None => self.age_everywhere(shape, Aging::Capped),
        }
    }

    /// Lets the lines of a set grow older, all but the one that is used.
    fn age(&mut self, set: u64, used: u64, aging: Aging, shape: &Shape) {
        let from = self.entries.partition_point(|entry| entry.set < set);
        let there = |entry: &&Entry| entry.set == set;
        // Mostly nothing in the set changes, and then the lines stay shared with other states.
        if self.entries[from..].iter().take_while(there).all(|entry| entry.line == used) {
            return;
        }
        let entries = Rc::make_mut(&mut self.entries);
        for entry in entries[from..].iter_mut().take_while(|entry| entry.set == set) {
            if entry.line != used {
                entry.grow(aging, shape);
            }
        }
        // What is older than the set has ways may be evicted, and so nothing is known of it.
        entries.retain(|entry| entry.age < shape.ways);
    }

    fn age_everywhere(&mut self, shape: &Shape, aging: Aging) {
        let entries = Rc::make_mut(&mut self.entries);
        entries.iter_mut().for_each(|entry| entry.grow(aging, shape));
        entries.retain(|entry| entry.age < shape.ways);
    }

    fn insert(&mut self, shape: &Shape, entry: Entry) {
        match self.find(shape, entry.line) {
            Ok(at) => Rc::make_mut(&mut self.entries)[at] = entry,
            Err(at) => Rc::make_mut(&mut self.entries).insert(at, entry),
        }
    }

    fn change(&mut self, shape: &Shape, line: u64, change: impl FnOnce(&mut Entry)) {
        if let Ok(at) = self.find(shape, line) {
            change(&mut Rc::make_mut(&mut self.entries)[at]);
        }
    }
}

impl Entry {
    fn grow(&mut self, aging: Aging, shape: &Shape) {
        self.age = match aging {
            Aging::Below(limit) if self.age >= limit => self.age,
            Aging::Below(_) | Aging::All => self.age + 1,
            // A use that loads nothing changes the order of lines, and evicts none.
            Aging::Capped => (self.age + 1).min(shape.oldest()),
        };
    }
}
