//! Task sets as columns.
//!
//! As in Arrow's lists, set k has the tasks `offsets[k] .. offsets[k + 1]` of every
//! column, and task i the [requests](crate::requests) `request_offsets[i] ..
//! request_offsets[i + 1]`. A column that is not given has its default in every row.

use fusee_analysis::{Priority, Task, TaskSet};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::errors::{check_length, check_offsets, error};
use crate::requests::Requests;

/// Columns as the Python side holds them: attributes of one object.
#[derive(FromPyObject)]
pub(crate) struct Columns<'py> {
    offsets: PyReadonlyArray1<'py, i64>,
    wcet: PyReadonlyArray1<'py, u64>,
    period: PyReadonlyArray1<'py, u64>,
    deadline: Option<PyReadonlyArray1<'py, u64>>,
    jitter: Option<PyReadonlyArray1<'py, u64>>,
    offset: Option<PyReadonlyArray1<'py, u64>>,
    suspension: Option<PyReadonlyArray1<'py, u64>>,
    blocking: Option<PyReadonlyArray1<'py, u64>>,
    priority: Option<PyReadonlyArray1<'py, u64>>,
    core: Option<PyReadonlyArray1<'py, u64>>,
    threshold: Option<PyReadonlyArray1<'py, u64>>,
    cores: Option<usize>,
    request_offsets: Option<PyReadonlyArray1<'py, i64>>,
    resource: Option<PyReadonlyArray1<'py, u64>>,
    count: Option<PyReadonlyArray1<'py, u64>>,
    length: Option<PyReadonlyArray1<'py, u64>>,
    reads: Option<PyReadonlyArray1<'py, u64>>,
    depth: Option<PyReadonlyArray1<'py, u64>>,
}

/// The same as slices, which threads without Python may read.
#[derive(Clone, Copy)]
pub(crate) struct Slices<'a> {
    offsets: &'a [i64],
    wcet: &'a [u64],
    period: &'a [u64],
    deadline: Option<&'a [u64]>,
    jitter: Option<&'a [u64]>,
    offset: Option<&'a [u64]>,
    suspension: Option<&'a [u64]>,
    blocking: Option<&'a [u64]>,
    priority: Option<&'a [u64]>,
    core: Option<&'a [u64]>,
    threshold: Option<&'a [u64]>,
    cores: Option<usize>,
    requests: Option<Requests<'a>>,
}

type Column<'py> = PyReadonlyArray1<'py, u64>;

fn slice<'a>(column: &'a Column<'_>) -> PyResult<&'a [u64]> {
    column.as_slice().map_err(|_| error("a column is not contiguous"))
}

fn optional<'a>(column: &'a Option<Column<'_>>) -> PyResult<Option<&'a [u64]>> {
    column.as_ref().map(slice).transpose()
}

impl Columns<'_> {
    /// The columns as slices, once their lengths fit each other.
    pub(crate) fn slices(&self) -> PyResult<Slices<'_>> {
        let contiguous = |_| error("`offsets` is not contiguous");
        let slices = Slices {
            offsets: self.offsets.as_slice().map_err(contiguous)?,
            wcet: slice(&self.wcet)?,
            period: slice(&self.period)?,
            deadline: optional(&self.deadline)?,
            jitter: optional(&self.jitter)?,
            offset: optional(&self.offset)?,
            suspension: optional(&self.suspension)?,
            blocking: optional(&self.blocking)?,
            priority: optional(&self.priority)?,
            core: optional(&self.core)?,
            threshold: optional(&self.threshold)?,
            cores: self.cores,
            requests: self.requests()?,
        };
        slices.check()?;
        Ok(slices)
    }

    fn requests(&self) -> PyResult<Option<Requests<'_>>> {
        let Some(offsets) = &self.request_offsets else { return Ok(None) };
        let (Some(resource), Some(length)) = (&self.resource, &self.length) else {
            return Err(error("with `request_offsets`, `resource` and `length` are needed too"));
        };
        let offsets =
            offsets.as_slice().map_err(|_| error("`request_offsets` is not contiguous"))?;
        Ok(Some(Requests {
            offsets,
            resource: slice(resource)?,
            count: optional(&self.count)?,
            length: slice(length)?,
            reads: optional(&self.reads)?,
            depth: optional(&self.depth)?,
        }))
    }
}

fn check_narrow(name: &str, column: Option<&[u64]>) -> PyResult<()> {
    let wide = column
        .and_then(|column| column.iter().position(|&value| Priority::try_from(value).is_err()));
    match column.zip(wide) {
        Some((column, row)) => Err(error(format!(
            "in row {row}: `{name}` is {}; at most 4294967295 is possible",
            column[row]
        ))),
        None => Ok(()),
    }
}

impl<'a> Slices<'a> {
    fn check(&self) -> PyResult<()> {
        let tasks = self.wcet.len();
        check_offsets("offsets", self.offsets, tasks)?;
        let columns = [
            ("period", Some(self.period)),
            ("deadline", self.deadline),
            ("jitter", self.jitter),
            ("offset", self.offset),
            ("suspension", self.suspension),
            ("blocking", self.blocking),
            ("priority", self.priority),
            ("core", self.core),
            ("threshold", self.threshold),
        ];
        columns.into_iter().try_for_each(|(name, column)| check_length(name, column, tasks))?;
        check_narrow("priority", self.priority)?;
        check_narrow("core", self.core)?;
        check_narrow("threshold", self.threshold)?;
        self.requests.as_ref().map_or(Ok(()), |requests| requests.check(tasks))
    }

    /// How many sets there are.
    pub(crate) fn sets(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// How many tasks all sets have together.
    pub(crate) fn tasks(&self) -> usize {
        self.wcet.len()
    }

    /// The rows of a set.
    pub(crate) fn rows(&self, set: usize) -> std::ops::Range<usize> {
        self.offsets[set] as usize..self.offsets[set + 1] as usize
    }

    /// What a look at each task and request of a set costs.
    pub(crate) fn weight(&self, set: usize) -> usize {
        let rows = self.rows(set);
        let requests =
            |requests: &Requests<'_>| requests.offsets[rows.end] - requests.offsets[rows.start];
        rows.len() + self.requests.as_ref().map_or(0, requests) as usize
    }

    /// Set number `set`, or what is wrong with it.
    pub(crate) fn set(&self, set: usize) -> Result<TaskSet, String> {
        let rows = self.rows(set);
        let built = TaskSet::new(self.tasks_of(rows.clone())).and_then(|built| {
            match (self.cores, self.core) {
                (Some(cores), Some(_)) => built.with_cores(cores),
                // Nobody has said yet where the tasks run.
                (Some(cores), None) => built.with_cores(cores).map(TaskSet::unplaced),
                (None, _) => Ok(built),
            }
        });
        let wrong = |problem: String| format!("set {set}: {problem}");
        let Some(requests) = &self.requests else {
            return built.map_err(|problem| wrong(problem.to_string()));
        };
        let of = |(task, row)| {
            requests.of(row).map_err(|problem| wrong(format!("task {task}: {problem}")))
        };
        let lists: Vec<_> = rows.enumerate().map(of).collect::<Result<_, _>>()?;
        let built = built.and_then(|built| built.with_requests(lists));
        built.map_err(|problem| wrong(problem.to_string()))
    }

    /// The tasks of some rows; priorities, thresholds and cores are known to fit.
    fn tasks_of(&self, rows: std::ops::Range<usize>) -> Vec<Task> {
        let (wcet, period) = (&self.wcet[rows.clone()], &self.period[rows.clone()]);
        let plain = |(&wcet, &period)| Task::implicit(wcet, period, 0);
        let mut tasks: Vec<Task> = wcet.iter().zip(period).map(plain).collect();
        // Column by column, so that one that is not given costs nothing.
        let mut fill = |column: Option<&'a [u64]>, set: fn(&mut Task, u64)| {
            let column = column.map_or(&[][..], |column| &column[rows.clone()]);
            tasks.iter_mut().zip(column).for_each(|(task, &value)| set(task, value));
        };
        fill(self.deadline, |task, value| task.deadline = value);
        fill(self.jitter, |task, value| task.jitter = value);
        fill(self.offset, |task, value| task.offset = value);
        fill(self.suspension, |task, value| task.suspension = value);
        fill(self.blocking, |task, value| task.blocking = value);
        fill(self.priority, |task, value| task.priority = value as Priority);
        fill(self.core, |task, value| task.core = value as usize);
        fill(self.threshold, |task, value| task.threshold = Some(value as Priority));
        tasks
    }
}
