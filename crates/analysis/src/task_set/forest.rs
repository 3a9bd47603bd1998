//! The outermost requests of all tasks, list behind list in one place.
//!
//! A test reads all of them once, task by task; a list of its own for each task would
//! be as many places in memory to wait for. Copies share them, and where there are none
//! there is nothing to share: sets are made by the million.

use std::sync::Arc;

use super::Request;

/// Lists of requests, one for each task, or none at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Forest(Option<Arc<Lists>>);

#[derive(Debug, Default, PartialEq, Eq)]
struct Lists {
    requests: Vec<Request>,
    /// The end of each task's list.
    ends: Vec<usize>,
}

impl Forest {
    fn ends(&self) -> &[usize] {
        self.0.as_ref().map_or(&[], |lists| &lists.ends)
    }

    /// The list of one task; nothing for tasks without a list.
    pub(super) fn of(&self, task: usize) -> &[Request] {
        let ends = self.ends();
        let start = task.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
        let list = ends.get(task).and_then(|&end| self.all().get(start..end));
        list.unwrap_or(&[])
    }

    /// The requests of all tasks.
    pub(super) fn all(&self) -> &[Request] {
        self.0.as_ref().map_or(&[], |lists| &lists.requests)
    }

    /// Returns `true` if there are no lists, not even empty ones.
    pub(super) fn is_empty(&self) -> bool {
        self.ends().is_empty()
    }

    /// Returns `true` if some request has others inside.
    pub(super) fn nests(&self) -> bool {
        self.all().iter().any(|request| !request.nested.is_empty())
    }
}

impl<L: IntoIterator<Item = Request>> FromIterator<L> for Forest {
    fn from_iter<T: IntoIterator<Item = L>>(lists: T) -> Self {
        let mut all = Lists::default();
        for list in lists {
            all.requests.extend(list);
            all.ends.push(all.requests.len());
        }
        let any = !all.ends.is_empty();
        Forest(any.then(|| Arc::new(all)))
    }
}
