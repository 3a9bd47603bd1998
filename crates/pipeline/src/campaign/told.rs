//! The findings of a campaign: broken promises, and the JSON document.

use fusee_measure::{Defect, Row, Summary, TaskRow, TaskSet};
use fusee_platform::Platform;
use serde_json::{Value, json};

/// Returns the defects of a set, one sentence each.
pub fn defects(row: &Row) -> Vec<String> {
    let sentence = |(task, defect): (usize, Defect)| {
        let TaskRow { misses, observed, bound, ideal, charged, kernel, .. } = &row.tasks[task];
        let name = format!("{}: t{}", row.set, task + 1);
        match defect {
            Defect::Exceeded => {
                format!("{name} took {observed} ns, its bound is {} ns", bound.unwrap_or_default())
            }
            Defect::Missed => {
                format!("{name} missed {misses} deadlines that the analysis promises")
            }
            Defect::Unexplained => format!(
                "{name} took {observed} ns, in simulation {ideal} ns without and {charged} ns with \
                 kernel costs; neither {kernel} ns of kernel time nor other orders of events \
                 explain that"
            ),
        }
    };
    row.defects().into_iter().map(sentence).collect()
}

/// Returns the result for programs, with what went wrong.
pub fn json(sets: &[TaskSet], rows: &[Row], defects: &[String]) -> Value {
    let summary = Summary::of(rows, sets, None);
    json!({
        "platform": Platform::DEFAULT.name(),
        "sets": rows,
        "schedulable": summary.schedulable.iter().sum::<u64>(),
        "without_a_miss": summary.met,
        "stubs": true,
        "defects": defects,
        "held": defects.is_empty(),
    })
}
