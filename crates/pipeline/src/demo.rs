//! The Mars Pathfinder's priority inversion, found and repaired.
//!
//! The descriptions are the ones in `examples/pathfinder`; they are part of the
//! library and are written beside the results, so that the demonstration works
//! wherever the binary does and can be changed and run again. Booting them needs a
//! compiler for the machine and QEMU.

use std::fs;
use std::path::{Path, PathBuf};

use fusee_bounds::Obstacle;
use fusee_model::costs::CostTable;
use fusee_model::{Duration, System};
use fusee_platform::{Platform, Records};
use fusee_report::verdict::{Verdict, Word};
use fusee_sim::{Execution, Outcome, Releases};
use serde_json::{Value, json};

use crate::analysed::Analysed;
use crate::analyze::{self, Promised, analyse};
use crate::boot::{Booted, boot_for};
use crate::build::{self, Wanted};
use crate::commands;
use crate::costs::Costs;
use crate::files;
use crate::load::load;
use crate::options::{Making, Source};
use crate::problem::Problem;
use crate::provenance;
use crate::run::Seen;
use crate::simulate::{self, Run, Simulated};
use crate::subject::Subject;

/// The folder in the current one to which everything is written.
pub const FOLDER: &str = "fusee-demo";

/// The descriptions, by name.
const FILES: &[(&str, &str)] = &[
    ("components.camkes", include_str!("../../../examples/pathfinder/components.camkes")),
    ("lander.inc", include_str!("../../../examples/pathfinder/lander.inc")),
    ("fifo.camkes", include_str!("../../../examples/pathfinder/fifo.camkes")),
    ("inherited.camkes", include_str!("../../../examples/pathfinder/inherited.camkes")),
];

/// Virtual time of a simulation.
const SIMULATED: Duration = Duration(10_000_000_000);
/// Virtual time of a run on the machine: long enough for the inversion.
const BOOTED: Duration = Duration(2_000_000_000);

/// The results for the lander as it flew, or as it was repaired.
pub struct Half {
    /// The system in question.
    pub system: System,
    /// The bounds that are promised.
    pub analysed: Analysed,
    /// The outcome that was seen.
    pub simulated: Simulated,
    /// The verdict on it.
    pub verdict: Verdict,
    /// The page and the trace that were written.
    pub files: [PathBuf; 2],
}

/// Both, as it flew and repaired.
pub struct Both<T> {
    /// First come, first served.
    pub flown: T,
    /// The results where the holder inherits.
    pub repaired: T,
}

/// Writes the descriptions, and analyses, simulates and reports both.
///
/// # Errors
/// What failed on this host, in a sentence.
pub fn simulated() -> Result<Both<Half>, String> {
    let folder = Path::new(FOLDER);
    let write = |&(name, text): &(&str, &str)| files::write(&folder.join(name), text.as_bytes());
    fs::create_dir_all(folder)
        .and_then(|()| FILES.iter().try_for_each(write))
        .map_err(|error| format!("cannot write to `{FOLDER}`: {error}"))?;
    Ok(Both { flown: half("fifo")?, repaired: half("inherited")? })
}

/// Builds and boots both descriptions.
///
/// # Errors
/// What is missing on this host.
pub fn booted() -> Result<Both<OnMachine>, Problem> {
    Ok(Both { flown: OnMachine::boot("fifo")?, repaired: OnMachine::boot("inherited")? })
}

/// Analyses, simulates and reports one description.
fn half(name: &str) -> Result<Half, String> {
    let path = |ending: &str| Path::new(FOLDER).join(name).with_extension(ending);
    let source = Source::of(path("camkes"));
    let costs = CostTable::zero("sim");
    let loaded = load(&source, &Costs::nothing());
    let Some((system, derived)) = loaded.usable() else {
        return Err(format!("`fusee check {}` says what is wrong", source.system.display()));
    };
    let analysed = analyse(&loaded, system, derived, &costs);
    let (execution, releases) = (Execution::Worst, Releases::Synchronous);
    let run = Run { duration: SIMULATED, seed: 1, execution, releases };
    let simulated = simulate::run(system, &run, &costs).map_err(|error| error.to_string())?;
    let provenance = provenance::of_page(&loaded.sources, Vec::new());
    let subject = Subject {
        loaded: &loaded,
        system,
        derived,
        analysed: &analysed,
        provenance,
        word: Word::default(),
    };
    let page = simulated.page(&subject).map_err(|error| error.to_string())?;
    let (trace, _) = simulated.trace(system).map_err(|error| error.to_string())?;
    let written = [(path("html"), page.into_bytes()), (path("pftrace"), trace)];
    for (path, content) in &written {
        files::write(path, content)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    let files = written.map(|(path, _)| path);
    let (verdict, system) = (simulated.verdict(&subject), system.clone());
    Ok(Half { system, analysed, simulated, verdict, files })
}

impl Half {
    /// Returns `true` if every deadline is promised.
    pub fn schedulable(&self) -> bool {
        self.analysed.analysis.is_schedulable()
    }

    /// Deadlines that were missed.
    pub fn misses(&self) -> u64 {
        self.simulated.outcome.misses()
    }

    /// Iterates over the inversions: the waiting task, the holder, and the task that runs
    /// meanwhile.
    pub fn inversions(&self) -> impl Iterator<Item = String> {
        let name = |id| &self.system.task(id).name;
        self.analysed.analysis.tasks.iter().filter_map(move |task| match task.bound {
            Err(Obstacle::Inversion { gate, victim, middle, holder }) => Some(format!(
                "`{}` waits for `{}` at `{}` while `{}` runs",
                name(victim),
                name(holder),
                self.system.gate(gate).name,
                name(middle)
            )),
            _ => None,
        })
    }

    /// Iterates over the changes that would repair them, as they are written in a description.
    pub fn repairs(&self) -> impl Iterator<Item = String> {
        self.analysed.repairs.iter().map(|repair| repair.change.text(&self.system))
    }

    /// Tasks of which nothing is promised.
    pub fn without_bound(&self) -> Vec<&str> {
        let tasks = self.analysed.analysis.tasks.iter().zip(&self.system.tasks);
        tasks
            .filter(|(bound, _)| bound.response().is_none())
            .map(|(_, task)| task.name.as_str())
            .collect()
    }

    fn json(&self) -> Value {
        let outcome = &self.simulated.outcome;
        json!({
            "schedulable": self.schedulable(),
            "without_bound": self.without_bound(),
            "misses": self.misses(),
            "simulation": commands::simulate::json(&self.system, &self.verdict, outcome),
            "report": self.files[0].display().to_string(),
            "trace": self.files[1].display().to_string(),
        })
    }
}

/// One description on the machine, and what was said about it before.
pub struct OnMachine {
    /// The bounds that are promised.
    pub promised: Promised,
    /// The simulator's run.
    pub simulated: Outcome,
    /// The machine's run.
    pub booted: Booted,
    /// The verdict on it.
    pub verdict: Verdict,
}

impl OnMachine {
    /// Builds and boots one description.
    fn boot(name: &str) -> Result<OnMachine, Problem> {
        let folder = Path::new(FOLDER);
        let source = Source::of(folder.join(name).with_extension("camkes"));
        let platform = Platform::DEFAULT;
        let asked = analyze::Asked {
            source,
            platform: Some(platform),
            costs: Vec::new(),
            programs: None,
            builds: false,
            trust_written: false,
            sensitivity: false,
            offsets: false,
        };
        let promised =
            analyze::run(&asked).map_err(|loaded| Problem::tool_with(loaded.diagnostics))?;
        let system = &promised.system;
        let run = Run {
            duration: BOOTED,
            seed: 1,
            execution: Execution::Worst,
            releases: Releases::Drawn,
        };
        let simulated = simulate::run(system, &run, &promised.costs);
        let simulated = simulated.map_err(|error| Problem::tool(error.to_string()))?.outcome;
        let making = Making::into_folder(folder.join("build").join(name)).with_stubs();
        let variant = Records::Plain;
        let wanted = Wanted { source: &asked.source.system, platform, variant, making: &making };
        let made = build::make(&promised.loaded, system, &wanted).map_err(Problem::tool_with)?;
        let booted = boot_for(&made.path, BOOTED, Some(system))?;
        let span = |origin| promised.loaded.origins.span(origin);
        let verdict =
            booted.verdict(system, (Some(&promised.analysed.analysis), Word::default()), &span);
        Ok(OnMachine { promised, simulated, booted, verdict })
    }

    /// Returns the results of the machine's run.
    pub fn seen(&self) -> Seen<'_> {
        Seen {
            system: &self.promised.system,
            outcome: &self.booted.outcome,
            verdict: &self.verdict,
            booted: Some(&self.booted),
            origins: None,
        }
    }

    /// Deadlines that were missed.
    pub fn misses(&self) -> u64 {
        self.booted.outcome.misses()
    }

    fn json(&self) -> Value {
        let mut value = self.seen().json();
        let longest = self.simulated.tasks.iter().map(|task| json!(task.responses.longest.ns()));
        value["simulated_max_ns"] = longest.collect();
        value
    }
}

/// All of it for programs; of the machine only where the host has what booting takes.
pub fn json(simulated: &Both<Half>, booted: Option<&Both<OnMachine>>) -> Value {
    let key = |half: &str| format!("{half}_on_{}", Platform::DEFAULT).replace('-', "_");
    json!({
        "fifo": simulated.flown.json(),
        "inherited": simulated.repaired.json(),
        (key("fifo")): booted.map(|both| both.flown.json()),
        (key("inherited")): booted.map(|both| both.repaired.json()),
    })
}

/// Returns `true` if the inversion is found and its repair holds, in simulation and where it was
/// booted.
pub fn is_as_it_should(simulated: &Both<Half>, booted: Option<&Both<OnMachine>>) -> bool {
    let Both { flown, repaired } = simulated;
    let found = !flown.schedulable() && flown.misses() > 0;
    let on_machine = booted.is_none_or(|Both { flown, repaired }| {
        let held = flown.seen().bounds_held() && repaired.seen().bounds_held();
        flown.misses() > 0 && repaired.misses() == 0 && held
    });
    found && repaired.schedulable() && repaired.misses() == 0 && on_machine
}
