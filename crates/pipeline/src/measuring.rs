//! One measuring system after the other, built and booted.

use std::collections::HashSet;
use std::path::PathBuf;

use fusee_measure::{Experiment, Others, Path, Setting, THREADS};
use fusee_measure::{by_service, by_word, experiments_below_schedulers};
use fusee_measure::{
    experiments, experiments_by_ceiling, experiments_by_ceiling_below_schedulers,
    experiments_by_deadline,
};
use fusee_model::Protocol;
use fusee_platform::{Ceilings, KernelConfig, KernelPolicy, Locks, Order, Platform, Records};

use crate::build::{self, Wanted};
use crate::costs::Costs;
use crate::load::load;
use crate::options::{Making, Source};
use crate::problem::Problem;
use crate::progress;
use crate::status::Status;
use crate::together::with_each;

/// The kernel and the machine that are measured.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The machine that it runs on.
    pub platform: Platform,
    /// The policy of the kernel on it.
    pub policy: KernelPolicy,
    /// The records of its kernel.
    pub variant: Records,
    /// The folder in which the measuring systems are built.
    pub folder: PathBuf,
    /// Threads in the measuring systems, those of the system's start apart.
    pub threads: usize,
    /// The longest queue of waiters.
    pub longest_queue: usize,
    /// The most runs of each path: few runs show nearly as much in a small part of the time.
    pub runs: u64,
    /// `true` if it has schedulers that are components.
    pub schedulers: bool,
    /// The number of cores; all but the first keep a shared memory busy.
    pub cores: usize,
}

impl Asked {
    /// Returns the kernel that is measured.
    pub fn kernel(&self) -> KernelConfig {
        self.variant.under(self.policy).on(self.cores).below_schedulers(self.schedulers)
    }

    /// The plain kernel of one core, which decides by priorities, in systems of the usual size.
    pub fn plain(platform: Platform, folder: PathBuf) -> Self {
        let (policy, variant) = (KernelPolicy::FIXED_PRIORITY, Records::Plain);
        // All but the holder and one that runs.
        let (threads, longest_queue) = (THREADS, THREADS - 2);
        let (schedulers, cores) = (false, 1);
        let runs = u64::MAX;
        Self { platform, policy, variant, folder, threads, longest_queue, runs, schedulers, cores }
    }
}

/// Returns the paths of one core in a system of so many, each taken so often, by name.
pub(crate) fn paths(asked: &Asked, cores: usize, runs: u64) -> Result<Vec<Path>, Problem> {
    let setting = setting(asked.platform);
    let (runs, threads) = (setting.runs.min(runs).min(asked.runs), asked.threads);
    let setting = Setting { runs, threads, ..setting };
    let all = of_kernel(asked, setting);
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

/// Returns the measuring systems of a kernel.
fn of_kernel(asked: &Asked, setting: Setting) -> Vec<Experiment> {
    let policy = asked.policy;
    type Systems = fn(Setting, usize) -> Vec<Experiment>;
    type Ordered = fn(Experiment) -> Experiment;
    let (all, ordered): (Systems, Ordered) = match (policy.order(), policy.ceilings()) {
        (Order::Deadline, _) => (experiments_by_deadline, |one| one.with_deadlines(Protocol::Srp)),
        (Order::Priority, Ceilings::PriorityCeiling) if asked.schedulers => {
            let ordered: Ordered = |one| one.with_ceilings(None).beside_schedulers();
            (experiments_by_ceiling_below_schedulers, ordered)
        }
        (Order::Priority, Ceilings::PriorityCeiling) => {
            (experiments_by_ceiling, |one| one.with_ceilings(None))
        }
        (Order::Priority, Ceilings::None) if asked.schedulers => {
            (experiments_below_schedulers, Experiment::beside_schedulers)
        }
        (Order::Priority, Ceilings::None) => (experiments, |one| one),
    };
    let all = all(setting, asked.longest_queue);
    match policy.locks() {
        Locks::Kernel => all,
        Locks::Words => by_word(all, setting, ordered),
        Locks::Services => by_service(all, setting, ordered),
    }
}

/// Leaves out the paths that are there once more with budgets: counting time makes the same paths
/// longer, and where every cycle is simulated the shorter ones are not waited for.
fn longer_ones(mut all: Vec<Experiment>) -> Vec<Experiment> {
    let names: HashSet<String> = all.iter().map(|experiment| experiment.name.clone()).collect();
    all.retain(|experiment| !names.contains(&format!("{}-budget", experiment.name)));
    all
}

/// Returns the way in which a platform is measured: one whose every cycle is simulated is measured
/// less often, from caches that hold nothing of it.
pub fn setting(platform: Platform) -> Setting {
    let map = platform.memory_map();
    let (serial, serial_interrupt) = (map.serial, map.serial_interrupt);
    let others = if platform.descriptor().parallel { Others::Walk } else { Others::Sleep };
    let all = Setting { serial, serial_interrupt, others, ..Setting::instructions(10_000) };
    if platform.traits().instruction_is_tick {
        return all;
    }
    let cold = Setting { runs: 8, stretch: 4, crowded_stretch: 10, gap: 250, ..all };
    // The one core with a single memory port waits for each access.
    let waits = crate::wait_states::latency(platform).is_some_and(|latency| latency > 0);
    if waits {
        Setting { stretch: 16, crowded_stretch: 40, startup: 8, gap: 1000, ..cold }
    } else {
        cold
    }
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

/// Returns `true` if more threads wait in it than the table is for.
fn is_beyond_the_threads(path: &Path) -> bool {
    let waiters = path.name.strip_prefix("queue.").and_then(|rest| rest.rsplit('.').next());
    waiters.and_then(|number| number.parse().ok()).is_some_and(|waiters: usize| waiters > THREADS)
}

/// Returns the unit of a platform's clock.
pub fn unit(platform: Platform) -> &'static str {
    if platform.traits().instruction_is_tick { "instructions" } else { "cycles" }
}
