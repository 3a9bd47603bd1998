//! A macro's text with its arguments in it: `#`, `##`, and plain replacement.

use super::definition::{Piece, Role};
use super::{MAX_PRODUCED, Preprocessor};
use crate::rules;
use crate::syntax::lexer::Lexer;
use crate::syntax::token::{Kind, Symbol, Token};
use fusee_diagnostics::{Diagnostic, FileId};
use std::rc::Rc;

/// A macro's arguments as they were written and, once they were asked for, expanded.
struct Arguments<'t> {
    written: &'t [Vec<Token>],
    expanded: Vec<Option<Vec<Token>>>,
}

impl Preprocessor<'_, '_> {
    /// The text of a macro for these arguments. Its own tokens point to `call`.
    pub(super) fn substitute(
        &mut self,
        number: u32,
        written: &[Vec<Token>],
        call: Token,
    ) -> Vec<Token> {
        let mut arguments = Arguments { written, expanded: vec![None; written.len()] };
        let pieces = Rc::clone(&self.macros[number as usize - 1].pieces);
        let mut result: Vec<Token> = Vec::with_capacity(pieces.len());
        for chain in pieces.split_inclusive(|piece| !piece.joined) {
            if self.produced + result.len() > MAX_PRODUCED {
                break;
            }
            let tokens = self.chain(number, chain, &mut arguments, call);
            result.extend(tokens);
        }
        if let Some(first) = result.first_mut() {
            first.line_start = call.line_start;
            first.spaced = call.spaced;
        }
        result
    }

    /// Pieces that `##` joins; usually just one.
    fn chain(
        &mut self,
        number: u32,
        chain: &[Piece],
        arguments: &mut Arguments<'_>,
        call: Token,
    ) -> Vec<Token> {
        let mut result: Vec<Token> = Vec::new();
        for (index, piece) in chain.iter().enumerate() {
            let last_is_comma =
                index > 0 && result.last().is_some_and(|token| token.is(Symbol::Comma));
            if last_is_comma && self.is_rest(number, piece.role) {
                let tokens = self.argument(piece, arguments, call, false);
                if tokens.is_empty() {
                    result.pop();
                }
                result.extend(tokens);
                continue;
            }
            let mut tokens = self.piece(number, piece, arguments, call, chain.len() > 1);
            if let (Some(left), Some(right)) = (result.last().copied(), tokens.first().copied())
                && let Some(joined) = self.join(left, right, call)
            {
                result.pop();
                tokens[0] = joined;
            }
            result.extend(tokens);
        }
        result
    }

    /// Returns `true` if a role is that of all remaining arguments.
    fn is_rest(&self, number: u32, role: Role) -> bool {
        let parameters = self.macros[number as usize - 1].parameters.as_ref();
        parameters.is_some_and(|list| list.variadic && role == Role::Argument(list.names.len() - 1))
    }

    fn piece(
        &mut self,
        number: u32,
        piece: &Piece,
        arguments: &mut Arguments<'_>,
        call: Token,
        joined: bool,
    ) -> Vec<Token> {
        match piece.role {
            Role::Plain => {
                vec![Token {
                    span: call.span,
                    line_start: false,
                    macro_number: number,
                    ..piece.token
                }]
            }
            Role::Quoted(index) => vec![self.quote(&arguments.written[index], piece, call)],
            Role::Argument(_) => self.argument(piece, arguments, call, joined),
        }
    }

    /// An argument, expanded unless `##` joins it to something.
    fn argument(
        &mut self,
        piece: &Piece,
        arguments: &mut Arguments<'_>,
        call: Token,
        joined: bool,
    ) -> Vec<Token> {
        let Role::Argument(index) = piece.role else { return Vec::new() };
        let mut tokens = if joined {
            arguments.written[index].clone()
        } else {
            if arguments.expanded[index].is_none() {
                let expanded = self.expand_alone(arguments.written[index].clone());
                arguments.expanded[index] = Some(expanded);
            }
            arguments.expanded[index].clone().unwrap_or_default()
        };
        self.produced += tokens.len();
        if let Some(first) = tokens.first_mut() {
            first.spaced = piece.token.spaced;
            first.line_start = first.line_start && call.line_start;
        }
        tokens
    }

    /// `#`: an argument's letters as a string. Descriptions know no escapes in strings, so none are
    /// made.
    fn quote(&mut self, argument: &[Token], piece: &Piece, call: Token) -> Token {
        let mut text = String::from("\"");
        for (index, token) in argument.iter().enumerate() {
            if index > 0 && token.spaced {
                text.push(' ');
            }
            text.push_str(self.session.text(token));
        }
        text.push('"');
        self.produced += text.len() / 8;
        let spelling = self.session.scratch.add(&text);
        Token {
            kind: Kind::Text,
            spelling,
            span: call.span,
            spaced: piece.token.spaced,
            line_start: false,
            ..call
        }
    }

    /// `##`: two tokens made one; `None` if that is no token.
    fn join(&mut self, left: Token, right: Token, call: Token) -> Option<Token> {
        let text = format!("{}{}", self.session.text(&left), self.session.text(&right));
        self.produced += text.len() / 8;
        let mut lexer = Lexer::new(FileId(u32::MAX));
        let token = lexer.next(&text);
        let whole = token.span.start == 0 && token.span.end as usize == text.len();
        let usable =
            matches!(token.kind, Kind::Identifier | Kind::Number | Kind::Text | Kind::Symbol(_));
        if !whole || !usable {
            let message = format!("`{text}` is no single token");
            self.error(
                Diagnostic::error(rules::BAD_JOIN, message).at(call.span, "`##` makes it here"),
            );
            return None;
        }
        let spelling = self.session.scratch.add(&text);
        Some(Token { kind: token.kind, spelling, painted: false, span: call.span, ..left })
    }
}
