//! Does it do on a machine what was promised?
//!
//! A description is built first; an image runs as it is, and then there is no
//! bound to compare with, because execution times are in the description only.
//! On `sim` the simulator takes the machine's place: same result, same form.

use std::path::{Path, PathBuf};

use fusee_diagnostics::{Diagnostic, SourceMap, render};
use fusee_model::costs::CostTable;
use fusee_model::{Duration, System};
use fusee_pipeline::build::{self, Wanted};
use fusee_pipeline::complete::{self, Completed};
use fusee_pipeline::methods::{self, Proved};
use fusee_pipeline::options::Making;
use fusee_pipeline::run::{self, Booted, Problem};
use fusee_pipeline::simulate::{self, Subject};
use fusee_pipeline::status::Status;
use fusee_pipeline::{costs, estimate, files};
use fusee_platform::{KernelVariant, Platform};
use fusee_report::verdict::Verdict;
use fusee_sim::{Execution, Outcome, Releases};
use serde_json::{Value, json};

use crate::args::{PlatformName, RunSystem};
use crate::chains;
use crate::output::Output;
use crate::table::{Side, Table};
use crate::verdict::{self, rounded_up};

/// What a run showed, wherever it was made.
pub(crate) struct Seen<'a> {
    /// The system.
    pub(crate) system: &'a System,
    /// What was seen.
    pub(crate) outcome: &'a Outcome,
    /// What that says.
    pub(crate) verdict: &'a Verdict,
    /// What else a machine leaves behind.
    pub(crate) booted: Option<&'a Booted>,
    /// Where execution times come from, for programs.
    pub(crate) origins: Option<Value>,
}

/// Builds, boots and compares.
pub(crate) fn run(arguments: &RunSystem, output: &mut Output) -> Status {
    if run::is_elf(&arguments.source.system) {
        return image(arguments, output);
    }
    let platform = arguments.platform.unwrap_or(PlatformName::MACHINE);
    let costs = match costs::named(platform.machine()) {
        Ok(costs) => costs,
        Err(diagnostic) => {
            return refused(&[*diagnostic], &SourceMap::default(), Status::BadInput, output);
        }
    };
    let (source, making) = (arguments.source.chosen(), arguments.making.chosen());
    let completed = match platform {
        PlatformName::Machine(_) => complete::for_run(&source, &wanted(arguments, &making), &costs),
        PlatformName::Sim => Ok(complete::with_programs(&source, None, &costs, None)),
    };
    let Completed { loaded, proved } = match completed {
        Ok(completed) => completed,
        Err(failed) => {
            let (loaded, problem) = *failed;
            let all = [loaded.diagnostics.as_slice(), &problem.diagnostics].concat();
            return refused(&all, &loaded.sources, problem.status, output);
        }
    };
    let Some((system, derived)) = loaded.usable() else {
        return refused(&loaded.diagnostics, &loaded.sources, Status::BadInput, output);
    };
    let costs = costs.of(system.policy());
    let analysed = fusee_pipeline::analyze::analyse(&loaded, system, derived, costs);
    let subject = Subject { loaded: &loaded, system, derived, analysed: &analysed };
    match platform {
        PlatformName::Sim => simulated(arguments, &subject, costs, output),
        PlatformName::Machine(_) => booted(arguments, &subject, (costs, &proved), output),
    }
}

/// The image that is to be built.
fn wanted<'a>(arguments: &'a RunSystem, making: &'a Making) -> Wanted<'a> {
    let platform = arguments.platform.and_then(PlatformName::machine).unwrap_or(Platform::DEFAULT);
    Wanted { source: &arguments.source.system, platform, variant: arguments.kernel.into(), making }
}

/// Boots an image for a debugger and says how to start that.
fn debug(path: &Path, port: u16, output: &mut Output) -> Result<(), Problem> {
    run::debug(path, port, |command| {
        output.text(format!(
            "waiting for a debugger; in another terminal:\n\n    {command}\n\nCtrl-C ends the \
             machine\n"
        ));
    })
}

/// An image alone.
fn image(arguments: &RunSystem, output: &mut Output) -> Status {
    let nothing = SourceMap::default();
    let path = &arguments.source.system;
    let fits = arguments.platform.map_or(Ok(()), |platform| run::fits(path, platform.machine()));
    if let Some(port) = arguments.gdb {
        return match fits.and_then(|()| debug(path, port, output)) {
            Ok(()) => Status::Fine,
            Err(problem) => refused(&problem.diagnostics, &nothing, problem.status, output),
        };
    }
    let booted = match fits.and_then(|()| run::boot_for(path, arguments.duration, None)) {
        Ok(booted) => booted,
        Err(problem) => return refused(&problem.diagnostics, &nothing, problem.status, output),
    };
    let verdict = booted.verdict(&booted.system, None, &|_| None);
    let (system, outcome) = (&booted.system, &booted.outcome);
    let seen = Seen { system, outcome, verdict: &verdict, booted: Some(&booted), origins: None };
    let products = match &arguments.trace {
        Some(path) => vec![(path.clone(), booted.trace())],
        None => Vec::new(),
    };
    show(&seen, &products, &[], &nothing, output)
}

fn booted(
    arguments: &RunSystem,
    subject: &Subject<'_>,
    (costs, proved): (&CostTable, &Proved),
    output: &mut Output,
) -> Status {
    let loaded = subject.loaded;
    estimate::emulation(arguments.duration).into_iter().for_each(|text| output.aside(text));
    let making = arguments.making.chosen();
    let refusal = |diagnostics| Problem { diagnostics, status: Status::BadInput };
    let made = build::make(loaded, subject.system, &wanted(arguments, &making))
        .map_err(refusal)
        .and_then(|made| match arguments.gdb {
            Some(port) => debug(&made.path, port, output).map(|()| None),
            None => {
                let booted = run::boot_for(&made.path, arguments.duration, Some(subject.system))?;
                let analysis = Some(&subject.analysed.analysis);
                let verdict =
                    booted.verdict(subject.system, analysis, &|origin| loaded.origins.span(origin));
                let products = products(arguments, subject, &booted, &verdict)?;
                Ok(Some((made, booted, verdict, products)))
            }
        });
    let (made, booted, verdict, products) = match made {
        Ok(Some(booted)) => booted,
        Ok(None) => return Status::Fine,
        Err(Problem { diagnostics, status }) => {
            let all = [loaded.diagnostics.as_slice(), &diagnostics].concat();
            return refused(&all, &loaded.sources, status, output);
        }
    };
    let origins = Some(methods::origins_json(subject.system, costs, proved));
    let (system, outcome) = (subject.system, &booted.outcome);
    let seen = Seen { system, outcome, verdict: &verdict, booted: Some(&booted), origins };
    let diagnostics = [loaded.diagnostics.as_slice(), &made.warnings].concat();
    show(&seen, &products, &diagnostics, &loaded.sources, output)
}

/// The files about a run. Drawing needs all records, and recording takes time: the same system runs
/// once more on the kernel that records everything, and numbers stay those of the plain one.
fn products(
    arguments: &RunSystem,
    subject: &Subject<'_>,
    plain: &Booted,
    verdict: &Verdict,
) -> Result<Vec<(PathBuf, Vec<u8>)>, Problem> {
    let mut products = Vec::new();
    if arguments.trace.is_none() && arguments.report.is_none() {
        return Ok(products);
    }
    let making = arguments.making.chosen();
    let wanted = Wanted { variant: KernelVariant::Traced, ..wanted(arguments, &making) };
    let made = build::make(subject.loaded, subject.system, &wanted)
        .map_err(|diagnostics| Problem { diagnostics, status: Status::BadInput })?;
    let traced = run::boot_for(&made.path, arguments.duration, Some(subject.system))?;
    if let Some(path) = &arguments.trace {
        products.push((path.clone(), traced.trace()));
    }
    if let Some(path) = &arguments.report {
        products.push((path.clone(), plain.page(subject, verdict, &traced).into_bytes()));
    }
    Ok(products)
}

fn simulated(
    arguments: &RunSystem,
    subject: &Subject<'_>,
    costs: &CostTable,
    output: &mut Output,
) -> Status {
    let (duration, seed) = (arguments.duration, 1);
    let run =
        simulate::Run { duration, seed, execution: Execution::Worst, releases: Releases::Drawn };
    estimate::simulation(subject.system, duration).into_iter().for_each(|text| output.aside(text));
    let made = simulate::run(subject.system, &run, costs).and_then(|simulated| {
        let mut products = Vec::new();
        if let Some(path) = &arguments.trace {
            products.push((path.clone(), simulated.trace(subject.system)?.0));
        }
        if let Some(path) = &arguments.report {
            products.push((path.clone(), simulated.page(subject)?.into_bytes()));
        }
        Ok((simulated, products))
    });
    let loaded = subject.loaded;
    match made {
        Ok((simulated, products)) => {
            let verdict = simulated.verdict(subject);
            let (system, outcome) = (subject.system, &simulated.outcome);
            let seen = Seen { system, outcome, verdict: &verdict, booted: None, origins: None };
            show(&seen, &products, &loaded.diagnostics, &loaded.sources, output)
        }
        Err(error) => {
            let all = [loaded.diagnostics.as_slice(), &[subject.diagnostic(&error)]].concat();
            refused(&all, &loaded.sources, Status::BadInput, output)
        }
    }
}

/// The same form of result where nothing could be run.
fn refused(
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
    status: Status,
    output: &mut Output,
) -> Status {
    output.json(|| {
        let diagnostics = render::json(diagnostics, sources);
        json!({ "tasks": [], "bounds_held": null, "deadlines_held": null, "diagnostics": diagnostics })
    });
    output.diagnostics(diagnostics, sources);
    status
}

fn show(
    seen: &Seen<'_>,
    products: &[(PathBuf, Vec<u8>)],
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
    output: &mut Output,
) -> Status {
    for (path, content) in products {
        if let Err(error) = files::write(path, content) {
            return output.failed(format!("cannot write `{}`: {error}", path.display()));
        }
    }
    let diagnostics = [diagnostics, &seen.verdict.findings].concat();
    output.json(|| {
        let mut value = seen.json();
        value["files"] = products.iter().map(|(path, _)| path.display().to_string()).collect();
        value["diagnostics"] = render::json(&diagnostics, sources);
        value
    });
    output.diagnostics(&diagnostics, sources);
    if let Some(booted) = seen.booted {
        output.text(booted.printed());
    }
    output.text(seen.table());
    output.text(chains::text(&seen.verdict.chains));
    output.text(format!("\n{}", seen.summary()));
    products.iter().for_each(|(path, _)| output.wrote(Path::new(path)));
    verdict::status(seen.verdict)
}

impl Seen<'_> {
    /// Whether no job took longer than its bound.
    pub(crate) fn bounds_held(&self) -> bool {
        self.verdict.bounds_held == Some(true)
    }

    /// The run for programs.
    pub(crate) fn json(&self) -> Value {
        let tasks = self.system.tasks.iter().zip(&self.outcome.tasks).zip(&self.verdict.tasks);
        let tasks = tasks.map(|((task, seen), judged)| {
            let mut value = json!({
                "name": task.name,
                "jobs": seen.jobs,
                "misses": seen.misses,
                "response_max_ns": (seen.jobs > 0).then_some(seen.response_max.ns()),
                "response_bound_ns": judged.bound.map(|bound| bound.ns()),
                "response_mean_ns": seen.response_mean().map(|mean| mean.ns()),
                "deadline_ns": task.deadline.map(|deadline| deadline.value.ns()),
            });
            verdict::task_json(seen, &mut value);
            value
        });
        let mut value = json!({
            "system": self.system.name,
            "platform": self.platform(),
            "virtual_ns": self.outcome.elapsed.ns(),
            "tasks": tasks.collect::<Vec<_>>(),
        });
        verdict::describe(self.system, (self.verdict, self.outcome), &mut value);
        if let Some(origins) = &self.origins {
            value["origins"] = origins.clone();
        }
        if let Some(booted) = self.booted {
            booted.describe(&mut value);
        }
        value
    }

    fn platform(&self) -> &str {
        self.booted.map_or("sim", |booted| booted.platform)
    }

    /// Tasks by priority, the highest first, what was seen beside what is promised.
    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new(&[
            ("task", Side::Left),
            ("jobs", Side::Right),
            ("misses", Side::Right),
            ("deadline", Side::Right),
            ("bound", Side::Right),
            ("longest", Side::Right),
            ("verdict", Side::Left),
        ]);
        let mut order: Vec<usize> = (0..self.system.tasks.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(self.system.tasks[i].priority.value));
        let of = |time: &dyn Fn(usize) -> Option<Duration>| {
            order.iter().map(|&i| time(i)).collect::<Vec<_>>()
        };
        let deadlines =
            verdict::times(&of(&|i| self.system.tasks[i].deadline.map(|deadline| deadline.value)));
        let bounds = verdict::times(&of(&|i| self.verdict.tasks[i].bound));
        let longest = verdict::times(&of(&|i| self.longest(i)));
        for (row, &i) in order.iter().enumerate() {
            let (task, seen) = (&self.system.tasks[i], &self.outcome.tasks[i]);
            table.row([
                task.name.clone(),
                seen.jobs.to_string(),
                seen.misses.to_string(),
                deadlines[row].clone(),
                bounds[row].clone(),
                longest[row].clone(),
                verdict::word(&self.verdict.tasks[i]),
            ]);
        }
        table
    }

    /// The longest response of a complete job.
    fn longest(&self, task: usize) -> Option<Duration> {
        let seen = &self.outcome.tasks[task];
        (seen.jobs > 0).then_some(rounded_up(seen.response_max))
    }

    /// The run in a line.
    pub(crate) fn summary(&self) -> String {
        verdict::line(self.system, self.verdict) + "\n"
    }
}
