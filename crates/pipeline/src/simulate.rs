//! Runs of a system, and the traces and pages made from them.
//!
//! A run is deterministic, so it is made once without records, and once more when
//! a trace or a page asks for some: which part is worth recording is known only
//! after the first. A page asks for the time around the worst response, a trace
//! for everything, or if that is too much, for the same.

use crate::urgency::urgency;
use fusee_model::costs::CostTable;
use fusee_model::{Duration, System, Task};
use fusee_report::verdict::{Facts, Place, Verdict};
use fusee_sim::{Execution, Options, Outcome, Recording, Releases, SimError, simulate};
use fusee_trace::{GateName, Names, ThreadName};

use crate::progress;
use crate::subject::Subject;

/// A trace with more events than this is cut to the time around the worst response.
const MOST_TRACED: u64 = 1_000_000;

/// The options of a system's run.
#[derive(Debug, Clone)]
pub struct Run {
    /// Virtual time to simulate.
    pub duration: Duration,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// The rule for the length of computations.
    pub execution: Execution,
    /// When jobs are released.
    pub releases: Releases,
}

/// A run that was made, and how.
pub struct Simulated {
    options: Options,
    /// The outcome that it showed.
    pub outcome: Outcome,
}

/// Runs a system.
///
/// # Errors
/// It can't be simulated, or the kernel refuses it.
pub fn run(system: &System, run: &Run, costs: &CostTable) -> Result<Simulated, SimError> {
    let options = Options {
        duration: run.duration,
        seed: run.seed,
        execution: run.execution,
        releases: run.releases.clone(),
        costs: costs.clone(),
        ..Options::default()
    };
    let outcome = progress::during("simulating", || simulate(system, &options))?;
    Ok(Simulated { options, outcome })
}

impl Simulated {
    /// Returns the costs of the kernel's paths in it.
    pub fn costs(&self) -> &CostTable {
        &self.options.costs
    }

    /// Returns the run as half a sentence.
    pub fn how(&self) -> String {
        let execution = match self.options.execution {
            Execution::Worst => "worst-case execution times",
            Execution::Random => "drawn execution times",
        };
        let releases = match self.options.releases {
            Releases::Drawn => "drawn releases",
            _ => "synchronous releases",
        };
        format!("{execution}, {releases}, seed {}", self.options.seed)
    }

    /// Returns the run as a Perfetto trace, and whether it shows all of it.
    pub fn trace(&self, system: &System) -> Result<(Vec<u8>, bool), SimError> {
        let whole = self.outcome.events <= MOST_TRACED;
        let recording = if whole {
            Recording::Window { from: Duration::ZERO, to: self.options.duration }
        } else {
            fusee_report::recording(system, &self.outcome)
        };
        let outcome = self.recorded(system, recording)?;
        let bytes = progress::during("drawing the trace", || {
            fusee_trace::draw(&names(system), &outcome.records)
        });
        Ok((bytes, whole))
    }

    /// Returns the verdict on the run, compared with the promises.
    pub fn verdict(&self, subject: &Subject<'_>) -> Verdict {
        Verdict::of(&Facts {
            system: subject.system,
            analysis: Some(&subject.analysed.analysis),
            outcome: &self.outcome,
            place: Place::Simulator,
            told: &[],
            faults: 0,
            stubs: &[],
            word: subject.word,
            span: &|origin| subject.loaded.origins.span(origin),
        })
    }

    /// Returns the page about the system, with this run on it.
    pub fn page(&self, subject: &Subject<'_>) -> Result<String, SimError> {
        let outcome =
            self.recorded(subject.system, fusee_report::recording(subject.system, &self.outcome))?;
        let how = format!("Simulated with {}:", self.how());
        Ok(subject.page(&outcome, &how, &self.verdict(subject)))
    }

    /// The same run again, with records.
    fn recorded(&self, system: &System, recording: Recording) -> Result<Outcome, SimError> {
        let options = Options { recording, ..self.options.clone() };
        progress::during("simulating again, with records", || simulate(system, &options))
    }
}

/// The names behind the kernel's numbers: its tables are in the system's order.
fn names(system: &System) -> Names {
    Names {
        threads: system.tasks.iter().map(|task| thread_name(system, task)).collect(),
        gates: system
            .gates
            .iter()
            .map(|g| GateName { name: g.name.clone(), component: g.component.0 })
            .collect(),
        components: system.components.iter().map(|component| component.name.clone()).collect(),
        notifications: system
            .notifications
            .iter()
            .map(|notification| notification.name.clone())
            .collect(),
    }
}

fn thread_name(system: &System, task: &Task) -> ThreadName {
    let budget = task.budget.as_ref().map(|budget| budget.amount.value.ns());
    let (name, core, component) = (task.name.clone(), task.core, task.component.0);
    ThreadName { name, core, urgency: urgency(system, core), component, budget }
}
