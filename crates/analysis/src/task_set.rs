//! Task sets: plain data, checked once.
//!
//! One type serves one core and many, with resources and without, so that every
//! test can be asked about every set; what a test does not cover is among its
//! [assumptions](crate::Assumption). Tests for one core look at each core of a
//! placed set alone. Only tests for global scheduling ignore where tasks are
//! placed.
//!
//! A set cannot be changed into an invalid one: the fields are private, and what
//! changes them checks or cannot fail. Copies share their requests, since placement
//! and overheads make many sets that differ in nothing but places and times.

mod forest;
mod groups;
mod invalid;
mod resources;
mod task;

use forest::Forest;
pub use invalid::InvalidTaskSet;
pub use resources::{Request, Section};
pub use task::{Priority, Task};

/// Tasks, the cores that they are placed on, and the resources that they share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskSet {
    tasks: Vec<Task>,
    cores: usize,
    /// No lists, or one for each task.
    requests: Forest,
    resources: usize,
    /// `true` if some section is inside another one.
    nests: bool,
    /// Nobody has said yet which task runs where.
    unplaced: bool,
}

impl TaskSet {
    /// The most cores of a set, so that tables by core stay small.
    pub const MOST_CORES: usize = 4096;

    /// The largest product of cores and resources, so that tables by both stay small.
    const MOST_CELLS: usize = 1 << 22;

    /// Checks the tasks; as many cores as they name, no resources. The empty set is fine and
    /// schedulable.
    ///
    /// # Errors
    /// The first task whose period or deadline is 0, whose threshold is below its priority, or
    /// whose core is beyond [`MOST_CORES`](Self::MOST_CORES).
    pub fn new(tasks: Vec<Task>) -> Result<Self, InvalidTaskSet> {
        for (index, task) in tasks.iter().enumerate() {
            task.validate(index)?;
        }
        let cores = tasks.iter().map(|t| t.core.saturating_add(1)).max().unwrap_or(1);
        Self { tasks, cores, ..Self::default() }.with_cores(cores)
    }

    /// The same with `cores` cores, some of which may be idle.
    ///
    /// # Errors
    /// There are more than [`MOST_CORES`](Self::MOST_CORES), a task is placed on a core beyond
    /// `cores`, or there are too many resources for so many cores.
    pub fn with_cores(self, cores: usize) -> Result<Self, InvalidTaskSet> {
        if cores > Self::MOST_CORES {
            return Err(InvalidTaskSet::TooManyCores { cores });
        }
        match self.tasks.iter().position(|t| t.core >= cores) {
            Some(task) => {
                Err(InvalidTaskSet::NoSuchCore { task, core: self.tasks[task].core, cores })
            }
            None => Self { cores, ..self }.with_small_tables(),
        }
    }

    fn with_small_tables(self) -> Result<Self, InvalidTaskSet> {
        let Self { cores, resources, .. } = self;
        if cores.saturating_mul(resources) > Self::MOST_CELLS {
            return Err(InvalidTaskSet::TablesTooLarge { cores, resources });
        }
        Ok(self)
    }

    /// The same with requests: one list for each task, of its outermost critical sections.
    ///
    /// # Errors
    /// There is not one list for each task, or a list is inconsistent: see [`InvalidTaskSet`].
    pub fn with_requests(self, requests: Vec<Vec<Request>>) -> Result<Self, InvalidTaskSet> {
        if requests.len() != self.tasks.len() {
            return Err(InvalidTaskSet::RequestLists {
                lists: requests.len(),
                tasks: self.tasks.len(),
            });
        }
        for (index, (task, list)) in self.tasks.iter().zip(&requests).enumerate() {
            resources::validate(index, task, list)?;
        }
        let requests: Forest = requests.into_iter().collect();
        let resources =
            requests.all().iter().map(Request::largest_resource).max().map_or(0, |q| q + 1);
        let nests = requests.nests();
        Self { requests, resources, nests, ..self }.with_small_tables()
    }

    /// The tasks, in the given order.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// Returns `true` if some section is inside another one.
    pub(crate) fn nests(&self) -> bool {
        self.nests
    }

    /// Returns the number of cores; tasks are placed on 0 .. cores. cores.
    pub fn cores(&self) -> usize {
        self.cores
    }

    /// The same with tasks that are still to be placed. Until then only global scheduling says
    /// anything about them.
    #[must_use]
    pub fn unplaced(self) -> Self {
        Self { unplaced: true, ..self }
    }

    /// Returns `true` if it is known which core each task runs on, as on one core it always is.
    pub fn is_placed(&self) -> bool {
        !self.unplaced || self.cores <= 1 || self.tasks.is_empty()
    }

    /// The tasks of one core with their positions.
    pub fn on_core(&self, core: usize) -> impl Iterator<Item = (usize, &Task)> {
        self.tasks.iter().enumerate().filter(move |(_, t)| t.core == core)
    }

    /// All tasks other than `index` on its core with at least its priority.
    ///
    /// Equal priority counts as higher, both ways: whichever of the two is
    /// released first is served first.
    pub fn interfering(&self, index: usize) -> impl Iterator<Item = (usize, &Task)> {
        let own = self.tasks[index];
        let above = move |j: usize, t: &Task| {
            j != index && t.priority >= own.priority && t.core == own.core
        };
        self.tasks.iter().enumerate().filter(move |&(j, t)| above(j, t))
    }

    /// All tasks on the core of `index` with a lower priority.
    pub fn lower(&self, index: usize) -> impl Iterator<Item = (usize, &Task)> {
        let own = self.tasks[index];
        self.tasks
            .iter()
            .enumerate()
            .filter(move |(_, t)| t.priority < own.priority && t.core == own.core)
    }

    /// The same with other priorities, first to first; tasks without one keep theirs. Thresholds
    /// go.
    #[must_use]
    pub fn with_priorities(mut self, priorities: &[Priority]) -> Self {
        for (task, &priority) in self.tasks.iter_mut().zip(priorities) {
            *task = Task { priority, threshold: None, ..*task };
        }
        self
    }

    /// The same with preemption thresholds, first to first; tasks without one keep theirs.
    ///
    /// # Errors
    /// The first task whose threshold is below its priority.
    pub fn with_thresholds(mut self, thresholds: &[Priority]) -> Result<Self, InvalidTaskSet> {
        for (index, (task, &threshold)) in self.tasks.iter_mut().zip(thresholds).enumerate() {
            *task = task.with_threshold(threshold);
            task.validate(index)?;
        }
        Ok(self)
    }

    /// The same with other blocking terms, first to first; tasks without one keep theirs.
    #[must_use]
    pub fn with_blocking(mut self, blocking: &[u64]) -> Self {
        for (task, &blocking) in self.tasks.iter_mut().zip(blocking) {
            task.blocking = blocking;
        }
        self
    }

    /// The same without resources; for tests that take blocking as given terms.
    #[must_use]
    pub fn without_requests(self) -> Self {
        Self { requests: Forest::default(), resources: 0, nests: false, ..self }
    }

    /// The same with other execution times, first to first; no time may be shorter than it was.
    #[must_use]
    pub(crate) fn with_longer_times(mut self, wcets: &[u64]) -> Self {
        for (task, &wcet) in self.tasks.iter_mut().zip(wcets) {
            task.wcet = wcet.max(task.wcet);
        }
        self
    }

    /// Some of the tasks with their requests, all on core 0 of one core; positions beyond the end
    /// are left out.
    #[must_use]
    pub fn subset(&self, positions: &[usize]) -> Self {
        let some = || positions.iter().filter_map(|&i| Some((i, self.tasks.get(i)?)));
        let tasks = some().map(|(_, t)| t.on(0)).collect();
        let shares = !self.requests.is_empty();
        let lists = some().filter(|_| shares).map(|(i, _)| self.requests.of(i).iter().cloned());
        let requests: Forest = lists.collect();
        let nests = requests.nests();
        Self { tasks, cores: 1, requests, resources: self.resources, nests, unplaced: false }
    }

    /// The same on `cores` cores, task i on core `places[i]`.
    ///
    /// # Errors
    /// There is not one place for each task, or a place is no core.
    pub fn placed(mut self, cores: usize, places: &[usize]) -> Result<Self, InvalidTaskSet> {
        if places.len() != self.tasks.len() {
            return Err(InvalidTaskSet::Places { places: places.len(), tasks: self.tasks.len() });
        }
        for (task, &core) in self.tasks.iter_mut().zip(places) {
            task.core = core;
        }
        self.unplaced = false;
        self.with_cores(cores)
    }
}

#[cfg(test)]
mod tests;
