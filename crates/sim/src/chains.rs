//! The results of a run for chains: times of changes, ages of data.
//!
//! Releases and completions tell when each job began and ended, not when its code read and
//! wrote in between. So each job is taken to have read right when it began, and its output
//! to be there when it is complete: whatever its code does, no change took longer to the end
//! of the chain, and no reading was older there. A signal releases or is deferred while its
//! emitter's job is under way, so which job sent it is known without a record of the signal. Where
//! others signal, too, that record must say who does; the task has at each job what the chain's
//! signals have brought last.
//! Changes count from when each task on the way has been released once: before that somebody
//! may wait for a task's beginning, which may be set as late as one likes. Nothing is known
//! here of bounds.

use fusee_model::{Chain, ChainLink, ChainStage, Duration, ReleaseKind, System};
use std::collections::VecDeque;

/// The results of a run for a chain.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChainOutcome {
    /// `true` if records can tell: not where a device, the end of a budget or another core signals
    /// an event of the chain, and on a machine not where several tasks do.
    pub observable: bool,
    /// Jobs at the end that used what had come through the chain.
    pub effects: u64,
    /// Changes outside that reached the end, those that came with a later one apart.
    pub reactions: u64,
    /// The longest time from a change to the end of the first job that had seen it.
    pub reaction_max: Duration,
    /// The instant of that change, and the end of that job.
    pub worst: Option<(Duration, Duration)>,
    /// The age of the oldest change under way when the run ended.
    pub oldest: Duration,
    /// The greatest age of what a job at the end used, when it ended.
    pub age_max: Duration,
    /// Reactions that took longer than allowed, one that was under way at the end among them.
    pub late: u64,
    /// Jobs at the end that used what was older than allowed.
    pub stale: u64,
}

/// A reading of the first task that travels on.
#[derive(Debug, Clone, Copy)]
struct Token {
    /// The number of the first task's job that made it.
    number: u64,
    /// The instant at which it was read.
    read: u64,
}

/// A job that was released and is not complete.
#[derive(Debug, Clone, Copy)]
struct Job {
    nominal: u64,
    /// The change that it read, or that its event brought.
    seen: Option<Token>,
}

/// A task of a chain.
#[derive(Debug, Default)]
struct Stage {
    task: usize,
    /// `true` if the task before it signals the event that releases it.
    triggered: bool,
    /// `true` if others signal that event, too.
    joined: bool,
    /// `true` if it has been released.
    begun: bool,
    jobs: VecDeque<Job>,
    /// The changes that signals bring which came too early; nothing, if they are not of the task
    /// before it.
    deferred: VecDeque<Option<Token>>,
    /// The change that signals of the task before it have brought last.
    brought: Option<Token>,
    output: Option<Token>,
}

/// A chain under observation.
#[derive(Debug)]
pub(crate) struct ChainWatch {
    stages: Vec<Stage>,
    observable: bool,
    /// `true` if the first task arrives by the clock, and a change outside may miss its reading.
    polls: bool,
    within: Option<u64>,
    age: Option<u64>,
    readings: u64,
    last_reading: Option<u64>,
    /// Changes under way: the first reading that has seen each, and when it came.
    changes: VecDeque<(u64, u64)>,
    outcome: ChainOutcome,
}

impl ChainWatch {
    pub(crate) fn of(system: &System, chain: &Chain) -> ChainWatch {
        let stages = chain.stages.iter().map(|stage| Stage {
            task: stage.task.index(),
            triggered: matches!(stage.link, ChainLink::Event(_)),
            joined: match stage.link {
                ChainLink::Event(event) => system.emitters(event).nth(1).is_some(),
                _ => false,
            },
            ..Stage::default()
        });
        let first = chain.stages.first().and_then(|stage| system.task(stage.task).release.as_ref());
        let unknown = |stage: &ChainStage| match stage.link {
            // A signal of another core may come when the job that has sent it is over.
            ChainLink::Event(event) => {
                let core = system.task(stage.task).core;
                system.emitters(event).any(|task| system.task(task).core != core)
                    || system.has_other_source(event)
            }
            _ => false,
        };
        let observable = !chain.stages.iter().any(unknown);
        ChainWatch {
            observable,
            stages: if observable { stages.collect() } else { Vec::new() },
            polls: first.is_some_and(|release| release.kind == ReleaseKind::Periodic),
            within: chain.within.map(|limit| limit.value.ns()),
            age: chain.age.map(|limit| limit.value.ns()),
            readings: 0,
            last_reading: None,
            changes: VecDeque::new(),
            outcome: ChainOutcome::default(),
        }
    }

    /// Says that no signals are recorded, so that it is not known which of several tasks has sent
    /// one.
    pub(crate) fn hide_signals(&mut self) {
        if self.stages.iter().any(|stage| stage.joined) {
            (self.observable, self.stages) = (false, Vec::new());
        }
    }

    fn place(&self, task: usize) -> Option<usize> {
        self.stages.iter().position(|stage| stage.task == task)
    }

    /// A signal of some task came too early for its task.
    pub(crate) fn deferred(&mut self, task: usize, by: Option<usize>) {
        if let Some(at) = self.place(task).filter(|&at| self.stages[at].triggered) {
            let token = self.sent(at, by);
            self.stages[at].deferred.push_back(token);
        }
    }

    /// Returns the change that a signal brings: the one that the job under way of the task before
    /// has seen.
    fn sent(&self, at: usize, by: Option<usize>) -> Option<Token> {
        let (before, joined) = (&self.stages[at - 1], self.stages[at].joined);
        let job = before.jobs.front().filter(|_| !joined || by == Some(before.task));
        job.and_then(|job| job.seen)
    }

    /// A job was released, by the signal of some task if it is one that events release.
    pub(crate) fn released(&mut self, task: usize, (nominal, now): (u64, u64), by: Option<usize>) {
        let Some(at) = self.place(task) else { return };
        let seen = match self.stages[at].triggered {
            true => {
                let token = match self.stages[at].deferred.pop_front() {
                    Some(token) => token,
                    None => self.sent(at, by),
                };
                let brought = token.or(self.stages[at].brought);
                self.stages[at].brought = brought;
                brought
            }
            false => None,
        };
        self.stages[at].begun = true;
        self.stages[at].jobs.push_back(Job { nominal, seen });
        if self.stages[at].jobs.len() == 1 {
            self.begin(at, now);
        }
    }

    /// The release just told of was dropped.
    pub(crate) fn lost(&mut self, task: usize) {
        if let Some(at) = self.place(task) {
            self.stages[at].jobs.pop_back();
        }
    }

    /// The job that is next may execute from now on.
    fn begin(&mut self, at: usize, now: u64) {
        let Some(job) = self.stages[at].jobs.front().copied() else { return };
        let seen = match at {
            0 => Some(self.read(job, now)),
            _ if self.stages[at].triggered => job.seen,
            _ => self.stages[at - 1].output,
        };
        if let Some(job) = self.stages[at].jobs.front_mut() {
            job.seen = seen;
        }
    }

    /// The first task reads outside, or has been told of a change there.
    fn read(&mut self, job: Job, now: u64) -> Token {
        let read = if self.polls { now } else { job.nominal };
        self.readings += 1;
        // Who is released by an event does not wait for a beginning.
        if !self.stages.iter().all(|stage| stage.begun || stage.triggered) {
            return Token { number: self.readings, read };
        }
        let change = if self.polls { self.last_reading.replace(read) } else { Some(read) };
        self.changes.extend(change.map(|change| (self.readings, change)));
        Token { number: self.readings, read }
    }

    /// The job under way is complete.
    pub(crate) fn completed(&mut self, task: usize, now: u64) {
        let Some(at) = self.place(task) else { return };
        let Some(job) = self.stages[at].jobs.pop_front() else { return };
        self.stages[at].output = job.seen;
        if let Some(token) = job.seen.filter(|_| at + 1 == self.stages.len()) {
            self.ended_with(token, now);
        }
        self.begin(at, now);
    }

    /// The job under way is over without being complete.
    pub(crate) fn crashed(&mut self, task: usize, now: u64) {
        if let Some(at) = self.place(task) {
            self.stages[at].jobs.pop_front();
            self.begin(at, now);
        }
    }

    /// A job at the end is complete that has used a reading.
    fn ended_with(&mut self, token: Token, now: u64) {
        let outcome = &mut self.outcome;
        outcome.effects += 1;
        let age = now.saturating_sub(token.read);
        outcome.age_max = outcome.age_max.max(Duration(age));
        outcome.stale += u64::from(self.age.is_some_and(|limit| age > limit));
        let seen = self.changes.iter().take_while(|(number, _)| *number <= token.number).count();
        let Some((_, change)) = self.changes.drain(..seen).next() else { return };
        let reaction = now.saturating_sub(change);
        outcome.reactions += 1;
        outcome.late += u64::from(self.within.is_some_and(|limit| reaction > limit));
        if outcome.worst.is_none() || Duration(reaction) > outcome.reaction_max {
            outcome.reaction_max = Duration(reaction);
            outcome.worst = Some((Duration(change), Duration(now)));
        }
    }

    /// Returns the results when the run ends.
    pub(crate) fn finish(self, now: u64) -> ChainOutcome {
        let mut outcome = ChainOutcome { observable: self.observable, ..self.outcome };
        let oldest = self.changes.front().map_or(0, |&(_, change)| now.saturating_sub(change));
        outcome.oldest = Duration(oldest);
        outcome.late += u64::from(self.within.is_some_and(|limit| oldest > limit));
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(task: usize, triggered: bool) -> Stage {
        Stage { task, triggered, ..Stage::default() }
    }

    fn watch(stages: Vec<Stage>, polls: bool) -> ChainWatch {
        ChainWatch {
            observable: true,
            stages,
            polls,
            within: Some(20),
            age: Some(15),
            readings: 0,
            last_reading: None,
            changes: VecDeque::new(),
            outcome: ChainOutcome::default(),
        }
    }

    #[test]
    fn a_change_that_just_misses_a_reading_counts_from_it() {
        // Task 0 reads at 0 and 10, task 1 samples at 5 and 15, and has sampled before.
        let mut chain = watch(vec![stage(0, false), stage(1, false)], true);
        chain.released(1, (0, 0), Some(0));
        chain.completed(1, 0);
        chain.released(0, (0, 0), Some(0));
        chain.completed(0, 2);
        chain.released(1, (5, 5), Some(0));
        chain.completed(1, 6);
        chain.released(0, (10, 10), Some(0));
        chain.completed(0, 14);
        chain.released(1, (15, 15), Some(0));
        chain.completed(1, 18);
        let seen = chain.finish(19);
        // The change right behind the reading at 0 is seen at 10 and at the end at 18.
        assert_eq!(
            (seen.reactions, seen.reaction_max, seen.worst),
            (1, Duration(18), Some((Duration(0), Duration(18))))
        );
        assert_eq!((seen.effects, seen.age_max), (2, Duration(8)));
        assert_eq!((seen.late, seen.stale, seen.oldest), (0, 0, Duration(0)));
    }

    #[test]
    fn nothing_counts_before_all_have_begun() {
        // Task 0 reads at 0 and 10, and task 1 samples at 50 for the first time.
        let mut chain = watch(vec![stage(0, false), stage(1, false)], false);
        for read in [0, 10] {
            chain.released(0, (read, read), Some(0));
            chain.completed(0, read + 1);
        }
        chain.released(1, (50, 50), Some(0));
        chain.released(0, (51, 51), Some(0));
        chain.completed(1, 52);
        chain.completed(0, 53);
        chain.released(1, (60, 60), Some(0));
        chain.completed(1, 62);
        let seen = chain.finish(70);
        assert_eq!(
            (seen.reactions, seen.reaction_max, seen.oldest),
            (1, Duration(11), Duration(0))
        );
    }

    #[test]
    fn what_came_too_early_keeps_what_it_brings_and_waits() {
        // Both jobs of task 0 signal; the second signal is deferred until 12.
        let mut chain = watch(vec![stage(0, false), stage(1, true)], false);
        chain.released(0, (1, 1), Some(0));
        chain.released(1, (2, 2), Some(0));
        chain.completed(0, 3);
        chain.released(0, (4, 4), Some(0));
        chain.deferred(1, Some(0));
        chain.completed(0, 5);
        chain.completed(1, 6);
        chain.released(0, (9, 9), Some(0));
        chain.released(1, (12, 12), Some(0));
        chain.completed(1, 30);
        let seen = chain.finish(31);
        assert_eq!(
            (seen.reactions, seen.reaction_max, seen.age_max),
            (2, Duration(26), Duration(26))
        );
        assert_eq!(
            (seen.late, seen.stale, seen.oldest),
            (2, 1, Duration(22)),
            "the third is under way since 9"
        );
    }

    #[test]
    fn a_signal_of_another_task_brings_nothing_new() {
        // Task 0 signals at 2 and 12, task 7 in between: what came at 2 is used again.
        let joined = Stage { joined: true, ..stage(1, true) };
        let mut chain = watch(vec![stage(0, false), joined], false);
        chain.released(0, (1, 1), None);
        chain.released(1, (2, 2), Some(0));
        chain.completed(0, 3);
        chain.completed(1, 5);
        chain.released(1, (8, 8), Some(7));
        chain.completed(1, 9);
        chain.released(0, (11, 11), None);
        chain.deferred(1, Some(7));
        chain.deferred(1, Some(0));
        chain.completed(0, 13);
        chain.released(1, (13, 13), None);
        chain.completed(1, 15);
        chain.released(1, (16, 16), None);
        chain.completed(1, 17);
        let seen = chain.finish(18);
        assert_eq!((seen.effects, seen.age_max), (4, Duration(14)));
        assert_eq!((seen.reactions, seen.reaction_max), (2, Duration(6)));
    }

    #[test]
    fn crashed_jobs_write_nothing() {
        let mut chain = watch(vec![stage(0, false), stage(1, false)], true);
        chain.released(0, (0, 0), Some(0));
        chain.crashed(0, 1);
        chain.released(1, (5, 5), Some(0));
        chain.completed(1, 6);
        let seen = chain.finish(7);
        assert_eq!((seen.effects, seen.reactions), (0, 0));
    }
}
