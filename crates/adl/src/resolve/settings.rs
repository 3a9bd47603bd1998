//! The settings of attributes: their places and values.
//!
//! An attribute has the value of its setting, else the default of its declaration.
//! Two settings of one attribute in one block are an error, as in CAmkES. A setting
//! further out wins over one further in, which lets an assembly adjust a
//! component from a library (`outer.inner.attribute = ...`; CAmkES has no such
//! setting). `a.b <- c.d` copies; chains of copies are followed with a mark on what
//! is under way, so that a loop is found and shown, however long it is.

use super::codes;
use super::flatten::{Flattened, Scope};
use super::names::Names;
use super::report::Report;
use super::types;
use super::value::{self, Datum, Located};
use crate::tree::{Attribute, Expr, ExprKind, Reference, SettingValue};
use fusee_diagnostics::{Diagnostic, Severity, Span};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// An object that has attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Owner {
    /// A component instance.
    Instance(usize),
    /// A connection by its number.
    Connection(usize),
    /// The whole system.
    System,
}

/// An attribute's value and the place that gave it.
#[derive(Debug, Clone)]
pub(super) struct Given {
    pub(super) value: Rc<Located>,
    /// The name in the setting, or the declaration.
    pub(super) name_span: Span,
    /// `true` if a setting gave it, not a default.
    pub(super) set: bool,
    settled: Cell<bool>,
}

impl Given {
    fn new(value: Rc<Located>, name_span: Span, set: bool) -> Self {
        Given { value, name_span, set, settled: Cell::new(false) }
    }

    /// Notes that something has read the value, or has said what becomes of it.
    pub(super) fn settle(&self) {
        self.settled.set(true);
    }

    /// Returns true for a settled value; all others are told at the end.
    pub(super) fn is_settled(&self) -> bool {
        self.settled.get()
    }
}

/// The attributes of everything, by owner and in order of names.
#[derive(Debug, Default)]
pub(super) struct Settings {
    instances: Vec<BTreeMap<String, Given>>,
    connections: BTreeMap<usize, BTreeMap<String, Given>>,
    system: BTreeMap<String, Given>,
}

impl Settings {
    /// Returns the attributes of a component instance.
    pub(super) fn instance(&self, index: usize) -> &BTreeMap<String, Given> {
        &self.instances[index]
    }

    /// Returns an attribute of a connection, where a setting gives one.
    pub(super) fn connection(&self, index: usize, name: &str) -> Option<&Given> {
        self.connections.get(&index)?.get(name)
    }

    /// Returns all attributes of connections, by the connection's number.
    pub(super) fn connections(&self) -> &BTreeMap<usize, BTreeMap<String, Given>> {
        &self.connections
    }

    /// Returns the attributes of the whole system.
    pub(super) fn system(&self) -> &BTreeMap<String, Given> {
        &self.system
    }
}

/// The name under which settings for the whole system are made.
pub(super) const SYSTEM: &str = "system";

enum Source<'t> {
    Expr(&'t Expr),
    Copy(Option<Key>, Vec<&'t Expr>),
    Known(Option<Rc<Located>>),
}

type Key = (Owner, String);

struct Assignment<'t> {
    source: Source<'t>,
    depth: usize,
    name_span: Span,
    span: Span,
    under_way: bool,
}

/// Evaluates all settings.
pub(super) fn settle<'t>(flat: &Flattened<'t>, names: &Names<'t>, report: &mut Report) -> Settings {
    let mut settler = Settler { flat, names, assignments: HashMap::new(), order: Vec::new() };
    for setting in &flat.settings {
        settler.assign(setting.item, setting.scope, report);
    }
    settler.finish(report)
}

struct Settler<'a, 't> {
    flat: &'a Flattened<'t>,
    names: &'a Names<'t>,
    assignments: HashMap<Key, Assignment<'t>>,
    order: Vec<Key>,
}

impl<'t> Settler<'_, 't> {
    fn assign(&mut self, setting: &'t crate::tree::Setting, scope: Scope, report: &mut Report) {
        let Some(key) = self.target(&setting.target, scope, report) else { return };
        let Some(attribute) = setting.target.names.last() else { return };
        let source = match &setting.value {
            SettingValue::Value(expr) => Source::Expr(expr),
            SettingValue::Alias(expr) => self.copy(expr, scope, report),
        };
        let (depth, name_span, span) = (scope.depth, attribute.span, setting.target.span);
        let assignment = Assignment { source, depth, name_span, span, under_way: false };
        match self.assignments.get(&key) {
            None => {
                self.order.push(key.clone());
                self.assignments.insert(key, assignment);
            }
            Some(other) if other.depth == depth => {
                let message = format!("`{}` is set twice", setting.target.text());
                let error =
                    Diagnostic::error(codes::DUPLICATE_SETTING, message).at(span, "second setting");
                report.push(error.because(other.span, "first setting"));
            }
            Some(other) if other.depth > depth => {
                self.assignments.insert(key, assignment);
            }
            Some(_) => {}
        }
    }

    /// Returns the owner and attribute that a setting is for; an unknown owner is reported.
    fn target(&self, target: &Reference, scope: Scope, report: &mut Report) -> Option<Key> {
        let key = self.key(target, scope);
        if key.is_none() {
            self.report_unknown_target(target, scope, report);
        }
        key
    }

    fn key(&self, reference: &Reference, scope: Scope) -> Option<Key> {
        let (attribute, owner) = reference.names.split_last()?;
        let attribute = attribute.text.clone();
        let words: Vec<&str> = owner.iter().map(|name| name.text.as_str()).collect();
        let Some((&last, before)) = words.split_last() else {
            return scope.owner.map(|owner| (Owner::Instance(owner), attribute));
        };
        let path = self.flat.path(scope, &words.join("."));
        if let Some(instance) = self.flat.instance(&path) {
            return Some((Owner::Instance(instance), attribute));
        }
        if let Some(connection) = self.flat.connection(&path) {
            return Some((Owner::Connection(connection), attribute));
        }
        // An interface's own attribute, as the device tree's connectors have: `timer.dtb`.
        let holder = if before.is_empty() {
            scope.owner
        } else {
            self.flat.instance(&self.flat.path(scope, &before.join(".")))
        };
        if let Some(holder) =
            holder.filter(|&holder| self.flat.instances[holder].shape.port(last).is_some())
        {
            return Some((Owner::Instance(holder), format!("{last}.{attribute}")));
        }
        let whole = scope.owner.is_none() && before.is_empty();
        let is_system = whole && (last == SYSTEM || self.flat.assemblies.contains(&last));
        is_system.then_some((Owner::System, attribute))
    }

    fn report_unknown_target(&self, target: &Reference, scope: Scope, report: &mut Report) {
        let Some((attribute, owner)) = target.names.split_last() else { return };
        let (Some(first), Some(last)) = (owner.first(), owner.last()) else {
            let message = format!("`{}` is set, but of which instance?", attribute.text);
            report.push(
                Diagnostic::error(codes::UNKNOWN_TARGET, message)
                    .at(target.span, "write instance.attribute"),
            );
            return;
        };
        let span = first.span.to(last.span);
        let names: Vec<&str> = owner.iter().map(|name| name.text.as_str()).collect();
        let owner = names.join(".");
        if self.flat.is_typeless(scope, &owner) {
            return;
        }
        let message = format!("there is no instance or connection `{owner}`");
        let diagnostic = if super::catalogue::is_timing(&attribute.text) {
            Diagnostic::error(codes::UNKNOWN_TARGET, message)
        } else {
            let note = "CAmkES passes over such a setting";
            Diagnostic::warning(codes::UNKNOWN_TARGET, message).with_note(note)
        };
        report.unknown(diagnostic.at(span, ""), (&owner, span), self.flat.names_in(scope));
    }

    /// `<- a.b["key"]`
    fn copy(&self, expr: &'t Expr, scope: Scope, report: &mut Report) -> Source<'t> {
        let mut keys = Vec::new();
        let mut base = expr;
        while let ExprKind::Lookup { base: inner, key } = &base.kind {
            keys.push(&**key);
            base = inner;
        }
        keys.reverse();
        let ExprKind::Reference(reference) = &base.kind else { return Source::Expr(expr) };
        let key = self.key(reference, scope);
        let words: Vec<&str> = reference.names.iter().map(|name| name.text.as_str()).collect();
        let owner = words.split_last().map_or_else(String::new, |(_, owner)| owner.join("."));
        if key.is_none() && !self.flat.is_typeless(scope, &owner) {
            let message = format!("`{}` is no attribute of anything here", reference.text());
            let error = Diagnostic::error(codes::UNKNOWN_REFERENCE, message).at(reference.span, "");
            let error = error.with_note(
                "`<-` copies INSTANCE.ATTRIBUTE, or within a component an attribute of its own",
            );
            let text = reference.text();
            report.unknown(error, (&text, reference.span), std::iter::empty());
        }
        Source::Copy(key, keys)
    }

    fn finish(mut self, report: &mut Report) -> Settings {
        let order = std::mem::take(&mut self.order);
        let mut settings = Settings { instances: self.defaults(), ..Settings::default() };
        for key in order {
            let Some(value) = self.settled(&key, report) else { continue };
            let (owner, name) = key;
            if let Some(attribute) = self.declaration(owner, &name) {
                types::check(&value, attribute, self.names, report);
            }
            let name_span = self.assignments[&(owner, name.clone())].name_span;
            let given = Given::new(value, name_span, true);
            match owner {
                Owner::Instance(index) => settings.instances[index].insert(name, given),
                Owner::Connection(index) => {
                    settings.connections.entry(index).or_default().insert(name, given)
                }
                Owner::System => settings.system.insert(name, given),
            };
        }
        settings
    }

    fn defaults(&self) -> Vec<BTreeMap<String, Given>> {
        let of_instance = |flat: &super::flatten::Flat<'t>| {
            let given = |(name, value): &(&'t str, Rc<Located>)| {
                let name_span = flat.shape.attributes[name].name.span;
                ((*name).to_string(), Given::new(Rc::clone(value), name_span, false))
            };
            flat.shape.defaults.iter().map(given).collect()
        };
        self.flat.instances.iter().map(of_instance).collect()
    }

    fn declaration(&self, owner: Owner, name: &str) -> Option<&'t Attribute> {
        match owner {
            Owner::Instance(index) => {
                self.flat.instances[index].shape.attributes.get(name).copied()
            }
            Owner::Connection(_) | Owner::System => None,
        }
    }

    fn default(&self, key: &Key) -> Option<Rc<Located>> {
        let Owner::Instance(index) = key.0 else { return None };
        let defaults = &self.flat.instances[index].shape.defaults;
        defaults.iter().find(|(name, _)| *name == key.1).map(|(_, value)| Rc::clone(value))
    }

    /// The value of an assignment: follows copies to where a value stands, then walks back.
    fn settled(&mut self, key: &Key, report: &mut Report) -> Option<Rc<Located>> {
        let mut chain: Vec<Key> = Vec::new();
        let mut next = key.clone();
        let mut value = loop {
            let Some(assignment) = self.assignments.get_mut(&next) else {
                let value = self.default(&next);
                if let (None, Some(last)) = (&value, chain.last()) {
                    self.report_nothing_to_copy(last, &next, report);
                }
                break value;
            };
            if assignment.under_way {
                self.report_loop(&chain, &next, report);
                break Some(Rc::new(Located {
                    datum: Datum::Unknown,
                    span: self.assignments[&next].span,
                }));
            }
            match &assignment.source {
                Source::Known(value) => break value.clone(),
                Source::Expr(expr) => {
                    let value = Some(Rc::new(value::evaluate(expr, report)));
                    assignment.source = Source::Known(value.clone());
                    break value;
                }
                Source::Copy(None, _) => {
                    break Some(Rc::new(Located { datum: Datum::Unknown, span: assignment.span }));
                }
                Source::Copy(Some(target), _) => {
                    assignment.under_way = true;
                    let target = target.clone();
                    chain.push(std::mem::replace(&mut next, target));
                }
            }
        };
        for key in chain.into_iter().rev() {
            value = self.copied(&key, value, report);
        }
        value
    }

    /// Ends a copy: applies its lookups, or falls back on the attribute's own default.
    fn copied(
        &mut self,
        key: &Key,
        value: Option<Rc<Located>>,
        report: &mut Report,
    ) -> Option<Rc<Located>> {
        let fallback = self.default(key);
        let assignment = self.assignments.get_mut(key)?;
        let mut value = value.or(fallback);
        if let Source::Copy(_, keys) = &assignment.source
            && let Some(base) = value.as_mut()
        {
            for key in keys {
                let index = value::evaluate(key, report);
                *base = Rc::new(value::look_up(base, &index, key.span, report));
            }
        }
        assignment.under_way = false;
        assignment.source = Source::Known(value.clone());
        value
    }

    /// A copy of an attribute that is neither declared nor set leaves its own attribute unset
    /// without a word.
    fn report_nothing_to_copy(&self, key: &Key, source: &Key, report: &mut Report) {
        let Owner::Instance(index) = source.0 else { return };
        let attributes = &self.flat.instances[index].shape.attributes;
        if attributes.contains_key(source.1.as_str()) {
            return;
        }
        let severity =
            if super::catalogue::is_timing(&key.1) { Severity::Error } else { Severity::Warning };
        let owner = &self.flat.instances[index].name;
        let message =
            format!("`{owner}` neither declares an attribute `{}` nor gets it set", source.1);
        let diagnostic = Diagnostic::new(codes::UNKNOWN_REFERENCE, severity, message);
        let diagnostic = diagnostic.at(self.assignments[key].span, "so this copy has no value");
        let mut known: Vec<&str> = attributes.keys().copied().collect();
        known.sort_unstable();
        report.push(match fusee_diagnostics::closest(&source.1, known) {
            Some(other) => diagnostic.with_note(format!("did you mean `{other}`?")),
            None => diagnostic,
        });
    }

    fn report_loop(&self, chain: &[Key], closing: &Key, report: &mut Report) {
        let start = chain.iter().position(|key| key == closing).unwrap_or(0);
        let mut spans = chain[start..].iter().map(|key| self.assignments[key].span);
        let Some(first) = spans.next() else { return };
        let message = "these attributes are copies of each other, and none has a value";
        let mut error =
            Diagnostic::error(codes::REFERENCE_LOOP, message).at(first, "copied from the next");
        for span in spans.take(8) {
            error = error.because(span, "copied from the next");
        }
        report.push(error);
    }
}
