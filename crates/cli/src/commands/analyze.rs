//! Does every deadline hold, by how much, and why not?

use fusee_bounds::{Analysis, Growth, TaskBound};
use fusee_diagnostics::render;
use fusee_model::{System, Task};
use serde_json::{Value, json};

use crate::analysis::{Analysed, analyse, repairs_json};
use crate::args::Analyze;
use crate::completed::{self, Completed};
use crate::load::Loaded;
use crate::methods;
use crate::output::{Output, bad, good};
use crate::status::Status;
use crate::table::{Side, Table};
use crate::time::signed;
use crate::{costs, gates};

/// Prints a bound for each task, and what stands in the way of a guarantee.
pub(crate) fn run(arguments: &Analyze, output: &mut Output) -> Status {
    let costs = match costs::table(&arguments.platform) {
        Ok(costs) => costs,
        Err(diagnostic) => return not_analysed(&Loaded::nothing(*diagnostic), output),
    };
    let (platform, programs) = (arguments.platform.platform, arguments.programs.as_deref());
    let Completed { loaded, proved } = completed::with_programs(&arguments.source, platform, &costs, programs);
    let Some((system, derived)) = loaded.usable() else {
        return not_analysed(&loaded, output);
    };
    let mut analysed = analyse(&loaded, system, derived, &costs);
    if arguments.sensitivity {
        analysed.find_growths(system, derived, &costs);
    }
    let Analysed { analysis, repairs, growths, diagnostics } = analysed;
    output.json(|| {
        let mut value = json!(fusee_bounds::summary(system, derived, &analysis));
        value["gates"] = gates::json(system, derived);
        value["origins"] = methods::origins_json(system, &costs, &proved);
        value["repairs"] = repairs_json(system, &repairs);
        if arguments.sensitivity {
            value["sensitivity"] = growths_json(system, &growths);
        }
        value["diagnostics"] = render::json(&diagnostics, &loaded.sources);
        value
    });
    output.diagnostics(&diagnostics, &loaded.sources);
    output.text(table(system, &analysis));
    if arguments.sensitivity {
        output.text(format!("\n{}", growths_table(system, &growths)));
    }
    output.text(format!("\n{}", verdict(system, &analysis)));
    if analysis.is_schedulable() { Status::Fine } else { Status::Missed }
}

fn growths_json(system: &System, growths: &[Growth]) -> Value {
    let growths = growths.iter().map(|growth| {
        json!({
            "body": growth.body.name(system),
            "wcet_ns": growth.now.ns(),
            "wcet_most_ns": growth.most.map(|most| most.ns()),
        })
    });
    growths.collect()
}

/// How long each body may take before a guarantee is lost.
fn growths_table(system: &System, growths: &[Growth]) -> Table {
    let mut table = Table::new(&[("own execution of", Side::Left), ("now", Side::Right), ("at most", Side::Right)]);
    for growth in growths {
        let most = growth.most.map_or("any".to_owned(), |most| most.to_string());
        table.row([growth.body.name(system), growth.now.to_string(), most]);
    }
    table
}

/// The same shape of result where nothing could be analysed.
fn not_analysed(loaded: &Loaded, output: &mut Output) -> Status {
    output.json(|| {
        json!({
            "system": loaded.system.as_ref().map(|(system, _)| &system.name),
            "schedulable": false,
            "tasks": [],
            "gates": [],
            "diagnostics": render::json(&loaded.diagnostics, &loaded.sources),
        })
    });
    output.diagnostics(&loaded.diagnostics, &loaded.sources);
    Status::BadInput
}

/// Tasks by priority, the highest first.
pub(crate) fn table(system: &System, analysis: &Analysis) -> Table {
    let mut table = Table::new(&[
        ("task", Side::Left),
        ("priority", Side::Right),
        ("period", Side::Right),
        ("deadline", Side::Right),
        ("wcet", Side::Right),
        ("blocking", Side::Right),
        ("bound", Side::Right),
        ("slack", Side::Right),
        ("verdict", Side::Left),
    ]);
    let mut tasks: Vec<&TaskBound> = analysis.tasks.iter().collect();
    tasks.sort_by_key(|task| std::cmp::Reverse(system.task(task.task).priority.value));
    for bound in tasks {
        table.row(row(system.task(bound.task), bound));
    }
    table
}

fn row(task: &Task, bound: &TaskBound) -> [String; 9] {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let details = bound.bound.as_ref().ok();
    [
        task.name.clone(),
        task.priority.value.to_string(),
        or_dash(task.release.as_ref().map(|release| release.period.value.to_string())),
        or_dash(bound.deadline.map(|deadline| deadline.to_string())),
        or_dash(bound.wcet.map(|wcet| wcet.to_string())),
        or_dash(details.map(|details| details.blocking_time().to_string())),
        or_dash(bound.response().map(|response| response.to_string())),
        or_dash(bound.slack().map(signed)),
        match (&bound.deadline, &bound.bound) {
            (None, _) => "not analysed".to_owned(),
            (Some(_), Err(_)) => bad("no bound"),
            (Some(_), Ok(_)) if bound.is_schedulable() => good("holds"),
            (Some(_), Ok(_)) => bad("not guaranteed"),
        },
    ]
}

fn verdict(system: &System, analysis: &Analysis) -> String {
    let analysed = analysis.tasks.iter().filter(|task| task.deadline.is_some()).count();
    let failed = analysis.tasks.iter().filter(|task| !task.is_schedulable()).count();
    match failed {
        0 => format!("{}: {} ({analysed} tasks)\n", system.name, good("every deadline holds")),
        1 => format!("{}: {}\n", system.name, bad(&format!("1 of {analysed} deadlines is not guaranteed"))),
        _ => format!("{}: {}\n", system.name, bad(&format!("{failed} of {analysed} deadlines are not guaranteed"))),
    }
}
