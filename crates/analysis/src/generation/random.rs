//! Random numbers that are a function of their position.
//!
//! An ordinary generator walks: to know the millionth set one must draw all the
//! others first, and two workers must agree who draws what. A counter-based one
//! encrypts the position instead. Here that is Philox 4x32 with ten rounds
//! (Salmon, Moraes, Dror and Shaw 2011): ten multiplications for 128 bits, passes
//! all common statistical tests, and its published answers are tested below.
//!
//! The position is (seed, index of the set, part of the set, block). Parts keep
//! the draws for periods, utilizations and resources apart, so that two recipes
//! that differ in their resources give the same tasks: differences between points
//! of an experiment then come from the parameter and not from luck.

/// The part that is being drawn; each part has its own numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Part {
    /// The utilizations of tasks.
    Utilizations = 1,
    /// The periods of tasks.
    Periods = 2,
    /// Deadlines, jitter, suspension, offsets.
    Timing = 3,
    /// Resources and critical sections.
    Resources = 4,
    /// Whatever a caller draws on top.
    Other = 5,
}

/// The random numbers of one part of one set.
#[derive(Debug, Clone)]
pub struct Random {
    key: [u32; 2],
    counter: [u32; 4],
    block: [u32; 4],
    used: usize,
}

/// One block of Philox 4x32-10.
fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    let wide = |a: u32, b: u32| {
        let product = u64::from(a) * u64::from(b);
        ((product >> 32) as u32, product as u32)
    };
    for _ in 0..10 {
        let (high0, low0) = wide(0xD251_1F53, counter[0]);
        let (high1, low1) = wide(0xCD9E_8D57, counter[2]);
        counter = [high1 ^ counter[1] ^ key[0], low1, high0 ^ counter[3] ^ key[1], low0];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    counter
}

impl Random {
    /// The numbers of a part of set `index` under `seed`.
    pub fn new(seed: u64, index: u64, part: Part) -> Self {
        let counter = [0, part as u32, index as u32, (index >> 32) as u32];
        Self { key: [seed as u32, (seed >> 32) as u32], counter, block: [0; 4], used: 4 }
    }

    /// 32 uniform bits.
    fn bits32(&mut self) -> u32 {
        if self.used == 4 {
            self.block = philox(self.counter, self.key);
            self.counter[0] = self.counter[0].wrapping_add(1);
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    /// 64 uniform bits.
    pub fn bits(&mut self) -> u64 {
        u64::from(self.bits32()) << 32 | u64::from(self.bits32())
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in (0, 1].
    pub fn positive_unit(&mut self) -> f64 {
        1.0 - self.unit()
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform among the whole numbers low ..= high; `low` if the range is empty.
    ///
    /// Multiply-and-shift with rejection (Lemire 2019): no bias.
    pub fn whole(&mut self, low: u64, high: u64) -> u64 {
        let Some(span) = high.checked_sub(low) else { return low };
        let Some(count) = span.checked_add(1) else { return self.bits() };
        loop {
            let product = u128::from(self.bits()) * u128::from(count);
            if product as u64 >= count.wrapping_neg() % count {
                return low + (product >> 64) as u64;
            }
        }
    }

    /// True with probability p.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Any order of the items, each equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.whole(0, last as u64) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn philox_gives_its_published_answers() {
        let zero = philox([0; 4], [0; 2]);
        assert_eq!(zero, [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        let ones = philox([u32::MAX; 4], [u32::MAX; 2]);
        assert_eq!(ones, [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        let pi = philox(
            [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
            [0xa409_3822, 0x299f_31d0],
        );
        assert_eq!(pi, [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    }

    #[test]
    fn position_decides() {
        let draw = |seed, index, part| Random::new(seed, index, part).bits();
        assert_eq!(draw(1, 2, Part::Periods), draw(1, 2, Part::Periods));
        assert_ne!(draw(1, 2, Part::Periods), draw(1, 2, Part::Timing));
        assert_ne!(draw(1, 2, Part::Periods), draw(1, 3, Part::Periods));
        assert_ne!(draw(1, 2, Part::Periods), draw(2, 2, Part::Periods));
    }

    #[test]
    fn whole_numbers_are_uniform() {
        let mut random = Random::new(7, 0, Part::Other);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[random.whole(10, 15) as usize - 10] += 1;
        }
        assert!(counts.iter().all(|c| c.abs_diff(10_000) < 400), "{counts:?}");
        assert_eq!(random.whole(3, 3), 3);
        assert_eq!(random.whole(9, 3), 9);
    }
}
