//! The steps of a job: its sections in any order, anywhere in its time.

use fusee_analysis::{Request, TaskSet};

use crate::random::Random;
use crate::world::Step;

/// Returns the steps of a job, last first: requests in any order, with the rest of its computing
/// around.
pub(crate) fn program(set: &TaskSet, task: usize, dense: bool, random: &mut Random) -> Vec<Step> {
    let mut requests: Vec<&Request> = Vec::new();
    for request in set.requests(task) {
        let skipped = if dense || !random.one_in(5) { 0 } else { random.within(0, request.count) };
        requests.extend((skipped..request.count).map(|_| request));
    }
    random.shuffle(&mut requests);
    let inside: u64 = set.requests(task).iter().map(|r| r.count * r.length).sum();
    let mut outside = set.tasks()[task].wcet - inside;
    if !dense && random.one_in(4) {
        outside = random.within(0, outside);
    }
    let mut steps = Vec::new();
    for request in requests {
        let part = if random.one_in(3) { 0 } else { random.within(0, outside) };
        outside -= part;
        steps.push(Step::Compute(part));
        section(request, dense, random, &mut steps);
    }
    steps.push(Step::Compute(outside));
    suspensions(set.tasks()[task].suspension, dense, random, &mut steps);
    steps.retain(|s| *s != Step::Compute(0));
    sections_of_no_length_first(&mut steps);
    // Who executes nothing completes when it is dispatched, after all that it waits for.
    if set.tasks()[task].wcet == 0 || steps.is_empty() {
        steps.push(Step::Compute(0));
    }
    steps.reverse();
    steps
}

/// Sections of no length stand before some computing, if there is any: they are part of it.
fn sections_of_no_length_first(steps: &mut [Step]) {
    let Some(last) = steps.iter().rposition(|s| matches!(s, Step::Compute(_))) else { return };
    let ends = steps[last + 1..].iter().take_while(|s| matches!(s, Step::Unlock(_))).count();
    let behind = steps.len() - (last + 1 + ends);
    if steps[steps.len() - behind..].iter().any(|s| matches!(s, Step::Lock(..))) {
        steps.rotate_right(behind);
    }
}

/// Puts suspensions anywhere outside of sections, in the middle of computing too.
fn suspensions(longest: u64, dense: bool, random: &mut Random, steps: &mut Vec<Step>) {
    let mut left = longest;
    if longest > 0 && !dense && random.one_in(4) {
        left = random.within(0, longest);
    }
    while left > 0 {
        let piece = if random.one_in(2) { left } else { random.within(1, left) };
        left -= piece;
        let held = |at: usize| {
            let locks = steps[..at].iter().filter(|s| matches!(s, Step::Lock(..))).count();
            let unlocks = steps[..at].iter().filter(|s| matches!(s, Step::Unlock(_))).count();
            locks - unlocks
        };
        let outside: Vec<usize> = (0..=steps.len()).filter(|&at| held(at) == 0).collect();
        let mut at = outside[random.within(0, outside.len() as u64 - 1) as usize];
        if let Some(Step::Compute(ticks)) = steps.get(at).copied() {
            let before = random.within(0, ticks);
            steps.splice(at..=at, [Step::Compute(before), Step::Compute(ticks - before)]);
            at += 1;
        }
        steps.insert(at, Step::Suspend(piece));
    }
}

fn section(request: &Request, dense: bool, random: &mut Random, steps: &mut Vec<Step>) {
    let nested: u64 = request.nested.iter().map(|r| r.count * r.length).sum();
    let own = request.length - nested;
    let own = if dense || !random.one_in(4) { own } else { random.within(0, own) };
    let nothing_inside = request.nested.last().is_some_and(|inner| inner.length == 0);
    let before = random.within(0, own.saturating_sub(u64::from(nothing_inside)));
    steps.push(Step::Lock(request.resource, request.reads));
    steps.push(Step::Compute(before));
    for inner in request.nested.iter().flat_map(|r| std::iter::repeat_n(r, r.count as usize)) {
        section(inner, dense, random, steps);
    }
    steps.push(Step::Compute(own - before));
    steps.push(Step::Unlock(request.resource));
}
