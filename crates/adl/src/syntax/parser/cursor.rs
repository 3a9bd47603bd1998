//! Looking at tokens, taking them, and saying what was expected.

use super::{Parser, is_keyword};
use crate::rules;
use crate::syntax::token::{Kind, Symbol, Token};
use crate::tree::{Name, Reference};
use fusee_diagnostics::closest;
use fusee_diagnostics::{Diagnostic, Span};

impl Parser<'_, '_> {
    /// Takes a token.
    pub(super) fn advance(&mut self) {
        if self.current.kind == Kind::End {
            return;
        }
        self.previous = self.current.span;
        self.current = self.ahead;
        self.ahead = self.tokens.next();
        self.consumed += 1;
    }

    /// From a token that was taken earlier to the last one.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.previous)
    }

    /// Returns a token's letters.
    pub(super) fn text(&self, token: &Token) -> &str {
        self.tokens.session.text(token)
    }

    /// Returns the word that stands here; empty if it is no word.
    pub(super) fn word(&self) -> &str {
        if self.current.kind == Kind::Identifier { self.text(&self.current) } else { "" }
    }

    /// Takes a symbol if it stands here.
    pub(super) fn take(&mut self, symbol: Symbol) -> bool {
        let found = self.current.is(symbol);
        if found {
            self.advance();
        }
        found
    }

    /// Takes a word if it stands here.
    pub(super) fn take_word(&mut self, word: &str) -> Option<Span> {
        let found = self.word() == word;
        found.then(|| {
            self.advance();
            self.previous
        })
    }

    /// Takes a symbol, or reports that it is missing.
    pub(super) fn expect(&mut self, symbol: Symbol, what: &str) -> bool {
        let found = self.take(symbol);
        if !found {
            self.unexpected(what);
        }
        found
    }

    /// Takes the `;` of a declaration. One that was forgotten at the end of a line is taken to be
    /// there.
    pub(super) fn end_statement(&mut self) -> Option<()> {
        if self.take(Symbol::Semicolon) {
            return Some(());
        }
        let forgotten = self.current.line_start || self.current.is(Symbol::CloseBrace);
        if !forgotten {
            self.unexpected("`;`");
            return None;
        }
        let end = Span { start: self.previous.end, ..self.previous };
        let error =
            Diagnostic::error(rules::MISSING_SEMICOLON, "missing `;`").at(end, "expected `;` here");
        let error = self.with_origin(error, self.current);
        self.fail(error.with_fix("add `;`", end, ";"));
        Some(())
    }

    /// Takes a name, or reports that it is missing.
    pub(super) fn name(&mut self, what: &str) -> Option<Name> {
        let keyword = is_keyword(self.word());
        if self.current.kind != Kind::Identifier || (keyword && !self.is_used_as_name()) {
            self.unexpected(what);
            return None;
        }
        if keyword {
            let message = format!("`{}` is a keyword and cannot be {what}", self.word());
            let label = format!("choose another name, such as `{}_`", self.word());
            let error =
                Diagnostic::error(rules::KEYWORD_AS_NAME, message).at(self.current.span, label);
            self.fail(self.with_origin(error, self.current));
        }
        let name = Name { text: self.word().to_owned(), span: self.current.span };
        self.advance();
        Some(name)
    }

    /// Returns `true` if a keyword stands where only a name makes sense.
    fn is_used_as_name(&self) -> bool {
        let Kind::Symbol(symbol) = self.ahead.kind else { return false };
        !self.ahead.line_start
            && matches!(
                symbol,
                Symbol::Semicolon
                    | Symbol::OpenParen
                    | Symbol::CloseParen
                    | Symbol::Comma
                    | Symbol::Dot
                    | Symbol::Assign
                    | Symbol::OpenBracket
                    | Symbol::Alias
                    | Symbol::Arrow
            )
    }

    /// Takes names with dots between them.
    pub(super) fn reference(&mut self, what: &str) -> Option<Reference> {
        let first = self.name(what)?;
        let start = first.span;
        let mut names = vec![first];
        while self.take(Symbol::Dot) {
            names.push(self.name("a name after `.`")?);
        }
        Some(Reference { names, span: self.since(start) })
    }

    /// The keyword that stands here, or that was probably meant; `None`, with a report, if there is
    /// none. It is not taken.
    pub(super) fn keyword(
        &mut self,
        known: &'static [&'static str],
        what: &str,
    ) -> Option<&'static str> {
        let word = self.word();
        if let Some(found) = known.iter().copied().find(|keyword| *keyword == word) {
            return Some(found);
        }
        if self.tokens.session.report.is_full() {
            self.tokens.session.report.count();
            return None;
        }
        let followed = self.ahead.kind == Kind::Identifier
            || self.ahead.kind == Kind::Text
            || self.ahead.is(Symbol::OpenBrace)
            || self.ahead.is(Symbol::Semicolon);
        let meant = closest(word, known.iter().copied()).filter(|_| followed && !is_keyword(word));
        let Some(meant) = meant else {
            self.unexpected(what);
            return None;
        };
        let error = Diagnostic::error(rules::MISSPELT_KEYWORD, format!("`{word}` is no keyword"));
        let error = error.at(self.current.span, format!("did you mean `{meant}`?"));
        let error = self.with_origin(error, self.current);
        self.fail(error.with_fix(format!("write `{meant}`"), self.current.span, meant));
        Some(meant)
    }

    /// Reports that something else was expected here.
    pub(super) fn unexpected(&mut self, expected: &str) {
        if self.tokens.session.report.is_full() {
            return self.tokens.session.report.count();
        }
        let found = self.found();
        let message = format!("expected {expected}, found {found}");
        let error = Diagnostic::error(rules::UNEXPECTED_TOKEN, message)
            .at(self.current.span, format!("expected {expected}"));
        let error = match self.hint(expected) {
            Some(hint) => error.with_note(hint),
            None => error,
        };
        self.fail(self.with_origin(error, self.current));
    }

    /// Returns a hint for readers who know other languages.
    fn hint(&self, expected: &str) -> Option<&'static str> {
        let within_a_name = !self.current.spaced && !self.current.line_start && !self.ahead.spaced;
        let Kind::Symbol(symbol) = self.current.kind else {
            let type_of_words =
                self.current.kind == Kind::Identifier && expected.starts_with("`(` before");
            return match expected {
                "`from` or `to`" => {
                    Some("each end says which it is, as in `(from pump.tick, to sink.tock)`")
                }
                _ => type_of_words
                    .then_some("a type is one word: for `unsigned long long` write `uint64_t`"),
            };
        };
        match symbol {
            Symbol::Minus if within_a_name && self.ahead.kind == Kind::Identifier => {
                Some("a name has letters, digits and `_`, and no `-`")
            }
            Symbol::Star if expected.ends_with("parameter's name") => {
                Some("there are no pointers: an array is `char name[]`, a text `string name`")
            }
            Symbol::Equal | Symbol::Colon if expected.starts_with("`=`") => {
                Some("write `=` to set a value")
            }
            Symbol::Arrow if expected == "`,` or `)`" => {
                Some("an end is INSTANCE.INTERFACE, with a dot")
            }
            _ => None,
        }
    }

    /// Returns the next token as a message shows it.
    fn found(&self) -> String {
        let text = self.text(&self.current);
        let short: String = text.chars().take(40).collect();
        match self.current.kind {
            Kind::End => "the end of the file".to_owned(),
            Kind::Text | Kind::OpenText => "a string".to_owned(),
            Kind::Identifier if is_keyword(text) => format!("keyword `{text}`"),
            _ => format!("`{short}`"),
        }
    }

    /// Adds the definition of the macro that a token comes from.
    pub(super) fn with_origin(&self, error: Diagnostic, token: Token) -> Diagnostic {
        match self.tokens.origin(&token) {
            Some((name, span)) => {
                error.because(span, format!("the text comes from macro `{name}`"))
            }
            None => error,
        }
    }

    /// Reports an error, unless one has been found at this token.
    pub(super) fn fail(&mut self, error: Diagnostic) {
        if self.failed_at != Some(self.consumed) {
            self.failed_at = Some(self.consumed);
            self.tokens.session.report.add(error);
        }
    }
}
