//! Do random task sets keep their bounds on the machine?
//!
//! The campaign of Sudvarg et al. (2024), section 6.2: each set is described, built,
//! booted for ten hyperperiods, and held against its bounds and its simulation. After
//! each run one line goes to the campaign's file, whole or not at all, so whoever ends
//! the command and starts it again goes on behind the last one. The file begins with what
//! its results were made with: those of another kernel are neither continued nor shown.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fusee_bounds::Analysis;
use fusee_diagnostics::Diagnostic;
use fusee_measure::{
    Defect, Finished, Job, KernelTimes, Origin, Row, Summary, TaskRow, TaskSet, finished,
};
use fusee_model::costs::CostTable;
use fusee_model::{Duration, Policy, System};
use fusee_pipeline::build::{self, Made, Wanted};
use fusee_pipeline::costs::{self, Costs};
use fusee_pipeline::load::{self, Loaded};
use fusee_pipeline::options::{Making, Source};
use fusee_pipeline::progress::Steps;
use fusee_pipeline::rules;
use fusee_pipeline::run::Problem;
use fusee_pipeline::status::Status;
use fusee_platform::{KernelVariant, Platform};
use fusee_sim::{Options, Outcome, Recording, Releases};
use serde_json::{Value, json};

use crate::args::Campaign;
use crate::output::{Output, bad, good};
use crate::table::{Side, Table};

/// Runs what is left of the campaign and shows all of it.
pub(crate) fn run(arguments: &Campaign, output: &mut Output) -> Status {
    let mut sets = TaskSet::all(arguments.scale);
    sets.truncate(arguments.sets.into());
    match campaign(arguments, &sets) {
        Ok(rows) => show(arguments, &sets, &rows, output),
        Err(problem) => {
            let Problem { diagnostics, status } = problem.without_places();
            output.json(|| json!({ "sets": [], "held": null }));
            output.diagnostics(&diagnostics, &Default::default());
            status
        }
    }
}

fn campaign(arguments: &Campaign, sets: &[TaskSet]) -> Result<Vec<Row>, Problem> {
    let folder = &arguments.folder;
    let costs = costs::named(Some(Platform::DEFAULT))
        .map_err(|diagnostic| Problem::tool_with(vec![*diagnostic]))?;
    let costs = costs.of(Policy::FixedPriority);
    let (mut file, found) = open(folder, sets)?;
    let Some(first) = sets.first() else { return Ok(Vec::new()) };
    let (_, made) = build(first, folder, costs)?;
    let origin = Origin::of(&made.built.elf, costs, env!("CARGO_PKG_VERSION"));
    let kernel = kernel(&made)?;
    let mut rows = continued(&mut file, folder, found, (&origin, sets))?;
    let mut bar = Steps::new("task sets", sets.len() as u64);
    for set in &sets[rows.len()..] {
        bar.at(rows.len() as u64);
        let row = measure(set, folder, costs, &kernel)?;
        append(&mut file, folder, row.line())?;
        rows.push(row);
    }
    drop(bar);
    for (row, set) in rows.iter_mut().zip(sets).filter(|(row, _)| row.is_unexplained()) {
        explain(row, set, folder, costs)?;
    }
    Ok(rows)
}

/// Into how many parts the longest kernel paths are divided at first, and at most, for further
/// simulations.
///
/// An order of events that only a narrow range of path lengths brings about lies between two
/// sixteenths; one that a thousandth misses as well is not to be had by kernel time alone.
const PARTS: [u32; 2] = [16, 1024];

/// Simulates a set whose responses lie outside of what two simulations span, with kernel paths of
/// other lengths: in sixteenths of the longest, and as long as that explains nothing, between
/// those, in halves of them.
fn explain(row: &mut Row, set: &TaskSet, folder: &Path, costs: &CostTable) -> Result<(), Problem> {
    let (loaded, _) = described(set, folder, costs)?;
    let Some((system, _)) = loaded.usable() else { return Err(refused(&loaded)) };
    let [first, last] = PARTS;
    let mut parts = first;
    while parts <= last && row.is_unexplained() {
        // Even ones were simulated when there were half as many.
        for part in (1..parts).filter(|part| parts == first || part % 2 == 1) {
            let outcome = simulate(system, set, &costs.scaled(part, parts))?;
            for (position, task) in row.tasks.iter_mut().enumerate() {
                task.others.push(longest(&outcome, position));
            }
        }
        parts *= 2;
    }
    Ok(())
}

fn unwritable(folder: &Path, error: &std::io::Error) -> Problem {
    Problem::tool(format!("cannot write to `{}`: {error}", folder.display()))
}

/// Where a campaign's results are.
fn results(folder: &Path) -> PathBuf {
    folder.join("results.jsonl")
}

/// The campaign's file, and what it has. Nobody else may write to it meanwhile.
fn open(folder: &Path, sets: &[TaskSet]) -> Result<(File, Finished), Problem> {
    let failed = |error: std::io::Error| unwritable(folder, &error);
    fs::create_dir_all(folder).map_err(failed)?;
    let path = results(folder);
    let mut file = OpenOptions::new()
        .create(true)
        .read(true)
        .write(true)
        .truncate(false)
        .open(&path)
        .map_err(failed)?;
    file.try_lock().map_err(|_| {
        Problem::tool(format!("another campaign is writing to `{}`: wait for it", path.display()))
    })?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    let found = finished(&String::from_utf8_lossy(&bytes), sets).map_err(|error| {
        other_results(folder, "the results of another campaign", &error.to_string())
    })?;
    Ok((file, found))
}

/// The rows that a file has, if they were made with the same; the file then stands behind the last
/// whole line.
fn continued(
    file: &mut File,
    folder: &Path,
    found: Finished,
    (origin, sets): (&Origin, &[TaskSet]),
) -> Result<Vec<Row>, Problem> {
    if let Some(made) = found.origin.as_ref().filter(|made| *made != origin) {
        let what =
            format!("results that were made with {}", origin.differences(made).join(" and "));
        return Err(other_results(folder, &what, &format!("made with {made}; now with {origin}")));
    }
    // With more sets than now are asked for, all lines stay.
    if found.rows.len() < sets.len() {
        file.set_len(found.bytes as u64).map_err(|error| unwritable(folder, &error))?;
    }
    file.seek(SeekFrom::End(0)).map_err(|error| unwritable(folder, &error))?;
    if found.origin.is_none() {
        append(file, folder, origin.line())?;
    }
    Ok(found.rows)
}

/// Writes a line, whole, before anything else is done.
fn append(file: &mut File, folder: &Path, line: serde_json::Result<String>) -> Result<(), Problem> {
    let line = line.map_err(|error| Problem::tool(error.to_string()))?;
    let written = file.write_all(line.as_bytes()).and_then(|()| file.sync_data());
    written.map_err(|error| unwritable(folder, &error))
}

fn other_results(folder: &Path, what: &str, why: &str) -> Problem {
    let message = format!("`{}` has {what}", results(folder).display());
    let folder = folder.display();
    let diagnostic = Diagnostic::error(rules::OTHER_RESULTS, message)
        .with_note(why)
        .with_note(
            "one table must not mix them, so the campaign neither goes on there nor shows them",
        )
        .with_note(format!(
            "name another folder, or type: rm -r '{folder}' && fusee campaign '{folder}'"
        ));
    Problem { diagnostics: vec![diagnostic], status: Status::BadInput }
}

/// Writes a set's description and reads it; with the file's path.
fn described(
    set: &TaskSet,
    folder: &Path,
    costs: &CostTable,
) -> Result<(Loaded, PathBuf), Problem> {
    let folder = folder.join("set");
    let description = folder.join("system.camkes");
    let written =
        fs::create_dir_all(&folder).and_then(|()| fs::write(&description, set.description()));
    written.map_err(|error| unwritable(&folder, &error))?;
    let source = Source::of(description.clone());
    Ok((load::load(&source, &Costs::same(costs.clone())), description))
}

fn refused(loaded: &Loaded) -> Problem {
    Problem { diagnostics: loaded.diagnostics.clone(), status: Status::ToolFailed }
}

/// Describes a set and builds its image.
fn build(set: &TaskSet, folder: &Path, costs: &CostTable) -> Result<(Loaded, Made), Problem> {
    let (loaded, description) = described(set, folder, costs)?;
    let Some((system, _)) = loaded.usable() else { return Err(refused(&loaded)) };
    let making = Making::into_folder(folder.join("set/build"));
    let platform = Platform::DEFAULT;
    let wanted =
        Wanted { source: &description, platform, variant: KernelVariant::Plain, making: &making };
    let made = build::make(&loaded, system, &wanted).map_err(Problem::tool_with)?;
    Ok((loaded, made))
}

/// The kernel's program beside an image.
fn kernel(made: &Made) -> Result<Vec<u8>, Problem> {
    let path = made.path.with_file_name(build::KERNEL);
    fs::read(&path)
        .map_err(|error| Problem::tool(format!("cannot read `{}`: {error}", path.display())))
}

/// Builds, boots and simulates one set; the kernel must still be the same.
fn measure(set: &TaskSet, folder: &Path, costs: &CostTable, same: &[u8]) -> Result<Row, Problem> {
    let (loaded, made) = build(set, folder, costs)?;
    if kernel(&made)? != same {
        let what = "results of the kernel as it was when the campaign started";
        return Err(other_results(folder, what, "its source has changed meanwhile"));
    }
    let Some((system, derived)) = loaded.usable() else { return Err(refused(&loaded)) };
    let analysis = fusee_bounds::analyze(system, derived, costs);
    let image = fusee_run::Image::read(&made.path)?;
    let run = fusee_run::boot(&image, set.duration())?;
    let seen = fusee_sim::observe(system, &run.records, run.elapsed);
    let ideal = simulate(system, set, &CostTable::zero("sim"))?;
    let charged = simulate(system, set, costs)?;
    let times = kernel_times(system, &analysis, costs);
    Ok(row(set, (&analysis, &times), [&seen, &ideal, &charged]))
}

/// What the kernel can take in a busy window; unknown time explains nothing.
fn kernel_times(system: &System, analysis: &Analysis, costs: &CostTable) -> KernelTimes {
    KernelTimes {
        priorities: system.tasks.iter().map(|task| task.priority.value).collect(),
        jobs: analysis.tasks.iter().map(|task| task.job_kernel.map_or(0, Duration::ns)).collect(),
        release: costs.release.ns(),
        path: costs.completion.max(costs.release).ns(),
    }
}

/// Kernel time in the busy window of the job in which a task differs most from its simulations:
/// where it is slower, that of its slowest job, else that of the slowest job of the faster
/// simulation.
fn window_kernel(times: &KernelTimes, task: usize, outcomes: [&Outcome; 3]) -> u64 {
    let runs = outcomes.map(|outcome| {
        fusee_measure::jobs(&outcome.records, times.jobs.len(), outcome.elapsed.ns())
    });
    let slowest = |run: &[Job]| {
        run.iter().filter(|job| job.task == task).max_by_key(|job| job.response()).copied()
    };
    let [seen, ideal, charged] = [0, 1, 2].map(|run| slowest(&runs[run]));
    let least = [ideal, charged].into_iter().flatten().min_by_key(Job::response);
    let is_slower = seen.zip(least).is_none_or(|(seen, least)| seen.response() >= least.response());
    let job = if is_slower { seen } else { least };
    job.map_or(0, |job| times.before(&job, &[&runs[0], &runs[1], &runs[2]]))
}

fn simulate(system: &System, set: &TaskSet, costs: &CostTable) -> Result<Outcome, Problem> {
    let (duration, releases) = (set.duration(), Releases::Drawn);
    let recording = Recording::Window { from: Duration::ZERO, to: duration };
    let options =
        Options { duration, releases, recording, costs: costs.clone(), ..Options::default() };
    fusee_sim::simulate(system, &options).map_err(|error| Problem::tool(error.to_string()))
}

/// The longest response of a task, or how old its oldest job was in the end.
fn longest(outcome: &Outcome, task: usize) -> u64 {
    let task = &outcome.tasks[task];
    task.response_max.ns().max(task.oldest.ns())
}

fn row(
    set: &TaskSet,
    (analysis, times): (&Analysis, &KernelTimes),
    [seen, ideal, charged]: [&Outcome; 3],
) -> Row {
    let schedulable = analysis.is_schedulable();
    let tasks = seen.tasks.iter().enumerate().map(|(task, outcome)| {
        let bound = analysis.tasks[task].bound.as_ref().ok();
        TaskRow {
            jobs: outcome.jobs,
            misses: outcome.misses,
            observed: longest(seen, task),
            bound: bound.map(|bound| bound.response.ns()),
            ideal: longest(ideal, task),
            charged: longest(charged, task),
            kernel: bound.filter(|_| schedulable).map_or_else(
                || window_kernel(times, task, [seen, ideal, charged]),
                |bound| bound.kernel.ns(),
            ),
            others: Vec::new(),
        }
    });
    Row { set: set.name(), schedulable, tasks: tasks.collect() }
}

fn show(arguments: &Campaign, sets: &[TaskSet], rows: &[Row], output: &mut Output) -> Status {
    let defects: Vec<String> = rows.iter().flat_map(sentences).collect();
    output.json(|| json(sets, rows, &defects));
    output.text(table(sets, rows));
    output.text(format!("\n{}", summary(sets, rows, &defects)));
    for defect in &defects {
        output.text(format!("{defect}\n"));
    }
    output.wrote(&results(&arguments.folder));
    if defects.is_empty() { Status::Fine } else { Status::Missed }
}

/// What went wrong in a set, one sentence each.
fn sentences(row: &Row) -> Vec<String> {
    let sentence = |(task, defect): (usize, Defect)| {
        let TaskRow { misses, observed, bound, ideal, charged, kernel, .. } = &row.tasks[task];
        let name = format!("{}: t{}", row.set, task + 1);
        match defect {
            Defect::Exceeded => {
                format!("{name} took {observed} ns, its bound is {} ns", bound.unwrap_or_default())
            }
            Defect::Missed => {
                format!("{name} missed {misses} deadlines that the analysis promises")
            }
            Defect::Unexplained => format!(
                "{name} took {observed} ns, in simulation {ideal} ns without and {charged} ns with \
                 kernel costs; neither {kernel} ns of kernel time nor other orders of events \
                 explain that"
            ),
        }
    };
    row.defects().into_iter().map(sentence).collect()
}

fn json(sets: &[TaskSet], rows: &[Row], defects: &[String]) -> Value {
    let summary = Summary::of(rows, sets, None);
    json!({
        "platform": Platform::DEFAULT.name(),
        "sets": rows,
        "schedulable": summary.schedulable.iter().sum::<u64>(),
        "without_a_miss": summary.met,
        "stubs": true,
        "defects": defects,
        "held": defects.is_empty(),
    })
}

/// A row for each utilisation.
fn table(sets: &[TaskSet], rows: &[Row]) -> Table {
    let right = |name| (name, Side::Right);
    let mut table = Table::new(&[
        right("utilisation"),
        right("config1"),
        right("config2"),
        right("config3"),
        right("config4"),
        right("no miss"),
        right("jobs"),
        right("observed / bound"),
    ]);
    for tenths in 1..=10 {
        let summary = Summary::of(rows, sets, Some(tenths));
        let ran: u64 = summary.sets.iter().sum();
        if ran == 0 {
            continue;
        }
        let promised = (0..4).map(|i| format!("{} of {}", summary.schedulable[i], summary.sets[i]));
        let whole = [
            format!("{} of {ran}", summary.met),
            summary.jobs.to_string(),
            format!("{:.3}", summary.tightest),
        ];
        let utilisation = format!("{}.{}", tenths / 10, tenths % 10);
        table.row([utilisation].into_iter().chain(promised).chain(whole));
    }
    table
}

/// The campaign in a few lines.
fn summary(sets: &[TaskSet], rows: &[Row], defects: &[String]) -> String {
    let Summary { sets: ran, schedulable, met, jobs, outside, .. } = Summary::of(rows, sets, None);
    let (ran, promised) = (ran.iter().sum::<u64>(), schedulable.iter().sum::<u64>());
    let verdict = match defects.len() {
        0 => good("every promise held"),
        1 => bad("1 promise was broken"),
        many => bad(&format!("{many} promises were broken")),
    };
    let further =
        rows.iter().filter(|row| row.tasks.iter().any(|task| !task.others.is_empty())).count();
    format!(
        "{ran} sets, {jobs} jobs: the analysis promises {promised}, {met} missed no deadline; \
         {verdict}\n\
         all components were stubs: drawn sets have times and no code;\n\
         at most {:.0} % of the difference that kernel time explains lay outside of what the \
         simulations span;\n\
         in {further} sets kernel times decide who comes first to a gate, which further \
         simulations show\n",
        outside * 100.0
    )
}
