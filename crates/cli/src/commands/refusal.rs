//! A system that could not be analyzed.

use fusee_diagnostics::render;
use fusee_pipeline::load::Loaded;
use fusee_pipeline::problem::status_of_build;
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::output::Output;

/// The shape of an analysis where nothing could be analyzed.
pub(crate) fn not_analysed(loaded: &Loaded, output: &mut Output) -> Status {
    output.json_of(&loaded.sources, || {
        json!({
            "system": loaded.system.as_ref().map(|(system, _)| &system.name),
            "schedulable": false,
            "tasks": [],
            "gates": [],
            "diagnostics": render::json(&loaded.diagnostics, &loaded.sources),
        })
    });
    output.diagnostics(&loaded.diagnostics, &loaded.sources);
    status_of_build(&loaded.diagnostics)
}
