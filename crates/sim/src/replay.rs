//! A run that was made elsewhere, from its records.
//!
//! A machine that boots writes the same records as the simulator's kernel, so
//! the simulator's ear hears them, too, and both runs are counted alike. On a
//! machine the cost of a kernel path is in the times already: none is added.
//! A machine may leave out the records of switches and gates; what they would
//! have told (blocking, preemptions, counts of gates) is then 0.

use crate::outcome::Reached;
use crate::watcher::{Passage, Watcher};
use crate::{Options, Outcome};
use fusee_kernel::{Kind, Object, Record, ThreadIndex};
use fusee_model::{Duration, System};

/// Returns the outcome that the records of a run on a machine show, up to `elapsed` after its
/// start.
///
/// Times in `records` count from the start of the run. Threads behind the system's tasks, and gates
/// and notifications behind the system's, are the machine's own: what they do is not counted, and
/// while they run no task does. The outcome's records are those that remain.
pub fn observe(system: &System, records: &[Record], elapsed: Duration) -> Outcome {
    let mut watcher = Watcher::new(system, &Options::default(), Passage::all_free(system));
    // A kernel that records only what a verdict needs leaves them out.
    watcher.observer.hide_signals();
    let mut replay =
        Replay { system, watcher, heard: Vec::with_capacity(records.len()), running: None, now: 0 };
    for record in records.iter().take_while(|record| record.time <= elapsed.ns()) {
        replay.take(*record);
    }
    replay.pass(elapsed.ns());
    let reached = Reached {
        now: elapsed.ns(),
        cores: Vec::new(),
        events: replay.heard.len() as u64,
        cut_short: false,
    };
    replay.watcher.observer.finish(reached, replay.heard)
}

struct Replay<'s> {
    system: &'s System,
    watcher: Watcher,
    heard: Vec<Record>,
    running: Option<usize>,
    now: u64,
}

impl Replay<'_> {
    fn take(&mut self, record: Record) {
        if record.time > self.now || !matches!(record.kind, Kind::Miss | Kind::Lose) {
            // A loss belongs to a release only if it follows at once: this is another event.
            self.watcher.take_cost(0);
        }
        self.pass(record.time);
        let task = record.thread.is_some() && record.thread.at() < self.system.tasks.len();
        if record.kind == Kind::Switch {
            self.running = task.then_some(record.thread.at());
            let thread = if task { record.thread } else { ThreadIndex::NONE };
            return self.hear(Record { thread, ..record });
        }
        if !task || !self.is_known(&record) {
            return;
        }
        match record.kind {
            Kind::Fault => {
                self.watcher.observer.faulted(record.thread.at());
                self.unwind(&record);
            }
            Kind::Abort => self.unwind(&record),
            // The watcher knows them from the simulator's kernel.
            Kind::Release
            | Kind::Queue
            | Kind::Lose
            | Kind::Defer
            | Kind::Complete
            | Kind::Miss => {}
            Kind::Enter | Kind::Block | Kind::Return | Kind::HandOver | Kind::Boost => {}
            Kind::Overrun | Kind::Suspend | Kind::Lend | Kind::Rotate | Kind::Switch => {}
            Kind::Signal | Kind::Wait | Kind::Wake => {}
            Kind::Post | Kind::Throttle => {}
            Kind::Ask | Kind::Turn | Kind::Take | Kind::LayDown | Kind::Finish => {}
            Kind::Retry => {}
        }
        self.hear(record);
    }

    /// A frame is removed, and with the last one the job ends.
    fn unwind(&mut self, record: &Record) {
        if self.at_home(record) {
            self.watcher.observer.ended(record.thread.at(), record.time);
        }
    }

    fn hear(&mut self, record: Record) {
        self.watcher.hear(0, &record);
        self.heard.push(record);
    }

    /// Lets time pass at the expense of the running thread.
    fn pass(&mut self, time: u64) {
        let passed = time.saturating_sub(self.now);
        self.now = self.now.max(time);
        if let Some(task) = self.running {
            self.watcher.observer.passed(task, true, passed);
        }
    }

    /// Returns `true` if the job itself ends, and not one of its invocations.
    fn at_home(&self, record: &Record) -> bool {
        let home = self.system.tasks[record.thread.at()].component;
        record.value == 0 && home.index() == usize::from(record.object)
    }

    /// Returns `true` if the gate of the record is one of the description's.
    fn is_known(&self, record: &Record) -> bool {
        record.kind.object() != Object::Gate || usize::from(record.object) < self.system.gates.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Recording, Releases, simulate};
    use fusee_generate::{Mix, case};

    #[test]
    fn a_run_observed_from_its_records_counts_the_same() {
        let duration = Duration(200_000);
        let recording = Recording::Window { from: Duration::ZERO, to: duration };
        let options =
            Options { duration, recording, releases: Releases::Synchronous, ..Options::default() };
        let mut jobs = 0;
        for index in 0..100 {
            let system = case(&Mix { costs: 0, ..Mix::default() }, 9, index).system;
            let simulated = simulate(&system, &options).unwrap();
            let observed = observe(&system, &simulated.records, simulated.elapsed);
            assert_eq!(observed.tasks, simulated.tasks, "case {index}");
            assert_eq!(observed.gates, simulated.gates, "case {index}");
            assert_eq!(observed.busy, simulated.busy, "case {index}");
            jobs += observed.tasks.iter().map(|task| task.jobs).sum::<u64>();
        }
        assert!(jobs > 100_000, "{jobs}");
    }
}
