//! Requests as columns.
//!
//! Task i has the rows `offsets[i] .. offsets[i + 1]`. A request stands behind the one
//! that encloses it, and `depth` says how many do: 0, 1, 1 is one outermost section with
//! two inside. Without that column nothing is nested.

use fusee_analysis::Request;
use pyo3::prelude::*;

use crate::errors::{check_length, check_offsets, error};

/// More sections than this never enclose a request.
const DEEPEST: u64 = 32;

/// The columns as slices.
#[derive(Clone, Copy)]
pub(crate) struct Requests<'a> {
    pub(crate) offsets: &'a [i64],
    pub(crate) resource: &'a [u64],
    pub(crate) count: Option<&'a [u64]>,
    pub(crate) length: &'a [u64],
    pub(crate) reads: Option<&'a [u64]>,
    pub(crate) depth: Option<&'a [u64]>,
}

impl Requests<'_> {
    /// The columns fit each other, and so many tasks.
    pub(crate) fn check(&self, tasks: usize) -> PyResult<()> {
        let rows = self.resource.len();
        check_length("length", Some(self.length), rows)?;
        check_length("count", self.count, rows)?;
        check_length("reads", self.reads, rows)?;
        check_length("depth", self.depth, rows)?;
        if self.offsets.len() != tasks + 1 {
            let (has, needs) = (self.offsets.len(), tasks + 1);
            return Err(error(format!(
                "`request_offsets` has {has} values; for {tasks} tasks there must be {needs}"
            )));
        }
        check_offsets("request_offsets", self.offsets, rows)
    }

    /// The outermost requests of a task, or which depth makes no sense.
    pub(crate) fn of(&self, task: usize) -> Result<Vec<Request>, String> {
        let rows = self.offsets[task] as usize..self.offsets[task + 1] as usize;
        let one = |row: usize| {
            let resource = usize::try_from(self.resource[row]).unwrap_or(usize::MAX);
            let count = self.count.map_or(1, |column| column[row]);
            let request = Request::new(resource, count, self.length[row]);
            if self.reads.is_some_and(|column| column[row] != 0) {
                request.reading()
            } else {
                request
            }
        };
        let Some(depth) = self.depth else { return Ok(rows.map(one).collect()) };
        let (mut open, mut outermost) = (Vec::new(), Vec::new());
        for row in rows.clone() {
            let (depth, most) = (depth[row], DEEPEST.min(open.len() as u64));
            if depth > most {
                let at = row - rows.start;
                return Err(format!(
                    "the depth of its request {at} is {depth}, but at most {most} can enclose it"
                ));
            }
            close(&mut open, &mut outermost, depth as usize);
            open.push(one(row));
        }
        close(&mut open, &mut outermost, 0);
        Ok(outermost)
    }
}

/// Ends sections from the innermost on, until so many are open.
fn close(open: &mut Vec<Request>, outermost: &mut Vec<Request>, depth: usize) {
    while open.len() > depth {
        let Some(ended) = open.pop() else { return };
        open.last_mut().map_or(&mut *outermost, |outer| &mut outer.nested).push(ended);
    }
}
