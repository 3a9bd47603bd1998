//! A wait for an event that releases a task.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{NotificationId, ReleaseKind, Step, Task};

use crate::finding::Finding;
use crate::view::{Owner, View};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0414"),
    name: "awaits-a-release",
    severity: Severity::Error,
    what: "A method, a critical section or another task waits for an event that releases a task.",
    why: "Each signal of such an event is a job of that task, and nothing is left to wait for: the \
          kernel refuses the wait. Only the task itself may wait for it, outside of all gates and \
          mutexes, and then it begins its next job.",
    example: r#"
import <std_connector.camkes>;
procedure Ask { void ask(); };
component Source { control; emits Tick tick; }
component Sink { control; consumes Tick tick; provides Ask ask; }
component User { control; uses Ask sink; }
assembly {
    composition {
        component Source source;
        component Sink sink;
        component User user;
        connection seL4Notification wake(from source.tick, to sink.tick);
        connection seL4RPCCall asks(from user.sink, to sink.ask);
    }
    configuration {
        source.period = "20 ms";
        source.calls = ["1 ms", "emit tick"];
        sink.arrival = "event tick";
        sink.wcet = "1 ms";
        sink.ask_calls = ["wait tick", "1 ms"];
        user.period = "50 ms";
        user.calls = ["1 ms", "sink"];
    }
}
"#,
    instead: "Let the task do what follows the event, or consume another event for the wait, \
              connected to the same source.",
    reference: "Fusee book, \"The description\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let released = |id: NotificationId| {
        view.timed()
            .find(|(.., release)| release.kind == ReleaseKind::Notification(id))
            .map(|(_, task, _)| task)
    };
    let waits = view.bodies().flat_map(|(owner, body)| {
        let awaited = body
            .steps
            .iter()
            .filter_map(|step| if let Step::Wait(id) = *step { Some(id) } else { None });
        awaited.map(move |id| (owner, id))
    });
    waits.filter_map(|(owner, id)| Some(finding(view, owner, id, released(id)?))).collect()
}

fn finding(view: &View<'_>, owner: Owner<'_>, id: NotificationId, task: &Task) -> Finding {
    let event = &view.system.notifications[id.index()].name;
    Finding::of(
        &RULE,
        format!("{} waits for event `{event}`, which releases task `{}`", owner.name(), task.name),
    )
    .at(owner.origin(), "refused by the kernel: each signal is a job")
    .because(task.origin, "released by the event")
    .note(
        "wait for it in the task's own job, outside of all gates and mutexes, or consume \
               another event here",
    )
}
