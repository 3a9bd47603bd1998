//! Procedure types: methods, attributes, headers.

use super::Parser;
use crate::syntax::token::{Kind, Symbol};
use crate::tree::{Attribute, Direction, Method, Parameter, Procedure, Type};
use fusee_diagnostics::Span;

impl Parser<'_, '_> {
    /// `procedure NAME { ... }` after its keyword.
    pub(super) fn procedure(&mut self, start: Span) -> Option<Procedure> {
        let name = self.optional_name();
        let mut procedure = Procedure {
            name,
            methods: Vec::new(),
            attributes: Vec::new(),
            includes: Vec::new(),
            span: start,
        };
        self.block("this procedure", |parser| parser.procedure_member(&mut procedure))?;
        procedure.span = self.since(start);
        Some(procedure)
    }

    fn procedure_member(&mut self, procedure: &mut Procedure) -> Option<()> {
        let start = self.current.span;
        if self.take_word("include").is_some() {
            procedure.includes.push(self.include(start)?);
            return Some(());
        }
        if self.take_word("attribute").is_some() {
            procedure.attributes.push(self.attribute(start)?);
            return Some(());
        }
        let returns = if self.take_word("void").is_some() {
            None
        } else {
            Some(self.type_("a method or `}`")?)
        };
        let name = self.name("the method's name")?;
        if self.current.is(Symbol::OpenParen) {
            let parameters = self.parameters()?;
            let span = self.since(start);
            self.end_statement()?;
            procedure.methods.push(Method { returns, name, parameters, span });
            return Some(());
        }
        let Some(type_) = returns else {
            self.unexpected("`(` before the parameters");
            return None;
        };
        if !matches!(
            self.current.kind,
            Kind::Symbol(Symbol::Assign | Symbol::OpenBracket | Symbol::Semicolon)
        ) {
            self.unexpected("`(` before the parameters");
            return None;
        }
        let (array, default) = self.attribute_rest();
        procedure.attributes.push(Attribute {
            type_,
            name,
            array,
            default,
            span: self.since(start),
        });
        self.take(Symbol::Semicolon);
        Some(())
    }

    /// Parameters with their parentheses.
    fn parameters(&mut self) -> Option<Vec<Parameter>> {
        let mut parameters = Vec::new();
        self.advance();
        if self.ahead.is(Symbol::CloseParen) {
            self.take_word("void");
        }
        while !self.take(Symbol::CloseParen) {
            parameters.push(self.parameter()?);
            if !self.take(Symbol::Comma) && !self.current.is(Symbol::CloseParen) {
                self.unexpected("`,` or `)`");
                return None;
            }
        }
        Some(parameters)
    }

    fn parameter(&mut self) -> Option<Parameter> {
        let start = self.current.span;
        let direction = match self.word() {
            "in" => Some(Direction::In),
            "out" => Some(Direction::Out),
            "inout" => Some(Direction::InOut),
            "refin" => Some(Direction::RefIn),
            _ => None,
        };
        if direction.is_some() {
            self.advance();
        }
        let type_: Type = self.type_("a parameter")?;
        let name = self.name("the parameter's name")?;
        let array = self.array_mark();
        let direction = direction.unwrap_or(Direction::In);
        Some(Parameter { direction, type_, name, array, span: self.since(start) })
    }
}
