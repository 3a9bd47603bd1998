//! Numbers by chance: the same ones for the same seed, in every run.

/// A generator of numbers.
pub(crate) struct Draw(u64);

impl Draw {
    /// That of the program with this number, in one language.
    pub(crate) fn of(id: u64, language: u64) -> Self {
        Self(id.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ language)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    pub(crate) fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
}
