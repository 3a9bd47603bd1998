//! Random numbers that any machine repeats.
//!
//! A generator is a seed and a stream: stream `i` of seed `s` can be had without
//! drawing streams `0..i` first, so campaigns shard freely and every case is
//! reproducible alone. The numbers are those of SplitMix64 (Steele, Lea and
//! Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014): ten
//! lines, one multiplication chain, good enough for drawing test cases, and no
//! secret. Everything stays in integers: `powf` and `ln` differ between machines.

/// A source of random numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Random {
    /// Stream `stream` of `seed`.
    pub fn new(seed: u64, stream: u64) -> Self {
        let state =
            mix(mix(seed.wrapping_add(GOLDEN)) ^ stream.wrapping_mul(GOLDEN).wrapping_add(1));
        Self { state }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A number below `limit`, each equally likely up to 2^-64 parts; 0 when `limit` is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(limit)) >> 64) as u64
    }

    /// A number from `low` to `high`, both included; `low` when the range is empty.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        match high.saturating_sub(low) {
            u64::MAX => self.bits(),
            span => low + self.below(span + 1),
        }
    }

    /// A number from `low` to `high` whose order of magnitude is about uniform:
    /// first a power of two, then a number below it.
    pub fn magnitude(&mut self, low: u64, high: u64) -> u64 {
        let low = low.max(1);
        let power = self.between(u64::from(low.ilog2()), u64::from(high.max(low).ilog2()));
        let first = 1u64 << power;
        self.between(first.max(low), (first - 1 + first).min(high.max(low)))
    }

    /// True in `percent` of all cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < u64::from(percent)
    }

    /// One of `items`, or nothing when there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u64) as usize)
    }

    /// `parts` numbers with the sum `total`, uniform over all such splits (UUniSort).
    pub fn split(&mut self, total: u64, parts: usize) -> Vec<u64> {
        let mut cuts: Vec<u64> = (1..parts).map(|_| self.between(0, total)).collect();
        cuts.sort_unstable();
        cuts.push(total);
        let mut from = 0;
        let widths = cuts.iter().map(|&cut| {
            let width = cut - from;
            from = cut;
            width
        });
        widths.take(parts).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_change() {
        let mut random = Random { state: 1_234_567 };
        let drawn: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(
            drawn,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn streams_differ_and_repeat() {
        let first = Random::new(1, 2).bits();
        assert_eq!(first, Random::new(1, 2).bits());
        assert_ne!(first, Random::new(1, 3).bits());
        assert_ne!(first, Random::new(2, 2).bits());
    }

    #[test]
    fn ranges_are_kept() {
        let mut random = Random::new(7, 0);
        for _ in 0..10_000 {
            assert!((3..=9).contains(&random.between(3, 9)));
            assert!((5..=700).contains(&random.magnitude(5, 700)));
            assert_eq!(random.between(4, 4), 4);
        }
        assert_eq!(random.below(0), 0);
        assert_eq!(random.pick::<u8>(&[]), None);
    }

    #[test]
    fn splits_keep_their_sum() {
        let mut random = Random::new(3, 3);
        for parts in 1..8 {
            let split = random.split(1000, parts);
            assert_eq!((split.len(), split.iter().sum::<u64>()), (parts, 1000));
        }
        assert!(random.split(10, 0).is_empty());
    }
}
