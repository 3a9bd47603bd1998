//! Pages of the project's examples.

use fusee_bounds::Analysis;
use fusee_model::System;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_report::Inputs;
use std::path::PathBuf;

/// The project's root.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An example's page, from its description.
pub(crate) fn page(name: &str) -> String {
    let reading = fusee_adl::read(&root().join("examples").join(name), &fusee_adl::Options::default());
    let system: &System = reading.system.as_ref().expect("the example is a system");
    let span = |origin| reading.origins.span(origin);
    let derived = Derived::of(system);
    let analysis: Analysis = fusee_bounds::analyze(system, &derived, &CostTable::zero("sim"));
    let mut diagnostics = reading.diagnostics.clone();
    diagnostics.extend(fusee_check::check(system, &span));
    diagnostics.extend(fusee_bounds::diagnostics(system, &analysis, &span));
    let sources = &reading.sources;
    let inputs = Inputs { system, derived: &derived, analysis: Some(&analysis), diagnostics: &diagnostics, sources };
    fusee_report::render(&inputs.view())
}
