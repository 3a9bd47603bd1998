//! A wait for an event that only the waiting gate can emit.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{GateId, NotificationId, Step};

use crate::finding::Finding;
use crate::view::{Owner, View};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0412"),
    name: "awaits-itself",
    severity: Severity::Error,
    what: "A method of an exclusive gate waits for an event that is emitted only by methods of the \
           same gate.",
    why: "While one thread waits inside, no other can get in to emit the event: it never comes, \
          and the gate stays held for ever.",
    example: r#"
import <std_connector.camkes>;
procedure Queue { void put(); void get(); };
component Store { provides Queue queue; emits More more; consumes More filled; }
component Pump { control; uses Queue queue; }
assembly {
    composition {
        component Store store;
        component Pump pump;
        connection seL4RPCCall calls(from pump.queue, to store.queue);
        connection seL4Notification wake(from store.more, to store.filled);
    }
    configuration {
        pump.calls = ["queue.put", "queue.get"];
        store.queue_put_calls = ["emit more"];
        store.queue_get_calls = ["wait filled"];
        store.queue_priority_protocol = "inherited";
    }
}
"#,
    instead: "Wait outside the gate, in the caller, or make the gate `propagated` and protect the \
              data otherwise.",
    reference: "Fusee book, \"Gates\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (owner, body) in view.bodies() {
        let Owner::Method(id, gate, _) = owner else { continue };
        if !gate.protocol.value.is_exclusive() {
            continue;
        }
        let waits =
            body.steps.iter().filter_map(|s| if let Step::Wait(n) = *s { Some(n) } else { None });
        for notification in waits.filter(|n| emitted_only_in(view, *n, id)) {
            found.push(finding(view, owner, notification));
        }
    }
    found
}

/// Returns `true` if a notification is emitted, and by no body outside one gate.
pub(crate) fn emitted_only_in(view: &View<'_>, notification: NotificationId, gate: GateId) -> bool {
    let mut emitters = view
        .bodies()
        .filter(|(_, b)| b.steps.contains(&Step::Emit(notification)))
        .map(|(owner, _)| owner)
        .peekable();
    emitters.peek().is_some() && emitters.all(|o| matches!(o, Owner::Method(id, ..) if id == gate))
}

fn finding(view: &View<'_>, owner: Owner<'_>, id: NotificationId) -> Finding {
    let name = &view.system.notifications[id.index()].name;
    Finding::of(
        &RULE,
        format!("{} waits for event `{name}`, which only its own gate emits", owner.name()),
    )
    .at(owner.origin(), "held for ever: nobody else can get in to emit it")
    .because(view.system.notifications[id.index()].origin, "the event")
    .note("wait in the caller, outside the gate")
}
