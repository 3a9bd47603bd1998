//! Using a macro: its arguments, and its text put in its place.

use super::{MAX_DEPTH, MAX_PRODUCED, Preprocessor};
use crate::rules;
use crate::syntax::token::{Kind, Symbol, Token};
use fusee_diagnostics::{Diagnostic, Span};

/// The arguments of a call, and the call itself from name to closing parenthesis.
struct Call {
    arguments: Vec<Vec<Token>>,
    span: Span,
}

impl Preprocessor<'_, '_> {
    /// Puts a macro's text in the place of its name; `false` if this is no use of it.
    pub(super) fn expand(&mut self, number: u32, name: Token) -> bool {
        if self.produced > MAX_PRODUCED {
            return false;
        }
        if self.macros[number as usize - 1].parameters.is_none() {
            let tokens = self.substitute(number, &[], name);
            return self.produce(tokens, number, name);
        }
        let next = self.unexpanded();
        if !next.is(Symbol::OpenParen) {
            if next.kind != Kind::End {
                self.push(vec![next], 0);
            }
            return false;
        }
        if self.depth > MAX_DEPTH {
            let error = Diagnostic::error(
                rules::EXPANSION_TOO_LARGE,
                "calls of macros are nested too deeply",
            );
            self.error(error.at(name.span, format!("more than {MAX_DEPTH} calls around this one")));
            self.push(vec![next], 0);
            return false;
        }
        let Some(call) = self.call(number, name) else { return true };
        let whole = Token { span: call.span, ..name };
        let tokens = self.substitute(number, &call.arguments, whole);
        self.produce(tokens, number, whole)
    }

    /// Counts what macros have produced, and stops at the limit.
    fn produce(&mut self, tokens: Vec<Token>, number: u32, at: Token) -> bool {
        self.produced += tokens.len() + 1;
        if self.produced > MAX_PRODUCED {
            let message = "the macros of this file produce too much text";
            let error = Diagnostic::error(rules::EXPANSION_TOO_LARGE, message);
            self.error(error.at(
                at.span,
                format!("more than {MAX_PRODUCED} tokens so far; no further macro is expanded"),
            ));
        }
        self.push(tokens, number);
        true
    }

    /// The arguments of a call; the opening parenthesis has been read.
    fn call(&mut self, number: u32, name: Token) -> Option<Call> {
        let mut arguments = vec![Vec::new()];
        let mut open = 0usize;
        let wanted = self.macros[number as usize - 1].parameters.as_ref().map_or(0, |parameters| {
            if parameters.variadic { parameters.names.len() } else { usize::MAX }
        });
        let close = loop {
            let token = self.unexpanded();
            match token.kind {
                Kind::End => {
                    self.unclosed_call(number, name);
                    return None;
                }
                Kind::Symbol(Symbol::OpenParen) => open += 1,
                Kind::Symbol(Symbol::CloseParen) if open == 0 => break token,
                Kind::Symbol(Symbol::CloseParen) => open -= 1,
                Kind::Symbol(Symbol::Comma) if open == 0 && arguments.len() < wanted => {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        };
        let span = name.span.to(close.span);
        self.counted(number, arguments, span).map(|arguments| Call { arguments, span })
    }

    /// The arguments, if there are as many as the macro has parameters.
    fn counted(
        &mut self,
        number: u32,
        mut arguments: Vec<Vec<Token>>,
        span: Span,
    ) -> Option<Vec<Vec<Token>>> {
        let definition = &self.macros[number as usize - 1];
        let parameters = definition.parameters.as_ref()?;
        let expected = parameters.names.len();
        if expected == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            return Some(Vec::new());
        }
        if parameters.variadic && arguments.len() + 1 == expected {
            arguments.push(Vec::new());
        }
        if arguments.len() == expected {
            return Some(arguments);
        }
        let noun = if expected == 1 { "argument" } else { "arguments" };
        let least = if parameters.variadic { "at least " } else { "" };
        let expected = expected - usize::from(parameters.variadic);
        let message = format!("macro `{}` needs {least}{expected} {noun}", definition.name);
        let error = Diagnostic::error(rules::MACRO_ARGUMENTS, message);
        let error = error
            .at(span, format!("{} given", arguments.len()))
            .because(definition.span, "defined here");
        self.error(error);
        None
    }

    fn unclosed_call(&mut self, number: u32, name: Token) {
        let definition = &self.macros[number as usize - 1];
        let message = format!("the arguments of macro `{}` do not end", definition.name);
        let error = Diagnostic::error(rules::MACRO_ARGUMENTS, message)
            .at(name.span, "no `)` closes this call");
        let error = error.because(definition.span, "defined here");
        self.error(error);
    }
}
