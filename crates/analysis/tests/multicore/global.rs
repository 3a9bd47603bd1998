//! Global scheduling in unit steps: in each tick the m highest jobs run.

use fusee_analysis::{SchedulabilityTest, Task, TaskSet};

use crate::sets_wanted;
use fusee_schedules::Random;

/// The way in which jobs compete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Policy {
    FixedPriority,
    EarliestDeadline,
}

struct Job {
    task: usize,
    arrival: u64,
    left: u64,
}

/// The largest response time of each task, pending jobs included.
fn simulate(
    set: &TaskSet,
    policy: Policy,
    dense: bool,
    together: bool,
    random: &mut Random,
) -> Vec<u64> {
    let tasks = set.tasks();
    let mut next: Vec<u64> =
        tasks.iter().map(|t| if together { 0 } else { random.within(0, t.period) }).collect();
    let mut jobs: Vec<Job> = Vec::new();
    let mut worst = vec![0; tasks.len()];
    for now in 0..600 {
        for (i, task) in
            tasks.iter().enumerate().filter(|(i, _)| next[*i] == now).collect::<Vec<_>>()
        {
            let late = if dense || !random.one_in(3) { 0 } else { random.within(0, task.period) };
            next[i] += task.period + late;
            jobs.push(Job { task: i, arrival: now, left: task.wcet });
        }
        let key = |j: &Job| match policy {
            Policy::FixedPriority => {
                (u64::from(u32::MAX - tasks[j.task].priority), j.arrival, j.task)
            }
            Policy::EarliestDeadline => (j.arrival + tasks[j.task].deadline, 0, j.task),
        };
        jobs.sort_by_key(key);
        jobs.iter_mut().take(set.cores()).for_each(|j| j.left -= 1);
        for job in &jobs {
            worst[job.task] = worst[job.task].max(now + 1 - job.arrival);
        }
        jobs.retain(|j| j.left > 0);
        if jobs.len() > 20 * tasks.len() {
            break;
        }
    }
    worst
}

fn task_set(random: &mut Random) -> TaskSet {
    let cores = random.within(2, 3) as usize;
    let count = random.within(cores as u64, 3 * cores as u64);
    let share = random.within(20, 100);
    let mut tasks: Vec<Task> = Vec::new();
    for _ in 0..count {
        let period = random.within(2, 24);
        let most = (2 * period * share * cores as u64 / 100 / count).clamp(1, period);
        let wcet = random.within(1, most);
        let deadline = if random.one_in(3) { random.within(wcet, period) } else { period };
        tasks.push(Task::implicit(wcet, period, 0).with_deadline(deadline));
    }
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(tasks[i].deadline), i));
    if random.one_in(4) {
        random.shuffle(&mut order);
    }
    for (rank, &i) in order.iter().enumerate() {
        tasks[i].priority = (rank as u32).saturating_sub(u32::from(random.one_in(6)));
    }
    TaskSet::new(tasks).unwrap().with_cores(cores).unwrap()
}

/// Sets of a test: those accepted are simulated, and so are those refused, to see misses at all.
fn campaign(test: &dyn SchedulabilityTest, policy: Policy) {
    let (mut accepted, mut reached, mut missed, mut index) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut alone = 0_u64;
    while accepted < sets_wanted() && index < 50 * sets_wanted() {
        let mut random = Random::new(2, index);
        let set = task_set(&mut random);
        index += 1;
        let schedulable = test.check(&set).unwrap().is_schedulable();
        let bounds = test.response_times(&set).unwrap_or_else(|| vec![None; set.tasks().len()]);
        for (dense, together) in [(true, true), (true, false), (false, false)] {
            let worst = simulate(&set, policy, dense, together, &mut random);
            let late = worst.iter().zip(set.tasks()).any(|(w, t)| *w > t.deadline);
            missed += u64::from(late && !schedulable);
            for ((task, bound), worst) in set.tasks().iter().zip(&bounds).zip(&worst) {
                // Of a set that is refused, those who do not rest on others' deadlines have bounds.
                let Some(limit) = bound.or(schedulable.then_some(task.deadline)) else { continue };
                alone += u64::from(!schedulable);
                let name = test.metadata().name;
                assert!(
                    *worst <= limit.min(task.deadline),
                    "{name}, set {index}: {worst} > {limit}\n{set:#?}"
                );
                reached += u64::from(*worst == limit);
            }
        }
        accepted += u64::from(schedulable);
    }
    let name = test.metadata().name;
    eprintln!(
        "{name}: {accepted} accepted of {index} sets, {reached} limits reached, {missed} refused \
         sets missed; {alone} bounds in refused sets"
    );
    let bounds_some = ["guan", "rta-global-fp"].contains(&name);
    assert_eq!(alone > 0, bounds_some, "{name}");
    assert!(accepted > sets_wanted() / 2 && missed > 0, "{name} says nothing");
}

#[test]
fn every_test_for_global_scheduling() {
    for test in fusee_analysis::global::TESTS {
        let policy = match test.metadata().family {
            fusee_analysis::Family::GlobalFixedPriority => Policy::FixedPriority,
            _ => Policy::EarliestDeadline,
        };
        campaign(*test, policy);
    }
}
