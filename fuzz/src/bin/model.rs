//! Any text as a system: resolving, checking, analyzing and simulating it.
//!
//! Whatever the description means, there must be an answer without a panic, and
//! whatever is simulated, nothing may take longer than its bound.

#![no_main]

use fusee_diagnostics::Severity;
use fusee_diagnostics::render::{self, Style};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, System};
use fusee_sim::{Execution, Options, Releases};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let loaded = fusee_adl::syntax::load_bytes(bytes);
    if loaded.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return;
    }
    let resolved =
        fusee_adl::resolve::resolve(&loaded.tree, "fuzz", &fusee_adl::Options::default());
    let mut diagnostics = resolved.diagnostics;
    if let Some(system) = &resolved.system {
        let span = |origin| resolved.origins.span(origin);
        diagnostics.extend(fusee_check::check(system, &span));
        if fusee_check::is_usable(&diagnostics) {
            promise_and_observe(system);
        }
    }
    render::text(&diagnostics, &loaded.sources, Style::Plain);
});

/// Analyses the system, runs it for a while, and compares.
fn promise_and_observe(system: &System) {
    let costs = CostTable::zero("sim");
    let derived = Derived::of(system);
    let analysis = fusee_bounds::analyze(system, &derived, &costs);
    let ways = [(Execution::Worst, Releases::Synchronous), (Execution::Random, Releases::Drawn)];
    for (execution, releases) in ways {
        let duration = Duration(10_000_000_000);
        let options =
            Options { duration, execution, releases, most_events: 2_000, ..Options::default() };
        let Ok(outcome) = fusee_sim::simulate(system, &options) else { continue };
        for (promised, seen) in analysis.tasks.iter().zip(&outcome.tasks) {
            let bound = promised.response().unwrap_or(Duration(u64::MAX));
            assert!(
                seen.responses.longest <= bound,
                "{:?} took {}, promised {bound}",
                promised.task,
                seen.responses.longest,
            );
        }
    }
}
