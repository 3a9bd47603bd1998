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

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("FuseeError", module.py().get_type::<FuseeError>())?;
    module.add("OutsideAssumptions", module.py().get_type::<OutsideAssumptions>())
}
