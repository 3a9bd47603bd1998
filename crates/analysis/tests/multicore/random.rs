//! Random task sets and programs, small enough to reach their worst cases.

use fusee_analysis::{Request, Task, TaskSet};
use fusee_schedules::Random;

/// The features that a family of sets may contain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) jitter: bool,
    pub(crate) equal_priorities: bool,
    pub(crate) nesting: bool,
    pub(crate) suspension: bool,
    pub(crate) reads: bool,
}

/// A set of 2 to 8 tasks on 1 to 4 cores.
pub(crate) fn task_set(random: &mut Random, shape: Shape) -> TaskSet {
    let cores = random.within(1, 4) as usize;
    let count = random.within(2, 2 * cores as u64 + 2).min(8) as usize;
    let resources = random.within(1, 3) as usize;
    let share = random.within(20, 90);
    let mut tasks = Vec::new();
    let mut requests = Vec::new();
    for i in 0..count {
        let period = random.within(6, 60);
        let core = if i < cores { i } else { random.within(0, cores as u64 - 1) as usize };
        let mates = (count.div_ceil(cores)) as u64;
        let mut wcet = (period * share / 100 / mates).max(1);
        let list = sections(random, resources, &mut wcet, shape);
        let deadline = if random.one_in(3) {
            random.within(period.div_ceil(2).max(wcet.min(period)), period)
        } else {
            period
        };
        let mut task = Task::implicit(wcet, period, 0).with_deadline(deadline).on(core);
        if shape.jitter && random.one_in(3) {
            task = task.with_jitter(random.within(0, deadline / 3));
        }
        if shape.suspension && random.one_in(2) {
            task = task.with_suspension(random.within(1, 1 + deadline / 4));
        }
        tasks.push(task);
        requests.push(list);
    }
    let priorities = priorities(random, &tasks, shape.equal_priorities);
    let set = TaskSet::new(tasks).unwrap().with_cores(cores).unwrap().with_priorities(&priorities);
    set.with_requests(requests).unwrap()
}

fn sections(random: &mut Random, resources: usize, wcet: &mut u64, shape: Shape) -> Vec<Request> {
    let mut list = Vec::new();
    let mut used = 0;
    for resource in 0..resources {
        if !random.one_in(2) {
            continue;
        }
        let count = if random.one_in(4) { 2 } else { 1 };
        let mut request = Request::new(resource, count, random.within(1, 4));
        if shape.nesting && resource + 1 < resources && random.one_in(2) {
            let inner = random.within(resource as u64 + 1, resources as u64 - 1) as usize;
            let length = random.within(1, 3);
            request.length += length;
            let mut inner = Request::new(inner, 1, length);
            if length > 1 && inner.resource + 1 < resources && random.one_in(2) {
                inner.nested.push(Request::new(inner.resource + 1, 1, 1));
            }
            request.nested.push(inner);
        }
        if used + request.length * count > *wcet && used + request.length * count > 8 {
            continue;
        }
        used += request.length * count;
        let both = shape.reads && random.one_in(4) && used + 2 <= *wcet;
        if both {
            used += 2;
            list.push(Request::new(resource, 1, 2));
        }
        let reads = both || shape.reads && random.one_in(2);
        list.push(if reads { request.reading() } else { request });
    }
    *wcet = (*wcet).max(used);
    list
}

/// Deadline-monotonic most of the time, any order otherwise; distinct over all cores unless asked.
fn priorities(random: &mut Random, tasks: &[Task], equal: bool) -> Vec<u32> {
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    if random.one_in(4) {
        random.shuffle(&mut order);
    } else {
        order.sort_by_key(|&i| std::cmp::Reverse((tasks[i].deadline, i)));
    }
    let mut priorities = vec![0; tasks.len()];
    for (rank, &i) in order.iter().enumerate() {
        priorities[i] = if equal && random.one_in(4) { rank as u32 } else { rank as u32 + 1 };
    }
    priorities
}
