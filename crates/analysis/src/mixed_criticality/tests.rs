//! Numbers of the literature, and a machine that steps single ticks.

use super::*;
use crate::generation::{Part, Random};
use fusee_testing::given_or;

fn low(usual: u64, period: u64, priority: Priority) -> CriticalTask {
    CriticalTask { usual, most: None, period, deadline: period, priority }
}

fn high(usual: u64, most: u64, period: u64, priority: Priority) -> CriticalTask {
    CriticalTask { usual, most: Some(most), period, deadline: period, priority }
}

/// One of low criticality above: 2 jobs of it in the low mode, whose response is 8.
#[test]
fn a_change_of_the_mode_by_hand() {
    let tasks = [low(1, 4, 3), high(2, 2, 12, 2), high(4, 6, 20, 1)];
    for bounds in [amc_rtb(&tasks), amc_max(&tasks)] {
        let bounds = bounds.expect("bounds");
        assert_eq!(bounds[2], Responses { low: 8, high: Some(6 + 2 + 2) });
        assert_eq!(bounds[0], Responses { low: 1, high: None });
    }
}

/// A change of the mode at 10 finds the first job above complete, in its usual time: 1, and not 4.
#[test]
fn the_change_is_looked_at_where_it_is() {
    let above = CriticalTask { deadline: 4, ..high(1, 4, 10, 3) };
    let tasks = [above, low(3, 10, 2), high(7, 8, 60, 1)];
    let bounds = [amc_rtb(&tasks), amc_max(&tasks)].map(|found| found.expect("bounds")[2]);
    let low = 7 + 2 * 3 + 2;
    assert_eq!(bounds[0], Responses { low, high: Some(8 + 2 * 3 + 3 * 4) });
    assert_eq!(bounds[1], Responses { low, high: Some(8 + 2 * 3 + 1 + 2 * 4) });
}

#[test]
fn virtual_deadlines() {
    let tasks = [low(2, 4, 0), high(1, 5, 10, 0)];
    assert_eq!(edf_vd(&tasks), Some(VirtualDeadlines::Real));
    // 0.5 of low criticality, 0.1 and 0.7 of high: x = 0.2, and 0.2 * 0.5 + 0.7 fits.
    let tasks = [low(2, 4, 0), high(1, 7, 10, 0)];
    let found = edf_vd(&tasks);
    let Some(VirtualDeadlines::Scaled { numerator, denominator }) = found else {
        panic!("{found:?}");
    };
    assert!((numerator as f64 / denominator as f64 - 0.2).abs() < 1e-6);
    assert_eq!(edf_vd(&[low(2, 4, 0), high(4, 9, 10, 0)]), None);
}

#[test]
fn what_is_no_task_of_the_model_has_no_bound() {
    let late = CriticalTask { deadline: 11, ..low(1, 10, 1) };
    for wrong in [late, low(0, 10, 1), high(3, 2, 10, 1), low(1, 0, 1)] {
        assert_eq!(amc_rtb(&[wrong]), None);
        assert_eq!(amc_max(&[wrong]), None);
        assert_eq!(edf_vd(&[wrong]), None);
    }
    let huge = [low(u64::MAX, u64::MAX, 2), high(u64::MAX, u64::MAX, u64::MAX, 1)];
    assert_eq!(amc_rtb(&huge), None);
    assert_eq!(edf_vd(&huge), None);
}

/// A number below a limit above 0.
fn below(random: &mut Random, limit: u64) -> u64 {
    random.whole(0, limit - 1)
}

/// A job that is not complete.
struct Job {
    task: usize,
    arrival: u64,
    left: u64,
    done: u64,
}

/// The order in which jobs are served.
#[derive(Clone, Copy)]
enum By {
    Priority,
    Deadline(VirtualDeadlines),
}

/// The longest responses in the low mode, and of high criticality.
fn run(tasks: &[CriticalTask], by: By, random: &mut Random, ticks: u64) -> Vec<(u64, u64)> {
    let mut seen = vec![(0, 0); tasks.len()];
    let spread = below(random, 2) == 0;
    let mut next: Vec<u64> =
        tasks.iter().map(|task| if spread { below(random, task.period) } else { 0 }).collect();
    let (mut jobs, mut is_high): (Vec<Job>, bool) = (Vec::new(), false);
    let overruns = below(random, 60);
    for now in 0..ticks {
        for (task, own) in tasks.iter().enumerate() {
            if next[task] != now {
                continue;
            }
            let gap = if below(random, 4) == 0 { below(random, own.period) } else { 0 };
            next[task] = now + own.period + gap;
            if is_high && !own.is_high() {
                continue;
            }
            let most = match own.most {
                Some(most) if below(random, 100) < overruns => most,
                _ => own.usual,
            };
            let left = if below(random, 3) == 0 { 1 + below(random, most) } else { most };
            jobs.push(Job { task, arrival: now, left, done: 0 });
        }
        let urgency = |job: &Job| match by {
            By::Priority => (u128::from(u32::MAX - tasks[job.task].priority), job.arrival),
            By::Deadline(scale) => {
                let period = u128::from(tasks[job.task].period);
                let whole = 1_u128 << 40;
                let after = match scale {
                    VirtualDeadlines::Scaled { numerator, .. }
                        if !is_high && tasks[job.task].is_high() =>
                    {
                        period * u128::from(numerator)
                    }
                    _ => period * whole,
                };
                (u128::from(job.arrival) * whole + after, job.arrival)
            }
        };
        let first = (0..jobs.len()).min_by_key(|&at| urgency(&jobs[at]));
        let Some(first) = first else {
            is_high = false;
            continue;
        };
        let job = &mut jobs[first];
        (job.left, job.done) = (job.left - 1, job.done + 1);
        let own = tasks[job.task];
        if job.left == 0 {
            let response = now + 1 - job.arrival;
            let of = &mut seen[job.task];
            of.1 = of.1.max(response);
            if !is_high {
                of.0 = of.0.max(response);
            }
            jobs.swap_remove(first);
        } else if own.is_high() && job.done == own.usual {
            is_high = true;
            // Under virtual deadlines what is of low criticality is abandoned.
            jobs.retain(|job| matches!(by, By::Priority) || tasks[job.task].is_high());
        }
        if jobs.is_empty() {
            is_high = false;
        }
    }
    seen
}

fn drawn(random: &mut Random, implicit: bool) -> Vec<CriticalTask> {
    let count = 2 + below(random, 4);
    (0..count)
        .map(|at| {
            let period = 4 + below(random, 40);
            let usual = 1 + below(random, (period / count).max(1));
            let usual = usual.min(period);
            let more = below(random, (period - usual) / 2 + 1);
            let most = (below(random, 2) == 0).then_some(usual + more);
            let least = most.unwrap_or(usual);
            let deadline = match implicit || below(random, 2) == 0 {
                true => period,
                false => least + below(random, period - least + 1),
            };
            let priority = if below(random, 8) == 0 { 1 } else { at as Priority + 1 };
            CriticalTask { usual, most, period, deadline, priority }
        })
        .collect()
}

/// Random systems: no response is above its bound, and the second bound is never above the first.
#[test]
fn no_response_is_above_its_bound() {
    let (mut bounded, mut reached, mut better) = (0, 0, 0);
    let random = &mut Random::new(62, 0, Part::Other);
    let systems = given_or("CRITICALITY_SYSTEMS", 1_500);
    for system in 0..systems {
        let tasks = drawn(random, false);
        let (Some(rtb), Some(max)) = (amc_rtb(&tasks), amc_max(&tasks)) else {
            assert!(amc_rtb(&tasks).is_none(), "{tasks:?}");
            continue;
        };
        bounded += 1;
        let longest = rtb.iter().zip(&max).map(|(rtb, max)| {
            assert!(max.high <= rtb.high && max.low == rtb.low, "system {system}: {tasks:?}");
            better += u64::from(max.high < rtb.high);
            (max.low, max.high.unwrap_or(max.low))
        });
        let longest: Vec<(u64, u64)> = longest.collect();
        let mut most = vec![0; tasks.len()];
        for _ in 0..8 {
            for (task, (low, high)) in
                run(&tasks, By::Priority, random, 600).into_iter().enumerate()
            {
                assert!(low <= longest[task].0, "system {system}, {task}: {low} {tasks:?} {max:?}");
                if tasks[task].is_high() {
                    assert!(high <= longest[task].1, "system {system}, {task}: {high} {tasks:?}");
                }
                most[task] = most[task].max(low);
            }
        }
        reached += most.iter().zip(&longest).filter(|(seen, most)| **seen == most.0).count();
    }
    println!(
        "{bounded} systems bounded, {reached} bounds of the low mode reached, {better} better"
    );
    assert!(bounded * 5 > systems && reached as u64 > bounded && better > 0);
}

/// Random systems that keep their deadlines by virtual ones do so on the machine.
#[test]
fn virtual_deadlines_keep_all_deadlines() {
    let (mut scaled, random) = (0, &mut Random::new(63, 0, Part::Other));
    let systems = given_or("CRITICALITY_SYSTEMS", 1_500);
    for system in 0..systems {
        let tasks = drawn(random, true);
        let Some(found) = edf_vd(&tasks) else { continue };
        scaled += u64::from(found != VirtualDeadlines::Real);
        for _ in 0..4 {
            for (task, (low, high)) in
                run(&tasks, By::Deadline(found), random, 600).into_iter().enumerate()
            {
                let most = if tasks[task].is_high() { high } else { low };
                assert!(most <= tasks[task].deadline, "system {system}, {task}: {most} {tasks:?}");
            }
        }
    }
    assert!(scaled * 50 > systems, "{scaled}");
}
