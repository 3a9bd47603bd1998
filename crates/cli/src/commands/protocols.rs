//! Measures the costs of gates between cores.

use std::path::Path as FilePath;

use fusee_measure::{Path, PathBetween, gates_between};
use fusee_pipeline::measure::{Asked, unit};
use fusee_pipeline::protocols::{self, Added, Found, OfCores};
use fusee_pipeline::status::Status;
use fusee_platform::KernelPolicy;
use serde_json::json;

use crate::output::Output;
use fusee_report::table::{Table, left, right};

/// Measures, shows, and draws if a file is named.
pub(crate) fn run(asked: &Asked, figure: Option<&FilePath>, output: &mut Output) -> Status {
    if asked.policy != KernelPolicy::FIXED_PRIORITY {
        return output.bad_input(
            "gates between cores are measured where priorities decide: leave `--policy` out",
        );
    }
    if let Some(sentence) = protocols::obstacle(asked.platform) {
        return output.bad_input(sentence);
    }
    match protocols::all(asked) {
        Ok(found) => {
            let chart = figure.zip(gates_between(&found.between.paths));
            let drawn = chart.map(|(path, chart)| (path.to_owned(), chart.svg().into_bytes()));
            if let Err(sentence) = output.write(&drawn.into_iter().collect::<Vec<_>>()) {
                return output.failed(sentence);
            }
            output.json(|| found.json(asked.platform));
            show(&found, output);
            Status::Fine
        }
        Err(problem) => {
            let (platform, unit) = (asked.platform.name(), unit(asked.platform));
            output.problem(
                problem,
                || json!({ "platform": platform, "unit": unit, "protocols": [], "paths": [] }),
            )
        }
    }
}

fn show(found: &Found, output: &mut Output) {
    output.text(sizes(found));
    output.text("\n");
    output.text(by_cores(&found.by_cores()));
    output.text("\n");
    output.text(between(&found.between.paths));
    output.text("\n");
    output.text(local(found));
}

/// Returns the table of the times of gates between cores.
pub(super) fn between(paths: &[PathBetween]) -> Table {
    let cells = |cell: &dyn Fn(&PathBetween) -> String| paths.iter().map(cell).collect::<Vec<_>>();
    Table::of([
        left("path", cells(&|path| path.name.clone())),
        right("cores", cells(&|path| path.cores.to_string())),
        right("waiting", cells(&|path| path.waiting.to_string())),
        right("runs", cells(&|path| path.runs.to_string())),
        right("min", cells(&|path| path.min.to_string())),
        right("max", cells(&|path| path.max.to_string())),
    ])
}

/// Returns the table of the code that each protocol adds, beside the paper's.
fn sizes(found: &Found) -> Table {
    let all = &found.protocols;
    let cells = |cell: &dyn Fn(&Added) -> String| all.iter().map(cell).collect::<Vec<_>>();
    Table::of([
        left("protocol", cells(&|added| added.protocol.name().to_owned())),
        right("code bytes", cells(&|added| added.code_bytes.to_string())),
        right("data bytes", cells(&|added| added.data_bytes.to_string())),
        left("dos Santos et al., i7", cells(&|added| added.published().unwrap_or("-").to_owned())),
    ])
}

/// Returns the table of the costs of MrsP as cores are added, beside the paper's.
fn by_cores(all: &[OfCores]) -> Table {
    let measured = |which: usize| {
        let longest = |one: &OfCores| one.longest[which].map_or("-".to_owned(), |n| n.to_string());
        all.iter().map(longest).collect::<Vec<_>>()
    };
    let published =
        |which: usize| all.iter().map(|one| one.published[which].to_string()).collect::<Vec<_>>();
    Table::of([
        right("cores", all.iter().map(|one| one.cores.to_string()).collect()),
        right("mrsp asks", measured(0)),
        right("returns", measured(1)),
        right("helps", measured(2)),
        right("dos Santos et al., i7, ns", published(0)),
        right("", published(1)),
        right("", published(2)),
    ])
}

/// Local paths on one core, and how much longer they are where there are more.
fn local(found: &Found) -> Table {
    let Some((one, more)) = found.local.split_first() else { return Table::new(&[]) };
    let names = one.paths.iter().map(|path| format!("local.{}", path.name)).collect();
    let mut columns = vec![
        left("path", names),
        right("1 core", one.paths.iter().map(|path| path.max.to_string()).collect()),
    ];
    for local in more {
        let heading: &'static str = match local.cores {
            2 => "2 cores",
            4 => "4 cores",
            _ => "8 cores",
        };
        let same = |path: &Path| local.paths.iter().find(|other| other.name == path.name);
        let max = |path: &Path| same(path).map_or(String::new(), |path| path.max.to_string());
        columns.push(right(heading, one.paths.iter().map(max).collect()));
    }
    Table::of(columns)
}
