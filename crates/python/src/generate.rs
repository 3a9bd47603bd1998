//! Random task sets as columns.

use fusee_analysis::TaskSet;
use fusee_analysis::generation::{Generator, Recipe};
use fusee_analysis::placement::Placement;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Deserialize;

use crate::errors::error;
use crate::watch::{Failure, Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(generate, module)?)
}

#[derive(Default)]
struct Table {
    offsets: Vec<i64>,
    columns: [Vec<u64>; 8],
    cores: usize,
    unplaced: bool,
    request_offsets: Vec<i64>,
    resource: Vec<u64>,
    count: Vec<u64>,
    length: Vec<u64>,
}

/// The columns of tasks, in the order of [`Table::columns`].
const NAMES: [&str; 8] =
    ["wcet", "period", "deadline", "jitter", "offset", "suspension", "priority", "core"];

impl Table {
    fn add(&mut self, set: &TaskSet) -> Result<(), String> {
        self.cores = self.cores.max(set.cores());
        self.unplaced |= !set.is_placed();
        for (index, t) in set.tasks().iter().enumerate() {
            let core = t.core as u64;
            let row = [
                t.wcet,
                t.period,
                t.deadline,
                t.jitter,
                t.offset,
                t.suspension,
                u64::from(t.priority),
                core,
            ];
            self.columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            for request in set.requests(index) {
                if !request.nested.is_empty() {
                    return Err("nested requests have no columns; set `nesting` to 0".to_owned());
                }
                if request.reads {
                    return Err("requests that read have no columns; set `reads` to 0".to_owned());
                }
                self.resource.push(request.resource as u64);
                self.count.push(request.count);
                self.length.push(request.length);
            }
            self.request_offsets.push(self.resource.len() as i64);
        }
        self.offsets.push(self.columns[0].len() as i64);
        Ok(())
    }
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
        let mut table = Table { offsets: vec![0], request_offsets: vec![0], ..Table::default() };
        let limit = watch.here();
        for index in first..end {
            let set =
                on_set(&limit, index, SMALL, || draw(&generator, placement.as_ref(), seed, index))?;
            table.add(&set).map_err(Failure::Invalid)?;
        }
        Ok(table)
    });
    columns(py, table.map_err(|failure| watch.exception(failure))?)
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

fn columns(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("offsets", table.offsets.into_pyarray(py))?;
    for (name, column) in NAMES.into_iter().zip(table.columns) {
        // Where a task runs is nothing that was drawn.
        if table.unplaced && name == "core" {
            continue;
        }
        dict.set_item(name, column.into_pyarray(py))?;
    }
    dict.set_item("cores", table.cores.max(1))?;
    if !table.resource.is_empty() {
        dict.set_item("request_offsets", table.request_offsets.into_pyarray(py))?;
        dict.set_item("resource", table.resource.into_pyarray(py))?;
        dict.set_item("count", table.count.into_pyarray(py))?;
        dict.set_item("length", table.length.into_pyarray(py))?;
    }
    Ok(dict)
}
