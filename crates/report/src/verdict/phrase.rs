//! The parts of a line.

/// How a phrase is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    /// Something holds.
    Good,
    /// Something does not.
    Bad,
    /// Neither.
    Plain,
}

/// A part of the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// How it is meant.
    pub mood: Mood,
    /// What it says.
    pub text: String,
}

/// Returns a phrase.
pub(super) fn phrase(mood: Mood, text: impl Into<String>) -> Phrase {
    Phrase { mood, text: text.into() }
}
