//! An event that comes less often than it is waited for.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{NotificationId, Release, Step, Task};

use crate::finding::Finding;
use crate::view::{Owner, View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0413"),
    name: "event-too-rare",
    severity: Severity::Warning,
    what: "Each job of a task waits for an event, and the tasks that emit the event do so less \
           often than the jobs are released.",
    why: "Jobs wait for events that have not come yet while the next ones are released: the \
          backlog grows without end.",
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
        source.period = "20 ms";
        source.wcet = "1 ms";
        source.calls = ["emit tick"];
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        pump.calls = ["wait tick"];
    }
}
"#,
    instead: "Release the waiting task as often as the event comes, or only look whether it has \
              come.",
    reference: "Fusee book, \"Describing timing\"",
};

/// The unit of counting: shares of a signal for each job.
pub(super) const WHOLE: u128 = 1_000_000;

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (_, task, release) in view.timed() {
        let mut awaited: Vec<NotificationId> =
            events(task, |s| if let Step::Wait(id) = *s { Some(id) } else { None });
        awaited.sort_unstable();
        awaited.dedup();
        found.extend(awaited.into_iter().filter_map(|id| finding(view, task, release, id)));
    }
    found
}

fn events(task: &Task, pick: fn(&Step) -> Option<NotificationId>) -> Vec<NotificationId> {
    task.body.steps.iter().filter_map(pick).collect()
}

pub(super) fn times(task: &Task, step: Step) -> u128 {
    task.body.steps.iter().filter(|s| **s == step).count() as u128
}

fn finding(view: &View<'_>, task: &Task, release: &Release, id: NotificationId) -> Option<Finding> {
    let emitters: Vec<(&Task, &Release)> = emitters(view, id)?;
    let period = u128::from(release.period.value.ns());
    // Rounded up, so that what is found is really too rare.
    let comes: u128 = emitters
        .iter()
        .map(|(t, r)| {
            (times(t, Step::Emit(id)) * period * WHOLE)
                .div_ceil(u128::from(r.period.value.ns().max(1)))
        })
        .fold(0, u128::saturating_add);
    if emitters.is_empty() || comes >= times(task, Step::Wait(id)) * WHOLE {
        return None;
    }
    let names: Vec<&str> = emitters.iter().map(|(t, _)| t.name.as_str()).collect();
    let event = &view.system.notifications[id.index()];
    let message =
        format!("task `{}` waits for event `{}` more often than it comes", task.name, event.name);
    let mut finding =
        Finding::of(&RULE, message).at(release.period.origin, "each of these jobs waits for it");
    for (emitter, release) in &emitters {
        finding = finding
            .because(release.period.origin, format!("task `{}` emits it this often", emitter.name));
    }
    Some(finding.note(format!("emitted only by {}", list(&names))))
}

/// Returns the tasks that emit an event in their own bodies; `None` if something else can emit it,
/// too.
pub(super) fn emitters<'a>(
    view: &View<'a>,
    id: NotificationId,
) -> Option<Vec<(&'a Task, &'a Release)>> {
    let emitting = view.bodies().filter(|(_, b)| b.steps.contains(&Step::Emit(id)));
    emitting
        .map(|(owner, _)| match owner {
            Owner::Task(task) => Some((task, task.release.as_ref()?)),
            Owner::Method(..) => None,
        })
        .collect()
}
