//! Bodies of jobs and methods: computing between the calls.

use crate::{Mix, Random};
use fusee_model::{Body, Calls, Duration, NotificationId, Origin, Step};

/// `own` nanoseconds of execution, cut at random places by `calls`; perhaps the last of them ends
/// it.
pub(crate) fn body(random: &mut Random, mix: &Mix, own: u64, calls: Vec<Step>) -> Body {
    let given = if calls.is_empty() { Calls::None } else { Calls::Given(Origin::NONE) };
    let mut pieces = random.split(own, calls.len() + 1);
    if random.chance(mix.last)
        && let [first, .., last] = pieces.as_mut_slice()
    {
        *first += std::mem::take(last);
    }
    let mut calls = calls.into_iter();
    let mut steps = Vec::with_capacity(2 * pieces.len());
    for piece in pieces {
        if piece > 0 {
            steps.push(compute(random, piece));
        }
        steps.extend(calls.next());
    }
    Body { steps, wcet_origin: Some(Origin::NONE), calls: given }
}

fn compute(random: &mut Random, worst: u64) -> Step {
    let best = if random.chance(50) { worst } else { random.between(0, worst) };
    Step::Compute { best: Duration(best), worst: Duration(worst) }
}

/// Perhaps a signal among `calls`, behind them or at a random place.
pub(crate) fn add_signal(
    random: &mut Random,
    mix: &Mix,
    notifications: usize,
    calls: &mut Vec<Step>,
) {
    if notifications > 0 && random.chance(mix.emit) {
        let step = Step::Emit(NotificationId::from(random.below(notifications as u64) as usize));
        let place = if random.chance(mix.last) {
            calls.len()
        } else {
            random.between(0, calls.len() as u64) as usize
        };
        calls.insert(place, step);
    }
}
