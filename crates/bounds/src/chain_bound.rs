//! The bound of a chain with its parts, or why there is none.

use fusee_model::{Duration, NotificationId, TaskId};

/// What the analysis says about a chain.
#[derive(Debug, Clone, PartialEq)]
pub struct ChainBound {
    /// Longest time from a change outside to the end of the first job at the end of the chain that
    /// has seen it.
    pub reaction: Result<Duration, ChainObstacle>,
    /// Longest time from a reading at the start to the end of a job at the end that uses it.
    pub age: Result<Duration, ChainObstacle>,
    /// The longest reaction allowed.
    pub within: Option<Duration>,
    /// The greatest age allowed.
    pub age_limit: Option<Duration>,
    /// What the reaction consists of, in order.
    pub parts: Vec<ChainPart>,
    /// What the age consists of, in order.
    pub age_parts: Vec<ChainPart>,
}

/// A part of a reaction time or of an age.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainPart {
    /// Whose.
    pub task: TaskId,
    /// What it is.
    pub kind: ChainPartKind,
    /// How long.
    pub time: Duration,
}

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainPartKind {
    /// Until the task's next job arrives: it reads again, or what it wrote is written again.
    Wait,
    /// The task's response.
    Response,
    /// Signals that come together wait until the task may be released again.
    Deferral,
}

/// Why a chain has no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainObstacle {
    /// A task on the way has none.
    NoResponse {
        /// The task.
        task: TaskId,
    },
    /// Nothing says how long it takes at most until a task's next job arrives.
    Unpaced {
        /// The task.
        task: TaskId,
    },
    /// Not every job of a task signals the event.
    NotAlways {
        /// The task.
        task: TaskId,
        /// The event.
        event: NotificationId,
    },
    /// Something besides jobs signals the event, too.
    Joined {
        /// The task that it releases.
        task: TaskId,
        /// The event.
        event: NotificationId,
    },
    /// The event comes more often than its task may be released: releases wait for ever longer, and
    /// are lost.
    TooOften {
        /// The task.
        task: TaskId,
        /// The event.
        event: NotificationId,
    },
    /// Emitter and task run on different cores.
    OtherCore {
        /// The task.
        task: TaskId,
    },
    /// The sum does not fit.
    Overflow,
}

impl ChainBound {
    /// Returns `true` if all that is asked of the chain is guaranteed.
    pub fn is_guaranteed(&self) -> bool {
        let kept = |limit: Option<Duration>, bound: &Result<Duration, ChainObstacle>| {
            limit.is_none_or(|limit| bound.is_ok_and(|bound| bound <= limit))
        };
        kept(self.within, &self.reaction) && kept(self.age_limit, &self.age)
    }
}
