//! What do the kernel's paths cost on this platform?

use std::path::PathBuf;

use fusee_measure::{Path, cost_table, queues};
use fusee_model::costs::{CostTable, Limits};
use fusee_pipeline::measure::described_policy;
use fusee_pipeline::measure::{self, Asked, Measured};
use fusee_pipeline::problem::Problem;
use fusee_pipeline::status::Status;
use fusee_platform::{KernelVariant, Platform};
use serde_json::{Value, json};

use crate::args::Measure;
use crate::commands::protocols;
use crate::output::Output;
use fusee_report::table::{Table, left, right};

/// Measures, shows, and writes the table if a file is named.
pub(crate) fn run(arguments: &Measure, output: &mut Output) -> Status {
    let Some(platform) = arguments.platform.0.machine() else {
        return output.bad_input(
            "on `sim` kernel paths cost what `--costs` says: there is nothing to measure",
        );
    };
    let asked = Asked {
        platform,
        policy: arguments.policy,
        variant: if arguments.traced { KernelVariant::Traced } else { KernelVariant::Plain },
        folder: arguments.folder.clone().unwrap_or_else(|| PathBuf::from("build/measure")),
        longest_queue: arguments.longest_queue.into(),
    };
    if arguments.protocols {
        return protocols::run(&asked, output);
    }
    let measured = match measure::run(&asked) {
        Ok(measured) => measured,
        Err(problem) => {
            let Problem { diagnostics, status } = problem.without_places();
            output.json(
                || json!({ "platform": platform.name(), "unit": unit(platform), "paths": [] }),
            );
            output.diagnostics(&diagnostics, &Default::default());
            return status;
        }
    };
    let table = cost_table(platform.name(), described_policy(arguments.policy), &measured.paths);
    let table = table.and_then(|table| match &measured.between {
        Some(between) => between.add_to(table),
        None => Ok(table),
    });
    match table {
        Ok(mut table) => {
            // Only one core was awake, and where cores share a memory others would have slowed it.
            if platform.descriptor().parallel {
                table.limits = table.limits.map(|limits| Limits { cores: Some(1), ..limits });
            }
            show((arguments, platform), &measured, &table, output)
        }
        Err(error) => output.failed(error),
    }
}

/// What a tick of the clock is.
pub(crate) fn unit(platform: Platform) -> &'static str {
    if platform.traits().instruction_is_tick { "instructions" } else { "cycles" }
}

fn show(
    (arguments, platform): (&Measure, Platform),
    measured: &Measured,
    table: &CostTable,
    output: &mut Output,
) -> Status {
    let Measured { paths, compiler, .. } = measured;
    let text = match table.to_toml() {
        Ok(text) => {
            format!("# The kernel was compiled by {compiler}; `make costs` measures again.\n{text}")
        }
        Err(error) => return output.failed(error),
    };
    let figure = arguments.figure.as_ref().and_then(|path| Some((path, queues(paths)?.svg())));
    let table_file = arguments.costs.as_ref().map(|path| (path, text.clone()));
    let bytes = |(path, content): (&PathBuf, String)| (path.clone(), content.into_bytes());
    let products: Vec<_> = table_file.into_iter().chain(figure).map(bytes).collect();
    if let Err(sentence) = output.write(&products) {
        return output.failed(sentence);
    }
    output.json(|| json((arguments, platform), paths, table));
    output.text(rows(paths));
    output.text(format!("\n{text}"));
    Status::Fine
}

fn json((arguments, platform): (&Measure, Platform), paths: &[Path], table: &CostTable) -> Value {
    json!({
        "platform": table.platform,
        "kernel": if arguments.traced { "traced" } else { "plain" },
        "policy": table.policy,
        "unit": unit(platform),
        "paths": paths.iter().map(Path::json).collect::<Vec<_>>(),
        "costs": table,
    })
}

fn rows(paths: &[Path]) -> Table {
    let cells = |cell: &dyn Fn(&Path) -> String| paths.iter().map(cell).collect::<Vec<_>>();
    Table::of([
        left("path", cells(&|path| path.name.clone())),
        right("runs", cells(&|path| path.runs.to_string())),
        right("min", cells(&|path| path.min.to_string())),
        right("max", cells(&|path| path.max.to_string())),
        right("mean", cells(&|path| format!("{:.1}", path.mean()))),
        right("std", cells(&|path| format!("{:.1}", path.deviation()))),
    ])
}
