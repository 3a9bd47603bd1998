//! Pages of the project's examples.

use fusee_bounds::Analysis;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, System};
use fusee_report::verdict::{Facts, Place, Verdict, Word};
use fusee_report::view::Provenance;
use fusee_report::{Inputs, Run};
use fusee_sim::{Options, Outcome};
use std::path::PathBuf;

/// Returns the project's root.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns an example's page, from its description.
pub(crate) fn page(name: &str) -> String {
    let reading =
        fusee_adl::read(&root().join("examples").join(name), &fusee_adl::Options::default());
    let system: &System = reading.system.as_ref().expect("the example is a system");
    let span = |origin| reading.origins.span(origin);
    let (derived, costs) = (Derived::of(system), CostTable::zero("sim"));
    let analysis: Analysis = fusee_bounds::analyze(system, &derived, &costs);
    let mut diagnostics = reading.diagnostics.clone();
    diagnostics.extend(fusee_check::check(system, &span));
    diagnostics.extend(fusee_bounds::diagnostics(system, &analysis, &span));
    let repairs = fusee_bounds::repairs(system, &derived, &costs, &analysis);
    let outcome = simulate(system);
    let verdict = Verdict::of(&Facts {
        system,
        analysis: Some(&analysis),
        outcome: &outcome,
        place: Place::Simulator,
        told: &[],
        faults: 0,
        stubs: &[],
        word: Word::default(),
        span: &span,
    });
    let run = Run {
        outcome: &outcome,
        how: "Simulated with worst-case execution times:",
        verdict: &verdict,
    };
    let inputs = Inputs {
        system,
        derived: &derived,
        analysis: Some(&analysis),
        repairs: &repairs,
        growth: &[],
        run: Some(run),
        diagnostics: &diagnostics,
        sources: &reading.sources,
        span: &span,
        provenance: &Provenance::default(),
    };
    fusee_report::render(&inputs.view())
}

/// Five seconds, with the records around the worst response.
fn simulate(system: &System) -> Outcome {
    let options = Options { duration: Duration(5_000_000_000), ..Options::default() };
    let first = fusee_sim::simulate(system, &options).expect("it runs");
    let options = Options { recording: fusee_report::recording(system, &first), ..options };
    fusee_sim::simulate(system, &options).expect("it runs again")
}
