//! `#define`: macros and their texts.

use super::Preprocessor;
use crate::rules;
use crate::syntax::token::{Kind, Symbol, Token};
use fusee_diagnostics::{Diagnostic, Span};
use std::rc::Rc;

/// The definition of a macro.
pub(super) struct Macro {
    /// The name that the description gives.
    pub(super) name: String,
    /// The name in its definition.
    pub(super) span: Span,
    /// Its parameters; `None`: used without parentheses.
    pub(super) parameters: Option<Parameters>,
    /// The text of the macro.
    pub(super) pieces: Rc<[Piece]>,
    /// The number of readings of its text that are under way.
    pub(super) active: u32,
}

/// The parameters of a macro.
#[derive(Default)]
pub(super) struct Parameters {
    /// Their names; the last one stands for all further arguments if `variadic`.
    pub(super) names: Vec<String>,
    /// `true` if any number of arguments may follow.
    pub(super) variadic: bool,
}

/// A part of a macro's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    /// As it was written.
    pub(super) token: Token,
    /// The treatment of the part.
    pub(super) role: Role,
    /// `true` if `##` joins it to the next piece.
    pub(super) joined: bool,
}

/// The treatment of a part of a macro's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The part stays as it is.
    Plain,
    /// An argument takes its place.
    Argument(usize),
    /// An argument made into a string takes its place.
    Quoted(usize),
}

impl Preprocessor<'_, '_> {
    /// `#define` with everything after it on its line.
    pub(super) fn define(&mut self, hash: Span, line: &[Token]) {
        let Some((name, rest)) =
            line.split_first().filter(|(name, _)| name.kind == Kind::Identifier)
        else {
            let span = line.first().map_or(hash, |token| token.span);
            self.error(
                Diagnostic::error(rules::BAD_DIRECTIVE, "`#define` needs a macro's name")
                    .at(span, "expected a name"),
            );
            return;
        };
        let (parameters, body) = match rest.split_first() {
            Some((open, rest)) if open.is(Symbol::OpenParen) && !open.spaced => {
                match self.parameters(open.span, rest) {
                    Some((parameters, body)) => (Some(parameters), body),
                    None => return,
                }
            }
            _ => (None, rest),
        };
        let Some(pieces) = self.pieces(parameters.as_ref(), body) else { return };
        let text = self.session.text(name).to_owned();
        if text == "defined" {
            self.error(
                Diagnostic::error(rules::BAD_DIRECTIVE, "`defined` cannot be a macro")
                    .at(name.span, ""),
            );
            return;
        }
        self.add(Macro {
            name: text,
            span: name.span,
            parameters,
            pieces: pieces.into(),
            active: 0,
        });
    }

    fn add(&mut self, new: Macro) {
        if let Some(&old) = self.names.get(&new.name) {
            let old = &self.macros[old as usize - 1];
            if !self.same_text(old, &new) {
                let message = format!("macro `{}` is defined again, with another text", new.name);
                let warning = Diagnostic::warning(rules::MACRO_REDEFINED, message)
                    .at(new.span, "from here on this text holds");
                let warning = warning.because(old.span, "first defined here");
                self.error(warning.with_note("write `#undef` before it if this is meant"));
            }
        }
        self.macros.push(new);
        let number = self.macros.len() as u32;
        self.names.insert(self.macros[number as usize - 1].name.clone(), number);
    }

    fn same_text(&self, old: &Macro, new: &Macro) -> bool {
        let texts = |definition: &Macro| -> Vec<String> {
            definition
                .pieces
                .iter()
                .map(|piece| self.session.text(&piece.token).to_owned())
                .collect()
        };
        old.parameters.is_some() == new.parameters.is_some() && texts(old) == texts(new)
    }

    /// The parameters after the opening parenthesis, and what follows them.
    fn parameters<'t>(
        &mut self,
        open: Span,
        mut rest: &'t [Token],
    ) -> Option<(Parameters, &'t [Token])> {
        let mut parameters = Parameters::default();
        if let [close, body @ ..] = rest
            && close.is(Symbol::CloseParen)
        {
            return Some((parameters, body));
        }
        loop {
            match rest {
                [dots, tail @ ..] if dots.is(Symbol::Ellipsis) => {
                    parameters.names.push("__VA_ARGS__".to_owned());
                    parameters.variadic = true;
                    rest = tail;
                }
                [name, tail @ ..] if name.kind == Kind::Identifier => {
                    parameters.names.push(self.session.text(name).to_owned());
                    rest = tail;
                    if let [dots, tail @ ..] = rest
                        && dots.is(Symbol::Ellipsis)
                    {
                        parameters.variadic = true;
                        rest = tail;
                    }
                }
                _ => return self.bad_parameters(open, rest),
            }
            match rest {
                [close, body @ ..] if close.is(Symbol::CloseParen) => {
                    return Some((parameters, body));
                }
                [comma, tail @ ..] if comma.is(Symbol::Comma) && !parameters.variadic => {
                    rest = tail
                }
                _ => return self.bad_parameters(open, rest),
            }
        }
    }

    fn bad_parameters<T>(&mut self, open: Span, rest: &[Token]) -> Option<T> {
        let span = rest.first().map_or(open, |token| token.span);
        let error = Diagnostic::error(
            rules::BAD_DIRECTIVE,
            "the parameters of this macro are not a list of names",
        );
        self.error(error.at(span, "expected a name, `,`, `...` or `)`"));
        None
    }

    /// The text of a macro: parameters found, `#` and `##` taken out.
    fn pieces(&mut self, parameters: Option<&Parameters>, body: &[Token]) -> Option<Vec<Piece>> {
        let mut pieces: Vec<Piece> = Vec::with_capacity(body.len());
        let mut tokens = body.iter().copied();
        while let Some(token) = tokens.next() {
            if token.is(Symbol::HashHash) {
                match pieces.last_mut() {
                    Some(last) if tokens.len() > 0 => last.joined = true,
                    _ => {
                        let error = Diagnostic::error(
                            rules::BAD_DIRECTIVE,
                            "`##` joins what stands before and after it",
                        );
                        self.error(error.at(token.span, "one of them is missing"));
                        return None;
                    }
                }
            } else if token.is(Symbol::Hash) && parameters.is_some() {
                let next = tokens.next();
                let Some(index) = next.and_then(|next| self.parameter(parameters, &next)) else {
                    let error = Diagnostic::error(
                        rules::BAD_DIRECTIVE,
                        "`#` makes a parameter into a string",
                    );
                    self.error(error.at(token.span, "no parameter follows"));
                    return None;
                };
                pieces.push(Piece { token, role: Role::Quoted(index), joined: false });
            } else if let Some(token) = self.checked(token) {
                let role = self.parameter(parameters, &token).map_or(Role::Plain, Role::Argument);
                pieces.push(Piece { token, role, joined: false });
            }
        }
        Some(pieces)
    }

    fn parameter(&self, parameters: Option<&Parameters>, token: &Token) -> Option<usize> {
        if token.kind != Kind::Identifier {
            return None;
        }
        let text = self.session.text(token);
        parameters?.names.iter().position(|name| name == text)
    }
}
