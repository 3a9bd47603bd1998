//! The charge of execution to budgets.

use super::{Machine, Op};

impl Machine<'_> {
    /// A budget is for all execution between two releases, also for a job that was released before
    /// the last one.
    pub(super) fn suspend_without_budget(&mut self, index: usize) {
        let thread = &mut self.threads[index];
        let more = thread.ops.iter().any(|op| matches!(op, Op::Compute(1..)));
        thread.suspended = thread.budget == Some(0) && more;
    }

    pub(super) fn execute(&mut self, index: usize) {
        let thread = &mut self.threads[index];
        if let Some(Op::Compute(left)) = thread.ops.front_mut() {
            *left -= 1;
        }
        let pays = if thread.suspended { self.lender(index).unwrap_or(index) } else { index };
        if let Some(budget) = &mut self.threads[pays].budget {
            *budget = budget.saturating_sub(1);
        }
        self.suspend_without_budget(pays);
        self.suspend_without_budget(index);
    }
}
