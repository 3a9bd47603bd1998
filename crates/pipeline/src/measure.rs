//! What the kernel's paths cost on a platform.
//!
//! The measuring systems are built and booted one after the other; what they print
//! becomes the list of paths.

use std::collections::HashSet;
use std::path::PathBuf;

use fusee_measure::{Experiment, NotMeasured, Others, Path, PathBetween, Setting, THREADS};
use fusee_measure::{complete, cost_table, experiments_by_word, nest, schedulers, words};
use fusee_measure::{experiments, experiments_by_ceiling, experiments_by_deadline};
use fusee_model::costs::{CostTable, Limits};
use fusee_platform::{Kernel, KernelPolicy, KernelVariant, Platform};
use serde_json::{Value, json};

pub use fusee_tables::described_policy;

use crate::build::{self, Wanted};
use crate::costs::Costs;
use crate::load::load;
use crate::options::{Making, Source};
use crate::problem::Problem;
use crate::progress;
use crate::protocols::{self, MeasuredBetween};
use crate::status::Status;
use crate::together::with_each;

/// What is measured, and where.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The machine.
    pub platform: Platform,
    /// What decides who runs on it.
    pub policy: KernelPolicy,
    /// Its kernel.
    pub variant: KernelVariant,
    /// Where the measuring systems are built.
    pub folder: PathBuf,
    /// The longest queue of waiters.
    pub longest_queue: usize,
    /// On how many cores; all but the first keep a shared memory busy.
    pub cores: usize,
}

/// Why a platform can't be measured on so many cores, in a sentence.
pub fn too_many(platform: Platform, cores: usize) -> Option<String> {
    let descriptor = platform.descriptor();
    if cores > 1 && !descriptor.parallel {
        return Some(format!(
            "cores of {platform} take turns, so what one does takes as long beside others: leave \
             `--cores` out"
        ));
    }
    let most = descriptor.cores;
    (cores > most as usize).then(|| format!("{platform} has {most} cores, not {cores}"))
}

/// What was measured.
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
    /// Who made the kernel: another compiler's makes other paths.
    pub compiler: String,
    /// What systems of several cores have shown, where there are such.
    pub between: Option<MeasuredBetween>,
}

/// What a tick of a platform's clock is.
pub fn unit(platform: Platform) -> &'static str {
    if platform.traits().instruction_is_tick { "instructions" } else { "cycles" }
}

impl Measured {
    /// The paths of all kernels.
    pub fn all(&self) -> impl Iterator<Item = &Path> {
        let others = [&self.words, &self.schedulers, &self.locks];
        self.paths.iter().chain(others.into_iter().flatten())
    }

    /// The paths of gates between cores, where there are such.
    pub fn between(&self) -> &[PathBetween] {
        self.between.as_ref().map_or(&[], |between| &between.paths)
    }

    /// The cost table that they make.
    ///
    /// # Errors
    /// A path that the table needs was not measured.
    pub fn table(&self, asked: &Asked) -> Result<CostTable, NotMeasured> {
        let Asked { platform, policy, .. } = *asked;
        let mut table = cost_table(platform.name(), described_policy(policy), &self.paths)?;
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

    /// For programs.
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
    let all = asked.cores > 1 || !asked.platform.descriptor().parallel;
    let several = all && protocols::obstacle(asked.platform, asked.policy).is_none();
    let between = several.then(|| protocols::costs(asked)).transpose()?;
    let paths = paths(asked, asked.cores, setting(asked.platform).runs)?;
    let kernel = asked.variant.under(asked.policy).on(asked.cores);
    let compiler = compiler(asked.platform, kernel);
    // Schedulers, and mutexes that are words, are for systems of one core.
    let by_priority = asked.policy == KernelPolicy::FixedPriority && asked.cores == 1;
    let words = if by_priority { of_words(asked)? } else { Vec::new() };
    let schedulers = if by_priority { of_schedulers(asked)? } else { Vec::new() };
    // Where each cycle is simulated they would take longer than all others together.
    let counts = asked.platform.traits().instruction_is_tick;
    let locks = if by_priority && counts { of_locks(asked)? } else { Vec::new() };
    Ok(Measured { paths, words, schedulers, locks, compiler, between })
}

/// What mutexes cost that are words, on the kernel that has them.
fn of_words(asked: &Asked) -> Result<Vec<Path>, Problem> {
    let mut paths = Vec::new();
    for experiment in [words, nest].map(|of| of(setting(asked.platform))) {
        paths.extend(progress::during(&experiment.name, || measure(&experiment, asked))?);
    }
    Ok(paths)
}

/// What locks cost that are components, and the kernel's own beside them.
///
/// # Errors
/// A measuring system can't be built or run.
pub fn of_locks(asked: &Asked) -> Result<Vec<Path>, Problem> {
    let mut paths = Vec::new();
    for experiment in fusee_measure::locks::locks(setting(asked.platform)) {
        paths.extend(progress::during(&experiment.name, || measure(&experiment, asked))?);
    }
    Ok(paths)
}

/// What schedulers ask for, on the kernel that has them.
fn of_schedulers(asked: &Asked) -> Result<Vec<Path>, Problem> {
    let mut paths = Vec::new();
    for experiment in schedulers(setting(asked.platform)) {
        paths.extend(progress::during(&experiment.name, || measure(&experiment, asked))?);
    }
    complete(&paths).map_err(|error| Problem::tool(error.to_string()))?;
    Ok(paths)
}

/// The paths of one core in a system of so many, each taken so often, by name.
pub(crate) fn paths(asked: &Asked, cores: usize, runs: u64) -> Result<Vec<Path>, Problem> {
    let setting = setting(asked.platform);
    let setting = Setting { runs: setting.runs.min(runs), ..setting };
    let of_policy = match asked.policy {
        KernelPolicy::FixedPriority => experiments,
        KernelPolicy::EarliestDeadline => experiments_by_deadline,
        KernelPolicy::PriorityCeiling => experiments_by_ceiling,
        KernelPolicy::MutexWords | KernelPolicy::LockServices => experiments_by_word,
    };
    let all = of_policy(setting, asked.longest_queue);
    let all = if asked.platform.traits().instruction_is_tick { all } else { longer_ones(all) };
    let on_cores =
        |experiment: Experiment| if cores > 1 { experiment.on_cores(cores) } else { experiment };
    let all: Vec<_> = all.into_iter().map(on_cores).collect();
    let mut paths = Vec::new();
    for more in with_each(&all, |experiment| {
        progress::during(&experiment.name, || measure(experiment, asked))
    }) {
        more?.into_iter().for_each(|path| Path::add(&mut paths, path));
    }
    paths.extend(summaries(&paths));
    paths.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(paths)
}

/// Without those that are there once more with budgets: counting time makes the same paths longer,
/// and where every cycle is simulated nobody waits for the shorter ones.
fn longer_ones(mut all: Vec<Experiment>) -> Vec<Experiment> {
    let names: HashSet<String> = all.iter().map(|experiment| experiment.name.clone()).collect();
    all.retain(|experiment| !names.contains(&format!("{}-budget", experiment.name)));
    all
}

/// How a platform is measured: what every cycle is simulated of is measured less often, from caches
/// that hold nothing of it.
pub fn setting(platform: Platform) -> Setting {
    let map = platform.memory_map();
    let (serial, serial_interrupt) = (map.serial, map.serial_interrupt);
    let others = if platform.descriptor().parallel { Others::Walk } else { Others::Sleep };
    let all = Setting { serial, serial_interrupt, others, ..Setting::instructions(10_000) };
    if platform.traits().instruction_is_tick {
        all
    } else {
        Setting { runs: 8, stretch: 4, crowded_stretch: 10, gap: 250, ..all }
    }
}

/// Who made the kernel that was measured.
fn compiler(platform: Platform, kernel: Kernel) -> String {
    let kernel = fusee_kernel_build::build(platform, kernel, &|_| ()).ok();
    let program = kernel.and_then(|path| std::fs::read(path).ok()).unwrap_or_default();
    fusee_measure::compiler(&program).unwrap_or_else(|| "an unknown compiler".to_owned())
}

/// Builds and boots one measuring system.
pub(crate) fn measure(experiment: &Experiment, asked: &Asked) -> Result<Vec<Path>, Problem> {
    let image = fusee_run::Image::read(&built(experiment, asked)?)?;
    let run = fusee_run::boot(&image, experiment.duration)?;
    let paths = run.console.iter().filter_map(|line| Path::parse(&line.text));
    Ok(paths.map(|path| experiment.named(path)).collect())
}

/// Builds one measuring system, and says where its image is.
pub(crate) fn built(experiment: &Experiment, asked: &Asked) -> Result<PathBuf, Problem> {
    let written = experiment.write(&asked.folder);
    let description = written.map_err(|error| {
        Problem::tool(format!("cannot write to `{}`: {error}", asked.folder.display()))
    })?;
    let source = Source::of(description);
    let loaded = load(&source, &Costs::nothing());
    let Some((system, _)) = loaded.buildable() else {
        return Err(Problem { diagnostics: loaded.diagnostics, status: Status::ToolFailed });
    };
    let making = Making {
        folder: source.system.parent().map(|folder| folder.join("build")),
        ..Making::default()
    };
    let Asked { platform, variant, .. } = *asked;
    let wanted = Wanted { source: &source.system, platform, variant, making: &making };
    Ok(build::make(&loaded, system, &wanted).map_err(Problem::tool_with)?.path)
}

/// Paths that are known under other names, and the longest of all in systems of up to so many
/// threads as are promised.
fn summaries(paths: &[Path]) -> Vec<Path> {
    let find = |name: &str| paths.iter().find(|path| path.name == name);
    let ten = find("round_trip.words10.propagated").map(|path| path.called("round_trip.words10"));
    // A thread without budget is away until its next release, and a restart is many traps.
    let several = ["round_trip", "away", "message.", "enter."];
    let whole = |path: &&Path| several.iter().any(|start| path.name.starts_with(start));
    let single = paths.iter().filter(|path| !whole(path) && !is_beyond_the_threads(path));
    let longest = single.max_by_key(|path| path.max).map(|path| path.called("longest_kernel_path"));
    ten.into_iter().chain(longest).collect()
}

/// Whether more threads wait in it than the table is for.
fn is_beyond_the_threads(path: &Path) -> bool {
    let waiters = path.name.strip_prefix("queue.").and_then(|rest| rest.rsplit('.').next());
    waiters.and_then(|number| number.parse().ok()).is_some_and(|waiters: usize| waiters > THREADS)
}
