//! The bound of a chain with its parts, or why there is none.

use fusee_model::{Duration, NotificationId, TaskId};

/// The analysis' result for a chain.
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
    /// The parts of the reaction, in order.
    pub parts: Vec<ChainPart>,
    /// The parts of the age, in order.
    pub age_parts: Vec<ChainPart>,
}

/// A part of a reaction time or of an age.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainPart {
    /// The task that the part belongs to.
    pub task: TaskId,
    /// The kind of part.
    pub kind: ChainPartKind,
    /// The length of the part.
    pub time: Duration,
}

/// The kind of a chain's part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainPartKind {
    /// Until the task's next job arrives: it reads again, or what it wrote is written again.
    Wait,
    /// The task's response.
    Response,
    /// Signals that come together wait until the task may be released again.
    Deferral,
}

/// A reason for which a chain has no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChainObstacle {
    /// A task on the way has none.
    NoResponse {
        /// The task in question.
        task: TaskId,
    },
    /// Nothing says how long it takes at most until a task's next job arrives.
    Unpaced {
        /// The task in question.
        task: TaskId,
    },
    /// Not every job of a task signals the event.
    NotAlways {
        /// The task in question.
        task: TaskId,
        /// The event in question.
        event: NotificationId,
    },
    /// Something besides jobs signals the event, too.
    Joined {
        /// The task that it releases.
        task: TaskId,
        /// The event in question.
        event: NotificationId,
    },
    /// The event comes more often than its task may be released: releases wait for ever longer, and
    /// are lost.
    TooOften {
        /// The task in question.
        task: TaskId,
        /// The event in question.
        event: NotificationId,
    },
    /// Emitter and task run on different cores.
    OtherCore {
        /// The task in question.
        task: TaskId,
    },
    /// The sum does not fit.
    Overflow,
}

impl ChainBound {
    /// Returns `true` if all that is asked of the chain is guaranteed.
    pub fn is_guaranteed(&self) -> bool {
        // Where nothing is asked, a time without a bound breaks no promise.
        let kept = |limit: Option<Duration>, bound: &Result<Duration, ChainObstacle>| {
            limit.is_none_or(|limit| bound.is_ok_and(|bound| bound <= limit))
        };
        kept(self.within, &self.reaction) && kept(self.age_limit, &self.age)
    }
}
