//! Does it do on a machine what was promised?

use fusee_diagnostics::render;
use fusee_model::Duration;
use fusee_pipeline::elf::is_elf;
use fusee_pipeline::kernel::Refused;
use fusee_pipeline::options::Place;
use fusee_pipeline::run::{self, Seen, Trial};
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::args::RunSystem;
use crate::chains;
use crate::junit::Cases;
use crate::output::Output;
use crate::verdict::{self, Tasks, rounded_up};
use fusee_report::table::{Table, left, right};

/// Builds, boots and compares.
pub(crate) fn run(arguments: &RunSystem, output: &mut Output) -> Status {
    let asked = arguments.asked();
    let on_machine = is_elf(&asked.source.system) || asked.place() != Place::Simulator;
    if let Some(port) = arguments.gdb.filter(|_| on_machine) {
        let ready = |command: &str| {
            output.text(format!(
                "waiting for a debugger; in another terminal:\n\n    {command}\n\nCtrl-C ends the \
                 machine\n"
            ));
        };
        let debugged = run::debug(&asked, port, ready);
        return debugged.map_or_else(|why| refused(&why, output), |()| Status::Fine);
    }
    match run::run(&asked) {
        Ok(trial) => {
            let seen = trial.seen();
            let cases = Cases::of_run(seen.system, seen.verdict, &trial.sources);
            cases.before(arguments.junit.as_ref(), output, |output| show(&trial, output))
        }
        Err(why) => {
            let of = &asked.source.system;
            let cases = Cases::of_nothing(of, &why.problem.diagnostics, &why.sources);
            cases.before(arguments.junit.as_ref(), output, |output| refused(&why, output))
        }
    }
}

/// The same form of result where nothing could be run.
fn refused(why: &Refused, output: &mut Output) -> Status {
    let diagnostics = &why.problem.diagnostics;
    output.json_of(&why.sources, || {
        let diagnostics = render::json(diagnostics, &why.sources);
        json!({
            "tasks": [],
            "bounds_held": null,
            "deadlines_held": null,
            "diagnostics": diagnostics,
        })
    });
    output.diagnostics(diagnostics, &why.sources);
    why.problem.status
}

fn show(trial: &Trial, output: &mut Output) -> Status {
    if let Err(sentence) = output.write(&trial.products) {
        return output.failed(sentence);
    }
    let seen = trial.seen();
    output.json_of(&trial.sources, || trial.json());
    output.diagnostics(trial.diagnostics(), &trial.sources);
    if let Some(booted) = seen.booted {
        output.text(booted.printed());
    }
    output.text(table(&seen));
    output.text(chains::text(&seen.verdict.chains));
    output.text(format!("\n{}", summary(&seen)));
    fusee_pipeline::verdict::status(seen.verdict)
}

/// Tasks by priority, the highest first, what was seen beside what is promised.
pub(crate) fn table(run: &Seen<'_>) -> Table {
    let (system, verdict, tasks) = (run.system, run.verdict, Tasks::by_priority(run.system));
    let seen = |task: usize| &run.outcome.tasks[task];
    let timed = verdict.timed;
    let longest = |task: usize| {
        (timed && seen(task).jobs > 0).then(|| rounded_up(seen(task).responses.longest))
    };
    let misses = |task: usize| match timed {
        true => seen(task).misses.to_string(),
        false => "-".to_owned(),
    };
    let deadline = |task: usize| -> Option<Duration> { Some(system.tasks[task].deadline?.value) };
    Table::of([
        left("task", tasks.names()),
        right("jobs", tasks.cells(|task| seen(task).jobs.to_string())),
        right("misses", tasks.cells(misses)),
        right("deadline", tasks.times(deadline)),
        right("bound", tasks.times(|task| verdict.tasks[task].bound)),
        right("longest", tasks.times(longest)),
        left("verdict", tasks.cells(|task| verdict::word(&verdict.tasks[task]))),
    ])
}

/// Returns the run in a line.
pub(crate) fn summary(run: &Seen<'_>) -> String {
    verdict::line(run.system, run.verdict) + "\n"
}
