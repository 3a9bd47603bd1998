//! What does it look like in time?

use std::path::Path;

use fusee_diagnostics::render;
use fusee_model::{Duration, System};
use fusee_pipeline::analyze::analyse;
use fusee_pipeline::complete::{self, Completed};
use fusee_pipeline::load::Loaded;
use fusee_pipeline::methods::{self, Proved};
use fusee_pipeline::simulate::{self, Simulated, Subject};
use fusee_pipeline::status::Status;
use fusee_pipeline::{estimate, files};
use fusee_report::verdict::Verdict;
use fusee_sim::{Outcome, SimError};
use serde_json::{Value, json};

use crate::args::Simulate;
use crate::chains;
use crate::output::Output;
use crate::table::{Side, Table};
use crate::verdict;

/// Simulates a system and compares what was seen with what is promised.
pub(crate) fn run(arguments: &Simulate, output: &mut Output) -> Status {
    let costs = match arguments.platform.costs() {
        Ok(costs) => costs,
        Err(diagnostic) => return not_simulated(&Loaded::nothing(*diagnostic), output),
    };
    let (platform, programs) =
        (arguments.platform.platform.machine(), arguments.programs.as_deref());
    let Completed { mut loaded, proved } =
        complete::with_programs(&arguments.source.chosen(), platform, &costs, programs);
    let Some((system, derived)) = loaded.usable() else {
        return not_simulated(&loaded, output);
    };
    let costs = costs.of(system.policy());
    let mut analysed = analyse(&loaded, system, derived, costs);
    if arguments.sensitivity {
        analysed.find_growths(system, derived, costs);
    }
    let subject = Subject { loaded: &loaded, system, derived, analysed: &analysed };
    estimate::simulation(system, arguments.run.duration)
        .into_iter()
        .for_each(|text| output.aside(text));
    let made = simulate::run(system, &arguments.run.chosen(), costs).and_then(|simulated| {
        let products = Products::of(arguments, &simulated, &subject)?;
        Ok((simulated, products))
    });
    match made {
        Ok((simulated, products)) => show(&subject, (&simulated, &proved), &products, output),
        Err(error) => {
            let diagnostic = subject.diagnostic(&error);
            loaded.diagnostics.push(diagnostic);
            not_simulated(&loaded, output);
            if matches!(error, SimError::Refused { .. }) {
                Status::ToolFailed
            } else {
                Status::BadInput
            }
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
    fn of(
        arguments: &'a Simulate,
        simulated: &Simulated,
        subject: &Subject<'_>,
    ) -> Result<Self, SimError> {
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

fn show(
    subject: &Subject<'_>,
    (simulated, proved): (&Simulated, &Proved),
    products: &Products<'_>,
    output: &mut Output,
) -> Status {
    for (path, content) in products.files() {
        if let Err(error) = files::write(path, content) {
            return output.failed(format!("cannot write `{}`: {error}", path.display()));
        }
    }
    let (system, analysed, outcome) = (subject.system, subject.analysed, &simulated.outcome);
    let verdict = simulated.verdict(subject);
    output.json(|| {
        let mut value = json(system, &verdict, outcome);
        value["how"] = simulated.how().into();
        value["origins"] = methods::origins_json(system, simulated.costs(), proved);
        value["files"] = products.files().map(|(path, _)| path.display().to_string()).collect();
        let diagnostics: Vec<_> =
            analysed.diagnostics.iter().chain(&verdict.findings).cloned().collect();
        value["diagnostics"] = render::json(&diagnostics, &subject.loaded.sources);
        value
    });
    let diagnostics: Vec<_> =
        subject.loaded.diagnostics.iter().chain(&verdict.findings).cloned().collect();
    output.diagnostics(&diagnostics, &subject.loaded.sources);
    output.text(table(system, &verdict, outcome));
    output.text(chains::text(&verdict.chains));
    output.text(format!("\n{}", summary(system, &verdict, simulated)));
    if !products.trace_is_whole {
        output.text(
            "the trace shows the time around the worst response: the whole run is too long\n",
        );
    }
    products.files().for_each(|(path, _)| output.wrote(path));
    verdict::status(&verdict)
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

/// A run for programs.
pub(crate) fn json(system: &System, verdict: &Verdict, outcome: &Outcome) -> Value {
    let tasks = system.tasks.iter().zip(&verdict.tasks).zip(&outcome.tasks);
    let tasks = tasks.map(|((task, judged), seen)| {
        let mut value = json!({
            "name": task.name,
            "jobs": seen.jobs,
            "misses": seen.misses,
            "response_max_ns": (seen.jobs > 0).then_some(seen.response_max.ns()),
            "response_mean_ns": seen.response_mean().map(|mean| mean.ns()),
            "response_bound_ns": judged.bound.map(|bound| bound.ns()),
            "deadline_ns": task.deadline.map(|deadline| deadline.value.ns()),
            "blocking_max_ns": seen.blocking_max.ns(),
            "preemptions": seen.preemptions,
            "budget_overruns": seen.overruns,
        });
        verdict::task_json(seen, &mut value);
        value
    });
    let gates = system.gates.iter().zip(&outcome.gates).map(|(gate, seen)| {
        json!({
            "name": gate.name,
            "invocations": seen.invocations,
            "contended": seen.contended,
            "longest_wait_ns": seen.longest_wait.ns(),
        })
    });
    let exceeded = system.tasks.iter().zip(&verdict.tasks).filter(|(_, judged)| judged.exceeded());
    let mut value = json!({
        "system": system.name,
        "tasks": tasks.collect::<Vec<_>>(),
        "gates": gates.collect::<Vec<_>>(),
        "events": outcome.events,
        "virtual_ns": outcome.elapsed.ns(),
        "busy_ns": outcome.busy.ns(),
        "kernel_ns": outcome.kernel.ns(),
        "utilisation_ppm": outcome.utilisation_ppm(),
        "bounds_exceeded": exceeded.map(|(task, _)| task.name.as_str()).collect::<Vec<_>>(),
    });
    verdict::describe(system, (verdict, outcome), &mut value);
    value
}

/// Tasks by priority, the highest first, what was seen beside what is promised.
pub(crate) fn table(system: &System, verdict: &Verdict, outcome: &Outcome) -> Table {
    let right = |name| (name, Side::Right);
    let mut table = Table::new(&[
        ("task", Side::Left),
        right("jobs"),
        right("misses"),
        right("mean"),
        right("longest"),
        right("bound"),
        right("deadline"),
        right("blocking"),
        right("preemptions"),
        ("verdict", Side::Left),
    ]);
    let mut order: Vec<usize> = (0..system.tasks.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(system.tasks[i].priority.value));
    let of = |time: &dyn Fn(usize) -> Option<Duration>| {
        verdict::times(&order.iter().map(|&i| time(i)).collect::<Vec<_>>())
    };
    let columns = [
        of(&|i| outcome.tasks[i].response_mean().map(rounded)),
        of(&|i| (outcome.tasks[i].jobs > 0).then_some(outcome.tasks[i].response_max)),
        of(&|i| verdict.tasks[i].bound),
        of(&|i| system.tasks[i].deadline.map(|deadline| deadline.value)),
        of(&|i| Some(outcome.tasks[i].blocking_max)),
    ];
    for (row, &i) in order.iter().enumerate() {
        let seen = &outcome.tasks[i];
        let mut cells =
            vec![system.tasks[i].name.clone(), seen.jobs.to_string(), seen.misses.to_string()];
        cells.extend(columns.iter().map(|column| column[row].clone()));
        cells.extend([seen.preemptions.to_string(), verdict::word(&verdict.tasks[i])]);
        table.row(cells);
    }
    table
}

/// A mean in whole microseconds if it is long: more digits say nothing.
fn rounded(mean: Duration) -> Duration {
    let step = if mean.ns() >= 1_000_000 { 1000 } else { 1 };
    Duration(mean.ns() / step * step)
}

/// The run in a line.
pub(crate) fn summary(system: &System, verdict: &Verdict, simulated: &Simulated) -> String {
    let outcome = &simulated.outcome;
    format!(
        "{} ({}; {} % busy, {} kernel events)\n",
        verdict::line(system, verdict),
        simulated.how(),
        outcome.utilisation_ppm() / 10_000,
        outcome.events
    )
}
