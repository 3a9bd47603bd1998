//! From tokens to the tree, by recursive descent that never fails.
//!
//! Every function takes what it understands, reports what it does not, and leaves
//! the rest to its caller; blocks and statements are where reading starts afresh.
//! An error is reported once for each token, so that one mistake gives one message.
//! A misspelt keyword is read as the one that was meant, a missing `;` as if it
//! were there, and a block that is not closed ends where the next declaration begins.
//!
//! The grammar is that of CAmkES and a little more: stray `;` are passed over, and
//! the declarations of a block may come in any order.

mod assembly;
mod component;
mod connector;
mod cursor;
mod expression;
mod items;
mod procedure;
mod types;

use super::preprocess::Preprocessor;
use super::session::Session;
use super::token::{Kind, Symbol, Token};
use crate::rules;
use crate::tree::{Item, MAX_NESTING};
use fusee_diagnostics::{Diagnostic, FileId, Span};

/// Returns `true` if a word is no name.
fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "assembly"
            | "attribute"
            | "char"
            | "component"
            | "composition"
            | "configuration"
            | "connection"
            | "connector"
            | "consumes"
            | "control"
            | "dataport"
            | "Dataport"
            | "Dataports"
            | "emits"
            | "Event"
            | "Events"
            | "export"
            | "False"
            | "false"
            | "from"
            | "group"
            | "hardware"
            | "has"
            | "import"
            | "in"
            | "include"
            | "inout"
            | "int"
            | "integer"
            | "int64_t"
            | "maybe"
            | "mutex"
            | "out"
            | "procedure"
            | "Procedure"
            | "Procedures"
            | "provides"
            | "refin"
            | "semaphore"
            | "schedule"
            | "binary_semaphore"
            | "signed"
            | "struct"
            | "string"
            | "ticks"
            | "thread"
            | "threads"
            | "True"
            | "true"
            | "to"
            | "uint64_t"
            | "unsigned"
            | "us"
            | "uses"
            | "void"
            | "with"
    )
}

/// Words that begin a declaration at the top of a file, and nowhere else.
const TOP_ONLY: &[&str] = &["import", "assembly", "procedure"];

/// Returns `true` if a word begins a declaration somewhere.
fn is_starter(word: &str) -> bool {
    matches!(
        word,
        "assembly"
            | "attribute"
            | "component"
            | "composition"
            | "configuration"
            | "connection"
            | "connector"
            | "consumes"
            | "control"
            | "dataport"
            | "emits"
            | "export"
            | "from"
            | "group"
            | "hardware"
            | "has"
            | "import"
            | "include"
            | "maybe"
            | "procedure"
            | "provides"
            | "schedule"
            | "struct"
            | "to"
            | "uses"
    )
}

/// Reads one file with what it includes.
pub(crate) fn parse(session: &mut Session<'_>, file: FileId) -> Vec<Item> {
    let mut tokens = Preprocessor::new(session, file);
    let current = tokens.next();
    let ahead = tokens.next();
    let previous = Span { end: current.span.start, ..current.span };
    let mut parser =
        Parser { tokens, current, ahead, previous, failed_at: None, nesting: 0, consumed: 0 };
    parser.items()
}

/// Reads tokens with one to look ahead.
struct Parser<'s, 'a> {
    tokens: Preprocessor<'s, 'a>,
    current: Token,
    ahead: Token,
    /// The last token that was taken.
    previous: Span,
    /// The token at which the last error was found.
    failed_at: Option<usize>,
    /// The number of blocks and brackets that are open.
    nesting: usize,
    /// The number of tokens that were taken.
    consumed: usize,
}

impl Parser<'_, '_> {
    /// Statements between braces. `statement` returns `None` if it could not make sense of one.
    fn block(
        &mut self,
        what: &str,
        mut statement: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<Span> {
        let open = self.current.span;
        if !self.expect(Symbol::OpenBrace, &format!("`{{` of {what}")) {
            return None;
        }
        if !self.nest() {
            self.skip_block();
            return Some(self.since(open));
        }
        loop {
            if self.take(Symbol::CloseBrace) {
                break;
            }
            if self.current.kind == Kind::End || self.begins_outside() {
                self.unclosed(open, what);
                break;
            }
            if !self.take(Symbol::Semicolon) && !self.undefined_macro() {
                self.step(&mut statement);
            }
        }
        self.nesting -= 1;
        Some(self.since(open))
    }

    /// One statement; whatever happens, at least one token is taken.
    fn step(&mut self, statement: &mut impl FnMut(&mut Self) -> Option<()>) {
        let before = self.consumed;
        if statement(self).is_none() {
            self.synchronize(before);
        }
        if self.consumed == before && !self.begins_outside() {
            self.advance();
        }
    }

    /// Passes over what looks like the use of a macro that is not defined, and reports it.
    fn undefined_macro(&mut self) -> bool {
        let word = self.word();
        let shouting = word.len() > 2 && word.bytes().all(|byte| !byte.is_ascii_lowercase());
        if !shouting || !(self.ahead.is(Symbol::OpenParen) || self.ahead.line_start) {
            return false;
        }
        let error =
            Diagnostic::error(rules::UNDEFINED_MACRO, format!("macro `{word}` is not defined"));
        let error = error.at(self.current.span, "it is used here");
        let note = "include the file that defines it: macros of an imported or importing file do \
                    not count";
        self.fail(self.with_origin(error, self.current).with_note(note));
        self.advance();
        let mut open = usize::from(self.take(Symbol::OpenParen));
        while open > 0 && self.current.kind != Kind::End {
            match self.current.kind {
                Kind::Symbol(Symbol::OpenParen) => open += 1,
                Kind::Symbol(Symbol::CloseParen) => open -= 1,
                Kind::Symbol(Symbol::OpenBrace | Symbol::CloseBrace | Symbol::Semicolon) => break,
                _ => {}
            }
            self.advance();
        }
        true
    }

    /// Returns `true` if a declaration begins here that can only stand at the top of a file.
    fn begins_outside(&self) -> bool {
        if self.current.kind != Kind::Identifier || !self.current.line_start {
            return false;
        }
        let word = self.word();
        let named = self.ahead.kind == Kind::Identifier || self.ahead.is(Symbol::OpenBrace);
        match word {
            "import" => self.ahead.kind == Kind::Text || self.ahead.is(Symbol::Less),
            _ => TOP_ONLY.contains(&word) && named,
        }
    }

    /// Goes to where the next statement probably begins.
    fn synchronize(&mut self, start: usize) {
        let mut open = 0usize;
        loop {
            match self.current.kind {
                Kind::End => return,
                Kind::Symbol(Symbol::Semicolon) if open == 0 => return self.advance(),
                Kind::Symbol(Symbol::OpenBrace) => open += 1,
                Kind::Symbol(Symbol::CloseBrace) if open == 0 => return,
                Kind::Symbol(Symbol::CloseBrace) => {
                    open -= 1;
                    if open == 0 {
                        return self.advance();
                    }
                }
                Kind::Identifier if self.consumed > start && self.current.line_start => {
                    let word = self.word();
                    if (open == 0 && is_starter(word)) || self.begins_outside() {
                        return;
                    }
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Counts a bracket that opens; `false` if there are too many, which is reported.
    fn nest(&mut self) -> bool {
        if self.nesting < MAX_NESTING {
            self.nesting += 1;
            return true;
        }
        let error = Diagnostic::error(rules::NESTED_TOO_DEEPLY, "this is nested too deeply");
        self.fail(error.at(
            self.previous,
            format!("more than {MAX_NESTING} blocks and brackets are open here"),
        ));
        false
    }

    /// Passes over the rest of a block whose brace has been taken.
    fn skip_block(&mut self) {
        let mut open = 1usize;
        while open > 0 && self.current.kind != Kind::End {
            match self.current.kind {
                Kind::Symbol(Symbol::OpenBrace) => open += 1,
                Kind::Symbol(Symbol::CloseBrace) => open -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    fn unclosed(&mut self, open: Span, what: &str) {
        let end = Span { start: self.previous.end, ..self.previous };
        let error =
            Diagnostic::error(rules::UNCLOSED_BLOCK, format!("the block of {what} is not closed"));
        let error = error.at(open, "no `}` for this one");
        self.fail(error.with_fix("close the block", end, "\n}"));
    }
}
