//! Random sets that a test accepts, run, and held against the test's bounds.

use fusee_analysis::generation::{Part, Random};
use fusee_analysis::{Request, SchedulabilityTest, Task, TaskSet};

use super::machine::{Machine, Policy};

/// The features that the sets of a campaign may contain.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Features {
    pub(crate) implicit_deadlines: bool,
    pub(crate) jitter: bool,
    pub(crate) suspension: bool,
    pub(crate) long_deadlines: bool,
    pub(crate) thresholds: bool,
    pub(crate) resources: bool,
    pub(crate) nesting: bool,
    pub(crate) equal_priorities: bool,
    /// Some tasks execute nothing.
    pub(crate) no_length: bool,
}

/// The counts of a campaign.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) accepted: u64,
    /// Sets in which some response was exactly its bound (or deadline, if the test bounds no
    /// responses).
    pub(crate) reached: u64,
}

/// Draws sets until `count` were accepted, and runs each in four patterns of arrivals.
///
/// Panics on the first response above its bound, with the set and its number.
pub(crate) fn campaign(
    test: &dyn SchedulabilityTest,
    policy: Policy,
    features: Features,
    count: u64,
) -> Outcome {
    let mut outcome = Outcome::default();
    for index in 0.. {
        if outcome.accepted == count {
            break;
        }
        let mut random = Random::new(0x0c0_8e5, index, Part::Other);
        let set = random_set(features, &mut random);
        if !test.check(&set).is_ok_and(|v| v.is_schedulable()) {
            continue;
        }
        outcome.accepted += 1;
        let deadlines = || set.tasks().iter().map(|t| Some(t.deadline)).collect::<Vec<_>>();
        let bounds = test.response_times(&set).unwrap_or_else(deadlines);
        let mut worst = vec![0; bounds.len()];
        for pattern in 0..4 {
            let jobs = arrivals(&set, pattern, &mut random);
            let seen = Machine::new(&set, policy, &jobs, &mut random).run(END);
            worst = worst.iter().zip(seen).map(|(&a, b)| b.max(a)).collect();
        }
        for (i, (&seen, bound)) in worst.iter().zip(&bounds).enumerate() {
            let name = test.metadata().name;
            assert!(
                bound.is_some_and(|b| seen <= b),
                "{name}: task {i} took {seen}, bound {bound:?}, set {index}: {set:#?}"
            );
        }
        outcome.reached +=
            u64::from(worst.iter().zip(&bounds).any(|(&seen, &bound)| Some(seen) == bound));
    }
    outcome
}

/// Length of a run in ticks.
const END: u64 = 150;

fn random_set(features: Features, random: &mut Random) -> TaskSet {
    let count = random.whole(2, 5) as usize;
    let mut priorities: Vec<u32> = (1..=count as u32).collect();
    random.shuffle(&mut priorities);
    let mut tasks = Vec::new();
    for &priority in &priorities {
        let period = random.whole(4, 40);
        let longest = (2 * period / count as u64).clamp(1, 8);
        let nothing = features.no_length && random.chance(0.5);
        let wcet = if nothing { 0 } else { random.whole(1, longest) };
        let latest = if features.long_deadlines { 2 * period } else { period };
        let deadline = if features.implicit_deadlines || random.chance(0.3) {
            period
        } else {
            random.whole(if wcet == 0 { 1 } else { wcet.max(period / 2) }, latest)
        };
        let priority = if features.equal_priorities && random.chance(0.4) { 1 } else { priority };
        let mut task = Task::implicit(wcet, period, priority).with_deadline(deadline);
        if features.jitter && random.chance(0.5) {
            task = task.with_jitter(random.whole(0, period / 2));
        }
        // Suspensions stand before ticks.
        if features.suspension && wcet > 0 && random.chance(0.5) {
            task = task.with_suspension(random.whole(0, period / 2));
        }
        if features.thresholds && random.chance(0.7) {
            task = task.with_threshold(random.whole(priority.into(), count as u64) as u32);
        }
        tasks.push(task);
    }
    let requests = tasks
        .iter()
        .map(|t| if features.resources { random_requests(t, features, random) } else { vec![] });
    let requests = requests.collect();
    TaskSet::new(tasks).and_then(|set| set.with_requests(requests)).expect("a consistent set")
}

/// Up to two outermost sections of up to three resources; nested ones rise, so that no deadlock is
/// possible.
fn random_requests(task: &Task, features: Features, random: &mut Random) -> Vec<Request> {
    let mut left = task.wcet;
    let mut requests = Vec::new();
    for _ in 0..random.whole(0, 2) {
        let length = random.whole(1, 4).min(left);
        if length == 0 {
            break;
        }
        left -= length;
        let resource = random.whole(0, 2) as usize;
        let mut request = Request::new(resource, 1, length);
        if features.nesting && length > 1 && random.chance(0.7) {
            let inner = random.whole(1, length);
            let mut nested = Request::new(resource + 1 + random.whole(0, 1) as usize, 1, inner);
            if inner > 1 && random.chance(0.3) {
                nested.nested = vec![Request::new(nested.resource + 1, 1, inner - 1)];
            }
            request.nested = vec![nested];
        }
        requests.push(request);
    }
    requests
}

/// Jobs as (task, arrival, release), in order of arrival for each task.
///
/// Patterns: all at once with all jitter used by the first; random offsets and jitter; sporadic;
/// and lower priorities (or later deadlines) first, the others a few ticks later.
fn arrivals(set: &TaskSet, pattern: usize, random: &mut Random) -> Vec<(usize, u64, u64)> {
    let mut jobs = Vec::new();
    for (i, task) in set.tasks().iter().enumerate() {
        let latest = set.tasks().iter().map(|t| t.jitter).max().unwrap_or(0);
        let mut arrival = match pattern {
            0 => latest - task.jitter,
            1 | 2 => random.whole(0, task.period),
            _ => {
                let above = set
                    .tasks()
                    .iter()
                    .any(|t| t.priority < task.priority || t.deadline > task.deadline);
                latest - task.jitter + if above { random.whole(1, 4) } else { 0 }
            }
        };
        let mut first = true;
        while arrival < END {
            let jitter = match pattern {
                0 | 3 => {
                    if first {
                        task.jitter
                    } else {
                        0
                    }
                }
                _ => random.whole(0, task.jitter),
            };
            jobs.push((i, arrival, arrival + jitter));
            first = false;
            arrival += task.period + if pattern == 2 { random.whole(0, task.period) } else { 0 };
        }
    }
    jobs
}
