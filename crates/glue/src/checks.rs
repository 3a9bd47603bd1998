//! The demands on a component before code is generated around it.

use crate::builder::Builder;
use crate::cmake;
use crate::failure::Failure;
use crate::rules;
use crate::sources::Sources;
use crate::view::{self, Found};
use fusee_diagnostics::Diagnostic;
use fusee_model::{ComponentId, Origin};

/// A component's sources: files in languages that there is a compiler for.
pub(crate) fn compilable(
    builder: &Builder<'_>,
    id: ComponentId,
    sources: &Sources,
) -> Result<(), Failure> {
    let kind = &builder.request.system.component(id).kind;
    if !sources.problems.is_empty() {
        return Err(sources.problems.clone());
    }
    if let Some(object) = sources.compiled.first() {
        let message = format!("`{kind}` is linked with `{object}`, which was compiled elsewhere");
        let error = Diagnostic::error(cmake::rules::CMAKE_COMPILED, message);
        return Err(vec![error.with_note("give its sources: `add_library(NAME STATIC FILE.c)`")]);
    }
    let Some(first) = sources.foreign.first() else { return Ok(()) };
    let file = first.strip_prefix(&builder.folder).unwrap_or(first).display();
    let message = format!("`{file}` of `{kind}` is in a language that is not compiled here");
    let error = Diagnostic::error(rules::FOREIGN_LANGUAGE, message);
    Err(vec![error.with_note("components are written in C, assembly and Rust")])
}

/// Demands of a component with sources every method of its interfaces, and `run` if it has a
/// control thread.
pub(crate) fn implemented(
    builder: &Builder<'_>,
    id: ComponentId,
    found: &Found,
) -> Result<(), Failure> {
    let system = builder.request.system;
    let component = system.component(id);
    let mut failure = Failure::new();
    let mut missing = |name: String, (prototype, interface): (String, &str), origin: Origin| {
        if found.defined.contains(&name) {
            return;
        }
        let message = format!("the code of `{}` does not define `{name}`", component.name);
        let mut error = Diagnostic::error(rules::MISSING_FUNCTION, message);
        if let Some(span) = (builder.request.origins)(origin) {
            error = error.at(span, "asked for here");
        }
        let note = if found.in_rust {
            // The compiler of Rust refuses a type that lacks a method, so the macro is missing.
            format!(
                "in Rust, give a type `impl camkes::provided::{}` and make it the component's \
                 code: `camkes::component!(Type);`",
                view::trait_name(interface)
            )
        } else {
            format!("write `{prototype}` in a source of `{}`", component.kind)
        };
        failure.push(error.with_note(note));
    };
    if component.control {
        missing("run".into(), ("int run(void)".into(), "control"), component.origin);
    }
    let view = view::header(system, builder.types(), id);
    for provided in &view.provides {
        let origin =
            component.interface(&provided.name).map_or(Origin::NONE, |interface| interface.origin);
        for method in &provided.methods {
            let name = format!("{}_{}", provided.name, method.name);
            let space = if method.returns.ends_with('*') { "" } else { " " };
            let prototype = format!("{}{space}{name}({})", method.returns, method.declaration);
            missing(name, (prototype, &provided.name), origin);
        }
    }
    if failure.is_empty() { Ok(()) } else { Err(failure) }
}

/// The event that releases a control thread is its jobs' beginning: there is nothing to look for,
/// or to call back.
pub(crate) fn released(
    builder: &Builder<'_>,
    id: ComponentId,
    found: &Found,
) -> Result<(), Failure> {
    let system = builder.request.system;
    let Some(event) = view::release(system, id) else { return Ok(()) };
    let name = &event.name;
    let asks = [format!("{name}_poll"), format!("{name}_reg_callback"), format!("{name}_handle")];
    let asked =
        asks.iter().filter(|asked| found.wanted.contains(*asked) || found.defined.contains(*asked));
    let component = system.component(id);
    let failure: Failure = asked
        .map(|asked| {
            let message = format!(
                "the code of `{}` has `{asked}`, but `{name}` releases its jobs",
                component.name
            );
            let mut error = Diagnostic::error(rules::RELEASED, message);
            if let Some(span) = (builder.request.origins)(event.origin) {
                error = error.at(span, "each signal of this event is a job of the control thread");
            }
            error
                .with_note(format!(
                    "let `run` do what is done for one event, or wait in a loop \
                                    with `{name}_wait()`"
                ))
                .with_note("or leave `arrival` out, and the event releases nothing")
        })
        .collect();
    if failure.is_empty() { Ok(()) } else { Err(failure) }
}
