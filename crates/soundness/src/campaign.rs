//! Many systems, on all cores of the machine, always with the same result.

use crate::description::read_again;
use crate::judge::judge;
use crate::scenarios::Effort;
use crate::tally::Tally;
use fusee_generate::{Case, Mix, case};
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The systems that are drawn, and the effort of trying them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Campaign {
    /// The parts that systems are made of.
    pub mix: Mix,
    /// Seed of all systems.
    pub seed: u64,
    /// The first index.
    pub first: u64,
    /// The number of systems.
    pub count: u64,
    /// Runs for each.
    pub effort: Effort,
    /// `true` if each system is written as a description and read again before it is judged.
    pub described: bool,
}

/// The findings of a campaign.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// The sums of all counts.
    pub tally: Tally,
    /// Indices of systems in which a bound was exceeded, in order.
    pub violations: Vec<u64>,
    /// Indices of systems that the simulator or the kernel refused, or in whose runs time went
    /// wrong, each with the reason.
    pub refused: Vec<(u64, String)>,
}

impl Campaign {
    /// Returns the last index.
    pub fn last(&self) -> u64 {
        self.first.saturating_add(self.count.saturating_sub(1))
    }

    /// Judges all systems; `progress` is told from time to time how many are done.
    pub fn run(&self, progress: &(dyn Fn(u64) + Sync)) -> Findings {
        let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
        let full = AtomicBool::new(false);
        let worker = || {
            let mut findings = Findings::default();
            // Enough to see that something is badly wrong; no need to collect thousands.
            while !full.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= self.count {
                    break;
                }
                self.judge(self.first + index, &mut findings);
                full.fetch_or(findings.violations.len() >= 50, Ordering::Relaxed);
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
            findings
        };
        let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
        let parts: Vec<Findings> = std::thread::scope(|scope| {
            let started: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
            started
                .into_iter()
                .map(|part| part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        });
        let mut all = Findings::default();
        for part in parts {
            all.tally.merge(&part.tally);
            all.violations.extend(part.violations);
            all.refused.extend(part.refused);
        }
        all.violations.sort_unstable();
        all.refused.sort();
        all
    }

    /// Returns a system of this campaign.
    ///
    /// # Errors
    /// Its description cannot be read.
    pub fn case(&self, index: u64) -> Result<Case, String> {
        if !self.described {
            return Ok(case(&self.mix, self.seed, index));
        }
        read_again(&case(&self.mix, self.seed, index))
    }

    fn judge(&self, index: u64, findings: &mut Findings) {
        let case = match self.case(index) {
            Ok(case) => case,
            Err(reason) => return findings.refused.push((index, reason)),
        };
        match judge(&case, &self.effort) {
            Ok(judgement) => {
                if judgement.attack.violation.is_some() {
                    findings.violations.push(index);
                }
                if judgement.attack.refused > 0 {
                    let reason =
                        format!("the kernel refused {} operations", judgement.attack.refused);
                    findings.refused.push((index, reason));
                }
                findings
                    .refused
                    .extend(judgement.attack.disorder.iter().map(|wrong| (index, wrong.clone())));
                findings.tally.add(&case, &judgement);
            }
            Err(error) => findings.refused.push((index, error.to_string())),
        }
    }
}
