//! Jobs and critical sections of no length mean the same in every test.
//!
//! A job that executes nothing completes at the first instant at which it would be dispatched, and
//! a section of no length waits for its turn like any other. Here every test that a scheduler of
//! [`fusee_schedules`] stands for is asked about sets in which half of all lengths are 0, and each
//! bound is held against schedules. `NO_LENGTH_SETS` sets how many sets each test gets.

#![allow(clippy::unwrap_used, reason = "tests")]

use fusee_analysis::registry::{all, by_name};
use fusee_analysis::{Request, SchedulabilityTest, Task, TaskSet};
use fusee_schedules::{LOADS, Load, Random, Scheduler, simulate};

/// The scheduler that a test is about, if there is one.
fn scheduler_of(test: &dyn SchedulabilityTest) -> Option<&'static Scheduler> {
    let name = test.metadata().name;
    let scheduler = match name {
        "fp-liu-layland" | "fp-hyperbolic" | "fp-hyperbolic-published" => "fixed-priority",
        "fp-rta" | "fp-rta-arbitrary" | "fp-suspension" | "fp-ipcp" | "fp-srp" => "fixed-priority",
        "edf-npcs" => return None,
        _ if name.starts_with("edf-") => "earliest-deadline",
        "msrp-classic" | "msrp-holistic" => "msrp",
        "msrp-classic-edf" | "msrp-holistic-edf" => "msrp-edf",
        "spin-phase-fair" => "phase-fair",
        "mrsp-2013" | "mrsp-2017" | "mrsp-nested" => "mrsp",
        "mpcp-lp" => "mpcp",
        "fmlp-plus-lp" => "fmlp-plus",
        "bcl-fp" | "rta-global-fp" | "guan" => "global-fixed-priority",
        "gfb" | "bak" | "bar" | "bcl-edf" | "rta-global-edf" | "ff-dbf" => {
            "global-earliest-deadline"
        }
        _ => name,
    };
    fusee_schedules::by_name(scheduler)
}

/// A number up to `most`, 0 every other time.
fn often_nothing(random: &mut Random, most: u64) -> u64 {
    if random.one_in(2) { 0 } else { random.within(1, most.max(1)) }
}

/// A set in which half of all lengths are 0.
fn drawn(random: &mut Random, cores: usize, shares: bool, steady: bool) -> TaskSet {
    let count = random.within(2, 3 * cores as u64 + 2);
    let mut tasks = Vec::new();
    let mut requests = Vec::new();
    for place in 0..count {
        let period = random.within(3, 24);
        let list: Vec<Request> = (0..if shares { random.within(0, 2) } else { 0 })
            .map(|resource| Request::new(resource as usize, 1, often_nothing(random, 2)))
            .collect();
        let inside: u64 = list.iter().map(|r| r.length).sum();
        let wcet = inside + often_nothing(random, period / 3);
        let deadline = if random.one_in(2) { period } else { random.within(1, period) };
        let priority = random.within(0, count) as u32;
        let jitter = if steady { 0 } else { often_nothing(random, deadline / 3) };
        let core = if (place as usize) < cores {
            place as usize
        } else {
            random.within(0, cores as u64 - 1) as usize
        };
        let task = Task::implicit(wcet, period, priority).with_deadline(deadline);
        tasks.push(task.with_jitter(jitter).on(core));
        requests.push(list);
    }
    let set = TaskSet::new(tasks).unwrap().with_cores(cores).unwrap();
    set.with_requests(requests).unwrap()
}

fn sets_wanted() -> u64 {
    fusee_testing::given_or("NO_LENGTH_SETS", 150)
}

/// Holds the bounds of a test against schedules; how many jobs of no length had one that was
/// reached.
fn campaign(test: &dyn SchedulabilityTest, scheduler: &Scheduler) -> u64 {
    let name = test.metadata().name;
    let family = test.metadata().family;
    let one_core = name.starts_with("fp-") || name.starts_with("edf-");
    let (mut bounded, mut reached) = (0_u64, 0_u64);
    for index in 0..30 * sets_wanted() {
        if bounded >= 4 * sets_wanted() {
            break;
        }
        let mut random = Random::new(7, index);
        let cores = if one_core { 1 } else { random.within(1, 3) as usize };
        let shares =
            !family.is_global() && (!one_core || name.contains("pcp") || name.contains("srp"));
        let steady = index % 2 == 0;
        let set = drawn(&mut random, cores, shares, steady);
        let Ok(verdict) = test.check(&set) else { continue };
        let deadlines =
            || set.tasks().iter().map(|t| verdict.is_schedulable().then_some(t.deadline));
        let bounds = test.response_times(&set).unwrap_or_else(|| deadlines().collect());
        assert_eq!(
            bounds.iter().all(Option::is_some),
            verdict.is_schedulable(),
            "{name}: {set:#?}"
        );
        for (dense, together) in LOADS {
            let load = Load { dense, together, ticks: 120 };
            let seen = simulate(&set, &mut *scheduler.of(&set), load, &mut random);
            for ((task, bound), seen) in set.tasks().iter().zip(&bounds).zip(seen) {
                let Some(bound) = *bound else { continue };
                assert!(
                    bound <= task.deadline && seen <= bound,
                    "{name}: {seen}, {bounds:?}, {set:#?}"
                );
                bounded += 1;
                reached += u64::from(task.wcet == 0 && seen == bound);
            }
        }
    }
    assert!(bounded > sets_wanted(), "{name}: {bounded} bounds say nothing");
    reached
}

#[test]
fn no_schedule_exceeds_a_bound() {
    let mut tests = 0;
    for test in all() {
        let Some(scheduler) = scheduler_of(test) else { continue };
        let reached = campaign(test, scheduler);
        let name = test.metadata().name;
        tests += 1;
        // Jobs of no length that reach their bounds: they are not bounded by what is longer.
        assert!(reached > 0 || name.contains("lp") || !name.contains("rta"), "{name}");
    }
    assert!(tests > 30, "{tests}");
}

fn set(tasks: &[Task]) -> TaskSet {
    TaskSet::new(tasks.to_vec()).unwrap()
}

/// Returns the verdict of a test about a set, and the bounds that it gives.
fn asked(name: &str, set: &TaskSet) -> (bool, Option<Vec<Option<u64>>>) {
    let test = by_name(name).unwrap();
    (test.check(set).unwrap().is_schedulable(), test.response_times(set))
}

#[test]
fn a_job_of_no_length_waits_for_all_above_it() {
    // Dispatched at 5, due at 3.
    let late = set(&[Task::implicit(5, 11, 2), Task::implicit(0, 3, 1)]);
    let bound = [("fp-rta", Some(5)), ("fp-rta-arbitrary", Some(5)), ("fp-suspension", Some(5))];
    for (name, first) in bound {
        assert_eq!(asked(name, &late), (false, Some(vec![first, None])), "{name}");
    }
    for test in all().filter(|test| test.metadata().family == fusee_analysis::Family::FixedPriority)
    {
        let name = test.metadata().name;
        // A job that preempts no other starts nothing before the job that came with it.
        if test.check(&late).is_ok() {
            assert!(!asked(name, &late).0, "{name}");
        }
    }
    // Under EDF it comes first.
    assert_eq!(asked("edf-response-times", &late), (true, Some(vec![Some(5), Some(0)])));
    // At 8 the next job of the upper task is released, which comes first: dispatched at 10.
    let touching = |deadline| {
        let below = Task::implicit(0, 20, 1).with_deadline(deadline);
        set(&[Task::implicit(2, 8, 3), Task::implicit(6, 20, 2), below])
    };
    assert_eq!(asked("fp-rta", &touching(10)), (true, Some(vec![Some(2), Some(8), Some(10)])));
    assert!(!asked("fp-rta", &touching(9)).0);
    // Nothing is left over, ever.
    let full = set(&[Task::implicit(4, 4, 2), Task::implicit(0, 8, 1)]);
    for name in ["fp-rta", "fp-hyperbolic", "fp-liu-layland", "fp-rta-arbitrary", "fp-suspension"] {
        assert!(!asked(name, &full).0, "{name}");
    }
    assert!(asked("edf-qpa", &full).0);
}

#[test]
fn a_section_of_no_length_waits_for_its_turn() {
    let one = |resource, length| vec![Request::new(resource, 1, length)];
    // Two cores, one FIFO lock: the job of no length waits for the other core's section of 4.
    let tasks = [Task::implicit(0, 20, 2), Task::implicit(4, 20, 1).on(1)];
    let shared = set(&tasks).with_requests(vec![one(0, 0), one(0, 4)]).unwrap();
    for name in
        ["msrp-classic", "msrp-holistic", "spin-priority", "mpcp", "fmlp-plus", "omlp-donation"]
    {
        assert_eq!(asked(name, &shared).1.unwrap()[0], Some(4), "{name}");
    }
    // A section that is not preempted holds up a job of no length under EDF, too.
    let tasks = [Task::implicit(0, 20, 2).with_deadline(2), Task::implicit(5, 20, 1)];
    let blocked = set(&tasks).with_requests(vec![vec![], one(0, 5)]).unwrap();
    assert!(!asked("edf-npcs", &blocked).0);
    assert!(asked("edf-srp", &blocked).0);
    let wanted = set(&tasks).with_requests(vec![one(0, 0), one(0, 5)]).unwrap();
    assert!(!asked("edf-srp", &wanted).0 && !asked("edf-srp-density", &wanted).0);
}

#[test]
fn where_waiting_suspends_the_verdict_is_that_of_the_bounds() {
    let tasks = set(&[Task::implicit(6, 8, 2), Task::implicit(0, 6, 1)]);
    assert_eq!(asked("fmlp-plus", &tasks), (true, Some(vec![Some(6), Some(6)])));
    // Nor is a bound given where the next job would come first.
    let tasks = set(&[Task::implicit(6, 6, 2), Task::implicit(0, 6, 1)]);
    assert_eq!(asked("fmlp-plus", &tasks), (false, Some(vec![Some(6), None])));
}
