//! Bounds together with what there is to say about them.

use std::path::PathBuf;

use fusee_bounds::{Growth, Obstacle, Repair, TaskBound};
use fusee_diagnostics::{Severity, render};
use fusee_model::System;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_platform::Platform;
use fusee_report::verdict::ChainVerdict;
use fusee_report::view::{Provenance, TimeOrigin};
use serde_json::{Value, json};

use crate::analysed::Analysed;
use crate::complete::{self, Completed, Programs};
use crate::costs::{self, Costs};
use crate::load::Loaded;
use crate::methods::{self, Compared, Proved};
use crate::options::Source;
use crate::priced::costs_of;
use crate::subject::Subject;
use crate::{chains, gates, progress, provenance};

/// The request of the command.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The description that was read.
    pub source: Source,
    /// The machine; the simulator without one.
    pub platform: Option<Platform>,
    /// Files with what the kernel's paths cost, one for each policy; the platform's own tables
    /// without one.
    pub costs: Vec<PathBuf>,
    /// A folder with programs that tell execution times which the description leaves out.
    pub programs: Option<PathBuf>,
    /// `true` if the system is built where the description leaves times out, no folder is given and
    /// the sources are there; for the default machine where no platform is given.
    pub builds: bool,
    /// `true` if the written times and calls are taken for true where programs contradict them.
    pub trust_written: bool,
    /// `true` if to find out how far execution times may grow.
    pub sensitivity: bool,
    /// `true` if periodic tasks come at their offsets, so that bounds may rest on them.
    pub offsets: bool,
}

/// A description that could be analyzed.
pub struct Promised {
    /// The description that was read.
    pub loaded: Loaded,
    /// The system that it describes.
    pub system: System,
    /// The facts derived from the system.
    pub derived: Derived,
    /// The costs of the kernel's paths.
    pub costs: CostTable,
    /// The execution times that are from programs.
    pub proved: Proved,
    /// The bounds that are promised.
    pub analysed: Analysed,
    /// The comparison of the written times and calls with programs.
    pub compared: Compared,
}

/// Reads and analyses a description.
///
/// # Errors
/// It can't be analyzed: what is left of it, with what there is to say.
pub fn run(asked: &Asked) -> Result<Promised, Box<Loaded>> {
    let (completed, costs) = asked.ready()?;
    let bounds = if asked.offsets { Bounds::AtOffsets } else { Bounds::Anywhere };
    let mut promised = promised_by(completed, &costs, bounds)?;
    if asked.sensitivity {
        promised.analysed.find_growths(&promised.system, &promised.derived, &promised.costs);
    }
    Ok(promised)
}

impl Asked {
    /// The costs of the kernel's paths.
    pub(crate) fn costs(&self) -> Result<Costs, Box<Loaded>> {
        let costs = costs::chosen(&self.costs, self.platform);
        costs.map_err(|diagnostic| Box::new(Loaded::nothing(*diagnostic)))
    }

    /// Returns the description with the execution times that it leaves out.
    pub(crate) fn completed(&self, costs: &Costs) -> Completed {
        let programs = self
            .programs
            .as_deref()
            .map(|folder| Programs { folder, trust_written: self.trust_written });
        complete::with_programs(&self.source, self.platform, costs, programs)
    }
}

/// Analyses a description.
///
/// # Errors
/// It can't be analyzed.
pub(crate) fn promised(completed: Completed, costs: &Costs) -> Result<Promised, Box<Loaded>> {
    promised_by(completed, costs, Bounds::Anywhere)
}

/// The arrivals that bounds hold for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bounds {
    /// Those with any offsets.
    Anywhere,
    /// Those of periodic tasks at their offsets.
    AtOffsets,
}

/// The same with these bounds.
fn promised_by(
    completed: Completed,
    costs: &Costs,
    bounds: Bounds,
) -> Result<Promised, Box<Loaded>> {
    let Completed { loaded, proved, compared } = completed;
    let Some((system, derived)) = loaded.usable().cloned() else { return Err(Box::new(loaded)) };
    let costs = costs_of(&system, costs, &proved);
    let analysed = analyse_by(&loaded, (&system, &derived), &costs, bounds);
    Ok(Promised { loaded, system, derived, costs, proved, analysed, compared })
}

impl Promised {
    /// Returns the subject of a page about it.
    pub fn subject(&self) -> Subject<'_> {
        Subject {
            loaded: &self.loaded,
            system: &self.system,
            derived: &self.derived,
            analysed: &self.analysed,
            provenance: self.provenance(),
            word: self.compared.word(),
        }
    }

    /// Returns the origin of a page about it: its tools and its files.
    fn provenance(&self) -> Provenance {
        let times = methods::origins(&self.system, &self.proved, &self.compared);
        let times = times.into_iter().map(|time| {
            let origin = time.in_words();
            TimeOrigin { body: time.body, time: time.wcet, origin }
        });
        provenance::of_page(&self.loaded.sources, times.collect())
    }

    /// Returns the origins of execution times and costs, for programs.
    pub(crate) fn origins(&self) -> Value {
        methods::origins_json(&self.system, &self.costs, (&self.proved, &self.compared))
    }

    /// Returns the promise for each chain.
    pub fn chains(&self) -> Vec<ChainVerdict> {
        chains::promised(&self.system, &self.analysed.analysis)
    }

    /// The bounds for programs; how far times may grow is in them if that was asked for.
    pub fn json(&self, asked: &Asked) -> Value {
        let Analysed { analysis, repairs, growths, diagnostics } = &self.analysed;
        let system = &self.system;
        let mut value = json!(fusee_bounds::summary(system, &self.derived, analysis));
        value["gates"] = gates::json(system, &self.derived);
        value["origins"] = self.origins();
        value["trusted"] = self.compared.contradicted.clone().into();
        value["not_compared"] = self.compared.open.clone().into();
        value["repairs"] = repairs.iter().map(|repair| repair_json(system, repair)).collect();
        if asked.offsets {
            value["offsets"] = true.into();
        }
        if asked.sensitivity {
            value["sensitivity"] =
                growths.iter().map(|growth| growth_json(system, growth)).collect();
        }
        chains::describe(&self.chains(), &mut value);
        value["diagnostics"] = render::json(diagnostics, &self.loaded.sources);
        value
    }
}

fn repair_json(system: &System, repair: &Repair) -> Value {
    json!({
        "task": system.task(repair.task).name,
        "change": repair.change.text(system),
        "response_bound_ns": repair.response.ns(),
        "every_deadline_holds": repair.complete,
    })
}

fn growth_json(system: &System, growth: &Growth) -> Value {
    json!({
        "body": growth.body.name(system),
        "wcet_ns": growth.now.ns(),
        "wcet_most_ns": growth.most.map(|most| most.ns()),
    })
}

/// Returns the repairs, and moves to other cores for tasks that no other change repairs completely
/// without less to do for somebody.
fn with_moves(mut repairs: Vec<Repair>, moves: impl FnOnce() -> Vec<Repair>) -> Vec<Repair> {
    if repairs.iter().any(|repair| repair.complete && repair.change.keeps_work()) {
        return repairs;
    }
    for moved in moves() {
        match repairs.iter_mut().find(|repair| repair.task == moved.task) {
            Some(repair) if moved.complete || !repair.change.keeps_work() => *repair = moved,
            Some(_) => {}
            None => repairs.push(moved),
        }
    }
    repairs
}

/// Analyses a system, and looks for repairs where a deadline is not guaranteed.
pub fn analyse(loaded: &Loaded, system: &System, derived: &Derived, costs: &CostTable) -> Analysed {
    analyse_by(loaded, (system, derived), costs, Bounds::Anywhere)
}

/// The same with these bounds; those of repaired systems hold for all offsets.
fn analyse_by(
    loaded: &Loaded,
    (system, derived): (&System, &Derived),
    costs: &CostTable,
    bounds: Bounds,
) -> Analysed {
    let span = |origin| loaded.origins.span(origin);
    let analyze = match bounds {
        Bounds::Anywhere => fusee_bounds::analyze,
        Bounds::AtOffsets => fusee_bounds::analyze_at_offsets,
    };
    let analysis = progress::during("analysing", || analyze(system, derived, costs));
    let mut found = fusee_bounds::diagnostics(system, &analysis, &span);
    let repairs = if analysis.is_schedulable() {
        Vec::new()
    } else {
        progress::during("looking for repairs", || {
            let span = |origin| loaded.origins.span(origin);
            let found = fusee_bounds::repairs(system, derived, costs, &analysis);
            let allowed = |changed: &System| {
                let found = fusee_check::check(changed, &span);
                found.iter().all(|found| found.severity != Severity::Error)
            };
            with_moves(found, || fusee_bounds::moves(system, costs, &analysis, &allowed))
        })
    };
    fusee_bounds::advise(system, &analysis, &repairs, &span, &mut found);
    let suspended = |task: &TaskBound| matches!(task.bound, Err(Obstacle::Suspended { .. }));
    if analysis.tasks.iter().any(suspended) {
        let lasting = fusee_bounds::lasting_budgets(system, derived, costs);
        fusee_bounds::advise_budgets(system, &analysis, &lasting, &span, &mut found);
    }
    let diagnostics = [loaded.diagnostics.as_slice(), &found].concat();
    Analysed { analysis, repairs, growths: Vec::new(), diagnostics }
}
