//! What a component must have before code can be generated around it.

use crate::build::Builder;
use crate::failure::Failure;
use crate::rules;
use crate::view::{self, Found};
use fusee_diagnostics::Diagnostic;
use fusee_model::{Body, ComponentId, InterfaceKind, Origin};

/// A component with sources: every method of its interfaces, and `run` if it has a control thread.
pub(crate) fn implemented(builder: &Builder<'_>, id: ComponentId, found: &Found) -> Result<(), Failure> {
    let system = builder.request.system;
    let component = system.component(id);
    let mut failure = Failure::new();
    let mut missing = |name: String, prototype: String, origin: Origin| {
        if found.defined.contains(&name) {
            return;
        }
        let message = format!("the code of `{}` does not define `{name}`", component.name);
        let mut error = Diagnostic::error(rules::MISSING_FUNCTION, message);
        if let Some(span) = (builder.request.origins)(origin) {
            error = error.at(span, "asked for here");
        }
        failure.push(error.with_note(format!("write `{prototype}` in a source of `{}`", component.kind)));
    };
    if component.control {
        missing("run".into(), "int run(void)".into(), component.origin);
    }
    let view = view::header(system, builder.types(), id);
    for provided in &view.provides {
        let origin = component.interface(&provided.name).map_or(Origin::NONE, |interface| interface.origin);
        for method in &provided.methods {
            let name = format!("{}_{}", provided.name, method.name);
            let space = if method.returns.ends_with('*') { "" } else { " " };
            let prototype = format!("{}{space}{name}({})", method.returns, method.declaration);
            missing(name, prototype, origin);
        }
    }
    if failure.is_empty() { Ok(()) } else { Err(failure) }
}

/// A component without sources: execution times for everything that it does.
pub(crate) fn described(builder: &Builder<'_>, id: ComponentId) -> Result<(), Failure> {
    let system = builder.request.system;
    let component = system.component(id);
    let jobs = system.tasks.iter().filter(|task| task.component == id).map(|task| (&task.body, "its job".to_owned()));
    let gates = component.interfaces.iter().filter_map(|interface| match interface.kind {
        InterfaceKind::Provides(gate) => Some(system.gate(gate)),
        _ => None,
    });
    let methods = gates.flat_map(|gate| {
        gate.methods.iter().map(move |method| (&method.body, format!("`{}.{}`", gate.interface, method.name)))
    });
    let unknown = |(body, what): (&Body, String)| body.wcet_origin.is_none().then_some(what);
    let unknown: Vec<String> = jobs.chain(methods).filter_map(unknown).collect();
    let Some(first) = unknown.first() else { return Ok(()) };
    let message = format!("`{}` has neither sources nor an execution time for {first}", component.name);
    let mut error = Diagnostic::error(rules::NO_SOURCES, message);
    if let Some(span) = (builder.request.origins)(component.origin) {
        error = error.at(span, "");
    }
    let place = builder.project.place(&component.kind);
    let place = place.strip_prefix(&builder.folder).unwrap_or(&place).display().to_string();
    Err(vec![
        error
            .with_note(format!(
                "sources of `{}` are looked for in `{place}/src`, `{place}` and CMakeLists.txt",
                component.kind
            ))
            .with_note("with a `wcet` for everything that it does, it can be built without sources"),
    ])
}
