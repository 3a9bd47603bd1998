//! The declarations of a description, by name.
//!
//! Types are looked up by name over and over, so each kind has its table. The
//! first declaration of a name counts; a second one is reported. Tables are only
//! ever asked, never walked: what must come in order is kept in order beside them.

use super::codes;
use super::report::Report;
use crate::options::{Options, Templates};
use crate::tree::{
    Component, Composition, Configuration, Connector, Item, Method, Name, Procedure, Reference,
    Struct, Tree,
};
use fusee_diagnostics::{Code, Diagnostic, FileId, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One kind of declarations.
#[derive(Debug)]
pub(super) struct Table<'t, T> {
    noun: &'static str,
    unknown: Code,
    entries: HashMap<&'t str, (&'t T, Span)>,
    order: Vec<&'t str>,
}

impl<'t, T> Table<'t, T> {
    fn new(noun: &'static str, unknown: Code) -> Self {
        Self { noun, unknown, entries: HashMap::new(), order: Vec::new() }
    }

    fn declare(&mut self, name: Option<&'t Name>, item: &'t T, report: &mut Report) {
        let Some(name) = name else { return };
        if let Some((_, first)) = self.entries.get(name.text.as_str()) {
            let message = format!("the {} `{}` is declared twice", self.noun, name.text);
            let error = Diagnostic::error(codes::DUPLICATE_TYPE, message)
                .at(name.span, "second declaration");
            report.push(error.because(*first, "first declaration"));
            return;
        }
        self.entries.insert(&name.text, (item, name.span));
        self.order.push(&name.text);
    }

    /// Returns the declaration of that name, if there is one.
    pub(super) fn get(&self, name: &str) -> Option<&'t T> {
        self.entries.get(name).map(|(item, _)| *item)
    }

    /// All declarations with their names, in order.
    pub(super) fn in_order(&self) -> impl Iterator<Item = (&'t str, &'t T)> {
        self.order.iter().filter_map(|&name| self.get(name).map(|item| (name, item)))
    }

    /// Returns the declaration that a reference means; an unknown one is reported.
    pub(super) fn find(&self, reference: &Reference, report: &mut Report) -> Option<&'t T> {
        let text = reference.text();
        let found = self.get(&text);
        if found.is_none() {
            let error =
                Diagnostic::error(self.unknown, format!("there is no {} `{text}`", self.noun));
            report.unknown(
                error.at(reference.span, ""),
                (&text, reference.span),
                self.order.iter().copied(),
            );
        }
        found
    }
}

/// Everything that is declared at the top of files.
#[derive(Debug)]
pub(super) struct Names<'t> {
    pub(super) components: Table<'t, Component>,
    pub(super) procedures: Table<'t, Procedure>,
    pub(super) connectors: Table<'t, Connector>,
    pub(super) compositions: Table<'t, Composition>,
    pub(super) configurations: Table<'t, Configuration>,
    pub(super) structs: Table<'t, Struct>,
    /// Those of connectors, as the project's build names them.
    pub(super) templates: &'t BTreeMap<String, Templates>,
    methods: HashMap<&'t str, Methods<'t>>,
    /// The files that come with Fusee.
    pub(super) library: &'t BTreeSet<FileId>,
}

/// A procedure's methods.
#[derive(Debug)]
pub(super) struct Methods<'t> {
    pub(super) list: &'t [Method],
    positions: HashMap<&'t str, usize>,
}

impl Methods<'_> {
    /// Returns the position of a method.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }
}

impl<'t> Names<'t> {
    /// Files a tree's declarations; duplicates are reported.
    pub(super) fn collect(tree: &'t Tree, options: &'t Options, report: &mut Report) -> Self {
        let mut names = Names {
            components: Table::new("component", codes::UNKNOWN_COMPONENT),
            procedures: Table::new("procedure", codes::UNKNOWN_PROCEDURE),
            connectors: Table::new("connector", codes::UNKNOWN_CONNECTOR),
            compositions: Table::new("composition", codes::UNKNOWN_BLOCK),
            configurations: Table::new("configuration", codes::UNKNOWN_BLOCK),
            structs: Table::new("struct", codes::STRUCT_FIELDS),
            templates: &options.templates,
            methods: HashMap::new(),
            library: &tree.library,
        };
        for item in &tree.items {
            match item {
                Item::Component(item) => names.components.declare(item.name.as_ref(), item, report),
                Item::Procedure(item) => {
                    let positions = check_methods(item, report);
                    if let Some(name) = &item.name {
                        names
                            .methods
                            .entry(&name.text)
                            .or_insert(Methods { list: &item.methods, positions });
                    }
                    names.procedures.declare(item.name.as_ref(), item, report);
                }
                Item::Connector(item) => names.connectors.declare(item.name.as_ref(), item, report),
                Item::Composition(item) => {
                    names.compositions.declare(item.name.as_ref(), item, report)
                }
                Item::Configuration(item) => {
                    names.configurations.declare(item.name.as_ref(), item, report)
                }
                Item::Struct(item) => names.structs.declare(item.name.as_ref(), item, report),
                Item::Import(_) | Item::Assembly(_) => {}
            }
        }
        names
    }

    /// Returns the methods of a procedure.
    pub(super) fn methods(&self, procedure: &str) -> Option<&Methods<'t>> {
        self.methods.get(procedure)
    }
}

fn check_methods<'t>(procedure: &'t Procedure, report: &mut Report) -> HashMap<&'t str, usize> {
    let mut methods = HashMap::new();
    let mut positions = HashMap::new();
    for (position, method) in procedure.methods.iter().enumerate() {
        positions.entry(method.name.text.as_str()).or_insert(position);
        if let Some(first) = methods.insert(method.name.text.as_str(), method.name.span) {
            let message = format!("the method `{}` is declared twice", method.name.text);
            let error = Diagnostic::error(codes::DUPLICATE_METHOD, message)
                .at(method.name.span, "second declaration");
            report.push(error.because(first, "first declaration"));
        }
        let mut parameters = HashMap::new();
        for parameter in &method.parameters {
            if let Some(first) =
                parameters.insert(parameter.name.text.as_str(), parameter.name.span)
            {
                let message = format!(
                    "the method `{}` has two parameters `{}`",
                    method.name.text, parameter.name.text
                );
                let error = Diagnostic::error(codes::DUPLICATE_METHOD, message)
                    .at(parameter.name.span, "the second");
                report.push(error.because(first, "the first"));
            }
        }
    }
    positions
}
