//! Simulates a system, and shows it in time.

use fusee_diagnostics::render;
use fusee_model::{Duration, System};
use fusee_pipeline::commands::simulate::{self as command, Shown};
use fusee_pipeline::load::Loaded;
use fusee_pipeline::simulate::Simulated;
use fusee_pipeline::status::Status;
use fusee_report::verdict::Verdict;
use fusee_sim::Outcome;
use serde_json::json;

use crate::args::Simulate;
use crate::chains;
use crate::output::Output;
use crate::verdict::{self, Tasks};
use fusee_report::table::{Table, left, right};

/// Simulates a system and compares what was seen with what is promised.
pub(crate) fn run(arguments: &Simulate, output: &mut Output) -> Status {
    match command::simulate(&arguments.asked()) {
        Ok(shown) => show(&shown, output),
        Err(why) => {
            not_simulated(&why.loaded, output);
            why.status
        }
    }
}

fn show(shown: &Shown, output: &mut Output) -> Status {
    if let Err(sentence) = output.write(&shown.products) {
        return output.failed(sentence);
    }
    let Shown { promised, simulated, verdict, .. } = shown;
    output.json_of(&promised.loaded.sources, || shown.json());
    output.diagnostics(&shown.diagnostics(), &promised.loaded.sources);
    output.text(table(&promised.system, verdict, &simulated.outcome));
    output.text(chains::text(&verdict.chains));
    output.text(format!("\n{}", summary(&promised.system, verdict, simulated)));
    if !shown.trace_is_whole {
        output.text(
            "the trace shows the time around the worst response: the whole run is too long\n",
        );
    }
    fusee_pipeline::verdict::status(verdict)
}

/// The same shape of result where nothing could be simulated.
fn not_simulated(loaded: &Loaded, output: &mut Output) {
    output.json_of(&loaded.sources, || {
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
}

/// Tasks by priority, the highest first, what was seen beside what is promised.
pub(crate) fn table(system: &System, verdict: &Verdict, outcome: &Outcome) -> Table {
    let (tasks, seen) = (Tasks::by_priority(system), |task: usize| &outcome.tasks[task]);
    let longest = |task: usize| (seen(task).jobs > 0).then_some(seen(task).responses.longest);
    let deadline = |task: usize| -> Option<Duration> { Some(system.tasks[task].deadline?.value) };
    let core = |task: usize| system.tasks[task].core.to_string();
    // Of one core nobody needs to be told.
    let cores = (outcome.cores > 1).then(|| right("core", tasks.cells(core)));
    let columns = [
        right("jobs", tasks.cells(|task| seen(task).jobs.to_string())),
        right("misses", tasks.cells(|task| seen(task).misses.to_string())),
        right("mean", tasks.times(|task| seen(task).response_mean().map(rounded))),
        right("longest", tasks.times(longest)),
        right("bound", tasks.times(|task| verdict.tasks[task].bound)),
        right("deadline", tasks.times(deadline)),
        right("blocking", tasks.times(|task| Some(seen(task).blocking_max))),
        right("preemptions", tasks.cells(|task| seen(task).preemptions.to_string())),
        left("verdict", tasks.cells(|task| verdict::word(&verdict.tasks[task]))),
    ];
    Table::of([left("task", tasks.names())].into_iter().chain(cores).chain(columns))
}

/// Returns a mean in whole microseconds if it is long: more digits say nothing.
fn rounded(mean: Duration) -> Duration {
    let step = if mean.ns() >= 1_000_000 { 1000 } else { 1 };
    Duration(mean.ns() / step * step)
}

/// Returns the run in a line.
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
