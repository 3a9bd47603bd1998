//! Schedules by hand, leaps against unit steps, and tests that are refuted.

use fusee_analysis::{Request, Task, TaskSet, registry};
use fusee_schedules::{
    LOADS, Load, Protocol, Random, Rank, Runs, SCHEDULERS, Unfit, World, by_name, refute, simulate,
};

/// The same protocol, looked at in every tick.
struct UnitSteps(Box<dyn Protocol>);

impl Protocol for UnitSteps {
    fn core(&self, world: &World<'_>, job: usize) -> usize {
        self.0.core(world, job)
    }

    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank> {
        self.0.rank(world, job)
    }

    fn next(&self, world: &World<'_>, resource: usize, random: &mut Random) -> Option<usize> {
        self.0.next(world, resource, random)
    }

    fn executes(&self, world: &World<'_>, job: usize) -> Option<usize> {
        self.0.executes(world, job)
    }

    fn shares(&self, world: &World<'_>, resource: usize) -> bool {
        self.0.shares(world, resource)
    }

    fn gain(&mut self, world: &World<'_>, chosen: &[Option<usize>]) -> Vec<usize> {
        self.0.gain(world, chosen)
    }

    fn is_steady(&self) -> bool {
        false
    }

    fn observe(&mut self, world: &World<'_>, job: usize) {
        self.0.observe(world, job);
    }
}

/// Returns a set of up to six tasks on up to three cores, with requests, jitter and suspensions.
fn drawn(random: &mut Random) -> TaskSet {
    let cores = random.within(1, 3) as usize;
    let mut tasks = Vec::new();
    let mut requests = Vec::new();
    for i in 0..random.within(2, 6) {
        let period = random.within(8, 40);
        let length = random.within(1, 3);
        let asks = random.one_in(2);
        let wcet = random.within(0, period / 4) + if asks { length } else { 0 };
        let core = random.within(0, cores as u64 - 1) as usize;
        tasks.push(
            Task::implicit(wcet, period, i as u32 + 1)
                .with_jitter(random.within(0, 4))
                .with_suspension(if random.one_in(4) { random.within(1, 4) } else { 0 })
                .on(core),
        );
        let resource = random.within(0, 1) as usize;
        let request = Request::new(resource, 1, length);
        let request = if random.one_in(2) { request.reading() } else { request };
        requests.push(if asks { vec![request] } else { Vec::new() });
    }
    TaskSet::new(tasks)
        .and_then(|set| set.with_cores(cores))
        .and_then(|set| set.with_requests(requests))
        .expect("a consistent set")
}

#[test]
fn leaps_from_event_to_event_are_unit_steps() {
    // In which order some locks serve is drawn at each look, so those differ.
    for scheduler in SCHEDULERS.iter().filter(|s| s.name != "spin-unordered") {
        let (mut compared, mut late) = (0, 0);
        for index in 0..400 {
            let set = drawn(&mut Random::new(3, index));
            let set =
                if scheduler.name.starts_with("global") { set.without_requests() } else { set };
            if scheduler.fits(&set).is_err() {
                continue;
            }
            for (dense, together) in LOADS {
                let load = Load { dense, together, ticks: 300 };
                let leaps =
                    simulate(&set, &mut *scheduler.of(&set), load, &mut Random::new(4, index));
                let mut steps = UnitSteps(scheduler.of(&set));
                let steps = simulate(&set, &mut steps, load, &mut Random::new(4, index));
                assert_eq!(leaps, steps, "{}, set {index}, {load:?}: {set:#?}", scheduler.name);
                compared += 1;
                late += leaps.iter().zip(set.tasks()).filter(|(w, t)| **w > t.wcet).count();
            }
        }
        assert!(compared > 200 && late > 100, "{}: {compared}, {late}", scheduler.name);
    }
}

fn worst(name: &str, set: &TaskSet) -> Vec<u64> {
    let scheduler = by_name(name).expect("a scheduler");
    assert_eq!(scheduler.fits(set), Ok(()));
    let load = Load { dense: true, together: true, ticks: 200 };
    simulate(set, &mut *scheduler.of(set), load, &mut Random::new(1, 1))
}

#[test]
fn one_core_by_hand() {
    // At 0 all arrive: 1, then 2, then 3 with one preemption at 4 and the next at 5.
    let tasks = vec![Task::implicit(1, 4, 3), Task::implicit(2, 6, 2), Task::implicit(3, 12, 1)];
    let set = TaskSet::new(tasks).expect("a set");
    assert_eq!(worst("fixed-priority", &set), [1, 3, 10]);
    // By deadlines: the job that is due at 12 runs from 3 to 4, 5 to 6 and 8 to 9 at the latest.
    assert!(
        worst("earliest-deadline", &set).iter().zip(set.tasks()).all(|(w, t)| *w <= t.deadline)
    );
}

#[test]
fn a_task_without_work_is_dispatched_in_its_turn() {
    // After the job above it, which came with it, at 8; with its jitter at 3 if nobody is there.
    let tasks = vec![Task::implicit(0, 10, 1).with_jitter(3), Task::implicit(8, 10, 2)];
    assert_eq!(worst("fixed-priority", &TaskSet::new(tasks).expect("a set")), [8, 8]);
    let alone = vec![Task::implicit(0, 10, 1).with_jitter(3)];
    assert_eq!(worst("fixed-priority", &TaskSet::new(alone).expect("a set")), [3]);
    // At 4 the upper task comes again, and first.
    let touching =
        vec![Task::implicit(2, 4, 3), Task::implicit(2, 12, 2), Task::implicit(0, 12, 1)];
    assert_eq!(worst("fixed-priority", &TaskSet::new(touching).expect("a set")), [2, 4, 6]);
    // On two cores there is always one for it, unless both have something above it.
    let global = |count| {
        let tasks = (0..count).map(|_| Task::implicit(4, 12, 2)).chain([Task::implicit(0, 12, 1)]);
        let set = TaskSet::new(tasks.collect()).expect("a set").with_cores(2).expect("two cores");
        worst("global-fixed-priority", &set)
    };
    assert_eq!((global(1), global(2)), (vec![4, 0], vec![4, 4, 4]));
}

#[test]
fn a_section_without_work_waits_for_its_lock() {
    let tasks = vec![Task::implicit(0, 20, 2), Task::implicit(5, 20, 1).on(1)];
    let lists = vec![vec![Request::new(0, 1, 0)], vec![Request::new(0, 1, 5)]];
    let set = TaskSet::new(tasks).and_then(|set| set.with_requests(lists)).expect("a set");
    for name in ["msrp", "mpcp", "fmlp-plus", "dpcp", "mrsp", "omlp-token"] {
        let scheduler = by_name(name).expect("a scheduler");
        let load = Load { dense: true, together: true, ticks: 200 };
        let seen = (0..40).map(|seed| {
            simulate(&set, &mut *scheduler.of(&set), load, &mut Random::new(seed, 1))[0]
        });
        assert_eq!(seen.max(), Some(5), "{name}");
    }
}

#[test]
fn jobs_come_at_offsets_where_there_are_some() {
    let tasks = vec![Task::implicit(2, 10, 2), Task { offset: 5, ..Task::implicit(3, 10, 1) }];
    let set = TaskSet::new(tasks).expect("a set");
    let scheduler = by_name("fixed-priority").expect("a scheduler");
    for seed in 0..20 {
        let load = Load { dense: false, together: false, ticks: 100 };
        let seen = simulate(&set, &mut *scheduler.of(&set), load, &mut Random::new(seed, 0));
        assert!(seen[0] <= 2 && seen[1] <= 3, "{seen:?}");
    }
}

#[test]
fn what_only_utilisation_accepts_is_refuted() {
    let tasks = vec![Task::implicit(3, 6, 2), Task::implicit(4, 9, 1)];
    let set = TaskSet::new(tasks).expect("a set");
    let runs = Runs { count: 12, seed: 1 };
    let fixed = by_name("fixed-priority").expect("a scheduler");
    let miss = refute(&set, &[6, 9], runs, || fixed.of(&set)).expect("a late job");
    assert_eq!((miss.task, miss.response, miss.run), (1, 10, 0));
    let edf = by_name("earliest-deadline").expect("a scheduler");
    assert_eq!(refute(&set, &[6, 9], runs, || edf.of(&set)), None);
}

#[test]
fn bounds_of_a_test_are_limits_too() {
    let tasks = vec![Task::implicit(2, 10, 2), Task::implicit(3, 20, 1)];
    let set = TaskSet::new(tasks).expect("a set");
    let fixed = by_name("fixed-priority").expect("a scheduler");
    let rta = registry::by_name("fp-rta").expect("a test").response_times(&set).expect("bounds");
    let bounds: Vec<u64> = rta.into_iter().flatten().collect();
    let runs = Runs { count: 12, seed: 1 };
    assert_eq!(refute(&set, &bounds, runs, || fixed.of(&set)), None);
    assert!(refute(&set, &[2, bounds[1] - 1], runs, || fixed.of(&set)).is_some());
}

#[test]
fn sets_that_a_scheduler_cannot_run_are_told() {
    let two = |request: Request| {
        let tasks = vec![Task::implicit(4, 20, 2), Task::implicit(4, 20, 1).on(1)];
        let set = TaskSet::new(tasks).expect("a set");
        set.with_requests(vec![vec![request.clone()], vec![request]]).expect("a set")
    };
    let fits = |name: &str, set: &TaskSet| by_name(name).expect("a scheduler").fits(set);
    let flat = two(Request::new(0, 1, 2));
    assert_eq!(fits("fixed-priority", &flat), Err(Unfit::Shared(0)));
    assert_eq!(fits("msrp", &flat), Ok(()));
    assert_eq!(fits("global-fixed-priority", &flat), Err(Unfit::Resources));
    assert_eq!(fits("msrp", &flat.clone().unplaced()), Err(Unfit::Unplaced));
    let mut nested = Request::new(0, 1, 3);
    nested.nested = vec![Request::new(1, 1, 1)];
    assert_eq!(fits("mpcp", &two(nested.clone())), Err(Unfit::Nested));
    assert_eq!(fits("mrsp", &two(nested)), Ok(()));
    let threshold = TaskSet::new(vec![Task::implicit(1, 5, 1).with_threshold(2)]).expect("a set");
    assert_eq!(fits("fixed-priority", &threshold), Err(Unfit::Threshold(0)));
}
