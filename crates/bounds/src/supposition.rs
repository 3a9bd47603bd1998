//! Responses that are supposed: the least, and longer as long as bounds say so.

use fusee_model::TaskId;

use crate::bound::TaskBound;
use crate::context::Context;
use crate::obstacle::Obstacle;

/// Rounds in which responses that depend on each other may grow.
const MOST_ITERATIONS: u32 = 1_000;

/// Returns the time that each task takes if no other task is in its way.
pub(crate) fn least(contexts: &[Context<'_>]) -> Vec<Result<u64, Obstacle>> {
    let system = contexts[0].system;
    let alone = |(id, task): (TaskId, &fusee_model::Task)| {
        let context = &contexts[task.core as usize];
        // No response is below the jitter, so the search begins below every bound.
        Ok(context.arrivals(id).jitter)
    };
    system.task_ids().map(alone).collect()
}

/// The bounds that confirm what was supposed for them, if at first that is what is given; where it
/// is nothing, the first.
pub(crate) fn confirmed<T>(
    mut responses: Vec<Result<u64, Obstacle>>,
    find: impl Fn(&[Result<u64, Obstacle>]) -> Vec<T>,
    bound: impl Fn(&T) -> Option<&TaskBound>,
) -> Vec<T> {
    let mut iterations = 0;
    loop {
        let found = find(&responses);
        let next = grown(&responses, found.iter().map(&bound), iterations);
        if next == responses {
            return found;
        }
        (responses, iterations) = (next, iterations + 1);
    }
}

/// Returns the responses that the bounds give for those that were supposed; a task whose bound has
/// not been looked for stays as it is.
fn grown<'t>(
    supposed: &[Result<u64, Obstacle>],
    found: impl Iterator<Item = Option<&'t TaskBound>>,
    iterations: u32,
) -> Vec<Result<u64, Obstacle>> {
    let next = |(&supposed, found): (&Result<u64, Obstacle>, Option<&TaskBound>)| match found
        .map(|found| &found.bound)
    {
        None => supposed,
        // What is supposed only grows from round to round, so a bound that is lost never comes
        // back.
        _ if supposed.is_err() => supposed,
        Some(Ok(bound)) if iterations < MOST_ITERATIONS || Ok(bound.response.ns()) == supposed => {
            Ok(bound.response.ns())
        }
        // A response that still grows after so many rounds may grow for ever. No bound is the safe
        // answer.
        Some(Ok(_)) => Err(Obstacle::NoEnd),
        Some(Err(obstacle)) => Err(*obstacle),
    };
    supposed.iter().zip(found).map(next).collect()
}
