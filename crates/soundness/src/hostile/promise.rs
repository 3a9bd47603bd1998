//! The promise that is checked for each task.

use fusee_bounds::{Analysis, analyze, resting};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Policy, System};

use super::Drawn;
use crate::read;

/// The promise that is checked for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Honest {
    /// Nothing: its code is not trusted.
    Hostile,
    /// Nothing: it has no deadline and no bound.
    Free,
    /// Nothing: it has no bound.
    Unbounded,
    /// Nothing: it is told that its bound rests on what is said of code that is not trusted.
    Resting,
    /// Its bound, since nobody else has its slot, whatever is told.
    Alone,
    /// Its bound is checked.
    Bounded,
}

impl Honest {
    /// Returns `true` if its bound must hold.
    pub fn is_held(self) -> bool {
        matches!(self, Self::Alone | Self::Bounded)
    }
}

/// Returns the promise that is checked for each task of a drawn system.
pub fn honest(drawn: &Drawn, system: &System, analysis: &Analysis) -> Vec<Honest> {
    let resting = resting(system, analysis);
    let tasks = system.task_ids().zip(&analysis.tasks);
    let of = tasks.map(|((id, task), bounds)| match (bounds.response(), bounds.deadline) {
        _ if !system.is_trusted(task.component) => Honest::Hostile,
        (None, None) => Honest::Free,
        (None, Some(_)) => Honest::Unbounded,
        (Some(_), _) if drawn.alone.contains(&task.name) => Honest::Alone,
        (Some(_), _) if resting.contains(&id) => Honest::Resting,
        (Some(_), _) => Honest::Bounded,
    });
    of.collect()
}

/// The tasks of a drawn system whose bounds must hold, whatever the kernel costs.
///
/// # Errors
/// Why the description is refused.
pub fn held(drawn: &Drawn) -> Result<Vec<String>, String> {
    let system = read("drawn", &drawn.text)?;
    let mut costs = CostTable::zero("free");
    costs.also = Some(Policy::EarliestDeadline);
    let analysis = analyze(&system, &Derived::of(&system), &costs);
    let honest = honest(drawn, &system, &analysis);
    let held = system.tasks.iter().zip(honest).filter(|(_, honest)| honest.is_held());
    Ok(held.map(|(task, _)| task.name.clone()).collect())
}
