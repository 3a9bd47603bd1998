//! Numbers by chance: the same ones for the same seed, in every run.

/// A generator of numbers.
#[derive(Debug, Clone)]
pub struct Draw(u64);

impl Draw {
    /// Returns the generator of the program with this number, in one language.
    pub fn of(id: u64, language: u64) -> Self {
        Self(id.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ language)
    }

    /// From this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below the limit.
    ///
    /// # Panics
    /// When the limit is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    /// One of the words.
    ///
    /// # Panics
    /// When there are none.
    pub fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
}
