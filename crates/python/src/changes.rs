//! Sets with other priorities, thresholds, overheads, locks or times.

use std::ops::Range;

use fusee_analysis::effort::Limit;
use fusee_analysis::fixed_priority::PreemptionThresholds;
use fusee_analysis::fixed_priority::assignment::{
    audsley, deadline_monotonic, preemption_thresholds, rate_monotonic,
};
use fusee_analysis::overheads::{Charging, Uncharged};
use fusee_analysis::sensitivity::{Scaled, limit, utilization_at};
use fusee_analysis::{
    Assumption, OutsideAssumptions, Priority, SchedulabilityTest, TaskSet, Verdict,
};
use fusee_sweep::{Account, Charge};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::chosen::{Asked, Chosen, find};
use crate::columns::{Columns, Slices};
use crate::errors::{error, named};
use crate::table::Table;
use crate::tests::{fitting, no_times};
use crate::watch::{Failure, Watch, on_set};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(assign, module)?)?;
    module.add_function(wrap_pyfunction!(charge, module)?)?;
    module.add_function(wrap_pyfunction!(group_locks, module)?)?;
    module.add_function(wrap_pyfunction!(scaling, module)?)
}

/// A value for each task, and whether each set has some.
type Assigned<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<bool>>);

/// What is assigned.
#[derive(Clone, Copy, PartialEq)]
enum What {
    RateMonotonic,
    DeadlineMonotonic,
    Audsley,
    Thresholds,
}

const ASSIGNMENTS: [(&str, What); 4] = [
    ("rate-monotonic", What::RateMonotonic),
    ("deadline-monotonic", What::DeadlineMonotonic),
    ("audsley", What::Audsley),
    ("thresholds", What::Thresholds),
];

/// Priorities or thresholds of the tasks of each set; those of a set without any stay.
#[pyfunction]
#[pyo3(signature = (columns, what, test, effort))]
fn assign<'py>(
    py: Python<'py>,
    columns: Columns<'_>,
    what: &str,
    test: Option<Asked>,
    effort: u64,
) -> PyResult<Assigned<'py>> {
    let chosen = named("assignment", &ASSIGNMENTS, what)?;
    let test = test.as_ref().map(find).transpose()?;
    if test.is_some() != (chosen == What::Audsley) {
        return Err(error(match test {
            None => "`audsley` needs the `test` that is to accept the priorities".to_owned(),
            Some(_) => format!("`{what}` asks no test; leave `test` out"),
        }));
    }
    let (slices, watch) = (columns.slices()?, Watch::new(effort));
    let assigned = py.detach(|| {
        let (mut values, mut found) = (Vec::with_capacity(slices.tasks()), Vec::new());
        let limit = watch.here();
        for number in 0..slices.sets() {
            let of_set = on_set(&limit, number as u64, slices.weight(number), || match &test {
                Some(test) => by_audsley(test, slices, number),
                None => by_set(chosen, slices, number),
            })?;
            found.push(of_set.is_some());
            let tasks = slices.rows(number).len();
            values.extend(
                of_set.unwrap_or_else(|| vec![Priority::MAX; tasks]).iter().map(|&p| u64::from(p)),
            );
        }
        Ok((values, found))
    });
    let (values, found) = assigned.map_err(|failure| watch.exception(failure))?;
    Ok((values.into_pyarray(py), found.into_pyarray(py)))
}

fn by_set(what: What, slices: Slices<'_>, number: usize) -> Result<Option<Vec<Priority>>, Failure> {
    let set = slices.set(number).map_err(Failure::Invalid)?;
    Ok(match what {
        What::RateMonotonic => Some(rate_monotonic(&set)),
        What::Thresholds => {
            let outside = |outside| Failure::Outside(number, outside);
            PreemptionThresholds.covers(&set).map_err(outside)?;
            preemption_thresholds(&set)
        }
        What::DeadlineMonotonic | What::Audsley => Some(deadline_monotonic(&set)),
    })
}

/// Priorities that the test accepts, by Audsley's algorithm.
fn by_audsley(
    test: &Chosen,
    slices: Slices<'_>,
    number: usize,
) -> Result<Option<Vec<Priority>>, Failure> {
    let set = fitting(test, slices, number)?;
    // What the test assumes of priorities is asked of those that are found.
    let start = set.clone().with_priorities(&deadline_monotonic(&set));
    test.covers(&start).map_err(|outside| Failure::Outside(number, outside))?;
    test.response_times(&start).ok_or_else(|| no_times(&**test))?;
    let found = audsley(&set, |set, i| {
        let times = test.response_times(set).unwrap_or_default();
        times.get(i).copied().flatten().is_some_and(|r| r <= set.tasks()[i].deadline)
    });
    let accepted = |p: &Vec<Priority>| {
        test.check(&set.clone().with_priorities(p)).is_ok_and(Verdict::is_schedulable)
    };
    Ok(found.filter(accepted))
}

/// The set with its overheads, charged as in the `[analysis]` of an experiment.
fn charged(charge: &Charge, set: &TaskSet) -> Result<TaskSet, Uncharged> {
    let charging = Charging { waiting: charge.waiting, sections: charge.sections };
    match charge.account {
        Account::Inflated => charge.costs.inflated(set, charging),
        Account::PreemptionCentric => charge.costs.preemption_centric(set, charging),
    }
}

/// Columns of sets, and which of the sets are what was asked for.
type Changed<'py> = (Bound<'py, PyDict>, Bound<'py, PyArray1<bool>>);

/// The sets with their overheads; one whose overheads do not fit is as it was.
#[pyfunction]
fn charge<'py>(
    py: Python<'py>,
    columns: Columns<'_>,
    charging: &str,
    effort: u64,
) -> PyResult<Changed<'py>> {
    let wrong = |problem: toml::de::Error| error(format!("overheads: {}", problem.message()));
    let charge: Charge = toml::from_str(charging).map_err(wrong)?;
    let (slices, watch) = (columns.slices()?, Watch::new(effort));
    let results = py.detach(|| {
        let (mut table, mut fits, limit) = (Table::new(), Vec::new(), watch.here());
        for number in 0..slices.sets() {
            let set = on_set(&limit, number as u64, slices.weight(number), || {
                let set = slices.set(number).map_err(Failure::Invalid)?;
                if !set.is_placed() {
                    let assumption = Assumption::Placed;
                    let outside = OutsideAssumptions { test: "charging", assumption, task: 0 };
                    return Err(Failure::Outside(number, outside));
                }
                match charged(&charge, &set) {
                    Ok(charged) => Ok((charged, true)),
                    Err(problem @ Uncharged::BeyondTable { .. }) => {
                        Err(Failure::Invalid(format!("set {number}: {problem}")))
                    }
                    Err(Uncharged::NoTimeLeft { .. } | Uncharged::TooLong { .. }) => {
                        Ok((set, false))
                    }
                }
            })?;
            table.add(&set.0);
            fits.push(set.1);
        }
        Ok((table, fits))
    });
    let (table, fits) = results.map_err(|failure| watch.exception(failure))?;
    Ok((table.columns(py)?, fits.into_pyarray(py)))
}

/// The sets with one lock for resources that are held together.
#[pyfunction]
fn group_locks<'py>(
    py: Python<'py>,
    columns: Columns<'_>,
    effort: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let (slices, watch) = (columns.slices()?, Watch::new(effort));
    let grouped = py.detach(|| {
        let (mut table, limit) = (Table::new(), watch.here());
        for number in 0..slices.sets() {
            let set = on_set(&limit, number as u64, slices.weight(number), || {
                slices.set(number).map_err(Failure::Invalid)
            })?;
            table.add(&set.with_group_locks());
        }
        Ok(table)
    });
    grouped.map_err(|failure| watch.exception(failure))?.columns(py)
}

const TIMES: [(&str, Scaled); 2] = [("execution", Scaled::Execution), ("periods", Scaled::Periods)];

/// For each set a factor in thousandths, whether there is one, and the utilization with longer
/// execution times.
type Factors<'py> =
    (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<f64>>);

/// How far times can change before the test refuses a set.
#[pyfunction]
#[pyo3(signature = (test, columns, what, threads, effort))]
fn scaling<'py>(
    py: Python<'py>,
    test: Asked,
    columns: Columns<'_>,
    what: &str,
    threads: usize,
    effort: u64,
) -> PyResult<Factors<'py>> {
    let (test, what) = (find(&test)?, named("kind of times", &TIMES, what)?);
    let (slices, watch) = (columns.slices()?, Watch::new(effort));
    let one = |number: usize| {
        let set = fitting(&test, slices, number)?;
        test.covers(&set).map_err(|outside| Failure::Outside(number, outside))?;
        let accepts = |set: &TaskSet| test.check(set).is_ok_and(Verdict::is_schedulable);
        Ok(limit(&set, what, accepts).map(|factor| {
            let grown = if what == Scaled::Execution { factor } else { 1000 };
            (factor, utilization_at(&set, grown).unwrap_or(f64::NAN))
        }))
    };
    let all = |sets: Range<usize>, limit: &Limit| {
        let watched =
            |number: usize| on_set(limit, number as u64, slices.weight(number), || one(number));
        sets.map(watched).collect::<Result<Vec<Option<(u64, f64)>>, _>>()
    };
    let parts = py.detach(|| watch.on_threads(slices.sets(), threads, all));
    let found = parts.map_err(|failure| watch.exception(failure))?.concat();
    let known: Vec<bool> = found.iter().map(Option::is_some).collect();
    let (factors, loads): (Vec<u64>, Vec<f64>) =
        found.into_iter().map(|one| one.unwrap_or((0, 0.0))).unzip();
    Ok((factors.into_pyarray(py), known.into_pyarray(py), loads.into_pyarray(py)))
}
