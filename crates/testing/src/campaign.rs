//! Campaigns that boot drawn systems: which ones, and what they show of bounds.

use std::ops::Range;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::number::given;
use crate::random::Draw;

/// The part of all systems that is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Campaign {
    /// The seed that they are drawn from.
    pub seed: u64,
    /// The first one's number.
    pub first: u64,
    /// The number of systems.
    pub count: u64,
}

impl Campaign {
    /// Returns as many systems as a variable says, of a seed that has not been tried; without it so
    /// few of this one. The variables that begin with `which` and end with `_SEED` and `_FIRST`
    /// choose others.
    ///
    /// # Panics
    /// As [`given`] does.
    pub fn asked(count: &str, which: &str, (few, seed): (u64, u64)) -> Self {
        let asked = given(count);
        let other = || asked.map_or(seed, |_| fresh());
        Self {
            seed: given(&format!("{which}_SEED")).unwrap_or_else(other),
            first: given(&format!("{which}_FIRST")).unwrap_or(0),
            count: asked.unwrap_or(few),
        }
    }

    /// Returns the numbers of the systems.
    pub fn systems(&self) -> Range<u64> {
        self.first..self.first + self.count
    }
}

/// A seed that nobody has tried.
fn fresh() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    let time = time.map_or(0, |time| time.as_nanos() as u64);
    Draw::of(time, u64::from(std::process::id())).below(1_000_000_000)
}

/// The counts of bounds in a campaign.
#[derive(Debug, Default)]
pub struct Held {
    /// The number of bounds.
    pub bounds: u64,
    /// The number of bounds that were reached to so many tenths.
    pub tenths: [u64; 11],
    /// The largest share of a bound that a response took, in percent.
    pub closest: u64,
    /// Tasks with a deadline and without a bound.
    pub none: u64,
}

impl Held {
    /// Holds a run against its bounds, by what the command says of it; what is wrong.
    ///
    /// # Panics
    /// When it lists no tasks.
    pub fn judge(&mut self, run: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        for task in run["tasks"].as_array().expect("tasks") {
            let number = |key: &str| task[key].as_u64();
            let bound = number("response_bound_ns");
            self.none += u64::from(bound.is_none() && !task["deadline_ns"].is_null());
            let Some((bound, seen)) = bound.zip(number("response_max_ns")) else { continue };
            self.bounds += 1;
            self.closest = self.closest.max(seen * 100 / bound.max(1));
            self.tenths[(seen * 10 / bound.max(1)).min(10) as usize] += 1;
            if seen > bound {
                wrong.push(format!("{} took {seen} ns, its bound is {bound}", task["name"]));
            }
        }
        if run["refused"] != 0 {
            wrong.push(format!("{} calls were refused", run["refused"]));
        }
        if run["faults"].as_array().is_none_or(|faults| !faults.is_empty()) {
            wrong.push(format!("faults: {}", run["faults"]));
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_exceeds_a_bound_is_told() {
        let task = |seen: u64, bound: Option<u64>| {
            json!({
                "name": "a",
                "deadline_ns": 9,
                "response_max_ns": seen,
                "response_bound_ns": bound,
            })
        };
        let run = |task: Value| json!({ "tasks": [task], "refused": 0, "faults": [] });
        let mut held = Held::default();
        assert_eq!(held.judge(&run(task(7, Some(7)))), Vec::<String>::new());
        assert_eq!(held.judge(&run(task(7, None))), Vec::<String>::new());
        assert_eq!(held.judge(&run(task(8, Some(7)))), ["\"a\" took 8 ns, its bound is 7"]);
        assert_eq!((held.bounds, held.none, held.tenths[10], held.closest), (2, 1, 2, 114));
        let mut refused = run(task(1, Some(7)));
        (refused["refused"], refused["faults"]) = (json!(2), json!(["one"]));
        assert_eq!(held.judge(&refused).len(), 2);
    }
}
