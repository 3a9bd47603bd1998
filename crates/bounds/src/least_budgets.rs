//! The least budgets that last for each job.
//!
//! If no budget ends, what a job needs does not depend on its own budget. But others count what a
//! budget lets through, which is more where it is larger: so all budgets that end are raised
//! together to the least that lasts, until none ends. Then the supposition that none does holds.

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{Duration, System, TaskId};

use crate::analyze::needs;

/// Rounds in which budgets may make each other larger.
const MOST_ROUNDS: usize = 16;

/// Returns the least budgets with which no budget ends in a job, of those tasks whose budgets do,
/// if these are all that is changed; empty where none end, or no budgets would do.
pub fn lasting_budgets(
    system: &System,
    derived: &Derived,
    costs: &CostTable,
) -> Vec<(TaskId, Duration)> {
    let mut changed = system.clone();
    let mut raised: Vec<(TaskId, Duration)> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let Ok(ends) = needs(&changed, derived, costs) else { return Vec::new() };
        if ends.is_empty() {
            return raised;
        }
        for (task, need) in ends {
            // A budget that is just used up may end before the last step, so it must be more than
            // the need.
            let least = need.checked_add(1).map(Duration);
            let budget = changed.tasks[task].budget.as_mut();
            let Some((budget, least)) = budget.zip(least) else { return Vec::new() };
            budget.amount.value = least;
            raised.retain(|(other, _)| other.index() != task);
            raised.push((TaskId::from(task), least));
        }
    }
    Vec::new()
}
