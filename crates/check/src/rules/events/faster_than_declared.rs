//! An event that comes more often than the task it releases allows for.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{NotificationId, Release, ReleaseKind, Step, Task};

use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0413"),
    name: "faster-than-declared",
    severity: Severity::Warning,
    what: "A task is released by an event at most once a period, but the tasks that emit the event do so more often.",
    why: "The analysis takes the period as the least distance between releases. If events come faster, jobs pile up \
          and the bounds of this task and of all below it do not hold.",
    example: r#"
import <std_connector.camkes>;
component Source { control; emits Tick tick; }
component Pump { control; consumes Tick tick; }
assembly {
    composition {
        component Source source;
        component Pump pump;
        connection seL4Notification wake(from source.tick, to pump.tick);
    }
    configuration {
        source.period = "10 ms";
        source.wcet = "1 ms";
        source.calls = ["emit tick"];
        pump.period = "20 ms";
        pump.arrival = "tick";
        pump.wcet = "1 ms";
    }
}
"#,
    instead: "Give the task the shortest distance at which the event can come, or emit it less often.",
    reference: "Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.timed())
        .filter_map(|(_, task, release)| match release.kind {
            ReleaseKind::Notification(id) => finding(view, task, release, id),
            _ => None,
        })
        .collect()
}

fn finding(view: &View<'_>, task: &Task, release: &Release, id: NotificationId) -> Option<Finding> {
    let emits = |t: &Task| t.body.steps.iter().filter(|s| **s == Step::Emit(id)).count() as u64;
    let emitters: Vec<(&Task, &Release, u64)> =
        view.timed().map(|(_, t, r)| (t, r, emits(t))).filter(|(.., n)| *n > 0).collect();
    let period = u128::from(release.period.value.ns());
    // Signals in one period of each emitter, scaled to this task's period, in parts per million.
    let rate: u128 = emitters
        .iter()
        .map(|(_, r, n)| u128::from(*n) * period * 1_000_000 / u128::from(r.period.value.ns().max(1)))
        .fold(0, u128::saturating_add);
    if rate <= 1_000_000 {
        return None;
    }
    let names: Vec<&str> = emitters.iter().map(|(t, ..)| t.name.as_str()).collect();
    let message = format!(
        "task `{}` allows one event in {}, but {} emit{} it more often",
        task.name,
        release.period.value,
        list(&names),
        if names.len() == 1 { "s" } else { "" }
    );
    let mut finding = Finding::of(&RULE, message).at(release.period.origin, "the least distance that is allowed for");
    for (_, emitter, _) in &emitters {
        finding = finding.because(emitter.period.origin, format!("emitted every {}", emitter.period.value));
    }
    Some(finding.note("bounds rest on the declared distance; shorten it or emit less often"))
}
