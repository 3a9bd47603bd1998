//! Places tasks on cores, and shows the lines that say so.

use fusee_pipeline::place::{self, Candidate, Placed, Refusal};
use fusee_pipeline::status::Status;

use super::{analyze, refusal};
use crate::args::PlaceTasks;
use crate::output::{Output, bad, good};

/// Prints the best placement with its bounds.
pub(crate) fn run(arguments: &PlaceTasks, output: &mut Output) -> Status {
    let asked = arguments.asked();
    let placed = match place::run(&asked) {
        Ok(placed) => placed,
        Err(loaded) => return refusal::not_analysed(&loaded, output),
    };
    output.json_of(&placed.loaded.sources, || placed.json(&asked));
    output.diagnostics(&placed.diagnostics, &placed.loaded.sources);
    let Some(best) = &placed.best else { return Status::Missed };
    output.text(analyze::table(&best.system, &best.analysis));
    output.text(format!("\n{}", lines(best)));
    let words = if placed.holds() {
        good("every deadline holds")
    } else {
        bad("not every deadline holds; this is the placement under which most do")
    };
    let (name, tried) = (&best.system.name, placed.tried);
    let placements = if tried == 1 { "placement" } else { "placements" };
    output.text(format!("\n{}{name}: {words} ({tried} {placements} analysed)\n", refused(&placed)));
    if placed.holds() { Status::Fine } else { Status::Missed }
}

/// Returns the reasons for which other placements were not analyzed.
fn refused(placed: &Placed) -> String {
    let reason = |r: &Refusal| format!("refused by {} ({}): {}\n", r.code.0, r.count, r.message);
    placed.refused.iter().map(reason).collect()
}

/// Returns the lines to write, and the load of each core then.
fn lines(best: &Candidate) -> String {
    let loads = best.analysis.loads(&best.system);
    let loads = loads.iter().map(|of| format!("core {} {:.1} %", of.core, of.share * 100.0));
    let loads = loads.collect::<Vec<_>>().join(", ");
    let lines: String = best.lines().iter().map(|line| format!("    {line}\n")).collect();
    format!("in the configuration ({loads}):\n{lines}")
}
