//! Arguments about a description, the machine and a run.
//!
//! Options that several commands share are groups of their own, so that the same
//! word means the same everywhere.

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use fusee_measure::THREADS;
use fusee_model::Duration;
use fusee_pipeline::options::Place;
use fusee_pipeline::{analyze, commands, compare, place, run, simulate};
use fusee_platform::{KernelPolicy, Platform as Machine};

use super::{Kernel, Making, Reading, Source, Target};

/// The machine.
#[derive(Debug, Args)]
pub(crate) struct Platform {
    /// The platform; without this `sim`, or `qemu-rv64` where the system is built.
    #[arg(long, value_name = "NAME")]
    pub(crate) platform: Option<PlatformName>,
    /// What the kernel's paths cost, as TOML; nothing on `sim` without it. Once more for cores of
    /// another policy.
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) costs: Vec<PathBuf>,
}

/// The platforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlatformName(pub(crate) Place);

impl ValueEnum for PlatformName {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: LazyLock<Vec<PlatformName>> = LazyLock::new(|| {
            let machines = Machine::ALL.map(Place::Machine);
            [Place::Simulator].into_iter().chain(machines).map(PlatformName).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let about = "The kernel on this host under virtual time; one tick is one nanosecond";
        match self.0 {
            Place::Simulator => Some(PossibleValue::new("sim").help(about)),
            Place::Machine(machine) => Target(machine).to_possible_value(),
        }
    }
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub(crate) struct RunSystem {
    /// The description, or an image that `fusee build` has made.
    #[command(flatten)]
    pub(crate) source: Source,
    /// The platform; without this, an image's own, or `qemu-rv64`.
    #[arg(long, value_name = "NAME")]
    pub(crate) platform: Option<PlatformName>,
    /// What the kernel's paths cost, as TOML, for the bounds; the platform's own table without it.
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) costs: Vec<PathBuf>,
    /// Virtual time to run, for example `10s` or `500 ms`.
    #[arg(
        long = "for",
        value_name = "TIME",
        allow_hyphen_values = true,
        default_value = "10s",
        value_parser = duration,
    )]
    pub(crate) duration: Duration,
    /// How to build.
    #[command(flatten)]
    pub(crate) making: Making,
    /// The kernel.
    #[arg(long, value_name = "WHICH", default_value = "plain")]
    pub(crate) kernel: Kernel,
    /// Write the run as a trace for Perfetto.
    #[arg(long, value_name = "FILE.pftrace")]
    pub(crate) trace: Option<PathBuf>,
    /// Write a page with bounds and observations.
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
    /// Write the verdicts as test cases in JUnit's form.
    #[arg(long, value_name = "FILE.xml")]
    pub(crate) junit: Option<PathBuf>,
    /// Wait for a debugger instead, at this port; 1234 without one.
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true,
        default_missing_value = "1234",
        conflicts_with_all = ["trace", "report", "junit"])]
    pub(crate) gdb: Option<u16>,
}

impl RunSystem {
    /// The same for the library.
    pub(crate) fn asked(&self) -> run::Asked {
        run::Asked {
            source: self.source.chosen(),
            place: self.platform.map(|PlatformName(place)| place),
            costs: self.costs.clone(),
            duration: self.duration,
            making: self.making.chosen(),
            variant: self.kernel.into(),
            trace: self.trace.clone(),
            report: self.report.clone(),
        }
    }
}

/// A simulated run.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// Virtual time to simulate, for example `10s` or `500 ms`.
    #[arg(
        long = "for",
        value_name = "TIME",
        allow_hyphen_values = true,
        default_value = "10s",
        value_parser = duration,
    )]
    pub(crate) duration: Duration,
    /// Seed of everything that is drawn.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How long computing takes.
    #[arg(long, value_name = "HOW", default_value = "worst")]
    pub(crate) execution: Execution,
    /// When jobs are released.
    #[arg(long, value_name = "HOW", default_value = "synchronous")]
    pub(crate) releases: Releases,
}

impl Run {
    /// The same for the library.
    pub(crate) fn chosen(&self) -> simulate::Run {
        simulate::Run {
            duration: self.duration,
            seed: self.seed,
            execution: match self.execution {
                Execution::Worst => fusee_sim::Execution::Worst,
                Execution::Random => fusee_sim::Execution::Random,
            },
            releases: match self.releases {
                Releases::Synchronous => fusee_sim::Releases::Synchronous,
                Releases::Drawn => fusee_sim::Releases::Drawn,
            },
        }
    }
}

/// How long computing takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Execution {
    /// Always the worst case.
    Worst,
    /// Drawn between the best and the worst case.
    Random,
}

/// When jobs are released.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Releases {
    /// All tasks together, as densely as they may.
    Synchronous,
    /// Periodic tasks at their offsets with jitter drawn, sporadic ones with gaps drawn.
    #[value(alias = "offsets", alias = "sporadic")]
    Drawn,
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    match Duration::parse(text, Duration(1)) {
        _ if text.trim() == "0" => Err("nothing happens in no time".to_owned()),
        _ if text.trim().starts_with('-') => Err("a time cannot be negative".to_owned()),
        Ok(Duration::ZERO) => Err("nothing happens in no time".to_owned()),
        Ok(duration) => Ok(duration),
        Err(error) => Err(error.to_string()),
    }
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The descriptions, for example `system.camkes`.
    #[arg(value_name = "SYSTEM", required = true)]
    pub(crate) systems: Vec<PathBuf>,
    /// The options for reading them.
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Make the repairs that errors and warnings offer, the first one of each.
    #[arg(long)]
    pub(crate) fix: bool,
    /// Show what `--fix` would change, and change nothing.
    #[arg(long, conflicts_with = "fix")]
    pub(crate) diff: bool,
}

/// A description that is analysed.
#[derive(Debug, Args)]
pub(crate) struct Analysis {
    /// The description.
    #[command(flatten)]
    pub(crate) source: Source,
    /// Take the execution times that the description leaves out from the programs in this folder of
    /// `fusee build`; with `--platform qemu-rv64` or `rtl-vexriscv`. Without this, the system is
    /// built for them in `build/NAME` in the current folder, where the sources are there.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) programs: Option<PathBuf>,
    /// Build nothing: times that the description leaves out are an error.
    #[arg(long, conflicts_with = "programs")]
    pub(crate) no_build: bool,
    /// Go on where a program contradicts a written time or list of calls; the verdict says so.
    #[arg(long, conflicts_with = "no_build")]
    pub(crate) trust_written: bool,
    /// The machine.
    #[command(flatten)]
    pub(crate) platform: Platform,
}

impl Analysis {
    /// The same for the library.
    pub(super) fn asked(&self, sensitivity: bool) -> analyze::Asked {
        let place = self.platform.platform.map(|PlatformName(place)| place);
        analyze::Asked {
            source: self.source.chosen(),
            platform: place.and_then(Place::machine),
            costs: self.platform.costs.clone(),
            programs: self.programs.clone(),
            builds: !self.no_build && place != Some(Place::Simulator),
            trust_written: self.trust_written,
            sensitivity,
            offsets: false,
        }
    }
}

/// Arguments of `analyze`.
#[derive(Debug, Args)]
pub(crate) struct Analyze {
    /// The description.
    #[command(flatten)]
    pub(crate) analysis: Analysis,
    /// Find how long each execution time may become before a guarantee is lost.
    #[arg(long)]
    pub(crate) sensitivity: bool,
    /// Let bounds rest on offsets: periodic tasks come at theirs, and nowhere else.
    #[arg(long, conflicts_with = "sensitivity")]
    pub(crate) offsets: bool,
    /// Show what each protocol would give at this gate, `component.interface`.
    #[arg(long, value_name = "GATE", conflicts_with_all = ["sensitivity", "offsets", "junit"])]
    pub(crate) compare: Option<String>,
    /// Write the verdicts as test cases in JUnit's form.
    #[arg(long, value_name = "FILE.xml")]
    pub(crate) junit: Option<PathBuf>,
}

impl Analyze {
    /// The same for the library.
    pub(crate) fn asked(&self) -> analyze::Asked {
        let asked = self.analysis.asked(self.sensitivity);
        analyze::Asked { offsets: self.offsets, ..asked }
    }

    /// The comparison, if that is asked for.
    pub(crate) fn comparison(&self) -> Option<compare::Asked> {
        let gate = self.compare.clone()?;
        Some(compare::Asked { analysis: self.asked(), gate })
    }
}

/// Arguments of `place`.
#[derive(Debug, Args)]
pub(crate) struct PlaceTasks {
    /// The description.
    #[command(flatten)]
    pub(crate) analysis: Analysis,
    /// How many cores there are.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) cores: u32,
}

impl PlaceTasks {
    /// The same for the library.
    pub(crate) fn asked(&self) -> place::Asked {
        place::Asked { analysis: self.analysis.asked(false), cores: self.cores }
    }
}

/// Arguments of `simulate`.
#[derive(Debug, Args)]
pub(crate) struct Simulate {
    /// The description.
    #[command(flatten)]
    pub(crate) analysis: Analysis,
    /// The run.
    #[command(flatten)]
    pub(crate) run: Run,
    /// Find how long each execution time may become, for the page.
    #[arg(long, requires = "report")]
    pub(crate) sensitivity: bool,
    /// Write the run as a trace for Perfetto.
    #[arg(long, value_name = "FILE.pftrace")]
    pub(crate) trace: Option<PathBuf>,
    /// Write a page with bounds and observations.
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
}

impl Simulate {
    /// The same for the library.
    pub(crate) fn asked(&self) -> commands::simulate::Asked {
        commands::simulate::Asked {
            analysis: self.analysis.asked(self.sensitivity),
            run: self.run.chosen(),
            trace: self.trace.clone(),
            report: self.report.clone(),
        }
    }
}

/// Arguments of `report`.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// The description.
    #[command(flatten)]
    pub(crate) analysis: Analysis,
    /// The run.
    #[command(flatten)]
    pub(crate) run: Run,
    /// Find how long each execution time may become.
    #[arg(long)]
    pub(crate) sensitivity: bool,
    /// Where to write the page; `SYSTEM.html` in the current folder without this.
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
}

impl Report {
    /// Where the page goes.
    pub(crate) fn page(&self) -> PathBuf {
        let name = self.analysis.source.system.file_stem().unwrap_or("system".as_ref());
        self.report.clone().unwrap_or_else(|| PathBuf::from(name).with_extension("html"))
    }
}

/// Arguments of `measure`.
#[derive(Debug, Args)]
pub(crate) struct Measure {
    /// The platform.
    #[arg(long, value_name = "NAME", default_value = Machine::DEFAULT.name())]
    pub(crate) platform: PlatformName,
    /// Measure the kernel that records every event, not only jobs and faults.
    #[arg(long)]
    pub(crate) traced: bool,
    /// Measure the kernel that orders threads in this way.
    #[arg(long, value_name = "POLICY", default_value_t = KernelPolicy::FIXED_PRIORITY,
        value_parser = policies())]
    pub(crate) policy: KernelPolicy,
    /// Write the cost table, as TOML.
    #[arg(short = 'o', long = "output", value_name = "FILE.toml")]
    pub(crate) costs: Option<PathBuf>,
    /// Draw how a queue's costs grow with its length, as SVG; with `--protocols` those of gates
    /// between cores.
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) figure: Option<PathBuf>,
    /// Where the measuring systems are built; `build/measure` in the current folder without this.
    #[arg(long = "in", value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
    /// Measure gates between cores beside an article's, and each protocol's share of the kernel:
    /// Tables 1 and 2 and Figure 5 of dos Santos et al. (2023).
    #[arg(long, conflicts_with = "costs")]
    pub(crate) protocols: bool,
    /// Measure locks only, components and the kernel's own, and draw into this folder what they
    /// cost: Figures 3 to 5 of Parmer and Song (2010).
    #[arg(
        long,
        value_name = "FOLDER",
        conflicts_with_all = ["costs", "figure", "protocols", "traced", "cores", "policy"]
    )]
    pub(crate) locks: Option<PathBuf>,
    /// Measure what schedulers ask the kernel for only, below 1 to 14 of them, and draw into this
    /// folder how that grows: Table III and Figure 6 of Gadepalli et al. (2017).
    #[arg(
        long,
        value_name = "FOLDER",
        conflicts_with_all = [
            "costs", "figure", "protocols", "traced", "cores", "policy", "locks", "schedulers"
        ]
    )]
    pub(crate) tcaps: Option<PathBuf>,
    /// Measure the kernel that has schedulers which are components, and what those take that come
    /// with Fusee.
    #[arg(long, conflicts_with_all = ["protocols", "locks", "figure"])]
    pub(crate) schedulers: bool,
    /// Measure on so many cores that share a memory, of which all but the first keep it busy.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..),
    )]
    pub(crate) cores: u16,
    /// How many threads systems may have for which the costs hold, by priorities on one core.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = THREADS as u16,
        value_parser = clap::value_parser!(u16).range(THREADS as i64..=100),
        conflicts_with_all = ["protocols", "locks", "tcaps"],
    )]
    pub(crate) threads: u16,
    /// The longest queue of waiters.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 100,
        value_parser = clap::value_parser!(u16).range(30..=100),
    )]
    pub(crate) longest_queue: u16,
    /// Take each path at most so often: enough for a look, not for a table.
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u64).range(2..),
        conflicts_with_all = ["costs", "protocols", "locks", "tcaps"],
    )]
    pub(crate) runs: Option<u64>,
}

/// The words of the kernels' policies.
fn policies() -> impl TypedValueParser<Value = KernelPolicy> {
    // The parser wants words that last as long as the program.
    let words = KernelPolicy::all().map(|policy| &*policy.to_string().leak());
    PossibleValuesParser::new(words.collect::<Vec<_>>())
        .map(|given| KernelPolicy::from_name(&given).unwrap_or(KernelPolicy::FIXED_PRIORITY))
}

/// Arguments of `campaign`.
#[derive(Debug, Args)]
pub(crate) struct Campaign {
    /// Where results are kept; a campaign that was ended goes on from there.
    pub(crate) folder: PathBuf,
    /// How many of the task sets; any beginning has all four configurations.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 400,
        value_parser = clap::value_parser!(u16).range(1..=400),
    )]
    pub(crate) sets: u16,
    /// How many times shorter than the article's all times are; kernel costs weigh so much more.
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=100),
    )]
    pub(crate) scale: u64,
}
