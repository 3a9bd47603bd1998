//! Published analyses of MPCP that are not sound: legal schedules exceed them.
//!
//! Two formulas that were copied from paper to paper: the jitter of a higher task is
//! taken for its waiting time instead of R - C, and a wait of length b counts
//! ceil(b / T) jobs of a higher task, without the one that is pending already. With
//! virtual spinning, a lower job that has the core's turn counts with its section, but
//! not with its wait for another core, and once for all requests of a job.

use fusee_analysis::{Request, SchedulabilityTest, Task, TaskSet, partitioned};
use fusee_schedules::{Load, Mpcp, Random, VirtualSpinning, simulate};

/// The mistake to make.
#[derive(Debug, Clone, Copy)]
enum Mistake {
    Jitter,
    CarryIn,
}

struct Published<'a> {
    set: &'a TaskSet,
    mistake: Mistake,
}

impl Published<'_> {
    fn remote_ceiling(&self, q: usize, core: usize) -> Option<u32> {
        self.set.users(q).filter(|(_, t)| t.core != core).map(|(_, t)| t.priority).max()
    }

    fn holding(&self, task: usize, q: usize, length: u64) -> u64 {
        let core = self.set.tasks()[task].core;
        let own = self.remote_ceiling(q, core);
        let longest = |u: usize| {
            let sections = self
                .set
                .requests(u)
                .iter()
                .filter(|r| r.resource != q && self.set.is_global(r.resource));
            sections
                .filter(|r| self.remote_ceiling(r.resource, core) >= own)
                .map(|r| r.length)
                .max()
                .unwrap_or(0)
        };
        length
            + self
                .set
                .on_core(core)
                .filter(|(u, _)| *u != task)
                .map(|(u, _)| longest(u))
                .sum::<u64>()
    }

    fn wait(&self, i: usize, q: usize) -> Option<u64> {
        let tasks = self.set.tasks();
        let users = || {
            self.set.users(q).filter(|(j, _)| *j != i).flat_map(|(j, _)| {
                self.set
                    .requests(j)
                    .iter()
                    .filter(|r| r.resource == q)
                    .map(move |r| (j, r.count, r.length))
            })
        };
        let lower = users().filter(|(j, ..)| tasks[*j].priority < tasks[i].priority);
        let lower = lower.map(|(j, _, l)| self.holding(j, q, l)).max().unwrap_or(0);
        let mut b = lower + 1;
        while b <= tasks[i].deadline {
            let higher = users().filter(|(j, ..)| tasks[*j].priority >= tasks[i].priority);
            let more = match self.mistake {
                Mistake::CarryIn => 0,
                Mistake::Jitter => 1,
            };
            let needed = lower
                + higher
                    .map(|(j, n, l)| {
                        (b.div_ceil(tasks[j].period) + more) * n * self.holding(j, q, l)
                    })
                    .sum::<u64>();
            if needed <= b {
                return Some(needed);
            }
            b = needed;
        }
        None
    }

    fn bounds(&self) -> Option<Vec<u64>> {
        let tasks = self.set.tasks();
        let global =
            |i: usize| self.set.requests(i).iter().filter(|r| self.set.is_global(r.resource));
        let waits: Option<Vec<u64>> = (0..tasks.len())
            .map(|i| global(i).map(|r| Some(r.count * self.wait(i, r.resource)?)).sum())
            .collect();
        let waits = waits?;
        let mut order: Vec<usize> = (0..tasks.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(tasks[i].priority));
        let mut bounds = vec![0; tasks.len()];
        for i in order {
            let resumes = global(i).map(|r| r.count).sum::<u64>() + 1;
            let local = |l: usize| global(l).map(|r| r.length).max().unwrap_or(0);
            let lower: u64 = self.set.lower(i).map(|(l, _)| local(l)).sum();
            let own = tasks[i].wcet + waits[i] + resumes * lower;
            let mut w = own;
            loop {
                let jitter = |h: usize| match self.mistake {
                    Mistake::Jitter => waits[h],
                    Mistake::CarryIn => bounds[h] - tasks[h].wcet,
                };
                let higher = self.set.interfering(i);
                let needed = own
                    + higher.map(|(h, t)| (w + jitter(h)).div_ceil(t.period) * t.wcet).sum::<u64>();
                if needed > tasks[i].deadline {
                    return None;
                }
                if needed <= w {
                    break;
                }
                w = needed;
            }
            bounds[i] = w;
        }
        Some(bounds)
    }
}

/// A task with at most one request for resource 0.
fn task(wcet: u64, period: u64, priority: u32, core: usize, section: u64) -> (Task, Vec<Request>) {
    let requests = if section > 0 { vec![Request::new(0, 1, section)] } else { Vec::new() };
    (Task::implicit(wcet.max(section), period, priority).on(core), requests)
}

/// Sets in which the mistake can matter: a frequent task above one that waits, above one that
/// suffers; or a task that is pending late and comes back early, before the end of somebody's wait.
fn family(random: &mut Random, mistake: Mistake) -> TaskSet {
    let mut some = |low, high| random.within(low, high);
    let rows = match mistake {
        Mistake::Jitter => vec![
            task(1, some(2, 3), 4, 0, 0),
            task(some(3, 6), some(14, 24), 3, 0, 1),
            task(some(1, 2), some(30, 60), 2, 0, 0),
            task(0, some(100, 200), 1, 1, some(3, 8)),
        ],
        Mistake::CarryIn => vec![
            task(some(3, 8), some(20, 40), 6, 1, 0),
            task(0, some(8, 18), 5, 1, some(2, 5)),
            task(0, some(20, 60), 4, 2, some(2, 5)),
            task(some(1, 3), some(40, 80), 3, 0, 1),
            task(0, some(50, 100), 1, 3, some(1, 3)),
        ],
    };
    let (tasks, requests) = rows.into_iter().unzip();
    TaskSet::new(tasks).unwrap().with_requests(requests).unwrap()
}

/// A set, a task, its response time and the published bound that it exceeds.
fn counter_example(mistake: Mistake) -> Option<(TaskSet, usize, u64, u64)> {
    for index in 0..20_000 {
        let mut random = Random::new(3, index);
        let set = family(&mut random, mistake);
        let Some(bounds) = (Published { set: &set, mistake }).bounds() else { continue };
        let repaired = partitioned::mpcp::Mpcp.response_times(&set).unwrap();
        for _ in 0..5 {
            let load = Load { dense: true, together: false, ticks: 400 };
            let worst = simulate(&set, &mut Mpcp, load, &mut random);
            for (task, (&worst, &bound)) in worst.iter().zip(&bounds).enumerate() {
                assert!(repaired[task].is_none_or(|r| worst <= r));
                if worst > bound {
                    return Some((set, task, worst, bound));
                }
            }
        }
    }
    None
}

#[test]
fn legal_schedules_exceed_what_is_published() {
    for mistake in [Mistake::Jitter, Mistake::CarryIn] {
        let (set, task, worst, bound) = counter_example(mistake).unwrap();
        let repaired = partitioned::mpcp::Mpcp.response_times(&set).unwrap()[task];
        eprintln!(
            "{mistake:?}: task {task} took {worst} > {bound}, repaired {repaired:?}\n{set:?}"
        );
        assert!(repaired.is_none_or(|r| r >= worst));
    }
}

/// The published sum for virtual spinning, on sets in which no request waits for a higher one: C,
/// the longest remote section for each request, and the longest section of each lower local task,
/// once.
fn sum_with_turns(set: &TaskSet, task: usize) -> u64 {
    let core = set.tasks()[task].core;
    let waits = set.requests(task).iter().map(|r| {
        let others = set.users(r.resource).filter(|(_, t)| t.core != core);
        let sections =
            others.flat_map(|(j, _)| set.requests(j)).filter(|s| s.resource == r.resource);
        r.count * sections.map(|s| s.length).max().unwrap_or(0)
    });
    let longest = |l: usize| set.requests(l).iter().map(|r| r.length).max().unwrap_or(0);
    let lower = set.lower(task).map(|(l, _)| longest(l));
    set.tasks()[task].wcet + waits.sum::<u64>() + lower.sum::<u64>()
}

#[test]
fn a_lower_job_with_the_turn_waits_for_another_core() {
    let test = partitioned::mpcp::MpcpVirtualSpinning;
    let mut exceeded = 0;
    for index in 0..300 {
        let mut random = Random::new(5, index);
        let mut some = |low, high| random.within(low, high);
        // Task 1 has the turn while the longer section of task 2 lasts, and task 0 finds it so.
        let tasks = [
            Task::implicit(some(4, 6), some(60, 90), 3),
            Task::implicit(some(5, 9), some(30, 60), 1),
            Task::implicit(some(20, 30), some(40, 60), 2).on(1),
            Task::implicit(3, some(60, 90), 0).on(2),
        ];
        let sections = [(0, 1), (1, some(1, 3)), (1, some(12, 20)), (0, 1)];
        let requests = sections.map(|(resource, length)| vec![Request::new(resource, 1, length)]);
        let set = TaskSet::new(tasks.to_vec()).unwrap().with_requests(requests.to_vec()).unwrap();
        let bounds = test.response_times(&set).unwrap();
        let load = Load { dense: true, together: false, ticks: 2_000 };
        let worst = simulate(&set, &mut VirtualSpinning::default(), load, &mut random);
        for (bound, worst) in bounds.iter().zip(&worst) {
            assert!(bound.is_none_or(|bound| *worst <= bound), "{worst} > {bound:?}\n{set:?}");
        }
        if worst[0] > sum_with_turns(&set, 0) && bounds[0].is_some() {
            exceeded += 1;
            if exceeded == 1 {
                let published = sum_with_turns(&set, 0);
                eprintln!("task 0 took {} > {published}, bound {:?}\n{set:?}", worst[0], bounds[0]);
            }
        }
    }
    assert!(exceeded > 0, "no schedule exceeds the published sum");
}

/// If a higher job waits again and again, a lower one gets the turn after each of its sections,
/// before the job in question is there. So the higher job ends late, and its next one comes soon
/// after: one section whenever the job itself begins is not all that counts.
#[test]
fn a_lower_job_gets_the_turn_after_each_section_of_a_higher_one() {
    let test = partitioned::mpcp::MpcpVirtualSpinning;
    let (mut bounded, mut exceeded) = (0, 0);
    for index in 0..40 {
        let mut random = Random::new(6, index);
        let mut some = |low, high| random.within(low, high);
        let (wcet, section) = (2 + some(3, 5), some(3, 5));
        let period = wcet + 2 + 3 * section + some(0, 4);
        // What the job takes if a lower section comes once: all but the higher one's next job.
        let own_sections_only = period - some(0, 1);
        let own = own_sections_only - wcet - 2 - section;
        let tasks = [
            Task::implicit(wcet, period, 4),
            Task::implicit(own, 5 * period + 1, 3),
            Task::implicit(3 * section, 12 * period + 5, 2),
            Task::implicit(10, 23, 1).on(1),
            Task::implicit(1, 200, 0).on(2),
        ];
        let sections = [(0, 2, 1), (1, 3, section), (0, 10, 1), (1, 1, 0)];
        let mut lists = sections.map(|(q, n, length)| vec![Request::new(q, n, length)]).to_vec();
        lists.insert(1, Vec::new());
        let set = TaskSet::new(tasks.to_vec()).unwrap().with_requests(lists).unwrap();
        let Some(bound) = test.response_times(&set).unwrap()[1] else { continue };
        bounded += 1;
        let load = Load { dense: true, together: false, ticks: 20_000 };
        let worst = simulate(&set, &mut VirtualSpinning::default(), load, &mut random)[1];
        assert!(worst <= bound, "{worst} > {bound}\n{set:?}");
        exceeded += u64::from(worst > own_sections_only);
    }
    eprintln!("{exceeded} of {bounded} sets take longer than with own sections only");
    assert!(exceeded > 0, "nothing shows that the lower sections count: {bounded}");
}
