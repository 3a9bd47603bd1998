//! Measures the costs of the kernel's paths on this platform.

use std::path::PathBuf;

use fusee_measure::queues;
use fusee_model::costs::CostTable;
use fusee_pipeline::measure::{self, Asked, Measured, unit};
use fusee_pipeline::status::Status;
use fusee_platform::Records;
use serde_json::json;

use crate::args::Measure;
use crate::commands::paths::rows;
use crate::commands::{locks, protocols, tcaps};
use crate::output::Output;

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
        variant: if arguments.traced { Records::Traced } else { Records::Plain },
        folder: arguments.folder.clone().unwrap_or_else(|| PathBuf::from("build/measure")),
        schedulers: arguments.schedulers,
        threads: arguments.threads.into(),
        longest_queue: arguments.longest_queue.into(),
        runs: arguments.runs.unwrap_or(u64::MAX),
        cores: arguments.cores.into(),
    };
    if let Some(sentence) = measure::obstacle(&asked) {
        return output.bad_input(sentence);
    }
    if arguments.protocols {
        return protocols::run(&asked, arguments.figure.as_deref(), output);
    }
    if let Some(folder) = &arguments.locks {
        return locks::run(&asked, folder, output);
    }
    if let Some(folder) = &arguments.tcaps {
        return tcaps::run(&asked, folder, output);
    }
    let measured = match measure::run(&asked) {
        Ok(measured) => measured,
        Err(problem) => {
            return output.problem(
                problem,
                || json!({ "platform": platform.name(), "unit": unit(platform), "paths": [] }),
            );
        }
    };
    match measured.table(&asked) {
        Ok(table) => show(arguments, (&asked, &measured), &table, output),
        Err(error) => output.failed(error),
    }
}

fn show(
    arguments: &Measure,
    (asked, measured): (&Asked, &Measured),
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
    output.json(|| measured.json(asked, table));
    output.text(rows(&measured.all().collect::<Vec<_>>()));
    if asked.cores > 1 {
        output.text("\n");
        output.text(protocols::between(measured.between()));
    }
    output.text(format!("\n{text}"));
    Status::Fine
}
