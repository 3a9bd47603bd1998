//! Random task sets as columns.

use fusee_analysis::TaskSet;
use fusee_analysis::generation::{Generator, Recipe};
use fusee_analysis::placement::Placement;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Deserialize;

use crate::errors::error;
use crate::table::Table;
use crate::watch::{Failure, Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(generate, module)?)
}

/// What the start of a set counts: about as many steps as it takes to draw a small one.
const SMALL: usize = 1000;

/// Sets `first .. first + count` of a recipe in TOML, as a dictionary of columns.
#[pyfunction]
fn generate<'py>(
    py: Python<'py>,
    recipe: &str,
    seed: u64,
    first: u64,
    count: u64,
    effort: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let ((generator, placement), watch) = (read(recipe)?, Watch::new(effort));
    let end = first.checked_add(count).ok_or_else(|| error("`first` + `count` is too large"))?;
    let table = py.detach(|| {
        let mut table = Table::new();
        let limit = watch.here();
        for index in first..end {
            let set =
                on_set(&limit, index, SMALL, || draw(&generator, placement.as_ref(), seed, index))?;
            table.add(&set);
        }
        Ok(table)
    });
    table.map_err(|failure| watch.exception(failure))?.columns(py)
}

/// A set on its cores, if the recipe places it.
fn draw(
    generator: &Generator,
    placement: Option<&Placement>,
    seed: u64,
    index: u64,
) -> Result<TaskSet, Failure> {
    let set = generator
        .set(seed, index)
        .map_err(|problem| Failure::Invalid(format!("set {index}: {problem}")))?;
    let Some(placement) = placement else { return Ok(set) };
    placement.place_by_utilization(&set).ok_or_else(|| {
        Failure::Invalid(format!(
            "set {index} has a task that no core accepts; leave `placement` out of the recipe, and \
             `place(..., misfits=\"drop\")` leaves out such sets"
        ))
    })
}

/// A recipe, and how its sets are placed, if they are.
fn read(recipe: &str) -> PyResult<(Generator, Option<Placement>)> {
    let wrong = |problem: toml::de::Error| error(format!("the recipe: {}", problem.message()));
    let mut table: toml::Table = toml::from_str(recipe).map_err(wrong)?;
    let placement = table.remove("placement").map(Placement::deserialize).transpose();
    let placement = placement
        .map_err(|problem| error(format!("the recipe: placement: {}", problem.message())))?;
    let recipe: Recipe = table.try_into().map_err(wrong)?;
    let generator =
        Generator::new(recipe).map_err(|problem| error(format!("the recipe: {problem}")))?;
    Ok((generator, placement))
}
