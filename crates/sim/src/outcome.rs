//! The results of a run.

use crate::{ChainOutcome, Histogram};
use fusee_kernel::Record;
use fusee_model::Duration;

/// The results of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// For each task of the system, in its order.
    pub tasks: Vec<TaskOutcome>,
    /// For each gate of the system, in its order; direct gates are not counted.
    pub gates: Vec<GateOutcome>,
    /// For each chain of the system, in its order.
    pub chains: Vec<ChainOutcome>,
    /// Kernel events: releases, completions, invocations, returns, signals, waits, timers.
    pub events: u64,
    /// Calls that were answered with an error, and the caller went on; some may be of no known
    /// task.
    pub refused: u64,
    /// Virtual time that passed.
    pub elapsed: Duration,
    /// Time in which some thread executed, all cores together.
    pub busy: Duration,
    /// Time in the kernel, by the cost table, all cores together.
    pub kernel: Duration,
    /// Cores that executed at the same time.
    pub cores: u32,
    /// `true` if `most_events` ended the run.
    pub cut_short: bool,
    /// The kernel's records, as far as [`Options::recording`](crate::Options::recording) asks.
    pub records: Vec<Record>,
}

impl Outcome {
    /// The same where times mean nothing: without deadlines missed, responses and waiting times,
    /// and without the releases that only lateness has lost.
    pub fn without_times(mut self) -> Outcome {
        for task in &mut self.tasks {
            (task.misses, task.lost, task.overruns) = (0, 0, 0);
            (task.oldest, task.blocking_max) = (Duration::ZERO, Duration::ZERO);
            task.responses = Responses::default();
        }
        for gate in &mut self.gates {
            gate.longest_wait = Duration::ZERO;
        }
        self.chains.clear();
        self
    }

    /// Share of all cores' time in which a thread or the kernel executed, in parts per million.
    pub fn utilisation_ppm(&self) -> u64 {
        let used = u128::from(self.busy.ns()) + u128::from(self.kernel.ns());
        let all = u128::from(self.elapsed.ns()) * u128::from(self.cores.max(1));
        (used * 1_000_000).checked_div(all).map_or(0, |ppm| ppm as u64)
    }

    /// Jobs of all tasks that ended otherwise than by completing.
    pub fn crashed(&self) -> u64 {
        self.tasks.iter().map(|task| task.crashed).sum()
    }

    /// Jobs of all tasks that had been released and were not complete at the end.
    pub fn unfinished(&self) -> u64 {
        self.tasks.iter().map(|task| task.unfinished).sum()
    }

    /// Deadlines missed by all tasks together.
    pub fn misses(&self) -> u64 {
        self.tasks.iter().map(|task| task.misses).sum()
    }
}

/// The results of a run for a task.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaskOutcome {
    /// The number of jobs completed.
    pub jobs: u64,
    /// Jobs that completed after their deadline, or had not completed when it passed.
    pub misses: u64,
    /// Releases that the kernel dropped because too many were waiting; each is a miss, too.
    pub lost: u64,
    /// Releases that the kernel told of, those that it dropped among them.
    pub released: u64,
    /// Jobs that had been released and were not complete at the end.
    pub unfinished: u64,
    /// Jobs that ended otherwise than by completing: by a fault, or with their component.
    pub crashed: u64,
    /// Faults of the task's thread, wherever it was.
    pub faults: u64,
    /// Calls of the task's thread that were answered with an error, as far as they are known to be
    /// its own.
    pub refused: u64,
    /// The age of the oldest of them, from its nominal arrival.
    pub oldest: Duration,
    /// Response times of all completed jobs, from their nominal arrivals.
    pub responses: Responses,
    /// Longest time for which lower-priority threads executed while a job was under way.
    pub blocking_max: Duration,
    /// The number of times that a job lost the core before it was done and without waiting.
    pub preemptions: u64,
    /// Budgets that ended before their job.
    pub overruns: u64,
    /// Longest time for which code was executed in one job, complete or not, the kernel's share on
    /// a machine included. 0 where the records do not tell the running thread.
    pub execution_max: Duration,
    /// Arrivals that came earlier than the period after the one before, and had to wait.
    pub early: u64,
}

/// Response times of completed jobs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Responses {
    /// The longest time.
    pub longest: Duration,
    /// The sum of all; divide by the jobs for the mean.
    pub sum: u128,
    /// The distribution of the times.
    pub histogram: Histogram,
    /// Nominal arrival and completion of the job that took longest.
    pub worst: Option<(Duration, Duration)>,
}

impl TaskOutcome {
    /// Returns the longest response time seen, the time of a job that was under way at the end
    /// included.
    pub fn latest(&self) -> Duration {
        self.responses.longest.max(self.oldest)
    }

    /// Mean response time, rounded down; nothing when no job completed.
    pub fn response_mean(&self) -> Option<Duration> {
        self.responses.sum.checked_div(u128::from(self.jobs)).map(|mean| Duration(mean as u64))
    }
}

/// The results of a run for a gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GateOutcome {
    /// The number of invocations.
    pub invocations: u64,
    /// Invocations that had to wait.
    pub contended: u64,
    /// Longest wait for the gate.
    pub longest_wait: Duration,
}

/// The instant that a run reached.
#[derive(Debug, Clone)]
pub(crate) struct Reached {
    pub(crate) now: u64,
    /// The instant that each core reached; one that is left out, as far as the run.
    pub(crate) cores: Vec<u64>,
    pub(crate) events: u64,
    pub(crate) cut_short: bool,
}
