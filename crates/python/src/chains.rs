//! Cause-effect chains: stages from a set, and times from end to end.

use fusee_analysis::chains::{self, Communication, InvalidChain, Link, Stage, at_offsets};
use pyo3::prelude::*;

use crate::chosen::{Asked, find};
use crate::columns::Columns;
use crate::errors::named;
use crate::tests::fitting;
use crate::watch::{Failure, Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(stages, module)?)?;
    module.add_function(wrap_pyfunction!(reaction_time, module)?)?;
    module.add_function(wrap_pyfunction!(data_age, module)?)
}

/// A stage as it crosses the border: link, separation, response, jitter.
type Row = (String, u64, u64, u64);

const LINKS: [(&str, Link); 3] = [
    ("triggered", Link::Triggered),
    ("sampled", Link::Sampled),
    ("sampled-behind", Link::SampledBehind),
];

const WAYS: [(&str, Communication); 3] = [
    ("implicit", Communication::Implicit),
    ("explicit", Communication::Explicit),
    ("at-deadline", Communication::AtDeadline),
];

/// The stages of a path of tasks of the first set.
#[pyfunction]
#[pyo3(signature = (test, columns, path, communication, effort))]
fn stages(
    py: Python<'_>,
    test: Asked,
    columns: Columns<'_>,
    path: Vec<(usize, String)>,
    communication: &str,
    effort: u64,
) -> PyResult<Vec<Row>> {
    let (test, way) = (find(&test)?, named("communication", &WAYS, communication)?);
    let path = path.iter().map(|(task, link)| Ok((*task, named("link", &LINKS, link)?)));
    let path: Vec<(usize, Link)> = path.collect::<PyResult<_>>()?;
    let (slices, watch) = (columns.slices()?, Watch::new(effort));
    let found = py.detach(|| {
        on_set(&watch.here(), 0, slices.weight(0), || {
            let set = fitting(&test, slices, 0)?;
            test.covers(&set).map_err(|outside| Failure::Outside(0, outside))?;
            chains::stages(&set, &*test, &path, way)
                .map_err(|problem| Failure::Invalid(problem.to_string()))
        })
    });
    let stages = found.map_err(|failure| watch.exception(failure))?;
    Ok(stages.into_iter().map(row).collect())
}

fn row(stage: Stage) -> Row {
    let name = LINKS.iter().find(|(_, link)| *link == stage.link).map_or("", |(name, _)| name);
    (name.to_owned(), stage.separation, stage.response, stage.jitter)
}

fn read(rows: &[Row]) -> PyResult<Vec<Stage>> {
    let one = |(link, separation, response, jitter): &Row| {
        let link = named("link", &LINKS, link)?;
        Ok(Stage { link, separation: *separation, response: *response, jitter: *jitter })
    };
    rows.iter().map(one).collect()
}

/// The reaction time of these stages, at these offsets if there are some.
#[pyfunction]
#[pyo3(signature = (rows, offsets, effort))]
fn reaction_time(
    py: Python<'_>,
    rows: Vec<Row>,
    offsets: Option<Vec<u64>>,
    effort: u64,
) -> PyResult<u64> {
    time(py, &rows, effort, |stages| match &offsets {
        Some(offsets) => at_offsets::reaction_time(stages, offsets),
        None => chains::reaction_time(stages),
    })
}

/// The data age of these stages, at these offsets if there are some.
#[pyfunction]
#[pyo3(signature = (rows, offsets, effort))]
fn data_age(
    py: Python<'_>,
    rows: Vec<Row>,
    offsets: Option<Vec<u64>>,
    effort: u64,
) -> PyResult<u64> {
    time(py, &rows, effort, |stages| match &offsets {
        Some(offsets) => at_offsets::data_age(stages, offsets),
        None => chains::data_age(stages),
    })
}

fn time(
    py: Python<'_>,
    rows: &[Row],
    effort: u64,
    of: impl Fn(&[Stage]) -> Result<u64, InvalidChain> + Sync,
) -> PyResult<u64> {
    let (stages, watch) = (read(rows)?, Watch::new(effort));
    let found = py.detach(|| {
        on_set(&watch.here(), 0, stages.len(), || {
            of(&stages).map_err(|problem| Failure::Invalid(problem.to_string()))
        })
    });
    found.map_err(|failure| watch.exception(failure))
}
