//! Turning a set with overheads into one without.

use serde::{Deserialize, Serialize};

use super::cost::Numbers;
use super::{Cost, Overheads, Uncharged};
use crate::{Request, TaskSet};

/// The behavior of a job while it waits for a resource, which decides the cost of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Waiting {
    /// It spins: a request costs locking and unlocking.
    Spins,
    /// It suspends: a request costs two more switches, a signal between cores, and cold caches.
    Suspends,
    /// It helps: a request costs locking, unlocking and helping.
    Helps,
}

/// The effect of a request's cost on the section, for which others wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sections {
    /// Sections stay as they are; only execution times grow.
    Unchanged,
    /// Sections grow by what their own request costs.
    Lengthened,
}

/// The way of charging.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Charging {
    /// The behavior of waiting jobs.
    pub waiting: Waiting,
    /// The effect on sections.
    pub sections: Sections,
}

/// Costs on one core.
#[derive(Debug, Clone, Copy)]
struct OnCore {
    release: u64,
    switch: u64,
    cache: u64,
    signal: u64,
}

/// The stretch of execution on a core by interrupts: to x numerator / denominator + fixed.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    numerator: u128,
    denominator: u128,
    fixed: u64,
}

impl Stretch {
    const NONE: Stretch = Stretch { numerator: 1, denominator: 1, fixed: 0 };

    fn of(self, ticks: u64) -> Option<u64> {
        let scaled = u128::from(ticks).checked_mul(self.numerator)?.div_ceil(self.denominator);
        u64::try_from(scaled).ok()?.checked_add(self.fixed)
    }
}

impl Overheads {
    /// Each execution time grows by its own requests and by two switches, one to the job and one
    /// from it.
    ///
    /// # Errors
    /// A table ends too early, or a time does not fit.
    pub fn inflated(&self, set: &TaskSet, charging: Charging) -> Result<TaskSet, Uncharged> {
        let cores = self
            .cores(set)?
            .into_iter()
            .map(|on_core| (on_core, Stretch::NONE))
            .collect::<Vec<_>>();
        self.charged(set, charging, &cores, |on_core, _| Some((on_core.switch.checked_mul(2)?, 0)))
    }

    /// C' = (C + requests + 2 switches + cache delay) / (1 - u) + 2 c + signal between cores.
    ///
    /// u is the share of the core that release interrupts take, c = (all of them once) / (1 - u):
    /// in any window interrupts take at most u times its length and each one once more.
    ///
    /// # Errors
    /// A table ends too early, interrupts take a whole core, or a time does not fit.
    pub fn preemption_centric(
        &self,
        set: &TaskSet,
        charging: Charging,
    ) -> Result<TaskSet, Uncharged> {
        let stretched =
            |(core, on_core): (usize, OnCore)| Ok((on_core, stretch(set, core, on_core.release)?));
        let cores = self
            .cores(set)?
            .into_iter()
            .enumerate()
            .map(stretched)
            .collect::<Result<Vec<_>, _>>()?;
        self.charged(set, charging, &cores, |on_core, stretch| {
            let switches = on_core.switch.checked_mul(2)?.checked_add(on_core.cache)?;
            Some((switches, stretch.fixed.checked_add(on_core.signal)?))
        })
    }

    /// The costs on each core.
    fn cores(&self, set: &TaskSet) -> Result<Vec<OnCore>, Uncharged> {
        let machine = set.cores() as u64;
        let mut tasks = vec![0_u64; set.cores()];
        set.tasks().iter().for_each(|t| tasks[t.core] += 1);
        let on_core = |tasks: u64| {
            let numbers = Numbers { tasks, cores: machine, machine };
            let scheduling = self.scheduling.at("scheduling", numbers)?;
            Ok(OnCore {
                release: self.release.at("release", numbers)?,
                switch: scheduling
                    .saturating_add(self.context_switch.at("context switch", numbers)?),
                cache: self.cache_delay.at("cache delay", numbers)?,
                signal: self.interrupt_between_cores.at("interrupt between cores", numbers)?,
            })
        };
        tasks.into_iter().map(on_core).collect()
    }

    /// Charges each task its requests and what `own` says is added before and after stretching.
    fn charged(
        &self,
        set: &TaskSet,
        charging: Charging,
        cores: &[(OnCore, Stretch)],
        own: impl Fn(OnCore, Stretch) -> Option<(u64, u64)>,
    ) -> Result<TaskSet, Uncharged> {
        let by_users =
            ![&self.lock, &self.unlock, &self.helping].into_iter().all(Cost::is_constant);
        let users = users_of_resources(set, by_users);
        let mut wcets = Vec::with_capacity(set.tasks().len());
        let mut lengthened = Vec::new();
        for (i, task) in set.tasks().iter().enumerate() {
            let too_long = || Uncharged::TooLong { task: i };
            let (on_core, stretch) = cores[task.core];
            let cost = |r: &Request| self.request(users[r.resource], charging.waiting, on_core);
            let (before, after) = own(on_core, stretch).ok_or_else(too_long)?;
            let mut least = 0;
            let requests = match charging.sections {
                Sections::Unchanged => cost_of(set.requests(i), &cost, i)?,
                Sections::Lengthened => {
                    let (requests, total) = lengthen(set.requests(i), &cost, stretch, i)?;
                    least = inside(&requests).ok_or_else(too_long)?;
                    lengthened.push(requests);
                    total
                }
            };
            let plain = task.wcet.checked_add(requests).and_then(|c| c.checked_add(before));
            // Sections that grew alone are made room for.
            let wcet =
                plain.and_then(|c| stretch.of(c)).and_then(|c| c.max(least).checked_add(after));
            wcets.push(wcet.ok_or_else(too_long)?);
        }
        let charged = set.clone().with_longer_times(&wcets);
        match charging.sections {
            Sections::Unchanged => Ok(charged),
            // Only lengths changed, and each stays within what encloses it; so nothing is left that
            // could be refused.
            Sections::Lengthened => {
                charged.with_requests(lengthened).map_err(|_| Uncharged::TooLong { task: 0 })
            }
        }
    }

    /// Returns the cost of one request, for a resource with so many users.
    fn request(
        &self,
        numbers: Numbers,
        waiting: Waiting,
        on_core: OnCore,
    ) -> Result<u64, Uncharged> {
        let locking =
            self.lock.at("lock", numbers)?.saturating_add(self.unlock.at("unlock", numbers)?);
        let more = match waiting {
            Waiting::Spins => 0,
            Waiting::Suspends => on_core
                .switch
                .saturating_mul(2)
                .saturating_add(on_core.signal)
                .saturating_add(on_core.cache),
            Waiting::Helps => self.helping.at("helping", numbers)?,
        };
        Ok(locking.saturating_add(more))
    }
}

/// Returns the stretch of a core by release interrupts; utilizations are rounded up to multiples of
/// 2^-32.
fn stretch(set: &TaskSet, core: usize, release: u64) -> Result<Stretch, Uncharged> {
    const ONE: u128 = 1 << 32;
    let mut share = 0_u128;
    let mut once = 0_u128;
    for (_, task) in set.on_core(core) {
        share += (u128::from(release) * ONE).div_ceil(u128::from(task.period));
        once +=
            u128::from(release) * u128::from(task.jitter.div_ceil(task.period).saturating_add(1));
    }
    let left =
        ONE.checked_sub(share).filter(|left| *left > 0).ok_or(Uncharged::NoTimeLeft { core })?;
    let fixed = once.checked_mul(ONE).map(|n| n.div_ceil(left)).and_then(|n| u64::try_from(n).ok());
    Ok(Stretch {
        numerator: ONE,
        denominator: left,
        fixed: fixed.ok_or(Uncharged::NoTimeLeft { core })?,
    })
}

/// For each resource, how many tasks use it, and on how many cores; not counted unless `wanted`.
fn users_of_resources(set: &TaskSet, wanted: bool) -> Vec<Numbers> {
    let machine = set.cores() as u64;
    let mut users = vec![Numbers { tasks: 0, cores: 0, machine }; set.resources()];
    if !wanted {
        return users;
    }
    let mut last = vec![usize::MAX; set.resources()];
    let mut met = vec![false; set.resources() * set.cores()];
    for (i, task) in set.tasks().iter().enumerate() {
        for section in set.sections(i) {
            let q = section.request.resource;
            if std::mem::replace(&mut last[q], i) != i {
                users[q].tasks += 1;
                let known = std::mem::replace(&mut met[q * set.cores() + task.core], true);
                users[q].cores += u64::from(!known);
            }
        }
    }
    users
}

/// Returns the cost of all requests of a list, with those nested in them.
fn cost_of(
    requests: &[Request],
    cost: &impl Fn(&Request) -> Result<u64, Uncharged>,
    task: usize,
) -> Result<u64, Uncharged> {
    requests.iter().try_fold(0_u64, |sum, request| {
        let nested =
            if request.nested.is_empty() { 0 } else { cost_of(&request.nested, cost, task)? };
        let each = cost(request)?.checked_add(nested).and_then(|c| c.checked_mul(request.count));
        each.and_then(|c| sum.checked_add(c)).ok_or(Uncharged::TooLong { task })
    })
}

/// Requests as they will be when sections grow, and what all of them cost.
fn lengthen(
    requests: &[Request],
    cost: &impl Fn(&Request) -> Result<u64, Uncharged>,
    stretch: Stretch,
    task: usize,
) -> Result<(Vec<Request>, u64), Uncharged> {
    let too_long = || Uncharged::TooLong { task };
    let mut longer = Vec::with_capacity(requests.len());
    let mut sum = 0_u64;
    for request in requests {
        let (nested, cost_of_nested) = lengthen(&request.nested, cost, stretch, task)?;
        let each = cost(request)?.checked_add(cost_of_nested).ok_or_else(too_long)?;
        let length =
            request.length.checked_add(each).and_then(|l| stretch.of(l)).ok_or_else(too_long)?;
        let length = length.max(inside(&nested).ok_or_else(too_long)?);
        sum = each
            .checked_mul(request.count)
            .and_then(|c| sum.checked_add(c))
            .ok_or_else(too_long)?;
        longer.push(Request { length, nested, ..*request });
    }
    Ok((longer, sum))
}

/// Returns the sum of the lengths of a list's sections.
fn inside(requests: &[Request]) -> Option<u64> {
    requests.iter().try_fold(0_u64, |sum, r| sum.checked_add(r.count.checked_mul(r.length)?))
}
