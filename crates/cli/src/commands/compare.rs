//! Shows the result of each protocol at one gate, side by side.

use fusee_bounds::TaskBound;
use fusee_pipeline::compare::{self, Compared, Fitting};
use fusee_pipeline::status::Status;
use fusee_report::table::{Side, Table};

use super::refusal;
use crate::output::{Output, bad, good};
use crate::verdict::times;

/// Prints each task's bound under each protocol that fits, and why others do not.
pub(crate) fn run(asked: &compare::Asked, output: &mut Output) -> Status {
    let compared = match compare::run(asked) {
        Ok(compared) => compared,
        Err(loaded) => return refusal::not_analysed(&loaded, output),
    };
    output.json(|| compared.json());
    output.text(table(&compared));
    output.text(format!("\n{}{}", unfit(&compared), lines(&compared)));
    output.text(format!("\n{}\n", verdict(&compared)));
    if compared.holds() { Status::Fine } else { Status::Missed }
}

/// Returns a row for each task, the most urgent first.
fn table(compared: &Compared) -> Table {
    let system = &compared.system;
    let several = system.tasks.iter().any(|task| task.core > 0);
    let core = several.then_some(("core", Side::Right));
    let names = compared.fitting.iter().map(|fitting| (fitting.protocol.name(), Side::Right));
    let heads = [("task", Side::Left)].into_iter().chain(core);
    let heads: Vec<_> = heads.chain([("deadline", Side::Right)]).chain(names).collect();
    let mut table = Table::new(&heads);
    let Some(first) = compared.fitting.first() else { return table };
    let order = compared.order();
    let deadlines: Vec<_> = order.iter().map(|&at| first.analysis.tasks[at].deadline).collect();
    let deadlines = times(&deadlines);
    let columns: Vec<Vec<String>> =
        compared.fitting.iter().map(|fitting| column(fitting, &order)).collect();
    for (row, &at) in order.iter().enumerate() {
        let task = &system.tasks[at];
        let core = several.then(|| task.core.to_string());
        let ends = [task.name.clone()].into_iter().chain(core).chain([deadlines[row].clone()]);
        table.row(ends.chain(columns.iter().map(|column| column[row].clone())));
    }
    table
}

/// A protocol's bounds; those above the deadline stand out.
fn column(fitting: &Fitting, order: &[usize]) -> Vec<String> {
    let bounds: Vec<&TaskBound> = order.iter().map(|&at| &fitting.analysis.tasks[at]).collect();
    let shown = times(&bounds.iter().map(|bound| bound.response()).collect::<Vec<_>>());
    let cell = |(bound, shown): (&&TaskBound, String)| match (bound.is_schedulable(), &bound.bound)
    {
        (true, _) => shown,
        (false, Ok(_)) => bad(&format!("{shown} late")),
        (false, Err(_)) => bad("no bound"),
    };
    bounds.iter().zip(shown).map(cell).collect()
}

/// Returns the reasons for which the other protocols do not fit.
fn unfit(compared: &Compared) -> String {
    let line = |(protocol, refusal): &(fusee_model::Protocol, fusee_diagnostics::Diagnostic)| {
        format!("{} does not fit ({}): {}\n", protocol.name(), refusal.code.0, refusal.message)
    };
    compared.unfit.iter().map(line).collect()
}

/// Returns the line to write for each protocol, and the tasks that miss then.
fn lines(compared: &Compared) -> String {
    let line = |fitting: &Fitting| {
        let missing: Vec<String> = fitting
            .missing()
            .map(|bound| format!("`{}`", compared.system.task(bound.task).name))
            .collect();
        let verdict = match missing.is_empty() {
            true => good("every deadline holds"),
            false => bad(&format!("not guaranteed: {}", missing.join(", "))),
        };
        let given = match (fitting.is_given, fitting.lets_all_in) {
            (true, _) => ", as it is",
            (_, true) => ", but all are let in at once",
            _ => "",
        };
        format!("    {} // {verdict}{given}\n", compared.line(fitting.protocol))
    };
    let lines: String = compared.fitting.iter().map(line).collect();
    format!("in the configuration, one of:\n{lines}")
}

fn verdict(compared: &Compared) -> String {
    let count = compared.fitting.iter().filter(|fitting| fitting.holds()).count();
    let gate = &compared.system.gate(compared.gate).name;
    let words = match count {
        0 => bad("every deadline holds with none of them"),
        count => good(&format!("every deadline holds with {count} of them")),
    };
    let fitting = compared.fitting.len();
    let protocols = if fitting == 1 { "protocol fits" } else { "protocols fit" };
    format!("{}: {fitting} {protocols} `{gate}`; {words}", compared.system.name)
}
