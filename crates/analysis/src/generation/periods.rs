//! Distributions of periods.

use serde::{Deserialize, Serialize};

use super::invalid::{InvalidRecipe, check};
use super::math::{exp, ln};
use super::random::Random;
use super::span::Span;

/// A way to draw periods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs, reason = "each kind says what its fields are")]
pub enum Periods {
    /// Uniform in `min ..= max`; multiples of `multiple_of` if that is given.
    Uniform {
        min: Span,
        max: Span,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        multiple_of: Option<Span>,
    },
    /// Log-uniform in `min ..= max` (Emberson, Stafford and Davis 2010); multiples of `multiple_of`
    /// if that is given.
    LogUniform {
        min: Span,
        max: Span,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        multiple_of: Option<Span>,
    },
    /// One of `values`, equally likely.
    Choice { values: Vec<Span> },
    /// `min` times a random power of `factor`, up to `max`, equally likely: every period divides
    /// all longer ones.
    Harmonic {
        min: Span,
        max: Span,
        #[serde(default = "two")]
        factor: u64,
    },
    /// Log-uniform within one of `modes`, chosen by weight.
    MultiModal { modes: Vec<Mode> },
    /// 1 to 1000 ms in the shares of an engine controller (Kramer, Ziegenbein and Hamann 2015,
    /// table III, without the 15 % that turn with the engine).
    Automotive,
}

fn two() -> u64 {
    2
}

/// A range of periods and its weight.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mode {
    /// Weight against the other modes.
    pub weight: f64,
    /// The shortest period.
    pub min: Span,
    /// The longest period.
    pub max: Span,
}

/// Period in milliseconds and share in percent.
const AUTOMOTIVE: [(u64, u64); 9] =
    [(1, 3), (2, 2), (5, 2), (10, 25), (20, 25), (50, 3), (100, 20), (200, 1), (1000, 4)];

impl Periods {
    /// A period in nanoseconds, at least 1.
    pub(super) fn draw(&self, random: &mut Random) -> u64 {
        match self {
            Periods::Uniform { min, max, multiple_of } => {
                let step = step(*multiple_of);
                random.whole(min.nanoseconds.div_ceil(step), max.nanoseconds / step) * step
            }
            Periods::LogUniform { min, max, multiple_of } => {
                log_uniform(random, (*min, *max), step(*multiple_of))
            }
            Periods::Choice { values } => {
                values[random.whole(0, values.len() as u64 - 1) as usize].nanoseconds
            }
            Periods::Harmonic { min, max, factor } => {
                let powers: Vec<u64> = harmonic(*min, *max, *factor).collect();
                powers[random.whole(0, powers.len() as u64 - 1) as usize]
            }
            Periods::MultiModal { modes } => {
                let mode = by_weight(random, modes, |m| m.weight);
                log_uniform(random, (mode.min, mode.max), 1)
            }
            Periods::Automotive => {
                Span::milliseconds(by_weight(random, &AUTOMOTIVE, |&(_, share)| share as f64).0)
                    .nanoseconds
            }
        }
    }

    /// Checks that periods can be drawn like this.
    pub(super) fn check(&self) -> Result<(), InvalidRecipe> {
        let field = "periods";
        let rising = |min: Span, max: Span| {
            check(field, 0 < min.nanoseconds && min <= max, "0 < min <= max must hold")
        };
        match self {
            Periods::Uniform { min, max, multiple_of }
            | Periods::LogUniform { min, max, multiple_of } => {
                rising(*min, *max)?;
                let step = multiple_of.map_or(1, |s| s.nanoseconds);
                let some = step > 0 && min.nanoseconds.div_ceil(step) <= max.nanoseconds / step;
                check("periods.multiple_of", some, "no multiple lies within min and max")
            }
            Periods::Choice { values } => {
                let positive = !values.is_empty() && values.iter().all(|v| v.nanoseconds > 0);
                check("periods.values", positive, "there must be one or more, all above 0")
            }
            Periods::Harmonic { min, max, factor } => {
                rising(*min, *max)?;
                check("periods.factor", *factor >= 2, "it must be 2 or more")
            }
            Periods::MultiModal { modes } => {
                modes.iter().try_for_each(|m| rising(m.min, m.max))?;
                let weighty = modes.iter().all(|m| m.weight.is_finite() && m.weight >= 0.0);
                let some = modes.iter().any(|m| m.weight > 0.0);
                check(
                    "periods.modes",
                    weighty && some,
                    "weights must be 0 or more, and one must be above 0",
                )
            }
            Periods::Automotive => Ok(()),
        }
    }
}

fn step(multiple_of: Option<Span>) -> u64 {
    multiple_of.map_or(1, |s| s.nanoseconds.max(1))
}

fn harmonic(min: Span, max: Span, factor: u64) -> impl Iterator<Item = u64> {
    let next = move |period: &u64| period.checked_mul(factor).filter(|&p| p <= max.nanoseconds);
    std::iter::successors(Some(min.nanoseconds), next)
}

/// Log-uniform over min .. max + step, rounded down to a multiple of the step.
fn log_uniform(random: &mut Random, (min, max): (Span, Span), step: u64) -> u64 {
    let (low, high) = (min.nanoseconds.div_ceil(step), max.nanoseconds / step);
    let (from, to) = (ln(low as f64), ln(high as f64 + 1.0));
    (exp(random.between(from, to)) as u64).clamp(low, high) * step
}

fn by_weight<'a, T>(random: &mut Random, items: &'a [T], weight: impl Fn(&T) -> f64) -> &'a T {
    let mut level = random.unit() * items.iter().map(&weight).sum::<f64>();
    let last = items.len() - 1;
    for item in &items[..last] {
        level -= weight(item);
        if level < 0.0 {
            return item;
        }
    }
    &items[last]
}
