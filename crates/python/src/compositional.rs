//! Arrival curves, and tasks that release each other.

use fusee_analysis::arrivals::ArrivalCurve;
use fusee_analysis::compositional::{Activation, Activity, Bounded, analyse};
use pyo3::prelude::*;

use crate::errors::error;
use crate::watch::{Failure, Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Curve>()?;
    module.add_function(wrap_pyfunction!(compose, module)?)
}

/// How close together events can come: the least distances of 2, 3, ... of them, in ticks.
#[pyclass(name = "ArrivalCurve", module = "fusee", frozen, eq, from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Curve(ArrivalCurve);

impl Curve {
    /// The curve itself.
    pub(crate) fn into_inner(self) -> ArrivalCurve {
        self.0
    }
}

#[pymethods]
impl Curve {
    /// Events a period apart, each delayed by up to `jitter`; with jitter 0 also sporadic ones that
    /// come at least a period apart. No two are less than `distance` apart.
    #[staticmethod]
    #[pyo3(signature = (period, jitter = 0, distance = 0))]
    fn periodic(period: u64, jitter: u64, distance: u64) -> PyResult<Curve> {
        if distance > period {
            return Err(error(format!("the distance {distance} is above the period {period}")));
        }
        let curve = ArrivalCurve::periodic(period, jitter).map_err(error)?;
        Ok(Curve(curve.at_least_apart(distance)))
    }

    /// Bursts of up to `count` events at least `distance` apart; the beginnings of bursts are at
    /// least `period` apart.
    #[staticmethod]
    fn bursts(count: u64, distance: u64, period: u64) -> PyResult<Curve> {
        ArrivalCurve::bursts(count, distance, period).map(Curve).map_err(error)
    }

    /// The least distances of a trace: sorted times of events.
    #[staticmethod]
    fn from_trace(times: Vec<u64>) -> PyResult<Curve> {
        ArrivalCurve::from_trace(&times).map(Curve).map_err(error)
    }

    /// The least time from the first to the last of so many successive events.
    fn distance(&self, events: u64) -> u64 {
        self.0.distance(events)
    }

    /// The most events in a half-open window of this length.
    fn within(&self, window: u64) -> PyResult<u64> {
        self.0
            .within(window)
            .ok_or_else(|| error(format!("more events than can be counted come within {window}")))
    }

    /// So many events in so much time, in the long run.
    #[getter]
    fn rate(&self) -> (u64, u64) {
        self.0.rate()
    }

    /// The stream after a delay of each event that varies by up to `variation`.
    fn delayed(&self, variation: u64) -> Curve {
        Curve(self.0.clone().delayed(variation))
    }

    /// The same stream, of which it is also known that two events are at least so far apart.
    fn at_least_apart(&self, distance: u64) -> Curve {
        Curve(self.0.clone().at_least_apart(distance))
    }

    fn __repr__(&self) -> String {
        let first: Vec<String> = (2..6).map(|events| self.0.distance(events).to_string()).collect();
        format!("<ArrivalCurve: 2, 3, 4, 5 events in {}>", first.join(", "))
    }
}

/// What releases an activity, as it crosses the border.
#[derive(FromPyObject)]
enum Source {
    Curve(Curve),
    After(usize),
}

/// An activity as it crosses the border: wcet, best, core, priority, blocking, activation.
type Row = (u64, u64, usize, u32, u64, Source);

/// The results of an activity: its response time, the curves of its releases and completions, and
/// its busy windows.
type Known = (u64, Curve, Curve, Vec<u64>);

/// Returns the results of each activity.
#[pyfunction]
#[pyo3(signature = (rows, effort))]
fn compose(py: Python<'_>, rows: Vec<Row>, effort: u64) -> PyResult<Vec<Known>> {
    let activity = |(wcet, best, core, priority, blocking, source): Row| {
        let activation = match source {
            Source::Curve(Curve(curve)) => Activation::Source(curve),
            Source::After(after) => Activation::After(after),
        };
        Activity { core, priority, best, wcet, blocking, activation }
    };
    let activities: Vec<Activity> = rows.into_iter().map(activity).collect();
    let watch = Watch::new(effort);
    let bounded = py.detach(|| {
        on_set(&watch.here(), 0, activities.len(), || {
            analyse(&activities).map_err(|problem| Failure::Invalid(problem.to_string()))
        })
    });
    let bounded = bounded.map_err(|failure| watch.exception(failure))?;
    let known = |b: Bounded| (b.response, Curve(b.releases), Curve(b.completions), b.windows);
    Ok(bounded.into_iter().map(known).collect())
}
