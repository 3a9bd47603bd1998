//! Experiments: the same files, chunks, logs and results as `fusee sweep`.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use fusee_analysis::TaskSet;
use fusee_diagnostics::render::{self, Style};
use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_sweep as sweep;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::error;
use crate::watch::{Failure, Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Experiment>()?;
    module.add_function(wrap_pyfunction!(parquet, module)?)?;
    module.add_class::<Log>()
}

/// What a step of a fixpoint counts here, so that also sets of thousands of tasks are left soon.
const WEIGHT: usize = 1024;

/// An experiment and the plan of its work.
#[pyclass(frozen, module = "fusee._fusee")]
struct Experiment {
    experiment: sweep::Experiment,
    plan: sweep::Plan,
}

fn explained(diagnostics: &[Diagnostic], sources: &SourceMap) -> PyErr {
    error(render::text(diagnostics, sources, Style::Plain).trim_end().to_owned())
}

#[pymethods]
impl Experiment {
    /// Reads the text of an experiment; `sample` is a share of its sets in millionths, `placed`:
    /// whether the caller places them.
    #[new]
    #[pyo3(signature = (text, path, sample, placed = false))]
    fn new(text: String, path: PathBuf, sample: u64, placed: bool) -> PyResult<Self> {
        let mut sources = SourceMap::default();
        let file = sources.add(path, text);
        let place = placed.then(|| Arc::new(Callers) as Arc<dyn sweep::Place>);
        let experiment = sweep::Experiment::read_with(
            &sources,
            file,
            sweep::Own { place, ..Default::default() },
        )
        .map_err(|wrong| explained(&wrong, &sources))?;
        let experiment = if sample == 1_000_000 { experiment } else { experiment.sampled(sample) };
        let plan = experiment.plan();
        Ok(Self { experiment, plan })
    }

    #[getter]
    fn title(&self) -> &str {
        &self.experiment.title
    }

    #[getter]
    fn chunks(&self) -> u64 {
        self.plan.chunks()
    }

    #[getter]
    fn points(&self) -> usize {
        self.plan.points.len()
    }

    #[getter]
    fn sets(&self) -> u64 {
        self.plan.sets()
    }

    /// The numbers of all chunks in the order in which they are best done.
    fn order(&self) -> Vec<u64> {
        self.plan.order().collect()
    }

    /// How often each point is drawn.
    #[getter]
    fn sets_of_point(&self) -> u64 {
        self.experiment.sets
    }

    /// The names of the axes.
    fn axes(&self) -> Vec<&str> {
        self.experiment.axes.iter().map(|axis| axis.name.as_str()).collect()
    }

    /// The recipe of a point as TOML, and the seed of its sets.
    fn recipe(&self, point: usize) -> PyResult<(String, u64)> {
        let place = self.point(point)?;
        let table = self.experiment.tables(place, sweep::Stage::Recipe);
        Ok((table.to_string(), sweep::seed(&self.experiment, place)))
    }

    /// Returns the number of ways to analyze the sets of a point.
    #[getter]
    fn variants(&self) -> usize {
        self.plan.variants.len()
    }

    /// The analysis of a variant as TOML.
    fn analysis(&self, variant: usize) -> PyResult<String> {
        Ok(self.experiment.tables(self.variant(variant)?, sweep::Stage::Analysis).to_string())
    }

    /// The values of the axes at a point in a variant, and the tests that are asked: label, name,
    /// with resources or not.
    fn cell<'py>(&self, py: Python<'py>, point: usize, variant: usize) -> PyResult<Cell<'py>> {
        let place = self.point(point)?.with(self.variant(variant)?);
        let values = PyDict::new(py);
        for (number, axis) in self.experiment.axes.iter().enumerate() {
            let Some(setting) = place.setting(number).and_then(|s| axis.settings.get(s)) else {
                continue;
            };
            match &setting.label {
                sweep::Value::Integer(value) => values.set_item(&axis.name, value)?,
                sweep::Value::Real(_) => values.set_item(&axis.name, setting.label.number())?,
                sweep::Value::Word(word) => values.set_item(&axis.name, word)?,
            }
        }
        let asked = self
            .experiment
            .tests
            .iter()
            .filter(|test| test.only.iter().all(|choice| choice.admits(&place)));
        let about = |test: &sweep::Test| {
            (test.label.clone(), test.test.metadata().name, test.resources == sweep::Sharing::Seen)
        };
        Ok((values, asked.map(about).collect()))
    }

    /// The columns and the files of results that the caller has counted: for each row point,
    /// variant, label, test, sets, sets outside its assumptions, and schedulable ones.
    fn results_of<'py>(&self, py: Python<'py>, rows: Vec<Counted>) -> PyResult<Finished<'py>> {
        let row = |(point, variant, label, test, sets, outside, schedulable): Counted| {
            let point = self.point(point)?.with(self.variant(variant)?);
            let values = self.experiment.values(&point);
            Ok(sweep::Row { values, label, test, point, sets, outside, schedulable })
        };
        let rows = rows.into_iter().map(row).collect::<PyResult<_>>()?;
        let results = sweep::Results { axes: self.experiment.axis_names(), rows };
        let files = py.detach(|| results.files(&self.experiment)).map_err(error)?;
        Ok((columns_of(py, &results)?, files_of(py, files)?))
    }

    /// Does one chunk, and gives the record for the log.
    fn count<'py>(&self, py: Python<'py>, chunk: u64) -> PyResult<Bound<'py, PyBytes>> {
        let known = self.plan.chunk(chunk);
        let known = known.ok_or_else(|| {
            error(format!("there is no chunk {chunk}; there are {}", self.plan.chunks()))
        })?;
        let watch = Watch::new(u64::MAX);
        let count = || sweep::count(&self.experiment, &self.plan, known);
        let count = || count().map_err(|impossible| Failure::Invalid(impossible.to_string()));
        let counts = py.detach(|| on_set(&watch.here(), chunk, WEIGHT, count));
        let counts = counts.map_err(|failure| watch.exception(failure))?;
        Ok(PyBytes::new(py, &sweep::Log::record(chunk, &counts)))
    }
}

/// The placement that the caller gives; nothing is placed here.
struct Callers;

impl sweep::Place for Callers {
    fn name(&self) -> &str {
        "the caller's"
    }

    fn place(&self, _: &TaskSet) -> Option<TaskSet> {
        None
    }
}

/// A row of results, in numbers and names.
type Counted = (usize, usize, String, String, u64, u64, u64);

/// Columns by name, and files by name.
type Finished<'py> = (Bound<'py, PyDict>, Bound<'py, PyDict>);

fn columns_of<'py>(py: Python<'py>, results: &sweep::Results) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, column) in results.columns() {
        match column {
            sweep::Column::Integers(values) => dict.set_item(name, values.into_pyarray(py))?,
            sweep::Column::Reals(values) => dict.set_item(name, values.into_pyarray(py))?,
            sweep::Column::Texts(values) => dict.set_item(name, values)?,
        }
    }
    Ok(dict)
}

fn files_of<'py>(py: Python<'py>, files: Vec<(String, Vec<u8>)>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, content) in files {
        dict.set_item(name, PyBytes::new(py, &content))?;
    }
    Ok(dict)
}

/// A column as a list: all whole numbers, all numbers, or all texts.
#[derive(FromPyObject)]
enum Listed {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Texts(Vec<String>),
}

/// Columns as a Parquet file.
#[pyfunction]
fn parquet<'py>(py: Python<'py>, columns: Vec<(String, Listed)>) -> PyResult<Bound<'py, PyBytes>> {
    let column = |listed| match listed {
        Listed::Integers(values) => sweep::Column::Integers(values),
        Listed::Reals(values) => sweep::Column::Reals(values),
        Listed::Texts(values) => sweep::Column::Texts(values),
    };
    let columns: Vec<(String, sweep::Column)> =
        columns.into_iter().map(|(name, listed)| (name, column(listed))).collect();
    let named: Vec<(&str, sweep::Column)> =
        columns.iter().map(|(name, column)| (name.as_str(), column.clone())).collect();
    Ok(PyBytes::new(py, &sweep::parquet(&named).map_err(error)?))
}

/// The values of the axes by name, and tests by label and name with whether they see resources.
type Cell<'py> = (Bound<'py, PyDict>, Vec<(String, &'static str, bool)>);

impl Experiment {
    fn point(&self, number: usize) -> PyResult<&sweep::Point> {
        self.plan.points.get(number).ok_or_else(|| error(format!("there is no point {number}")))
    }

    fn variant(&self, number: usize) -> PyResult<&sweep::Point> {
        self.plan.variants.get(number).ok_or_else(|| error(format!("there is no variant {number}")))
    }
}

/// An open log; other processes can't open it before this is closed.
#[pyclass(module = "fusee._fusee")]
struct Log {
    log: Option<sweep::Log>,
    experiment: Py<Experiment>,
}

impl Log {
    fn open_log(&mut self) -> PyResult<&mut sweep::Log> {
        self.log.as_mut().ok_or_else(|| error("the log is closed"))
    }
}

#[pymethods]
impl Log {
    #[new]
    fn new(path: PathBuf, experiment: Py<Experiment>) -> PyResult<Self> {
        let inner = experiment.get();
        let log = sweep::Log::open(&path, &inner.experiment, &inner.plan).map_err(error)?;
        Ok(Self { log: Some(log), experiment })
    }

    /// Lets go of the file.
    fn close(&mut self) {
        self.log = None;
    }

    /// The chunks that are not done, in the order in which they are best done.
    fn open_chunks(&mut self) -> PyResult<Vec<u64>> {
        let order: Vec<u64> = self.experiment.get().plan.order().collect();
        let log = self.open_log()?;
        Ok(order.into_iter().filter(|&chunk| !log.is_done(chunk)).collect())
    }

    /// Adds the record that a worker made.
    fn add(&mut self, record: &[u8]) -> PyResult<()> {
        self.open_log()?.add_record(record).map_err(error)
    }

    /// Does all open chunks here, on threads.
    fn run(&mut self, py: Python<'_>, threads: usize) -> PyResult<()> {
        let experiment = self.experiment.clone_ref(py);
        let log = self.open_log()?;
        let inner = experiment.get();
        let watch = Watch::new(u64::MAX);
        let mut go_on =
            |_| if watch.poll() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let ran = py
            .detach(|| sweep::run_while(&inner.experiment, &inner.plan, log, threads, &mut go_on));
        ran.map_err(|problem| watch.exception(Failure::Invalid(problem.to_string())))?;
        Ok(())
    }

    /// The results as files by name, once all chunks are done.
    fn files<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let results = self.finished(py)?;
        let experiment = self.experiment.clone_ref(py);
        let files = py.detach(|| results.files(&experiment.get().experiment)).map_err(error)?;
        files_of(py, files)
    }

    /// The results as columns by name, once all chunks are done.
    fn columns<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns_of(py, &self.finished(py)?)
    }
}

impl Log {
    fn finished(&mut self, py: Python<'_>) -> PyResult<sweep::Results> {
        let experiment = self.experiment.clone_ref(py);
        let inner = experiment.get();
        let log = self.open_log()?;
        let results = sweep::Results::of(&inner.experiment, &inner.plan, log.counts());
        let missing = || log.counts().iter().filter(|counts| counts.is_none()).count();
        results.ok_or_else(|| error(format!("{} chunks are not done yet", missing())))
    }
}
