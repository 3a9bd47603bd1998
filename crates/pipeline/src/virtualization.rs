//! A driver domain's time, given in three ways, over rates, loads and budgets.
//!
//! The experiments of Gadepalli et al. (2017), section VIII, with the descriptions of a folder:
//! a timer's ticks and packets come through a driver domain that has time of its own above its
//! clients, below them, or runs on its clients' time. For each point of a sweep each description
//! is read with the point's macros, analyzed, and simulated; some are booted as well.

mod figures;
mod told;

pub use figures::{Figure, Sweep};
pub use told::{defects, json};

use std::path::{Path, PathBuf};

use fusee_diagnostics::{Code, Diagnostic};
use fusee_model::{Duration, System};
use fusee_platform::Records;
use fusee_sim::{Execution, Outcome, Releases};

use crate::analyze::{self, Promised};
use crate::kernel::Refused;
use crate::load::Loaded;
use crate::options::{Making, Source};
use crate::problem::Problem;
use crate::progress::Steps;
use crate::run::{self, Trial};
use crate::simulate;
use crate::status::Status;

/// The scheduler that gives the driver domain its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    /// Its clients, each for what it does for them.
    Delegation,
    /// It has time of its own, and is above them.
    High,
    /// It has time of its own, and is below them.
    Low,
}

impl Setup {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Delegation, Self::High, Self::Low];

    /// Returns the name, which its description has as well.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Delegation => "delegation",
            Self::High => "driver-high",
            Self::Low => "driver-low",
        }
    }
}

/// The parameters that a sweep changes, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The distance of arriving packets, in microseconds.
    pub packets: u64,
    /// The part of every 10 ms that the processor-bound client takes, in microseconds.
    pub load: u64,
    /// The time that the deadline-sensitive client takes for a tick, in microseconds.
    pub reaction: u64,
    /// The part of every 10 ms that the driver domain has, where it has time of its own, in
    /// microseconds.
    pub capacity: u64,
}

impl Point {
    /// Returns the macros of the descriptions.
    fn defines(self) -> Vec<String> {
        let Point { packets, load, reaction, capacity } = self;
        let all =
            [("PACKETS", packets), ("LOAD", load), ("REACTION", reaction), ("CAPACITY", capacity)];
        all.iter().map(|(name, value)| format!("{name}={value}")).collect()
    }
}

/// The results of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Ticks of which the client was done in time.
    pub met: u64,
    /// The longest time from a tick to the client's being done, or since a tick that is under way.
    pub longest: Duration,
    /// Packets that were answered.
    pub answered: u64,
}

/// A set-up at a point.
#[derive(Debug, Clone)]
pub struct Row {
    /// The set-up.
    pub setup: Setup,
    /// The point of the sweep.
    pub point: Point,
    /// Ticks in the run.
    pub ticks: u64,
    /// The bound of the time from a tick to the client's being done.
    pub bound: Option<Duration>,
    /// The reasons for which there is none: the codes that the analysis gives for tasks.
    pub withheld: Vec<Code>,
    /// The results in simulation.
    pub simulated: Shown,
    /// On the machine.
    pub booted: Option<Shown>,
}

/// The code of a chain without a bound.
const NO_CHAIN: Code = Code("F0619");

/// Between two ticks, and when the first one comes.
const TICK: u64 = 10_000_000;
const FIRST: u64 = 5_000_000;

/// The options of a sweep.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The folder of the descriptions.
    pub descriptions: PathBuf,
    /// Ticks in each run.
    pub ticks: u64,
    /// The folder in which images are built, if some are to be booted.
    pub booted: Option<PathBuf>,
}

impl Asked {
    /// The run ends when the last tick is due.
    fn duration(&self) -> Duration {
        Duration(FIRST + self.ticks * TICK)
    }

    /// Returns all three set-ups at each point of a sweep, in order.
    ///
    /// # Errors
    /// A description is missing or wrong, or no machine can be had.
    pub fn run(&self, sweep: Sweep) -> Result<Vec<Row>, Refused> {
        let points = sweep.points().into_iter();
        let all: Vec<(Point, Setup)> = points
            .flat_map(|point| Setup::ALL.map(|setup| (sweep.of_setup(setup, point), setup)))
            .collect();
        let mut steps = Steps::new("runs", all.len() as u64);
        let mut rows = Vec::new();
        for (point, setup) in all {
            rows.push(self.row(setup, point)?);
            steps.at(rows.len() as u64);
        }
        Ok(rows)
    }

    fn row(&self, setup: Setup, point: Point) -> Result<Row, Refused> {
        let source = Source {
            defines: point.defines(),
            ..Source::of(self.descriptions.join(setup.name()).with_extension("camkes"))
        };
        let asked = analyze::Asked {
            source: source.clone(),
            platform: None,
            costs: Vec::new(),
            programs: None,
            builds: false,
            trust_written: false,
            sensitivity: false,
            offsets: false,
        };
        let promised = analyze::run(&asked).map_err(|loaded| not_read(*loaded))?;
        let run = simulate::Run {
            duration: self.duration(),
            seed: 1,
            execution: Execution::Worst,
            releases: Releases::Drawn,
        };
        let simulated = simulate::run(&promised.system, &run, &promised.costs)
            .map_err(|error| Problem::tool(error.to_string()))?;
        let booted = match &self.booted {
            Some(folder) if figures::is_booted(point) => Some(self.boot(source, folder)?),
            _ => None,
        };
        let (bound, withheld) = bound(&promised);
        let simulated = self.shown(&promised.system, &simulated.outcome)?;
        Ok(Row { setup, point, ticks: self.ticks, bound, withheld, simulated, booted })
    }

    fn boot(&self, source: Source, folder: &Path) -> Result<Shown, Refused> {
        let asked = run::Asked {
            source,
            place: None,
            costs: Vec::new(),
            duration: self.duration(),
            making: Making::into_folder(folder.to_owned()),
            variant: Records::Plain,
            trace: None,
            report: None,
        };
        let trial: Trial = run::run(&asked)?;
        let seen = trial.seen();
        Ok(self.shown(seen.system, seen.outcome)?)
    }

    /// Returns the results of a run for the one chain, and for the I/O client.
    fn shown(&self, system: &System, outcome: &Outcome) -> Result<Shown, Problem> {
        let wrong = |what: &str| Problem::tool(format!("the descriptions have no {what}"));
        let chain = outcome.chains.first().filter(|chain| chain.observable);
        let chain = chain.ok_or_else(|| wrong("chain that can be observed"))?;
        let server = system.tasks.iter().position(|task| task.name == "server");
        let server = server.ok_or_else(|| wrong("task `server`"))?;
        // One that is under way and late is counted among those that were late.
        let due = system.chains.first().and_then(|chain| chain.within);
        let under_way = due.is_some_and(|due| chain.oldest > due.value);
        let late = chain.late.saturating_sub(u64::from(under_way));
        Ok(Shown {
            met: chain.reactions.saturating_sub(late).min(self.ticks),
            longest: chain.reaction_max.max(chain.oldest),
            answered: outcome.tasks[server].jobs,
        })
    }
}

/// Returns the bound of the chain, or what is said of tasks that have none.
fn bound(promised: &Promised) -> (Option<Duration>, Vec<Code>) {
    let chain = promised.analysed.analysis.chains.first();
    let bound = chain.and_then(|chain| chain.reaction.ok());
    let is_about_bounds = |code: &Code| code.0.starts_with("F06");
    let diagnostics = promised.analysed.diagnostics.iter();
    let codes = diagnostics.map(|diagnostic: &Diagnostic| diagnostic.code);
    // That the chain has none is said anyway.
    let mut withheld: Vec<Code> =
        codes.filter(is_about_bounds).filter(|code| *code != NO_CHAIN).collect();
    withheld.sort_unstable_by_key(|code| code.0);
    withheld.dedup();
    match bound {
        Some(_) => (bound, Vec::new()),
        None => (None, withheld),
    }
}

fn not_read(loaded: Loaded) -> Refused {
    let problem = Problem { diagnostics: loaded.diagnostics, status: Status::BadInput };
    Refused { problem, sources: loaded.sources }
}
