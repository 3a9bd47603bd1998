//! One system: analysed, run, compared.

use crate::scenarios::{Effort, scenarios};
use fusee_bounds::{Analysis, analyze};
use fusee_generate::Case;
use fusee_model::derived::Derived;
use fusee_model::{Duration, TaskId};
use fusee_sim::{Options, SimError, simulate};

/// A run in which a task took longer than its bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// Who.
    pub task: TaskId,
    /// What was promised.
    pub bound: Duration,
    /// What the run showed: a response time, or the age of a job that was not done at the end.
    pub observed: Duration,
    /// The run.
    pub options: Options,
}

/// What the runs of one system showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The system's analysis.
    pub analysis: Analysis,
    /// For each task, the longest response time seen in any run.
    pub observed: Vec<Duration>,
    /// Runs made.
    pub runs: u64,
    /// Kernel events of all runs.
    pub events: u64,
    /// Jobs of all runs.
    pub jobs: u64,
    /// The first run that broke a bound.
    pub violation: Option<Violation>,
}

/// Analyses a case and runs all its scenarios.
///
/// # Errors
/// The simulator does not take the system, which no generated case should bring about.
pub fn judge(case: &Case, effort: &Effort) -> Result<Judgement, SimError> {
    let derived = Derived::of(&case.system);
    let analysis = analyze(&case.system, &derived, &case.costs);
    let observed = vec![Duration::ZERO; case.system.tasks.len()];
    let mut judgement = Judgement { analysis, observed, runs: 0, events: 0, jobs: 0, violation: None };
    for options in scenarios(case, effort) {
        run(case, options, &mut judgement)?;
    }
    Ok(judgement)
}

fn run(case: &Case, options: Options, judgement: &mut Judgement) -> Result<(), SimError> {
    let outcome = simulate(&case.system, &options)?;
    judgement.runs += 1;
    judgement.events += outcome.events;
    for (index, task) in outcome.tasks.iter().enumerate() {
        judgement.jobs += task.jobs;
        let longest = task.response_max.max(task.oldest);
        judgement.observed[index] = judgement.observed[index].max(longest);
        let bound = judgement.analysis.tasks[index].response();
        if let Some(bound) = bound.filter(|&bound| longest > bound && judgement.violation.is_none()) {
            let options = options.clone();
            let task = TaskId::from(index);
            judgement.violation = Some(Violation { task, bound, observed: longest, options });
        }
    }
    Ok(())
}
