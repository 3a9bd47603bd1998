//! A description with the execution times that it leaves out, from programs.
//!
//! `analyze`, `simulate` and `report` take them from a folder that `fusee build` has made. `run`
//! builds anyway: where a description leaves times out, it builds first, takes them from what it
//! has built, and goes on. There a body that has no bound is no reason not to run: what stands in
//! the way is said, and its tasks are shown without a bound.

use std::path::Path;

use fusee_diagnostics::{Diagnostic, Severity};
use fusee_model::System;
use fusee_model::derived::Derived;
use fusee_platform::Platform as Machine;

use crate::build::{self, Wanted};
use crate::costs::Costs;
use crate::load::{Loaded, WITHOUT_WCET, load, load_completed};
use crate::methods::{self, Compared, Places, Proved};
use crate::options::Source;
use crate::problem::Problem;
use crate::status::Status;
use crate::{advice, rules};

/// So many of the places that stand in the way of one bound are named in a run.
const NAMED: usize = 6;

/// A description, and which times are from programs.
pub struct Completed {
    /// The description that was read.
    pub loaded: Loaded,
    /// The execution times from programs.
    pub proved: Proved,
    /// The comparison of the written times and calls with programs.
    pub compared: Compared,
}

/// Programs that are at hand.
#[derive(Debug, Clone, Copy)]
pub struct Programs<'a> {
    /// The folder of the build.
    pub folder: &'a Path,
    /// `true` if the written times and calls are taken for true where programs contradict them.
    pub trust_written: bool,
}

/// An image that was built.
pub struct Built<'a> {
    /// The path of the image.
    pub path: &'a Path,
    /// The machine that it is for.
    pub platform: Machine,
}

impl Built<'_> {
    /// Holds what the description says of a system against its programs.
    pub fn compared(
        &self,
        loaded: &mut Loaded,
        system: &System,
        (source, proved): (&Source, &Proved),
    ) -> Compared {
        let Loaded { sources, origins, .. } = loaded;
        let span = &|origin| origins.span(origin);
        let places = Places {
            description: source.system.parent().unwrap_or(Path::new("")),
            programs: self.path.parent().unwrap_or(Path::new("")),
            platform: self.platform,
            span,
        };
        methods::compare(system, &places, (proved, &stubs(self.path)), sources)
    }
}

/// Returns the components of an image that run without code of their own; none of what is no image.
fn stubs(image: &Path) -> Vec<String> {
    fusee_run::Image::read(image).map(|image| image.stubs()).unwrap_or_default()
}

impl Completed {
    /// Returns a description as it is.
    fn of(loaded: Loaded) -> Self {
        Self { loaded, proved: Proved::default(), compared: Compared::default() }
    }

    /// Returns the system, if nothing is said against it but by what its programs are, or are not:
    /// those of other sources say nothing at all.
    fn system(&self) -> Option<&(System, Derived)> {
        let of_programs = [fusee_wcet::METHOD, rules::TIME_TOO_SHORT, rules::CALLS_LEFT_OUT];
        let fine = |found: &Diagnostic| {
            found.severity != Severity::Error
                || of_programs.contains(&found.code)
                || WITHOUT_WCET.contains(&found.code)
        };
        self.loaded.system.as_ref().filter(|_| self.loaded.diagnostics.iter().all(fine))
    }

    /// Refuses times that are from another place: then the code around a body is not counted.
    fn demand_programs(&mut self) {
        let silent =
            self.loaded.usable().and_then(|(system, _)| self.proved.is_silent_about(system));
        let Some(body) = silent else { return };
        let message = format!("the time of `{body}` is the description's word");
        self.loaded.diagnostics.push(
            Diagnostic::error(rules::COSTS, message)
                .with_note(
                    "a cost table of one image counts the kernel's paths alone, and programs what \
                     is around them: stubs, and lines that caches have lost",
                )
                .with_note("leave the time out: it is taken from the program"),
        );
    }
}

/// Reads a description; what it leaves out comes from the programs in a folder, if one is given.
/// Without a platform, for the simulator.
pub fn with_programs(
    source: &Source,
    platform: Option<Machine>,
    costs: &Costs,
    programs: Option<Programs<'_>>,
) -> Completed {
    let folder = programs.map(|programs| programs.folder);
    if let Some(wrong) = costs.image().and_then(|image| methods::mismatch(image, folder)) {
        return Completed::of(Loaded::nothing(wrong));
    }
    let Some(programs) = programs else {
        let mut loaded = load(source, costs);
        advice::about_times(&mut loaded, source, platform);
        return Completed::of(loaded);
    };
    let Some(machine) = platform else {
        let message = "`--programs` takes times from programs, which run on machines only";
        let note = format!(
            "add `--platform {}`, or the machine that they were built for",
            Machine::DEFAULT
        );
        let wrong = Diagnostic::error(fusee_wcet::METHOD, message).with_note(note);
        return Completed::of(Loaded::nothing(wrong));
    };
    let mut completed = with_own_programs(source, machine, costs, programs);
    let differences = completed.system().map(|(system, _)| {
        let given = &completed.loaded.given;
        methods::differences((system, given), programs.folder, machine)
    });
    if let Some(differences) = differences.filter(|differences| !differences.is_empty()) {
        completed.loaded.diagnostics = differences;
    }
    completed
}

/// The same, with programs that were built from this description.
pub(crate) fn with_own_programs(
    source: &Source,
    machine: Machine,
    costs: &Costs,
    programs: Programs<'_>,
) -> Completed {
    let mut completed = from(source, machine, costs, programs.folder);
    let Completed { loaded, compared, .. } = &mut completed;
    if programs.trust_written {
        compared.trust();
    }
    loaded.diagnostics.extend(compared.diagnostics.iter().cloned());
    if costs.image().is_some() {
        completed.demand_programs();
    }
    completed
}

/// Reads a description and takes from the programs in a folder what it leaves out.
fn from(source: &Source, machine: Machine, costs: &Costs, programs: &Path) -> Completed {
    let description = source.system.parent().unwrap_or(Path::new(""));
    let (mut proved, mut compared) = (Proved::default(), Compared::default());
    let stubs = stubs(&programs.join(build::IMAGE));
    let loaded = load_completed(source, costs, |system, origins, sources| {
        let span = &|origin| origins.span(origin);
        let places = Places { description, programs, platform: machine, span };
        let (found, wrong) = methods::prove(system, &places, sources);
        proved = found;
        compared = methods::compare(system, &places, (&proved, &stubs), sources);
        wrong
    });
    Completed { loaded, proved, compared }
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
    let image = costs.image();
    let missing = loaded.diagnostics.iter().any(|found| WITHOUT_WCET.contains(&found.code));
    let Some((system, _)) = loaded.buildable().filter(|_| missing || image.is_some()) else {
        return Ok(Completed::of(loaded));
    };
    let made = match build::make(&loaded, system, wanted) {
        Ok(made) => made,
        Err(diagnostics) => {
            let problem = Problem::of_build(diagnostics);
            let mut loaded = loaded;
            // They would not matter if the build had gone well.
            loaded.diagnostics.retain(|found| !WITHOUT_WCET.contains(&found.code));
            return Err(Box::new((loaded, problem)));
        }
    };
    let folder = made.path.parent().unwrap_or(Path::new(""));
    if let Some(wrong) = image.and_then(|image| methods::mismatch(image, Some(folder))) {
        let problem = Problem { diagnostics: vec![wrong], status: Status::BadInput };
        return Err(Box::new((Loaded::empty(), problem)));
    }
    let mut completed = from(source, wanted.platform, costs, folder);
    if image.is_some() {
        completed.demand_programs();
    }
    let found = &mut completed.loaded.diagnostics;
    found.retain(|found| !WITHOUT_WCET.contains(&found.code));
    found.iter_mut().filter(|found| found.code == fusee_wcet::METHOD).for_each(warn);
    Ok(completed)
}

/// Turns an obstacle to a bound into a warning: it is no obstacle to a run.
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
