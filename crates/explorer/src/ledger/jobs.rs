//! The calendar, and each thread's jobs.

use std::collections::VecDeque;

use fusee_kernel::{Kind, NEVER, Record, Release, Tables, Time};

use crate::rule::{Checked, Rule, ensure};
use crate::{Rules, Store, Transition};

/// One thread's jobs.
#[derive(Debug, Clone, Default)]
struct Task {
    /// The number of releases by the calendar.
    released: u64,
    /// From when on a sporadic arrival counts.
    earliest: Time,
    /// The number of jobs that wait for that.
    deferred: u16,
    /// The nominal arrival and the deadline of the job under way.
    active: Option<(Time, Time)>,
    /// The number of jobs that have begun.
    begun: u64,
    /// The miss of that deadline is recorded.
    missed: bool,
    /// Nominal arrivals of jobs that wait.
    queue: VecDeque<Time>,
    lost: u32,
}

/// All threads' jobs, and what must have been recorded of them in this step.
#[derive(Debug, Clone)]
pub(super) struct Jobs {
    tasks: Vec<Task>,
    /// When the calendar releases each.
    due: Vec<Time>,
    expected: Vec<(Kind, usize, u64)>,
}

impl Jobs {
    pub(super) fn start(tables: &Tables<'_>) -> Jobs {
        let tasks = vec![Task::default(); tables.threads.len()];
        let mut jobs = Jobs { due: vec![NEVER; tasks.len()], tasks, expected: Vec::new() };
        for thread in 0..jobs.tasks.len() {
            jobs.set_due(tables, thread);
        }
        jobs
    }

    fn set_due(&mut self, tables: &Tables<'_>, thread: usize) {
        let task = &self.tasks[thread];
        self.due[thread] = match tables.threads[thread].release {
            Release::Once { offset } if task.released == 0 => offset,
            Release::Periodic { period, offset } => {
                offset.saturating_add(period.saturating_mul(task.released))
            }
            Release::Sporadic { .. } if task.deferred > 0 => task.earliest,
            Release::Once { .. } | Release::Sporadic { .. } => NEVER,
        };
    }

    pub(super) fn is_active(&self, thread: usize) -> bool {
        self.tasks[thread].active.is_some()
    }

    /// Returns the deadline of the job under way.
    pub(super) fn deadline(&self, thread: usize) -> Option<Time> {
        self.tasks[thread].active.map(|(_, deadline)| deadline)
    }

    /// Returns the number of a thread's jobs that have begun.
    pub(super) fn begun(&self, thread: usize) -> u64 {
        self.tasks[thread].begun
    }

    pub(super) fn next_due(&self) -> Time {
        self.due.iter().copied().min().unwrap_or(NEVER)
    }

    /// The release that is due: of the earliest the first thread's.
    pub(super) fn take_due(&mut self, tables: &Tables<'_>, now: Time) -> Option<(usize, Time)> {
        let nominal = self.next_due();
        if nominal > now || nominal == NEVER {
            return None;
        }
        let thread = self.due.iter().position(|&due| due == nominal)?;
        let task = &mut self.tasks[thread];
        task.released += 1;
        if let Release::Sporadic { separation, .. } = tables.threads[thread].release {
            task.deferred -= 1;
            task.earliest = nominal.saturating_add(separation);
        }
        self.set_due(tables, thread);
        Some((thread, nominal))
    }

    /// A sporadic arrival: whether it counts now. If not, it waits until it does, or is lost.
    pub(super) fn counts_now(
        &mut self,
        tables: &Tables<'_>,
        thread: usize,
        now: Time,
        separation: Time,
    ) -> bool {
        let task = &mut self.tasks[thread];
        let early = task.deferred > 0 || now < task.earliest;
        if separation == 0 || !early {
            task.earliest = now.saturating_add(separation);
            return true;
        }
        if task.deferred < tables.backlog {
            task.deferred += 1;
            self.expected.push((Kind::Defer, thread, task.earliest));
        } else {
            task.lost += 1;
            self.expected.push((Kind::Lose, thread, 0));
        }
        self.set_due(tables, thread);
        false
    }

    /// An arrival that counts; whether its job begins at once.
    pub(super) fn arrive(
        &mut self,
        tables: &Tables<'_>,
        thread: usize,
        (now, nominal): (Time, Time),
        lost: bool,
    ) -> bool {
        self.expected.push((Kind::Release, thread, nominal));
        if !lost && !self.is_active(thread) {
            return true;
        }
        if !lost {
            self.miss_if_late(thread, now);
        }
        let task = &mut self.tasks[thread];
        if lost || task.queue.len() == usize::from(tables.backlog) {
            task.lost += 1;
            self.expected.push((Kind::Lose, thread, 0));
        } else {
            task.queue.push_back(nominal);
            self.expected.push((Kind::Queue, thread, task.queue.len() as u64));
        }
        false
    }

    pub(super) fn begin(&mut self, tables: &Tables<'_>, thread: usize, nominal: Time) {
        let deadline = nominal.saturating_add(tables.threads[thread].deadline);
        self.tasks[thread].active = Some((nominal, deadline));
        self.tasks[thread].missed = false;
        self.tasks[thread].begun += 1;
    }

    pub(super) fn complete(&mut self, thread: usize, now: Time) {
        if let Some((nominal, _)) = self.tasks[thread].active {
            self.expected.push((Kind::Complete, thread, now.saturating_sub(nominal)));
        }
    }

    /// The job ends; the nominal arrival of the next that waits. A thread without a home has no
    /// more.
    pub(super) fn end(&mut self, thread: usize, now: Time, dead: bool) -> Option<Time> {
        self.miss_if_late(thread, now);
        let task = &mut self.tasks[thread];
        task.active = None;
        if dead {
            task.queue.clear();
        }
        task.queue.pop_front()
    }

    /// A job is late after its deadline, not at it.
    fn miss_if_late(&mut self, thread: usize, now: Time) {
        let task = &mut self.tasks[thread];
        if let Some((_, deadline)) = task.active
            && deadline < now
            && !task.missed
        {
            task.missed = true;
            self.expected.push((Kind::Miss, thread, deadline));
        }
    }

    /// The records of jobs in this step are those that the ledger expects.
    pub(super) fn compare_records<P: Rules>(&mut self, step: &Transition<'_, P>) -> Checked {
        let expected = std::mem::take(&mut self.expected);
        let of_jobs =
            |record: &&Record| rule_of(step.tables, record.kind, record.thread.at()).is_some();
        let mut is = step.records.iter().filter(of_jobs);
        let mut due = expected.iter();
        loop {
            let (is, due) = (is.next(), due.next());
            let tell = |record: &Record| (record.kind, record.thread.at(), record.value);
            let same =
                is.map(tell).as_ref() == due && is.is_none_or(|record| record.time == step.now);
            let Some((kind, thread, _)) = due.copied().or(is.map(tell)) else { return Ok(()) };
            let rule = rule_of(step.tables, kind, thread).unwrap_or(Rule::Jobs);
            // What there is too much of is at fault, not what it stands before.
            let rule = is.filter(|is| is.kind == Kind::Miss).map_or(rule, |_| Rule::Misses);
            ensure(rule, same, || format!("{:?} is recorded, not {due:?}", is.map(tell)))?;
        }
    }

    pub(super) fn compare<P: Rules>(&self, tables: &Tables<'_>, store: &Store<P>) -> Checked {
        for (thread, task) in self.tasks.iter().enumerate() {
            let calendar = rule_of_releases(tables, thread);
            let (is, due) = (store.expiries[thread], self.due[thread]);
            ensure(calendar, is == due, || {
                format!("T{thread}'s next release is at {is}, not at {due}")
            })?;
            self.compare_sporadic(tables, store, thread)?;
            let state = &store.threads[thread];
            let backlog = usize::from(tables.backlog);
            let ring = (0..usize::from(state.queued)).map(|place| {
                let place = (usize::from(state.first) + place) % backlog.max(1);
                store.arrivals[thread * backlog + place]
            });
            ensure(
                Rule::Jobs,
                ring.eq(task.queue.iter().copied()) && state.lost == task.lost,
                || {
                    format!(
                        "of T{thread}, {} jobs wait and {} are lost, not {task:?}",
                        state.queued, state.lost
                    )
                },
            )?;
            let Some((nominal, deadline)) = task.active else { continue };
            let is = state.arrival;
            ensure(Rule::Responses, is == nominal, || {
                format!("T{thread}'s job is of {is}, not of {nominal}")
            })?;
            let (is, due) = (state.deadline, if task.missed { NEVER } else { deadline });
            ensure(Rule::Misses, is == due, || format!("T{thread}'s deadline is {is}, not {due}"))?;
        }
        let (is, due) = (store.cores[0].next, self.next_due());
        ensure(Rule::Calendar, is == due, || format!("the next release is at {is}, not at {due}"))
    }

    fn compare_sporadic<P: Rules>(
        &self,
        tables: &Tables<'_>,
        store: &Store<P>,
        thread: usize,
    ) -> Checked {
        let Release::Sporadic { separation: 1.., .. } = tables.threads[thread].release else {
            return Ok(());
        };
        let (state, task) = (&store.threads[thread], &self.tasks[thread]);
        let same = state.earliest == task.earliest && state.deferred == task.deferred;
        ensure(Rule::Separation, same, || {
            let (earliest, deferred) = (state.earliest, state.deferred);
            format!(
                "{deferred} arrivals of T{thread} wait for {earliest}, not {} for {}",
                task.deferred, task.earliest
            )
        })
    }
}

/// Returns the rule that a thread's releases keep.
fn rule_of_releases(tables: &Tables<'_>, thread: usize) -> Rule {
    match tables.threads.get(thread).map(|config| config.release) {
        Some(Release::Sporadic { .. }) => Rule::Separation,
        Some(Release::Once { .. } | Release::Periodic { .. }) | None => Rule::Calendar,
    }
}

/// Returns the rule that a record of jobs keeps; none: this ledger has no say in records of this
/// kind.
fn rule_of(tables: &Tables<'_>, kind: Kind, thread: usize) -> Option<Rule> {
    match kind {
        Kind::Release => Some(rule_of_releases(tables, thread)),
        Kind::Queue | Kind::Lose => Some(Rule::Jobs),
        Kind::Defer => Some(Rule::Separation),
        Kind::Complete => Some(Rule::Responses),
        Kind::Miss => Some(Rule::Misses),
        Kind::Switch | Kind::Rotate | Kind::Overrun | Kind::Suspend | Kind::Lend => None,
        Kind::Enter | Kind::Block | Kind::Return | Kind::HandOver | Kind::Boost => None,
        Kind::Fault | Kind::Abort | Kind::Signal | Kind::Wait | Kind::Wake => None,
        Kind::Ask | Kind::Turn | Kind::Take | Kind::LayDown | Kind::Finish => None,
        Kind::Post | Kind::Throttle => None,
        Kind::Retry => None,
    }
}
