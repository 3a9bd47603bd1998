//! What a component must have before code can be generated around it.

use crate::build::Builder;
use crate::failure::Failure;
use crate::rules;
use crate::sources::Sources;
use crate::view::{self, Found};
use fusee_diagnostics::Diagnostic;
use fusee_model::{ComponentId, Origin};

/// A component's sources: files in languages that there is a compiler for.
pub(crate) fn compilable(builder: &Builder<'_>, id: ComponentId, sources: &Sources) -> Result<(), Failure> {
    let Some(first) = sources.foreign.first() else { return Ok(()) };
    let kind = &builder.request.system.component(id).kind;
    let file = first.strip_prefix(&builder.folder).unwrap_or(first).display();
    let message = format!("`{file}` of `{kind}` is in a language that is not compiled here");
    let error = Diagnostic::error(rules::FOREIGN_LANGUAGE, message);
    Err(vec![error.with_note("components are written in C, assembly and Rust")])
}

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
