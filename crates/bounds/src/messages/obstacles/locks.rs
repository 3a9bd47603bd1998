//! The obstacles to bounds for users of lock components, as diagnostics.

use fusee_model::{ComponentId, Gate, GateId, Origin, System};

use super::super::message::Message;
use super::Unbounded;
use crate::lock_order::{Held, LockDisorder, LockNumber, LockTaken};
use crate::obstacle::LockMisfit;
use crate::rules;

/// Returns the message about a component that lets threads sleep for as long as it likes.
pub(super) fn sleep(at: Unbounded<'_>, component: ComponentId) -> Message {
    let component = at.system.component(component);
    let text = format!(
        "`{}` lets threads sleep on each other's account, for as long as its code likes",
        component.name
    );
    at.message(&rules::SLEEP, text, (component.origin, "it has `dependencies`"))
}

/// Returns a use of a lock component for which no theorem is known.
pub(super) fn misfit(at: Unbounded<'_>, component: ComponentId, why: LockMisfit) -> Message {
    let Unbounded { system, places, .. } = at;
    let component = system.component(component);
    let name = &component.name;
    let message = |text: String| Message::new(&rules::SLEEP, text);
    let lists = "a list says it: `\"lock locks.0\", \"20 us\", \"unlock locks.0\"`, with the \
                 client's interface and the lock's number";
    match why {
        LockMisfit::Exclusive => {
            message(format!("only one thread gets into `{name}`, and threads sleep there"))
                .place(places, component.origin, "a lock component".to_owned())
                .note("make its interfaces `propagated`")
        }
        LockMisfit::Unlisted(body) => {
            let body_name = body.name(system);
            message(format!("`{body_name}` asks for locks, and it is unknown when it has which"))
                .place(places, body.calls_origin(system), "no `lock` for a call here".to_owned())
                .note(lists)
        }
        LockMisfit::Signals(body) => {
            let text = format!(
                "`{}` signals while somebody has a lock of a component, or waits for a signal",
                body.name(system)
            );
            message(text)
                .place(places, body.calls_origin(system), "in a section".to_owned())
                .note("signal behind `unlock`")
        }
        LockMisfit::Nested(wrong) => nested(at, wrong),
        LockMisfit::Suspends(body, gate) => {
            let gate = system.gate(gate);
            let text = format!(
                "`{}` waits for an event within `{}`, and who has a lock may wait for that",
                body.name(system),
                gate.name
            );
            message(text)
                .place(places, body.calls_origin(system), "here".to_owned())
                .note(format!("make `{}` `propagated`, or go there without a lock", gate.name))
        }
        LockMisfit::Budget(task) => {
            let task = system.task(task);
            message(format!("`{}` may be suspended while it has a lock", task.name))
                .place(places, task.origin, "its budget may end".to_owned())
                .note("let the budget's end be recorded instead: `overrun = \"continue\"`")
        }
        LockMisfit::Waits(body) => {
            let text = format!("`{}` waits for an event in a job with locks", body.name(system));
            message(text).place(places, body.calls_origin(system), "here".to_owned())
        }
        LockMisfit::Callback => message(format!(
            "a callback of `{name}` may ask for a lock as well, unseen"
        ))
        .place(places, component.origin, "it consumes events".to_owned()),
        LockMisfit::SuspendsBetween(gate) => {
            let gate = system.gate(gate);
            message(format!(
                "`{name}` has users on a core whose tasks wait suspended at `{}`",
                gate.name
            ))
            .place(places, gate.origin, others_wait(gate))
            .note(format!("make `{}` `msrp`, where a task that waits keeps its core", gate.name))
        }
    }
}

/// Sections within each other of which no bound is known.
fn nested(at: Unbounded<'_>, wrong: LockDisorder) -> Message {
    let Unbounded { system, places, .. } = at;
    let message = |text: String| Message::new(&rules::SLEEP, text);
    let name = |lock| name(system, lock);
    let held = |held: Held| match held {
        Held::Lock(lock) => name(lock),
        Held::Gate(gate) => format!("`{}`", system.gate(gate).name),
    };
    match wrong {
        LockDisorder::Again(lock, taken) => {
            message(format!("`{}` asks for {}, which it has", taken.body.name(system), name(lock)))
                .place(places, taken.origin, "this is refused".to_owned())
        }
        LockDisorder::Circle((had, wanted), [there, back]) => message(format!(
            "{} is taken with {} in hand, and somewhere it is the other way round",
            held(wanted),
            held(had)
        ))
        .place(
            places,
            there.origin,
            format!("here `{}` has {}", there.body.name(system), held(had)),
        )
        .place(
            places,
            back.origin,
            format!("here it is taken by who has, or waits for who has, {}", held(wanted)),
        )
        .note(
            "take them in one order everywhere: two that wait for each other are refused, and who \
             asks a `LockCeiling` may wait for who has any of its locks",
        ),
        LockDisorder::Around(gate, lock, taken) => around(at, gate, lock, taken),
        LockDisorder::Unraised(gate, lock, taken) => unraised(at, gate, lock, taken),
        LockDisorder::Between(gate, lock, taken) => between(at, gate, lock, taken),
        LockDisorder::Barred(gate, lock, taken) => barred(at, gate, lock, taken),
        LockDisorder::Optimistic(lock, taken) => message(format!(
            "`{}` takes one lock with another one in hand, and {} is optimistic",
            taken.body.name(system),
            name(lock)
        ))
        .place(places, taken.origin, "in a section".to_owned())
        .note(
            "who is woken tries such a lock again, and whoever is run for somebody else may have \
             taken it meanwhile: `LockPessimistic` and `LockCeiling` let sections nest",
        ),
        LockDisorder::Mixed((had, wanted), taken) => message(format!(
            "`{}` takes {} with {} in hand, of which one is by ceilings and knows nothing of the \
             other",
            taken.body.name(system),
            name(wanted),
            name(had)
        ))
        .place(places, taken.origin, "in a section".to_owned())
        .note("let both be locks of one `LockCeiling`, or of `LockPessimistic`s"),
        LockDisorder::Low(lock, task) => {
            let task = system.task(task);
            let keeper = &system.component(lock.0).name;
            message(format!("`{}` is above the ceiling of {}", task.name, name(lock)))
                .place(places, task.priority.origin, "it takes the lock".to_owned())
                .note(format!(
                    "`{keeper}.ceiling_{}` must be {} or more, or two may wait for each other",
                    lock.1, task.priority.value
                ))
        }
    }
}

/// Returns the message about an optimistic lock that is asked for within a gate.
fn around(at: Unbounded<'_>, gate: GateId, lock: LockNumber, taken: LockTaken) -> Message {
    let gate = at.system.gate(gate);
    let lock = name(at.system, lock);
    let text = format!("{lock} is optimistic, and asked for within `{}`", gate.name);
    beside(at, gate, text, (taken.origin, "inside of the gate")).note(format!(
        "who is woken tries such a lock again, and whoever is run for somebody else may have \
         taken it meanwhile: make `{}` `propagated`, or use a `LockPessimistic` or `LockCeiling`",
        gate.name
    ))
}

/// Returns the message about a lock and a gate that are had together, where the gate raises nobody.
fn unraised(at: Unbounded<'_>, gate: GateId, lock: LockNumber, taken: LockTaken) -> Message {
    let gate = at.system.gate(gate);
    let lock = name(at.system, lock);
    let text = format!("{lock} and `{}` are had together, and that gate raises nobody", gate.name);
    beside(at, gate, text, (taken.origin, "here")).note(format!("make `{}` `inherited`", gate.name))
}

/// Returns the message about a gate between cores that is had together with a lock.
fn between(at: Unbounded<'_>, gate: GateId, lock: LockNumber, taken: LockTaken) -> Message {
    let gate = at.system.gate(gate);
    let lock = name(at.system, lock);
    let text = format!("{lock} and `{}`, which is between cores, are had together", gate.name);
    beside(at, gate, text, (taken.origin, "here"))
        .note(format!("call `{}` before the lock is taken, or after `unlock`", gate.name))
}

/// Returns the message about a gate with a ceiling that is entered with a lock in hand.
fn barred(at: Unbounded<'_>, gate: GateId, lock: LockNumber, taken: LockTaken) -> Message {
    let gate = at.system.gate(gate);
    let lock = name(at.system, lock);
    let text = format!("`{}` is entered with {lock} in hand, and no ceiling knows that", gate.name);
    beside(at, gate, text, (taken.origin, "here")).note(format!(
        "whoever is kept out keeps those waiting who wait for the lock: ask for it inside of \
         `{}`, or make that `inherited`",
        gate.name
    ))
}

/// Returns a message about a lock at a gate, with the place of the gate.
fn beside(at: Unbounded<'_>, gate: &Gate, text: String, taken: (Origin, &str)) -> Message {
    at.message(&rules::SLEEP, text, taken).place(at.places, gate.origin, others_wait(gate))
}

/// Returns the words for a lock of a component.
fn name(system: &System, (component, number): LockNumber) -> String {
    format!("lock {number} of `{}`", system.component(component).name)
}

/// Returns a sentence that says what a gate is to the tasks that come to it.
fn others_wait(gate: &Gate) -> String {
    format!("this gate is `{}`: others wait there", gate.protocol.value.name())
}
