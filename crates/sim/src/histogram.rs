//! A histogram whose buckets grow with the numbers.
//!
//! Response times span nanoseconds to seconds. Eight buckets for each power of
//! two keep every bucket's width below an eighth of its lower edge, in 4 kB,
//! without knowing the range before the run.

/// Buckets for each power of two.
const PARTS: u64 = 8;
const BITS: u32 = PARTS.ilog2();
const BUCKETS: usize = (PARTS * (64 - BITS as u64 + 1)) as usize;

/// Counts of numbers in log-linear buckets.
#[derive(Clone, PartialEq, Eq)]
pub struct Histogram {
    counts: Box<[u64; BUCKETS]>,
}

/// One bucket: numbers from `low` to `high`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bucket {
    /// Smallest number that falls in it.
    pub low: u64,
    /// Largest number that falls in it.
    pub high: u64,
    /// The number of values in it.
    pub count: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: Box::new([0; BUCKETS]) }
    }
}

impl std::fmt::Debug for Histogram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.buckets()).finish()
    }
}

fn position(value: u64) -> usize {
    if value < PARTS {
        return value as usize;
    }
    let power = value.ilog2();
    let part = (value >> (power - BITS)) & (PARTS - 1);
    (u64::from(power - BITS + 1) * PARTS + part) as usize
}

fn edges(position: usize) -> (u64, u64) {
    let (row, part) = (position as u64 / PARTS, position as u64 % PARTS);
    if row == 0 {
        return (part, part);
    }
    let width = 1u64 << (row - 1);
    let low = (PARTS + part) * width;
    (low, low + (width - 1))
}

impl Histogram {
    /// Counts a value.
    pub fn add(&mut self, value: u64) {
        self.counts[position(value)] += 1;
    }

    /// Returns the buckets that are not empty, in order.
    pub fn buckets(&self) -> impl Iterator<Item = Bucket> {
        let filled = self.counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        filled.map(|(position, &count)| {
            let (low, high) = edges(position);
            Bucket { low, high, count }
        })
    }

    /// Returns the number of values that were counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_follow_each_other_without_gaps() {
        let mut next = Some(0);
        for index in 0..BUCKETS {
            let (low, high) = edges(index);
            assert_eq!(Some(low), next, "bucket {index}");
            assert_eq!((position(low), position(high)), (index, index));
            next = high.checked_add(1);
        }
        assert_eq!(next, None, "the last bucket ends at the largest number");
    }

    #[test]
    fn counts_come_back() {
        let mut histogram = Histogram::default();
        for value in [0, 7, 8, 1000, 1001, u64::MAX] {
            histogram.add(value);
        }
        assert_eq!(histogram.total(), 6);
        let thousand = histogram.buckets().find(|b| b.low <= 1000 && b.high >= 1000);
        assert_eq!(thousand, Some(Bucket { low: 960, high: 1023, count: 2 }));
    }
}
