//! The outermost requests of all tasks, list behind list in one place.
//!
//! A test reads all of them once, task by task; a list of its own for each task would
//! be as many places in memory to wait for.

use super::Request;

/// Lists of requests, one for each task, or none at all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Forest {
    requests: Vec<Request>,
    /// Where each task's list is over.
    ends: Vec<usize>,
}

impl Forest {
    /// The list of one task; nothing for tasks without a list.
    pub(super) fn of(&self, task: usize) -> &[Request] {
        let start =
            task.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let list = self.ends.get(task).and_then(|&end| self.requests.get(start..end));
        list.unwrap_or(&[])
    }

    /// The requests of all tasks.
    pub(super) fn all(&self) -> &[Request] {
        &self.requests
    }

    /// Whether there are no lists, not even empty ones.
    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Whether some request has others inside.
    pub(super) fn nests(&self) -> bool {
        self.requests.iter().any(|request| !request.nested.is_empty())
    }
}

impl<L: IntoIterator<Item = Request>> FromIterator<L> for Forest {
    fn from_iter<T: IntoIterator<Item = L>>(lists: T) -> Self {
        let mut forest = Forest::default();
        for list in lists {
            forest.requests.extend(list);
            forest.ends.push(forest.requests.len());
        }
        forest
    }
}
