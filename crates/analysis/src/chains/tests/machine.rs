//! Cores that go one tick at a time, and what their jobs read and write.

use crate::chains::{Communication, Link, Stage};
use crate::compositional::{Activation, Activity};
use crate::generation::Random;

/// A task as it runs: an activity, and when its clock ticks.
pub(super) struct Node {
    pub(super) activity: Activity,
    /// First arrival of a clock; `None` where it is drawn.
    pub(super) offset: Option<u64>,
    /// Distances of a clock's arrivals, from the shortest to the longest.
    pub(super) separation: (u64, u64),
    /// Longest time from arrival to release.
    pub(super) jitter: u64,
}

/// A job that has completed, and when it exchanged data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Job {
    arrival: u64,
    release: u64,
    length: u64,
    executed: u64,
    pub(super) read: u64,
    pub(super) write: u64,
    done: Option<u64>,
    /// The job of the trigger that released it.
    trigger: Option<usize>,
}

/// All jobs of each node until `end`.
pub(super) fn run(
    nodes: &[Node],
    way: Communication,
    end: u64,
    random: &mut Random,
) -> Vec<Vec<Job>> {
    let mut jobs: Vec<Vec<Job>> = nodes.iter().map(|node| clock(node, end, random)).collect();
    let cores = 1 + nodes.iter().map(|n| n.activity.core).max().unwrap_or(0);
    for now in 0..end {
        for core in 0..cores {
            let Some((node, job)) = chosen(nodes, &jobs, core, now) else { continue };
            let state = &mut jobs[node][job];
            if state.executed == 0 {
                state.read = now;
            }
            state.executed += 1;
            if state.executed < state.length {
                continue;
            }
            state.done = Some(now + 1);
            state.write = now + 1;
            if way == Communication::Explicit {
                state.read = random.whole(state.read, now);
                state.write = random.whole(state.read, now + 1);
            }
            trigger(nodes, &mut jobs, (node, job), now + 1, random);
        }
    }
    jobs
}

/// The pending job of the highest priority on a core, the oldest one of its node.
fn chosen(nodes: &[Node], jobs: &[Vec<Job>], core: usize, now: u64) -> Option<(usize, usize)> {
    let here = (0..nodes.len()).filter(|&n| nodes[n].activity.core == core);
    let pending = here.filter_map(|n| {
        // A node's jobs go one after the other, however late one is released.
        let next = jobs[n].iter().position(|job| job.done.is_none())?;
        (jobs[n][next].release <= now).then_some((n, next))
    });
    pending.max_by_key(|&(n, _)| (nodes[n].activity.priority, std::cmp::Reverse(n)))
}

fn job(node: &Node, arrival: u64, release: u64, random: &mut Random) -> Job {
    let Activity { best, wcet, .. } = node.activity;
    let length = if random.chance(0.5) { wcet } else { random.whole(best.max(1), wcet) };
    Job { arrival, release, length, executed: 0, read: 0, write: 0, done: None, trigger: None }
}

/// Returns the jobs that a clock releases; none where there is no clock.
fn clock(node: &Node, end: u64, random: &mut Random) -> Vec<Job> {
    if matches!(node.activity.activation, Activation::After(_)) {
        return Vec::new();
    }
    let mut arrival = node.offset.unwrap_or_else(|| random.whole(0, node.separation.1));
    let mut jobs: Vec<Job> = Vec::new();
    while arrival < end {
        let before = jobs.last().map_or(0, |job| job.release);
        let release = (arrival + random.whole(0, node.jitter)).max(before);
        jobs.push(job(node, arrival, release, random));
        arrival += random.whole(node.separation.0, node.separation.1);
    }
    jobs
}

fn trigger(
    nodes: &[Node],
    jobs: &mut [Vec<Job>],
    by: (usize, usize),
    now: u64,
    random: &mut Random,
) {
    for (follower, node) in nodes.iter().enumerate() {
        if node.activity.activation == Activation::After(by.0) {
            let new = Job { trigger: Some(by.1), ..job(node, now, now, random) };
            jobs[follower].push(new);
        }
    }
}

/// The longest reaction time and data age that a run shows of a chain.
pub(super) fn observed(jobs: &[Vec<Job>], chain: &[usize], stages: &[Stage]) -> (u64, u64) {
    let mut reaction = 0;
    let first = &jobs[chain[0]];
    for place in 1..first.len() {
        // A change right behind the reading before; from outside it arrives with the job.
        let change = match stages[0].link {
            Link::Triggered => first[place].arrival,
            _ => first[place - 1].read,
        };
        if let Some(done) = forwards(jobs, chain, stages, place).and_then(|last| last.done) {
            reaction = reaction.max(done - change);
        }
    }
    let last = &jobs[chain[chain.len() - 1]];
    let ages = (0..last.len()).filter_map(|place| {
        let read = backwards(jobs, chain, stages, place)?.read;
        Some(last[place].done? - read)
    });
    (reaction, ages.max().unwrap_or(0))
}

/// The job at the end that first sees what this job of the first task read.
fn forwards<'a>(
    jobs: &'a [Vec<Job>],
    chain: &[usize],
    stages: &[Stage],
    place: usize,
) -> Option<&'a Job> {
    let mut at = place;
    for (pair, stage) in chain.windows(2).zip(&stages[1..]) {
        let writer = jobs[pair[0]].get(at)?;
        writer.done?;
        at = jobs[pair[1]].iter().position(|reader| match stage.link {
            Link::Triggered => reader.trigger == Some(at),
            _ => reader.done.is_some() && reader.read >= writer.write,
        })?;
    }
    jobs[chain[chain.len() - 1]].get(at)
}

/// The job of the first task whose data a job at the end uses.
fn backwards<'a>(
    jobs: &'a [Vec<Job>],
    chain: &[usize],
    stages: &[Stage],
    place: usize,
) -> Option<&'a Job> {
    let mut at = place;
    jobs[chain[chain.len() - 1]].get(at)?.done?;
    for (pair, stage) in chain.windows(2).zip(&stages[1..]).rev() {
        let reader = jobs[pair[1]].get(at)?;
        at = match stage.link {
            Link::Triggered => reader.trigger?,
            _ => {
                let seen = |writer: &Job| writer.done.is_some() && writer.write <= reader.read;
                jobs[pair[0]].iter().rposition(seen)?
            }
        };
    }
    jobs[chain[0]].get(at)
}
