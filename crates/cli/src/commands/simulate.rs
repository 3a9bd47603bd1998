//! What does it look like in time?

use std::path::Path;

use fusee_bounds::Analysis;
use fusee_diagnostics::render;
use fusee_model::System;
use fusee_sim::{Outcome, SimError, TaskOutcome};
use serde_json::{Value, json};

use crate::analysis::{Analysed, analyse};
use crate::args::Simulate;
use crate::load::{Loaded, load};
use crate::output::{Output, bad, good};
use crate::simulation::{self, Simulated, Subject};
use crate::status::Status;
use crate::table::{Side, Table};
use crate::{costs, files};

/// Simulates a system and compares what was seen with what is promised.
pub(crate) fn run(arguments: &Simulate, output: &mut Output) -> Status {
    let costs = match costs::table(&arguments.platform) {
        Ok(costs) => costs,
        Err(diagnostic) => return not_simulated(&Loaded::nothing(*diagnostic), output),
    };
    let mut loaded = load(&arguments.source, &costs);
    let Some((system, derived)) = loaded.usable() else {
        return not_simulated(&loaded, output);
    };
    let mut analysed = analyse(&loaded, system, derived, &costs);
    if arguments.sensitivity {
        analysed.find_growths(system, derived, &costs);
    }
    let subject = Subject { loaded: &loaded, system, derived, analysed: &analysed };
    let made = simulation::run(system, &arguments.run, &costs).and_then(|simulated| {
        let products = Products::of(arguments, &simulated, &subject)?;
        Ok((simulated, products))
    });
    match made {
        Ok((simulated, products)) => show(&subject, &simulated, &products, output),
        Err(error) => {
            let diagnostic = subject.diagnostic(&error);
            loaded.diagnostics.push(diagnostic);
            not_simulated(&loaded, output);
            if matches!(error, SimError::Refused { .. }) { Status::ToolFailed } else { Status::BadInput }
        }
    }
}

/// The files to write.
struct Products<'a> {
    trace: Option<(&'a Path, Vec<u8>)>,
    trace_is_whole: bool,
    report: Option<(&'a Path, String)>,
}

impl<'a> Products<'a> {
    fn of(arguments: &'a Simulate, simulated: &Simulated, subject: &Subject<'_>) -> Result<Self, SimError> {
        let trace = match &arguments.trace {
            Some(path) => Some((path.as_path(), simulated.trace(subject.system)?)),
            None => None,
        };
        let report = match &arguments.report {
            Some(path) => Some((path.as_path(), simulated.page(subject)?)),
            None => None,
        };
        let trace_is_whole = trace.as_ref().is_none_or(|(_, (_, whole))| *whole);
        Ok(Self { trace: trace.map(|(path, (bytes, _))| (path, bytes)), trace_is_whole, report })
    }

    fn files(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        let trace = self.trace.iter().map(|(path, bytes)| (*path, bytes.as_slice()));
        trace.chain(self.report.iter().map(|(path, page)| (*path, page.as_bytes())))
    }
}

fn show(subject: &Subject<'_>, simulated: &Simulated, products: &Products<'_>, output: &mut Output) -> Status {
    for (path, content) in products.files() {
        if let Err(error) = files::write(path, content) {
            return output.failed(format!("cannot write `{}`: {error}", path.display()));
        }
    }
    let (system, analysed, outcome) = (subject.system, subject.analysed, &simulated.outcome);
    let seen = fusee_sim::diagnostics(system, outcome, &|origin| subject.loaded.origins.span(origin));
    output.json(|| {
        let mut value = json(system, &analysed.analysis, outcome);
        value["how"] = simulated.how().into();
        value["files"] = products.files().map(|(path, _)| path.display().to_string()).collect();
        let diagnostics: Vec<_> = analysed.diagnostics.iter().chain(&seen).cloned().collect();
        value["diagnostics"] = render::json(&diagnostics, &subject.loaded.sources);
        value
    });
    let diagnostics: Vec<_> = subject.loaded.diagnostics.iter().chain(&seen).cloned().collect();
    output.diagnostics(&diagnostics, &subject.loaded.sources);
    output.text(table(system, analysed, outcome));
    output.text(format!("\n{}", summary(system, &analysed.analysis, simulated)));
    if !products.trace_is_whole {
        output.text("the trace shows the time around the worst response: the whole run is too long\n");
    }
    products.files().for_each(|(path, _)| output.wrote(path));
    let fine = outcome.misses() == 0 && exceeded(&analysed.analysis, outcome).next().is_none();
    if fine { Status::Fine } else { Status::Missed }
}

/// The same shape of result where nothing could be simulated.
fn not_simulated(loaded: &Loaded, output: &mut Output) -> Status {
    output.json(|| {
        json!({
            "system": loaded.system.as_ref().map(|(system, _)| &system.name),
            "tasks": [],
            "gates": [],
            "events": 0,
            "virtual_ns": 0,
            "diagnostics": render::json(&loaded.diagnostics, &loaded.sources),
        })
    });
    output.diagnostics(&loaded.diagnostics, &loaded.sources);
    Status::BadInput
}

/// Tasks that took longer than what is promised: there must never be one.
fn exceeded<'a>(analysis: &'a Analysis, outcome: &'a Outcome) -> impl Iterator<Item = usize> + 'a {
    let pairs = analysis.tasks.iter().zip(&outcome.tasks).enumerate();
    pairs
        .filter(|(_, (promised, seen))| promised.response().is_some_and(|bound| seen.response_max > bound))
        .map(|(i, _)| i)
}

/// A run for programs.
pub(crate) fn json(system: &System, analysis: &Analysis, outcome: &Outcome) -> Value {
    let tasks = system.tasks.iter().zip(&analysis.tasks).zip(&outcome.tasks);
    let tasks = tasks.map(|((task, promised), seen)| {
        let completed = seen.jobs > 0;
        json!({
            "name": task.name,
            "jobs": seen.jobs,
            "misses": seen.misses,
            "response_max_ns": completed.then_some(seen.response_max.ns()),
            "response_mean_ns": seen.response_mean().map(|mean| mean.ns()),
            "response_bound_ns": promised.response().map(|bound| bound.ns()),
            "deadline_ns": promised.deadline.map(|deadline| deadline.ns()),
            "blocking_max_ns": seen.blocking_max.ns(),
            "preemptions": seen.preemptions,
            "budget_overruns": seen.overruns,
            "lost": seen.lost,
            "unfinished": seen.unfinished,
        })
    });
    let gates = system.gates.iter().zip(&outcome.gates).map(|(gate, seen)| {
        json!({
            "name": gate.name,
            "invocations": seen.invocations,
            "contended": seen.contended,
            "longest_wait_ns": seen.longest_wait.ns(),
        })
    });
    json!({
        "system": system.name,
        "tasks": tasks.collect::<Vec<_>>(),
        "gates": gates.collect::<Vec<_>>(),
        "events": outcome.events,
        "virtual_ns": outcome.elapsed.ns(),
        "busy_ns": outcome.busy.ns(),
        "kernel_ns": outcome.kernel.ns(),
        "utilisation_ppm": outcome.utilisation_ppm(),
        "refused": outcome.refused,
        "bounds_exceeded": exceeded(analysis, outcome).map(|i| system.tasks[i].name.as_str()).collect::<Vec<_>>(),
    })
}

/// Tasks by priority, the highest first, what was seen beside what is promised.
pub(crate) fn table(system: &System, analysed: &Analysed, outcome: &Outcome) -> Table {
    let mut table = Table::new(&[
        ("task", Side::Left),
        ("jobs", Side::Right),
        ("misses", Side::Right),
        ("mean", Side::Right),
        ("longest", Side::Right),
        ("bound", Side::Right),
        ("deadline", Side::Right),
        ("blocking", Side::Right),
        ("preemptions", Side::Right),
        ("verdict", Side::Left),
    ]);
    let mut order: Vec<usize> = (0..system.tasks.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(system.tasks[i].priority.value));
    for i in order {
        let (promised, seen) = (&analysed.analysis.tasks[i], &outcome.tasks[i]);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        table.row([
            system.tasks[i].name.clone(),
            seen.jobs.to_string(),
            seen.misses.to_string(),
            or_dash(seen.response_mean().map(rounded)),
            or_dash((seen.jobs > 0).then(|| seen.response_max.to_string())),
            or_dash(promised.response().map(|bound| bound.to_string())),
            or_dash(promised.deadline.map(|deadline| deadline.to_string())),
            seen.blocking_max.to_string(),
            seen.preemptions.to_string(),
            word(promised.response().is_some_and(|bound| seen.response_max > bound), seen),
        ]);
    }
    table
}

fn word(exceeded: bool, seen: &TaskOutcome) -> String {
    match seen {
        _ if exceeded => bad("above its bound"),
        seen if seen.misses > 0 => bad("missed"),
        seen if seen.jobs == 0 => "no job completed".to_owned(),
        _ => good("met"),
    }
}

/// A mean in whole microseconds if it is long: more digits say nothing.
fn rounded(mean: fusee_model::Duration) -> String {
    let step = if mean.ns() >= 1_000_000 { 1000 } else { 1 };
    fusee_model::Duration(mean.ns() / step * step).to_string()
}

/// The run in a line or two.
pub(crate) fn summary(system: &System, analysis: &Analysis, simulated: &Simulated) -> String {
    let outcome = &simulated.outcome;
    let percent = outcome.utilisation_ppm() / 10_000;
    let verdict = match outcome.misses() {
        0 => good("no deadline missed"),
        1 => bad("1 deadline missed"),
        misses => bad(&format!("{misses} deadlines missed")),
    };
    let mut text = format!(
        "{}: {verdict} in {} ({}; {percent} % busy, {} kernel events)\n",
        system.name,
        outcome.elapsed,
        simulated.how(),
        outcome.events
    );
    for task in exceeded(analysis, outcome) {
        let name = &system.tasks[task].name;
        text += &bad(&format!("`{name}` took longer than its bound: this is a defect of Fusee, please report it\n"));
    }
    text
}
