//! Is the description right?

use fusee_diagnostics::render;
use fusee_pipeline::costs::Costs;
use fusee_pipeline::limits;
use fusee_pipeline::load::load;
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::args::Check;
use crate::gates;
use crate::output::Output;

/// Reports everything about a description, and its gates.
pub(crate) fn run(arguments: &Check, output: &mut Output) -> Status {
    let mut loaded = load(&arguments.source.chosen(), &Costs::nothing()).demanding_a_machine();
    loaded.diagnostics.extend(limits::exceeded(&loaded));
    let usable = loaded.usable().is_some();
    output.json(|| {
        let of = |(system, derived): &(_, _)| fusee_pipeline::gates::json(system, derived);
        let gates = loaded.system.as_ref().map_or(json!([]), of);
        json!({
            "system": loaded.system.as_ref().map(|(system, _)| &system.name),
            "usable": usable,
            "gates": gates,
            "diagnostics": render::json(&loaded.diagnostics, &loaded.sources),
        })
    });
    output.diagnostics(&loaded.diagnostics, &loaded.sources);
    if let Some((system, derived)) = loaded.usable() {
        let (components, tasks) = (system.components.len(), system.tasks.len());
        if !system.gates.is_empty() {
            output.text(format!("{}\n", gates::table(system, derived)));
        }
        output.text(format!(
            "{}: {components} components, {tasks} tasks, {} gates\n",
            system.name,
            system.gates.len()
        ));
    }
    if usable { Status::Fine } else { Status::BadInput }
}
