//! Is the description right?

use fusee_pipeline::checked;
use fusee_pipeline::status::Status;

use crate::args::Check;
use crate::gates;
use crate::output::Output;
use fusee_report::time_tree;

/// Reports everything about a description, and its gates.
pub(crate) fn run(arguments: &Check, output: &mut Output) -> Status {
    let checked = checked::run(&arguments.source.chosen());
    output.json_of(&checked.loaded.sources, || checked.json());
    output.diagnostics(&checked.loaded.diagnostics, &checked.loaded.sources);
    let Some((system, derived)) = checked.usable() else { return Status::BadInput };
    let (components, tasks) = (system.components.len(), system.tasks.len());
    if !system.gates.is_empty() {
        output.text(format!("{}\n", gates::table(system, derived)));
    }
    if !system.schedulers.is_empty() {
        output.text(format!("{}\n", time_tree::table(system)));
    }
    output.text(format!(
        "{}: {components} components, {tasks} tasks, {} gates\n",
        system.name,
        system.gates.len()
    ));
    Status::Fine
}
