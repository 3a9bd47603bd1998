//! Random tasks over given gates.

use crate::body::{add_signal, body};
use crate::gates::{Gates, add_component};
use crate::{Mix, Random};
use fusee_model::{
    Budget, Duration, NotificationId, Origin, Overrun, PrioritySource, Release, ReleaseKind,
    Sourced, Step, System, Task,
};

fn sourced<T>(value: T) -> Sourced<T> {
    Sourced { value, origin: Origin::NONE }
}

/// The load of a system: the periods and shares of its tasks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load<'a> {
    /// The shortest and the longest period, in ns.
    pub(crate) periods: (u64, u64),
    /// The share of the core that each task has, in parts per million.
    pub(crate) shares: &'a [u64],
}

/// Adds tasks, each with about its share of the core.
pub(crate) fn add(random: &mut Random, mix: &Mix, load: Load<'_>, gates: &Gates, s: &mut System) {
    for (index, &share) in load.shares.iter().enumerate() {
        let mut calls = gates.calls(random, 3, u32::MAX);
        add_signal(random, mix, s.notifications.len(), &mut calls);
        let demand = gates.demand_of_all(&calls);
        let (own, period) = match earlier(random, mix, s) {
            Some(period) => fit_multiple(random, mix, period, Share { share, demand }),
            None => fit(random, load.periods, Share { share, demand }),
        };
        let component = add_component(s, format!("t{index}"), true);
        let mut release = release(random, mix, period);
        release.kind = signalled(random, mix, s).unwrap_or(release.kind);
        let demand = own + demand;
        let body = body(random, mix, own, calls);
        s.tasks.push(Task {
            name: format!("t{index}"),
            component,
            deadline: deadline(random, mix, demand, period).map(|d| sourced(Duration(d))),
            release: Some(release),
            priority: sourced(0),
            priority_source: PrioritySource::Given,
            core: 0,
            budget: random
                .chance(mix.budget)
                .then(|| budget(random, mix, &gates.ends(&body.steps), s.notifications.len())),
            body,
            origin: Origin::NONE,
        });
    }
    add_wait(random, mix, s);
    assign_priorities(random, mix, &mut s.tasks);
}

/// The need of a task.
#[derive(Debug, Clone, Copy)]
struct Share {
    /// The part of the core, in parts per million.
    share: u64,
    /// The need of its calls.
    demand: u64,
}

/// Own execution and a period such that the whole comes near its share.
fn fit(random: &mut Random, periods: (u64, u64), Share { share, demand }: Share) -> (u64, u64) {
    let period = random.magnitude(periods.0, periods.1);
    let target = (u128::from(period) * u128::from(share) / 1_000_000) as u64;
    if demand <= target {
        return ((target - demand).max(1), period);
    }
    let least = demand + 1;
    (1, (u128::from(least) * 1_000_000 / u128::from(share.max(10_000))) as u64)
}

/// Perhaps the period of an earlier task.
fn earlier(random: &mut Random, mix: &Mix, s: &System) -> Option<u64> {
    let drawn = random.chance(mix.multiple);
    let task = random.pick(&s.tasks).filter(|_| drawn)?;
    task.release.as_ref().map(|release| release.period.value.ns())
}

/// Own execution, perhaps none, and the least multiple of a period that comes near the share.
fn fit_multiple(
    random: &mut Random,
    mix: &Mix,
    period: u64,
    Share { share, demand }: Share,
) -> (u64, u64) {
    let least = if random.chance(mix.empty) { demand } else { demand.max(1) };
    let needed = (u128::from(least) * 1_000_000 / u128::from(share.max(10_000))) as u64;
    let period = period.saturating_mul(needed.div_ceil(period).max(1 + random.below(3)));
    let target = (u128::from(period) * u128::from(share) / 1_000_000) as u64;
    let own = if random.chance(mix.empty) {
        0
    } else {
        target.saturating_sub(demand).max(u64::from(demand == 0))
    };
    (own, period)
}

fn release(random: &mut Random, mix: &Mix, period: u64) -> Release {
    let kind =
        if random.chance(mix.sporadic) { ReleaseKind::Sporadic } else { ReleaseKind::Periodic };
    let offset = if random.chance(mix.offset) { random.below(period) } else { 0 };
    let jitter = match random.chance(mix.jitter) {
        true if random.chance(10) => random.between(0, 2 * period),
        true => random.between(0, period / 2),
        false => 0,
    };
    Release {
        kind,
        period: sourced(Duration(period)),
        offset: Duration(offset),
        jitter: sourced(Duration(jitter)),
    }
}

/// Returns the release by an event that releases nobody yet.
fn signalled(random: &mut Random, mix: &Mix, s: &System) -> Option<ReleaseKind> {
    let free = unbound(s);
    let drawn = random.chance(mix.signalled);
    random.pick(&free).filter(|_| drawn).copied().map(ReleaseKind::Notification)
}

/// Notifications that release no task.
fn unbound(s: &System) -> Vec<NotificationId> {
    let bound = |id| {
        s.tasks
            .iter()
            .any(|t| t.release.as_ref().is_some_and(|r| r.kind == ReleaseKind::Notification(id)))
    };
    (0..s.notifications.len()).map(NotificationId::from).filter(|&id| !bound(id)).collect()
}

fn deadline(random: &mut Random, mix: &Mix, demand: u64, period: u64) -> Option<u64> {
    if random.chance(mix.short_deadline) {
        // A deadline of zero can be met by nobody, and no description takes one.
        return Some(random.between(demand.clamp(1, period), period));
    }
    if random.chance(mix.long_deadline) {
        return Some(random.between(period, 4 * period));
    }
    random.chance(50).then_some(period)
}

/// Half of the budgets suffice, the others end before the job can; some just as it does, or as a
/// step of it does.
fn budget(random: &mut Random, mix: &Mix, ends: &[u64], notifications: usize) -> Budget {
    let demand = ends.last().copied().unwrap_or(0);
    let amount = match random.chance(50) {
        suffices if random.chance(mix.exact) => match random.pick(ends).filter(|_| !suffices) {
            Some(&end) => end,
            None => demand,
        },
        true => random.between(demand, 2 * demand),
        false => random.between(demand / 2, demand),
    };
    let overrun = match random.below(3) {
        0 => Overrun::Suspend,
        1 if notifications > 0 => {
            Overrun::Notify(NotificationId::from(random.below(notifications as u64) as usize))
        }
        _ => Overrun::Continue,
    };
    Budget { amount: sourced(Duration(amount.max(1))), overrun }
}

/// Perhaps one task waits for an event at the end of its job.
fn add_wait(random: &mut Random, mix: &Mix, s: &mut System) {
    let free = unbound(s);
    if s.tasks.is_empty() || !random.chance(mix.wait) {
        return;
    }
    let task = random.below(s.tasks.len() as u64) as usize;
    if let Some(&notification) = random.pick(&free) {
        s.tasks[task].body.steps.push(Step::Wait(notification));
    }
}

/// Deadline-monotonic, random, or from a few levels; never the top priority.
fn assign_priorities(random: &mut Random, mix: &Mix, tasks: &mut [Task]) {
    if random.chance(mix.equal_priorities) {
        let levels = random.between(1, 3);
        tasks
            .iter_mut()
            .for_each(|task| task.priority.value = random.between(1, levels) as u8 * 10);
        return;
    }
    let by_deadline = !random.chance(mix.any_priorities);
    let mut order: Vec<(u64, usize)> = (0..tasks.len())
        .map(|t| {
            let key = match (&tasks[t].deadline, &tasks[t].release) {
                (Some(deadline), _) if by_deadline => deadline.value.ns(),
                (None, Some(release)) if by_deadline => release.period.value.ns(),
                _ => random.bits(),
            };
            (key, t)
        })
        .collect();
    order.sort_unstable();
    for (rank, (_, task)) in order.into_iter().enumerate() {
        tasks[task].priority.value = (254 - rank.min(253)) as u8;
    }
}
