//! The reasons for which tasks are no task set.

/// The reason for which tasks are no task set; tasks are named by their position from 0.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each message says what its fields are")]
pub enum InvalidTaskSet {
    /// A period is 0.
    #[error("task {task}: its period is 0")]
    ZeroPeriod { task: usize },
    /// A deadline is 0.
    #[error("task {task}: its deadline is 0")]
    ZeroDeadline { task: usize },
    /// A preemption threshold is below the priority.
    #[error("task {task}: its preemption threshold is below its priority")]
    LowThreshold { task: usize },
    /// A task is placed beyond the last core.
    #[error(
        "task {task}: it is placed on core {core}, but there are {cores} cores, counted from 0"
    )]
    NoSuchCore { task: usize, core: usize, cores: usize },
    /// More cores than tables are made for.
    #[error("{cores} cores; there can be at most 4096")]
    TooManyCores { cores: usize },
    /// Not one place for each task.
    #[error("{places} places for {tasks} tasks; each task needs one")]
    Places { places: usize, tasks: usize },
    /// Not one list of requests for each task.
    #[error("{lists} lists of requests for {tasks} tasks; each task needs one, which may be empty")]
    RequestLists { lists: usize, tasks: usize },
    /// The critical sections of a task are longer than its execution time.
    #[error(
        "task {task}: its critical sections take longer than its execution time, which includes \
         them"
    )]
    SectionsExceedWcet { task: usize },
    /// The sections inside a section are longer than it.
    #[error(
        "task {task}: the sections inside its section of resource {resource} take longer than that \
         section"
    )]
    NestedExceedSection { task: usize, resource: usize },
    /// A resource is requested by a section that already holds it.
    #[error("task {task}: it requests resource {resource} while it holds it")]
    Reentry { task: usize, resource: usize },
    /// A resource number too large to count up to.
    #[error("task {task}: resource {resource} is beyond the largest number, 1048575")]
    ResourceNumber { task: usize, resource: usize },
    /// More pairs of a core and a resource than tables are made for.
    #[error(
        "{cores} cores and {resources} resources, counted up to the largest number; their product \
         can be at most 4194304"
    )]
    TablesTooLarge { cores: usize, resources: usize },
    /// Sections nested deeper than 32.
    #[error("task {task}: its critical sections are nested more than 32 deep")]
    NestedTooDeep { task: usize },
}
