//! Waits for events in the middle of a job, and how long they last.
//!
//! A job that waits is suspended: what is said of jobs that wait suspended (module `suspension`)
//! holds of it, with the wait's length as the time in which it is. A signal that has come before
//! stays, so a wait ends with the next that comes, or has none. Two things bound when one does:
//!
//! - *By the clock.* A periodic task whose every job signals has one that arrives within a period
//!   T, whenever the wait begins, and it signals within its response R: T + R.
//! - *As an answer.* The job itself has signalled since it last waited for the event, and that
//!   releases a task whose every job signals it: that comes within D + R of the job's own signal, D
//!   being how long the kernel defers the release (module `event_arrivals`). No wait but this one
//!   can have used up the answer.
//!
//! Either goes on over further tasks that release each other, with D + R for each. All signals stay
//! on one core, or the kernels cost nothing. Nobody else may wait for the event, and the wait is in
//! the task's own body: who waits inside a gate keeps others out for as long.

use fusee_model::derived::Derived;
use fusee_model::{Body, Duration, NotificationId, Policy, ReleaseKind, Step, System, TaskId};

use crate::bound::EventPart;
use crate::event_arrivals::EventArrivals;
use crate::obstacle::Obstacle;

/// So many tasks are followed that release each other.
const DEEPEST: usize = 6;

/// A wait in a task's own body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EventWait {
    pub(crate) event: NotificationId,
    /// Ways on which its signal comes; at least one.
    ways: Vec<Way>,
}

/// Tasks each of which releases the next; the last one signals the event.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Way {
    /// Whether the first arrives by the clock; else the job that waits has signalled it.
    by_clock: bool,
    tasks: Vec<TaskId>,
}

/// The waits of each task of a system, none for those of which one has no bound.
pub(crate) fn all(system: &System, derived: &Derived, is_free: bool) -> Vec<Vec<EventWait>> {
    let waits = Finder { system, derived, is_free };
    system.task_ids().map(|(id, _)| waits.of_task(id).unwrap_or_default()).collect()
}

struct Finder<'a> {
    system: &'a System,
    derived: &'a Derived,
    /// Whether the kernels cost nothing.
    is_free: bool,
}

fn is_wait(step: &Step) -> bool {
    matches!(step, Step::Wait(_))
}

impl Finder<'_> {
    fn of_task(&self, id: TaskId) -> Option<Vec<EventWait>> {
        let task = self.system.task(id);
        let by_priority = self.system.policy_on(task.core) == Policy::FixedPriority;
        let gates = &self.derived.task(id).gates;
        let methods = gates.iter().flat_map(|&gate| &self.system.gate(gate).methods);
        let mut inside = methods.flat_map(|method| &method.body.steps);
        if !by_priority || !self.system.schedulers.is_empty() || inside.any(is_wait) {
            return None;
        }
        let steps = task.body.steps.iter().enumerate();
        let waits = steps.filter_map(|(at, step)| match *step {
            Step::Wait(event) => Some(self.wait(id, at, event)),
            _ => None,
        });
        waits.collect()
    }

    fn wait(&self, waiter: TaskId, at: usize, event: NotificationId) -> Option<EventWait> {
        if self.waited_by(event).any(|body| body != &self.system.task(waiter).body) {
            return None;
        }
        let before = &self.system.task(waiter).body.steps[..at];
        let since = before.iter().rposition(|step| *step == Step::Wait(event));
        let asked = &before[since.map_or(0, |last| last + 1)..];
        let mut ways = Vec::new();
        self.follow(event, (waiter, asked), &mut Vec::new(), &mut ways);
        (!ways.is_empty()).then_some(EventWait { event, ways })
    }

    /// Bodies that wait for an event.
    fn waited_by(&self, event: NotificationId) -> impl Iterator<Item = &Body> {
        let methods = self.system.gates.iter().flat_map(|gate| &gate.methods);
        let bodies = methods.map(|method| &method.body);
        let bodies = bodies.chain(self.system.tasks.iter().map(|task| &task.body));
        bodies.filter(move |body| body.steps.contains(&Step::Wait(event)))
    }

    /// Goes back from an event over those who signal it in each of their jobs.
    fn follow(
        &self,
        event: NotificationId,
        (waiter, asked): (TaskId, &[Step]),
        behind: &mut Vec<TaskId>,
        ways: &mut Vec<Way>,
    ) {
        if behind.len() == DEEPEST {
            return;
        }
        if !behind.is_empty() && asked.contains(&Step::Emit(event)) {
            let tasks = behind.iter().rev().copied().collect();
            ways.push(Way { by_clock: false, tasks });
        }
        for emitter in self.system.emitters(event) {
            let always = self.system.emissions(emitter, event).is_some_and(|all| all.least > 0);
            let near = self.is_free || self.core(emitter) == self.core(waiter);
            if !always || !near || emitter == waiter || behind.contains(&emitter) {
                continue;
            }
            behind.push(emitter);
            match self.system.task(emitter).release.as_ref().map(|release| release.kind) {
                Some(ReleaseKind::Periodic) => {
                    let tasks = behind.iter().rev().copied().collect();
                    ways.push(Way { by_clock: true, tasks });
                }
                Some(ReleaseKind::Notification(before)) => {
                    self.follow(before, (waiter, asked), behind, ways);
                }
                Some(ReleaseKind::Sporadic) | None => {}
            }
            behind.pop();
        }
    }

    fn core(&self, task: TaskId) -> u32 {
        self.system.task(task).core
    }
}

impl EventWait {
    /// How long it lasts at most, and whose signal ends it then, if jobs are over as supposed.
    ///
    /// # Errors
    /// Why nobody knows: of the last way, if there are several.
    pub(crate) fn longest(&self, arrivals: &EventArrivals<'_>) -> Result<EventPart, Obstacle> {
        let mut least: Result<EventPart, Obstacle> = Err(Obstacle::NoEnd);
        for way in &self.ways {
            let Some(&task) = way.tasks.last() else { continue };
            let part = |time| EventPart { task, event: self.event, time: Duration(time) };
            let known = way.longest(arrivals).map(part);
            let shorter = |part: EventPart| least.is_ok_and(|least| part.time < least.time);
            if least.is_err() || known.is_ok_and(shorter) {
                least = known;
            }
        }
        least
    }
}

impl Way {
    fn longest(&self, arrivals: &EventArrivals<'_>) -> Result<u64, Obstacle> {
        let mut sum = 0_u64;
        for (at, &task) in self.tasks.iter().enumerate() {
            let before = match (&arrivals.system().task(task).release, self.by_clock && at == 0) {
                // Who begins later than a period comes for the first time then.
                (Some(release), true) => Some(release.period.value.max(release.offset).ns()),
                _ => arrivals.deferral(task),
            };
            let response = arrivals.response(task)?;
            let all = before.and_then(|before| sum.checked_add(before)?.checked_add(response));
            sum = all.ok_or(Obstacle::NoEnd)?;
        }
        Ok(sum)
    }
}
