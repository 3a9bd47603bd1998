//! Traces of runs, read by Perfetto's own decoder.

use fusee_generate::{Case, Mix, case};
use fusee_kernel::Record;
use fusee_model::{Duration, System};
use fusee_sim::{Options, Recording, simulate};
use fusee_trace::{GateName, Names, ThreadName, Urgency, draw};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs of 300 events of systems with everything, each drawn whole and from its middle on.
fn traces(folder: &Path) -> Vec<PathBuf> {
    let mix = Mix { tasks: (4, 6), gates: (4, 6), ..Mix::default() };
    let mut traces = Vec::new();
    for index in 0..40 {
        let case = case(&mix, 11, index);
        let whole = records(&case, Duration(0));
        // When the record in the middle was made: however fast a system runs, half of it is left.
        let middle = Duration(whole[whole.len() / 2].time);
        for (part, drawn) in [("whole", &whole), ("half", &records(&case, middle))] {
            let bytes = draw(&names(&case.system), drawn);
            assert_eq!(bytes, draw(&names(&case.system), drawn));
            let path = folder.join(format!("{index}-{part}.pftrace"));
            std::fs::write(&path, bytes).expect("the folder of temporary files can be written");
            traces.push(path);
        }
    }
    traces
}

/// Returns the records of a run from an instant on.
fn records(case: &Case, from: Duration) -> Vec<Record> {
    let recording = Recording::Window { from, to: Duration(u64::MAX) };
    let duration = Duration(1_000_000_000);
    let costs = case.costs.clone();
    let options = Options { duration, most_events: 300, recording, costs, ..Options::default() };
    simulate(&case.system, &options).expect("generated systems can be run").records
}

fn names(system: &System) -> Names {
    let thread = |task: &fusee_model::Task| {
        let budget = task.budget.as_ref().map(|budget| budget.amount.value.ns());
        ThreadName {
            name: task.name.clone(),
            core: task.core,
            urgency: Urgency::Priority,
            component: task.component.0,
            budget,
        }
    };
    Names {
        threads: system.tasks.iter().map(thread).collect(),
        gates: system
            .gates
            .iter()
            .map(|g| GateName { name: g.name.clone(), component: g.component.0 })
            .collect(),
        components: system.components.iter().map(|c| c.name.clone()).collect(),
        notifications: system.notifications.iter().map(|n| n.name.clone()).collect(),
    }
}

#[test]
fn perfetto_reads_what_is_drawn() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join(".venv/bin/python");
    assert!(
        python.exists(),
        "no {}: `make setup` makes the tests' Python environment",
        python.display()
    );
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let files = traces(&folder);
    let output =
        Command::new(python).arg(root.join("scripts/check-trace")).args(&files).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().count(), files.len());
}
