//! Do random task sets keep their bounds on the machine?

use fusee_measure::{Row, Summary, TaskSet};
use fusee_pipeline::campaign;
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::args::Campaign;
use crate::output::{Output, bad, good};
use fusee_report::table::{Side, Table};

/// Runs what is left of the campaign and shows all of it.
pub(crate) fn run(arguments: &Campaign, output: &mut Output) -> Status {
    let mut sets = TaskSet::all(arguments.scale);
    sets.truncate(arguments.sets.into());
    match campaign::run(&arguments.folder, &sets) {
        Ok(rows) => show(arguments, &sets, &rows, output),
        Err(problem) => output.problem(problem, || json!({ "sets": [], "held": null })),
    }
}

fn show(arguments: &Campaign, sets: &[TaskSet], rows: &[Row], output: &mut Output) -> Status {
    let defects: Vec<String> = rows.iter().flat_map(campaign::defects).collect();
    output.json(|| campaign::json(sets, rows, &defects));
    output.text(table(sets, rows));
    output.text(format!("\n{}", summary(sets, rows, &defects)));
    for defect in &defects {
        output.text(format!("{defect}\n"));
    }
    output.wrote(&campaign::path(&arguments.folder));
    if defects.is_empty() { Status::Fine } else { Status::Missed }
}

/// Returns a row for each utilization.
fn table(sets: &[TaskSet], rows: &[Row]) -> Table {
    let right = |name| (name, Side::Right);
    let mut table = Table::new(&[
        right("utilisation"),
        right("config1"),
        right("config2"),
        right("config3"),
        right("config4"),
        right("no miss"),
        right("jobs"),
        right("observed / bound"),
    ]);
    for tenths in 1..=10 {
        let summary = Summary::of(rows, sets, Some(tenths));
        let ran: u64 = summary.sets.iter().sum();
        if ran == 0 {
            continue;
        }
        let promised = (0..4).map(|i| format!("{} of {}", summary.schedulable[i], summary.sets[i]));
        let whole = [
            format!("{} of {ran}", summary.met),
            summary.jobs.to_string(),
            format!("{:.3}", summary.tightest),
        ];
        let utilisation = format!("{}.{}", tenths / 10, tenths % 10);
        table.row([utilisation].into_iter().chain(promised).chain(whole));
    }
    table
}

/// Returns the campaign in a few lines.
fn summary(sets: &[TaskSet], rows: &[Row], defects: &[String]) -> String {
    let Summary { sets: ran, schedulable, met, jobs, outside, .. } = Summary::of(rows, sets, None);
    let (ran, promised) = (ran.iter().sum::<u64>(), schedulable.iter().sum::<u64>());
    let verdict = match defects.len() {
        0 => good("every promise held"),
        1 => bad("1 promise was broken"),
        many => bad(&format!("{many} promises were broken")),
    };
    let further =
        rows.iter().filter(|row| row.tasks.iter().any(|task| !task.others.is_empty())).count();
    format!(
        "{ran} sets, {jobs} jobs: the analysis promises {promised}, {met} missed no deadline; \
         {verdict}\n\
         all components were stubs: drawn sets have times and no code;\n\
         at most {:.0} % of the difference that kernel time explains lay outside of what the \
         simulations span;\n\
         in {further} sets kernel times decide who comes first to a gate, which further \
         simulations show\n",
        outside * 100.0
    )
}
