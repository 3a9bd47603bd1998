//! Quick proofs that no choice exists, whatever the bounds rest on.
//!
//! A job that takes longer alone than its deadline allows is late on every core, and tasks that
//! need more than all cores together leave some core with more work than time: its lowest task has
//! no bound. Both hold for every policy, protocol and order, so they are said also where nothing
//! else can be proved.

use fusee_bounds::Analysis;
use fusee_model::{Duration, System, TaskId};

/// A quick proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A job alone takes longer than its deadline allows.
    Longer {
        /// The task in question.
        task: TaskId,
        /// The execution of one job with all that it invokes.
        takes: Duration,
    },
    /// These tasks together need more than all cores.
    Load {
        /// Tasks of which none can be left out.
        tasks: Vec<TaskId>,
        /// The load of these tasks, in millionths of a core, rounded down.
        millionths: u64,
    },
}

/// A millionth of a millionth of a core is the unit of loads here.
const WHOLE: u128 = 1_000_000_000_000;

/// Returns a quick proof that the deadlines of a system cannot hold on so many cores.
pub(super) fn quick(system: &System, analysis: &Analysis, cores: u32) -> Option<Refusal> {
    let longer = analysis.tasks.iter().find_map(|bound| {
        let (takes, deadline) = (bound.wcet?, bound.deadline?);
        (takes > deadline).then_some(Refusal::Longer { task: bound.task, takes })
    });
    longer.or_else(|| overload(system, analysis, cores))
}

/// Returns tasks that need more than all cores together.
fn overload(system: &System, analysis: &Analysis, cores: u32) -> Option<Refusal> {
    let mut loads: Vec<(u128, TaskId)> = (analysis.tasks.iter())
        .filter_map(|bound| {
            let (wcet, release) = (bound.wcet?, system.task(bound.task).release.as_ref()?);
            let period = u128::from(release.period.value.ns().max(1));
            Some((u128::from(wcet.ns()) * WHOLE / period, bound.task))
        })
        .collect();
    let most = WHOLE * u128::from(cores);
    let mut sum: u128 = loads.iter().map(|&(load, _)| load).sum();
    if sum <= most {
        return None;
    }
    // The smallest are left out first, so that few large ones remain.
    loads.sort_unstable();
    loads.retain(|&(load, _)| {
        let is_needed = sum - load <= most;
        if !is_needed {
            sum -= load;
        }
        is_needed
    });
    let mut tasks: Vec<TaskId> = loads.into_iter().map(|(_, task)| task).collect();
    tasks.sort_unstable();
    let millionths = u64::try_from(sum / 1_000_000).unwrap_or(u64::MAX);
    Some(Refusal::Load { tasks, millionths })
}
