//! The resources that tasks share, and the lengths of sections.

use serde::{Deserialize, Serialize};

use super::call_paths::CallPaths;
use super::invalid::{Discarded, InvalidRecipe, check};
use super::random::Random;
use super::span::Span;
use crate::{Request, Task, effort};

/// A way to draw resources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Resources {
    /// Every task requests every resource with a probability.
    Random(RandomAccess),
    /// Tasks call components, some of which are exclusive, along given paths.
    CallPaths(CallPaths),
}

/// Every task requests every resource with a probability (Brandenburg 2011; Yang et al. 2015).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomAccess {
    /// Number of resources.
    pub count: usize,
    /// Probability that a task requests a resource.
    pub access: f64,
    /// Requests of each job for a resource that its task uses, uniform between the two.
    #[serde(default = "once")]
    pub requests: (u64, u64),
    /// Length of each critical section, uniform between the two.
    pub length: (Span, Span),
    /// Probability that the requests of a task for a resource only read.
    #[serde(default)]
    pub reads: f64,
    /// The treatment of sections that are longer than their task's execution time.
    #[serde(default)]
    pub excess: Excess,
    /// Probability that a task's next resource is requested inside the section of the one before.
    ///
    /// Nested sections are made once in each enclosing one, in rising order of resources, so no
    /// deadlock is possible; the enclosing section grows by their length.
    #[serde(default)]
    pub nesting: f64,
    /// Most sections inside each other.
    #[serde(default = "two")]
    pub depth: usize,
}

fn once() -> (u64, u64) {
    (1, 1)
}

fn two() -> usize {
    2
}

/// The treatment of sections that are longer than their task's execution time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Excess {
    /// All its sections shrink by one factor until they fit (to 0 ticks if need be).
    #[default]
    Cut,
    /// Its execution time grows until they fit.
    Extend,
    /// The drawn execution time never includes sections: they are always added.
    Add,
    /// Its resources are drawn again, up to 1000 times; if they never fit, the set is discarded.
    Redraw,
}

impl Resources {
    /// Checks that resources can be drawn like this.
    pub(super) fn check(&self) -> Result<(), InvalidRecipe> {
        match self {
            Resources::Random(random) => random.check(),
            Resources::CallPaths(paths) => paths.check(),
        }
    }

    /// Draws the requests of all tasks; may change execution times, or the order of tasks.
    pub(super) fn draw(
        &self,
        tasks: &mut [Task],
        tick: Span,
        random: &mut Random,
    ) -> Result<Vec<Vec<Request>>, Discarded> {
        match self {
            Resources::Random(access) => {
                tasks.iter_mut().map(|task| access.fitted(task, tick, random)).collect()
            }
            Resources::CallPaths(paths) => paths.draw(tasks, random),
        }
    }
}

/// Draws before [`Excess::Redraw`] gives up.
const ATTEMPTS: u64 = 1000;

impl RandomAccess {
    fn check(&self) -> Result<(), InvalidRecipe> {
        check("resources.count", self.count <= 10_000, "there can be at most 10000")?;
        let share = |p: f64| (0.0..=1.0).contains(&p);
        check("resources.access", share(self.access), "a probability is within 0 and 1")?;
        check("resources.reads", share(self.reads), "a probability is within 0 and 1")?;
        check("resources.nesting", share(self.nesting), "a probability is within 0 and 1")?;
        check("resources.depth", (1..=32).contains(&self.depth), "it must be within 1 and 32")?;
        let (few, many) = self.requests;
        check(
            "resources.requests",
            0 < few && few <= many && many <= 1_000_000,
            "1 to 1000000, rising",
        )?;
        check("resources.length", self.length.0 <= self.length.1, "the two must rise")
    }

    fn fitted(
        &self,
        task: &mut Task,
        tick: Span,
        random: &mut Random,
    ) -> Result<Vec<Request>, Discarded> {
        for attempt in 0..ATTEMPTS {
            if !effort::spend(1 + self.count as u64) {
                return Err(Discarded { attempts: attempt });
            }
            let mut requests = self.for_task(tick, random);
            let total = requests
                .iter()
                .fold(0_u64, |sum, r| sum.saturating_add(r.count.saturating_mul(r.length)));
            match self.excess {
                Excess::Add => task.wcet = task.wcet.saturating_add(total),
                _ if total <= task.wcet => {}
                Excess::Extend => task.wcet = total,
                Excess::Cut => requests.iter_mut().for_each(|r| shrink(r, task.wcet, total)),
                Excess::Redraw => continue,
            }
            return Ok(requests);
        }
        Err(Discarded { attempts: ATTEMPTS })
    }

    /// The requests of one task, not yet compared with its execution time.
    fn for_task(&self, tick: Span, random: &mut Random) -> Vec<Request> {
        let mut chains: Vec<Vec<Request>> = Vec::new();
        let mut apart =
            Vec::with_capacity(if self.nesting == 0.0 { self.count.min(16) } else { 0 });
        for resource in 0..self.count {
            if !random.chance(self.access) {
                continue;
            }
            let (few, many) = self.requests;
            let count = random.whole(few, many);
            let (low, high) = (
                tick.count_in(self.length.0.nanoseconds),
                tick.count_in(self.length.1.nanoseconds),
            );
            let mut request = Request::new(resource, count, random.whole(low, high));
            request.reads = self.reads > 0.0 && random.chance(self.reads);
            let nests = random.chance(self.nesting);
            match chains.last_mut().filter(|chain| nests && chain.len() < self.depth) {
                Some(chain) => {
                    request.count = 1;
                    chain.push(request);
                }
                None if self.nesting == 0.0 => apart.push(request),
                None => chains.push(vec![request]),
            }
        }
        apart.extend(chains.into_iter().filter_map(nested));
        apart
    }
}

/// One request with each of the following ones inside the one before.
fn nested(chain: Vec<Request>) -> Option<Request> {
    chain.into_iter().rev().reduce(|inner, outer| {
        let length = outer.length.saturating_add(inner.length);
        Request { length, ..outer }.with_nested(vec![inner])
    })
}

/// Shortens a request and all in it by the factor `to / from`, rounded down.
fn shrink(request: &mut Request, to: u64, from: u64) {
    request.length = (u128::from(request.length) * u128::from(to) / u128::from(from.max(1))) as u64;
    request.nested.iter_mut().for_each(|r| shrink(r, to, from));
}
