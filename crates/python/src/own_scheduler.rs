//! A scheduler that is an object of the caller's.
//!
//! It says of each job what it ranks, and of a free resource who gets it. What goes wrong
//! in it ends the run and is raised where the caller can see it.

use std::cell::RefCell;
use std::rc::Rc;

use fusee_analysis::effort;
use fusee_schedules::{Protocol, Random, Rank, Step, World};
use pyo3::prelude::*;

use crate::errors::error;

/// A pending job, as a scheduler sees it.
#[pyclass(name = "Job", module = "fusee", frozen, get_all)]
pub(crate) struct JobView {
    /// The position of its task in the set.
    task: usize,
    /// The core and the priority of its task.
    core: usize,
    priority: u64,
    /// When it arrived, was released, and is due.
    arrival: u64,
    release: u64,
    deadline: u64,
    /// Whether it has run already.
    started: bool,
    /// The resources that it holds, the innermost last.
    held: Vec<usize>,
    /// The resource that it waits for.
    waits: Option<usize>,
    /// The resource that it asks for as soon as it is chosen.
    wants: Option<usize>,
    /// The number of its newest request; older ones are smaller, 0 is none.
    request: u64,
}

impl JobView {
    fn of(world: &World<'_>, index: usize) -> Self {
        let job = &world.jobs[index];
        let wants = match job.steps.last() {
            Some(Step::Lock(resource, _)) => Some(*resource),
            _ => None,
        };
        Self {
            task: job.task,
            core: world.core(index),
            priority: world.priority(index),
            arrival: job.arrival,
            release: job.release,
            deadline: job.deadline,
            started: job.started,
            held: job.held.clone(),
            waits: job.waits.map(|(resource, _)| resource),
            wants,
            request: job.request,
        }
    }
}

/// A rank is a whole number, or up to three, compared from left to right.
#[derive(FromPyObject)]
enum Ranked {
    One(u64),
    Two((u64, u64)),
    Three(Rank),
}

/// What has gone wrong first.
pub(crate) type Raised = Rc<RefCell<Option<PyErr>>>;

pub(crate) struct OwnScheduler {
    pub(crate) object: Py<PyAny>,
    pub(crate) raised: Raised,
}

impl OwnScheduler {
    /// What a call gives; what it raises ends the run.
    fn ask<T>(&self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<Option<T>>) -> Option<T> {
        Python::attach(|py| call(self.object.bind(py))).unwrap_or_else(|raised| {
            self.raised.borrow_mut().get_or_insert(raised);
            effort::end();
            None
        })
    }
}

impl Protocol for OwnScheduler {
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        let ranked: Option<Ranked> = self.ask(|object| {
            let given = object.call_method1("rank", (JobView::of(world, job),))?;
            let wrong = || {
                let task = world.jobs[job].task;
                format!(
                    "`rank` gave {given} for a job of task {task}; possible are None, a whole \
                     number from 0 on, and two or three of them"
                )
            };
            given.extract().map_err(|_| error(wrong()))
        });
        ranked.map(|ranked| match ranked {
            Ranked::One(first) => (first, 0, 0),
            Ranked::Two((first, second)) => (first, second, 0),
            Ranked::Three(rank) => rank,
        })
    }

    fn next(&self, world: &World<'_>, resource: usize, _: &mut Random) -> Option<usize> {
        let waiters = world.waiters(resource);
        if waiters.is_empty() {
            return None;
        }
        self.ask(|object| {
            let views: Vec<JobView> = waiters.iter().map(|&job| JobView::of(world, job)).collect();
            let given = object.call_method1("next", (resource, views))?;
            let wrong = || {
                let most = waiters.len() - 1;
                format!(
                    "`next` gave {given} for resource {resource}; possible are None and 0 to \
                     {most}, a place in the list of who waits"
                )
            };
            let place: Option<usize> = given.extract().map_err(|_| error(wrong()))?;
            let there = |place: usize| waiters.get(place).copied().ok_or_else(|| error(wrong()));
            place.map(there).transpose()
        })
    }
}
