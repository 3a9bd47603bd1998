//! Declarations at the top of a file.

use super::Parser;
use crate::rules;
use crate::syntax::token::{Kind, Symbol};
use crate::tree::{
    Assembly, AssemblyMember, Component, Connector, Definition, Import, Include, Item, Name, Struct,
};
use fusee_diagnostics::{Diagnostic, Span};

/// Words that begin a declaration at the top of a file.
const TOP: &[&str] = &[
    "import",
    "assembly",
    "component",
    "procedure",
    "connector",
    "composition",
    "configuration",
    "struct",
];

impl Parser<'_, '_> {
    /// Everything up to the end of the file.
    pub(super) fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.current.kind != Kind::End {
            if self.take(Symbol::Semicolon) || self.undefined_macro() {
                continue;
            }
            if self.current.is(Symbol::CloseBrace) {
                self.stray_brace();
                continue;
            }
            let before = self.consumed;
            match self.item() {
                Some(item) => items.push(item),
                None => self.synchronize(before),
            }
            if self.consumed == before {
                self.advance();
            }
        }
        items
    }

    fn stray_brace(&mut self) {
        let span = self.current.span;
        if self.tokens.session.report.is_full() {
            self.tokens.session.report.count();
            return self.advance();
        }
        let error = Diagnostic::error(rules::STRAY_BRACE, "this `}` closes nothing")
            .at(span, "no block is open here");
        self.fail(error.with_fix("remove it", span, ""));
        self.advance();
    }

    fn item(&mut self) -> Option<Item> {
        let keyword = self
            .keyword(TOP, "a declaration (`import`, `assembly`, `component`, `procedure`, ...)")?;
        let start = self.current.span;
        self.advance();
        Some(match keyword {
            "import" => Item::Import(self.import(start)?),
            "assembly" => Item::Assembly(self.assembly(start)?),
            "component" => {
                let name = self.optional_name();
                let body = self.component_body()?;
                Item::Component(Component { name, body, span: self.since(start) })
            }
            "procedure" => Item::Procedure(self.procedure(start)?),
            "connector" => {
                let name = self.optional_name();
                let body = self.connector_body()?;
                Item::Connector(Box::new(Connector { name, body, span: self.since(start) }))
            }
            "composition" => Item::Composition(self.composition(start)?),
            "configuration" => Item::Configuration(self.configuration(start)?),
            _ => {
                let name = self.optional_name();
                let body = self.struct_body()?;
                Item::Struct(Struct { name, body, span: self.since(start) })
            }
        })
    }

    /// The name of a declaration, which may be left out.
    pub(super) fn optional_name(&mut self) -> Option<Name> {
        if self.current.is(Symbol::OpenBrace) { None } else { self.name("a name or `{`") }
    }

    fn import(&mut self, start: Span) -> Option<Import> {
        let (path, system) = self.file_name("the file's name: \"file\" or <file>")?;
        let span = self.since(start);
        self.end_statement();
        Some(Import { path, system, file: None, span })
    }

    /// `include ...;` after its keyword.
    pub(super) fn include(&mut self, start: Span) -> Option<Include> {
        let (path, system) = self.file_name("the header's name: \"header.h\" or <header.h>")?;
        let span = self.since(start);
        self.end_statement();
        Some(Include { path, system, span })
    }

    /// A file's name and whether it is in angle brackets.
    fn file_name(&mut self, what: &str) -> Option<(String, bool)> {
        if matches!(self.current.kind, Kind::Text | Kind::OpenText) {
            return Some((self.strings(), false));
        }
        if !self.take(Symbol::Less) {
            self.unexpected(what);
            return None;
        }
        let mut path = String::new();
        while !self.take(Symbol::Greater) {
            let ends = self.current.kind == Kind::End
                || self.current.is(Symbol::Semicolon)
                || self.current.line_start;
            if ends {
                self.unexpected("`>` after the file's name");
                return None;
            }
            if self.current.spaced && !path.is_empty() {
                path.push(' ');
            }
            path.push_str(self.text(&self.current));
            self.advance();
        }
        Some((path, true))
    }

    fn assembly(&mut self, start: Span) -> Option<Assembly> {
        let name = self.optional_name();
        let mut members = Vec::new();
        self.block("this assembly", |parser| {
            members.push(parser.assembly_member()?);
            Some(())
        })?;
        Some(Assembly { name, members, span: self.since(start) })
    }

    fn assembly_member(&mut self) -> Option<AssemblyMember> {
        let expected = "`composition`, `configuration` or `schedule`";
        let keyword = self.keyword(&["composition", "configuration", "schedule"], expected)?;
        let start = self.current.span;
        self.advance();
        Some(match keyword {
            "composition" => AssemblyMember::Composition(self.composition_use(start)?),
            "configuration" => AssemblyMember::Configuration(self.configuration_use(start)?),
            _ => AssemblyMember::Schedule(self.schedule(start)?),
        })
    }

    /// Something between braces, or the name of something declared elsewhere and `;`.
    pub(super) fn definition<T>(
        &mut self,
        what: &str,
        here: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<Definition<T>> {
        let named = self.current.kind == Kind::Identifier && !self.ahead.is(Symbol::OpenBrace);
        if !named {
            return here(self).map(Definition::Here);
        }
        let reference = self.reference(what)?;
        self.end_statement()?;
        Some(Definition::Named(reference))
    }
}
