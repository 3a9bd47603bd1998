//! Asking a test about many sets.

use std::ops::Range;

use fusee_analysis::effort::Limit;
use fusee_analysis::{Assumption, SchedulabilityTest, TaskSet, registry};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::chosen::{Asked, Chosen, find};
use crate::columns::{Columns, Slices};
use crate::watch::{Failure, Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tests, module)?)?;
    module.add_function(wrap_pyfunction!(about, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(response_times, module)?)
}

/// What all tests say about themselves, as dictionaries.
#[pyfunction]
fn tests(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    registry::all().map(|test| described(py, test)).collect()
}

/// What one test says about itself.
#[pyfunction]
fn about(py: Python<'_>, test: Asked) -> PyResult<Bound<'_, PyDict>> {
    described(py, &*find(&test)?)
}

fn described<'py>(py: Python<'py>, test: &dyn SchedulabilityTest) -> PyResult<Bound<'py, PyDict>> {
    let metadata = test.metadata();
    let dict = PyDict::new(py);
    dict.set_item("name", metadata.name)?;
    dict.set_item("title", metadata.title)?;
    dict.set_item("source", metadata.source)?;
    dict.set_item("family", metadata.family.to_string())?;
    dict.set_item("exactness", metadata.exactness.to_string())?;
    let assumptions: Vec<String> = metadata.assumptions.iter().map(ToString::to_string).collect();
    dict.set_item("assumptions", assumptions)?;
    Ok(dict)
}

/// Verdicts of a test, one for each set: 1 schedulable, 0 not shown, -1 outside its assumptions.
///
/// With `mark_outside`, a set outside the assumptions is marked; without, it ends the call.
#[pyfunction]
#[pyo3(signature = (test, columns, threads, mark_outside, effort))]
fn check<'py>(
    py: Python<'py>,
    test: Asked,
    columns: Columns<'_>,
    threads: usize,
    mark_outside: bool,
    effort: u64,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let (test, slices, watch) = (find(&test)?, columns.slices()?, Watch::new(effort));
    let one = |set: usize| {
        let built = fitting(&test, slices, set)?;
        match test.check(&built) {
            Ok(verdict) => Ok(i8::from(verdict.is_schedulable())),
            // That a set was never placed is an oversight, not a property of the set.
            Err(outside) if mark_outside && outside.assumption != Assumption::Placed => Ok(-1),
            Err(outside) => Err(Failure::Outside(set, outside)),
        }
    };
    let all = |sets: Range<usize>, limit: &Limit| {
        let watched = |set: usize| on_set(limit, set as u64, slices.weight(set), || one(set));
        sets.map(watched).collect::<Result<Vec<i8>, _>>()
    };
    let parts = py.detach(|| watch.on_threads(slices.sets(), threads, all));
    let parts = parts.map_err(|failure| watch.exception(failure))?;
    Ok(parts.concat().into_pyarray(py))
}

/// Numbers, and whether each is one.
type Masked<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<bool>>);

/// Bounds on response times, one for each task, and whether there is one.
#[pyfunction]
#[pyo3(signature = (test, columns, threads, effort))]
fn response_times<'py>(
    py: Python<'py>,
    test: Asked,
    columns: Columns<'_>,
    threads: usize,
    effort: u64,
) -> PyResult<Masked<'py>> {
    let (test, slices, watch) = (find(&test)?, columns.slices()?, Watch::new(effort));
    let all = |sets: Range<usize>, limit: &Limit| {
        let mut all = Vec::new();
        for set in sets {
            all.extend(on_set(limit, set as u64, slices.weight(set), || {
                bounds(&test, slices, set)
            })?);
        }
        Ok(all)
    };
    let parts = py.detach(|| watch.on_threads(slices.sets(), threads, all));
    let parts: Vec<Vec<Option<u64>>> = parts.map_err(|failure| watch.exception(failure))?;
    let mut times = Vec::with_capacity(slices.tasks());
    let mut known = Vec::with_capacity(slices.tasks());
    for bound in parts.into_iter().flatten() {
        times.push(bound.unwrap_or(0));
        known.push(bound.is_some());
    }
    Ok((times.into_pyarray(py), known.into_pyarray(py)))
}

/// A set, once it is one that the test's parameters are about.
pub(crate) fn fitting(test: &Chosen, slices: Slices<'_>, set: usize) -> Result<TaskSet, Failure> {
    let built = slices.set(set).map_err(Failure::Invalid)?;
    let wrong = |problem| Failure::Invalid(format!("set {set}: {problem}"));
    test.fits(&built).map_err(wrong)?;
    Ok(built)
}

/// That a test gives no response times.
pub(crate) fn no_times(test: &dyn SchedulabilityTest) -> Failure {
    Failure::Invalid(format!("`{}` gives verdicts, but no response times", test.metadata().name))
}

fn bounds(test: &Chosen, slices: Slices<'_>, set: usize) -> Result<Vec<Option<u64>>, Failure> {
    let built = fitting(test, slices, set)?;
    test.covers(&built).map_err(|outside| Failure::Outside(set, outside))?;
    test.response_times(&built).ok_or_else(|| no_times(&**test))
}
