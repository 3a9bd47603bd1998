//! The analysis for Python, column by column.
//!
//! A call about a single task set costs more in crossing the border than in
//! analysis. So calls take thousands of sets at once, as columns that NumPy and
//! Arrow share without copying, and let other Python threads run meanwhile. What
//! is comfortable (task objects, data frames, plots) is Python code on top, in
//! `fusee/`; this crate is only the border, and every error crosses it as an
//! exception that names the set, the task and the cause.

mod chains;
mod changes;
mod chosen;
mod columns;
mod compositional;
mod descriptions;
mod errors;
mod experiment;
mod generate;
mod models;
mod own_scheduler;
mod placement;
mod programs;
mod requests;
mod schedules;
mod table;
mod tests;
mod watch;

use pyo3::prelude::*;

/// The compiled half of the package `fusee`.
#[pymodule]
fn _fusee(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::register(module)?;
    watch::register(module)?;
    tests::register(module)?;
    generate::register(module)?;
    placement::register(module)?;
    changes::register(module)?;
    programs::register(module)?;
    schedules::register(module)?;
    chains::register(module)?;
    compositional::register(module)?;
    models::register(module)?;
    descriptions::register(module)?;
    experiment::register(module)
}
