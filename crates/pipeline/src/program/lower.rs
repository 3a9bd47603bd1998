//! Facts with which a bound may be lower.
//!
//! With nothing but its depth, a function that calls itself twice is taken to be called as often as
//! that allows: 2^16 times where a sort of 16 numbers is called 31 times.

use fusee_wcet::execute::{Bound, Used};
use fusee_wcet::fact_line::calls_line;
use serde_json::{Value, json};

use super::Task;

/// A fact that may lower a bound.
pub struct Lower {
    /// The line of a facts file, with `N` for the number.
    pub fact: String,
    /// Calls that are counted without it.
    pub counted: u64,
}

impl Lower {
    pub(super) fn json(&self) -> Value {
        json!({ "fact": self.fact, "calls_counted": self.counted })
    }
}

/// Returns the number of calls of functions in all, where only depths say it and more calls are
/// counted than are under way at the same time.
pub fn lower(task: &Task, bound: &Bound) -> Vec<Lower> {
    let used = &bound.grounds.facts_used;
    let times = bound.times();
    let lower = |fact: &Used| {
        let Used::Recursion(entry) = *fact else { return None };
        let depth = task.facts.facts.recursion.get(&entry)?;
        let counted = *times.get(&entry)?;
        let is_open = counted > *depth && !used.contains(&Used::Calls(entry));
        let fact = calls_line(&task.program.describe(entry), "N");
        is_open.then_some(Lower { fact, counted })
    };
    used.iter().filter_map(lower).collect()
}
