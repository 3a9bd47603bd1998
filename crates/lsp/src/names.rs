//! The names of a description: where each is declared, and where it is used.

use std::collections::HashMap;

use fusee_adl::tree::{
    AssemblyMember, ComponentBody, ComponentMember, Composition, CompositionMember, Configuration,
    Definition, InterfaceKind, InterfaceType, Item, Name, Procedure, Reference, Tree,
};
use fusee_diagnostics::{FileId, Span};

/// The kind of object that a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A type of components.
    Component,
    /// A type of procedure interfaces.
    Procedure,
    /// A method of such a type.
    Method,
    /// A type of connections.
    Connector,
    /// An interface or a lock of a component type.
    Interface,
    /// An attribute that a component type declares.
    Attribute,
    /// An instance in a composition.
    Instance,
    /// A connection in a composition.
    Connection,
}

/// An object with a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Symbol {
    pub(crate) kind: Kind,
    /// The type in which the name is declared; empty at the top, and in the assembly.
    pub(crate) scope: String,
    pub(crate) name: String,
}

/// A place where a name stands.
#[derive(Debug, Clone)]
pub(crate) struct Occurrence {
    pub(crate) span: Span,
    pub(crate) symbol: Symbol,
    pub(crate) declares: bool,
}

/// The name of an attribute in a setting, and the type of the instance that it is set for.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    pub(crate) span: Span,
    pub(crate) name: String,
    /// The type of the instance; `None`: the system, or a connection.
    pub(crate) component: Option<String>,
}

/// All names of a description.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) occurrences: Vec<Occurrence>,
    pub(crate) settings: Vec<Setting>,
    /// The type of each instance, by the type around it and its name.
    types: HashMap<(String, String), String>,
}

impl Names {
    /// Reads them off a syntax tree.
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut names = Self::default();
        names.collect_types(tree);
        tree.items.iter().for_each(|item| names.item(item));
        names
    }

    /// Returns the name at a place.
    pub(crate) fn at(&self, file: FileId, offset: u32) -> Option<&Occurrence> {
        let here = |span: Span| span.file == file && span.start <= offset && offset <= span.end;
        let all = self.occurrences.iter().filter(|one| here(one.span));
        // An interface's name is a part of its attributes' names.
        all.min_by_key(|one| one.span.end - one.span.start)
    }

    /// Returns the setting whose attribute's name is at a place.
    pub(crate) fn setting_at(&self, file: FileId, offset: u32) -> Option<&Setting> {
        let here = |span: Span| span.file == file && span.start <= offset && offset <= span.end;
        self.settings.iter().find(|one| here(one.span))
    }

    /// Returns all places of an object's name, its declaration first.
    pub(crate) fn of_symbol(&self, symbol: &Symbol) -> Vec<&Occurrence> {
        let mut all: Vec<_> = self.occurrences.iter().filter(|one| one.symbol == *symbol).collect();
        all.sort_by_key(|one| !one.declares);
        all
    }

    /// Returns the names of a kind that are declared in a scope.
    pub(crate) fn declared(&self, kind: Kind, scope: &str) -> Vec<&str> {
        let own = self
            .occurrences
            .iter()
            .filter(|one| one.declares && one.symbol.kind == kind && one.symbol.scope == scope);
        own.map(|one| one.symbol.name.as_str()).collect()
    }

    /// Returns the type of an instance: of any composition, the assembly's first.
    pub(crate) fn type_of(&self, instance: &str) -> Option<&str> {
        let own = self.types.get(&(String::new(), instance.to_owned()));
        let other = || self.types.iter().find(|((_, name), _)| name == instance).map(|(_, of)| of);
        own.or_else(other).map(String::as_str)
    }

    fn collect_types(&mut self, tree: &Tree) {
        for item in &tree.items {
            match item {
                Item::Assembly(assembly) => {
                    for member in &assembly.members {
                        if let AssemblyMember::Composition(Definition::Here(own)) = member {
                            self.collect_instances("", own);
                        }
                    }
                }
                Item::Composition(own) => self.collect_instances("", own),
                Item::Component(component) => {
                    let scope = component.name.as_ref().map_or("", |name| &name.text);
                    for member in &component.body.members {
                        if let ComponentMember::Composition(Definition::Here(own)) = member {
                            self.collect_instances(scope, own);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn collect_instances(&mut self, scope: &str, composition: &Composition) {
        for member in &composition.members {
            let instances = match member {
                CompositionMember::Instance(one) => std::slice::from_ref(one),
                CompositionMember::Group(group) => &group.instances,
                _ => &[],
            };
            for one in instances {
                if let Definition::Named(kind) = &one.component {
                    self.types.insert((scope.to_owned(), one.name.text.clone()), kind.text());
                }
            }
        }
    }

    fn add(&mut self, name: &Name, kind: Kind, scope: &str, declares: bool) {
        let symbol = Symbol { kind, scope: scope.to_owned(), name: name.text.clone() };
        self.occurrences.push(Occurrence { span: name.span, symbol, declares });
    }

    fn use_type(&mut self, reference: &Reference, kind: Kind) {
        if let Some(name) = reference.names.last() {
            self.add(name, kind, "", false);
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Component(component) => {
                if let Some(name) = &component.name {
                    self.add(name, Kind::Component, "", true);
                }
                let scope = component.name.as_ref().map_or("", |name| &name.text);
                self.body(scope, &component.body);
            }
            Item::Procedure(procedure) => self.procedure(procedure),
            Item::Connector(connector) => {
                if let Some(name) = &connector.name {
                    self.add(name, Kind::Connector, "", true);
                }
            }
            Item::Assembly(assembly) => {
                for member in &assembly.members {
                    match member {
                        AssemblyMember::Composition(Definition::Here(own)) => {
                            self.composition("", own);
                        }
                        AssemblyMember::Configuration(Definition::Here(own)) => {
                            self.configuration("", own);
                        }
                        _ => {}
                    }
                }
            }
            Item::Composition(own) => self.composition("", own),
            Item::Configuration(own) => self.configuration("", own),
            Item::Import(_) | Item::Struct(_) => {}
        }
    }

    fn procedure(&mut self, procedure: &Procedure) {
        let Some(name) = &procedure.name else { return };
        self.add(name, Kind::Procedure, "", true);
        for method in &procedure.methods {
            self.add(&method.name, Kind::Method, &name.text, true);
        }
    }

    fn body(&mut self, scope: &str, body: &ComponentBody) {
        for member in &body.members {
            match member {
                ComponentMember::Interface(interface) => {
                    self.add(&interface.name, Kind::Interface, scope, true);
                    let is_procedure =
                        matches!(interface.kind, InterfaceKind::Provides | InterfaceKind::Uses);
                    if let (InterfaceType::Named(reference), true) =
                        (&interface.type_, is_procedure)
                    {
                        self.use_type(reference, Kind::Procedure);
                    }
                }
                ComponentMember::Lock(lock) => self.add(&lock.name, Kind::Interface, scope, true),
                ComponentMember::Attribute(own) => {
                    self.add(&own.name, Kind::Attribute, scope, true);
                }
                ComponentMember::Composition(Definition::Here(own)) => {
                    self.composition(scope, own);
                }
                ComponentMember::Configuration(Definition::Here(own)) => {
                    self.configuration(scope, own);
                }
                _ => {}
            }
        }
    }

    fn composition(&mut self, scope: &str, composition: &Composition) {
        for member in &composition.members {
            match member {
                CompositionMember::Instance(one) => self.instance(scope, one),
                CompositionMember::Group(group) => {
                    group.instances.iter().for_each(|one| self.instance(scope, one));
                }
                CompositionMember::Connection(one) => {
                    self.add(&one.name, Kind::Connection, scope, true);
                    if let Definition::Named(connector) = &one.connector {
                        self.use_type(connector, Kind::Connector);
                    }
                    for end in one.from.iter().chain(&one.to) {
                        self.interface(scope, &end.interface);
                    }
                }
                CompositionMember::Export(export) => {
                    self.interface(scope, &export.inner);
                    self.interface(scope, &export.outer);
                }
            }
        }
    }

    fn instance(&mut self, scope: &str, one: &fusee_adl::tree::Instance) {
        self.add(&one.name, Kind::Instance, scope, true);
        match &one.component {
            Definition::Named(kind) => self.use_type(kind, Kind::Component),
            Definition::Here(body) => self.body(&one.name.text, body),
        }
    }

    /// An interface of an instance, perhaps with the instance's group; or the component's own.
    fn interface(&mut self, scope: &str, reference: &Reference) {
        match &reference.names[..] {
            [own] => self.add(own, Kind::Interface, scope, false),
            [.., instance, interface] => {
                self.add(instance, Kind::Instance, scope, false);
                let key = (scope.to_owned(), instance.text.clone());
                if let Some(kind) = self.types.get(&key).cloned() {
                    self.add(interface, Kind::Interface, &kind, false);
                }
            }
            [] => {}
        }
    }

    fn configuration(&mut self, scope: &str, configuration: &Configuration) {
        for setting in &configuration.settings {
            self.target(scope, &setting.target);
        }
    }

    fn target(&mut self, scope: &str, target: &Reference) {
        let mut scope = scope.to_owned();
        let Some((attribute, objects)) = target.names.split_last() else { return };
        let mut component = None;
        for object in objects {
            match self.types.get(&(scope.clone(), object.text.clone())).cloned() {
                Some(kind) => {
                    self.add(object, Kind::Instance, &scope, false);
                    scope.clone_from(&kind);
                    component = Some(kind);
                }
                None => {
                    self.add(object, Kind::Connection, &scope, false);
                    component = None;
                }
            }
        }
        if let Some(kind) = &component {
            self.attribute(kind, attribute);
        }
        let (span, name) = (attribute.span, attribute.text.clone());
        self.settings.push(Setting { span, name, component });
    }

    /// An attribute of a component: one that its type declares, or one of an interface, with the
    /// interface's name before it.
    fn attribute(&mut self, kind: &str, attribute: &Name) {
        let declared = self.declared(Kind::Attribute, kind).contains(&attribute.text.as_str());
        if declared {
            return self.add(attribute, Kind::Attribute, kind, false);
        }
        let interfaces = self.declared(Kind::Interface, kind);
        let owner = interfaces.into_iter().filter(|own| {
            attribute.text.strip_prefix(own).is_some_and(|rest| rest.starts_with('_'))
        });
        let Some(owner) = owner.max_by_key(|own| own.len()).map(str::to_owned) else { return };
        let end = attribute.span.start + owner.len() as u32;
        let name = Name { span: Span { end, ..attribute.span }, text: owner };
        self.add(&name, Kind::Interface, kind, false);
    }
}
