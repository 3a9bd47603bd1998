//! Does every deadline hold, by how much, and why not?

use fusee_bounds::{Analysis, Bound, Growth, SupplyBound, TaskBound};
use fusee_model::{Duration, Policy, System, Task};
use fusee_pipeline::analysed::Analysed;
use fusee_pipeline::analyze::{self, Promised};
use fusee_pipeline::status::Status;
use fusee_report::verdict::{ChainVerdict, Mood};

use super::refusal;
use crate::args::Analyze;
use crate::chains;
use crate::junit::Cases;
use crate::output::{Output, bad, good};
use crate::verdict::times;
use fusee_report::signed::signed_times;
use fusee_report::table::{Side, Table};

/// Prints a bound for each task, and what stands in the way of a guarantee.
pub(crate) fn run(arguments: &Analyze, output: &mut Output) -> Status {
    if let Some(asked) = arguments.comparison() {
        return super::compare::run(&asked, output);
    }
    let asked = arguments.asked();
    let promised = match analyze::run(&asked) {
        Ok(promised) => promised,
        Err(loaded) => {
            let of = &asked.source.system;
            let cases = Cases::of_nothing(of, &loaded.diagnostics, &loaded.sources);
            let show = |output: &mut Output| refusal::not_analysed(&loaded, output);
            return cases.before(arguments.junit.as_ref(), output, show);
        }
    };
    let chains = promised.chains();
    let cases = Cases::of_analysis(&promised.system, &promised.analysed.analysis, &chains);
    cases.before(arguments.junit.as_ref(), output, |output| show(&promised, &asked, output))
}

fn show(promised: &Promised, asked: &analyze::Asked, output: &mut Output) -> Status {
    let Promised { system, analysed, loaded, .. } = promised;
    let Analysed { analysis, growths, diagnostics, .. } = analysed;
    let chains = promised.chains();
    output.json_of(&loaded.sources, || promised.json(asked));
    output.diagnostics(diagnostics, &loaded.sources);
    output.text(table(system, analysis));
    output.text(chains::text(&chains));
    if !analysis.supplies.is_empty() {
        output.text(format!("\n{}", supplies_table(system, analysis)));
    }
    if asked.sensitivity {
        output.text(format!("\n{}", growths_table(system, growths)));
    }
    let condition = if asked.offsets { "with the offsets of the description, " } else { "" };
    output.text(format!("\n{}", verdict(system, analysis, &chains, condition)));
    output.text(trusted(promised));
    if analysis.is_schedulable() { Status::Fine } else { Status::Missed }
}

/// Returns lines that say which promises rest on written words that no program confirms.
pub(crate) fn trusted(promised: &Promised) -> String {
    let phrases = promised.compared.word().phrases().into_iter();
    let lines = phrases.map(|phrase| match phrase.mood {
        Mood::Bad => format!("{}: {}\n", promised.system.name, bad(&phrase.text)),
        _ => format!("{}: {}\n", promised.system.name, phrase.text),
    });
    lines.collect()
}

/// Returns the table of the time that schedulers' tables give, and of what its receivers can take
/// from others.
fn supplies_table(system: &System, analysis: &Analysis) -> Table {
    let mut table = Table::new(&[
        ("time of", Side::Left),
        ("at least", Side::Right),
        ("in any", Side::Right),
        ("without", Side::Right),
        ("interference", Side::Right),
    ]);
    let column = |time: fn(&SupplyBound) -> Option<Duration>| {
        times(&analysis.supplies.iter().map(time).collect::<Vec<_>>())
    };
    let columns = [
        column(|own| Some(own.least)),
        column(|own| Some(own.every)),
        column(|own| Some(own.gap)),
        column(|own| own.interference),
    ];
    for (at, own) in analysis.supplies.iter().enumerate() {
        let name = system.task(own.task).name.clone();
        table.row([name].into_iter().chain(columns.iter().map(|column| column[at].clone())));
    }
    table
}

/// Returns the table of the times that bodies may take before a guarantee is lost.
fn growths_table(system: &System, growths: &[Growth]) -> Table {
    let mut table = Table::new(&[
        ("own execution of", Side::Left),
        ("now", Side::Right),
        ("at most", Side::Right),
    ]);
    let now = times(&growths.iter().map(|growth| Some(growth.now)).collect::<Vec<_>>());
    let most = times(&growths.iter().map(|growth| growth.most).collect::<Vec<_>>());
    for ((growth, now), most) in growths.iter().zip(now).zip(most) {
        table.row([
            growth.body.name(system),
            now,
            if growth.most.is_none() { "any".to_owned() } else { most },
        ]);
    }
    table
}

/// Tasks by priority, the highest first; where deadlines decide, by these, the shortest first.
pub(crate) fn table(system: &System, analysis: &Analysis) -> Table {
    // Who has one core need not be told of it.
    let several = system.tasks.iter().any(|task| task.core > 0);
    let core = several.then_some(("core", Side::Right));
    let waiting = several.then_some(("waiting", Side::Right));
    let first = [("task", Side::Left)].into_iter().chain(core);
    let times_of_tasks = [("priority", Side::Right), ("period", Side::Right)].into_iter().chain([
        ("deadline", Side::Right),
        ("wcet", Side::Right),
        ("blocking", Side::Right),
    ]);
    let last = [("bound", Side::Right), ("slack", Side::Right), ("verdict", Side::Left)];
    let heads: Vec<_> = first.chain(times_of_tasks).chain(waiting).chain(last).collect();
    let mut table = Table::new(&heads);
    let mut tasks: Vec<&TaskBound> = analysis.tasks.iter().collect();
    // Priorities first; those that deadlines order stand behind.
    tasks.sort_by_key(|bound| {
        let task = system.task(bound.task);
        match system.policy_on(task.core) {
            Policy::FixedPriority => (false, u64::from(u8::MAX - task.priority.value)),
            Policy::EarliestDeadline => (true, bound.deadline.map_or(u64::MAX, Duration::ns)),
        }
    });
    let rows: Vec<(&Task, &TaskBound)> =
        tasks.into_iter().map(|bound| (system.task(bound.task), bound)).collect();
    let of = |time: &dyn Fn(&Task, &TaskBound) -> Option<Duration>| {
        times(&rows.iter().map(|(task, bound)| time(task, bound)).collect::<Vec<_>>())
    };
    let part = |time: fn(&Bound) -> Duration| {
        of(&|_, bound: &TaskBound| bound.bound.as_ref().ok().map(time))
    };
    let mut columns = vec![
        of(&|task, _| Some(task.release.as_ref()?.period.value)),
        of(&|_, bound| bound.deadline),
        of(&|_, bound| bound.wcet),
        part(Bound::blocking_time),
    ];
    columns.extend(several.then(|| part(Bound::all_waiting_time)));
    columns.push(of(&|_, bound| bound.response()));
    columns.push(signed_times(&rows.iter().map(|(_, bound)| bound.slack()).collect::<Vec<_>>()));
    for (at, (task, bound)) in rows.iter().enumerate() {
        let times = columns.iter().map(|column| column[at].clone());
        let priority = match system.policy_on(task.core) {
            Policy::FixedPriority => task.priority.value.to_string(),
            Policy::EarliestDeadline => "-".to_owned(),
        };
        let core = several.then(|| task.core.to_string());
        let ends = [task.name.clone()].into_iter().chain(core).chain([priority]);
        table.row(ends.chain(times).chain([word(bound)]));
    }
    table
}

fn word(bound: &TaskBound) -> String {
    match (&bound.deadline, &bound.bound) {
        (None, _) => "not analysed".to_owned(),
        (Some(_), Err(_)) => bad("no bound"),
        (Some(_), Ok(_)) if bound.is_schedulable() => good("holds"),
        (Some(_), Ok(_)) => bad("not guaranteed"),
    }
}

/// Returns the promise in a line, with the condition on which it is given. Nothing is promised of
/// tasks that are not analyzed, and the line must not sound as if it were.
fn verdict(
    system: &System,
    analysis: &Analysis,
    chains: &[ChainVerdict],
    condition: &str,
) -> String {
    let analysed = analysis.tasks.iter().filter(|task| task.deadline.is_some()).count();
    let failed = analysis.tasks.iter().filter(|task| !task.is_schedulable()).count();
    let words = match (analysed, failed) {
        (0, _) if chains.iter().any(ChainVerdict::is_limited) => {
            "no task has a deadline".to_owned()
        }
        (0, _) => {
            return format!("{}: no task has a deadline, so nothing is promised\n", system.name);
        }
        (1, 0) => good("the only deadline holds"),
        (_, 0) => format!("{} ({analysed} tasks)", good("every deadline holds")),
        (1, _) => bad("the only deadline is not guaranteed"),
        (_, 1) => bad(&format!("1 of {analysed} deadlines is not guaranteed")),
        _ => bad(&format!("{failed} of {analysed} deadlines are not guaranteed")),
    };
    let rest = match analysis.tasks.len() - analysed {
        0 => String::new(),
        1 => "; nothing is promised to 1 task without a deadline".to_owned(),
        many => format!("; nothing is promised to {many} tasks without a deadline"),
    };
    format!("{}: {condition}{words}{rest}{}\n", system.name, chains::verdict(chains))
}
