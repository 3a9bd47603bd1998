//! Linear programs of waiting times, as arrays for other solvers.

use fusee_analysis::linear::Program;
use fusee_analysis::partitioned::programs::Delay;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::Columns;
use crate::errors::error;
use crate::watch::{Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(program, module)?)
}

/// The program of one task or core of the first set in a window, row by row, and the bounds that
/// are known of it.
#[pyfunction]
#[pyo3(signature = (test, columns, subject, window, effort))]
fn program<'py>(
    py: Python<'py>,
    test: &str,
    columns: Columns<'_>,
    subject: usize,
    window: u64,
    effort: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let delay = Delay::ALL.into_iter().find(|delay| delay.test() == test).ok_or_else(|| {
        let known: Vec<&str> = Delay::ALL.iter().map(|delay| delay.test()).collect();
        error(format!(
            "there is no linear program behind `{test}`; there is one behind {}",
            known.join(", ")
        ))
    })?;
    let slices = columns.slices()?;
    if slices.sets() != 1 {
        return Err(error(format!("one task set is needed; there are {}", slices.sets())));
    }
    let set = slices.set(0).map_err(error)?;
    let what = if delay == Delay::FifoSpinEdf { "core" } else { "task" };
    let count = if delay == Delay::FifoSpinEdf { set.cores() } else { set.tasks().len() };
    if subject >= count {
        return Err(error(format!("there is no {what} {subject}; there are {count}")));
    }
    let watch = Watch::new(effort);
    let solved = py.detach(|| {
        on_set(&watch.here(), 0, slices.weight(0), || {
            let program = delay.program(&set, subject, window);
            let proved = program.as_ref().map(Program::bound);
            Ok((program, proved, delay.bound(&set, subject, window)))
        })
    });
    let (program, proved, used) = solved.map_err(|failure| watch.exception(failure))?;
    let program = program.ok_or_else(|| {
        error(format!("a request of {what} {subject} may wait beyond its deadline"))
    })?;
    let dict = PyDict::new(py);
    let (gains, most): (Vec<u64>, Vec<u64>) = program.variables.iter().copied().unzip();
    dict.set_item("gains", gains.into_pyarray(py))?;
    dict.set_item("most", most.into_pyarray(py))?;
    let mut starts = vec![0_i64];
    let (mut variables, mut factors, mut limits) = (Vec::new(), Vec::new(), Vec::new());
    for row in &program.rows {
        variables.extend(row.terms.iter().map(|&(variable, _)| variable as i64));
        factors.extend(row.terms.iter().map(|&(_, factor)| factor));
        limits.push(row.limit);
        starts.push(variables.len() as i64);
    }
    dict.set_item("starts", starts.into_pyarray(py))?;
    dict.set_item("variables", variables.into_pyarray(py))?;
    dict.set_item("factors", factors.into_pyarray(py))?;
    dict.set_item("limits", limits.into_pyarray(py))?;
    dict.set_item("proved", proved.flatten())?;
    dict.set_item("used", used)?;
    Ok(dict)
}
