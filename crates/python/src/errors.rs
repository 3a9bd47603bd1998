//! Exceptions.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    fusee,
    FuseeError,
    PyValueError,
    "An input that Fusee can't work with; the message names the place and the cause."
);
create_exception!(
    fusee,
    OutsideAssumptions,
    FuseeError,
    "A test was asked about a task set that breaks what the test assumes."
);

/// An error with its text as the cause.
pub(crate) fn error(problem: impl ToString) -> PyErr {
    FuseeError::new_err(problem.to_string())
}

/// What a name of a list stands for.
pub(crate) fn named<T: Clone>(what: &str, list: &[(&'static str, T)], name: &str) -> PyResult<T> {
    let found = list.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    found.ok_or_else(|| {
        let known: Vec<String> = list.iter().map(|(known, _)| format!("`{known}`")).collect();
        error(format!("there is no {what} `{name}`; there are {}", known.join(", ")))
    })
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("FuseeError", module.py().get_type::<FuseeError>())?;
    module.add("OutsideAssumptions", module.py().get_type::<OutsideAssumptions>())
}
