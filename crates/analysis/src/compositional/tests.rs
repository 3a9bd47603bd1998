//! Bounds against systems that run tick by tick, and known numbers.

use super::{Activation, Activity, Bounded, Unbounded, analyse, latency};
use crate::arrivals::ArrivalCurve;
use crate::generation::{Part, Random};

fn periodic(period: u64) -> Activation {
    Activation::Source(ArrivalCurve::periodic(period, 0).expect("a period"))
}

fn activity(core: usize, priority: u32, wcet: u64, activation: Activation) -> Activity {
    Activity { core, priority, best: wcet, wcet, blocking: 0, activation }
}

#[test]
fn two_chains_on_two_cores_by_hand() {
    // The upper chain delays the lower one on both cores, and sees nobody itself.
    let system = [
        activity(0, 2, 2, periodic(10)),
        activity(1, 2, 3, Activation::After(0)),
        activity(0, 1, 4, periodic(20)),
        activity(1, 1, 5, Activation::After(2)),
    ];
    let bounded = analyse(&system).expect("bounded");
    assert_eq!(bounded.iter().map(|b| b.response).collect::<Vec<_>>(), [2, 3, 6, 8]);
    // Completions of the third are 20 apart, less the 2 that it can be delayed.
    assert_eq!(bounded[2].completions.distance(2), 18);
    assert_eq!(latency(&system, &bounded, &[2, 3]), Some(14));
    assert_eq!(latency(&system, &bounded, &[0, 3]), None);
}

#[test]
fn without_releases_among_tasks_it_is_response_time_analysis() {
    // The set of Lehoczky's example: arbitrary deadlines, the worst job is not the first.
    let system = [activity(0, 2, 52, periodic(100)), activity(0, 1, 52, periodic(140))];
    let bounded = analyse(&system).expect("bounded");
    assert_eq!(bounded.iter().map(|b| b.response).collect::<Vec<_>>(), [52, 156]);
}

/// The latency of each activity from the source of its chain on.
fn from_source(system: &[Activity], bounded: &[Bounded], position: usize) -> Option<u64> {
    let mut path = vec![position];
    while let Activation::After(before) = system[path[0]].activation {
        path.insert(0, before);
    }
    latency(system, bounded, &path)
}

/// Returns an activity that may take any time up to the longest.
fn varied(core: usize, priority: u32, wcet: u64, activation: Activation) -> Activity {
    Activity { best: 0, ..activity(core, priority, wcet, activation) }
}

#[test]
fn a_delay_on_the_way_counts_once() {
    // One core, a chain of two: 11 and 12 + 11, as holistic analysis has it; 39 with the jitter of
    // the second job twice.
    let chain = [varied(0, 2, 11, periodic(29)), varied(0, 1, 12, Activation::After(0))];
    let bounded = analyse(&chain).expect("bounded");
    assert_eq!(latency(&chain, &bounded, &[0, 1]), Some(34));
    assert_eq!(latency(&chain, &bounded, &[1]), Some(bounded[1].response));
    // Two tasks of which the upper comes in bursts: its completions are as its windows let them be.
    let jittered = ArrivalCurve::periodic(3, 4).expect("a period");
    let below =
        [varied(0, 2, 1, Activation::Source(jittered)), varied(0, 1, 1, Activation::After(0))];
    let bounded = analyse(&below).expect("bounded");
    assert_eq!(bounded.iter().map(|b| b.response).collect::<Vec<_>>(), [2, 6]);
    assert_eq!(bounded[0].completions.distance(3), 1);
}

#[test]
fn what_has_no_length_is_dispatched_in_its_turn() {
    let system = [activity(0, 2, 4, periodic(10)), activity(0, 1, 0, periodic(20))];
    let bounded = analyse(&system).expect("bounded");
    assert_eq!(bounded.iter().map(|b| b.response).collect::<Vec<_>>(), [4, 4]);
    // At 4 the upper one comes again.
    let touching = [
        activity(0, 3, 2, periodic(4)),
        activity(0, 2, 2, periodic(20)),
        activity(0, 1, 0, periodic(20)),
    ];
    let bounded = analyse(&touching).expect("bounded");
    assert_eq!(bounded.iter().map(|b| b.response).collect::<Vec<_>>(), [2, 4, 6]);
}

#[test]
fn what_has_no_bound_says_why() {
    let after = |core, at| activity(core, 1, 1, Activation::After(at));
    assert_eq!(analyse(&[after(0, 1), after(0, 0)]), Err(Unbounded::Circle { activity: 0 }));
    assert_eq!(analyse(&[after(0, 7)]), Err(Unbounded::NoSuchActivity { activity: 0, after: 7 }));
    let busy = [activity(3, 2, 6, periodic(10)), activity(3, 1, 5, periodic(10))];
    assert_eq!(analyse(&busy), Err(Unbounded::Overload { core: 3 }));
    let upside_down = Activity { best: 3, ..activity(0, 1, 2, periodic(9)) };
    assert_eq!(analyse(&[upside_down]), Err(Unbounded::BestAboveWorst { activity: 0 }));
}

/// A number from 0 to below `end`.
pub(crate) fn below(random: &mut Random, end: u64) -> u64 {
    random.whole(0, end - 1)
}

/// A random system of up to six activities on two cores that is not overloaded.
fn drawn(random: &mut Random) -> Vec<Activity> {
    let count = 2 + below(random, 5) as usize;
    let source = |random: &mut Random| {
        let period = 8 + below(random, 40);
        let curve = match below(random, 3) {
            0 => ArrivalCurve::periodic(period, 0),
            1 => ArrivalCurve::periodic(period, below(random, 3 * period)),
            _ => ArrivalCurve::bursts(1 + below(random, 3), below(random, 3), period),
        };
        curve.expect("numbers as asked for").at_least_apart(below(random, 2))
    };
    (0..count)
        .map(|position| {
            let wcet = 1 + below(random, 5);
            let activation = match position {
                0 => Activation::Source(source(random)),
                _ if below(random, 2) == 0 => {
                    Activation::After(below(random, position as u64) as usize)
                }
                _ => Activation::Source(source(random)),
            };
            let (core, priority) = (below(random, 2) as usize, below(random, 4) as u32);
            Activity {
                core,
                priority,
                best: below(random, wcet + 1),
                wcet,
                blocking: 0,
                activation,
            }
        })
        .collect()
}

/// When a source's events come: as early as the curve lets them, or later now and then.
fn events(curve: &ArrivalCurve, end: u64, random: &mut Random) -> Vec<u64> {
    let eager = below(random, 2) == 0;
    let mut times: Vec<u64> = Vec::new();
    loop {
        let earliest =
            (0..times.len()).map(|k| times[k] + curve.distance((times.len() - k + 1) as u64)).max();
        let pause = if eager && !times.is_empty() { 0 } else { below(random, 12) };
        let time = earliest.unwrap_or(0) + pause;
        if time >= end {
            return times;
        }
        times.push(time);
    }
}

/// Releases and completions of each activity in a run.
fn run(system: &[Activity], end: u64, random: &mut Random) -> Vec<Vec<(u64, Option<u64>)>> {
    let mut jobs: Vec<Vec<(u64, Option<u64>)>> = vec![Vec::new(); system.len()];
    let mut left: Vec<Vec<u64>> = vec![Vec::new(); system.len()];
    let sources: Vec<Vec<u64>> = (system.iter())
        .map(|a| match &a.activation {
            Activation::Source(curve) => events(curve, end, random),
            Activation::After(_) => Vec::new(),
        })
        .collect();
    for now in 0..end {
        for (position, times) in sources.iter().enumerate() {
            for _ in times.iter().filter(|&&time| time == now) {
                jobs[position].push((now, None));
            }
        }
        settle(system, &mut jobs, &mut left, now, random);
        let cores: std::collections::BTreeSet<usize> = system.iter().map(|a| a.core).collect();
        for core in cores {
            let waits = |job: &(u64, Option<u64>)| job.0 <= now && job.1.is_none();
            let pending = |&i: &usize| system[i].core == core && jobs[i].iter().any(waits);
            let ready: Vec<usize> = (0..system.len()).filter(pending).collect();
            let Some(top) = ready.iter().map(|&i| system[i].priority).max() else { continue };
            let equal: Vec<usize> =
                ready.into_iter().filter(|&i| system[i].priority == top).collect();
            let chosen = equal[below(random, equal.len() as u64) as usize];
            let job = jobs[chosen].iter().position(waits).expect("pending");
            left[chosen][job] -= 1;
            if left[chosen][job] == 0 {
                jobs[chosen][job].1 = Some(now + 1);
                release_after(system, &mut jobs, chosen, now + 1);
            }
        }
    }
    jobs
}

/// Draws execution times of new jobs; those of no length complete as they come.
fn settle(
    system: &[Activity],
    jobs: &mut [Vec<(u64, Option<u64>)>],
    left: &mut [Vec<u64>],
    now: u64,
    random: &mut Random,
) {
    loop {
        let missing = (0..system.len()).find(|&i| {
            let next = left[i].len();
            jobs[i].get(next).is_some_and(|job| job.0 <= now)
        });
        let Some(i) = missing else { return };
        let Activity { best, wcet, .. } = system[i];
        // A job of no length waits for its turn as every other one: it takes a tick here.
        let best = best.max(1);
        let length =
            if below(random, 2) == 0 { wcet } else { best + below(random, wcet - best + 1) };
        left[i].push(length);
    }
}

fn release_after(
    system: &[Activity],
    jobs: &mut [Vec<(u64, Option<u64>)>],
    completed: usize,
    now: u64,
) {
    for (follower, activity) in system.iter().enumerate() {
        if activity.activation == Activation::After(completed) {
            jobs[follower].push((now, None));
        }
    }
}

/// No response above its bound, and no completions closer than their curve.
fn holds(
    system: &[Activity],
    bounded: &[Bounded],
    jobs: &[Vec<(u64, Option<u64>)>],
    what: &str,
) -> Vec<u64> {
    let mut worst = vec![0; system.len()];
    for (position, (list, bound)) in jobs.iter().zip(bounded).enumerate() {
        let completed: Vec<(u64, u64)> = list.iter().filter_map(|&(r, c)| Some((r, c?))).collect();
        for &(released, done) in &completed {
            worst[position] = worst[position].max(done - released);
            assert!(
                done - released <= bound.response,
                "{what}: response of {position} in {system:?}"
            );
        }
        for (first, &(_, begin)) in completed.iter().enumerate() {
            for (last, &(_, end)) in completed.iter().enumerate().skip(first) {
                let least = bound.completions.distance((last - first + 1) as u64);
                assert!(end - begin >= least, "{what}: completions of {position} in {system:?}");
            }
        }
    }
    worst
}

/// No chain takes longer than its latency; how many of them do take as long.
fn chains_hold(
    system: &[Activity],
    bounded: &[Bounded],
    jobs: &[Vec<(u64, Option<u64>)>],
) -> usize {
    let mut reached = 0;
    for position in 0..system.len() {
        let bound = from_source(system, bounded, position).expect("a bound");
        let mut source = position;
        while let Activation::After(before) = system[source].activation {
            source = before;
        }
        // Jobs of one activity complete in the order of their releases, so the n-th is of the n-th
        // event.
        let pairs = jobs[source].iter().zip(&jobs[position]);
        let taken = pairs.filter_map(|(&(event, _), &(_, done))| Some(done? - event)).max();
        assert!(
            taken.is_none_or(|taken| taken <= bound),
            "{taken:?} > {bound}: {position} in {system:?}"
        );
        reached += usize::from(source != position && taken == Some(bound));
    }
    reached
}

/// The load of the busiest core in the long run.
pub(crate) fn load(system: &[Activity]) -> f64 {
    fn rate(system: &[Activity], position: usize) -> f64 {
        match &system[position].activation {
            Activation::Source(curve) => curve.rate().0 as f64 / curve.rate().1 as f64,
            Activation::After(by) => rate(system, *by),
        }
    }
    let of = |core| (0..system.len()).filter(move |&i| system[i].core == core);
    let sum = |core| of(core).map(|i| rate(system, i) * system[i].wcet as f64).sum::<f64>();
    (0..2).map(sum).fold(0.0, f64::max)
}

/// Systems of each campaign; `CHAIN_SETS` makes them longer.
pub(crate) fn count() -> u64 {
    fusee_testing::given_or("CHAIN_SETS", 150)
}

#[test]
fn no_run_is_above_its_bounds() {
    let (mut bounded_systems, mut reached, mut activities, mut chained) = (0, 0, 0, 0);
    for number in 0..count() {
        let mut random = Random::new(2026, number, Part::Other);
        let system = drawn(&mut random);
        if load(&system) > 0.95 {
            continue;
        }
        let Ok(bounded) = analyse(&system) else { continue };
        bounded_systems += 1;
        let mut worst = vec![0; system.len()];
        for _ in 0..3 {
            let jobs = run(&system, 400, &mut random);
            let seen = holds(&system, &bounded, &jobs, &format!("system {number}"));
            chained += chains_hold(&system, &bounded, &jobs);
            worst.iter_mut().zip(seen).for_each(|(w, s)| *w = s.max(*w));
        }
        reached += worst.iter().zip(&bounded).filter(|(w, b)| **w == b.response).count();
        activities += system.len();
    }
    assert!(bounded_systems * 2 > count(), "only {bounded_systems} systems have bounds");
    // A bound a tick too short would be noticed.
    assert!(reached * 4 > activities, "{reached} of {activities} bounds are reached");
    assert!(chained > 0, "no latency of a chain is reached");
}
