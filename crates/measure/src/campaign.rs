//! Task sets that were booted, beside their bounds and their simulation.
//!
//! A [`Row`] is all that is kept of one run, and a line of the campaign's file, whose
//! first line says what the runs were made with ([`Origin`]). Rows
//! are written in the order of the sets, so how far a campaign is can be read off the
//! file: [`finished`] takes the lines that are whole and belong to these sets, and what
//! follows is what has still to run. A line that was cut off is run again. Thus the
//! file is the same however often the campaign was interrupted.
//!
//! Three things must hold for each task: no response above its bound, no deadline
//! missed where the analysis says that none is, and no difference to the simulation
//! that the kernel's costs do not explain. The simulation runs twice: with a kernel
//! that costs nothing, and with one whose every path takes the longest that was
//! measured. The machine lies between them, as far as both make the same jobs wait. How
//! far the order of events can move is the kernel time in one busy window: in a set that
//! is promised to keep up that of the bound, and otherwise, where one job may pass on what
//! the kernel took to many later ones, that of the job itself
//! ([`KernelTimes`](crate::KernelTimes)). An instant can decide who comes first to a gate. So where
//! a difference is larger, further simulations, in which every path takes so many sixteenths of its
//! longest, show which orders of events kernel times make; they span what is left to explain.

use serde::{Deserialize, Serialize};

use crate::{Origin, TaskSet};

/// The results of a run for one task, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskRow {
    /// The number of jobs completed.
    pub jobs: u64,
    /// The number of deadlines missed.
    pub misses: u64,
    /// The longest response on the machine; of a job that is not over, how long it has been under
    /// way.
    pub observed: u64,
    /// The bound on the response.
    pub bound: Option<u64>,
    /// The longest response in simulation where the kernel costs nothing.
    pub ideal: u64,
    /// The longest response in simulation where every kernel path takes its longest.
    pub charged: u64,
    /// Kernel time in the window of the bound; in a set without promise, in the busy window of the
    /// job that shows the difference.
    pub kernel: u64,
    /// The longest response in further simulations, with kernel paths that take part of their
    /// longest.
    #[serde(skip)]
    pub others: Vec<u64>,
}

/// The results of a run for one set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The name of the set.
    pub set: String,
    /// `true` if the analysis with measured costs promises every deadline.
    pub schedulable: bool,
    /// The results by task.
    pub tasks: Vec<TaskRow>,
}

/// A defect that must not happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defect {
    /// A response above its bound.
    Exceeded,
    /// A deadline that was promised.
    Missed,
    /// A difference to the simulation that the kernel's costs do not explain.
    Unexplained,
}

impl TaskRow {
    /// Returns the distance of the machine's result from the range of the simulations.
    pub fn outside(&self) -> u64 {
        let simulated =
            || [self.ideal, self.charged].into_iter().chain(self.others.iter().copied());
        let (least, most) = (simulated().min().unwrap_or(0), simulated().max().unwrap_or(u64::MAX));
        self.observed.saturating_sub(most).max(least.saturating_sub(self.observed))
    }
}

impl Row {
    /// Everything that must not happen and did, with the task's position.
    pub fn defects(&self) -> Vec<(usize, Defect)> {
        let mut defects = Vec::new();
        for (position, task) in self.tasks.iter().enumerate() {
            let found = [
                (task.bound.is_some_and(|bound| task.observed > bound), Defect::Exceeded),
                (self.schedulable && task.misses > 0, Defect::Missed),
                (task.outside() > task.kernel, Defect::Unexplained),
            ];
            defects.extend(
                found.into_iter().filter(|(is, _)| *is).map(|(_, defect)| (position, defect)),
            );
        }
        defects
    }

    /// Returns `true` if a difference to the simulations is left to explain.
    pub fn is_unexplained(&self) -> bool {
        self.defects().iter().any(|&(_, defect)| defect == Defect::Unexplained)
    }

    /// Deadlines missed by all tasks.
    pub fn misses(&self) -> u64 {
        self.tasks.iter().map(|task| task.misses).sum()
    }

    /// Returns the row as a line, with its end.
    ///
    /// # Errors
    /// Never for rows of this program; JSON's own.
    pub fn line(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

/// The reason for which a file is not this campaign's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OtherCampaign {
    /// The first line is no origin.
    #[error("it does not say what they were made with")]
    NoOrigin,
    /// A line is not the result that should stand there.
    #[error("line {line} is not the result of `{expected}`")]
    OtherSet {
        /// Counted from 1.
        line: usize,
        /// The set whose result should stand there.
        expected: String,
    },
}

/// The content of a campaign's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// The origin of the results; without it there are none.
    pub origin: Option<Origin>,
    /// The results by set.
    pub rows: Vec<Row>,
    /// The number of bytes of the file that they take: the rest was cut off.
    pub bytes: usize,
}

/// Reads a campaign's file.
///
/// # Errors
/// The first whole line is no origin; a later one is no row, or not that of the set whose turn it
/// is.
pub fn finished(text: &str, sets: &[TaskSet]) -> Result<Finished, OtherCampaign> {
    let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    let mut finished = Finished { origin: None, rows: Vec::new(), bytes: 0 };
    let Some(first) = lines.next() else { return Ok(finished) };
    finished.origin = Some(serde_json::from_str(first).map_err(|_| OtherCampaign::NoOrigin)?);
    finished.bytes = first.len();
    for (line, set) in lines.zip(sets) {
        let row = serde_json::from_str::<Row>(line).ok().filter(|row| row.set == set.name());
        let other =
            || OtherCampaign::OtherSet { line: finished.rows.len() + 2, expected: set.name() };
        finished.rows.push(row.ok_or_else(other)?);
        finished.bytes += line.len();
    }
    Ok(finished)
}

/// Sets with the same utilization, summed up.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Summary {
    /// The number of sets that ran, by configuration.
    pub sets: [u64; 4],
    /// The number of those that the analysis promises, by configuration.
    pub schedulable: [u64; 4],
    /// The number of sets that missed no deadline.
    pub met: u64,
    /// Jobs that were run.
    pub jobs: u64,
    /// The largest share of its bound that a response took.
    pub tightest: f64,
    /// The largest share of the explained difference that lies outside of the simulations.
    pub outside: f64,
}

impl Summary {
    /// Returns the sets of one utilization, or all.
    pub fn of(rows: &[Row], sets: &[TaskSet], tenths: Option<u64>) -> Summary {
        let mut summary = Summary::default();
        for (row, set) in rows
            .iter()
            .zip(sets)
            .filter(|(_, set)| tenths.is_none_or(|tenths| set.tenths == tenths))
        {
            let configuration = (set.configuration as usize - 1) % 4;
            summary.sets[configuration] += 1;
            summary.schedulable[configuration] += u64::from(row.schedulable);
            summary.met += u64::from(row.misses() == 0);
            for task in &row.tasks {
                summary.jobs += task.jobs;
                let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
                let bounded = task.bound.map_or(0.0, |bound| share(task.observed, bound));
                summary.tightest = summary.tightest.max(bounded);
                summary.outside = summary.outside.max(share(task.outside(), task.kernel));
            }
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use fusee_model::costs::CostTable;

    use super::*;

    fn task() -> TaskRow {
        TaskRow {
            jobs: 10,
            misses: 0,
            observed: 105,
            bound: Some(150),
            ideal: 100,
            charged: 110,
            kernel: 8,
            others: Vec::new(),
        }
    }

    fn row(set: &TaskSet) -> Row {
        Row { set: set.name(), schedulable: true, tasks: vec![task(); 4] }
    }

    #[test]
    fn what_must_not_happen_is_found() {
        let set = TaskSet::all(1)[0];
        assert_eq!(row(&set).defects(), []);
        let with =
            |schedulable, task| Row { schedulable, tasks: vec![task], ..row(&set) }.defects();
        assert_eq!(with(true, TaskRow { bound: Some(104), ..task() }), [(0, Defect::Exceeded)]);
        assert_eq!(with(true, TaskRow { misses: 1, ..task() }), [(0, Defect::Missed)]);
        assert_eq!(with(false, TaskRow { misses: 1, ..task() }), []);
        for (observed, explained) in [(91, false), (92, true), (118, true), (119, false)] {
            let defects = with(true, TaskRow { observed, ..task() });
            assert_eq!(defects.is_empty(), explained, "{observed}");
        }
        // Another order of events that kernel times make explains as much as it shows.
        let others = vec![103, 131];
        assert_eq!(with(true, TaskRow { observed: 139, others: others.clone(), ..task() }), []);
        assert_eq!(
            with(true, TaskRow { observed: 140, others, ..task() }),
            [(0, Defect::Unexplained)]
        );
    }

    #[test]
    fn a_file_says_how_far_the_campaign_is() {
        let sets = &TaskSet::all(20)[..3];
        let origin = Origin::of(b"image", &CostTable::zero("sim"), "1");
        let head = origin.line().unwrap();
        let lines: Vec<String> = sets.iter().map(|set| row(set).line().unwrap()).collect();
        let whole = head.clone() + &lines.concat();
        for cut in 0..=whole.len() {
            let Finished { origin: found, rows, bytes } = finished(&whole[..cut], sets).unwrap();
            assert_eq!(found, (cut >= head.len()).then(|| origin.clone()));
            let kept =
                found.map_or(String::new(), |_| head.clone()) + &lines[..rows.len()].concat();
            assert_eq!(kept, whole[..bytes]);
            let next =
                if bytes == 0 { head.len() } else { lines.get(rows.len()).map_or(1, String::len) };
            assert!(cut < bytes + next, "{cut}: {bytes}");
        }
        // Another scale, another order, no result at all.
        assert!(finished(&whole, &TaskSet::all(1)[..3]).is_err());
        let other = OtherCampaign::OtherSet { line: 2, expected: sets[0].name() };
        assert_eq!(finished(&(head.clone() + &lines[1]), sets).unwrap_err(), other);
        assert!(finished(&(head + "{}\n"), sets).is_err());
        // Nothing that says what it was made with.
        for without in [&lines[0], "{}\n", "\n"] {
            assert_eq!(finished(without, sets).unwrap_err(), OtherCampaign::NoOrigin);
        }
    }

    #[test]
    fn summaries_count_by_configuration() {
        let sets = &TaskSet::all(1)[..8];
        let mut rows: Vec<Row> = sets.iter().map(row).collect();
        (rows[1].schedulable, rows[1].tasks[2].misses) = (false, 3);
        let all = Summary::of(&rows, sets, None);
        assert_eq!((all.sets, all.met, all.jobs), ([2, 2, 2, 2], 7, 320));
        assert_eq!(all.schedulable.iter().sum::<u64>(), 7);
        assert_eq!((all.tightest, all.outside), (0.7, 0.0));
        let some = Summary::of(&rows, sets, Some(sets[0].tenths));
        assert_eq!(some.sets, [1, 1, 1, 1]);
    }
}
