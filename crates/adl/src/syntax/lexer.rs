//! From characters to tokens, one at a time.
//!
//! The lexer serves the preprocessor, so it keeps what matters there: which token
//! is the first of its line, and whether anything stands before it. It keeps its
//! place as an offset and is handed the text on every call, because the
//! preprocessor adds files to the same map while it reads.
//!
//! A string of a description may go over several lines. Inside a directive, and in
//! text that is skipped, it ends with the line, as in C: an apostrophe or a lone
//! quote in an `#error` message must not swallow the rest of the file.

use super::token::{Kind, Symbol, Token};
use fusee_diagnostics::{FileId, Span};

/// A place in a file from which tokens are read.
#[derive(Debug, Clone)]
pub(crate) struct Lexer {
    /// The file that is read.
    pub(crate) file: FileId,
    offset: usize,
    line_start: bool,
    in_directive: bool,
    /// `true` if strings end with the line everywhere: set while text is skipped.
    pub(crate) skipping: bool,
}

impl Lexer {
    /// At the start of a file.
    pub(crate) fn new(file: FileId) -> Self {
        Self { file, offset: 0, line_start: true, in_directive: false, skipping: false }
    }

    /// The next token.
    pub(crate) fn next(&mut self, text: &str) -> Token {
        let before = self.offset;
        if let Some(comment) = self.skip_space(text) {
            return self.token(Kind::OpenComment, comment, true);
        }
        let start = self.offset;
        let rest = &text.as_bytes()[start..];
        let kind = match rest.first() {
            None => Kind::End,
            Some(b'"') => self.text(text),
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
                self.take(Kind::Identifier, identifier_length(rest))
            }
            Some(b'0'..=b'9') => self.take(Kind::Number, number_length(rest)),
            Some(_) => self.symbol(text),
        };
        let token = self.token(kind, start, start > before);
        if token.line_start && token.is(Symbol::Hash) {
            self.in_directive = true;
        }
        self.line_start = false;
        token
    }

    /// Makes a token that ends here.
    fn token(&self, kind: Kind, start: usize, spaced: bool) -> Token {
        let span = Span { file: self.file, start: start as u32, end: self.offset as u32 };
        let line_start = self.line_start || kind == Kind::End;
        Token { kind, line_start, spaced, painted: false, span, spelling: span, macro_number: 0 }
    }

    fn take(&mut self, kind: Kind, length: usize) -> Kind {
        self.offset += length;
        kind
    }

    /// Passes over spaces and comments; returns where a comment begins that does not end.
    fn skip_space(&mut self, text: &str) -> Option<usize> {
        let bytes = text.as_bytes();
        loop {
            let rest = &bytes[self.offset..];
            match rest {
                [b'\n', ..] => self.end_line(1),
                [b'\\', b'\n', ..] => self.offset += 2,
                [b'\\', b'\r', b'\n', ..] => self.offset += 3,
                [b' ' | b'\t' | b'\r' | 0x0B | 0x0C, ..] => self.offset += 1,
                [0xEF, 0xBB, 0xBF, ..] if self.offset == 0 => self.offset += 3,
                [b'/', b'/', ..] => self.offset += line_length(rest),
                [b'/', b'*', ..] => match find(&rest[2..], b"*/") {
                    Some(length) => self.offset += length + 4,
                    None => {
                        let start = self.offset;
                        self.offset = bytes.len();
                        return Some(start);
                    }
                },
                _ => return None,
            }
        }
    }

    fn end_line(&mut self, length: usize) {
        self.offset += length;
        self.line_start = true;
        self.in_directive = false;
    }

    /// A string; the lexer stands at its opening quote.
    fn text(&mut self, text: &str) -> Kind {
        let rest = &text.as_bytes()[self.offset..];
        let line = logical_line(rest);
        if let Some(end) = rest[1..line].iter().position(|&byte| byte == b'"') {
            return self.take(Kind::Text, end + 2);
        }
        let several_lines = !self.skipping && !self.in_directive;
        let close = rest[line..].iter().position(|&byte| byte == b'"').filter(|_| several_lines);
        match close.map(|length| line + length + 1) {
            Some(end) if !continues_as_name(&rest[end..]) => self.take(Kind::Text, end),
            _ => {
                // What follows a semicolon is more likely the next setting than a part of this
                // text.
                let line = rest[..line].iter().position(|&byte| byte == b';').unwrap_or(line);
                self.take(Kind::OpenText, trimmed_length(&rest[..line]))
            }
        }
    }

    fn symbol(&mut self, text: &str) -> Kind {
        if let Some((symbol, length)) = symbol(&text.as_bytes()[self.offset..]) {
            return self.take(Kind::Symbol(symbol), length);
        }
        let rest = &text[self.offset..];
        if let Some(length) = single_quoted(rest) {
            return self.take(Kind::Unknown, length);
        }
        let known = |c: char| {
            c.is_ascii_alphanumeric()
                || c.is_whitespace()
                || "_\"{}()[];,.:?=!<>+-*/%&|^~#\\".contains(c)
        };
        let length = rest
            .char_indices()
            .skip(1)
            .find(|(_, c)| known(*c))
            .map_or(rest.len(), |(index, _)| index);
        self.take(Kind::Unknown, length)
    }
}

/// Returns the length of what other languages take for a string, on one line; a user who writes it
/// means one string.
fn single_quoted(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let end = inside.find(['\'', '"', ';', '\n'])?;
    inside[end..].starts_with('\'').then_some(end + 2)
}

/// Returns the symbol at the beginning, the longest one if there are several, and its length.
fn symbol(rest: &[u8]) -> Option<(Symbol, usize)> {
    Some(match rest {
        [b'.', b'.', b'.', ..] => (Symbol::Ellipsis, 3),
        [b'=', b'=', ..] => (Symbol::Equal, 2),
        [b'!', b'=', ..] => (Symbol::NotEqual, 2),
        [b'<', b'=', ..] => (Symbol::LessOrEqual, 2),
        [b'<', b'<', ..] => (Symbol::ShiftLeft, 2),
        [b'<', b'-', ..] => (Symbol::Alias, 2),
        [b'>', b'=', ..] => (Symbol::GreaterOrEqual, 2),
        [b'>', b'>', ..] => (Symbol::ShiftRight, 2),
        [b'*', b'*', ..] => (Symbol::StarStar, 2),
        [b'&', b'&', ..] => (Symbol::AmpersandAmpersand, 2),
        [b'|', b'|', ..] => (Symbol::BarBar, 2),
        [b'-', b'>', ..] => (Symbol::Arrow, 2),
        [b'#', b'#', ..] => (Symbol::HashHash, 2),
        [byte, ..] => (single(*byte)?, 1),
        [] => return None,
    })
}

/// Returns the symbol of one character.
fn single(byte: u8) -> Option<Symbol> {
    Some(match byte {
        b'{' => Symbol::OpenBrace,
        b'}' => Symbol::CloseBrace,
        b'(' => Symbol::OpenParen,
        b')' => Symbol::CloseParen,
        b'[' => Symbol::OpenBracket,
        b']' => Symbol::CloseBracket,
        b';' => Symbol::Semicolon,
        b',' => Symbol::Comma,
        b'.' => Symbol::Dot,
        b':' => Symbol::Colon,
        b'?' => Symbol::Question,
        b'=' => Symbol::Assign,
        b'<' => Symbol::Less,
        b'>' => Symbol::Greater,
        b'+' => Symbol::Plus,
        b'-' => Symbol::Minus,
        b'*' => Symbol::Star,
        b'/' => Symbol::Slash,
        b'%' => Symbol::Percent,
        b'&' => Symbol::Ampersand,
        b'|' => Symbol::Bar,
        b'^' => Symbol::Caret,
        b'!' => Symbol::Not,
        b'~' => Symbol::Tilde,
        b'#' => Symbol::Hash,
        _ => return None,
    })
}

/// Returns `true` if a name follows a closing quote at once: then that quote was meant to open
/// another string.
fn continues_as_name(rest: &[u8]) -> bool {
    rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

fn identifier_length(rest: &[u8]) -> usize {
    rest.iter()
        .position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'))
        .unwrap_or(rest.len())
}

/// Returns the length of a number: `0x1F`, `0b11`, `0o17`, `12`, `1.5`, `1e9`, `1.5e-3`.
fn number_length(rest: &[u8]) -> usize {
    if let [b'0', b'x' | b'X' | b'b' | b'B' | b'o' | b'O', digit, ..] = rest
        && digit.is_ascii_hexdigit()
    {
        return 2 + rest[2..]
            .iter()
            .position(|byte| !byte.is_ascii_hexdigit())
            .unwrap_or(rest.len() - 2);
    }
    let mut length = digits(rest);
    if let [b'.', b'0'..=b'9', ..] = &rest[length..] {
        length += 1 + digits(&rest[length + 1..]);
    }
    match &rest[length..] {
        [b'e' | b'E', b'0'..=b'9', ..] => length += 1 + digits(&rest[length + 1..]),
        [b'e' | b'E', b'+' | b'-', b'0'..=b'9', ..] => length += 2 + digits(&rest[length + 2..]),
        _ => {}
    }
    length
}

fn digits(rest: &[u8]) -> usize {
    rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len())
}

/// Returns the length up to the end of the line, or to a quote; a line whose last character is `\\`
/// goes on in the next one.
fn logical_line(rest: &[u8]) -> usize {
    let mut length = 1;
    while let Some(stop) = rest[length..].iter().position(|byte| matches!(byte, b'"' | b'\n')) {
        length += stop;
        let spliced = matches!(&rest[..length], [.., b'\\'] | [.., b'\\', b'\r']);
        if rest[length] == b'"' {
            return length + 1;
        }
        if !spliced {
            return length;
        }
        length += 1;
    }
    rest.len()
}

fn line_length(rest: &[u8]) -> usize {
    rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
}

/// Returns the length without spaces at the end, but at least the opening quote.
fn trimmed_length(line: &[u8]) -> usize {
    line.iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(1, |last| last + 1)
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}
