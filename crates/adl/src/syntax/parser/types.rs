//! Data types, attributes and structs.

use super::Parser;
use crate::syntax::token::Symbol;
use crate::tree::{Attribute, Expr, StructBody, Type, TypeKind};
use fusee_diagnostics::Span;

impl Parser<'_, '_> {
    /// A data type.
    pub(super) fn type_(&mut self, what: &str) -> Option<Type> {
        let start = self.current.span;
        if self.current.is(Symbol::OpenBrace) {
            let kind = TypeKind::Inline(self.struct_body()?);
            return Some(Type { kind, span: self.since(start) });
        }
        let kind = match self.word() {
            "int" | "integer" => TypeKind::Int,
            "int64_t" => TypeKind::Int64,
            "uint64_t" => TypeKind::UnsignedInt64,
            "char" => TypeKind::Char,
            "string" => TypeKind::String,
            "signed" => return Some(self.signed(start)),
            "unsigned" => return Some(self.unsigned(start)),
            "struct" => return self.struct_type(start),
            _ => {
                let reference = self.reference(what)?;
                return Some(Type { span: reference.span, kind: TypeKind::Named(reference) });
            }
        };
        self.advance();
        Some(Type { kind, span: start })
    }

    fn signed(&mut self, start: Span) -> Type {
        self.advance();
        let kind =
            if self.take_word("char").is_some() { TypeKind::SignedChar } else { TypeKind::Int };
        if kind == TypeKind::Int && self.take_word("int").is_none() {
            self.take_word("integer");
        }
        Type { kind, span: self.since(start) }
    }

    fn unsigned(&mut self, start: Span) -> Type {
        self.advance();
        let kind = if self.take_word("char").is_some() {
            TypeKind::UnsignedChar
        } else {
            TypeKind::UnsignedInt
        };
        if kind == TypeKind::UnsignedInt && self.take_word("int").is_none() {
            self.take_word("integer");
        }
        Type { kind, span: self.since(start) }
    }

    /// `struct NAME` or `struct { ... }`.
    fn struct_type(&mut self, start: Span) -> Option<Type> {
        self.advance();
        let kind = if self.current.is(Symbol::OpenBrace) {
            TypeKind::Inline(self.struct_body()?)
        } else {
            TypeKind::Struct(self.name("a struct's name or `{`")?)
        };
        Some(Type { kind, span: self.since(start) })
    }

    /// A struct from its opening brace on.
    pub(super) fn struct_body(&mut self) -> Option<StructBody> {
        let mut fields = Vec::new();
        let span = self.block("this struct", |parser| {
            let start = parser.current.span;
            parser.take_word("attribute");
            fields.push(parser.attribute(start)?);
            Some(())
        })?;
        Some(StructBody { fields, span })
    }

    /// `attribute TYPE NAME[] = DEFAULT;` after its keyword.
    pub(super) fn attribute(&mut self, start: Span) -> Option<Attribute> {
        let type_ = self.type_("a type")?;
        let name = self.name("the attribute's name")?;
        let (array, default) = self.attribute_rest();
        let span = self.since(start);
        self.end_statement()?;
        Some(Attribute { type_, name, array, default, span })
    }

    /// `[] = DEFAULT`, both of which may be missing.
    pub(super) fn attribute_rest(&mut self) -> (bool, Option<Expr>) {
        let array = self.array_mark();
        let default = self.take(Symbol::Assign).then(|| self.expression());
        (array, default)
    }

    /// `[]`, if it stands here.
    pub(super) fn array_mark(&mut self) -> bool {
        let array = self.take(Symbol::OpenBracket);
        if array {
            self.expect(Symbol::CloseBracket, "`]`: arrays have no size here");
        }
        array
    }
}
