//! Supply: the least time that a resource gives in any window.
//!
//! A task that does not have a core for itself, but what somebody gives it of one, is done when it
//! has been given what it needs. So what matters of the giver is its *supply bound function*: the
//! least that it gives in any window of a length (Shin and Lee, "Periodic resource model for
//! compositional real-time guarantees", RTSS 2003). Where a demand in windows of all lengths is
//! known, a job responds in the least window in which the supply has reached the demand (Lipari and
//! Bini, "A methodology for designing hierarchical scheduling systems", Journal of Embedded
//! Computing 2005).
//!
//! Here the giver is a table of slots that repeats. Then the least supply is found exactly: a
//! window that begins inside a slot, or between two, gets no less if it begins later, up to that
//! slot's end, or earlier, back to the end of the slot before; so only windows that begin at the
//! end of a slot are looked at (Mok, Feng and Chen, "Resource partition for real-time systems",
//! RTAS 2001, section 3).
//!
//! A contract is a [`Given`], which has the least that it leaves: some budget in every
//! period, at any time in it, or a part of the time but for a delay.

mod given;

pub use given::{Given, response_times};

/// Time that is given from `start` on, in every period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// After the beginning of a period.
    pub start: u64,
    /// The length; it may reach into the next period.
    pub length: u64,
}

/// A table of slots, repeated for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supply {
    period: u64,
    /// In order, apart from each other, none behind the period's end.
    slots: Vec<Slot>,
    /// The time that all slots before each give.
    before: Vec<u64>,
    /// The time that all give in a period.
    capacity: u64,
}

/// More slots in a period than this are not composed.
const MOST_SLOTS: usize = 10_000;

impl Supply {
    /// All time there is.
    pub fn full() -> Self {
        Self::sorted(1, vec![Slot { start: 0, length: 1 }])
    }

    /// The slots of a table; they may overlap. `None`: they give nothing, or times do not fit.
    pub fn table(period: u64, slots: &[Slot]) -> Option<Self> {
        let mut cut = Vec::with_capacity(slots.len() + 1);
        for slot in slots.iter().filter(|slot| slot.length > 0 && period > 0) {
            let (start, length) = (slot.start % period, slot.length.min(period));
            let inside = length.min(period - start);
            cut.push(Slot { start, length: inside });
            cut.extend((length > inside).then(|| Slot { start: 0, length: length - inside }));
        }
        cut.sort_unstable_by_key(|slot| slot.start);
        let mut joined: Vec<Slot> = Vec::with_capacity(cut.len());
        for slot in cut {
            match joined.last_mut() {
                Some(last) if slot.start <= last.end() => {
                    last.length = last.end().max(slot.end()) - last.start;
                }
                _ => joined.push(slot),
            }
        }
        // All sums over two periods fit.
        let fits = period.checked_mul(4).is_some() && !joined.is_empty();
        fits.then(|| Self::sorted(period, joined))
    }

    fn sorted(period: u64, slots: Vec<Slot>) -> Self {
        let mut capacity = 0;
        let before = slots.iter().map(|slot| {
            let before = capacity;
            capacity += slot.length;
            before
        });
        let before = before.collect();
        Self { period, slots, before, capacity }
    }

    /// Returns `true` if it is all time there is.
    pub fn is_full(&self) -> bool {
        self.capacity == self.period
    }

    /// Returns the time after which it repeats.
    pub fn period(&self) -> u64 {
        self.period
    }

    /// Returns the time that it gives in a period.
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// The slots of a period.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Returns the time that is given from the beginning of a period up to an instant in it, or in
    /// the next.
    fn until(&self, time: u64) -> u64 {
        let (whole, rest) = (time / self.period, time % self.period);
        let place = self.slots.partition_point(|slot| slot.start <= rest);
        let last = place.checked_sub(1).map_or(0, |place| {
            self.before[place] + (rest - self.slots[place].start).min(self.slots[place].length)
        });
        whole * self.capacity + last
    }

    /// The time by which so much has been given since the beginning of a period, above 0.
    fn given(&self, amount: u64) -> u64 {
        let (whole, rest) = ((amount - 1) / self.capacity, (amount - 1) % self.capacity + 1);
        let place = self.before.partition_point(|&before| before < rest) - 1;
        whole * self.period + self.slots[place].start + (rest - self.before[place])
    }

    /// The least that is given in any window of a length; `None`: it does not fit.
    pub fn least(&self, window: u64) -> Option<u64> {
        let (whole, rest) = (window / self.period, window % self.period);
        let ends = self.slots.iter().map(|slot| slot.end());
        let least = ends.map(|end| self.until(end + rest) - self.until(end)).min()?;
        whole.checked_mul(self.capacity)?.checked_add(least)
    }

    /// The least window in which so much is given for certain; `None`: it does not fit.
    pub fn needed(&self, amount: u64) -> Option<u64> {
        let Some(last) = amount.checked_sub(1) else { return Some(0) };
        if self.is_full() {
            return Some(amount);
        }
        let (whole, rest) = (last / self.capacity, last % self.capacity + 1);
        let ends = self.slots.iter().zip(&self.before);
        let longest = ends.map(|(slot, before)| {
            let end = slot.end();
            self.given(before + slot.length + rest) - end
        });
        whole.checked_mul(self.period)?.checked_add(longest.max()?)
    }

    /// Returns the largest number of slots that a window of a length touches.
    pub fn touched(&self, window: u64) -> u64 {
        if self.is_full() || window == 0 {
            return 1;
        }
        let count = self.slots.len() as u64;
        let (whole, rest) = (window / self.period, window % self.period);
        // It begins in the last instant of one.
        let begun = |end: u64| {
            let inside = |slot: &&Slot| {
                [slot.start, slot.start + self.period]
                    .iter()
                    .any(|start| (end..end + rest).contains(start))
            };
            self.slots.iter().filter(inside).count() as u64
        };
        let most = self.slots.iter().map(|slot| begun(slot.end())).max().unwrap_or(count);
        whole.saturating_mul(count).saturating_add(most).saturating_add(1)
    }

    /// Returns the supply that both give at the same time; periods begin together. `None`: nothing,
    /// or in too many slots, or times do not fit.
    pub fn both(&self, other: &Self) -> Option<Self> {
        if other.is_full() {
            return Some(self.clone());
        }
        if self.is_full() {
            return Some(other.clone());
        }
        let common = gcd(self.period, other.period);
        let period = self.period.checked_mul(other.period / common)?;
        let (own, others) = (self.repeated(period)?, other.repeated(period)?);
        let (mut own, mut others) = (own.peekable(), others.peekable());
        let mut both = Vec::new();
        while let (Some(one), Some(two)) = (own.peek(), others.peek()) {
            let (start, end) = (one.start.max(two.start), one.end().min(two.end()));
            both.extend((start < end).then(|| Slot { start, length: end - start }));
            if one.end() < two.end() {
                own.next()
            } else {
                others.next()
            };
        }
        Self::table(period, &both)
    }

    fn repeated(&self, period: u64) -> Option<impl Iterator<Item = Slot> + '_> {
        let times = period / self.period;
        let few = usize::try_from(times).ok()?.checked_mul(self.slots.len())? <= MOST_SLOTS;
        let shifted = move |time: u64| {
            let later = move |slot: &Slot| Slot { start: slot.start + time * self.period, ..*slot };
            self.slots.iter().map(later)
        };
        few.then(|| (0..times).flat_map(shifted))
    }
}

impl Slot {
    fn end(&self) -> u64 {
        self.start + self.length
    }
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns for each tick of some periods if it is given.
    fn ticks(supply: &Supply, length: u64) -> Vec<bool> {
        let inside = |time: u64| {
            let time = time % supply.period();
            supply.slots().iter().any(|slot| (slot.start..slot.end()).contains(&time))
        };
        (0..length).map(inside).collect()
    }

    fn tables() -> impl Strategy<Value = Supply> {
        let slots = proptest::collection::vec((0_u64..20, 1_u64..6), 1..4);
        (1_u64..20, slots).prop_filter_map("empty", |(period, slots)| {
            let slots = slots.into_iter().map(|(start, length)| Slot { start, length });
            Supply::table(period, &slots.collect::<Vec<_>>())
        })
    }

    proptest! {
        #[test]
        fn supply_is_what_counting_ticks_gives(supply in tables(), window in 0_u64..70) {
            let given = ticks(&supply, 200);
            let windows = (0..supply.period()).map(|start| {
                let part = &given[start as usize..(start + window) as usize];
                let begun = part.windows(2).filter(|pair| !pair[0] && pair[1]).count();
                let parts = begun + usize::from(part.first() == Some(&true));
                (part.iter().filter(|tick| **tick).count() as u64, parts as u64)
            });
            let all: Vec<_> = windows.collect();
            let least = all.iter().map(|(sum, _)| *sum).min().unwrap_or(0);
            prop_assert_eq!(supply.least(window), Some(least));
            let most = all.iter().map(|(_, parts)| *parts).max().unwrap_or(0);
            prop_assert!(supply.touched(window) >= most);
        }

        #[test]
        fn the_least_window_is_needed(supply in tables(), amount in 0_u64..40) {
            let needed = supply.needed(amount).expect("it fits");
            prop_assert!(supply.least(needed).expect("it fits") >= amount);
            if needed > 0 {
                prop_assert!(supply.least(needed - 1).expect("it fits") < amount);
            }
        }

        #[test]
        fn both_give_when_each_does(one in tables(), two in tables()) {
            let (first, second) = (ticks(&one, 800), ticks(&two, 800));
            let expected: Vec<bool> = first.iter().zip(&second).map(|(a, b)| *a && *b).collect();
            match one.both(&two) {
                Some(both) => prop_assert_eq!(ticks(&both, 800), expected),
                None => prop_assert!(!expected.contains(&true)),
            }
        }
    }

    /// 3 of every 8, from 5 on: the worst window begins at 8.
    #[test]
    fn a_slot_of_three_in_eight() {
        let supply = Supply::table(8, &[Slot { start: 5, length: 3 }]).expect("a table");
        let all: Vec<_> = [0, 5, 6, 8, 13, 16].map(|window| supply.least(window)).to_vec();
        assert_eq!(all, [0, 0, 1, 3, 3, 6].map(Some));
        assert_eq!(supply.needed(1), Some(6));
        assert_eq!(supply.needed(4), Some(14));
        assert_eq!(Supply::full().needed(7), Some(7));
    }
}
