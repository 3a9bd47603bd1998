//! What keeps users of lock components from having bounds, as diagnostics.

use fusee_model::{ComponentId, System};

use crate::message::{Message, Places};
use crate::obstacle::LockMisfit;
use crate::rules;

/// A use of a lock component for which no theorem is known.
pub(crate) fn misfit(
    system: &System,
    start: &str,
    (component, why): (ComponentId, LockMisfit),
    places: Places<'_>,
) -> Message {
    let component = system.component(component);
    let name = &component.name;
    let message = |text: String| Message::new(&rules::SLEEP, format!("{start}: {text}"));
    let lists = "a list says it: `\"lock locks.0\", \"20 us\", \"unlock locks.0\"`, with the \
                 client's interface and the lock's number";
    match why {
        LockMisfit::Equals(one, other) => {
            let [one, other] = [one, other].map(|task| system.task(task));
            message(format!(
                "`{}` and `{}` are as urgent as each other, so each may take a lock of `{name}` \
                 for which the other was woken, any number of times",
                one.name, other.name
            ))
            .place(places, other.origin, "the same priority".to_owned())
            .note("give them different priorities; `LockPessimistic` hands locks over in order")
        }
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
        LockMisfit::Inside(body) => {
            let text = format!(
                "`{}` asks for more while it has a lock of a component, or signals",
                body.name(system)
            );
            let message = message(text);
            message.place(places, body.calls_origin(system), "in a section".to_owned())
        }
        LockMisfit::Around(gate) => {
            let gate = system.gate(gate);
            message(format!("a lock of a component is asked for within `{}`", gate.name)).place(
                places,
                gate.origin,
                "an exclusive gate".to_owned(),
            )
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
    }
}

/// Kernel costs that do not tell.
pub(crate) fn unmeasured(
    system: &System,
    start: &str,
    component: ComponentId,
    places: Places<'_>,
) -> Message {
    let component = system.component(component);
    let text = format!(
        "{start}: what it costs to sleep on another's account, as `{}` lets threads do, is unknown",
        component.name
    );
    Message::new(&rules::PASSAGE, text)
        .place(places, component.origin, "a kernel with other paths".to_owned())
        .note("the table of costs lacks `[dependencies]`")
}
