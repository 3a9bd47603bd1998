//! The largest parts of a bound, with their places.

use fusee_model::{Algorithm, Duration, Origin, Scheduler, System, TaskId};

use crate::body::BodyRef;
use crate::bound::{BlockingPart, EventPart, Interference, TaskBound, WaitingPart};

/// A part of a bound, told as a cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// The part of the busy window that it takes.
    pub time: Duration,
    /// A text that names the cause.
    pub text: String,
    /// The place of the cause in the description.
    pub origin: Origin,
}

/// Returns the largest parts of a task's bound, longest first, at most `most`; empty without a
/// bound.
pub fn causes(system: &System, task: &TaskBound, most: usize) -> Vec<Cause> {
    let Ok(bound) = &task.bound else { return Vec::new() };
    let described = system.task(task.task);
    // A cause points at the number that would have to change, and at the task where none is
    // written.
    let own_origin = described.body.wcet_origin.unwrap_or(described.origin);
    let own = Cause {
        time: bound.own,
        text: format!("its own execution takes {}", bound.own),
        origin: own_origin,
    };
    let kernel = Cause {
        time: bound.kernel,
        text: format!("the kernel takes {}", bound.kernel),
        origin: described.origin,
    };
    let withheld = Cause {
        time: bound.withheld,
        text: withheld(system, task.task, bound.withheld),
        origin: system.scheduler_of(task.task).map_or(described.origin, |own| {
            let thread = own.threads.iter().find(|thread| thread.value == task.task);
            thread.map_or(described.origin, |thread| thread.origin)
        }),
    };
    let jitter = described.release.as_ref().map_or(described.origin, |r| r.jitter.origin);
    let jitter = Cause {
        time: bound.jitter,
        text: format!("its release may be {} late", bound.jitter),
        origin: jitter,
    };
    let interference = bound.interference.iter().map(|part| interference(system, part));
    let blocking = bound.blocking.iter().map(|part| blocking(system, part));
    let waiting = bound.waiting.iter().map(|part| waiting(system, part));
    let suspended = bound.suspension.iter().map(|part| suspended(system, part));
    let calls = BodyRef::Task(task.task).calls_origin(system);
    let events = bound.events.iter().map(|part| awaited(system, calls, part));
    let others = interference.chain(blocking).chain(waiting).chain(suspended).chain(events);
    let mut all: Vec<Cause> =
        [own].into_iter().chain(others).chain([kernel, withheld, jitter]).collect();
    all.retain(|cause| cause.time > Duration::ZERO);
    // The sort is stable, so that causes of equal length come in the same order each time.
    all.sort_by_key(|cause| std::cmp::Reverse(cause.time));
    all.truncate(most);
    all
}

/// Returns the reason for which a thread has nothing of the core for so long.
fn withheld(system: &System, task: TaskId, time: Duration) -> String {
    let serves = |own: &Scheduler| own.algorithm == Algorithm::DeferrableServer;
    match system.scheduler_of(task).filter(|own| serves(own)) {
        Some(own) => {
            let name = &system.task(own.task).name;
            format!("nothing may be left of what `{name}` has for {time}")
        }
        None => format!("others have the core for {time} by a table of slots"),
    }
}

fn interference(system: &System, part: &Interference) -> Cause {
    let task = system.task(part.task);
    let jobs = if part.jobs == 1 { "one job".to_owned() } else { format!("{} jobs", part.jobs) };
    let text = format!("`{}` takes {} with {jobs}", task.name, part.time);
    Cause { time: part.time, text, origin: task.body.wcet_origin.unwrap_or(task.origin) }
}

fn blocking(system: &System, part: &BlockingPart) -> Cause {
    let (task, gate) = (system.task(part.task), system.gate(part.gate));
    let text = format!("`{}` takes {} inside `{}`", task.name, part.time, gate.name);
    let text = match part.times {
        1 => text,
        times => format!("{text}, {times} times, as after each suspension"),
    };
    let text = match part.waiting {
        Duration::ZERO => text,
        waiting => format!("{text}, {waiting} of it waiting for other cores"),
    };
    Cause { time: part.time, text, origin: part.origin }
}

fn waiting(system: &System, part: &WaitingPart) -> Cause {
    let (task, gate) = (system.task(part.task), system.gate(part.gate));
    let times = if part.requests == 1 {
        "one request waits".to_owned()
    } else {
        format!("{} requests wait", part.requests)
    };
    let text = format!(
        "{times} {} at `{}` for `{}` on core {}",
        part.time, gate.name, task.name, task.core
    );
    Cause { time: part.time, text, origin: gate.protocol.origin }
}

fn awaited(system: &System, origin: Origin, part: &EventPart) -> Cause {
    let (task, event) = (system.task(part.task), &system.notifications[part.event.index()]);
    let text = format!("it waits {} for `{}` of `{}`", part.time, event.name, task.name);
    Cause { time: part.time, text, origin }
}

fn suspended(system: &System, part: &WaitingPart) -> Cause {
    let (task, gate) = (system.task(part.task), system.gate(part.gate));
    let sections = match part.requests {
        1 => "one section".to_owned(),
        sections => format!("{sections} sections"),
    };
    let text = format!(
        "it is suspended for {} at `{}` by {sections} of `{}` on core {}",
        part.time, gate.name, task.name, task.core
    );
    Cause { time: part.time, text, origin: gate.protocol.origin }
}
