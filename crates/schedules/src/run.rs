//! Runs a task set under a protocol.
//!
//! At each instant at which something happens jobs are released, every core takes the
//! runnable job of highest rank, a job whose next step is a critical section issues its
//! request the moment a core takes it or somebody who helps it, and then each core gives
//! its time to the job it took. Slow, and simple enough to be read at once.

use fusee_analysis::{Task, TaskSet, effort};

use crate::program::program;
use crate::random::Random;
use crate::world::{Job, Protocol, Step, World};

/// When jobs come and how much they need.
#[derive(Debug, Clone, Copy)]
pub struct Load {
    /// Shortest gaps and full execution times all the time.
    pub dense: bool,
    /// All first jobs arrive at once.
    pub together: bool,
    /// The length of the run in ticks.
    pub ticks: u64,
}

/// When the next jobs arrive.
struct Arrivals {
    load: Load,
    /// Jobs come at the tasks' offsets and each period from there on: some task has an offset.
    fixed: bool,
    next: Vec<u64>,
}

impl Arrivals {
    fn new(set: &TaskSet, load: Load, random: &mut Random) -> Self {
        let fixed = set.tasks().iter().any(|task| task.offset > 0);
        let first = |task: &Task| match (fixed, load.together) {
            (true, _) => task.offset,
            (false, true) => 0,
            (false, false) => random.within(0, task.period),
        };
        Self { load, fixed, next: set.tasks().iter().map(first).collect() }
    }

    /// Returns `true` if a job of this task arrives now; then the next one comes a period later, or
    /// more.
    fn arrives(&mut self, (index, task): (usize, &Task), now: u64, random: &mut Random) -> bool {
        let arrives = self.next[index] == now;
        if arrives {
            let late = !self.fixed && !self.load.dense && random.one_in(3);
            let gap = if late { random.within(0, task.period) } else { 0 };
            self.next[index] = now.saturating_add(task.period).saturating_add(gap);
        }
        arrives
    }
}

/// Returns the largest response time of each task that was seen, from arrival to completion.
///
/// Jobs that are pending at the end count with the time they have been pending. It ends early
/// where jobs only pile up, and when the [effort](fusee_analysis::effort) is used up.
pub fn simulate(
    set: &TaskSet,
    protocol: &mut dyn Protocol,
    load: Load,
    random: &mut Random,
) -> Vec<u64> {
    let mut world = World { set, time: 0, jobs: Vec::new(), requests: 0 };
    let (tasks, seed) = (set.tasks(), random.next());
    let mut arrivals = Arrivals::new(set, load, random);
    let mut worst = vec![0; tasks.len()];
    while world.time < load.ticks && world.jobs.len() <= 20 * tasks.len() && effort::step() {
        for (i, task) in tasks.iter().enumerate() {
            if arrivals.arrives((i, task), world.time, random) {
                let job = job(set, i, world.time, load.dense, random);
                world.jobs.push(job);
            }
        }
        let end = arrivals.next.iter().copied().fold(load.ticks, u64::min);
        // What is decided at an instant is the same whether or not instants before were looked at.
        let mut decisions = Random::new(seed, world.time);
        // A section without work ends at once, and a job with it.
        let chosen = loop {
            let chosen = settle(&mut world, protocol, &mut decisions);
            if !retire(&mut world, &mut worst) {
                break chosen;
            }
        };
        advance(&mut world, protocol, &chosen, end);
        grant(&mut world, protocol, &mut decisions);
        retire(&mut world, &mut worst);
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
        release: now.saturating_add(late),
        deadline: now.saturating_add(about.deadline),
        steps: program(set, task, dense, random),
        held: Vec::new(),
        waits: None,
        request: 0,
        reads: false,
        started: false,
    }
}

/// Returns `true` if a job is suspended by itself now.
fn suspends(world: &World<'_>, job: usize) -> bool {
    let it = &world.jobs[job];
    it.release <= world.time
        && matches!(it.steps.last(), Some(Step::Suspend(_)))
        && !world.waits_for_predecessor(job)
}

/// Takes out the jobs that are done now; whether there are some.
fn retire(world: &mut World<'_>, worst: &mut [u64]) -> bool {
    let (now, before) = (world.time, world.jobs.len());
    world.jobs.retain(|job| {
        let done = job.steps.is_empty();
        if done {
            worst[job.task] = worst[job.task].max(now - job.arrival);
        }
        !done
    });
    world.jobs.len() < before
}

/// Gives each core's time to somebody until something happens, or until `end`.
fn advance(world: &mut World<'_>, protocol: &mut dyn Protocol, chosen: &[Option<usize>], end: u64) {
    let suspended: Vec<usize> = (0..world.jobs.len()).filter(|&j| suspends(world, j)).collect();
    let mut gaining = protocol.gain(world, chosen);
    // Several cores may execute one job, by turns.
    gaining.sort_unstable();
    gaining.dedup();
    let ticks = if protocol.is_steady() {
        let busy = suspended.iter().chain(&gaining);
        let lasts = busy.filter_map(|&job| match world.jobs[job].steps.last() {
            Some(Step::Compute(left) | Step::Suspend(left)) => Some(*left),
            _ => None,
        });
        let releases = world.jobs.iter().map(|job| job.release).filter(|at| *at > world.time);
        let next = releases.fold(end, u64::min).saturating_sub(world.time);
        lasts.fold(next, u64::min).max(1)
    } else {
        1
    };
    for &job in &suspended {
        spend(&mut world.jobs[job], ticks);
    }
    for &job in &gaining {
        world.jobs[job].started = true;
        spend(&mut world.jobs[job], ticks);
    }
    for &job in &gaining {
        while let Some(Step::Unlock(_)) = world.jobs[job].steps.last() {
            world.jobs[job].steps.pop();
            world.jobs[job].held.pop();
            protocol.observe(world, job);
        }
    }
    world.time += ticks;
}

/// So much of the step that a job is in is over.
fn spend(job: &mut Job, ticks: u64) {
    if let Some(Step::Compute(left) | Step::Suspend(left)) = job.steps.last_mut() {
        *left -= ticks;
        if *left == 0 {
            job.steps.pop();
        }
    }
}

/// Returns the job that takes each core, after all requests that taking a core issues.
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
                Some(Step::Unlock(_)) => {
                    world.jobs[job].steps.pop();
                    world.jobs[job].held.pop();
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
