//! The costs of the kernel's paths on a platform.
//!
//! The measuring systems are built and booted one after the other; what they print
//! becomes the list of paths.

use fusee_measure::tcaps::{Growth, growths};
use fusee_measure::{Experiment, NotMeasured, Path, PathBetween, THREADS};
use fusee_measure::{complete, cost_table, growing_schedulers, nest};
use fusee_measure::{schedulers, with_schedulers, words};
use fusee_model::costs::{CostTable, Limits};
use fusee_platform::{KernelConfig, KernelPolicy, Platform};
use serde_json::{Value, json};

pub use crate::measuring::{Asked, setting, unit};
pub use fusee_tables::described_policy;

use crate::measuring::{measure, paths};
use crate::problem::Problem;
use crate::progress;
use crate::protocols::{self, MeasuredBetween};

/// Returns the reason for which a kernel can't be measured on so many cores of a platform, in a
/// sentence.
pub fn obstacle(asked: &Asked) -> Option<String> {
    let Asked { platform, cores, .. } = *asked;
    let most = platform.descriptor().cores;
    if cores > most as usize {
        return Some(format!("{platform} has {most} cores, not {cores}"));
    }
    let kernel = asked.kernel();
    if let Some(why) = kernel.missing() {
        return Some(format!("there is no kernel `{kernel}`: {why}"));
    }
    if asked.threads != THREADS && kernel != KernelConfig::from(kernel.records) {
        let one = "leave `--threads` out";
        return Some(format!("more threads are measured on one core and by priorities: {one}"));
    }
    if cores > 1 { protocols::obstacle(platform) } else { None }
}

/// The number of runs of each path of a kernel of several cores: most are those of one core.
const RUNS_OF_SEVERAL: u64 = 2_000;

/// The measured costs.
#[derive(Debug)]
pub struct Measured {
    /// The paths by name, also under other names and summed up.
    pub paths: Vec<Path>,
    /// Those of mutexes that are words, where the kernel has none: they are of the kernel that has
    /// them, and its table takes nothing from these.
    pub words: Vec<Path>,
    /// Those of what schedulers ask for, on the kernel that has them.
    pub schedulers: Vec<Path>,
    /// Those of locks that are components, and of the kernel's own beside them.
    pub locks: Vec<Path>,
    /// The compiler that made the kernel: another compiler's code has other paths.
    pub compiler: String,
    /// The measurements of systems of several cores, where there are such.
    pub between: Option<MeasuredBetween>,
}

impl Measured {
    /// Returns the paths of all kernels.
    pub fn all(&self) -> impl Iterator<Item = &Path> {
        let others = [&self.words, &self.schedulers, &self.locks];
        self.paths.iter().chain(others.into_iter().flatten())
    }

    /// Returns the paths of gates between cores, where there are such.
    pub fn between(&self) -> &[PathBetween] {
        self.between.as_ref().map_or(&[], |between| &between.paths)
    }

    /// Returns the cost table that they make.
    ///
    /// # Errors
    /// A path that the table needs was not measured.
    pub fn table(&self, asked: &Asked) -> Result<CostTable, NotMeasured> {
        let Asked { platform, policy, .. } = *asked;
        let mut table =
            cost_table((platform.name(), asked.threads), described_policy(policy), &self.paths)?;
        if asked.schedulers {
            table = with_schedulers(table, &self.paths)?;
        }
        if let Some(between) = &self.between {
            table = between.seen.add_to(table)?;
        }
        // Where cores share a memory, more than these would have slowed each other.
        if platform.descriptor().parallel {
            let cores = Some(asked.cores as u32);
            table.limits = table.limits.map(|limits| Limits { cores, ..limits });
        }
        Ok(table)
    }

    /// Returns the result as JSON, for programs.
    pub fn json(&self, asked: &Asked, table: &CostTable) -> Value {
        json!({
            "platform": table.platform,
            "kernel": asked.variant.name(),
            "policy": table.policy,
            "unit": unit(asked.platform),
            "paths": self.all().map(Path::json).collect::<Vec<_>>(),
            "between": self.between().iter().map(PathBetween::json).collect::<Vec<_>>(),
            "costs": table,
        })
    }
}

/// Measures every path.
///
/// # Errors
/// A measuring system can't be built or run.
pub fn run(asked: &Asked) -> Result<Measured, Problem> {
    let between = (asked.cores > 1).then(|| protocols::costs(asked)).transpose()?;
    let runs = if asked.cores > 1 { RUNS_OF_SEVERAL } else { setting(asked.platform).runs };
    let paths = paths(asked, asked.cores, runs)?;
    let compiler = compiler(asked.platform, asked.kernel());
    // Schedulers, and mutexes that are words, are for systems of one core.
    let by_priority = asked.policy == KernelPolicy::FIXED_PRIORITY && asked.cores == 1;
    // Their paths are in tables of their own, and of as many threads as usual.
    let by_priority = by_priority && !asked.schedulers && asked.threads == THREADS;
    let words = if by_priority { of_words(asked)? } else { Vec::new() };
    let schedulers = if by_priority { of_schedulers(asked)? } else { Vec::new() };
    // Where each cycle is simulated they would take longer than all others together.
    let counts = asked.platform.traits().instruction_is_tick;
    let locks = if by_priority && counts { of_locks(asked)? } else { Vec::new() };
    Ok(Measured { paths, words, schedulers, locks, compiler, between })
}

/// Returns the paths of one measuring system after the other.
fn each(
    experiments: impl IntoIterator<Item = Experiment>,
    asked: &Asked,
) -> Result<Vec<Path>, Problem> {
    let mut paths = Vec::new();
    for experiment in experiments {
        paths.extend(progress::during(&experiment.name, || measure(&experiment, asked))?);
    }
    Ok(paths)
}

/// Measures the paths of mutexes that are words, on the kernel that has them.
fn of_words(asked: &Asked) -> Result<Vec<Path>, Problem> {
    each([words, nest].map(|of| of(setting(asked.platform))), asked)
}

/// Measures locks that are components, and the kernel's own beside them.
///
/// # Errors
/// A measuring system can't be built or run.
pub fn of_locks(asked: &Asked) -> Result<Vec<Path>, Problem> {
    each(fusee_measure::locks::locks(setting(asked.platform)), asked)
}

/// Measures the calls of schedulers, on the kernel that has them.
fn of_schedulers(asked: &Asked) -> Result<Vec<Path>, Problem> {
    let paths = each(schedulers(setting(asked.platform)), asked)?;
    complete(&paths).map_err(|error| Problem::tool(error.to_string()))?;
    Ok(paths)
}

/// Measures the calls of schedulers below a growing number of them, and the growth of each call.
///
/// # Errors
/// A measuring system can't be built or run, or a call was refused on the way.
pub fn of_growing_schedulers(asked: &Asked) -> Result<(Vec<Path>, Vec<Growth>), Problem> {
    let paths = each(growing_schedulers(setting(asked.platform)), asked)?;
    let growths = growths(&paths).map_err(|error| Problem::tool(error.to_string()))?;
    Ok((paths, growths))
}

/// Returns the compiler of the kernel that was measured.
fn compiler(platform: Platform, kernel: KernelConfig) -> String {
    let kernel = fusee_kernel_build::build(platform, kernel, &|_| ()).ok();
    let program = kernel.and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    fusee_measure::compiler(&program).unwrap_or_else(|| "an unknown compiler".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_are_for_one_core_and_priorities() {
        let usual = Asked::plain(Platform::DEFAULT, "measured".into());
        let more = Asked { threads: 60, ..usual.clone() };
        let refused = |asked: Asked| {
            obstacle(&asked).is_some_and(|sentence| sentence.contains("leave `--threads` out"))
        };
        assert!(obstacle(&usual).is_none() && obstacle(&more).is_none());
        assert!(refused(Asked { cores: 2, ..more.clone() }));
        assert!(refused(Asked { policy: KernelPolicy::EARLIEST_DEADLINE, ..more.clone() }));
        assert!(refused(Asked { schedulers: true, ..more }));
    }
}
