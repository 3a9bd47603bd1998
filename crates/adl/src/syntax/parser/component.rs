//! The parser of component types.

use super::Parser;
use crate::syntax::token::Symbol;
use crate::tree::{
    ComponentBody, ComponentMember, Interface, InterfaceKind, InterfaceType, Lock, LockKind,
};
use fusee_diagnostics::Span;

/// Words that begin a declaration in a component type.
const MEMBERS: &[&str] = &[
    "control",
    "hardware",
    "provides",
    "uses",
    "emits",
    "consumes",
    "dataport",
    "maybe",
    "has",
    "attribute",
    "include",
    "composition",
    "configuration",
];

/// Words that begin an interface.
const INTERFACES: &[&str] = &["uses", "consumes", "dataport", "emits", "provides"];

/// The kinds of locks.
const LOCKS: &[&str] = &["mutex", "semaphore", "binary_semaphore"];

impl Parser<'_, '_> {
    /// A component type from its opening brace on.
    pub(super) fn component_body(&mut self) -> Option<ComponentBody> {
        let mut members = Vec::new();
        let span = self.block("this component", |parser| {
            members.push(parser.component_member()?);
            Some(())
        })?;
        Some(ComponentBody { members, span })
    }

    fn component_member(&mut self) -> Option<ComponentMember> {
        let expected = "a declaration (`control`, `provides`, `uses`, `attribute`, ...) or `}`";
        let keyword = self.keyword(MEMBERS, expected)?;
        let start = self.current.span;
        self.advance();
        Some(match keyword {
            "control" => {
                self.end_statement()?;
                ComponentMember::Control(start)
            }
            "hardware" => {
                self.end_statement()?;
                ComponentMember::Hardware(start)
            }
            "maybe" => {
                let keyword = self.keyword(
                    INTERFACES,
                    "`uses`, `consumes`, `emits` or `dataport` after `maybe`",
                )?;
                self.advance();
                ComponentMember::Interface(self.interface(keyword, start, Some(start))?)
            }
            "has" => ComponentMember::Lock(self.lock(start)?),
            "attribute" => ComponentMember::Attribute(self.attribute(start)?),
            "include" => ComponentMember::Include(self.include(start)?),
            "composition" => ComponentMember::Composition(self.composition_use(start)?),
            "configuration" => ComponentMember::Configuration(self.configuration_use(start)?),
            _ => ComponentMember::Interface(self.interface(keyword, start, None)?),
        })
    }

    /// An interface after its keyword.
    fn interface(&mut self, keyword: &str, start: Span, maybe: Option<Span>) -> Option<Interface> {
        let kind = match keyword {
            "provides" => InterfaceKind::Provides,
            "uses" => InterfaceKind::Uses,
            "emits" => InterfaceKind::Emits,
            "consumes" => InterfaceKind::Consumes,
            _ => InterfaceKind::Dataport,
        };
        let type_ = if kind == InterfaceKind::Dataport {
            self.dataport_type()?
        } else {
            self.interface_type(kind)?
        };
        let name = self.name("the interface's name")?;
        let span = self.since(start);
        self.end_statement()?;
        Some(Interface { kind, maybe, type_, name, span })
    }

    fn interface_type(&mut self, kind: InterfaceKind) -> Option<InterfaceType> {
        let what = match kind {
            InterfaceKind::Provides | InterfaceKind::Uses => "the name of a procedure",
            _ => "the name of an event type",
        };
        self.reference(what).map(InterfaceType::Named)
    }

    /// `Buf`, `Buf(size)` or a type's name.
    fn dataport_type(&mut self) -> Option<InterfaceType> {
        let Some(start) = self.take_word("Buf") else {
            return self.reference("`Buf` or the name of a type").map(InterfaceType::Named);
        };
        let mut size = None;
        if self.take(Symbol::OpenParen) {
            size = Some(self.expression());
            self.expect(Symbol::CloseParen, "`)` after the size");
        }
        Some(InterfaceType::Buffer { size, span: self.since(start) })
    }

    fn lock(&mut self, start: Span) -> Option<Lock> {
        let keyword =
            self.keyword(LOCKS, "`mutex`, `semaphore` or `binary_semaphore` after `has`")?;
        self.advance();
        let kind = match keyword {
            "mutex" => LockKind::Mutex,
            "semaphore" => LockKind::Semaphore,
            _ => LockKind::BinarySemaphore,
        };
        let name = self.name("its name")?;
        let span = self.since(start);
        self.end_statement()?;
        Some(Lock { kind, name, span })
    }
}
