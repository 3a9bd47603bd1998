//! One system: analyzed, run, compared.

use crate::ledger;
use crate::scenarios::{Effort, scenarios};
use fusee_bounds::{Analysis, TaskBound, analyze};
use fusee_generate::Case;
use fusee_model::derived::Derived;
use fusee_model::{Duration, TaskId};
use fusee_sim::{Options, SimError, simulate};

/// A run in which a task took longer than its bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Violation {
    /// The task in question.
    pub task: TaskId,
    /// The bound that was promised.
    pub bound: Duration,
    /// The observation: a response time, or the age of a job that was not done at the end.
    pub observed: Duration,
    /// The options of the run.
    pub options: Options,
}

/// The results of the runs of one system.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Attack {
    /// For each task, the longest response time seen in any run.
    pub observed: Vec<Duration>,
    /// The number of runs made.
    pub runs: u64,
    /// Kernel events of all runs.
    pub events: u64,
    /// Jobs of all runs.
    pub jobs: u64,
    /// Operations that the kernel refused, and releases of bounded tasks that it lost, but for
    /// signals that came too early: no generated case should bring them about.
    pub refused: u64,
    /// The first run that broke a bound.
    pub violation: Option<Violation>,
    /// The error in the time of a run, by the ledger's rules.
    pub disorder: Option<String>,
}

/// A system's analysis beside what its runs showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The promised bounds.
    pub analysis: Analysis,
    /// The results of the runs.
    pub attack: Attack,
}

/// Analyses a case and runs all its scenarios.
///
/// # Errors
/// The simulator does not take the system, which no generated case should bring about.
pub fn judge(case: &Case, effort: &Effort) -> Result<Judgement, SimError> {
    let derived = Derived::of(&case.system);
    let analysis = analyze(&case.system, &derived, &case.costs);
    let bounds: Vec<Option<Duration>> = analysis.tasks.iter().map(TaskBound::response).collect();
    let attack = attack(case, &bounds, effort)?;
    Ok(Judgement { analysis, attack })
}

/// Runs all scenarios of a case against given bounds, one for each task.
///
/// # Errors
/// The simulator does not take the system.
pub fn attack(
    case: &Case,
    bounds: &[Option<Duration>],
    effort: &Effort,
) -> Result<Attack, SimError> {
    let mut attack =
        Attack { observed: vec![Duration::ZERO; case.system.tasks.len()], ..Attack::default() };
    for options in scenarios(case, effort) {
        let outcome = simulate(&case.system, &options)?;
        attack.runs += 1;
        attack.disorder = attack.disorder.or_else(|| ledger::check(case, &options, &outcome).err());
        attack.events += outcome.events;
        attack.refused += outcome.refused;
        for (index, task) in outcome.tasks.iter().enumerate() {
            attack.jobs += task.jobs;
            let observed = task.latest();
            attack.observed[index] = attack.observed[index].max(observed);
            let bound = bounds.get(index).copied().flatten();
            attack.refused += bound.filter(|_| !by_event(case, index)).map_or(0, |_| task.lost);
            if let Some(bound) =
                bound.filter(|&bound| observed > bound && attack.violation.is_none())
            {
                let (task, options) = (TaskId::from(index), options.clone());
                attack.violation = Some(Violation { task, bound, observed, options });
            }
        }
    }
    Ok(attack)
}

/// Returns `true` if signals release a task: what comes earlier than their separation allows may be
/// lost.
fn by_event(case: &Case, task: usize) -> bool {
    case.system.tasks[task].release_event().is_some()
}
