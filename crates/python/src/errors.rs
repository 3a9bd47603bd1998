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

/// Offsets must begin at 0, never fall, and end at the length of the columns.
pub(crate) fn check_offsets(name: &str, offsets: &[i64], end: usize) -> PyResult<()> {
    let rising = offsets.windows(2).position(|pair| pair[0] > pair[1]);
    if let Some(place) = rising {
        return Err(error(format!("`{name}` falls behind position {place}")));
    }
    match (offsets.first(), offsets.last()) {
        (Some(0), Some(&last)) if usize::try_from(last) == Ok(end) => Ok(()),
        (Some(first), Some(last)) => Err(error(format!(
            "`{name}` must go from 0 to {end}, the length of the columns; it goes from {first} to \
             {last}"
        ))),
        _ => Err(error(format!("`{name}` is empty; without sets it is [0]"))),
    }
}

/// A column has a value for each row.
pub(crate) fn check_length(name: &str, column: Option<&[u64]>, expected: usize) -> PyResult<()> {
    match column {
        Some(column) if column.len() != expected => {
            Err(error(format!("`{name}` has {} values for {expected} rows", column.len())))
        }
        _ => Ok(()),
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("FuseeError", module.py().get_type::<FuseeError>())?;
    module.add("OutsideAssumptions", module.py().get_type::<OutsideAssumptions>())
}
