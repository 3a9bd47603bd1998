//! Schedules in which a set that was accepted misses a deadline.

use std::ops::Range;
use std::rc::Rc;

use fusee_analysis::TaskSet;
use fusee_analysis::effort::Limit;
use fusee_schedules::{Miss, Protocol, Runs, SCHEDULERS, Scheduler, Unfit, drawable};
use pyo3::prelude::*;

use crate::columns::Columns;
use crate::errors::named;
use crate::own_scheduler::{JobView, OwnScheduler, Raised};
use crate::watch::{Failure, Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let list: Vec<_> = SCHEDULERS.iter().map(|s| (s.name, s.title)).collect();
    module.add("SCHEDULERS", list)?;
    module.add_class::<JobView>()?;
    module.add_function(wrap_pyfunction!(refute, module)?)?;
    module.add_function(wrap_pyfunction!(refute_by, module)?)
}

fn find(name: &str) -> PyResult<&'static Scheduler> {
    let list: Vec<_> = SCHEDULERS.iter().map(|scheduler| (scheduler.name, scheduler)).collect();
    named("scheduler", &list, name)
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
        let built = slices.set(set).map_err(Failure::Invalid)?;
        scheduler
            .fits(&built)
            .map_err(|problem| unfit(set, &format!("`{}`", scheduler.name), problem))?;
        Ok(row(set, look(&built, set, runs, || scheduler.of(&built))))
    };
    let sets = &sets;
    let all = |part: Range<usize>, limit: &Limit| {
        let of = |&set: &usize| on_set(limit, set as u64, slices.weight(set), || one(set));
        sets[part].iter().filter_map(|set| of(set).transpose()).collect::<Result<Vec<Row>, _>>()
    };
    let parts = py.detach(|| watch.on_threads(sets.len(), threads, all));
    Ok(parts.map_err(|failure| watch.exception(failure))?.concat())
}

/// The same with a scheduler that is an object: it has `rank` and `next`.
#[pyfunction]
#[pyo3(signature = (scheduler, columns, sets, runs, effort))]
fn refute_by(
    py: Python<'_>,
    scheduler: Py<PyAny>,
    columns: Columns<'_>,
    sets: Vec<usize>,
    runs: (u64, u64),
    effort: u64,
) -> PyResult<Vec<Row>> {
    let (slices, watch, raised) = (columns.slices()?, Watch::new(effort), Raised::default());
    let (limit, mut rows) = (watch.here(), Vec::new());
    let own = || {
        let object = scheduler.clone_ref(py);
        Box::new(OwnScheduler { object, raised: Rc::clone(&raised) }) as Box<dyn Protocol>
    };
    for set in sets {
        let found = on_set(&limit, set as u64, slices.weight(set), || {
            let built = slices.set(set).map_err(Failure::Invalid)?;
            drawable(&built).map_err(|problem| unfit(set, "this scheduler", problem))?;
            Ok(row(set, look(&built, set, runs, own)))
        });
        if let Some(raised) = raised.take() {
            return Err(raised);
        }
        rows.extend(found.map_err(|failure| watch.exception(failure))?);
    }
    Ok(rows)
}

fn unfit(set: usize, name: &str, problem: Unfit) -> Failure {
    Failure::Invalid(format!("set {set}: {name} cannot run it: {problem}"))
}

fn row(set: usize, miss: Option<Miss>) -> Option<Row> {
    miss.map(|miss| (set, miss.task, miss.response, miss.run))
}

/// A schedule of a set in which a deadline is missed.
fn look(
    built: &TaskSet,
    set: usize,
    (count, seed): (u64, u64),
    protocol: impl FnMut() -> Box<dyn Protocol>,
) -> Option<Miss> {
    let limits: Vec<u64> = built.tasks().iter().map(|task| task.deadline).collect();
    let runs = Runs { count, seed: seed.wrapping_add(set as u64) };
    fusee_schedules::refute(built, &limits, runs, protocol)
}
