//! The conditions of `#if` and `#elif`.
//!
//! As in C: macros are expanded (but not behind `defined`), names that are left
//! are 0, numbers have 64 bits, and `&&`, `||` and `?:` do not look at what
//! they do not need. Division by zero, and numbers that are too large, are errors.

use super::Preprocessor;
use crate::rules;
use crate::syntax::number;
use crate::syntax::token::{Kind, Symbol, Token};
use fusee_diagnostics::{Diagnostic, Span};

/// The greatest depth of a condition.
const MAX_CONDITION_DEPTH: usize = 100;

/// The place and the text of an error.
type Problem = (Span, String);

impl Preprocessor<'_, '_> {
    /// Returns `true` if a condition holds; one that makes no sense does not.
    pub(super) fn condition(&mut self, directive: Span, line: &[Token]) -> bool {
        let tokens = self.resolve_defined(line);
        let tokens = self.expand_alone(tokens);
        let end = line.last().map_or(directive, |last| Span { start: last.span.end, ..last.span });
        let mut evaluation =
            Evaluation { of: self, tokens: &tokens, position: 0, end, depth: 0, undefined: None };
        match evaluation.whole() {
            Ok(value) => value != 0,
            Err((span, problem)) => {
                let error =
                    Diagnostic::error(rules::BAD_CONDITION, "this condition cannot be decided");
                self.error(error.at(span, problem));
                false
            }
        }
    }

    /// Returns `true` if a name is that of a macro.
    pub(super) fn is_defined(&self, name: &Token) -> bool {
        let text = self.session.text(name);
        self.names.contains_key(text) || ["__COUNTER__", "__FILE__", "__LINE__"].contains(&text)
    }

    /// The line with `defined NAME` and `defined(NAME)` replaced by 1 or 0.
    fn resolve_defined(&mut self, line: &[Token]) -> Vec<Token> {
        let mut result = Vec::with_capacity(line.len());
        let mut rest = line;
        while let [token, tail @ ..] = rest {
            rest = tail;
            let defined = token.kind == Kind::Identifier && self.session.text(token) == "defined";
            let name = match tail {
                [name, after @ ..] if defined && name.kind == Kind::Identifier => {
                    Some((*name, after))
                }
                [open, name, close, after @ ..]
                    if defined
                        && open.is(Symbol::OpenParen)
                        && name.kind == Kind::Identifier
                        && close.is(Symbol::CloseParen) =>
                {
                    Some((*name, after))
                }
                _ => None,
            };
            match name {
                Some((name, after)) => {
                    let letters = if self.is_defined(&name) { "1" } else { "0" };
                    let spelling = self.session.scratch.add(letters);
                    result.push(Token { kind: Kind::Number, spelling, ..*token });
                    rest = after;
                }
                None => result.push(*token),
            }
        }
        result
    }
}

/// A condition that is being evaluated.
struct Evaluation<'e, 's, 'a> {
    of: &'e Preprocessor<'s, 'a>,
    tokens: &'e [Token],
    position: usize,
    end: Span,
    depth: usize,
    /// An operation that has no value; forgotten if nothing depends on it.
    undefined: Option<Span>,
}

impl Evaluation<'_, '_, '_> {
    fn whole(&mut self) -> Result<i64, Problem> {
        let value = self.conditional()?;
        match (self.tokens.get(self.position), self.undefined) {
            (None, None) => Ok(value),
            (None, Some(span)) => Err((span, "this cannot be computed".to_owned())),
            (Some(token), _) => Err((token.span, "expected an operator".to_owned())),
        }
    }

    fn at(&self) -> Span {
        self.tokens.get(self.position).map_or(self.end, |token| token.span)
    }

    fn take(&mut self, symbol: Symbol) -> bool {
        let found = self.tokens.get(self.position).is_some_and(|token| token.is(symbol));
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: Symbol, problem: &str) -> Result<(), Problem> {
        if self.take(symbol) { Ok(()) } else { Err((self.at(), problem.to_owned())) }
    }

    fn conditional(&mut self) -> Result<i64, Problem> {
        self.depth += 1;
        if self.depth > MAX_CONDITION_DEPTH {
            return Err((self.at(), "nested too deeply".to_owned()));
        }
        let mut value = self.binary(0)?;
        if self.take(Symbol::Question) {
            let then = self.needed_if(value != 0, Self::conditional)?;
            self.expect(Symbol::Colon, "expected `:`")?;
            let otherwise = self.needed_if(value == 0, Self::conditional)?;
            value = if value != 0 { then } else { otherwise };
        }
        self.depth -= 1;
        Ok(value)
    }

    /// Operators that bind at least as tightly as `level`.
    fn binary(&mut self, level: u8) -> Result<i64, Problem> {
        let mut left = self.unary()?;
        loop {
            let Some(&Token { kind: Kind::Symbol(symbol), span, .. }) =
                self.tokens.get(self.position)
            else {
                return Ok(left);
            };
            let Some(binding) = binding(symbol).filter(|binding| *binding >= level) else {
                return Ok(left);
            };
            self.position += 1;
            let decided = match symbol {
                Symbol::AmpersandAmpersand => left == 0,
                Symbol::BarBar => left != 0,
                _ => false,
            };
            let right = self.needed_if(!decided, |rest| rest.binary(binding + 1))?;
            left = apply(symbol, left, right).unwrap_or_else(|| {
                self.undefined.get_or_insert(span);
                0
            });
        }
    }

    /// A part whose value matters only if it is needed.
    fn needed_if(
        &mut self,
        needed: bool,
        part: impl FnOnce(&mut Self) -> Result<i64, Problem>,
    ) -> Result<i64, Problem> {
        let undefined = self.undefined;
        let value = part(self);
        if !needed {
            self.undefined = undefined;
        }
        value
    }

    fn unary(&mut self) -> Result<i64, Problem> {
        let Some(&token) = self.tokens.get(self.position) else {
            return Err((self.end, "expected a value".to_owned()));
        };
        self.position += 1;
        self.depth += 1;
        if self.depth > MAX_CONDITION_DEPTH {
            return Err((token.span, "nested too deeply".to_owned()));
        }
        let value = match token.kind {
            Kind::Symbol(Symbol::Minus) => self.unary()?.wrapping_neg(),
            Kind::Symbol(Symbol::Plus) => self.unary()?,
            Kind::Symbol(Symbol::Not) => i64::from(self.unary()? == 0),
            Kind::Symbol(Symbol::Tilde) => !self.unary()?,
            Kind::Symbol(Symbol::OpenParen) => {
                let value = self.conditional()?;
                self.expect(Symbol::CloseParen, "`)`")?;
                value
            }
            Kind::Identifier => 0,
            Kind::Number => self.number(token)?,
            _ => return Err((token.span, "expected a value".to_owned())),
        };
        self.depth -= 1;
        Ok(value)
    }

    fn number(&mut self, token: Token) -> Result<i64, Problem> {
        let text = self.of.session.text(&token);
        if let Some(suffix) = self.tokens.get(self.position)
            && suffix.kind == Kind::Identifier
            && !suffix.spaced
            && self.of.session.text(suffix).bytes().all(|byte| b"uUlL".contains(&byte))
        {
            self.position += 1;
        }
        match number::parse(text) {
            Some(number::Value::Integer(value)) if value < 1 << 64 => Ok(value as i64),
            _ => Err((token.span, "expected a whole number of at most 64 bits".to_owned())),
        }
    }
}

/// Returns the precedence of an operator.
fn binding(symbol: Symbol) -> Option<u8> {
    Some(match symbol {
        Symbol::BarBar => 1,
        Symbol::AmpersandAmpersand => 2,
        Symbol::Bar => 3,
        Symbol::Caret => 4,
        Symbol::Ampersand => 5,
        Symbol::Equal | Symbol::NotEqual => 6,
        Symbol::Less | Symbol::LessOrEqual | Symbol::Greater | Symbol::GreaterOrEqual => 7,
        Symbol::ShiftLeft | Symbol::ShiftRight => 8,
        Symbol::Plus | Symbol::Minus => 9,
        Symbol::Star | Symbol::Slash | Symbol::Percent => 10,
        _ => return None,
    })
}

/// Returns the value of an operation; `None` if it has none.
fn apply(symbol: Symbol, left: i64, right: i64) -> Option<i64> {
    Some(match symbol {
        Symbol::BarBar => i64::from(left != 0 || right != 0),
        Symbol::AmpersandAmpersand => i64::from(left != 0 && right != 0),
        Symbol::Bar => left | right,
        Symbol::Caret => left ^ right,
        Symbol::Ampersand => left & right,
        Symbol::Equal => i64::from(left == right),
        Symbol::NotEqual => i64::from(left != right),
        Symbol::Less => i64::from(left < right),
        Symbol::LessOrEqual => i64::from(left <= right),
        Symbol::Greater => i64::from(left > right),
        Symbol::GreaterOrEqual => i64::from(left >= right),
        Symbol::ShiftLeft => left.checked_shl(u32::try_from(right).ok()?)?,
        Symbol::ShiftRight => left.checked_shr(u32::try_from(right).ok()?)?,
        Symbol::Plus => left.wrapping_add(right),
        Symbol::Minus => left.wrapping_sub(right),
        Symbol::Star => left.wrapping_mul(right),
        Symbol::Slash => left.checked_div(right)?,
        Symbol::Percent => left.checked_rem(right)?,
        _ => return None,
    })
}
