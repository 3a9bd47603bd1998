//! The number of tasks, and the part of a core that each one needs.

use serde::{Deserialize, Serialize};

use super::fixed_sum::{convolutional_fixed_sum, rand_fixed_sum, uunifast, uunisort};
use super::invalid::{Discarded, InvalidRecipe, check, finite};
use super::math::ln;
use super::random::Random;
use crate::effort;

/// A way to draw utilizations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs, reason = "each method says what its fields are")]
pub enum Utilizations {
    /// `tasks` utilizations with sum `total` (Bini and Buttazzo 2005); some may exceed 1.
    Uunifast { tasks: usize, total: f64 },
    /// The same, drawn again until none exceeds `max` (Davis and Burns 2009), at most 10,000 times.
    UunifastDiscard {
        tasks: usize,
        total: f64,
        #[serde(default = "one")]
        max: f64,
    },
    /// `tasks` utilizations with sum `total` from sorted points (Bini and Buttazzo 2005).
    Uunisort { tasks: usize, total: f64 },
    /// `tasks` utilizations within `min ..= max` with sum `total` (Stafford 2006; Emberson et al.
    /// 2010).
    RandFixedSum {
        tasks: usize,
        total: f64,
        #[serde(default)]
        min: f64,
        #[serde(default = "one")]
        max: f64,
    },
    /// One utilization within each of `bounds`, with sum `total` (Griffin and Davis 2025).
    ConvolutionalFixedSum { total: f64, bounds: Vec<(f64, f64)> },
    /// `tasks` utilizations, each drawn alone.
    Each {
        tasks: usize,
        distribution: Distribution,
        #[serde(default)]
        above_one: AboveOne,
    },
    /// Tasks drawn one by one until their utilizations reach `cap` (Yang et al. 2015, as in
    /// SchedCAT).
    UntilCap {
        cap: f64,
        distribution: Distribution,
        #[serde(default)]
        above_one: AboveOne,
        #[serde(default)]
        last: Last,
    },
}

fn one() -> f64 {
    1.0
}

/// The treatment of a drawn utilization above 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AboveOne {
    /// It is drawn again.
    #[default]
    Redraw,
    /// It becomes 1.
    Cut,
}

/// The treatment of the task that exceeds the cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Last {
    /// It is left out: the set stays below the cap.
    #[default]
    Drop,
    /// Its utilization is cut: the set has exactly the cap.
    Squeeze,
}

/// A distribution of one utilization.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Distribution {
    /// Uniform in `low .. high`.
    Uniform {
        /// The smallest value.
        low: f64,
        /// The largest value.
        high: f64,
    },
    /// Exponential with that mean.
    Exponential {
        /// The mean value.
        mean: f64,
    },
    /// Uniform in `heavy` with probability `heavy_share`, else in `light`.
    Bimodal {
        /// Range of light tasks.
        light: (f64, f64),
        /// Range of heavy tasks.
        heavy: (f64, f64),
        /// Share of heavy tasks.
        heavy_share: f64,
    },
    /// Uniform in 0.001 .. 0.1.
    UniformLight,
    /// Uniform in 0.1 .. 0.4.
    UniformMedium,
    /// Uniform in 0.5 .. 0.9.
    UniformHeavy,
    /// Exponential with mean 0.1.
    ExponentialLight,
    /// Exponential with mean 0.25.
    ExponentialMedium,
    /// Exponential with mean 0.5.
    ExponentialHeavy,
    /// In 0.5 .. 0.9 with probability 1/9, else in 0.001 .. 0.5.
    BimodalLight,
    /// In 0.5 .. 0.9 with probability 3/9, else in 0.001 .. 0.5.
    BimodalMedium,
    /// In 0.5 .. 0.9 with probability 5/9, else in 0.001 .. 0.5.
    BimodalHeavy,
}

impl Distribution {
    /// The same with its parameters written out.
    fn written_out(self) -> Self {
        let uniform = |low, high| Distribution::Uniform { low, high };
        let bimodal = |ninths: f64| Distribution::Bimodal {
            light: (0.001, 0.5),
            heavy: (0.5, 0.9),
            heavy_share: ninths / 9.0,
        };
        match self {
            Distribution::UniformLight => uniform(0.001, 0.1),
            Distribution::UniformMedium => uniform(0.1, 0.4),
            Distribution::UniformHeavy => uniform(0.5, 0.9),
            Distribution::ExponentialLight => Distribution::Exponential { mean: 0.1 },
            Distribution::ExponentialMedium => Distribution::Exponential { mean: 0.25 },
            Distribution::ExponentialHeavy => Distribution::Exponential { mean: 0.5 },
            Distribution::BimodalLight => bimodal(1.0),
            Distribution::BimodalMedium => bimodal(3.0),
            Distribution::BimodalHeavy => bimodal(5.0),
            other => other,
        }
    }

    fn draw(self, random: &mut Random) -> f64 {
        match self.written_out() {
            Distribution::Exponential { mean } => -mean * ln(random.positive_unit()),
            Distribution::Bimodal { light, heavy, heavy_share } => {
                let (low, high) = if random.chance(heavy_share) { heavy } else { light };
                random.between(low, high)
            }
            Distribution::Uniform { low, high } => random.between(low, high),
            _ => 0.0,
        }
    }

    fn draw_at_most_one(self, random: &mut Random, above_one: AboveOne) -> f64 {
        loop {
            let value = self.draw(random);
            match above_one {
                _ if value <= 1.0 => return value,
                AboveOne::Redraw if effort::spend(10) => {}
                AboveOne::Cut | AboveOne::Redraw => return 1.0,
            }
        }
    }

    fn check(self) -> Result<(), InvalidRecipe> {
        let range = |(low, high): (f64, f64)| {
            finite(low) && finite(high) && (0.0..=1.0).contains(&low) && low <= high
        };
        let field = "utilizations.distribution";
        match self.written_out() {
            Distribution::Exponential { mean } => {
                // Far above 1, redrawing what exceeds 1 would hardly ever end.
                check(
                    field,
                    finite(mean) && (1e-9..=1e3).contains(&mean),
                    "the mean must be within 1e-9 and 1000",
                )
            }
            Distribution::Bimodal { light, heavy, heavy_share } => check(
                field,
                range(light) && range(heavy) && (0.0..=1.0).contains(&heavy_share),
                "both ranges must rise from within 0 and 1, and the share must be within 0 and 1",
            ),
            Distribution::Uniform { low, high } => {
                check(field, range((low, high)), "the range must rise, and start within 0 and 1")
            }
            _ => Ok(()),
        }
    }

    /// Returns `true` if tasks can be so small that a cap is never reached.
    fn can_stay_at_zero(self) -> bool {
        matches!(self.written_out(), Distribution::Uniform { high, .. } if high < 1e-6)
            || match self.written_out() {
                Distribution::Bimodal { light, heavy, .. } => light.1.min(heavy.1) < 1e-6,
                _ => false,
            }
    }
}

/// The most tasks of a drawn set.
const MOST_TASKS: usize = 100_000;
/// Draws of UUniFast-discard before it gives up.
const ATTEMPTS: u64 = 10_000;

impl Utilizations {
    /// Draws the utilizations of one set.
    pub(super) fn draw(&self, random: &mut Random) -> Result<Vec<f64>, Discarded> {
        let discarded = || Discarded { attempts: 1 };
        match *self {
            Utilizations::Uunifast { tasks, total } => Ok(uunifast(random, tasks, total)),
            Utilizations::Uunisort { tasks, total } => Ok(uunisort(random, tasks, total)),
            Utilizations::UunifastDiscard { tasks, total, max } => {
                discard(random, tasks, total, max)
            }
            Utilizations::RandFixedSum { tasks, total, min, max } => {
                rand_fixed_sum(random, tasks, total, (min, max)).ok_or_else(discarded)
            }
            Utilizations::ConvolutionalFixedSum { total, ref bounds } => {
                convolutional_fixed_sum(random, total, bounds).ok_or_else(discarded)
            }
            Utilizations::Each { tasks, distribution, above_one } => {
                Ok((0..tasks).map(|_| distribution.draw_at_most_one(random, above_one)).collect())
            }
            Utilizations::UntilCap { cap, distribution, above_one, last } => {
                Ok(until_cap(cap, last, || distribution.draw_at_most_one(random, above_one)))
            }
        }
    }

    /// Checks that sets can be drawn like this.
    pub(super) fn check(&self) -> Result<(), InvalidRecipe> {
        let sum = |tasks: usize, total: f64, (min, max): (f64, f64)| {
            let n = tasks as f64;
            check(
                "utilizations.tasks",
                (1..=MOST_TASKS).contains(&tasks),
                "there must be 1 to 100000 tasks",
            )?;
            let possible =
                finite(total) && finite(min) && finite(max) && min >= 0.0 && total >= 0.0;
            let possible = possible && n * min <= total && total <= n * max && min <= max;
            check(
                "utilizations.total",
                possible,
                "no such number of tasks has that sum within the limits of each",
            )
        };
        match *self {
            Utilizations::Uunifast { tasks, total } | Utilizations::Uunisort { tasks, total } => {
                sum(tasks, total, (0.0, total))
            }
            Utilizations::UunifastDiscard { tasks, total, max } => sum(tasks, total, (0.0, max)),
            Utilizations::RandFixedSum { tasks, total, min, max } => {
                sum(tasks, total, (min, max))?;
                check("utilizations.max", min < max, "the largest must be above the smallest")
            }
            Utilizations::ConvolutionalFixedSum { total, ref bounds } => {
                check_bounds(total, bounds)
            }
            Utilizations::Each { tasks, distribution, .. } => {
                sum(tasks, 0.0, (0.0, 1.0))?;
                distribution.check()
            }
            Utilizations::UntilCap { cap, distribution, .. } => {
                distribution.check()?;
                check(
                    "utilizations.cap",
                    finite(cap) && (0.0..=4096.0).contains(&cap),
                    "it must be within 0 and 4096",
                )?;
                let advances = !distribution.can_stay_at_zero();
                check("utilizations.distribution", advances, "tasks so small never reach a cap")
            }
        }
    }
}

fn check_bounds(total: f64, bounds: &[(f64, f64)]) -> Result<(), InvalidRecipe> {
    let field = "utilizations.bounds";
    check(field, (1..=MOST_TASKS).contains(&bounds.len()), "there must be 1 to 100000 tasks")?;
    let rising =
        bounds.iter().all(|&(low, high)| finite(low) && finite(high) && 0.0 <= low && low <= high);
    check(field, rising, "each pair must rise from 0 or more")?;
    let sums = bounds.iter().map(|b| b.0).sum()..=bounds.iter().map(|b| b.1).sum::<f64>();
    check("utilizations.total", sums.contains(&total), "it must be within the sums of the bounds")
}

fn discard(random: &mut Random, tasks: usize, total: f64, max: f64) -> Result<Vec<f64>, Discarded> {
    for attempt in 0..ATTEMPTS {
        if !effort::spend(tasks as u64) {
            return Err(Discarded { attempts: attempt });
        }
        let values = uunifast(random, tasks, total);
        if values.iter().all(|&u| u <= max) {
            return Ok(values);
        }
    }
    Err(Discarded { attempts: ATTEMPTS })
}

fn until_cap(cap: f64, last: Last, mut draw: impl FnMut() -> f64) -> Vec<f64> {
    let mut values = Vec::new();
    let mut sum = 0.0;
    while values.len() < MOST_TASKS {
        let next = draw();
        if sum + next > cap {
            if last == Last::Squeeze && cap > sum {
                values.push(cap - sum);
            }
            break;
        }
        sum += next;
        values.push(next);
    }
    values
}
