//! Task sets on their way to Python: rows are added, columns come out.

use fusee_analysis::{Request, TaskSet};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Columns of tasks that are always there, and those that are where some value is no default.
const NAMES: [&str; 8] =
    ["wcet", "period", "deadline", "jitter", "offset", "suspension", "priority", "core"];

/// Columns of sets.
pub(crate) struct Table {
    offsets: Vec<i64>,
    columns: [Vec<u64>; 8],
    blocking: Vec<u64>,
    threshold: Vec<u64>,
    /// Whether some threshold is above the priority.
    thresholds: bool,
    cores: usize,
    unplaced: bool,
    request_offsets: Vec<i64>,
    resource: Vec<u64>,
    count: Vec<u64>,
    length: Vec<u64>,
    reads: Vec<u64>,
    depth: Vec<u64>,
}

impl Table {
    pub(crate) fn new() -> Self {
        Self {
            offsets: vec![0],
            columns: Default::default(),
            blocking: Vec::new(),
            threshold: Vec::new(),
            thresholds: false,
            cores: 0,
            unplaced: false,
            request_offsets: vec![0],
            resource: Vec::new(),
            count: Vec::new(),
            length: Vec::new(),
            reads: Vec::new(),
            depth: Vec::new(),
        }
    }

    /// Adds the rows of a set.
    pub(crate) fn add(&mut self, set: &TaskSet) {
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
            self.blocking.push(t.blocking);
            self.threshold.push(u64::from(t.effective_threshold()));
            self.thresholds |= t.effective_threshold() != t.priority;
            self.add_requests(set.requests(index), 0);
            self.request_offsets.push(self.resource.len() as i64);
        }
        self.offsets.push(self.columns[0].len() as i64);
    }

    /// Adds requests, each before those inside it.
    fn add_requests(&mut self, requests: &[Request], depth: u64) {
        for request in requests {
            self.resource.push(request.resource as u64);
            self.count.push(request.count);
            self.length.push(request.length);
            self.reads.push(u64::from(request.reads));
            self.depth.push(depth);
            self.add_requests(&request.nested, depth + 1);
        }
    }

    /// The columns by name.
    pub(crate) fn columns(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("offsets", self.offsets.into_pyarray(py))?;
        for (name, column) in NAMES.into_iter().zip(self.columns) {
            // Where a task runs is nothing that is known.
            if self.unplaced && name == "core" {
                continue;
            }
            dict.set_item(name, column.into_pyarray(py))?;
        }
        let seldom = |name: &str, column: Vec<u64>, there: bool| match there {
            true => dict.set_item(name, column.into_pyarray(py)),
            false => Ok(()),
        };
        let blocks = self.blocking.iter().any(|&blocking| blocking > 0);
        seldom("blocking", self.blocking, blocks)?;
        seldom("threshold", self.threshold, self.thresholds)?;
        let (reading, nesting) = (self.reads.contains(&1), self.depth.contains(&1));
        seldom("reads", self.reads, reading)?;
        seldom("depth", self.depth, nesting)?;
        dict.set_item("cores", self.cores.max(1))?;
        if !self.resource.is_empty() {
            dict.set_item("request_offsets", self.request_offsets.into_pyarray(py))?;
            dict.set_item("resource", self.resource.into_pyarray(py))?;
            dict.set_item("count", self.count.into_pyarray(py))?;
            dict.set_item("length", self.length.into_pyarray(py))?;
        }
        Ok(dict)
    }
}
