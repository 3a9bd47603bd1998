//! Vectors by hand, dominance, and arbitrary input, for all protocols.

pub(crate) mod arbitrary;
mod counted;
mod jitter;
mod linear;
mod msrp;
mod nested;
mod vectors;

use crate::{Request, SchedulabilityTest, Task, TaskSet};

/// Tasks with the requests (resource, count, length) of each.
fn set(tasks: &[Task], requests: &[&[(usize, u64, u64)]]) -> TaskSet {
    let lists =
        requests.iter().map(|list| list.iter().map(|&(q, n, l)| Request::new(q, n, l)).collect());
    TaskSet::new(tasks.to_vec()).unwrap().with_requests(lists.collect()).unwrap()
}

/// The bounds of a test on a set that it covers.
fn bounds(test: &dyn SchedulabilityTest, set: &TaskSet) -> Vec<Option<u64>> {
    test.covers(set).unwrap();
    test.response_times(set).unwrap()
}

fn accepts(test: &dyn SchedulabilityTest, set: &TaskSet) -> bool {
    test.check(set).unwrap().is_schedulable()
}
