//! Models beside task sets: graphs, criticality, event loops, supplies.

use fusee_analysis::dag::{self, Federation, Graph, GraphTask};
use fusee_analysis::event_loops::{self, EventLoop, Order, Source};
use fusee_analysis::mixed_criticality::{self, CriticalTask, Responses, VirtualDeadlines};
use fusee_analysis::supply::{self, Given, Slot, Supply};
use pyo3::prelude::*;

use crate::columns::Columns;
use crate::compositional::Curve;
use crate::errors::{error, named};
use crate::watch::{Failure, Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyGraph>()?;
    module.add_class::<PySupply>()?;
    module.add_function(wrap_pyfunction!(dag_response_times, module)?)?;
    module.add_function(wrap_pyfunction!(federate, module)?)?;
    module.add_function(wrap_pyfunction!(mixed_response_times, module)?)?;
    module.add_function(wrap_pyfunction!(virtual_deadlines, module)?)?;
    module.add_function(wrap_pyfunction!(loop_response_times, module)?)?;
    module.add_function(wrap_pyfunction!(supplied_response_times, module)?)
}

/// Nodes with their longest execution times, and which of them wait for which.
#[pyclass(name = "Graph", module = "fusee", frozen, eq, from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyGraph(Graph);

#[pymethods]
impl PyGraph {
    /// In each edge the second node waits for the first; nodes count from 0.
    #[new]
    #[pyo3(signature = (wcet, edges = Vec::new()))]
    fn new(wcet: Vec<u64>, edges: Vec<(usize, usize)>) -> PyResult<Self> {
        Graph::new(wcet, &edges).map(Self).map_err(error)
    }

    /// The sum of all nodes.
    #[getter]
    fn volume(&self) -> u64 {
        self.0.volume()
    }

    /// The length of the longest path.
    #[getter]
    fn length(&self) -> u64 {
        self.0.length()
    }

    /// By when one job alone is complete on so many cores: by Graham's bound, or from several long
    /// paths.
    #[pyo3(signature = (cores, *, paths = true))]
    fn makespan(&self, cores: u64, paths: bool) -> PyResult<u64> {
        let found = if paths { self.0.makespan_by_paths(cores) } else { self.0.makespan(cores) };
        found.ok_or_else(|| error("there are 0 cores; at least one is needed"))
    }
}

/// A task of graphs as it crosses the border: graph, period, deadline, priority.
type GraphRow = (PyGraph, u64, u64, u32);

fn graph_task((graph, period, deadline, priority): GraphRow) -> GraphTask {
    GraphTask { graph: graph.0, period, deadline, priority }
}

/// Response times of tasks of graphs under global fixed priorities.
#[pyfunction]
fn dag_response_times(rows: Vec<GraphRow>, cores: u64) -> Vec<Option<u64>> {
    let tasks: Vec<GraphTask> = rows.into_iter().map(graph_task).collect();
    dag::global_response_times(&tasks, cores)
}

/// For each task its own number of cores, or the shared core that it is on.
#[pyfunction]
fn federate(rows: Vec<GraphRow>, cores: u64) -> Option<Vec<(u64, Option<usize>)>> {
    let tasks: Vec<GraphTask> = rows.into_iter().map(graph_task).collect();
    let one = |of: Federation| match of {
        Federation::Own { cores } => (cores, None),
        Federation::Shared { core } => (0, Some(core)),
    };
    Some(dag::federated(&tasks, cores)?.into_iter().map(one).collect())
}

/// A task of two execution times: usual, most, period, deadline, priority.
type CriticalRow = (u64, Option<u64>, u64, u64, u32);

fn critical((usual, most, period, deadline, priority): CriticalRow) -> CriticalTask {
    CriticalTask { usual, most, period, deadline, priority }
}

/// Response times of tasks as they cross the border, in the low mode and of high criticality.
type ModeTimes = Vec<(u64, Option<u64>)>;

/// A test of fixed priorities with two levels of criticality.
type OfModes = fn(&[CriticalTask]) -> Option<Vec<Responses>>;

const OF_MODES: [(&str, OfModes); 2] =
    [("amc-rtb", mixed_criticality::amc_rtb), ("amc-max", mixed_criticality::amc_max)];

/// Response times in both modes.
#[pyfunction]
fn mixed_response_times(
    py: Python<'_>,
    test: &str,
    rows: Vec<CriticalRow>,
    effort: u64,
) -> PyResult<Option<ModeTimes>> {
    let of = named("test", &OF_MODES, test)?;
    let tasks: Vec<CriticalTask> = rows.into_iter().map(critical).collect();
    let watch = Watch::new(effort);
    let found = py.detach(|| on_set(&watch.here(), 0, tasks.len(), || Ok(of(&tasks))));
    let found = found.map_err(|failure: Failure| watch.exception(failure))?;
    let one = |of: Responses| (of.low, of.high);
    Ok(found.map(|all| all.into_iter().map(one).collect()))
}

/// The part of a period after which virtual deadlines come, as a fraction.
#[pyfunction]
fn virtual_deadlines(rows: Vec<CriticalRow>) -> Option<(u64, u64)> {
    let tasks: Vec<CriticalTask> = rows.into_iter().map(critical).collect();
    mixed_criticality::edf_vd(&tasks).map(|found| match found {
        VirtualDeadlines::Real => (1, 1),
        VirtualDeadlines::Scaled { numerator, denominator } => (numerator, denominator),
    })
}

const ORDERS: [(&str, Order); 4] = [
    ("priority", Order::Priority),
    ("fifo", Order::Fifo),
    ("round", Order::Round),
    ("number", Order::Number),
];

/// A source: curve, wcet, live.
type SourceRow = (Option<Curve>, u64, bool);

/// A loop: priority, order, blocking, sources.
type LoopRow = (u32, String, u64, Vec<SourceRow>);

/// Response times of each source of each loop.
#[pyfunction]
fn loop_response_times(
    py: Python<'_>,
    rows: Vec<LoopRow>,
    effort: u64,
) -> PyResult<Vec<Vec<Option<u64>>>> {
    let source = |(arrivals, wcet, live): SourceRow| {
        let arrivals = arrivals.map(Curve::into_inner);
        Source { arrivals, wcet, live }
    };
    let one = |(priority, order, blocking, sources): LoopRow| {
        let order = named("order", &ORDERS, &order)?;
        let sources = sources.into_iter().map(source).collect();
        Ok(EventLoop { priority, order, blocking, sources })
    };
    let loops: Vec<EventLoop> = rows.into_iter().map(one).collect::<PyResult<_>>()?;
    let watch = Watch::new(effort);
    let weight = loops.iter().map(|one| one.sources.len()).sum();
    let of = || on_set(&watch.here(), 0, weight, || Ok(event_loops::response_times(&loops)));
    py.detach(of).map_err(|failure: Failure| watch.exception(failure))
}

/// The least supply of a core: the supply bound function of a contract.
#[pyclass(name = "Supply", module = "fusee", frozen, eq, from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct PySupply(Given);

#[pymethods]
impl PySupply {
    /// So much in every period, anywhere in it.
    #[staticmethod]
    fn periodic(period: u64, budget: u64) -> PyResult<Self> {
        let none =
            || error(format!("{budget} of every {period} is nothing, or more than there is"));
        Given::periodic(period, budget).map(Self).ok_or_else(none)
    }

    /// `part` / `whole` of the time, but for a delay.
    #[staticmethod]
    fn delayed(part: u64, whole: u64, delay: u64) -> PyResult<Self> {
        let none = || error(format!("{part} / {whole} is nothing, or more than there is"));
        Given::delayed(part, whole, delay).map(Self).ok_or_else(none)
    }

    /// Slots of (start, length) that repeat after a period.
    #[staticmethod]
    fn table(period: u64, slots: Vec<(u64, u64)>) -> PyResult<Self> {
        let slots: Vec<Slot> =
            slots.into_iter().map(|(start, length)| Slot { start, length }).collect();
        let none = || error("the table gives nothing, or its times do not fit");
        Supply::table(period, &slots).map(Given::Table).map(Self).ok_or_else(none)
    }

    /// The least that is given in any window of this length.
    fn least(&self, window: u64) -> PyResult<u64> {
        self.0.least(window).ok_or_else(|| error(format!("what is given in {window} does not fit")))
    }

    /// The least window in which so much is given for certain.
    fn needed(&self, amount: u64) -> PyResult<u64> {
        self.0.needed(amount).ok_or_else(|| error(format!("the window for {amount} does not fit")))
    }
}

/// Response times of the first set under fixed priorities, which has so much of its core.
#[pyfunction]
fn supplied_response_times(
    py: Python<'_>,
    columns: Columns<'_>,
    given: PySupply,
    effort: u64,
) -> PyResult<Vec<Option<u64>>> {
    let (slices, watch) = (columns.slices()?, Watch::new(effort));
    let found = py.detach(|| {
        on_set(&watch.here(), 0, slices.weight(0), || {
            let set = slices.set(0).map_err(Failure::Invalid)?;
            supply::response_times(&set, &given.0).map_err(|outside| Failure::Outside(0, outside))
        })
    });
    found.map_err(|failure| watch.exception(failure))
}
