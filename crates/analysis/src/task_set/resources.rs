//! Requests of resources: task, number, length, and nesting.
//!
//! A task's requests form a forest: each outermost critical section has the
//! sections nested in it as children. Lengths are execution times on an idle
//! machine and include what is nested; so the length of an outermost section is
//! all that it adds to the task's execution time. Tests without nesting read the
//! outermost level only, tests with nesting walk [`Section`]s.

use serde::{Deserialize, Serialize};

use super::{InvalidTaskSet, Priority, Task, TaskSet};

/// Requests of one kind that each job makes.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Request {
    /// The resource, from 0.
    pub resource: usize,
    /// The largest number of requests in each job (or in each enclosing section).
    pub count: u64,
    /// Longest execution time of one critical section L, including nested ones.
    pub length: u64,
    /// `true` if it only reads. Several readers hold a resource at once where the protocol knows
    /// readers; elsewhere everybody excludes everybody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reads: bool,
    /// Requests made while this resource is held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nested: Vec<Request>,
}

impl Request {
    /// Requests without anything nested.
    pub fn new(resource: usize, count: u64, length: u64) -> Self {
        Self { resource, count, length, reads: false, nested: Vec::new() }
    }

    /// The same, only reading.
    #[must_use]
    pub fn reading(self) -> Self {
        Self { reads: true, ..self }
    }

    /// The same with requests made inside.
    #[must_use]
    pub fn with_nested(self, nested: Vec<Request>) -> Self {
        Self { nested, ..self }
    }

    /// The largest resource number in it.
    pub(super) fn largest_resource(&self) -> usize {
        self.nested.iter().map(Request::largest_resource).fold(self.resource, usize::max)
    }
}

/// A request as seen from the whole job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section<'a> {
    /// The request in question.
    pub request: &'a Request,
    /// The number of requests in a job, counting every enclosing section.
    pub count: u64,
    /// The outermost section that contains it; itself if nothing encloses it.
    pub outermost: &'a Request,
    /// The number of sections that enclose it.
    pub depth: usize,
}

impl TaskSet {
    /// Returns the number of resources, numbered from 0.
    pub fn resources(&self) -> usize {
        self.resources
    }

    /// The outermost requests of a task.
    pub fn requests(&self, task: usize) -> &[Request] {
        self.requests.of(task)
    }

    /// All critical sections of a task, nested ones after those that enclose them.
    pub fn sections(&self, task: usize) -> Vec<Section<'_>> {
        let mut found = Vec::new();
        for request in self.requests(task) {
            collect(
                Section { request, count: request.count, outermost: request, depth: 0 },
                &mut found,
            );
        }
        found
    }

    /// Returns `true` if a task requests a resource, at any depth.
    pub fn uses(&self, task: usize, resource: usize) -> bool {
        self.requests(task).iter().any(|r| mentions(r, resource))
    }

    /// The tasks that request a resource, at any depth.
    pub fn users(&self, resource: usize) -> impl Iterator<Item = (usize, &Task)> {
        self.tasks.iter().enumerate().filter(move |&(i, _)| self.uses(i, resource))
    }

    /// Returns `true` if tasks on different cores request a resource.
    pub fn is_global(&self, resource: usize) -> bool {
        let mut cores = self.users(resource).map(|(_, t)| t.core);
        let first = cores.next();
        cores.any(|core| Some(core) != first)
    }

    /// The highest priority among the users of a resource on a core.
    pub fn ceiling(&self, resource: usize, core: usize) -> Option<Priority> {
        self.users(resource).filter(|(_, t)| t.core == core).map(|(_, t)| t.priority).max()
    }
}

fn collect<'a>(section: Section<'a>, found: &mut Vec<Section<'a>>) {
    found.push(section);
    for request in &section.request.nested {
        let count = section.count.saturating_mul(request.count);
        collect(Section { request, count, depth: section.depth + 1, ..section }, found);
    }
}

fn mentions(request: &Request, resource: usize) -> bool {
    request.resource == resource || request.nested.iter().any(|r| mentions(r, resource))
}

/// Largest number of a resource, so that tables by resource stay small.
const MOST_RESOURCES: usize = 1 << 20;
/// The deepest nesting.
const DEEPEST: usize = 32;

pub(super) fn validate(task: usize, of: &Task, list: &[Request]) -> Result<(), InvalidTaskSet> {
    if total(list).is_none_or(|sum| sum > of.wcet) {
        return Err(InvalidTaskSet::SectionsExceedWcet { task });
    }
    list.iter().try_for_each(|r| validate_request(task, r, &mut Vec::new()))
}

fn validate_request(
    task: usize,
    request: &Request,
    held: &mut Vec<usize>,
) -> Result<(), InvalidTaskSet> {
    let resource = request.resource;
    if resource >= MOST_RESOURCES {
        return Err(InvalidTaskSet::ResourceNumber { task, resource });
    }
    if held.len() >= DEEPEST {
        return Err(InvalidTaskSet::NestedTooDeep { task });
    }
    if held.contains(&resource) {
        return Err(InvalidTaskSet::Reentry { task, resource });
    }
    if total(&request.nested).is_none_or(|sum| sum > request.length) {
        return Err(InvalidTaskSet::NestedExceedSection { task, resource });
    }
    if request.nested.is_empty() {
        return Ok(());
    }
    held.push(resource);
    let nested = request.nested.iter().try_for_each(|r| validate_request(task, r, held));
    held.pop();
    nested
}

fn total(list: &[Request]) -> Option<u64> {
    list.iter().try_fold(0_u64, |sum, r| sum.checked_add(r.count.checked_mul(r.length)?))
}
