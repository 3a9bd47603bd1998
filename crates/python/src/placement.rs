//! Placing the tasks of many sets.

use fusee_analysis::placement::{Placement, by_test};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::chosen::{Asked, find};
use crate::columns::Columns;
use crate::errors::error;
use crate::watch::{Failure, Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(place, module)?)
}

/// The core of each task, and whether each set has found room for all of its own.
type Places<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<bool>>);

/// Places the tasks of each set on its cores; those of a set without room stand on core 0.
#[pyfunction]
#[pyo3(signature = (columns, fit, order, test, effort))]
fn place<'py>(
    py: Python<'py>,
    columns: Columns<'_>,
    fit: &str,
    order: &str,
    test: Option<Asked>,
    effort: u64,
) -> PyResult<Places<'py>> {
    let (placement, slices, watch) =
        (heuristic(fit, order)?, columns.slices()?, Watch::new(effort));
    let test = test.as_ref().map(find).transpose()?;
    let accepts = test.as_deref().map(by_test);
    let placed = py.detach(|| {
        let (mut cores, mut fits) =
            (Vec::with_capacity(slices.tasks()), Vec::with_capacity(slices.sets()));
        let limit = watch.here();
        for number in 0..slices.sets() {
            let (set, placed) = on_set(&limit, number as u64, slices.weight(number), || {
                let set = slices.set(number).map_err(Failure::Invalid)?;
                let placed = match &accepts {
                    Some(accepts) => placement.place(&set, accepts),
                    None => placement.place_by_utilization(&set),
                };
                Ok((set, placed))
            })?;
            fits.push(placed.is_some());
            let core =
                |task: usize| placed.as_ref().map_or(0, |placed| placed.tasks()[task].core as u64);
            cores.extend((0..set.tasks().len()).map(core));
        }
        Ok((cores, fits))
    });
    let (cores, fits) = placed.map_err(|failure| watch.exception(failure))?;
    Ok((cores.into_pyarray(py), fits.into_pyarray(py)))
}

/// The heuristic of these names, which are those of experiments.
fn heuristic(fit: &str, order: &str) -> PyResult<Placement> {
    let names = [("fit", fit), ("order", order)]
        .map(|(key, name)| (key.to_owned(), toml::Value::from(name)));
    let table = toml::Table::from_iter(names);
    Placement::deserialize(table)
        .map_err(|problem| error(format!("the placement: {}", problem.message())))
}
