//! The C preprocessor, as far as descriptions use it.
//!
//! Descriptions are run through `cpp` before CAmkES reads them. Calling the
//! system's `cpp` would leave only line numbers to point at, would need a compiler on
//! every machine, and would choke on strings over several lines, which descriptions
//! have; no Rust crate for it is well kept. So this one works on tokens that know
//! their places: text from a macro points to where the macro is used, with the
//! definition beside it, and an argument points to where it was written.
//!
//! It has everything of C's preprocessor but `#line`, character constants,
//! `__VA_OPT__`, `__DATE__` and `__TIME__` (the same input gives the same output).
//! Expansion keeps a stack of the texts that are being read, and a macro is not
//! expanded while its own text is on it. Limits on the number of tokens, on
//! nesting, and on the number of inclusions keep "billion laughs" inputs harmless.

mod arguments;
mod condition;
mod definition;
mod directive;
mod include;
mod substitute;

use super::lexer::Lexer;
use super::session::Session;
use super::token::{Kind, Symbol, Token};
use crate::rules;
use definition::Macro;
use directive::Branch;
use fusee_diagnostics::{Diagnostic, FileId, Span};
use std::collections::{BTreeSet, HashMap};

/// The number of tokens that macros may produce in one file and what it includes.
const MAX_PRODUCED: usize = 1 << 21;

/// The greatest depth of macro calls in arguments of macro calls.
const MAX_DEPTH: usize = 100;

/// Reads the tokens of one file and of what it includes, macros expanded.
pub(crate) struct Preprocessor<'s, 'a> {
    /// Files, letters, messages.
    pub(crate) session: &'s mut Session<'a>,
    /// The files that are being read, the innermost last.
    readers: Vec<Reader>,
    /// The texts of macros that are being read, the innermost last.
    contexts: Vec<Context>,
    /// `true` if only `contexts` are read: an argument or a condition is being expanded.
    isolated: bool,
    /// Numbers of the macros that are defined now. Only ever asked for one name: its order never
    /// shows.
    names: HashMap<String, u32>,
    /// All macros that were ever defined; their numbers count from 1.
    macros: Vec<Macro>,
    once: BTreeSet<FileId>,
    counter: u64,
    produced: usize,
    depth: usize,
    inclusions: usize,
    /// The number of bytes of all inclusions.
    included: usize,
    /// `true` if there were too many, which has been reported.
    inclusions_ended: bool,
    end: Token,
}

/// A file that is being read.
struct Reader {
    lexer: Lexer,
    branches: Vec<Branch>,
    /// The `#include` that led here.
    included_at: Option<Span>,
}

/// A macro's text that is being read.
struct Context {
    tokens: Vec<Token>,
    position: usize,
    /// The macro that is not expanded meanwhile; 0: none.
    number: u32,
}

impl<'s, 'a> Preprocessor<'s, 'a> {
    /// At the start of a file.
    pub(crate) fn new(session: &'s mut Session<'a>, file: FileId) -> Self {
        let length = session.sources.file(file).text.len() as u32;
        let span = Span { file, start: length, end: length };
        let end = Token {
            kind: Kind::End,
            line_start: true,
            spaced: true,
            painted: false,
            span,
            spelling: span,
            macro_number: 0,
        };
        let mut preprocessor = Self {
            session,
            readers: Vec::new(),
            contexts: Vec::new(),
            isolated: false,
            names: HashMap::new(),
            macros: Vec::new(),
            once: BTreeSet::new(),
            counter: 0,
            produced: 0,
            depth: 0,
            inclusions: 0,
            included: 0,
            inclusions_ended: false,
            end,
        };
        preprocessor.define_options();
        preprocessor.enter_file(file, None);
        preprocessor
    }

    /// The next token; [`Kind::End`] for ever at the end.
    pub(crate) fn next(&mut self) -> Token {
        loop {
            let mut token = self.unexpanded();
            if token.kind != Kind::Identifier || token.painted {
                return token;
            }
            let Some(number) = self.lookup(&token) else {
                return self.own_macro(token);
            };
            if self.macros[number as usize - 1].active > 0 {
                token.painted = true;
                return token;
            }
            if !self.expand(number, token) {
                return token;
            }
        }
    }

    /// Name and place of the definition that a token comes from.
    pub(crate) fn origin(&self, token: &Token) -> Option<(&str, Span)> {
        let index = (token.macro_number as usize).checked_sub(1)?;
        let definition = self.macros.get(index)?;
        Some((&definition.name, definition.span))
    }

    /// Defines the macros that the options name.
    fn define_options(&mut self) {
        if self.session.options.defines.is_empty() {
            return;
        }
        let line = |(name, value): &(String, Option<String>)| {
            format!("#define {name} {}\n", value.as_deref().unwrap_or("1"))
        };
        let text: String = self.session.options.defines.iter().map(line).collect();
        let file = self.session.add_own("<command line>", text);
        self.enter_file(file, None);
        while self.unexpanded().kind != Kind::End {}
    }

    fn lookup(&self, token: &Token) -> Option<u32> {
        if self.names.is_empty() { None } else { self.names.get(self.session.text(token)).copied() }
    }

    /// Replaces the macros that are always there.
    fn own_macro(&mut self, mut token: Token) -> Token {
        let letters = self.session.text(&token);
        if !letters.starts_with("__") {
            return token;
        }
        let (kind, replacement) = match letters {
            "__COUNTER__" => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string())
            }
            "__LINE__" => {
                let position =
                    self.session.sources.file(token.span.file).position(token.span.start);
                (Kind::Number, position.line.to_string())
            }
            "__FILE__" => {
                let path = self.session.sources.file(token.span.file).path.display().to_string();
                (Kind::Text, format!("\"{path}\""))
            }
            _ => return token,
        };
        token.spelling = self.session.scratch.add(&replacement);
        token.kind = kind;
        token
    }

    /// The next token before expansion.
    fn unexpanded(&mut self) -> Token {
        while let Some(context) = self.contexts.last_mut() {
            if let Some(token) = context.tokens.get(context.position) {
                context.position += 1;
                return *token;
            }
            let number = context.number;
            self.contexts.pop();
            if number > 0 {
                self.macros[number as usize - 1].active -= 1;
            }
        }
        if self.isolated { self.end } else { self.next_of_file() }
    }

    /// Puts a text in front of what is read next.
    fn push(&mut self, tokens: Vec<Token>, number: u32) {
        if number > 0 {
            self.macros[number as usize - 1].active += 1;
        }
        self.contexts.push(Context { tokens, position: 0, number });
    }

    /// Expands tokens by themselves: an argument, or a condition.
    fn expand_alone(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        let contexts =
            std::mem::replace(&mut self.contexts, vec![Context { tokens, position: 0, number: 0 }]);
        let isolated = std::mem::replace(&mut self.isolated, true);
        self.depth += 1;
        let mut expanded = Vec::new();
        loop {
            let token = self.next();
            if token.kind == Kind::End {
                break;
            }
            expanded.push(token);
        }
        self.depth -= 1;
        self.isolated = isolated;
        self.contexts = contexts;
        expanded
    }

    /// The next token of the files, directives obeyed.
    fn next_of_file(&mut self) -> Token {
        while let Some(reader) = self.readers.last_mut() {
            let skipping = reader.branches.last().is_some_and(|branch| !branch.active);
            reader.lexer.skipping = skipping;
            let token = reader.lexer.next(&self.session.sources.file(reader.lexer.file).text);
            if token.kind == Kind::End {
                self.leave_file();
            } else if token.line_start && token.is(Symbol::Hash) {
                self.directive(token);
            } else if !skipping && let Some(token) = self.checked(token) {
                return token;
            }
        }
        self.end
    }

    /// Reports what the lexer could not make sense of; `None` if nothing is left of it.
    fn checked(&mut self, token: Token) -> Option<Token> {
        match token.kind {
            Kind::Unknown
                if self.session.text(&token).len() > 2
                    && self.session.text(&token).ends_with('\'') =>
            {
                let inside = self.session.text(&token).trim_matches('\'').to_owned();
                let message = "a string stands between double quotes";
                let error = Diagnostic::error(rules::UNKNOWN_CHARACTER, message)
                    .at(token.span, "here are single ones");
                let fix = format!("\"{inside}\"");
                self.session.report.add(error.with_fix("write double quotes", token.span, fix));
                Some(Token { kind: Kind::Text, ..token })
            }
            Kind::Unknown => {
                let shown: String = self.session.text(&token).chars().take(20).collect();
                let quote = shown.contains('\'');
                let shown = if quote { shown } else { shown.escape_debug().to_string() };
                let message = format!("`{shown}` means nothing in a description");
                let error =
                    Diagnostic::error(rules::UNKNOWN_CHARACTER, message).at(token.span, "here");
                let error = if quote {
                    error.with_note("a string stands between double quotes: `\"`")
                } else {
                    error
                };
                let error = if shown.chars().all(char::is_alphabetic) {
                    error.with_note(
                        "a name has English letters, digits and `_`; others may stand in strings \
                         and comments",
                    )
                } else {
                    error
                };
                self.session.report.add(error);
                None
            }
            Kind::OpenText => {
                let end = Span { start: token.span.end, ..token.span };
                let error = Diagnostic::error(rules::UNCLOSED_TEXT, "this string is not closed");
                let error = error.at(token.span, "no `\"` follows on this line");
                self.session.report.add(error.with_fix("close the string", end, "\""));
                Some(token)
            }
            Kind::OpenComment => {
                let span = Span { end: token.span.start + 2, ..token.span };
                let error =
                    Diagnostic::error(rules::UNCLOSED_COMMENT, "this comment is not closed");
                self.session.report.add(error.at(span, "no `*/` follows"));
                None
            }
            _ => Some(token),
        }
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.session.report.add(diagnostic);
    }
}
