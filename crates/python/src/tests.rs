//! Asking a test about many sets.

use std::ops::Range;
use std::thread;

use fusee_analysis::{Assumption, OutsideAssumptions as Outside, SchedulabilityTest, registry};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::{Columns, Slices};
use crate::errors::{OutsideAssumptions, error};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tests, module)?)?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(response_times, module)?)
}

/// What all tests say about themselves, as dictionaries.
#[pyfunction]
fn tests(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let about = |test: &dyn SchedulabilityTest| {
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
    };
    registry::all().map(about).collect()
}

/// Why a call ended.
enum Failure {
    /// A set is none.
    Invalid(String),
    /// A set is outside the test's assumptions.
    Outside(usize, Outside),
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Invalid(problem) => error(problem),
            Failure::Outside(set, outside) => OutsideAssumptions::new_err(format!("set {set}: {outside}")),
        }
    }
}

pub(crate) fn find(name: &str) -> PyResult<&'static dyn SchedulabilityTest> {
    registry::by_name(name).ok_or_else(|| {
        let known = registry::all().map(|test| test.metadata().name);
        match fusee_diagnostics::closest(name, known) {
            Some(meant) => error(format!("there is no test `{name}`; did you mean `{meant}`?")),
            None => error(format!("there is no test `{name}`; `fusee.tests()` lists them")),
        }
    })
}

/// Verdicts of a test, one for each set: 1 schedulable, 0 not shown, -1 outside its assumptions.
///
/// With `mark_outside`, a set outside the assumptions is marked; without, it ends the call.
#[pyfunction]
#[pyo3(signature = (test, columns, threads, mark_outside))]
fn check<'py>(
    py: Python<'py>,
    test: &str,
    columns: Columns<'_>,
    threads: usize,
    mark_outside: bool,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let (test, slices) = (find(test)?, columns.slices()?);
    let one = |set: usize| {
        let built = slices.set(set).map_err(Failure::Invalid)?;
        match test.check(&built) {
            Ok(verdict) => Ok(i8::from(verdict.is_schedulable())),
            // That a set was never placed is an oversight, not a property of the set.
            Err(outside) if mark_outside && outside.assumption != Assumption::Placed => Ok(-1),
            Err(outside) => Err(Failure::Outside(set, outside)),
        }
    };
    let parts =
        py.detach(|| on_threads(slices.sets(), threads, |sets| sets.map(one).collect::<Result<Vec<i8>, _>>()))?;
    Ok(parts.concat().into_pyarray(py))
}

/// Numbers, and whether each is one.
type Masked<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<bool>>);

/// Bounds on response times, one for each task, and whether there is one.
#[pyfunction]
#[pyo3(signature = (test, columns, threads))]
fn response_times<'py>(py: Python<'py>, test: &str, columns: Columns<'_>, threads: usize) -> PyResult<Masked<'py>> {
    let (test, slices) = (find(test)?, columns.slices()?);
    let parts = py.detach(|| on_threads(slices.sets(), threads, |sets| bounds(test, slices, sets)))?;
    let mut times = Vec::with_capacity(slices.tasks());
    let mut known = Vec::with_capacity(slices.tasks());
    for bound in parts.into_iter().flatten() {
        times.push(bound.unwrap_or(0));
        known.push(bound.is_some());
    }
    Ok((times.into_pyarray(py), known.into_pyarray(py)))
}

fn bounds(test: &dyn SchedulabilityTest, slices: Slices<'_>, sets: Range<usize>) -> Result<Vec<Option<u64>>, Failure> {
    let mut bounds = Vec::new();
    for set in sets {
        let built = slices.set(set).map_err(Failure::Invalid)?;
        test.covers(&built).map_err(|outside| Failure::Outside(set, outside))?;
        let none = || Failure::Invalid(format!("`{}` gives verdicts, but no response times", test.metadata().name));
        bounds.extend(test.response_times(&built).ok_or_else(none)?);
    }
    Ok(bounds)
}

/// Equal parts of the sets, each on a thread of its own; the first failure in the order of the sets.
fn on_threads<T: Send>(
    sets: usize,
    threads: usize,
    work: impl Fn(Range<usize>) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, PyErr> {
    let threads = threads.clamp(1, sets.max(1));
    let part = |k: usize| sets * k / threads..sets * (k + 1) / threads;
    let run = |k: usize| work(part(k));
    let results: Vec<Result<T, Failure>> = if threads == 1 {
        vec![run(0)]
    } else {
        thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|k| scope.spawn(move || run(k))).collect();
            let failed = |_| Err(Failure::Invalid("a thread of the analysis failed".to_owned()));
            running.into_iter().map(|thread| thread.join().unwrap_or_else(failed)).collect()
        })
    };
    results.into_iter().collect::<Result<Vec<T>, Failure>>().map_err(PyErr::from)
}
