//! A run on a machine or on the simulator, held against what is promised.
//!
//! A description is built first; an image runs as it is, and then there is no
//! bound to compare with, because execution times are in the description only.
//! On the simulator the result has the same form.

use std::path::{Path, PathBuf};

use fusee_diagnostics::{Diagnostic, Severity, SourceMap, render};
use fusee_model::{Duration, PriorityAssignment, System};
use fusee_platform::{Platform, Records};
use fusee_report::verdict::{TaskVerdict, Verdict, Word};
use fusee_sim::{Execution, Outcome, Releases};
use serde_json::{Value, json};

use crate::analyze::{Promised, promised};
use crate::boot::{self, Booted};
use crate::build::{self, Wanted};
use crate::complete;
use crate::elf::is_elf;
use crate::kernel::Refused;
use crate::load::Loaded;
use crate::options::{Assign, Making, Place, Source};
use crate::problem::Problem;
use crate::simulate::{self, Simulated};
use crate::status::Status;
use crate::{costs, estimate, progress, stale, verdict};

/// The request of the command.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The description, or an image.
    pub source: Source,
    /// The place where it runs; without this an image on its own machine, a description on the
    /// default one.
    pub place: Option<Place>,
    /// Files with what the kernel's paths cost; the platform's own tables without one.
    pub costs: Vec<PathBuf>,
    /// Virtual time to run.
    pub duration: Duration,
    /// The options of the build.
    pub making: Making,
    /// The records of the kernel.
    pub variant: Records,
    /// The file for a trace for Perfetto.
    pub trace: Option<PathBuf>,
    /// The file for a page.
    pub report: Option<PathBuf>,
}

/// A run that was made.
enum Made {
    Simulated(Box<Simulated>),
    Booted(Box<Booted>),
}

/// A run with all about it.
pub struct Trial {
    system: System,
    made: Made,
    verdict: Verdict,
    origins: Option<Value>,
    /// Files to be written.
    pub products: Vec<(PathBuf, Vec<u8>)>,
    diagnostics: Vec<Diagnostic>,
    /// The files of the description.
    pub sources: SourceMap,
}

/// The results of a run, wherever it was made.
pub struct Seen<'a> {
    /// The system in question.
    pub system: &'a System,
    /// The outcome that was seen.
    pub outcome: &'a Outcome,
    /// The verdict on it.
    pub verdict: &'a Verdict,
    /// The further results that a machine leaves behind.
    pub booted: Option<&'a Booted>,
    /// The origins of execution times, for programs.
    pub origins: Option<&'a Value>,
}

/// Builds, boots and compares.
///
/// # Errors
/// There is no run.
pub fn run(asked: &Asked) -> Result<Trial, Refused> {
    if is_elf(&asked.source.system) {
        return image(asked).map_err(Refused::from);
    }
    let mut promised = described(asked)?;
    let made = match asked.place() {
        Place::Simulator => simulated(asked, &promised),
        Place::Machine(_) => booted(asked, &mut promised),
    };
    match made {
        Ok(Ran { made, verdict, products, warnings }) => {
            let origins = matches!(made, Made::Booted(_)).then(|| promised.origins());
            let Promised { loaded, system, .. } = promised;
            let diagnostics =
                [loaded.diagnostics.as_slice(), &warnings, &verdict.findings].concat();
            Ok(Trial {
                system,
                made,
                verdict,
                origins,
                products,
                diagnostics,
                sources: loaded.sources,
            })
        }
        Err(problem) => Err(refused(promised.loaded, problem)),
    }
}

/// Boots for a debugger; `ready` hears the command that starts that. On the simulator there is
/// nothing to debug.
///
/// # Errors
/// There is no image, or the machine fails.
pub fn debug(asked: &Asked, port: u16, ready: impl FnOnce(&str)) -> Result<(), Refused> {
    let path = &asked.source.system;
    if is_elf(path) {
        asked.fits()?;
        return Ok(boot::debug(path, port, ready)?);
    }
    let promised = described(asked)?;
    asked.estimate(&promised.system).into_iter().for_each(|text| progress::remark(&text));
    let debugged = built(asked, &promised, asked.variant)
        .and_then(|made| boot::debug(&made.path, port, ready));
    debugged.map_err(|problem| refused(promised.loaded, problem))
}

impl Asked {
    /// Returns the place where a description runs.
    pub fn place(&self) -> Place {
        self.place.unwrap_or(Place::Machine(Platform::DEFAULT))
    }

    /// Checks that an image is for the place where it shall run.
    fn fits(&self) -> Result<(), Problem> {
        self.place.map_or(Ok(()), |place| boot::fits(&self.source.system, place.machine()))
    }

    /// Returns an estimate of the time that the run of a system takes, if that is long.
    fn estimate(&self, system: &System) -> Option<String> {
        estimate::machine(self.place().machine()?, system.cores(), self.duration)
    }

    fn wanted(&self, variant: Records) -> Wanted<'_> {
        let platform = self.place().machine().unwrap_or(Platform::DEFAULT);
        Wanted { source: &self.source.system, platform, variant, making: &self.making }
    }
}

fn refused(loaded: Loaded, problem: Problem) -> Refused {
    let diagnostics = [loaded.diagnostics, problem.diagnostics].concat();
    Refused { problem: Problem { diagnostics, status: problem.status }, sources: loaded.sources }
}

/// Returns an image alone.
fn image(asked: &Asked) -> Result<Trial, Problem> {
    asked.fits()?;
    let unknown = current(&asked.source.system)?;
    let booted = boot::boot_for(&asked.source.system, asked.duration, None)?;
    let verdict = booted.verdict(&booted.system, (None, Word::default()), &|_| None);
    let products = asked.trace.iter().map(|path| (path.clone(), booted.trace())).collect();
    let system = booted.system.clone();
    let diagnostics = verdict.findings.iter().cloned().chain(unknown).collect();
    let made = Made::Booted(Box::new(booted));
    Ok(Trial {
        system,
        made,
        verdict,
        origins: None,
        products,
        diagnostics,
        sources: SourceMap::default(),
    })
}

/// Refuses an image that is made from other sources than the present ones; says so where they are
/// not known.
fn current(path: &Path) -> Result<Option<Diagnostic>, Problem> {
    let platform = fusee_run::Image::read(path)?.platform();
    let bytes = std::fs::read(path).map_err(|error| Problem::tool(error.to_string()))?;
    let told = stale::Image { path, bytes: &bytes, platform }.against(None);
    let bad_input = |diagnostics| Problem { diagnostics, status: Status::BadInput };
    if let Some(wrong) = told.wrong {
        return Err(bad_input(vec![wrong]));
    }
    // Priorities that were searched for depend on more than the description.
    let searched = |loaded: &&Loaded| {
        let of = loaded.system.as_ref().map(|(system, _)| system.settings.priority_assignment);
        loaded.assign == Some(Assign::Audsley) || of == Some(PriorityAssignment::Audsley)
    };
    let loaded = told.loaded.as_ref().filter(|loaded| !searched(loaded));
    let described = loaded.and_then(Loaded::buildable);
    if let Some((system, _)) = described {
        let (report, _) = build::verified(path, &bytes, Some(system))
            .map_err(|error| bad_input(vec![error.diagnostic(&path.display().to_string())]))?;
        let findings = report.findings.iter().map(|finding| {
            finding.diagnostic().with_note("its description has changed: build it again")
        });
        let findings: Vec<Diagnostic> = findings.collect();
        if !findings.is_empty() {
            return Err(bad_input(findings));
        }
    }
    Ok(told.unknown)
}

/// Returns the description, with what is promised of it.
fn described(asked: &Asked) -> Result<Promised, Refused> {
    let place = asked.place();
    let bad_input = |loaded: Loaded| {
        refused(loaded, Problem { diagnostics: Vec::new(), status: Status::BadInput })
    };
    let costs = costs::chosen(&asked.costs, place.machine())
        .map_err(|diagnostic| bad_input(Loaded::nothing(*diagnostic)))?;
    let completed = match place {
        Place::Machine(_) => complete::for_run(&asked.source, &asked.wanted(asked.variant), &costs)
            .map_err(|failed| refused(failed.0, failed.1))?,
        Place::Simulator => complete::with_programs(&asked.source, None, &costs, None),
    };
    promised(completed, &costs).map_err(|loaded| bad_input(*loaded))
}

/// The results that a run of a description leaves behind.
struct Ran {
    made: Made,
    verdict: Verdict,
    products: Vec<(PathBuf, Vec<u8>)>,
    warnings: Vec<Diagnostic>,
}

fn built(asked: &Asked, promised: &Promised, variant: Records) -> Result<build::Made, Problem> {
    build::make(&promised.loaded, &promised.system, &asked.wanted(variant))
        .map_err(Problem::of_build)
}

fn booted(asked: &Asked, promised: &mut Promised) -> Result<Ran, Problem> {
    asked.estimate(&promised.system).into_iter().for_each(|text| progress::remark(&text));
    let mut made = built(asked, promised, asked.variant)?;
    promised.hold_against(&made, asked)?;
    // What could not be compared is told with the origin of each time.
    let told = promised.compared.diagnostics.iter();
    made.warnings.extend(told.filter(|found| found.severity != Severity::Note).cloned());
    made.warnings.extend(promised.hear_of_callbacks(&made.machines));
    let mut booted = boot::boot_for(&made.path, asked.duration, Some(&promised.system))?;
    let span = |origin| promised.loaded.origins.span(origin);
    let promise = (Some(&promised.analysed.analysis), promised.compared.word());
    let mut verdict = booted.verdict(&promised.system, promise, &span);
    let is_broken = verdict.tasks.iter().any(TaskVerdict::exceeded);
    let traced = if asked.trace.is_some() || asked.report.is_some() || is_broken {
        Some(traced(asked, promised)?)
    } else {
        None
    };
    if let Some(traced) = traced.as_ref().filter(|_| is_broken) {
        booted.take_executions(traced);
        verdict = booted.verdict(&promised.system, promise, &span);
    }
    let products =
        traced.map_or(Vec::new(), |traced| products(asked, promised, (&booted, &traced), &verdict));
    Ok(Ran { made: Made::Booted(Box::new(booted)), verdict, products, warnings: made.warnings })
}

/// The same system on the kernel that records everything. Drawing and the search for causes need
/// all records, and recording takes time: numbers stay those of the plain kernel.
fn traced(asked: &Asked, promised: &Promised) -> Result<Booted, Problem> {
    let made = built(asked, promised, Records::Traced)?;
    boot::boot_for(&made.path, asked.duration, Some(&promised.system))
}

/// Returns the files about a run.
fn products(
    asked: &Asked,
    promised: &Promised,
    (plain, traced): (&Booted, &Booted),
    verdict: &Verdict,
) -> Vec<(PathBuf, Vec<u8>)> {
    let mut products = Vec::new();
    if let Some(path) = &asked.trace {
        products.push((path.clone(), traced.trace()));
    }
    if let Some(path) = &asked.report {
        products
            .push((path.clone(), plain.page(&promised.subject(), verdict, traced).into_bytes()));
    }
    products
}

impl Promised {
    /// Holds what is written against what was built.
    fn hold_against(&mut self, made: &build::Made, asked: &Asked) -> Result<(), Problem> {
        let machine = asked.place().machine().unwrap_or(Platform::DEFAULT);
        let built = complete::Built { path: &made.path, platform: machine };
        let compared =
            built.compared(&mut self.loaded, &self.system, (&asked.source, &self.proved));
        self.compared = compared;
        if asked.making.trust_written {
            self.compared.trust();
        } else if self.compared.is_contradicted() {
            // Nobody shall take it for one that holds what is promised.
            let _ = std::fs::remove_file(&made.path);
            let diagnostics = std::mem::take(&mut self.compared.diagnostics);
            return Err(Problem { diagnostics, status: Status::BadInput });
        }
        Ok(())
    }
}

fn simulated(asked: &Asked, promised: &Promised) -> Result<Ran, Problem> {
    let (duration, seed) = (asked.duration, 1);
    let run =
        simulate::Run { duration, seed, execution: Execution::Worst, releases: Releases::Drawn };
    estimate::simulation(&promised.system, duration)
        .into_iter()
        .for_each(|text| progress::remark(&text));
    let subject = promised.subject();
    let failed =
        |error| Problem { diagnostics: vec![subject.diagnostic(&error)], status: Status::BadInput };
    let simulated = simulate::run(&promised.system, &run, &promised.costs).map_err(failed)?;
    let mut products = Vec::new();
    if let Some(path) = &asked.trace {
        products.push((path.clone(), simulated.trace(&promised.system).map_err(failed)?.0));
    }
    if let Some(path) = &asked.report {
        products.push((path.clone(), simulated.page(&subject).map_err(failed)?.into_bytes()));
    }
    let verdict = simulated.verdict(&subject);
    Ok(Ran { made: Made::Simulated(Box::new(simulated)), verdict, products, warnings: Vec::new() })
}

impl Trial {
    /// Returns the outcome that was seen.
    pub fn seen(&self) -> Seen<'_> {
        let (outcome, booted) = match &self.made {
            Made::Simulated(simulated) => (&simulated.outcome, None),
            Made::Booted(booted) => (&booted.outcome, Some(booted.as_ref())),
        };
        Seen {
            system: &self.system,
            outcome,
            verdict: &self.verdict,
            booted,
            origins: self.origins.as_ref(),
        }
    }

    /// Returns the messages about the description and the run.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the run for programs.
    pub fn json(&self) -> Value {
        let mut value = self.seen().json();
        let path = |path: &Path| path.display().to_string();
        value["files"] = self.products.iter().map(|(product, _)| path(product)).collect();
        value["diagnostics"] = render::json(&self.diagnostics, &self.sources);
        value
    }
}

impl Seen<'_> {
    /// Returns `true` if no job took longer than its bound.
    pub fn bounds_held(&self) -> bool {
        self.verdict.bounds_held == Some(true)
    }

    /// Returns the run for programs.
    pub fn json(&self) -> Value {
        let timed = self.verdict.timed;
        let tasks = self.system.tasks.iter().zip(&self.outcome.tasks).zip(&self.verdict.tasks);
        let tasks = tasks.map(|((task, seen), judged)| {
            let mut value = json!({
                "name": task.name,
                "jobs": seen.jobs,
                "misses": timed.then_some(seen.misses),
                "response_max_ns":
                    (timed && seen.jobs > 0).then_some(seen.responses.longest.ns()),
                "response_bound_ns": judged.bound.map(|bound| bound.ns()),
                "response_mean_ns":
                    seen.response_mean().filter(|_| timed).map(|mean| mean.ns()),
                "deadline_ns": task.deadline.map(|deadline| deadline.value.ns()),
            });
            verdict::describe_task(seen, &mut value);
            value
        });
        let mut value = json!({
            "system": self.system.name,
            "platform": self.booted.map_or("sim", |booted| booted.platform),
            "virtual_ns": self.outcome.elapsed.ns(),
            "tasks": tasks.collect::<Vec<_>>(),
        });
        verdict::describe(self.system, self.verdict, self.outcome, &mut value);
        if let Some(origins) = self.origins {
            value["origins"] = origins.clone();
        }
        if let Some(booted) = self.booted {
            booted.describe(&mut value);
        }
        value
    }
}
