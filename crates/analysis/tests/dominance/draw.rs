//! Sets as published equations take them.

use fusee_analysis::{Request, Task, TaskSet};
use fusee_testing::Draw;

/// A number in `low` ..= `high`.
fn within(draw: &mut Draw, low: u64, high: u64) -> u64 {
    low + draw.below(high - low + 1)
}

/// Half of them small enough for every corner, half of them like workloads of experiments.
pub(crate) fn task_set(draw: &mut Draw) -> TaskSet {
    if draw.below(2) == 0 { small(draw) } else { workload(draw) }
}

/// 2 to 8 tasks with periods up to 60, on 1 to 4 cores.
pub(crate) fn small(draw: &mut Draw) -> TaskSet {
    let cores = within(draw, 1, 4);
    let count = within(draw, 2, (2 * cores + 2).min(8));
    let resources = within(draw, 1, 3) as usize;
    let share = within(draw, 20, 90);
    let (mut tasks, mut requests) = (Vec::new(), Vec::new());
    for i in 0..count {
        let period = within(draw, 6, 60);
        let core = if i < cores { i } else { draw.below(cores) };
        let outside = period * share / 100 / count.div_ceil(cores);
        let mut list = Vec::new();
        let mut inside = 0;
        for q in 0..resources {
            let (count, length) = (if draw.below(4) == 0 { 2 } else { 1 }, within(draw, 1, 4));
            if draw.below(2) == 0 && inside + count * length <= outside.max(6) {
                inside += count * length;
                list.push(Request::new(q, count, length));
            }
        }
        let wcet = outside.max(inside).max(1);
        let least = period.div_ceil(2).max(wcet.min(period));
        let deadline = if draw.below(3) == 0 { within(draw, least, period) } else { period };
        tasks.push(Task::implicit(wcet, period, 0).with_deadline(deadline).on(core as usize));
        requests.push(list);
    }
    by_deadlines(draw, tasks, requests)
}

/// 3 to 9 tasks without resources, for 2 to 4 cores together.
pub(crate) fn unplaced(draw: &mut Draw) -> TaskSet {
    let cores = within(draw, 2, 4);
    let task = |draw: &mut Draw| {
        let period = within(draw, 4, 60);
        let parts = within(draw, 1, 4);
        let wcet = within(draw, 1, period.div_ceil(parts));
        Task::implicit(wcet, period, 1).with_deadline(within(draw, wcet, period))
    };
    let tasks = (0..within(draw, cores + 1, 2 * cores + 1)).map(|_| task(draw)).collect();
    TaskSet::new(tasks).unwrap().with_cores(cores as usize).unwrap()
}

/// 4 to 12 tasks on 2 to 4 cores, periods over two orders of magnitude, sections short of them.
fn workload(draw: &mut Draw) -> TaskSet {
    let cores = within(draw, 2, 4) as usize;
    let count = within(draw, cores as u64 + 2, 3 * cores as u64) as usize;
    let resources = within(draw, 1, 4) as usize;
    let access = within(draw, 1, 3);
    let longest = within(draw, 1, 16);
    let share = within(draw, 10, 70);
    let (mut tasks, mut requests) = (Vec::new(), Vec::new());
    for i in 0..count {
        let period = within(draw, 3, 10) * [10, 20, 50, 100][within(draw, 0, 3) as usize];
        let mates = count.div_ceil(cores) as u64;
        let mut list = Vec::new();
        for q in 0..resources {
            if within(draw, 1, 4) <= access {
                list.push(Request::new(q, within(draw, 1, 3), within(draw, 1, longest)));
            }
        }
        let inside: u64 = list.iter().map(|r| r.count * r.length).sum();
        let wcet = within(draw, 1, 1 + period * share / 50 / mates).max(inside);
        if wcet > period {
            list.clear();
        }
        let wcet = wcet.min(period);
        let deadline = if draw.below(3) == 0 { within(draw, wcet, period) } else { period };
        tasks.push(Task::implicit(wcet, period, 0).with_deadline(deadline).on(i % cores));
        requests.push(list);
    }
    by_deadlines(draw, tasks, requests)
}

/// Priorities by deadlines; in every fourth set by chance.
fn by_deadlines(draw: &mut Draw, tasks: Vec<Task>, requests: Vec<Vec<Request>>) -> TaskSet {
    let any = draw.below(4) == 0;
    let keys = tasks.iter().map(|t| if any { draw.below(1000) } else { t.deadline });
    let mut order: Vec<(u64, usize)> = keys.zip(0..).collect();
    order.sort_unstable_by(|a, b| b.cmp(a));
    let mut priorities = vec![0; tasks.len()];
    order.iter().zip(1..).for_each(|(&(_, i), priority)| priorities[i] = priority);
    let set = TaskSet::new(tasks).unwrap();
    set.with_priorities(&priorities).with_requests(requests).unwrap()
}
