//! A chain of tasks of a set, with the response times that a test gives.

use super::{InvalidChain, Link, Stage};
use crate::{Family, SchedulabilityTest, Task, TaskSet};

/// When a job reads its input and when its output is there for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Communication {
    /// It reads when it starts and writes when it completes.
    #[default]
    Implicit,
    /// It reads and writes anywhere on the way.
    Explicit,
    /// It reads when it arrives, and its output is there at its deadline (logical execution time).
    AtDeadline,
}

/// The stages of a path of tasks: positions in the set with their links.
///
/// Arrivals of a task are taken to be a period apart; for sporadic tasks put their longest distance
/// into the stages. Under implicit communication and fixed priorities a sampled link is taken to be
/// [behind](Link::SampledBehind) its writer where that follows: the writer runs on the same core,
/// has the higher priority, and neither suspends itself nor uses resources.
///
/// # Errors
/// The path names no or unknown tasks, the test does not apply, or a task has no response time.
pub fn stages(
    set: &TaskSet,
    test: &dyn SchedulabilityTest,
    path: &[(usize, Link)],
    communication: Communication,
) -> Result<Vec<Stage>, InvalidChain> {
    let about = test.metadata();
    test.covers(set).map_err(|problem| InvalidChain::Test(problem.to_string()))?;
    let responses = test.response_times(set);
    let responses = responses.ok_or_else(|| {
        InvalidChain::Test(format!(
            "`{}` gives no response times, of which chains are made",
            about.name
        ))
    })?;
    if path.is_empty() {
        return Err(InvalidChain::Empty);
    }
    let stages = path.iter().enumerate().map(|(place, &(task, link))| {
        let unknown = InvalidChain::NoSuchTask { task, tasks: set.tasks().len() };
        let own = set.tasks().get(task).ok_or(unknown)?;
        let response = responses[task].ok_or(InvalidChain::NoResponse { task })?;
        let before = place.checked_sub(1).map(|before| path[before].0);
        let waits = link == Link::Sampled
            && communication == Communication::Implicit
            && about.family == Family::FixedPriority
            && before.is_some_and(|writer| starts_behind(set, writer, own));
        let stage = Stage {
            link: if waits { Link::SampledBehind } else { link },
            separation: own.period,
            response,
            jitter: own.jitter,
        };
        match communication {
            Communication::AtDeadline if response > own.deadline => {
                Err(InvalidChain::Late { task, response, deadline: own.deadline })
            }
            Communication::AtDeadline => Ok(Stage { response: own.deadline, jitter: 0, ..stage }),
            _ => Ok(stage),
        }
    });
    stages.collect()
}

/// Returns `true` if no job of the reader starts while one of the writer is released and not
/// complete.
fn starts_behind(set: &TaskSet, writer: usize, reader: &Task) -> bool {
    let Some(of) = set.tasks().get(writer) else { return false };
    of.core == reader.core
        && of.priority > reader.priority
        && of.suspension == 0
        && set.requests(writer).is_empty()
}
