//! Tokens: what the lexer makes of text and the preprocessor passes on.
//!
//! A token has two places. Its `span` is where the user wrote what led to it and
//! is what messages point at; its `spelling` is where its letters are. They differ
//! only behind macros: there the letters are in the macro's definition, or in the
//! scratch text that holds what `#` and `##` put together.

use fusee_diagnostics::{FileId, SourceMap, Span};

/// The file of spellings that no file holds.
const SCRATCH: FileId = FileId(u32::MAX);

/// A token of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    /// The kind of the token.
    pub(crate) kind: Kind,
    /// `true` if it is the first one on its line.
    pub(crate) line_start: bool,
    /// `true` if there is a space, a comment or a line break before it.
    pub(crate) spaced: bool,
    /// `true` if it names a macro that was being expanded when it was met, and so is not one any
    /// more.
    pub(crate) painted: bool,
    /// The place to which messages about it point.
    pub(crate) span: Span,
    /// The place of its letters.
    pub(crate) spelling: Span,
    /// The macro whose definition it comes from, counted from 1; 0: none.
    pub(crate) macro_number: u32,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword.
    Identifier,
    /// A number in any notation.
    Number,
    /// A string with its quotes.
    Text,
    /// A punctuation mark.
    Symbol(Symbol),
    /// Characters that mean nothing.
    Unknown,
    /// A string that is not closed.
    OpenText,
    /// A comment that is not closed.
    OpenComment,
    /// The end of a file.
    End,
}

/// The punctuation marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    OpenBrace,
    CloseBrace,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    Semicolon,
    Comma,
    Dot,
    Colon,
    Question,
    Assign,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    ShiftLeft,
    Greater,
    GreaterOrEqual,
    ShiftRight,
    Plus,
    Minus,
    Star,
    StarStar,
    Slash,
    Percent,
    Ampersand,
    AmpersandAmpersand,
    Bar,
    BarBar,
    Caret,
    Not,
    Tilde,
    Arrow,
    Alias,
    Hash,
    HashHash,
    Ellipsis,
}

impl Token {
    /// Returns `true` if it is this symbol.
    pub(crate) fn is(&self, symbol: Symbol) -> bool {
        self.kind == Kind::Symbol(symbol)
    }
}

/// Letters that stand in no file.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    text: String,
}

impl Scratch {
    /// Keeps letters and returns where they are.
    pub(crate) fn add(&mut self, text: &str) -> Span {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        Span { file: SCRATCH, start, end: self.text.len() as u32 }
    }

    /// Returns a token's letters.
    pub(crate) fn text<'a>(&'a self, sources: &'a SourceMap, token: &Token) -> &'a str {
        let Span { file, start, end } = token.spelling;
        let text = if file == SCRATCH { &self.text } else { &sources.file(file).text };
        text.get(start as usize..end as usize).unwrap_or("")
    }
}
