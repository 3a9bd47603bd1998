//! Compositions, configurations and schedules.

use super::Parser;
use crate::rules;
use crate::syntax::token::{Kind, Symbol};
use crate::tree::{
    Composition, CompositionMember, Configuration, Connection, ConnectionEnd, Definition, Export,
    Expr, ExprKind, Group, Instance, Schedule, ScheduleEntry, Setting, SettingValue, TimeUnit,
};
use fusee_diagnostics::{Diagnostic, Span};

/// Words that begin a declaration in a composition.
const MEMBERS: &[&str] = &["component", "connection", "group", "export"];

impl Parser<'_, '_> {
    /// `composition NAME { ... }` after its keyword.
    pub(super) fn composition(&mut self, start: Span) -> Option<Composition> {
        let name = self.optional_name();
        let mut members = Vec::new();
        self.block("this composition", |parser| {
            members.push(parser.composition_member()?);
            Some(())
        })?;
        Some(Composition { name, members, span: self.since(start) })
    }

    /// `composition { ... }` or `composition NAME;` after its keyword.
    pub(super) fn composition_use(&mut self, start: Span) -> Option<Definition<Composition>> {
        self.definition("a composition's name or `{`", |parser| parser.composition(start))
    }

    fn composition_member(&mut self) -> Option<CompositionMember> {
        let keyword =
            self.keyword(MEMBERS, "`component`, `connection`, `group`, `export` or `}`")?;
        let start = self.current.span;
        self.advance();
        Some(match keyword {
            "component" => CompositionMember::Instance(self.instance(start)?),
            "connection" => CompositionMember::Connection(self.connection(start)?),
            "group" => CompositionMember::Group(self.group(start)?),
            _ => CompositionMember::Export(self.export(start)?),
        })
    }

    fn instance(&mut self, start: Span) -> Option<Instance> {
        let component = if self.current.is(Symbol::OpenBrace) {
            Definition::Here(self.component_body()?)
        } else {
            Definition::Named(self.reference("a component type's name or `{`")?)
        };
        let name = self.name("the instance's name")?;
        let span = self.since(start);
        self.end_statement()?;
        Some(Instance { component, name, span })
    }

    fn connection(&mut self, start: Span) -> Option<Connection> {
        let connector = if self.current.is(Symbol::OpenBrace) {
            Definition::Here(Box::new(self.connector_body()?))
        } else {
            Definition::Named(self.reference("a connector's name or `{`")?)
        };
        let name = self.name("the connection's name")?;
        if !self.expect(Symbol::OpenParen, "`(` before the ends of the connection") {
            return None;
        }
        let mut connection =
            Connection { connector, name, from: Vec::new(), to: Vec::new(), span: start };
        while !self.take(Symbol::CloseParen) {
            self.connection_end(&mut connection)?;
            if !self.take(Symbol::Comma) && !self.current.is(Symbol::CloseParen) {
                self.unexpected("`,` or `)`");
                return None;
            }
        }
        connection.span = self.since(start);
        self.end_statement()?;
        Some(connection)
    }

    fn connection_end(&mut self, connection: &mut Connection) -> Option<()> {
        let keyword = self.keyword(&["from", "to"], "`from` or `to`")?;
        let start = self.current.span;
        self.advance();
        let interface = self.reference("an interface: INSTANCE.INTERFACE")?;
        let end = ConnectionEnd { interface, span: self.since(start) };
        if keyword == "from" {
            connection.from.push(end)
        } else {
            connection.to.push(end)
        }
        Some(())
    }

    fn group(&mut self, start: Span) -> Option<Group> {
        let name = self.optional_name();
        let mut instances = Vec::new();
        self.block("this group", |parser| {
            parser.keyword(&["component"], "`component` or `}`")?;
            let start = parser.current.span;
            parser.advance();
            instances.push(parser.instance(start)?);
            Some(())
        })?;
        Some(Group { name, instances, span: self.since(start) })
    }

    fn export(&mut self, start: Span) -> Option<Export> {
        let inner = self.reference("the interface inside: INSTANCE.INTERFACE")?;
        if !self.expect(Symbol::Arrow, "`->`") {
            return None;
        }
        let outer = self.reference("the interface's name outside")?;
        let span = self.since(start);
        self.end_statement()?;
        Some(Export { inner, outer, span })
    }

    /// `configuration NAME { ... }` after its keyword.
    pub(super) fn configuration(&mut self, start: Span) -> Option<Configuration> {
        let name = self.optional_name();
        let mut settings = Vec::new();
        self.block("this configuration", |parser| {
            settings.push(parser.setting()?);
            Some(())
        })?;
        Some(Configuration { name, settings, span: self.since(start) })
    }

    /// `configuration { ... }` or `configuration NAME;` after its keyword.
    pub(super) fn configuration_use(&mut self, start: Span) -> Option<Definition<Configuration>> {
        self.definition("a configuration's name or `{`", |parser| parser.configuration(start))
    }

    fn setting(&mut self) -> Option<Setting> {
        let target = self.reference("a setting (INSTANCE.ATTRIBUTE = VALUE) or `}`")?;
        let value = if self.take(Symbol::Assign) {
            SettingValue::Value(self.expression())
        } else if self.take(Symbol::Alias) {
            SettingValue::Alias(self.alias()?)
        } else {
            self.unexpected("`=` or `<-`");
            return None;
        };
        let span = self.since(target.span);
        self.end_statement()?;
        if target.names.len() == 1 {
            let message = format!("`{}` alone cannot be set", target.text());
            let error = Diagnostic::error(rules::BARE_SETTING, message);
            self.tokens.session.report.add(error.at(target.span, "expected INSTANCE.ATTRIBUTE"));
        }
        Some(Setting { target, value, span })
    }

    /// Parses the part behind `<-`: an attribute, and keys to look up in its value.
    fn alias(&mut self) -> Option<Expr> {
        let value = self.expression();
        let mut base = &value;
        while let ExprKind::Lookup { base: inner, .. } = &base.kind {
            base = inner;
        }
        if matches!(base.kind, ExprKind::Reference(_) | ExprKind::Error) {
            return Some(value);
        }
        let error =
            Diagnostic::error(rules::BAD_ALIAS, "`<-` takes the value of another attribute");
        let error = error.at(value.span, "this is no attribute");
        self.fail(error.with_note("write `=` to set a value"));
        None
    }

    /// `schedule { [...] }` after its keyword.
    pub(super) fn schedule(&mut self, start: Span) -> Option<Schedule> {
        let mut entries = Vec::new();
        self.block("this schedule", |parser| {
            if !parser.expect(Symbol::OpenBracket, "`[`") {
                return None;
            }
            while !parser.take(Symbol::CloseBracket) {
                entries.push(parser.schedule_entry()?);
                if !parser.take(Symbol::Comma) && !parser.current.is(Symbol::CloseBracket) {
                    parser.unexpected("`,` or `]`");
                    return None;
                }
            }
            Some(())
        })?;
        Some(Schedule { entries, span: self.since(start) })
    }

    fn schedule_entry(&mut self) -> Option<ScheduleEntry> {
        let start = self.current.span;
        if !self.expect(Symbol::OpenParen, "`(DOMAIN, LENGTH)`") {
            return None;
        }
        let domain = self.expression();
        if !self.expect(Symbol::Comma, "`,` after the domain") {
            return None;
        }
        let length = self.expression();
        let unit = self.time_unit()?;
        self.expect(Symbol::CloseParen, "`)`");
        Some(ScheduleEntry { domain, length, unit, span: self.since(start) })
    }

    fn time_unit(&mut self) -> Option<TimeUnit> {
        if self.current.kind != Kind::Identifier {
            return Some(TimeUnit::Ticks);
        }
        let keyword = self.keyword(&["ticks", "us"], "`ticks` or `us`")?;
        self.advance();
        Some(if keyword == "us" { TimeUnit::Microseconds } else { TimeUnit::Ticks })
    }
}
