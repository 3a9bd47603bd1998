//! Mutexes and semaphores that are held for an unknown time, as diagnostics.

use fusee_model::{ComponentId, InterfaceKind, LockKind, TaskId};

use super::super::message::Message;
use super::Unbounded;
use crate::body::BodyRef;
use crate::rules;

/// Returns the message about a component's lock that several threads may ask for: its position in
/// the component, the most urgent task that asks, and a body whose calls are not listed.
pub(super) fn unknown(
    at: Unbounded<'_>,
    (component, lock): (ComponentId, usize),
    user: TaskId,
    unlisted: Option<BodyRef>,
) -> Message {
    let component = at.system.component(component);
    let lock = &component.code.locks[lock];
    let text = format!("how long `{}` is held in `{}` is unknown", lock.name, component.name);
    let message = at
        .message(&rules::LOCK, text, (lock.origin, "several threads may ask for it"))
        .note(format!("`{}` is the most urgent of them", at.name(user)));
    // A list of calls would not help a semaphore: nobody holds it, so a wait for it has no bound.
    let message = match unlisted.filter(|_| lock.kind == LockKind::Mutex) {
        Some(body) => message.place(
            at.places,
            body.origin(at.system),
            format!("`{}` does not list its `calls`", body.name(at.system)),
        ),
        None => message,
    };
    let consumes = |kind| matches!(kind, InterfaceKind::Consumes(Some(_)));
    let message = match component.interfaces.iter().any(|of| consumes(of.kind)) {
        true => message.note(
            "an event counts as a thread: the component's code may register a callback for it",
        ),
        false => message,
    };
    match lock.kind {
        LockKind::Mutex => message.note(format!(
            "`\"lock {0}\", \"20 us\", \"unlock {0}\"` in a list of calls says that it is held for \
             20 us",
            lock.name
        )),
        LockKind::Semaphore | LockKind::BinarySemaphore => message.note(
            "nobody holds a semaphore, so nothing bounds the wait; a mutex in `calls` has a bound",
        ),
    }
}
