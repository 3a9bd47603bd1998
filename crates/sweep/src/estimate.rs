//! The estimate of an experiment's time.
//!
//! Before a long run starts, single sets from all over the grid are analyzed for
//! about a second. Points differ in cost by orders of magnitude, so the answer
//! comes with its uncertainty: twice the standard error of the mean. It is a
//! statement about this machine at this moment, and part of no result.

use std::time::{Duration, Instant};

use crate::{Chunk, Experiment, Plan, count};

/// A guess at the time of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Sets that are to be analyzed.
    pub sets: u64,
    /// Sets that were tried.
    pub tried: u64,
    /// The expected time.
    pub time: Duration,
    /// Half the width of its 95 % interval, as a share of the time.
    pub uncertainty: f64,
}

impl Estimate {
    /// Tries sets for about `patience`, at least two and at most one of each chunk.
    pub fn measure(
        experiment: &Experiment,
        plan: &Plan,
        remaining: u64,
        workers: usize,
        patience: Duration,
    ) -> Self {
        let started = Instant::now();
        let (mut tried, mut sum, mut squares) = (0_u64, 0.0, 0.0);
        for chunk in plan.order().filter_map(|index| plan.chunk(index)) {
            if tried >= 2 && started.elapsed() >= patience {
                break;
            }
            let begun = Instant::now();
            // What a set says does not matter here, nor whether it could be made.
            let _ = count(experiment, plan, Chunk { end: chunk.first + 1, ..chunk });
            let time = begun.elapsed().as_secs_f64();
            tried += 1;
            sum += time;
            squares += time * time;
        }
        let number = tried.max(1) as f64;
        let mean = sum / number;
        let variance = (squares / number - mean * mean).max(0.0);
        let error = 2.0 * (variance / number).sqrt();
        let seconds = mean * remaining as f64 / workers.max(1) as f64;
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Self {
            sets: remaining,
            tried,
            time,
            uncertainty: if mean > 0.0 { error / mean } else { 1.0 },
        }
    }
}
