//! Cause-effect chains: how long an effect takes from end to end.
//!
//! A chain is a path of tasks: each reads what the one before it has written, the first what comes
//! from outside, and the last acts. A task that the one before it *triggers* arrives when that one
//! completes. A task that *samples* arrives by its own clock, reads what is there, and may read the
//! same twice or never see a value. Two times matter (Feiertag et al. 2008):
//!
//! * the *reaction time*: from a change outside to the completion of the first job at the end of
//!   the chain that has seen it, wherever between two readings the change falls;
//! * the *data age*: from the reading of a job of the first task to the completion of a job at the
//!   end that still uses what was read.
//!
//! Both are sums. Let A be a job's arrival, R its task's response time, T the longest time between
//! two arrivals of a task. A job's output is there by A + R. The first job of the next task that
//! arrives from then on has it, and arrives within another T of that next task: so each sampled
//! link adds R + T forwards. Backwards, a job that arrived by R before some reading has completed,
//! and the last such arrival is less than another T of the *earlier* task away. The end adds its R,
//! and outside the first task's T, as a change may just have missed a reading. Where a task reads
//! when it starts and writes when it completes, and does not start while a job of the writer is
//! pending, the link needs no R: a job of the reader that arrives once the writer has been released
//! reads what the writer will have written. (Davare et al. 2007 without this last case; Duerr et
//! al. 2019 for sporadic tasks with it.) Until the next action an output stays: its age grows to
//! no more than the reaction time (Guenzel et al. 2023 show that the two are then equal).
//!
//! With arrivals known to the tick, [`at_offsets`] follows them instead of taking the longest wait
//! at each link.

pub mod at_offsets;
mod path;
#[cfg(test)]
mod tests;

use std::fmt;

pub use path::{Communication, stages};

/// The way in which a task gets its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Link {
    /// It arrives when the task before it completes; the first one, when something happens outside.
    Triggered,
    /// It arrives by its own clock.
    Sampled,
    /// As `Sampled`; besides, its jobs read when they start, those of the task before it write when
    /// they complete, and none starts while one of that task is released and not complete.
    SampledBehind,
}

/// A task of a chain, as far as its times go; in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stage {
    /// The way in which it gets its input.
    pub link: Link,
    /// Longest time between two arrivals. Where it is triggered, by its trigger; as the first task
    /// of a chain, by what happens outside.
    pub separation: u64,
    /// Longest time from arrival to its output.
    pub response: u64,
    /// Longest time from arrival to release; part of the response.
    pub jitter: u64,
}

/// The reason for which a chain has no times.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum InvalidChain {
    /// There is no task in it.
    Empty,
    /// A task that does not exist.
    NoSuchTask {
        /// The task that the chain names.
        task: usize,
        /// The number of tasks.
        tasks: usize,
    },
    /// The test that was asked gives no response times, or its assumptions are broken.
    Test(String),
    /// A task has no bound on its response time.
    NoResponse {
        /// Its position in the set.
        task: usize,
    },
    /// A task's results are to be there at its deadline, which it may miss.
    Late {
        /// Its position in the set.
        task: usize,
        /// Its response time.
        response: u64,
        /// The task's deadline.
        deadline: u64,
    },
    /// A time does not fit.
    Overflow,
    /// Offsets are known for some stages only.
    Offsets {
        /// The number of known offsets.
        offsets: usize,
        /// The number of stages.
        stages: usize,
    },
    /// The first task does not arrive by a clock, so that there is nothing to follow.
    NoClock,
    /// More arrivals than can be followed until everything repeats.
    LongCycle,
}

impl fmt::Display for InvalidChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the chain has no tasks"),
            Self::NoSuchTask { task, tasks } => {
                write!(f, "the chain names task {task}; the set has {tasks} tasks, counted from 0")
            }
            Self::Test(problem) => f.write_str(problem),
            Self::NoResponse { task } => write!(f, "task {task} has no bound on its response time"),
            Self::Late { task, response, deadline } => write!(
                f,
                "task {task} is to have its results at its deadline of {deadline}, but may respond \
                 as late as {response}"
            ),
            Self::Overflow => f.write_str("the times of the chain do not fit 64 bits"),
            Self::Offsets { offsets, stages } => {
                write!(
                    f,
                    "there are {offsets} offsets for {stages} tasks of the chain; each needs \
                           one"
                )
            }
            Self::NoClock => f.write_str(
                "the first task is triggered from outside, at no known times; offsets \
                             say nothing then",
            ),
            Self::LongCycle => f.write_str(
                "the periods have so large a common multiple that their arrivals cannot be \
                 followed; leave the offsets out",
            ),
        }
    }
}

impl std::error::Error for InvalidChain {}

/// The longest time from a change outside to the completion of the first job at the end of the
/// chain that has seen it.
///
/// # Errors
/// The chain is empty, or a time does not fit.
pub fn reaction_time(stages: &[Stage]) -> Result<u64, InvalidChain> {
    let groups = groups(stages)?;
    let missed = if stages[0].link == Link::Triggered { 0 } else { groups[0].separation };
    let links = groups.windows(2).map(|pair| (pair[0].delay(pair[1].link), pair[1].separation));
    total(missed, links, &groups)
}

/// The longest time from the reading of a first task's job to the completion of a job at the end of
/// the chain that uses what was read.
///
/// # Errors
/// The chain is empty, or a time does not fit.
pub fn data_age(stages: &[Stage]) -> Result<u64, InvalidChain> {
    let groups = groups(stages)?;
    let links = groups.windows(2).map(|pair| (pair[0].delay(pair[1].link), pair[0].separation));
    total(0, links, &groups)
}

/// The sum of what goes before, of all links and of the last group.
fn total(
    before: u64,
    mut links: impl Iterator<Item = (u64, u64)>,
    groups: &[Group],
) -> Result<u64, InvalidChain> {
    let last = groups.last().map_or(0, |group| group.response);
    let add = |sum: u64, (delay, wait): (u64, u64)| sum.checked_add(delay)?.checked_add(wait);
    let sum = links.try_fold(before, add);
    sum.and_then(|sum| sum.checked_add(last)).ok_or(InvalidChain::Overflow)
}

/// A task that arrives by a clock, and those that are triggered behind it.
struct Group {
    link: Link,
    separation: u64,
    /// From the arrival of the first to the output of the last.
    response: u64,
    /// From the arrival of the first to the release of the last.
    released: u64,
}

impl Group {
    /// Returns the time after its arrival from which a job of the next group is sure of its output.
    fn delay(&self, next: Link) -> u64 {
        if next == Link::SampledBehind { self.released } else { self.response }
    }
}

fn groups(stages: &[Stage]) -> Result<Vec<Group>, InvalidChain> {
    let mut groups: Vec<Group> = Vec::new();
    for stage in stages {
        let jitter = stage.jitter.min(stage.response);
        match groups.last_mut() {
            Some(group) if stage.link == Link::Triggered => {
                let arrival = group.response;
                let later = |time: u64| arrival.checked_add(time).ok_or(InvalidChain::Overflow);
                (group.released, group.response) = (later(jitter)?, later(stage.response)?);
            }
            _ => {
                let Stage { link, separation, response, .. } = *stage;
                groups.push(Group { link, separation, response, released: jitter });
            }
        }
    }
    if groups.is_empty() { Err(InvalidChain::Empty) } else { Ok(groups) }
}
