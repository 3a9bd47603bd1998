//! What do the kernel's paths cost on this platform?
//!
//! The measuring systems are built and booted one after the other; what they print
//! becomes the list of paths and, from their longest, the cost table.

use std::path::{Path, PathBuf};

use fusee_measure::{
    Experiment, Path as Measured, THREADS, cost_table, experiments, experiments_by_deadline, queues,
};
use fusee_model::Policy;
use fusee_model::costs::CostTable;
use fusee_pipeline::build::{self, Wanted};
use fusee_pipeline::costs::Costs;
use fusee_pipeline::load::load;
use fusee_pipeline::options::{Making, Source};
use fusee_pipeline::run::Problem;
use fusee_pipeline::status::Status;
use fusee_pipeline::{files, progress};
use fusee_platform::{Kernel, KernelVariant, Platform};
use serde_json::{Value, json};

use crate::args::{Measure, PlatformName};
use crate::output::Output;
use crate::table::{Side, Table};

/// Measures, shows, and writes the table if a file is named.
pub(crate) fn run(arguments: &Measure, output: &mut Output) -> Status {
    let PlatformName::Machine(platform) = arguments.platform else {
        return output.bad_input(
            "on `sim` kernel paths cost what `--costs` says: there is nothing to measure",
        );
    };
    let folder = arguments.folder.clone().unwrap_or_else(|| PathBuf::from("build/measure"));
    let mut paths = Vec::new();
    let longest = arguments.longest_queue.into();
    let all = match arguments.policy {
        Policy::FixedPriority => experiments(longest),
        Policy::EarliestDeadline => experiments_by_deadline(longest),
    };
    for experiment in all {
        match progress::during(&experiment.name, || {
            measure(&experiment, (&folder, platform), variant(arguments))
        }) {
            Ok(more) => more.into_iter().for_each(|path| Measured::add(&mut paths, path)),
            Err(problem) => {
                let Problem { diagnostics, status } = problem.without_places();
                output.json(
                    || json!({ "platform": platform.name(), "unit": "instructions", "paths": [] }),
                );
                output.diagnostics(&diagnostics, &Default::default());
                return status;
            }
        }
    }
    paths.extend(summaries(&paths));
    paths.sort_by(|a, b| a.name.cmp(&b.name));
    let table = match cost_table(platform.name(), arguments.policy, &paths) {
        Ok(table) => table,
        Err(error) => return output.failed(error),
    };
    let made = compiler(platform, variant(arguments).under(build::policy(arguments.policy)));
    show(arguments, &paths, (&table, &made), output)
}

/// The kernel's own variant.
fn variant(arguments: &Measure) -> KernelVariant {
    if arguments.traced { KernelVariant::Traced } else { KernelVariant::Plain }
}

/// Who made the kernel that was measured: another compiler's makes other paths.
fn compiler(platform: Platform, kernel: Kernel) -> String {
    let kernel = fusee_kernel_build::build(platform, kernel, &|_| ()).ok();
    let program = kernel.and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    fusee_measure::compiler(&program).unwrap_or_else(|| "an unknown compiler".to_owned())
}

/// Builds and boots one measuring system.
fn measure(
    experiment: &Experiment,
    (folder, platform): (&Path, Platform),
    variant: KernelVariant,
) -> Result<Vec<Measured>, Problem> {
    let written = experiment.write(folder);
    let description = written.map_err(|error| {
        Problem::tool(format!("cannot write to `{}`: {error}", folder.display()))
    })?;
    let source = Source::of(description);
    let loaded = load(&source, &Costs::nothing());
    let Some((system, _)) = loaded.buildable() else {
        return Err(Problem { diagnostics: loaded.diagnostics, status: Status::ToolFailed });
    };
    let making = Making {
        folder: source.system.parent().map(|f| f.join("build")),
        compiler: None,
        templates: None,
        stubs: false,
    };
    let wanted = Wanted { source: &source.system, platform, variant, making: &making };
    let failed = |diagnostics| Problem { diagnostics, status: Status::ToolFailed };
    let made = build::make(&loaded, system, &wanted).map_err(failed)?;
    let image = fusee_run::Image::read(&made.path)?;
    let run = fusee_run::boot(&image, experiment.duration)?;
    let paths = run.console.iter().filter_map(|line| Measured::parse(&line.text));
    Ok(paths.map(|path| experiment.named(path)).collect())
}

/// Paths that are known under other names, and the longest of all in systems of up to so many
/// threads as are promised.
fn summaries(paths: &[Measured]) -> Vec<Measured> {
    let find = |name: &str| paths.iter().find(|path| path.name == name);
    let ten = find("round_trip.words10.propagated").map(|path| path.called("round_trip.words10"));
    // A thread without budget is away until its next release, and a restart is many traps.
    let several = ["round_trip", "away", "message.", "enter."];
    let whole = |path: &&Measured| several.iter().any(|start| path.name.starts_with(start));
    let single = paths.iter().filter(|path| !whole(path) && !is_beyond_the_threads(path));
    let longest = single.max_by_key(|path| path.max).map(|path| path.called("longest_kernel_path"));
    ten.into_iter().chain(longest).collect()
}

/// Whether more threads wait in it than the table is for.
fn is_beyond_the_threads(path: &Measured) -> bool {
    let waiters = path.name.strip_prefix("queue.").and_then(|rest| rest.rsplit('.').next());
    waiters.and_then(|number| number.parse().ok()).is_some_and(|waiters: usize| waiters > THREADS)
}

fn show(
    arguments: &Measure,
    paths: &[Measured],
    (table, compiler): (&CostTable, &str),
    output: &mut Output,
) -> Status {
    let text = match table.to_toml() {
        Ok(text) => {
            format!("# The kernel was compiled by {compiler}; `make costs` measures again.\n{text}")
        }
        Err(error) => return output.failed(error),
    };
    let figure = arguments.figure.as_ref().and_then(|path| Some((path, queues(paths)?.svg())));
    let table_file = arguments.costs.as_ref().map(|path| (path, text.clone()));
    for (path, content) in table_file.into_iter().chain(figure) {
        if let Err(error) = files::write(path, content.as_bytes()) {
            return output.failed(format!("cannot write `{}`: {error}", path.display()));
        }
        output.wrote(path);
    }
    output.json(|| json(arguments, paths, table));
    output.text(rows(paths));
    output.text(format!("\n{text}"));
    Status::Fine
}

fn json(arguments: &Measure, paths: &[Measured], table: &CostTable) -> Value {
    json!({
        "platform": table.platform,
        "kernel": if arguments.traced { "traced" } else { "plain" },
        "policy": table.policy,
        "unit": "instructions",
        "paths": paths.iter().map(Measured::json).collect::<Vec<_>>(),
        "costs": table,
    })
}

fn rows(paths: &[Measured]) -> Table {
    let right = |name| (name, Side::Right);
    let mut table = Table::new(&[
        ("path", Side::Left),
        right("runs"),
        right("min"),
        right("max"),
        right("mean"),
        right("std"),
    ]);
    for path in paths {
        table.row([
            path.name.clone(),
            path.runs.to_string(),
            path.min.to_string(),
            path.max.to_string(),
            format!("{:.1}", path.mean()),
            format!("{:.1}", path.deviation()),
        ]);
    }
    table
}
