//! Expressions, by operator precedence.
//!
//! The levels are those of CAmkES, where `**` binds like `*`, `/` and `%`, and all
//! four go from left to right: `2 * 3 ** 2` is 36. Changing that would change what
//! existing descriptions mean.
//!
//! A chain of operators makes a tree that is as deep as the chain is long, so the
//! depth is carried along and limited: nobody who walks the tree may run out of
//! stack.

use super::Parser;
use crate::rules;
use crate::syntax::number::{self, Value};
use crate::syntax::token::{Kind, Symbol};
use crate::tree::{BinaryOperator, Entry, Expr, ExprKind, MAX_DEPTH, UnaryOperator};
use fusee_diagnostics::{Diagnostic, Span};

/// An expression and the number of its levels.
struct Deep {
    expr: Expr,
    depth: usize,
}

impl Deep {
    fn leaf(kind: ExprKind, span: Span) -> Self {
        Deep { expr: Expr { kind, span }, depth: 1 }
    }
}

impl Parser<'_, '_> {
    /// An expression; [`ExprKind::Error`] if there is none, which is reported.
    pub(super) fn expression(&mut self) -> Expr {
        self.conditional().expr
    }

    fn conditional(&mut self) -> Deep {
        let condition = self.binary(0);
        if !self.take(Symbol::Question) {
            return condition;
        }
        if !self.nest() {
            return Deep::leaf(ExprKind::Error, condition.expr.span);
        }
        let then = self.conditional();
        self.expect(Symbol::Colon, "`:`");
        let otherwise = self.conditional();
        self.nesting -= 1;
        let span = condition.expr.span.to(otherwise.expr.span);
        let depth = condition.depth.max(then.depth).max(otherwise.depth);
        let kind = ExprKind::Conditional {
            condition: Box::new(condition.expr),
            then: Box::new(then.expr),
            otherwise: Box::new(otherwise.expr),
        };
        self.level(kind, span, depth)
    }

    /// Operators that bind at least as tightly as `level`.
    fn binary(&mut self, level: u8) -> Deep {
        let mut left = self.unary();
        while let Kind::Symbol(symbol) = self.current.kind {
            let Some((operator, binding)) =
                operator(symbol).filter(|(_, binding)| *binding >= level)
            else {
                break;
            };
            self.advance();
            let right = self.binary(binding + 1);
            let span = left.expr.span.to(right.expr.span);
            let depth = left.depth.max(right.depth);
            let kind = ExprKind::Binary {
                operator,
                left: Box::new(left.expr),
                right: Box::new(right.expr),
            };
            left = self.level(kind, span, depth);
        }
        left
    }

    fn unary(&mut self) -> Deep {
        let operator = match self.current.kind {
            Kind::Symbol(Symbol::Minus) => UnaryOperator::Minus,
            Kind::Symbol(Symbol::Plus) => UnaryOperator::Plus,
            Kind::Symbol(Symbol::Not) => UnaryOperator::Not,
            Kind::Symbol(Symbol::Tilde) => UnaryOperator::Complement,
            _ => return self.primary(),
        };
        let start = self.current.span;
        self.advance();
        if !self.nest() {
            return Deep::leaf(ExprKind::Error, start);
        }
        let operand = self.unary();
        self.nesting -= 1;
        let kind = ExprKind::Unary { operator, operand: Box::new(operand.expr) };
        self.level(kind, self.since(start), operand.depth)
    }

    fn primary(&mut self) -> Deep {
        let start = self.current.span;
        match self.current.kind {
            Kind::Number => self.number(),
            Kind::Text | Kind::OpenText => {
                let text = self.strings();
                Deep::leaf(ExprKind::Text(text), self.since(start))
            }
            Kind::Identifier => self.word_expression(),
            Kind::Symbol(Symbol::OpenParen) => self.bracketed(Self::parenthesized),
            Kind::Symbol(Symbol::OpenBracket) => self.bracketed(Self::list),
            Kind::Symbol(Symbol::OpenBrace) => self.bracketed(Self::dict),
            _ => {
                self.unexpected("a value");
                Deep::leaf(ExprKind::Error, start)
            }
        }
    }

    /// Parses the content of brackets; the opening one is taken here.
    fn bracketed(&mut self, inside: fn(&mut Self, Span) -> Deep) -> Deep {
        let start = self.current.span;
        self.advance();
        if !self.nest() {
            return Deep::leaf(ExprKind::Error, start);
        }
        let result = inside(self, start);
        self.nesting -= 1;
        result
    }

    fn parenthesized(&mut self, start: Span) -> Deep {
        let mut inner = self.conditional();
        self.expect(Symbol::CloseParen, "`)`");
        inner.expr.span = self.since(start);
        inner
    }

    fn list(&mut self, start: Span) -> Deep {
        let mut items = Vec::new();
        let mut depth = 0;
        while !self.take(Symbol::CloseBracket) {
            let item = self.conditional();
            depth = depth.max(item.depth);
            items.push(item.expr);
            if !self.separated(Symbol::CloseBracket, "`,` or `]`") {
                return Deep::leaf(ExprKind::Error, self.since(start));
            }
        }
        self.level(ExprKind::List(items), self.since(start), depth)
    }

    fn dict(&mut self, start: Span) -> Deep {
        let mut entries = Vec::new();
        let mut depth = 0;
        while !self.take(Symbol::CloseBrace) {
            let key = self.conditional();
            if !self.expect(Symbol::Colon, "`:` after the key") {
                self.skip_to(Symbol::CloseBrace);
                return Deep::leaf(ExprKind::Error, self.since(start));
            }
            let value = self.conditional();
            depth = depth.max(key.depth).max(value.depth);
            entries.push(Entry { key: key.expr, value: value.expr });
            if !self.separated(Symbol::CloseBrace, "`,` or `}`") {
                return Deep::leaf(ExprKind::Error, self.since(start));
            }
        }
        self.level(ExprKind::Dict(entries), self.since(start), depth)
    }

    /// Returns `true` if a comma or the closing bracket comes next.
    fn separated(&mut self, close: Symbol, what: &str) -> bool {
        if self.take(Symbol::Comma) || self.current.is(close) {
            return true;
        }
        self.unexpected(what);
        self.skip_to(close);
        false
    }

    /// Passes over the rest of what a bracket opened, but not over the end of the statement.
    fn skip_to(&mut self, close: Symbol) {
        while !self.take(close) {
            match self.current.kind {
                Kind::End
                | Kind::Symbol(Symbol::Semicolon | Symbol::OpenBrace | Symbol::CloseBrace) => {
                    return;
                }
                _ => self.advance(),
            }
        }
    }

    /// `true`, `false`, another attribute, or a query; with lookups.
    fn word_expression(&mut self) -> Deep {
        let start = self.current.span;
        let boolean = match self.word() {
            "true" | "True" => Some(true),
            "false" | "False" => Some(false),
            _ => None,
        };
        if let Some(value) = boolean {
            self.advance();
            return Deep::leaf(ExprKind::Boolean(value), start);
        }
        let Some(reference) = self.reference("a value") else {
            return Deep::leaf(ExprKind::Error, start);
        };
        let mut base = if reference.names.len() == 1 && self.current.is(Symbol::OpenParen) {
            let name = reference.names.into_iter().next();
            self.bracketed(Self::query_argument).named(name)
        } else {
            Deep::leaf(ExprKind::Reference(reference), self.since(start))
        };
        while self.current.is(Symbol::OpenBracket) {
            let key = self.bracketed(Self::key);
            let span = self.since(start);
            let depth = base.depth.max(key.depth);
            let kind = ExprKind::Lookup { base: Box::new(base.expr), key: Box::new(key.expr) };
            base = self.level(kind, span, depth);
        }
        base.expr.span = self.since(start);
        base
    }

    fn key(&mut self, _open: Span) -> Deep {
        let key = self.conditional();
        self.expect(Symbol::CloseBracket, "`]` after the key");
        key
    }

    /// The argument of a query as a list of at most one element.
    fn query_argument(&mut self, start: Span) -> Deep {
        let mut depth = 0;
        let mut arguments = Vec::new();
        if !self.take(Symbol::CloseParen) {
            let argument = self.conditional();
            depth = argument.depth;
            arguments.push(argument.expr);
            self.expect(Symbol::CloseParen, "`)` after the query's argument");
        }
        self.level(ExprKind::List(arguments), self.since(start), depth)
    }

    /// Strings that stand next to each other, joined.
    pub(super) fn strings(&mut self) -> String {
        let mut joined = String::new();
        while matches!(self.current.kind, Kind::Text | Kind::OpenText) {
            let text = self.text(&self.current);
            let text = text.strip_prefix('"').unwrap_or(text);
            let closed = self.current.kind == Kind::Text;
            let text = if closed { text.strip_suffix('"').unwrap_or(text) } else { text };
            // A line that ends with a backslash goes on in the next one.
            joined.push_str(&text.replace("\\\r\n", "").replace("\\\n", ""));
            self.advance();
        }
        joined
    }

    fn number(&mut self) -> Deep {
        let token = self.current;
        self.advance();
        let suffix = self.current.kind == Kind::Identifier
            && !self.current.spaced
            && !self.current.line_start;
        let is_unit = matches!(self.word(), "us" | "ticks");
        if suffix && !is_unit {
            self.suffixed(token.span);
        }
        let letters = self.text(&token);
        if number::is_octal(letters) {
            let message = format!("`{letters}` is an octal number because it begins with 0");
            let warning =
                Diagnostic::warning(rules::OCTAL_NUMBER, message).at(token.span, "as in C");
            self.tokens.session.report.add(warning.with_note("write `0o...` if this is meant"));
        }
        match number::parse(self.text(&token)) {
            Some(Value::Integer(value)) => Deep::leaf(ExprKind::Integer(value), token.span),
            Some(Value::Real(value)) => Deep::leaf(ExprKind::Real(value), token.span),
            None => {
                let message = format!("`{}` is no number that can be used", self.text(&token));
                let error = Diagnostic::error(rules::BAD_NUMBER, message);
                let error = error.at(token.span, "too large, or digits that do not belong here");
                self.tokens.session.report.add(error);
                Deep::leaf(ExprKind::Error, token.span)
            }
        }
    }

    /// Letters right behind a number.
    fn suffixed(&mut self, number: Span) {
        let suffix = self.current;
        let message = format!("`{}` right behind a number means nothing", self.text(&suffix));
        let error = Diagnostic::error(rules::BAD_NUMBER, message).at(suffix.span, "remove it");
        let error = self.with_origin(error, suffix);
        let note =
            "times are strings with a unit: \"10 ms\"; numbers have no suffixes such as U or L";
        self.fail(error.because(number, "the number").with_note(note));
        self.advance();
    }

    /// A new level of a tree, unless it has too many already.
    fn level(&mut self, kind: ExprKind, span: Span, depth: usize) -> Deep {
        if depth < MAX_DEPTH {
            return Deep { expr: Expr { kind, span }, depth: depth + 1 };
        }
        let error = Diagnostic::error(rules::NESTED_TOO_DEEPLY, "this expression is too long");
        self.tokens.session.report.add(error.at(span, format!("more than {MAX_DEPTH} levels")));
        Deep::leaf(ExprKind::Error, span)
    }
}

impl Deep {
    /// Makes a query of its argument.
    fn named(mut self, name: Option<crate::tree::Name>) -> Self {
        if let (ExprKind::List(arguments), Some(name)) = (&mut self.expr.kind, name) {
            let argument = arguments.pop().map(Box::new);
            self.expr.kind = ExprKind::Query { name, argument };
        }
        self
    }
}

/// Returns an operator with its level: the higher, the more tightly it binds.
fn operator(symbol: Symbol) -> Option<(BinaryOperator, u8)> {
    Some(match symbol {
        Symbol::BarBar => (BinaryOperator::LogicalOr, 1),
        Symbol::AmpersandAmpersand => (BinaryOperator::LogicalAnd, 2),
        Symbol::Bar => (BinaryOperator::Or, 3),
        Symbol::Caret => (BinaryOperator::Xor, 4),
        Symbol::Ampersand => (BinaryOperator::And, 5),
        Symbol::Equal => (BinaryOperator::Equal, 6),
        Symbol::NotEqual => (BinaryOperator::NotEqual, 6),
        Symbol::Less => (BinaryOperator::Less, 7),
        Symbol::LessOrEqual => (BinaryOperator::LessOrEqual, 7),
        Symbol::Greater => (BinaryOperator::Greater, 7),
        Symbol::GreaterOrEqual => (BinaryOperator::GreaterOrEqual, 7),
        Symbol::ShiftLeft => (BinaryOperator::ShiftLeft, 8),
        Symbol::ShiftRight => (BinaryOperator::ShiftRight, 8),
        Symbol::Plus => (BinaryOperator::Add, 9),
        Symbol::Minus => (BinaryOperator::Subtract, 9),
        Symbol::Star => (BinaryOperator::Multiply, 10),
        Symbol::Slash => (BinaryOperator::Divide, 10),
        Symbol::Percent => (BinaryOperator::Remainder, 10),
        Symbol::StarStar => (BinaryOperator::Power, 10),
        _ => return None,
    })
}
