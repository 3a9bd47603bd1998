//! Takes the hierarchy apart into one list of instances.
//!
//! As in CAmkES, what a compound component contains is lifted to the top under
//! the compound's name: `outer.inner`. Groups name protection domains; an instance
//! in one may be referred to with and without the group's name. A component that
//! contains itself is reported with the whole cycle. Types that double at each level
//! could make millions of instances from a few lines: [`MOST_INSTANCES`] is the limit.

use super::codes;
use super::names::Names;
use super::report::Report;
use super::shape::{Shape, named_or_here};
use crate::tree::{
    Assembly, AssemblyMember, Composition, CompositionMember, Configuration, Connection,
    Definition, Export, Instance, Item, Setting, Tree,
};
use fusee_diagnostics::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// No description has more component instances than this.
pub(super) const MOST_INSTANCES: usize = 100_000;

/// Nor do the interfaces, attributes, methods, settings and ends of all instances together come to
/// more than this.
const MOST_PARTS: usize = 4_000_000;

/// No hierarchy of components is deeper than this.
const DEEPEST: usize = 64;

/// A component instance with its full name.
#[derive(Debug)]
pub(super) struct Flat<'t> {
    pub(super) name: String,
    pub(super) shape: Rc<Shape<'t>>,
    /// The protection domain's name.
    pub(super) domain: String,
    /// The name in the description.
    pub(super) span: Span,
}

/// A connection with the scope in which its ends are looked up.
#[derive(Debug)]
pub(super) struct FlatConnection<'t> {
    pub(super) name: String,
    pub(super) item: &'t Connection,
    pub(super) scope: Scope,
}

/// A setting with the scope in which its names are looked up.
#[derive(Debug)]
pub(super) struct FlatSetting<'t> {
    pub(super) item: &'t Setting,
    pub(super) scope: Scope,
}

/// A composition's place in the hierarchy: the compound instance around it; `None` at the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) owner: Option<usize>,
    pub(super) depth: usize,
}

/// A description without hierarchy.
#[derive(Debug, Default)]
pub(super) struct Flattened<'t> {
    pub(super) instances: Vec<Flat<'t>>,
    pub(super) connections: Vec<FlatConnection<'t>>,
    pub(super) settings: Vec<FlatSetting<'t>>,
    pub(super) exports: Vec<(&'t Export, Scope)>,
    /// Names of assemblies, under which settings for the whole system are made.
    pub(super) assemblies: Vec<&'t str>,
    paths: HashMap<String, usize>,
    /// Full names of instances whose type is unknown, which has been said.
    typeless: HashSet<String>,
    connection_paths: HashMap<String, usize>,
    unnamed_groups: usize,
    parts: usize,
    full: bool,
}

impl<'t> Flattened<'t> {
    /// Returns the full name of what is called `name` in a scope.
    pub(super) fn path(&self, scope: Scope, name: &str) -> String {
        match scope.owner {
            Some(owner) => format!("{}.{name}", self.instances[owner].name),
            None => name.to_string(),
        }
    }

    /// Returns the instance of that full name; the group's name may be part of it or not.
    pub(super) fn instance(&self, path: &str) -> Option<usize> {
        self.paths.get(path).copied()
    }

    /// Returns the connection of that full name.
    pub(super) fn connection(&self, path: &str) -> Option<usize> {
        self.connection_paths.get(path).copied()
    }

    /// Returns `true` if the object called `name` in a scope is, or lies in, an instance of unknown
    /// type.
    pub(super) fn is_typeless(&self, scope: Scope, name: &str) -> bool {
        let path = self.path(scope, name);
        let ends = path.match_indices('.').map(|(end, _)| end).chain([path.len()]);
        ends.into_iter().any(|end| self.typeless.contains(&path[..end]))
    }

    /// The names by which instances in a scope may be called there, in order.
    pub(super) fn names_in(&self, scope: Scope) -> impl Iterator<Item = &str> {
        let prefix = self.path(scope, "");
        self.instances
            .iter()
            .filter_map(move |instance| instance.name.strip_prefix(prefix.as_str()))
    }
}

/// Flattens all assemblies of a description into one.
pub(super) fn flatten<'t>(tree: &'t Tree, names: &Names<'t>, report: &mut Report) -> Flattened<'t> {
    let mut flattener =
        Flattener { names, shapes: HashMap::new(), flat: Flattened::default(), path: Vec::new() };
    let assemblies: Vec<&Assembly> = tree
        .items
        .iter()
        .filter_map(|item| if let Item::Assembly(a) = item { Some(a) } else { None })
        .collect();
    if assemblies.is_empty() {
        let missing = if tree.items.is_empty() {
            "the file is empty: there is no assembly"
        } else {
            "there is no assembly"
        };
        let note =
            "a description says in `assembly { composition { ... } }` which components there are";
        report.push(Diagnostic::error(codes::NO_ASSEMBLY, missing).with_note(note));
    }
    for assembly in &assemblies {
        flattener.assembly(assembly, report);
    }
    if let (Some(assembly), true) =
        (assemblies.first(), flattener.flat.instances.is_empty() && !report.has_errors())
    {
        let error =
            Diagnostic::error(codes::NO_ASSEMBLY, "the assembly has no component instances");
        report.push(error.at(assembly.span, ""));
    }
    flattener.flat
}

struct Flattener<'a, 't> {
    names: &'a Names<'t>,
    /// By the address of the type's body: types written in place have no name.
    shapes: HashMap<*const crate::tree::ComponentBody, Rc<Shape<'t>>>,
    flat: Flattened<'t>,
    /// The compound types around the place where the walk is.
    path: Vec<(*const crate::tree::ComponentBody, String, Span)>,
}

impl<'t> Flattener<'_, 't> {
    fn assembly(&mut self, assembly: &'t Assembly, report: &mut Report) {
        let top = Scope { owner: None, depth: 0 };
        self.flat.assemblies.extend(assembly.name.as_ref().map(|name| name.text.as_str()));
        let mut compositions = Vec::new();
        let mut configurations = Vec::new();
        for member in &assembly.members {
            match member {
                AssemblyMember::Composition(definition) => {
                    compositions.extend(named_or_here(
                        definition,
                        &self.names.compositions,
                        report,
                    ));
                }
                AssemblyMember::Configuration(definition) => {
                    configurations.extend(named_or_here(
                        definition,
                        &self.names.configurations,
                        report,
                    ));
                }
                AssemblyMember::Schedule(_) => {}
            }
        }
        self.blocks(&compositions, &configurations, top, report);
    }

    fn blocks(
        &mut self,
        compositions: &[&'t Composition],
        configurations: &[&'t Configuration],
        scope: Scope,
        report: &mut Report,
    ) {
        for composition in compositions {
            self.instances(composition, scope, report);
        }
        for composition in compositions {
            self.joins(composition, scope, report);
        }
        for configuration in configurations {
            self.flat.parts += configuration.settings.len();
            if self.is_full(configuration.span, report) {
                return;
            }
            self.flat
                .settings
                .extend(configuration.settings.iter().map(|item| FlatSetting { item, scope }));
        }
    }

    fn instances(&mut self, composition: &'t Composition, scope: Scope, report: &mut Report) {
        for member in &composition.members {
            match member {
                CompositionMember::Instance(instance) => {
                    self.instance(instance, None, scope, report)
                }
                CompositionMember::Group(group) => {
                    let name = group.name.as_ref().map_or_else(
                        || {
                            self.flat.unnamed_groups += 1;
                            format!("unnamed_group_{}", self.flat.unnamed_groups - 1)
                        },
                        |name| name.text.clone(),
                    );
                    for instance in &group.instances {
                        self.instance(instance, Some(&name), scope, report);
                    }
                }
                CompositionMember::Connection(_) | CompositionMember::Export(_) => {}
            }
        }
    }

    fn joins(&mut self, composition: &'t Composition, scope: Scope, report: &mut Report) {
        for member in &composition.members {
            match member {
                CompositionMember::Connection(item) => {
                    let name = self.flat.path(scope, &item.name.text);
                    // Each emitter signals each consumer.
                    self.flat.parts +=
                        name.len() / 16 + (1 + item.from.len()).saturating_mul(1 + item.to.len());
                    if self.is_full(item.span, report) {
                        return;
                    }
                    let index = self.flat.connections.len();
                    if let Some(first) = self.flat.connection_paths.get(&name) {
                        let first = self.flat.connections[*first].item.name.span;
                        report_duplicate("connection", &item.name, first, report);
                    } else {
                        self.flat.connection_paths.insert(name.clone(), index);
                    }
                    self.flat.connections.push(FlatConnection { name, item, scope });
                }
                CompositionMember::Export(export) => self.flat.exports.push((export, scope)),
                CompositionMember::Instance(_) | CompositionMember::Group(_) => {}
            }
        }
    }

    fn instance(
        &mut self,
        instance: &'t Instance,
        group: Option<&str>,
        scope: Scope,
        report: &mut Report,
    ) {
        let (body, type_name) = match &instance.component {
            Definition::Here(body) => (body, String::new()),
            Definition::Named(reference) => match self.names.components.find(reference, report) {
                Some(component) => (&component.body, reference.text()),
                None => {
                    let name = self.flat.path(scope, &instance.name.text);
                    let in_group = group.map(|group| {
                        self.flat.path(scope, &format!("{group}.{}", instance.name.text))
                    });
                    self.flat.typeless.extend(in_group.into_iter().chain([name]));
                    return;
                }
            },
        };
        let key = std::ptr::from_ref(body);
        if self.is_recursive(key, &type_name, instance.span, report)
            || self.is_full(instance.span, report)
        {
            return;
        }
        let name = self.flat.path(scope, &instance.name.text);
        if let Some(&first) = self.flat.paths.get(&name) {
            report_duplicate("instance", &instance.name, self.flat.instances[first].span, report);
            return;
        }
        let shape = self.shapes.get(&key).cloned().unwrap_or_else(|| {
            let shape = Rc::new(Shape::of(&type_name, body, self.names, report));
            self.shapes.insert(key, Rc::clone(&shape));
            shape
        });
        let index = self.flat.instances.len();
        self.flat.parts =
            self.flat.parts.saturating_add(name.len() / 16 + shape.weight(self.names));
        self.flat.paths.insert(name.clone(), index);
        let domain = group.map_or_else(|| name.clone(), |group| self.flat.path(scope, group));
        if let Some(group) = group {
            let with_group = self.flat.path(scope, &format!("{group}.{}", instance.name.text));
            self.flat.paths.insert(with_group, index);
        }
        self.flat.instances.push(Flat {
            name,
            shape: Rc::clone(&shape),
            domain,
            span: instance.name.span,
        });
        if !shape.compositions.is_empty() || !shape.configurations.is_empty() {
            self.path.push((key, type_name, instance.span));
            let inner = Scope { owner: Some(index), depth: scope.depth + 1 };
            self.blocks(&shape.compositions, &shape.configurations, inner, report);
            self.path.pop();
        }
    }

    fn is_recursive(
        &self,
        key: *const crate::tree::ComponentBody,
        name: &str,
        span: Span,
        report: &mut Report,
    ) -> bool {
        let Some(start) = self.path.iter().position(|(other, _, _)| *other == key) else {
            return false;
        };
        let cycle: Vec<&str> =
            self.path[start..].iter().map(|(_, name, _)| name.as_str()).chain([name]).collect();
        let message = format!("the component `{name}` contains itself: {}", cycle.join(" -> "));
        let mut error = Diagnostic::error(codes::RECURSIVE_COMPONENT, message)
            .at(span, "the instance that closes the cycle");
        for (_, name, span) in &self.path[start + 1..] {
            error = error.because(*span, format!("an instance of `{name}`"));
        }
        report.push(error);
        true
    }

    fn is_full(&mut self, span: Span, report: &mut Report) -> bool {
        let message = if self.path.len() > DEEPEST {
            format!("components are nested more than {DEEPEST} deep")
        } else if self.flat.instances.len() >= MOST_INSTANCES {
            format!("the description has more than {MOST_INSTANCES} component instances")
        } else if self.flat.parts > MOST_PARTS {
            format!(
                "all instances together have more than {MOST_PARTS} interfaces, attributes and \
                 settings"
            )
        } else {
            return self.flat.full;
        };
        if !self.flat.full {
            report.push(Diagnostic::error(codes::TOO_MUCH, message).at(span, ""));
        }
        self.flat.full = true;
        true
    }
}

fn report_duplicate(noun: &str, name: &crate::tree::Name, first: Span, report: &mut Report) {
    let message = format!("there are two {noun}s named `{}`", name.text);
    report.push(
        Diagnostic::error(codes::DUPLICATE_NAME, message)
            .at(name.span, "the second")
            .because(first, "the first"),
    );
}
