//! The busy window of a job in a run, and the kernel time in it.
//!
//! Two runs of the same jobs differ in what the kernel takes. How much later a job can be
//! over in one of them is what the kernel takes in the job's *busy window*: from the
//! last instant before its release at which no job of its priority or above was under
//! way, up to its end. Before that instant nothing was left to pass on. In the window
//! count the jobs of that priority or above with all their kernel paths, the releases of
//! all others, one job of each lower task that was under way (it can be raised), and one
//! path in progress.

use fusee_kernel::{Kind, Record};

/// One job of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// The task of the job.
    pub task: usize,
    /// Its nominal release, in nanoseconds.
    pub release: u64,
    /// When it was over, or the end of the run.
    pub end: u64,
}

impl Job {
    /// Returns the time from its release to its end.
    pub fn response(&self) -> u64 {
        self.end.saturating_sub(self.release)
    }
}

/// Returns all jobs of a run of so many tasks, task by task, from its records up to `elapsed`.
pub fn jobs(records: &[Record], tasks: usize, elapsed: u64) -> Vec<Job> {
    let mut under_way: Vec<Vec<u64>> = vec![Vec::new(); tasks];
    let mut jobs = Vec::new();
    for record in
        records.iter().filter(|record| record.time <= elapsed && record.thread.at() < tasks)
    {
        let task = record.thread.at();
        match record.kind {
            Kind::Release => under_way[task].push(record.value),
            Kind::Lose => drop(under_way[task].pop()),
            // It was under way when the run began.
            Kind::Complete if under_way[task].is_empty() => {}
            Kind::Complete => {
                jobs.push(Job { task, release: under_way[task].remove(0), end: record.time });
            }
            // An arrival that waits is under way from its release on.
            Kind::Queue | Kind::Defer | Kind::Miss | Kind::Fault | Kind::Abort => {}
            Kind::Enter | Kind::Block | Kind::Return | Kind::HandOver | Kind::Boost => {}
            Kind::Switch | Kind::Overrun | Kind::Suspend | Kind::Lend | Kind::Rotate => {}
            Kind::Signal | Kind::Wait | Kind::Wake => {}
            Kind::Post | Kind::Throttle => {}
            Kind::Ask | Kind::Turn | Kind::Take | Kind::LayDown | Kind::Finish => {}
            Kind::Retry => {}
        }
    }
    for (task, releases) in under_way.into_iter().enumerate() {
        jobs.extend(releases.into_iter().map(|release| Job {
            task,
            release,
            end: elapsed.max(release),
        }));
    }
    jobs.sort_by_key(|job| (job.task, job.release));
    jobs
}

/// The times that the kernel can take.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KernelTimes {
    /// Each task's priority.
    pub priorities: Vec<u8>,
    /// For one job of each task, all of its paths but the release.
    pub jobs: Vec<u64>,
    /// The time of one release.
    pub release: u64,
    /// The longest path that can be in progress.
    pub path: u64,
}

impl KernelTimes {
    /// Kernel time in the busy window that ends with a job; it is taken from the earliest begin in
    /// any of the runs.
    pub fn before(&self, job: &Job, runs: &[&[Job]]) -> u64 {
        let starts = runs.iter().map(|run| self.start(job, run));
        let (start, ends) =
            (starts.min().unwrap_or(job.release), runs.iter().map(|run| same(job, run)));
        let end = ends.max().unwrap_or(job.end).max(job.end);
        runs.iter().map(|run| self.within((start, end), job.task, run)).max().unwrap_or(0)
    }

    /// Returns the last instant up to the release of a job at which nothing of its priority or
    /// above was under way.
    fn start(&self, job: &Job, run: &[Job]) -> u64 {
        let own = self.priorities[job.task];
        let mut start = job.release;
        loop {
            let spans = |other: &&Job| {
                self.priorities[other.task] >= own && other.release < start && other.end >= start
            };
            match run.iter().filter(spans).map(|other| other.release).min() {
                Some(earlier) => start = earlier,
                None => return start,
            }
        }
    }

    fn within(&self, (start, end): (u64, u64), task: usize, run: &[Job]) -> u64 {
        let own = self.priorities[task];
        let mut raised = vec![false; self.jobs.len()];
        let mut sum = self.path;
        for job in run.iter().filter(|job| job.release <= end && job.end >= start) {
            let released = if job.release >= start { self.release } else { 0 };
            let is_lower = self.priorities[job.task] < own;
            let counts = !is_lower || !std::mem::replace(&mut raised[job.task], true);
            let paths = if counts { self.jobs[job.task] } else { 0 };
            sum = sum.saturating_add(released).saturating_add(paths);
        }
        sum
    }
}

/// When the same job was over in another run.
fn same(job: &Job, run: &[Job]) -> u64 {
    let same = run.iter().find(|other| (other.task, other.release) == (job.task, job.release));
    same.map_or(job.end, |other| other.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusee_kernel::ThreadIndex;

    fn times() -> KernelTimes {
        KernelTimes { priorities: vec![3, 2, 1], jobs: vec![10, 20, 40], release: 1, path: 5 }
    }

    fn job(task: usize, release: u64, end: u64) -> Job {
        Job { task, release, end }
    }

    #[test]
    fn records_become_jobs() {
        let record = |time, kind, thread, value| Record {
            time,
            kind,
            thread: ThreadIndex(thread),
            object: 0,
            value,
        };
        let records = [
            record(0, Kind::Release, 0, 0),
            record(7, Kind::Release, 0, 5),
            record(8, Kind::Complete, 0, 0),
            record(9, Kind::Release, 1, 9),
            record(10, Kind::Release, 0, 10),
            record(10, Kind::Lose, 0, 0),
            record(12, Kind::Release, 9, 0),
        ];
        assert_eq!(jobs(&records, 2, 20), [job(0, 0, 8), job(0, 5, 20), job(1, 9, 20)]);
    }

    #[test]
    fn a_window_begins_where_nothing_above_is_left() {
        let run =
            [job(0, 0, 4), job(0, 100, 110), job(0, 120, 125), job(1, 105, 121), job(2, 90, 130)];
        // The second task's job begins with the first's of 100, on which it waited; that of 0 is
        // long over.
        assert_eq!(times().start(&run[3], &run), 100);
        // Two jobs above, itself, three releases, the lower job that was under way, and a path.
        assert_eq!(times().before(&run[3], &[&run]), 10 + 10 + 20 + 3 + 40 + 5);
        // The highest waits for nobody, and only one lower job of each task can be raised.
        assert_eq!(times().before(&run[1], &[&run]), 10 + 1 + 20 + 1 + 40 + 5);
        // In another run it began earlier.
        let longer =
            [job(0, 0, 100), job(0, 100, 110), job(0, 120, 125), job(1, 105, 121), job(2, 90, 130)];
        assert!(times().before(&run[3], &[&run, &longer]) > times().before(&run[3], &[&run]));
    }
}
