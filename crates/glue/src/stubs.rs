//! Components that run as their description says, without code.
//!
//! A stub executes its times and its calls and computes nothing. That is of use while
//! code is still to be written, and would be a lie where code was only not found: so it
//! is made where somebody has asked for it, and nowhere else.

use crate::builder::Builder;
use crate::failure::Failure;
use crate::sources::Project;
use crate::{rules, runtime};
use fusee_diagnostics::{Diagnostic, closest};
use fusee_model::{Body, Component, ComponentId, InterfaceKind, LockComponent, System, Value};
use std::path::{Path, PathBuf};

/// The attribute that asks for a stub.
const ATTRIBUTE: &str = "stub";

/// Returns whether the description asks for a stub in a component's place, be there sources or not.
pub(crate) fn described(builder: &Builder<'_>, id: ComponentId) -> Result<bool, Failure> {
    let component = builder.request.system.component(id);
    match component.attribute(ATTRIBUTE) {
        None | Some(Value::Boolean(false)) => Ok(false),
        Some(Value::Boolean(true)) => Ok(true),
        Some(_) => {
            let message = format!("`{}.stub` is neither `true` nor `false`", component.name);
            Err(vec![at_component(builder, id, Diagnostic::error(rules::NO_SOURCES, message))])
        }
    }
}

/// Returns `true` if a component's own attribute asks for a stub.
pub(crate) fn is_asked_for(component: &Component) -> bool {
    component.attribute(ATTRIBUTE) == Some(&Value::Boolean(true))
}

/// Returns `true` if each component of a system that has anything to run has sources in languages
/// that are compiled here, comes with Fusee, or is to be a stub.
pub fn has_code(system: &System, project: &Project) -> bool {
    let is_fine = |component: &Component| {
        let own = || project.sources(&component.kind, &component.name);
        !runs(component)
            || is_asked_for(component)
            || own().is_compiled_here()
            || runtime::component(Path::new(""), component).is_some()
    };
    system.components.iter().filter(|component| !component.hardware).all(is_fine)
}

/// Returns `true` if a component has anything to run.
pub(crate) fn does_something(builder: &Builder<'_>, id: ComponentId) -> bool {
    runs(builder.request.system.component(id))
}

/// The same of a component alone.
fn runs(component: &Component) -> bool {
    let runs = |kind: &InterfaceKind| {
        matches!(kind, InterfaceKind::Provides(_) | InterfaceKind::Consumes(Some(_)))
    };
    component.control || component.interfaces.iter().any(|interface| runs(&interface.kind))
}

/// A component without sources: the description wants it so, and its execution times are known.
pub(crate) fn allowed(builder: &Builder<'_>, id: ComponentId) -> Result<(), Failure> {
    if does_something(builder, id) && !builder.request.stubs && !described(builder, id)? {
        return Err(vec![not_found(builder, id)]);
    }
    without_words(builder, id)?;
    with_times(builder, id)
}

fn at_component(builder: &Builder<'_>, id: ComponentId, message: Diagnostic) -> Diagnostic {
    match (builder.request.origins)(builder.request.system.component(id).origin) {
        Some(span) => message.at(span, ""),
        None => message,
    }
}

/// The message about sources that are not there: where they were looked for, what is nearly there,
/// and the ways out.
fn not_found(builder: &Builder<'_>, id: ComponentId) -> Diagnostic {
    let component = builder.request.system.component(id);
    let (name, kind) = (&component.name, &component.kind);
    let message = format!("`{name}` has no sources");
    let place = shown(builder, &builder.project.place(kind));
    let error = at_component(builder, id, Diagnostic::error(rules::NO_SOURCES, message));
    let mut error = error.with_note(format!(
        "sources of `{kind}` are looked for in `{place}/src`, `{place}` and CMakeLists.txt"
    ));
    if let Some(near) = nearly(builder, name, kind) {
        error = error
            .with_note(format!("did you mean `{}`? It should be `{place}`", shown(builder, &near)));
    }
    error.with_note(format!(
        "to run it as its description says, without code: `{name}.stub = true;`, or `--stubs` for \
         all such components"
    ))
}

fn shown(builder: &Builder<'_>, path: &Path) -> String {
    path.strip_prefix(&builder.folder).unwrap_or(path).display().to_string()
}

/// A folder whose name nearly is that of a component's type: another case, a plural, a slip, or the
/// instance's name.
fn nearly(builder: &Builder<'_>, name: &str, kind: &str) -> Option<PathBuf> {
    let place = builder.project.place(kind);
    let beside = place.parent()?;
    let project = beside.parent()?;
    let places = [
        beside.to_owned(),
        project.join("component"),
        project.join("Components"),
        project.to_owned(),
    ];
    places.iter().find_map(|place| {
        let folders = folders(place);
        let names: Vec<&str> =
            folders.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        let near = names.iter().find(|folder| is_meant(folder, name, kind)).copied();
        let near = near.or_else(|| closest(kind, names.iter().copied()))?;
        Some(place.join(near))
    })
}

/// Returns `true` if a folder's name is a type's or an instance's, but for case, underscores and
/// the end of a plural.
fn is_meant(folder: &str, name: &str, kind: &str) -> bool {
    let plain = |text: &str| {
        text.to_ascii_lowercase().replace(['_', '-', '.'], "").trim_end_matches('s').to_owned()
    };
    plain(folder) == plain(kind) || plain(folder) == plain(name)
}

/// The folders in a folder with something to compile, in order of names.
fn folders(place: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| has_sources(path)).collect();
    folders.sort();
    folders
}

fn has_sources(folder: &Path) -> bool {
    let is_source = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| matches!(ending, "c" | "rs" | "S" | "s" | "cpp" | "cc"))
    };
    [folder.to_owned(), folder.join("src")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten())
        .any(|entry| is_source(&entry.path()))
}

/// A stub has no code that tries an optimistic lock's word.
fn without_words(builder: &Builder<'_>, id: ComponentId) -> Result<(), Failure> {
    let system = builder.request.system;
    let component = system.component(id);
    let asked = component.interfaces.iter().find(|interface| {
        let InterfaceKind::Uses(Some(gate)) = interface.kind else { return false };
        system.lock_component(gate) == Some(LockComponent::Optimistic)
    });
    let Some(interface) = asked else { return Ok(()) };
    let message = format!(
        "the stub `{}` has no word to try before it asks `{}` for a lock",
        component.name, interface.name
    );
    let error = at_component(builder, id, Diagnostic::error(rules::STUB_WITH_WORD, message));
    Err(vec![error.with_note(
        "write its code, which `<fusee/olock.h>` makes short, or use a `LockPessimistic`, which \
         stubs can ask",
    )])
}

/// A stub needs execution times for everything that it does.
fn with_times(builder: &Builder<'_>, id: ComponentId) -> Result<(), Failure> {
    let system = builder.request.system;
    let component = system.component(id);
    let jobs = system
        .tasks
        .iter()
        .filter(|task| task.component == id)
        .map(|task| (&task.body, "its job".to_owned()));
    let gates = component.interfaces.iter().filter_map(|interface| match interface.kind {
        InterfaceKind::Provides(gate) => Some(system.gate(gate)),
        _ => None,
    });
    let methods = gates.flat_map(|gate| {
        gate.methods
            .iter()
            .map(move |method| (&method.body, format!("`{}.{}`", gate.interface, method.name)))
    });
    let unknown = |(body, what): (&Body, String)| body.wcet_origin.is_none().then_some(what);
    let unknown: Vec<String> = jobs.chain(methods).filter_map(unknown).collect();
    let Some(first) = unknown.first() else { return Ok(()) };
    let message = format!("the stub `{}` has no execution time for {first}", component.name);
    let error = at_component(builder, id, Diagnostic::error(rules::STUB_WITHOUT_TIMES, message));
    Err(vec![error.with_note(
        "a stub executes the times of its description: give a `wcet` to everything that it does",
    )])
}
