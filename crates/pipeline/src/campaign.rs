//! Random task sets on the machine, held against their bounds and simulations.
//!
//! The campaign of Sudvarg et al. (2024), section 6.2: each set is described, built,
//! booted for ten hyperperiods, and held against its bounds and its simulation. After
//! each run one line goes to the campaign's file, whole or not at all, so whoever ends
//! the campaign and starts it again goes on behind the last one. The file begins with what
//! its results were made with: those of another kernel are neither continued nor shown.

mod results;
mod told;

pub use told::{defects, json};

use std::fs;
use std::path::{Path, PathBuf};

use fusee_bounds::Analysis;
use fusee_measure::{Job, KernelTimes, Origin, Row, TaskRow, TaskSet};
use fusee_model::costs::CostTable;
use fusee_model::{Duration, System};
use fusee_platform::{Platform, Records};
use fusee_sim::{Options, Outcome, Recording, Releases};

use crate::build::{self, Made, Wanted};
use crate::costs::{self, Costs};
use crate::load::{self, Loaded};
use crate::options::{Making, Source};
use crate::problem::Problem;
use crate::progress::Steps;
use crate::status::Status;
pub use results::path;
use results::{Results, other, unwritable};

/// Runs what is left of a campaign in a folder; the rows of all sets, in their order.
///
/// # Errors
/// The folder has other results, a tool fails, or a set can't be built.
pub fn run(folder: &Path, sets: &[TaskSet]) -> Result<Vec<Row>, Problem> {
    let costs = costs::named(Some(Platform::DEFAULT))
        .map_err(|diagnostic| Problem::tool_with(vec![*diagnostic]))?;
    let mut results = Results::open(folder, sets)?;
    let Some(first) = sets.first() else { return Ok(Vec::new()) };
    let costs = costs.of_priorities();
    let (_, made) = build(first, folder, costs)?;
    let origin = Origin::of(&made.built.elf, costs, env!("CARGO_PKG_VERSION"));
    let kernel = kernel(&made)?;
    let mut rows = results.continued(&origin, sets)?;
    let mut steps = Steps::new("task sets", sets.len() as u64);
    for set in &sets[rows.len()..] {
        steps.at(rows.len() as u64);
        let row = measure(set, folder, costs, &kernel)?;
        results.append(row.line())?;
        rows.push(row);
    }
    drop(steps);
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
        Wanted { source: &description, platform, variant: Records::Plain, making: &making };
    let made = build::make(&loaded, system, &wanted).map_err(Problem::tool_with)?;
    Ok((loaded, made))
}

/// Returns the kernel's program beside an image.
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
        return Err(other(folder, what, "its source has changed meanwhile"));
    }
    let Some((system, derived)) = loaded.usable() else { return Err(refused(&loaded)) };
    let analysis = fusee_bounds::analyze(system, derived, costs);
    let image = fusee_run::Image::read(&made.path)?;
    let run = fusee_run::boot(&image, set.duration())?;
    let runs = Runs {
        seen: fusee_sim::observe(system, &run.records, run.elapsed),
        ideal: simulate(system, set, &CostTable::zero("sim"))?,
        charged: simulate(system, set, costs)?,
    };
    let times = kernel_times(system, &analysis, costs);
    let tasks = (0..runs.seen.tasks.len()).map(|task| runs.row(task, &analysis, &times));
    Ok(Row { set: set.name(), schedulable: analysis.is_schedulable(), tasks: tasks.collect() })
}

/// Returns the times that the kernel can take in a busy window; unknown time explains nothing.
fn kernel_times(system: &System, analysis: &Analysis, costs: &CostTable) -> KernelTimes {
    KernelTimes {
        priorities: system.tasks.iter().map(|task| task.priority.value).collect(),
        jobs: analysis.tasks.iter().map(|task| task.job_kernel.map_or(0, Duration::ns)).collect(),
        release: costs.release.ns(),
        path: costs.completion.max(costs.release).ns(),
    }
}

fn simulate(system: &System, set: &TaskSet, costs: &CostTable) -> Result<Outcome, Problem> {
    let (duration, releases) = (set.duration(), Releases::Drawn);
    let recording = Recording::Window { from: Duration::ZERO, to: duration };
    let options =
        Options { duration, releases, recording, costs: costs.clone(), ..Options::default() };
    fusee_sim::simulate(system, &options).map_err(|error| Problem::tool(error.to_string()))
}

/// Returns the longest response of a task, or how old its oldest job was in the end.
fn longest(outcome: &Outcome, task: usize) -> u64 {
    let task = &outcome.tasks[task];
    task.responses.longest.ns().max(task.oldest.ns())
}

/// The three runs of a set.
struct Runs {
    /// On the machine.
    seen: Outcome,
    /// In simulation, on a kernel that takes no time.
    ideal: Outcome,
    /// In simulation, where every kernel path takes its longest.
    charged: Outcome,
}

impl Runs {
    /// Returns the results of a task as a row.
    fn row(&self, task: usize, analysis: &Analysis, times: &KernelTimes) -> TaskRow {
        let seen = &self.seen.tasks[task];
        let bound = analysis.tasks[task].bound.as_ref().ok();
        let promised = bound.filter(|_| analysis.is_schedulable());
        TaskRow {
            jobs: seen.jobs,
            misses: seen.misses,
            observed: longest(&self.seen, task),
            bound: bound.map(|bound| bound.response.ns()),
            ideal: longest(&self.ideal, task),
            charged: longest(&self.charged, task),
            kernel: promised
                .map_or_else(|| self.window_kernel(task, times), |bound| bound.kernel.ns()),
            others: Vec::new(),
        }
    }

    /// Kernel time in the busy window of the job in which a task differs most from its simulations:
    /// where it is slower, that of its slowest job, else that of the slowest job of the faster
    /// simulation.
    fn window_kernel(&self, task: usize, times: &KernelTimes) -> u64 {
        let runs = [&self.seen, &self.ideal, &self.charged].map(|outcome| {
            fusee_measure::jobs(&outcome.records, times.jobs.len(), outcome.elapsed.ns())
        });
        let slowest = |run: &[Job]| {
            run.iter().filter(|job| job.task == task).max_by_key(|job| job.response()).copied()
        };
        let [seen, ideal, charged] = [0, 1, 2].map(|run| slowest(&runs[run]));
        let least = [ideal, charged].into_iter().flatten().min_by_key(Job::response);
        let is_slower =
            seen.zip(least).is_none_or(|(seen, least)| seen.response() >= least.response());
        let job = if is_slower { seen } else { least };
        job.map_or(0, |job| times.before(&job, &[&runs[0], &runs[1], &runs[2]]))
    }
}
