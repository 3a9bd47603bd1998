//! The Mars Pathfinder's priority inversion, found and repaired.
//!
//! The descriptions are the ones in `examples/pathfinder`; they are part of the
//! binary and are written beside the results, so that the demonstration works
//! wherever the binary does and can be changed and run again.

use std::fs;
use std::path::{Path, PathBuf};

use fusee_bounds::Obstacle;
use fusee_diagnostics::SourceMap;
use fusee_model::System;
use fusee_model::costs::CostTable;
use fusee_pipeline::analyze::{Analysed, analyse};
use fusee_pipeline::costs::Costs;
use fusee_pipeline::files;
use fusee_pipeline::load::load;
use fusee_pipeline::options::Source;
use fusee_pipeline::run::Problem;
use fusee_pipeline::simulate::{Run, Simulated, Subject};
use fusee_pipeline::status::Status;
use fusee_platform::Platform;
use fusee_report::verdict::Verdict;
use fusee_sim::{Execution, Releases};
use serde_json::{Value, json};

use crate::commands::demo_boot::{self, OnMachine};
use crate::commands::{analyze, simulate};
use crate::output::{Output, bad, good};

/// Where everything is written, in the current folder.
const FOLDER: &str = "fusee-demo";

/// The descriptions, by name.
const FILES: &[(&str, &str)] = &[
    ("components.camkes", include_str!("../../../../examples/pathfinder/components.camkes")),
    ("lander.inc", include_str!("../../../../examples/pathfinder/lander.inc")),
    ("fifo.camkes", include_str!("../../../../examples/pathfinder/fifo.camkes")),
    ("inherited.camkes", include_str!("../../../../examples/pathfinder/inherited.camkes")),
];

/// What one half of the demonstration found.
struct Half {
    system: System,
    analysed: Analysed,
    simulated: Simulated,
    verdict: Verdict,
    files: [PathBuf; 2],
}

impl Half {
    fn schedulable(&self) -> bool {
        self.analysed.analysis.is_schedulable()
    }

    fn misses(&self) -> u64 {
        self.simulated.outcome.misses()
    }
}

/// Shows both halves; fine if the first fails and the second holds.
pub(crate) fn run(output: &mut Output) -> Status {
    let folder = Path::new(FOLDER);
    let write = |&(name, text): &(&str, &str)| files::write(&folder.join(name), text.as_bytes());
    if let Err(error) = fs::create_dir_all(folder).and_then(|()| FILES.iter().try_for_each(write)) {
        return output.failed(format!("cannot write to `{FOLDER}`: {error}"));
    }
    let (flown, repaired) = match (half("fifo"), half("inherited")) {
        (Ok(flown), Ok(repaired)) => (flown, repaired),
        (Err(why), _) | (_, Err(why)) => return output.failed(why),
    };
    let machines = demo_boot::run(folder, "fifo")
        .and_then(|flown| Ok((flown, demo_boot::run(folder, "inherited")?)));
    output.json(|| {
        let machine = |machine: Option<&OnMachine>| machine.map_or(Value::Null, OnMachine::json);
        let booted = machines.as_ref().ok();
        let key = |half: &str| format!("{half}_on_{}", Platform::DEFAULT).replace('-', "_");
        json!({
            "fifo": half_json(&flown),
            "inherited": half_json(&repaired),
            (key("fifo")): machine(booted.map(|(flown, _)| flown)),
            (key("inherited")): machine(booted.map(|(_, repaired)| repaired)),
        })
    });
    output.text(
        "Mars Pathfinder, 1997. The tasks of the lander share an information bus, one at a time.\n\
         Days after landing it began to reset itself.\n\n",
    );
    output.text(format!(
        "As it flew: first come, first served ({FOLDER}/fifo.camkes)\n\n{}\n",
        tables(&flown)
    ));
    output.text(format!(
        "Repaired: who is inside inherits ({FOLDER}/inherited.camkes)\n\n{}\n",
        tables(&repaired)
    ));
    output.text(format!("fifo:      {}\n{}", verdict(&flown), inversion(&flown)));
    output.text(format!("inherited: {}\n\n", verdict(&repaired)));
    for file in flown.files.iter().chain(&repaired.files) {
        output.wrote(file);
    }
    let as_it_should = !flown.schedulable()
        && flown.misses() > 0
        && repaired.schedulable()
        && repaired.misses() == 0;
    let as_it_should = as_it_should && show_machines(&machines, output);
    if as_it_should { Status::Fine } else { Status::Missed }
}

/// The booted halves, or why there are none; whether they did what they should.
fn show_machines(machines: &Result<(OnMachine, OnMachine), Problem>, output: &mut Output) -> bool {
    match machines {
        Ok((flown, repaired)) => {
            let heading = format!(
                "Booted on {}, each component in an address space of its own, 2 s:",
                Platform::DEFAULT
            );
            let shown = |one: &OnMachine| format!("{}\n{}", one.table(), one.summary());
            output.text(format!(
                "{heading}\n\nfifo\n{}\ninherited\n{}\n",
                shown(flown),
                shown(repaired)
            ));
            flown.misses() > 0
                && repaired.misses() == 0
                && flown.bounds_held()
                && repaired.bounds_held()
        }
        Err(problem) => {
            output.text(format!(
                "The same lander boots on {} as soon as this is there:\n",
                Platform::DEFAULT
            ));
            output.diagnostics(&problem.diagnostics, &SourceMap::default());
            true
        }
    }
}

/// Analyses, simulates and reports one description.
fn half(name: &str) -> Result<Half, String> {
    let path = |ending: &str| Path::new(FOLDER).join(name).with_extension(ending);
    let source = Source::of(path("camkes"));
    let costs = CostTable::zero("sim");
    let loaded = load(&source, &Costs::nothing());
    let Some((system, derived)) = loaded.usable() else {
        return Err(format!("`fusee check {}` says what is wrong", source.system.display()));
    };
    let analysed = analyse(&loaded, system, derived, &costs);
    let run = Run {
        duration: fusee_model::Duration(10_000_000_000),
        seed: 1,
        execution: Execution::Worst,
        releases: Releases::Synchronous,
    };
    let simulated =
        fusee_pipeline::simulate::run(system, &run, &costs).map_err(|error| error.to_string())?;
    let subject = Subject { loaded: &loaded, system, derived, analysed: &analysed };
    let page = simulated.page(&subject).map_err(|error| error.to_string())?;
    let (trace, _) = simulated.trace(system).map_err(|error| error.to_string())?;
    let written = [(path("html"), page.into_bytes()), (path("pftrace"), trace)];
    for (path, content) in &written {
        files::write(path, content)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    let files = written.map(|(path, _)| path);
    let (verdict, system) = (simulated.verdict(&subject), system.clone());
    Ok(Half { system, analysed, simulated, verdict, files })
}

fn tables(half: &Half) -> String {
    let analysed = analyze::table(&half.system, &half.analysed.analysis);
    let seen = simulate::table(&half.system, &half.verdict, &half.simulated.outcome);
    let summary = simulate::summary(&half.system, &half.verdict, &half.simulated);
    format!("{analysed}\n{seen}\n{summary}")
}

/// The inversion with its three tasks, and the repair.
fn inversion(half: &Half) -> String {
    let name = |id: fusee_model::TaskId| half.system.task(id).name.as_str();
    let mut text = String::new();
    for task in &half.analysed.analysis.tasks {
        if let Err(Obstacle::Inversion { gate, victim, middle, holder }) = task.bound {
            text += &format!(
                "           priority inversion: `{}` waits for `{}` at `{}` while `{}` runs\n",
                name(victim),
                name(holder),
                half.system.gate(gate).name,
                name(middle)
            );
        }
    }
    for repair in &half.analysed.repairs {
        text += &format!("           repair: `{};`\n", repair.change.text(&half.system));
    }
    text
}

fn verdict(half: &Half) -> String {
    let without = without_bound(half);
    let promised = match without.as_slice() {
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

fn without_bound(half: &Half) -> Vec<&str> {
    let tasks = half.analysed.analysis.tasks.iter().zip(&half.system.tasks);
    tasks
        .filter(|(bound, _)| bound.response().is_none())
        .map(|(_, task)| task.name.as_str())
        .collect()
}

fn half_json(half: &Half) -> Value {
    json!({
        "schedulable": half.schedulable(),
        "without_bound": without_bound(half),
        "misses": half.misses(),
        "simulation": simulate::json(&half.system, &half.verdict, &half.simulated.outcome),
        "report": half.files[0].display().to_string(),
        "trace": half.files[1].display().to_string(),
    })
}
