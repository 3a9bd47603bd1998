//! A verdict on the console.

use fusee_model::{Duration, System, TimeColumn};
use fusee_report::verdict::{Mood, TaskVerdict, Verdict};

use crate::output::{bad, good};

/// Returns the verdict in a line, with colors.
pub(crate) fn line(system: &System, verdict: &Verdict) -> String {
    let phrases: Vec<String> =
        verdict.phrases.iter().map(|phrase| coloured(phrase.mood, &phrase.text)).collect();
    format!("{}: {} {}", system.name, phrases.join(", "), verdict.closing)
}

/// Returns the words for a task.
pub(crate) fn word(task: &TaskVerdict) -> String {
    coloured(task.mood, task.word)
}

pub(crate) fn coloured(mood: Mood, text: &str) -> String {
    match mood {
        Mood::Good => good(text),
        Mood::Bad => bad(text),
        Mood::Plain => text.to_owned(),
    }
}

/// The tasks of a system as rows of a table.
pub(crate) struct Tasks<'a> {
    system: &'a System,
    order: Vec<usize>,
}

impl<'a> Tasks<'a> {
    /// By priority, the highest first.
    pub(crate) fn by_priority(system: &'a System) -> Self {
        let mut order: Vec<usize> = (0..system.tasks.len()).collect();
        order.sort_by_key(|&task| std::cmp::Reverse(system.tasks[task].priority.value));
        Self { system, order }
    }

    /// Returns a column of anything.
    pub(crate) fn cells(&self, cell: impl Fn(usize) -> String) -> Vec<String> {
        self.order.iter().map(|&task| cell(task)).collect()
    }

    /// Returns a column of times, in one unit.
    pub(crate) fn times(&self, time: impl Fn(usize) -> Option<Duration>) -> Vec<String> {
        times(&self.order.iter().map(|&task| time(task)).collect::<Vec<_>>())
    }

    /// Returns the names of the tasks.
    pub(crate) fn names(&self) -> Vec<String> {
        self.cells(|task| self.system.tasks[task].name.clone())
    }
}

/// Returns the cells of a column of times, in one unit; what is not known is a dash.
pub(crate) fn times(times: &[Option<Duration>]) -> Vec<String> {
    let column = TimeColumn::of(times.iter().flatten().copied());
    times.iter().map(|time| time.map_or("-".to_owned(), |time| column.show(time))).collect()
}

/// Returns an observed time, in whole microseconds if it is long: more digits say nothing. Rounded
/// up, so that what is above a bound never looks like it.
pub(crate) fn rounded_up(time: Duration) -> Duration {
    let step = if time.ns() >= 1_000_000 { 1000 } else { 1 };
    Duration(time.ns().div_ceil(step) * step)
}
