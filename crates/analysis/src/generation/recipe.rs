//! The description of random task sets, and the generator made from it.

use serde::{Deserialize, Serialize};

use super::invalid::{Discarded, InvalidRecipe, check, finite};
use super::periods::Periods;
use super::random::{Part, Random};
use super::resources::Resources;
use super::span::Span;
use super::utilizations::Utilizations;
use crate::fixed_priority::assignment;
use crate::{Task, TaskSet};

/// The properties of random task sets.
///
/// Times are written as `"10 ms"`; everything but utilizations and periods has a default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Length of the tick in which sets are given.
    #[serde(default = "nanosecond")]
    pub tick: Span,
    /// Cores of the machine; the sets come with tasks that are still to be placed.
    #[serde(default = "one_core")]
    pub cores: usize,
    /// The number of tasks, and the part of a core that each needs.
    pub utilizations: Utilizations,
    /// The periods of the tasks.
    pub periods: Periods,
    /// Their relative deadlines.
    #[serde(default)]
    pub deadlines: Deadlines,
    /// Release jitter as a share of the period, uniform between the two.
    #[serde(default)]
    pub jitter: (f64, f64),
    /// Self-suspension as a share of T - C, uniform between the two.
    #[serde(default)]
    pub suspension: (f64, f64),
    /// Offset as a share of the period, uniform between the two.
    #[serde(default)]
    pub offset: (f64, f64),
    /// Priorities; higher numbers are higher.
    #[serde(default)]
    pub priorities: Priorities,
    /// Resources and critical sections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources: Option<Resources>,
}

fn nanosecond() -> Span {
    Span { nanoseconds: 1 }
}

fn one_core() -> usize {
    1
}

/// The way in which deadlines are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Deadlines {
    /// The deadline is the period: D = T.
    #[default]
    Implicit,
    /// D = C + x (T - C), x uniform in `low .. high` within 0 and 1.
    Constrained {
        /// The smallest x.
        low: f64,
        /// The largest x.
        high: f64,
    },
    /// D = x T, x uniform in `low .. high`.
    Arbitrary {
        /// The smallest x.
        low: f64,
        /// The largest x.
        high: f64,
    },
}

/// The way in which priorities are assigned: distinct, and ties by position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Priorities {
    /// They follow the periods.
    #[default]
    RateMonotonic,
    /// They follow the deadlines.
    DeadlineMonotonic,
    /// Rate-monotonic, but tasks of one period share a level.
    RateMonotonicLevels,
}

/// A recipe that was checked; makes the sets.
#[derive(Debug, Clone, PartialEq)]
pub struct Generator {
    recipe: Recipe,
}

impl Generator {
    /// Checks the recipe.
    ///
    /// # Errors
    /// The first field that nothing can be drawn with.
    pub fn new(recipe: Recipe) -> Result<Self, InvalidRecipe> {
        check("tick", recipe.tick.nanoseconds > 0, "it must be above 0")?;
        let cores = (1..=TaskSet::MOST_CORES).contains(&recipe.cores);
        check("cores", cores, "there must be 1 to 4096")?;
        recipe.utilizations.check()?;
        recipe.periods.check()?;
        let rising = |(low, high): (f64, f64)| finite(high) && 0.0 <= low && low <= high;
        let share = |pair: (f64, f64)| rising(pair) && pair.1 <= 1.0;
        let rule = "two numbers that rise within 0 and 1";
        check("jitter", share(recipe.jitter), rule)?;
        check("suspension", share(recipe.suspension), rule)?;
        check("offset", share(recipe.offset), rule)?;
        let deadlines = match recipe.deadlines {
            Deadlines::Implicit => true,
            Deadlines::Constrained { low, high } => share((low, high)),
            Deadlines::Arbitrary { low, high } => rising((low, high)) && high <= 1e6,
        };
        check(
            "deadlines",
            deadlines,
            "low and high must rise, constrained ones within 0 and 1, others below 1e6",
        )?;
        recipe.resources.iter().try_for_each(Resources::check)?;
        Ok(Self { recipe })
    }

    /// Returns the recipe of the sets.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Set number `index` under `seed`; the same everywhere and in any order of calls.
    ///
    /// # Errors
    /// No set within the limits was found in the attempts that the recipe's methods make.
    pub fn set(&self, seed: u64, index: u64) -> Result<TaskSet, Discarded> {
        let recipe = &self.recipe;
        let utilizations =
            recipe.utilizations.draw(&mut Random::new(seed, index, Part::Utilizations))?;
        let (mut periods, mut timing) =
            (Random::new(seed, index, Part::Periods), Random::new(seed, index, Part::Timing));
        let mut tasks: Vec<Task> = utilizations
            .into_iter()
            .map(|u| recipe.timed(u, recipe.periods.draw(&mut periods), &mut timing))
            .collect();
        let requests = match &recipe.resources {
            Some(resources) => resources.draw(
                &mut tasks,
                recipe.tick,
                &mut Random::new(seed, index, Part::Resources),
            )?,
            None => Vec::new(),
        };
        let set = TaskSet::new(tasks)?.with_cores(recipe.cores)?.unplaced();
        let set = if requests.is_empty() { set } else { set.with_requests(requests)? };
        Ok(recipe.prioritized(set))
    }
}

impl Recipe {
    /// One task; its execution time is rounded down, but at least 1 tick.
    fn timed(&self, utilization: f64, period: u64, timing: &mut Random) -> Task {
        let period = self.tick.count_in(period);
        let wcet = ((utilization * period as f64) as u64).max(1);
        let idle = period.saturating_sub(wcet);
        let mut share =
            |(low, high): (f64, f64), of: u64| (timing.between(low, high) * of as f64) as u64;
        let deadline = match self.deadlines {
            Deadlines::Implicit => period,
            Deadlines::Constrained { low, high } => wcet.min(period) + share((low, high), idle),
            Deadlines::Arbitrary { low, high } => share((low, high), period).max(1),
        };
        let jitter = share(self.jitter, period);
        let suspension = share(self.suspension, idle);
        let offset = share(self.offset, period);
        Task {
            jitter,
            suspension,
            offset,
            ..Task::implicit(wcet, period, 0).with_deadline(deadline)
        }
    }

    fn prioritized(&self, set: TaskSet) -> TaskSet {
        let priorities = match self.priorities {
            Priorities::RateMonotonic => assignment::rate_monotonic(&set),
            Priorities::DeadlineMonotonic => assignment::deadline_monotonic(&set),
            Priorities::RateMonotonicLevels => assignment::rate_monotonic_levels(&set),
        };
        set.with_priorities(&priorities)
    }
}
