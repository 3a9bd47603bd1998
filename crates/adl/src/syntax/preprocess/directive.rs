//! Lines that begin with `#`.

use super::Preprocessor;
use crate::rules;
use crate::syntax::token::{Kind, Token};
use fusee_diagnostics::closest;
use fusee_diagnostics::{Diagnostic, Severity, Span};

/// Every directive that is obeyed.
const DIRECTIVES: &[&str] = &[
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else",
    "endif", "error", "warning", "pragma", "line", "ident",
];

/// An `#if` that is not at its `#endif` yet.
pub(super) struct Branch {
    /// The `#if`.
    span: Span,
    /// `true` if the text that stands here is read.
    pub(super) active: bool,
    /// `true` if one of its branches has been read, or none may be.
    done: bool,
    /// Its `#else`.
    otherwise: Option<Span>,
}

impl Preprocessor<'_, '_> {
    /// Obeys the directive whose `#` has been read.
    pub(super) fn directive(&mut self, hash: Token) {
        let line = self.line();
        let Some((name, rest)) = line.split_first() else { return };
        let span = hash.span.to(name.span);
        let text = self.session.text(name).to_owned();
        if self.branch(&text, span, rest) || self.skipping() {
            return;
        }
        match text.as_str() {
            "define" => self.define(span, rest),
            "undef" => self.undefine(span, rest),
            "include" => self.include(span, rest),
            "error" => self.message(Severity::Error, span, rest),
            "warning" => self.message(Severity::Warning, span, rest),
            "pragma" => self.pragma(rest),
            "line" | "ident" => {}
            _ if name.kind == Kind::Number => {}
            _ => self.unknown_directive(&text, name.span),
        }
    }

    /// The tokens up to the end of the line.
    fn line(&mut self) -> Vec<Token> {
        let mut line = Vec::new();
        let Some(reader) = self.readers.last_mut() else { return line };
        let text = &self.session.sources.file(reader.lexer.file).text;
        loop {
            let before = reader.lexer.clone();
            let token = reader.lexer.next(text);
            if token.line_start {
                reader.lexer = before;
                return line;
            }
            line.push(token);
        }
    }

    fn skipping(&self) -> bool {
        let branch = self.readers.last().and_then(|reader| reader.branches.last());
        branch.is_some_and(|branch| !branch.active)
    }

    /// Obeys what chooses between texts; `false` for all other directives.
    fn branch(&mut self, directive: &str, span: Span, rest: &[Token]) -> bool {
        match directive {
            "if" | "ifdef" | "ifndef" => self.begin_branch(directive, span, rest),
            "elif" | "elifdef" | "elifndef" => self.other_branch(directive, span, rest),
            "else" => self.last_branch(span),
            "endif" => {
                if self.readers.last_mut().and_then(|reader| reader.branches.pop()).is_none() {
                    self.unbalanced(span, "endif");
                }
            }
            _ => return false,
        }
        true
    }

    fn begin_branch(&mut self, directive: &str, span: Span, rest: &[Token]) {
        let outer = !self.skipping();
        let active = outer && self.holds(directive, span, rest);
        if let Some(reader) = self.readers.last_mut() {
            reader.branches.push(Branch { span, active, done: active || !outer, otherwise: None });
        }
    }

    fn other_branch(&mut self, directive: &str, span: Span, rest: &[Token]) {
        let Some(branch) = self.readers.last_mut().and_then(|reader| reader.branches.last_mut())
        else {
            return self.unbalanced(span, directive);
        };
        if let Some(otherwise) = branch.otherwise {
            return self.after_else(span, otherwise);
        }
        branch.active = false;
        if branch.done {
            return;
        }
        let active = self.holds(&directive[2..], span, rest);
        if let Some(branch) = self.readers.last_mut().and_then(|reader| reader.branches.last_mut())
        {
            branch.active = active;
            branch.done = active;
        }
    }

    fn last_branch(&mut self, span: Span) {
        let Some(branch) = self.readers.last_mut().and_then(|reader| reader.branches.last_mut())
        else {
            return self.unbalanced(span, "else");
        };
        if let Some(otherwise) = branch.otherwise {
            return self.after_else(span, otherwise);
        }
        branch.active = !branch.done;
        branch.done = true;
        branch.otherwise = Some(span);
    }

    /// Returns `true` if the text after `#if`, `#ifdef`, `#ifndef` is to be read.
    fn holds(&mut self, directive: &str, span: Span, rest: &[Token]) -> bool {
        if directive == "if" || directive == "elif" || directive.is_empty() {
            return self.condition(span, rest);
        }
        match rest.first().filter(|name| name.kind == Kind::Identifier) {
            Some(name) => self.is_defined(name) == directive.ends_with("ifdef"),
            None => {
                let error = Diagnostic::error(
                    rules::BAD_CONDITION,
                    format!("`#{directive}` needs a macro's name"),
                );
                self.error(error.at(span, "expected a name after this"));
                false
            }
        }
    }

    fn unbalanced(&mut self, span: Span, directive: &str) {
        let message = format!("`#{directive}` without `#if`");
        self.error(
            Diagnostic::error(rules::UNBALANCED_CONDITION, message)
                .at(span, "no `#if` is open here"),
        );
    }

    fn after_else(&mut self, span: Span, otherwise: Span) {
        let error = Diagnostic::error(
            rules::UNBALANCED_CONDITION,
            "`#else` must be the last branch of an `#if`",
        );
        self.error(error.at(span, "this comes after it").because(otherwise, "the `#else`"));
    }

    /// At the end of a file: everything that it opened must be closed.
    pub(super) fn leave_file(&mut self) {
        let Some(reader) = self.readers.pop() else { return };
        for branch in reader.branches {
            let error =
                Diagnostic::error(rules::UNBALANCED_CONDITION, "this condition has no `#endif`");
            self.error(error.at(branch.span, "not closed when the file ends"));
        }
    }

    fn undefine(&mut self, span: Span, rest: &[Token]) {
        match rest.first().filter(|name| name.kind == Kind::Identifier) {
            Some(name) => {
                self.names.remove(self.session.text(name));
            }
            None => {
                let error =
                    Diagnostic::error(rules::BAD_DIRECTIVE, "`#undef` needs a macro's name");
                self.error(error.at(span, "expected a name after this"));
            }
        }
    }

    /// `#error`, `#warning`.
    fn message(&mut self, severity: Severity, span: Span, rest: &[Token]) {
        let whole = rest.last().map_or(span, |last| span.to(last.span));
        let text = match rest {
            [first, .., last] => self.session.sources.text(first.span.to(last.span)),
            [only] => self.session.sources.text(only.span).trim_matches('"'),
            [] => "the description stops here",
        };
        let message = text.to_owned();
        self.error(
            Diagnostic::new(rules::ERROR_DIRECTIVE, severity, message)
                .at(whole, "the description says so"),
        );
    }

    fn pragma(&mut self, rest: &[Token]) {
        let once = rest.first().is_some_and(|word| self.session.text(word) == "once");
        if let Some(reader) = self.readers.last().filter(|_| once) {
            self.once.insert(reader.lexer.file);
        }
    }

    fn unknown_directive(&mut self, text: &str, span: Span) {
        let warning = Diagnostic::warning(
            rules::UNKNOWN_DIRECTIVE,
            format!("`#{text}` is no directive and is ignored"),
        );
        let warning = match closest(text, DIRECTIVES.iter().copied()) {
            Some(known) => warning.at(span, format!("did you mean `{known}`?")).with_fix(
                format!("write `{known}`"),
                span,
                known,
            ),
            None => warning
                .at(span, "unknown")
                .with_note("a comment begins with `//`, or stands between `/*` and `*/`"),
        };
        self.error(warning);
    }
}
