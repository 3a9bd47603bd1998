//! The parts of a line.

/// The mood of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// It says that something holds.
    Good,
    /// Something does not.
    Bad,
    /// It is neither good nor bad.
    Plain,
}

/// A part of the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// The mood of the phrase.
    pub mood: Mood,
    /// The words of the phrase.
    pub text: String,
}

/// Returns a phrase.
pub(super) fn phrase(mood: Mood, text: impl Into<String>) -> Phrase {
    Phrase { mood, text: text.into() }
}
