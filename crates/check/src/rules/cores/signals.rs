//! Events for which several cores wait.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Gate, NotificationId, Origin, Overrun, Step};

use crate::finding::Finding;
use crate::view::{Owner, View};
use crate::ways::{self, Methods};
use std::collections::BTreeSet;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0576"),
    name: "event-of-several-cores",
    severity: Severity::Error,
    what: "Tasks of several cores wait for an event or are released by it; or the end of a budget \
           signals it on another core than theirs.",
    why: "An event belongs to the core of those who wait for it, so there is one such core. Any \
          code may emit it from other cores, but the end of a budget is noticed within a kernel, \
          which tells others nothing.",
    example: r#"
import <std_connector.camkes>;
component Pump { control; emits Full full; }
component Alarm { control; provides Wait wait; consumes Full full; }
component Lamp { control; uses Wait wait; }
procedure Wait { void here(); };
assembly {
    composition {
        component Pump pump;
        component Alarm alarm;
        component Lamp lamp;
        connection seL4Notification fills(from pump.full, to alarm.full);
        connection seL4RPCCall waits(from lamp.wait, to alarm.wait);
    }
    configuration {
        pump.calls = ["emit full"];
        alarm.calls = ["wait full"];
        alarm.wait_here_calls = ["wait full"];
        lamp.calls = ["wait"];
        lamp.core = 1;
    }
}
"#,
    instead: "Give each core an event of its own, and emit both; let the end of a budget suspend \
              the task or signal an event of its own core.",
    reference: "Fusee book, \"The kernel on several cores\"",
};

/// A use of an event: its core, its place in the text, and its kind.
struct Place {
    core: u32,
    origin: Origin,
    text: String,
}

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut cores = ways::cores(view);
    // What is within a gate between cores is another rule's matter.
    for (cores, inside) in cores.iter_mut().zip(ways::inside(view, Gate::is_global)) {
        let inside = cores.iter_mut().zip(inside).filter(|(_, outer)| outer.is_some());
        inside.for_each(|(cores, _)| cores.clear());
    }
    let notifications = (0..view.system.notifications.len()).map(NotificationId::from);
    notifications
        .filter_map(|id| {
            let here = of_bodies(view, &cores, Step::Wait(id), "waits for it");
            let mut awaited = here.into_iter().chain(released(view, id));
            let first = awaited.next()?;
            let mut others = awaited.chain(noticed(view, id));
            let other = others.find(|other| other.core != first.core)?;
            let event = &view.system.notifications[id.index()];
            let message = format!(
                "event `{}` is for core {}, and for core {}, too",
                event.name, first.core, other.core
            );
            Some(
                Finding::of(&RULE, message)
                    .at(event.origin, "an event belongs to one core")
                    .because(first.origin, first.text)
                    .because(other.origin, other.text)
                    .note("give each core an event of its own, and emit both"),
            )
        })
        .collect()
}

/// Bodies that have a step, once for each core on which they run.
fn of_bodies(
    view: &View<'_>,
    cores: &Methods<BTreeSet<u32>>,
    step: Step,
    verb: &str,
) -> Vec<Place> {
    let mut places = Vec::new();
    for (owner, _) in view.bodies().filter(|(_, body)| body.steps.contains(&step)) {
        let on: Vec<u32> = match owner {
            Owner::Task(task) => vec![task.core],
            Owner::Method(id, _, at) => cores[id.index()][at].iter().copied().collect(),
        };
        let text = |core| format!("{} {verb} on core {core}", owner.name());
        places.extend(on.into_iter().map(|core| Place {
            core,
            origin: owner.origin(),
            text: text(core),
        }));
    }
    places
}

/// Returns the tasks that an event releases.
fn released(view: &View<'_>, id: NotificationId) -> Vec<Place> {
    let tasks = view.system.tasks.iter().filter(|task| task.release_event() == Some(id));
    tasks
        .map(|task| Place {
            core: task.core,
            origin: task.origin,
            text: format!("it releases task `{}` on core {}", task.name, task.core),
        })
        .collect()
}

/// Returns the tasks whose budgets signal an event at their end.
fn noticed(view: &View<'_>, id: NotificationId) -> Vec<Place> {
    let gives_notice = |overrun| matches!(overrun, Overrun::Notify(event) if event == id);
    let tasks = view.system.tasks.iter();
    let tasks = tasks.filter(|t| t.budget.as_ref().is_some_and(|b| gives_notice(b.overrun)));
    tasks
        .map(|task| Place {
            core: task.core,
            origin: task.origin,
            text: format!(
                "the end of the budget of `{}` signals it, on core {}",
                task.name, task.core
            ),
        })
        .collect()
}
