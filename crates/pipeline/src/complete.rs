//! A description with the execution times that it leaves out, from programs.
//!
//! `analyze`, `simulate` and `report` take them from a folder that `fusee build` has made. `run`
//! builds anyway: where a description leaves times out, it builds first, takes them from what it
//! has built, and goes on. There a body that has no bound is no reason not to run: what stands in
//! the way is said, and its tasks are shown without a bound.

use std::path::Path;

use fusee_diagnostics::{Diagnostic, Severity};
use fusee_platform::Platform as Machine;

use crate::build::{self, Wanted};
use crate::costs::Costs;
use crate::load::{Loaded, WITHOUT_WCET, load, load_completed};
use crate::methods::{self, Places, Proved};
use crate::options::Source;
use crate::problem::Problem;
use crate::status::Status;

/// So many of the places that stand in the way of one bound are named in a run.
const NAMED: usize = 6;

/// A description, and which times are from programs.
pub struct Completed {
    /// The description.
    pub loaded: Loaded,
    /// The times.
    pub proved: Proved,
}

/// Reads a description; what it leaves out comes from the programs in a folder, if one is given.
/// Without a platform, for the simulator.
pub fn with_programs(
    source: &Source,
    platform: Option<Machine>,
    costs: &Costs,
    programs: Option<&Path>,
) -> Completed {
    let Some(programs) = programs else {
        return Completed { loaded: load(source, costs), proved: Proved::default() };
    };
    let Some(machine) = platform else {
        let message = "`--programs` takes times from programs, which run on machines only";
        let note = format!(
            "add `--platform {}`, or the machine that they were built for",
            Machine::DEFAULT
        );
        let wrong = Diagnostic::error(fusee_wcet::METHOD, message).with_note(note);
        return Completed { loaded: Loaded::nothing(wrong), proved: Proved::default() };
    };
    let mut completed = from(source, machine, costs, programs);
    let differences = completed
        .loaded
        .usable()
        .map(|(system, _)| methods::differences(system, programs, machine));
    if let Some(differences) = differences.filter(|differences| !differences.is_empty()) {
        completed.loaded.diagnostics = differences;
    }
    completed
}

/// Reads a description and takes from the programs in a folder what it leaves out.
fn from(source: &Source, machine: Machine, costs: &Costs, programs: &Path) -> Completed {
    let description = source.system.parent().unwrap_or(Path::new(""));
    let mut proved = Proved::default();
    let loaded = load_completed(source, costs, |system, origins, sources| {
        if !machine.traits().instruction_is_tick {
            let without = methods::is_incomplete(system).then(|| no_times(machine));
            return without.into_iter().collect();
        }
        let places = Places { description, programs, span: &|origin| origins.span(origin) };
        let (found, wrong) = methods::prove(system, &places, sources);
        proved = found;
        wrong
    });
    Completed { loaded, proved }
}

/// Programs tell how many instructions they execute, which is a time on some machines only.
fn no_times(machine: Machine) -> Diagnostic {
    let message = format!("programs tell no execution times on `{machine}`");
    Diagnostic::error(fusee_wcet::METHOD, message)
        .with_note(
            "an instruction takes more or fewer cycles there, as pipeline and caches have it",
        )
        .with_note("give the times in the description: `wcet`, or a time in `calls`")
}

/// Reads a description for a run; what it leaves out comes from programs that are built for that.
///
/// # Errors
/// The build fails.
pub fn for_run(
    source: &Source,
    wanted: &Wanted<'_>,
    costs: &Costs,
) -> Result<Completed, Box<(Loaded, Problem)>> {
    let loaded = load(source, costs).demanding_a_machine();
    let missing = loaded.diagnostics.iter().any(|found| WITHOUT_WCET.contains(&found.code));
    let Some((system, _)) = loaded.buildable().filter(|_| missing) else {
        return Ok(Completed { loaded, proved: Proved::default() });
    };
    let made = match build::make(&loaded, system, wanted) {
        Ok(made) => made,
        Err(diagnostics) => {
            let problem = Problem { diagnostics, status: Status::BadInput };
            let mut loaded = loaded;
            // They would not matter if the build had gone well.
            loaded.diagnostics.retain(|found| !WITHOUT_WCET.contains(&found.code));
            return Err(Box::new((loaded, problem)));
        }
    };
    let mut completed =
        from(source, wanted.platform, costs, made.path.parent().unwrap_or(Path::new("")));
    let found = &mut completed.loaded.diagnostics;
    found.retain(|found| !WITHOUT_WCET.contains(&found.code));
    found.iter_mut().filter(|found| found.code == fusee_wcet::METHOD).for_each(warn);
    Ok(completed)
}

/// What stands in the way of a bound does not stand in the way of a run.
fn warn(found: &mut Diagnostic) {
    found.severity = Severity::Warning;
    let more = found.notes.len().saturating_sub(NAMED + 2);
    if more > 0 {
        // The last two notes are about the program as a whole.
        found.notes.drain(NAMED..NAMED + more);
        found
            .notes
            .insert(NAMED, format!("and {more} more; `fusee wcet` on the program lists them"));
    }
}
