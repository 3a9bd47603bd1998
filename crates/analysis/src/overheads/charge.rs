//! Turning a set with overheads into one without.

use serde::{Deserialize, Serialize};

use super::cost::Numbers;
use super::{Overheads, Uncharged};
use crate::{Request, Task, TaskSet};

/// What a job does while it waits for a resource; that decides what a request costs.
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

/// Whether the cost of a request also lengthens the section, for which others wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sections {
    /// Sections stay as they are; only execution times grow.
    Unchanged,
    /// Sections grow by what their own request costs.
    Lengthened,
}

/// How to charge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Charging {
    /// What waiting is like.
    pub waiting: Waiting,
    /// What grows.
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

/// How interrupts stretch what runs on a core: to x numerator / denominator + fixed.
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
    /// Each execution time grows by its own requests and by two switches, one to the job and one from it.
    ///
    /// # Errors
    /// A table ends too early, or a time does not fit.
    pub fn inflated(&self, set: &TaskSet, charging: Charging) -> Result<TaskSet, Uncharged> {
        let users = users_of_resources(set);
        let charged = (0..set.tasks().len()).map(|i| {
            let on_core = self.on_core(set, set.tasks()[i].core)?;
            let cost = |r: &Request| self.request(users[r.resource], charging.waiting, on_core);
            let requests = charge_requests(set, i, cost, charging.sections, Stretch::NONE)?;
            let switches = on_core.switch.checked_mul(2).ok_or(Uncharged::TooLong { task: i })?;
            self.task(set, i, charging, requests, switches, Stretch::NONE)
        });
        rebuild(set, charged.collect::<Result<_, _>>()?)
    }

    /// C' = (C + requests + 2 switches + cache delay) / (1 - u) + 2 c + signal between cores.
    ///
    /// u is the share of the core that release interrupts take, c = (all of them once) / (1 - u): in
    /// any window interrupts take at most u times its length and each one once more.
    ///
    /// # Errors
    /// A table ends too early, interrupts take a whole core, or a time does not fit.
    pub fn preemption_centric(&self, set: &TaskSet, charging: Charging) -> Result<TaskSet, Uncharged> {
        let stretches: Vec<Stretch> = (0..set.cores()).map(|core| self.stretch(set, core)).collect::<Result<_, _>>()?;
        let users = users_of_resources(set);
        let charged = (0..set.tasks().len()).map(|i| {
            let too_long = Uncharged::TooLong { task: i };
            let core = set.tasks()[i].core;
            let on_core = self.on_core(set, core)?;
            let cost = |r: &Request| self.request(users[r.resource], charging.waiting, on_core);
            let requests = charge_requests(set, i, cost, charging.sections, stretches[core])?;
            let switches = on_core.switch.checked_mul(2).and_then(|s| s.checked_add(on_core.cache));
            let once_more = stretches[core].fixed.checked_add(on_core.signal);
            let (switches, once_more) = switches.zip(once_more).ok_or(too_long.clone())?;
            let (mut task, requests) = self.task(set, i, charging, requests, switches, stretches[core])?;
            task.wcet = task.wcet.checked_add(once_more).ok_or(too_long)?;
            Ok((task, requests))
        });
        rebuild(set, charged.collect::<Result<_, _>>()?)
    }

    fn on_core(&self, set: &TaskSet, core: usize) -> Result<OnCore, Uncharged> {
        let numbers = Numbers { tasks: set.on_core(core).count() as u64, cores: set.cores() as u64 };
        let scheduling = self.scheduling.at("scheduling", numbers)?;
        Ok(OnCore {
            release: self.release.at("release", numbers)?,
            switch: scheduling.saturating_add(self.context_switch.at("context switch", numbers)?),
            cache: self.cache_delay.at("cache delay", numbers)?,
            signal: self.interrupt_between_cores.at("interrupt between cores", numbers)?,
        })
    }

    /// What release interrupts do to a core; utilisations are rounded up to multiples of 2^-32.
    fn stretch(&self, set: &TaskSet, core: usize) -> Result<Stretch, Uncharged> {
        const ONE: u128 = 1 << 32;
        let release = self.on_core(set, core)?.release;
        let mut share = 0_u128;
        let mut once = 0_u128;
        for (_, task) in set.on_core(core) {
            share += (u128::from(release) * ONE).div_ceil(u128::from(task.period));
            once += u128::from(release) * u128::from(task.jitter.div_ceil(task.period).saturating_add(1));
        }
        let left = ONE.checked_sub(share).filter(|left| *left > 0).ok_or(Uncharged::NoTimeLeft { core })?;
        let fixed = once.checked_mul(ONE).map(|n| n.div_ceil(left)).and_then(|n| u64::try_from(n).ok());
        Ok(Stretch { numerator: ONE, denominator: left, fixed: fixed.ok_or(Uncharged::NoTimeLeft { core })? })
    }

    /// What one request costs, for a resource with so many users.
    fn request(&self, numbers: Numbers, waiting: Waiting, on_core: OnCore) -> Result<u64, Uncharged> {
        let locking = self.lock.at("lock", numbers)?.saturating_add(self.unlock.at("unlock", numbers)?);
        let more = match waiting {
            Waiting::Spins => 0,
            Waiting::Suspends => {
                on_core.switch.saturating_mul(2).saturating_add(on_core.signal).saturating_add(on_core.cache)
            }
            Waiting::Helps => self.helping.at("helping", numbers)?,
        };
        Ok(locking.saturating_add(more))
    }

    /// The task as it will be; sections that grew alone are made room for.
    fn task(
        &self,
        set: &TaskSet,
        i: usize,
        charging: Charging,
        (requests, cost): (Vec<Request>, u64),
        switches: u64,
        stretch: Stretch,
    ) -> Result<(Task, Vec<Request>), Uncharged> {
        let task = set.tasks()[i];
        let too_long = || Uncharged::TooLong { task: i };
        let plain = task.wcet.checked_add(cost).and_then(|c| c.checked_add(switches)).ok_or_else(too_long)?;
        let mut wcet = stretch.of(plain).ok_or_else(too_long)?;
        if charging.sections == Sections::Lengthened {
            let inside = requests.iter().try_fold(0_u64, |sum, r| sum.checked_add(r.count.checked_mul(r.length)?));
            wcet = wcet.max(inside.ok_or_else(too_long)?);
        }
        Ok((Task { wcet, ..task }, requests))
    }
}

/// For each resource, how many tasks use it, and on how many cores.
fn users_of_resources(set: &TaskSet) -> Vec<Numbers> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); set.resources()];
    for (i, task) in set.tasks().iter().enumerate() {
        let mut used: Vec<usize> = set.sections(i).iter().map(|s| s.request.resource).collect();
        used.sort_unstable();
        used.dedup();
        used.into_iter().for_each(|q| users[q].push(task.core));
    }
    let numbers = |mut cores: Vec<usize>| {
        let tasks = cores.len() as u64;
        cores.sort_unstable();
        cores.dedup();
        Numbers { tasks, cores: cores.len() as u64 }
    };
    users.into_iter().map(numbers).collect()
}

/// The requests of a task as they will be, and what all of them cost the task.
fn charge_requests(
    set: &TaskSet,
    i: usize,
    cost: impl Fn(&Request) -> Result<u64, Uncharged>,
    sections: Sections,
    stretch: Stretch,
) -> Result<(Vec<Request>, u64), Uncharged> {
    let mut total = 0_u64;
    let mut requests = Vec::with_capacity(set.requests(i).len());
    for request in set.requests(i) {
        let (charged, cost) = charge_request(request, &cost, sections, stretch, i)?;
        let all = cost.checked_mul(request.count).and_then(|c| total.checked_add(c));
        total = all.ok_or(Uncharged::TooLong { task: i })?;
        requests.push(charged);
    }
    Ok((requests, total))
}

/// A request as it will be, and what it costs with those nested in it.
fn charge_request(
    request: &Request,
    cost: &impl Fn(&Request) -> Result<u64, Uncharged>,
    sections: Sections,
    stretch: Stretch,
    task: usize,
) -> Result<(Request, u64), Uncharged> {
    let too_long = || Uncharged::TooLong { task };
    let mut total = cost(request)?;
    let mut nested = Vec::new();
    for inner in &request.nested {
        let (inner, cost) = charge_request(inner, cost, sections, stretch, task)?;
        total = cost.checked_mul(inner.count).and_then(|c| total.checked_add(c)).ok_or_else(too_long)?;
        nested.push(inner);
    }
    let length = match sections {
        Sections::Unchanged => request.length,
        Sections::Lengthened => {
            let longer = request.length.checked_add(total).and_then(|l| stretch.of(l)).ok_or_else(too_long)?;
            let inside = nested.iter().try_fold(0_u64, |sum, r| sum.checked_add(r.count.checked_mul(r.length)?));
            longer.max(inside.ok_or_else(too_long)?)
        }
    };
    Ok((Request { length, nested, ..*request }, total))
}

fn rebuild(set: &TaskSet, charged: Vec<(Task, Vec<Request>)>) -> Result<TaskSet, Uncharged> {
    let (tasks, requests): (Vec<Task>, Vec<Vec<Request>>) = charged.into_iter().unzip();
    let charged = TaskSet::new(tasks).and_then(|s| s.with_cores(set.cores())).and_then(|s| s.with_requests(requests));
    // Only lengths changed, and each stays within what encloses it; so nothing is left that could be refused.
    charged.map_err(|_| Uncharged::TooLong { task: 0 })
}
