//! A simulator in unit steps: slow, and simple enough to be read at once.
//!
//! In each tick jobs are released, every core takes the runnable job of highest
//! rank, a job whose next step is a critical section issues its request the moment
//! a core takes it or somebody who helps it, and then each core gives one tick to the job it took.
//! What ranks, who may run, and who gets a free resource next is the protocol's: a [`Protocol`]
//! says nothing else. Nothing of this is shared with the analysis.

use fusee_analysis::{Request, TaskSet};

use crate::random::Random;

/// Larger runs first; compared left to right.
pub(crate) type Rank = (u64, u64, u64);

/// What is left of a job: sections are opened and closed, computing takes ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Compute(u64),
    /// A resource, and whether only to read.
    Lock(usize, bool),
    Unlock(usize),
    /// So many ticks the job suspends itself.
    Suspend(u64),
}

#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) task: usize,
    pub(crate) arrival: u64,
    pub(crate) release: u64,
    pub(crate) deadline: u64,
    /// Steps left, the next one last.
    pub(crate) steps: Vec<Step>,
    /// Resources held, the innermost last.
    pub(crate) held: Vec<usize>,
    /// The resource it waits for and the number of that request.
    pub(crate) waits: Option<(usize, u64)>,
    /// The number of the newest request that it issued.
    pub(crate) request: u64,
    /// Whether that request only reads.
    pub(crate) reads: bool,
    /// Whether it ever ran.
    pub(crate) started: bool,
}

#[derive(Debug)]
pub(crate) struct World<'a> {
    pub(crate) set: &'a TaskSet,
    pub(crate) time: u64,
    /// Pending jobs; of one task, only the oldest one may run.
    pub(crate) jobs: Vec<Job>,
    pub(crate) requests: u64,
}

impl World<'_> {
    pub(crate) fn holder(&self, resource: usize) -> Option<usize> {
        self.jobs.iter().position(|j| j.held.contains(&resource))
    }

    pub(crate) fn waiters(&self, resource: usize) -> Vec<usize> {
        (0..self.jobs.len())
            .filter(|&j| self.jobs[j].waits.is_some_and(|(q, _)| q == resource))
            .collect()
    }

    pub(crate) fn priority(&self, job: usize) -> u64 {
        u64::from(self.set.tasks()[self.jobs[job].task].priority)
    }

    pub(crate) fn core(&self, job: usize) -> usize {
        self.set.tasks()[self.jobs[job].task].core
    }

    /// The resource that a job is about to request, waits for or holds, if several cores use it.
    pub(crate) fn global_involved(&self, job: usize) -> Option<usize> {
        let job = &self.jobs[job];
        let waits = job.waits.map(|(q, _)| q);
        waits.or(job.held.last().copied()).filter(|&q| self.set.is_global(q))
    }

    /// Whether an older job of the same task is pending.
    pub(crate) fn waits_for_predecessor(&self, job: usize) -> bool {
        self.jobs[..job].iter().any(|j| j.task == self.jobs[job].task)
    }
}

/// A scheduler with its locks.
pub(crate) trait Protocol {
    /// Where a job competes now.
    fn core(&self, world: &World<'_>, job: usize) -> usize {
        world.core(job)
    }

    /// Its rank there; `None`: it cannot run.
    fn rank(&self, world: &World<'_>, job: usize) -> Option<Rank>;

    /// Which waiter gets a free resource now; `None`: nobody.
    fn next(&self, world: &World<'_>, resource: usize, random: &mut Random) -> Option<usize>;

    /// Who executes on a core that takes a job: itself, unless it waits.
    fn executes(&self, world: &World<'_>, job: usize) -> Option<usize> {
        world.jobs[job].waits.is_none().then_some(job)
    }

    /// Whether a resource that is held may have further holders.
    fn shares(&self, _world: &World<'_>, _resource: usize) -> bool {
        false
    }

    /// Which jobs gain one tick, given the job that each core takes; those that do not wait.
    fn gain(&mut self, world: &World<'_>, chosen: &[Option<usize>]) -> Vec<usize> {
        chosen.iter().flatten().filter_map(|&job| self.executes(world, job)).collect()
    }

    /// Something happened to a job: its request was issued, granted, or its section ended.
    fn observe(&mut self, _world: &World<'_>, _job: usize) {}
}

/// When jobs come and how much they need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    /// Shortest gaps and full execution times all the time.
    pub(crate) dense: bool,
    /// All first jobs arrive at once.
    pub(crate) together: bool,
    pub(crate) ticks: u64,
}

/// The largest response time of each task that was seen, from arrival to completion.
///
/// Jobs that are pending at the end count with the time they have been pending.
pub(crate) fn simulate(
    set: &TaskSet,
    protocol: &mut dyn Protocol,
    load: Load,
    random: &mut Random,
) -> Vec<u64> {
    let mut world = World { set, time: 0, jobs: Vec::new(), requests: 0 };
    let tasks = set.tasks();
    let first = |r: &mut Random, t: u64| if load.together { 0 } else { r.within(0, t) };
    let mut arrivals: Vec<u64> = tasks.iter().map(|t| first(random, t.period)).collect();
    let mut worst = vec![0; tasks.len()];
    while world.time < load.ticks {
        for (i, task) in tasks.iter().enumerate() {
            if arrivals[i] == world.time {
                let gap =
                    if load.dense || !random.one_in(3) { 0 } else { random.within(0, task.period) };
                arrivals[i] += task.period + gap;
                let job = job(set, i, world.time, load.dense, random);
                world.jobs.push(job);
            }
        }
        tick(&mut world, protocol, random);
        world.time += 1;
        world.jobs.retain(|job| {
            let done = job.steps.is_empty() && job.release < world.time;
            if done {
                worst[job.task] = worst[job.task].max(world.time - job.arrival);
            }
            !done
        });
        if world.jobs.len() > 20 * tasks.len() {
            break;
        }
    }
    for job in &world.jobs {
        worst[job.task] = worst[job.task].max(world.time - job.arrival);
    }
    worst
}

fn job(set: &TaskSet, task: usize, now: u64, dense: bool, random: &mut Random) -> Job {
    let about = &set.tasks()[task];
    let late = if random.one_in(2) { 0 } else { random.within(0, about.jitter) };
    Job {
        task,
        arrival: now,
        release: now + late,
        deadline: now + about.deadline,
        steps: program(set, task, dense, random),
        held: Vec::new(),
        waits: None,
        request: 0,
        reads: false,
        started: false,
    }
}

/// The steps of a job, last first: requests in any order, the rest of the computing around them.
fn program(set: &TaskSet, task: usize, dense: bool, random: &mut Random) -> Vec<Step> {
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
    steps.reverse();
    steps
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
    let before = random.within(0, own);
    steps.push(Step::Lock(request.resource, request.reads));
    steps.push(Step::Compute(before));
    for inner in request.nested.iter().flat_map(|r| std::iter::repeat_n(r, r.count as usize)) {
        section(inner, dense, random, steps);
    }
    steps.push(Step::Compute(own - before));
    steps.push(Step::Unlock(request.resource));
}

/// Whether a job is suspended by itself now.
fn suspends(world: &World<'_>, job: usize) -> bool {
    let it = &world.jobs[job];
    it.release <= world.time
        && matches!(it.steps.last(), Some(Step::Suspend(_)))
        && !world.waits_for_predecessor(job)
}

/// One tick: settle who runs where, then give each core's tick to somebody.
fn tick(world: &mut World<'_>, protocol: &mut dyn Protocol, random: &mut Random) {
    let chosen = settle(world, protocol, random);
    let suspended: Vec<usize> = (0..world.jobs.len()).filter(|&j| suspends(world, j)).collect();
    for job in suspended {
        if let Some(Step::Suspend(left)) = world.jobs[job].steps.last_mut() {
            *left -= 1;
            if *left == 0 {
                world.jobs[job].steps.pop();
            }
        }
    }
    let mut gained = vec![false; world.jobs.len()];
    protocol.gain(world, &chosen).into_iter().for_each(|job| gained[job] = true);
    for (index, _) in gained.iter().enumerate().filter(|(_, gained)| **gained) {
        let job = &mut world.jobs[index];
        job.started = true;
        if let Some(Step::Compute(left)) = job.steps.last_mut() {
            *left -= 1;
            if *left == 0 {
                job.steps.pop();
            }
        }
        while let Some(Step::Unlock(resource)) = world.jobs[index].steps.last().copied() {
            world.jobs[index].steps.pop();
            assert_eq!(world.jobs[index].held.pop(), Some(resource));
            protocol.observe(world, index);
        }
    }
    grant(world, protocol, random);
}

/// Who takes each core, after all requests that taking a core issues.
fn settle(
    world: &mut World<'_>,
    protocol: &mut dyn Protocol,
    random: &mut Random,
) -> Vec<Option<usize>> {
    let mut cores: Vec<usize> = (0..world.set.cores()).collect();
    random.shuffle(&mut cores);
    let mut chosen = vec![None; cores.len()];
    let mut again = true;
    while again {
        again = false;
        grant(world, protocol, random);
        for &core in &cores {
            chosen[core] = pick(world, protocol, core);
            let Some(job) = chosen[core].and_then(|j| protocol.executes(world, j)) else {
                continue;
            };
            match world.jobs[job].steps.last().copied() {
                Some(Step::Lock(resource, reads)) => {
                    world.jobs[job].steps.pop();
                    world.requests += 1;
                    world.jobs[job].request = world.requests;
                    world.jobs[job].reads = reads;
                    world.jobs[job].started = true;
                    world.jobs[job].waits = Some((resource, world.requests));
                    protocol.observe(world, job);
                    grant(world, protocol, random);
                }
                Some(Step::Unlock(resource)) => {
                    world.jobs[job].steps.pop();
                    assert_eq!(world.jobs[job].held.pop(), Some(resource));
                    protocol.observe(world, job);
                }
                Some(Step::Compute(0)) => {
                    world.jobs[job].steps.pop();
                }
                _ => continue,
            }
            again = true;
            break;
        }
    }
    chosen
}

fn pick(world: &World<'_>, protocol: &dyn Protocol, core: usize) -> Option<usize> {
    let here = |&j: &usize| {
        let job = &world.jobs[j];
        job.release <= world.time
            && !job.steps.is_empty()
            && !suspends(world, j)
            && !world.waits_for_predecessor(j)
            && protocol.core(world, j) == core
    };
    let ranked = (0..world.jobs.len())
        .filter(here)
        .filter_map(|j| Some((protocol.rank(world, j)?, std::cmp::Reverse(j))));
    ranked.max().map(|(_, std::cmp::Reverse(j))| j)
}

/// Gives every free resource to the waiter that the protocol names.
fn grant(world: &mut World<'_>, protocol: &mut dyn Protocol, random: &mut Random) {
    for resource in 0..world.set.resources() {
        while world.holder(resource).is_none() || protocol.shares(world, resource) {
            let Some(job) = protocol.next(world, resource, random) else { break };
            world.jobs[job].waits = None;
            world.jobs[job].held.push(resource);
            protocol.observe(world, job);
        }
    }
}
