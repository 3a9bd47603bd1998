//! Schedules in which a set that was accepted misses a deadline.

use std::ops::Range;

use fusee_analysis::Task;
use fusee_analysis::effort::Limit;
use fusee_schedules::{Miss, Runs, SCHEDULERS, Scheduler};
use pyo3::prelude::*;

use crate::columns::{Columns, Slices};
use crate::errors::error;
use crate::watch::{Failure, Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let list: Vec<_> = SCHEDULERS.iter().map(|s| (s.name, s.title)).collect();
    module.add("SCHEDULERS", list)?;
    module.add_function(wrap_pyfunction!(refute, module)?)
}

fn find(name: &str) -> PyResult<&'static Scheduler> {
    fusee_schedules::by_name(name).ok_or_else(|| {
        let known: Vec<String> = SCHEDULERS.iter().map(|s| format!("`{}`", s.name)).collect();
        error(format!("there is no scheduler `{name}`; there are {}", known.join(", ")))
    })
}

/// A miss as it crosses the border: set, task, response, run.
type Row = (usize, usize, u64, u64);

/// For each of these sets, the first schedule that misses a deadline, if one is found.
#[pyfunction]
#[pyo3(signature = (scheduler, columns, sets, runs, threads, effort))]
fn refute(
    py: Python<'_>,
    scheduler: &str,
    columns: Columns<'_>,
    sets: Vec<usize>,
    runs: (u64, u64),
    threads: usize,
    effort: u64,
) -> PyResult<Vec<Row>> {
    let (scheduler, slices, watch) = (find(scheduler)?, columns.slices()?, Watch::new(effort));
    let one = |set: usize| {
        let (count, seed) = runs;
        let runs = Runs { count, seed: seed.wrapping_add(set as u64) };
        let miss = miss(scheduler, slices, set, runs)?;
        Ok(miss.map(|miss| (set, miss.task, miss.response, miss.run)))
    };
    let sets = &sets;
    let all = |part: Range<usize>, limit: &Limit| {
        let of = |&set: &usize| on_set(limit, set as u64, slices.weight(set), || one(set));
        sets[part].iter().filter_map(|set| of(set).transpose()).collect::<Result<Vec<Row>, _>>()
    };
    let parts = py.detach(|| watch.on_threads(sets.len(), threads, all));
    Ok(parts.map_err(|failure| watch.exception(failure))?.concat())
}

fn miss(
    scheduler: &Scheduler,
    slices: Slices<'_>,
    set: usize,
    runs: Runs,
) -> Result<Option<Miss>, Failure> {
    let built = slices.set(set).map_err(Failure::Invalid)?;
    let unfit = |problem| {
        Failure::Invalid(format!("set {set}: `{}` cannot run it: {problem}", scheduler.name))
    };
    scheduler.fits(&built).map_err(unfit)?;
    let limits: Vec<u64> = built.tasks().iter().map(|task: &Task| task.deadline).collect();
    Ok(fusee_schedules::refute(&built, &limits, runs, || scheduler.of(&built)))
}
