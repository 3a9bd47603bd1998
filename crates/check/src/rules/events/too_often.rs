//! An event that comes more often than the task that it releases may run.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{NotificationId, Release, ReleaseKind, Step, Task};

use super::too_rare::{WHOLE, emitters, times};
use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0415"),
    name: "event-too-often",
    severity: Severity::Warning,
    what: "A task is released by an event that other tasks emit more often than its `period` lets \
           it be released.",
    why: "The kernel defers a release that comes too early. If they all do, more and more are \
          deferred, and in the end they are lost, each of them a missed deadline.",
    example: r#"
import <std_connector.camkes>;
component Source { control; emits Tick tick; }
component Sink { control; consumes Tick tick; }
assembly {
    composition {
        component Source source;
        component Sink sink;
        connection seL4Notification wake(from source.tick, to sink.tick);
    }
    configuration {
        source.period = "10 ms";
        source.calls = ["1 ms", "emit tick"];
        sink.arrival = "event tick";
        sink.period = "20 ms";
        sink.wcet = "1 ms";
    }
}
"#,
    instead: "Shorten the `period`, or leave it out where one task alone emits the event, once in \
              each of its jobs.",
    reference: "Fusee book, \"The description\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let released = view.timed().filter_map(|(_, task, release)| match release.kind {
        ReleaseKind::Notification(id) => Some((task, release, id)),
        _ => None,
    });
    released.filter_map(|(task, release, id)| finding(view, (task, release), id)).collect()
}

fn finding(
    view: &View<'_>,
    (task, release): (&Task, &Release),
    id: NotificationId,
) -> Option<Finding> {
    // Those that are known emit so often, whoever else may.
    let emitters: Vec<(&Task, &Release)> = emitters(view, id).into_iter().flatten().collect();
    let period = u128::from(release.period.value.ns());
    // Rounded down, so that what is found is really too often.
    let share = |(t, r): &(&Task, &Release)| {
        times(t, Step::Emit(id)) * period * WHOLE / u128::from(r.period.value.ns().max(1))
    };
    let comes = emitters.iter().map(share).fold(0, u128::saturating_add);
    if comes <= WHOLE {
        return None;
    }
    let names: Vec<&str> = emitters.iter().map(|(t, _)| t.name.as_str()).collect();
    let event = &view.system.notifications[id.index()].name;
    let message =
        format!("event `{event}` comes more often than task `{}` may be released", task.name);
    let finding = Finding::of(&RULE, message)
        .at(release.period.origin, "the least time between two releases");
    let finding = emitters.iter().fold(finding, |finding, (emitter, release)| {
        finding
            .because(release.period.origin, format!("task `{}` emits it this often", emitter.name))
    });
    let finding = finding.note(format!("emitted by {}", list(&names)));
    Some(
        finding.note(format!(
            "shorten `{}.period`, or let the event be emitted less often",
            task.name
        )),
    )
}
