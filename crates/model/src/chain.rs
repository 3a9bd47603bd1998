//! Cause-effect chains: the tasks along which an effect travels.

use crate::{ComponentId, DataportId, Duration, NotificationId, Origin, Sourced, TaskId};

/// A chain that a description names.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// Its steps as the description names them: `sensor.tick -> actuator.apply`.
    pub name: String,
    /// The tasks on the way, at least one, none twice.
    pub stages: Vec<ChainStage>,
    /// Longest reaction time allowed.
    pub within: Option<Sourced<Duration>>,
    /// Greatest data age allowed.
    pub age: Option<Sourced<Duration>>,
    /// Its entry in the description.
    pub origin: Origin,
}

/// A task of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainStage {
    /// The task of the link.
    pub task: TaskId,
    /// The way in which it gets its input.
    pub link: ChainLink,
}

/// The way in which an effect comes to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChainLink {
    /// From outside: the task is the first of its chain.
    Start,
    /// The task before it signals the event that releases it.
    Event(NotificationId),
    /// Through memory that both map.
    Memory(DataportId),
    /// Through the data of a component that both invoke.
    Component(ComponentId),
}

/// The number of signals of an event by one job of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Emissions {
    /// The least number.
    pub least: u64,
    /// The greatest number.
    pub most: u64,
}

impl Emissions {
    /// A job that never signals.
    pub(crate) const NONE: Emissions = Emissions { least: 0, most: 0 };
}
