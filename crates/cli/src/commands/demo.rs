//! The Mars Pathfinder's priority inversion, found and repaired.

use fusee_diagnostics::SourceMap;
use fusee_pipeline::demo::{self, Both, FOLDER, Half, OnMachine};
use fusee_pipeline::problem::Problem;
use fusee_pipeline::status::Status;
use fusee_platform::Platform;

use crate::commands::run::summary;
use crate::commands::{analyze, simulate};
use crate::output::{Output, bad, good};
use crate::verdict::{self, Tasks, rounded_up};
use fusee_report::table::{Table, left, right};

/// Shows both halves; fine if the first fails and the second holds.
pub(crate) fn run(output: &mut Output) -> Status {
    let simulated = match demo::simulated() {
        Ok(simulated) => simulated,
        Err(sentence) => return output.failed(sentence),
    };
    let machines = demo::booted();
    let booted = machines.as_ref().ok();
    let Both { flown, repaired } = &simulated;
    output.json(|| demo::json(&simulated, booted));
    output.text(
        "Mars Pathfinder, 1997. The tasks of the lander share an information bus, one at a time.\n\
         Days after landing it began to reset itself.\n\n",
    );
    output.text(format!(
        "As it flew: first come, first served ({FOLDER}/fifo.camkes)\n\n{}\n",
        tables(flown)
    ));
    output.text(format!(
        "Repaired: who is inside inherits ({FOLDER}/inherited.camkes)\n\n{}\n",
        tables(repaired)
    ));
    output.text(format!("fifo:      {}\n{}", verdict(flown), inversion(flown)));
    output.text(format!("inherited: {}\n\n", verdict(repaired)));
    for file in flown.files.iter().chain(&repaired.files) {
        output.wrote(file);
    }
    show_machines(&machines, output);
    if demo::is_as_it_should(&simulated, booted) { Status::Fine } else { Status::Missed }
}

/// The booted halves, or why there are none.
fn show_machines(machines: &Result<Both<OnMachine>, Problem>, output: &mut Output) {
    let platform = Platform::DEFAULT;
    match machines {
        Ok(Both { flown, repaired }) => {
            let shown = |one: &OnMachine| format!("{}\n{}", table(one), summary(&one.seen()));
            output.text(format!(
                "Booted on {platform}, each component in an address space of its own, 2 s:\n\n\
                 fifo\n{}\ninherited\n{}\n",
                shown(flown),
                shown(repaired)
            ));
        }
        Err(problem) => {
            output.text(format!("The same lander boots on {platform} as soon as this is there:\n"));
            output.diagnostics(&problem.diagnostics, &SourceMap::default());
        }
    }
}

/// Each task's deadline and bound beside what the simulator and the machine showed.
fn table(one: &OnMachine) -> Table {
    let (tasks, promised) =
        (Tasks::by_priority(&one.promised.system), &one.promised.analysed.analysis.tasks);
    let (booted, simulated) = (&one.booted.outcome.tasks, &one.simulated.tasks);
    Table::of([
        left("task", tasks.names()),
        right("deadline", tasks.times(|task| promised[task].deadline)),
        right("bound", tasks.times(|task| promised[task].response())),
        right("observed", tasks.times(|task| Some(rounded_up(booted[task].responses.longest)))),
        right("simulated", tasks.times(|task| Some(rounded_up(simulated[task].responses.longest)))),
        right("misses", tasks.cells(|task| booted[task].misses.to_string())),
        left("verdict", tasks.cells(|task| verdict::word(&one.verdict.tasks[task]))),
    ])
}

fn tables(half: &Half) -> String {
    let analysed = analyze::table(&half.system, &half.analysed.analysis);
    let seen = simulate::table(&half.system, &half.verdict, &half.simulated.outcome);
    let summary = simulate::summary(&half.system, &half.verdict, &half.simulated);
    format!("{analysed}\n{seen}\n{summary}")
}

/// Returns the inversion with its three tasks, and the repair.
fn inversion(half: &Half) -> String {
    let found = half.inversions().map(|found| format!("           priority inversion: {found}\n"));
    let repairs = half.repairs().map(|change| format!("           repair: `{change};`\n"));
    found.chain(repairs).collect()
}

fn verdict(half: &Half) -> String {
    let promised = match half.without_bound().as_slice() {
        [] if half.schedulable() => good("every deadline holds"),
        [] => bad("not every deadline holds"),
        names => bad(&format!("no bound for {}", names.join(", "))),
    };
    let seen = match half.misses() {
        0 => good("0 misses in simulation"),
        1 => bad("1 miss in simulation"),
        misses => bad(&format!("{misses} misses in simulation")),
    };
    format!("{promised}; {seen}")
}
