//! An event that is waited for and never comes.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{End, InterfaceKind, NotificationId, Overrun, ReleaseKind, Step};

use crate::finding::Finding;
use crate::view::{Owner, View};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0410"),
    name: "never-emitted",
    severity: Severity::Warning,
    what: "A task is released by an event, or a body waits for it, but no body emits it, no \
          overrun is notified through it, and its source is no device.",
    why: "As described, the wait never ends and the task never runs. The code may well emit it: \
          then the description says less than the code does, and bounds that rest on the \
          description may be wrong.",
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
        source.priority = 20;
        pump.priority = 10;
        pump.calls = ["wait tick"];
    }
}
"#,
    instead: "Say who emits it: add `\"emit INTERFACE\"` to the `calls` of the body that does.",
    reference: "Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let emitted = emitted(view);
    let silent = |id: NotificationId| !emitted.get(id.index()).copied().unwrap_or(true);
    let released = view.timed().filter_map(|(_, task, release)| match release.kind {
        ReleaseKind::Notification(id) if silent(id) => {
            Some((Owner::Task(task), id, "is released by"))
        }
        _ => None,
    });
    let waiting = view.bodies().flat_map(|(owner, body)| {
        let waits =
            body.steps.iter().filter_map(|s| if let Step::Wait(id) = *s { Some(id) } else { None });
        waits
            .filter(|id| silent(*id))
            .take(1)
            .map(move |id| (owner, id, "waits for"))
            .collect::<Vec<_>>()
    });
    released.chain(waiting).map(|(owner, id, verb)| finding(view, owner, id, verb)).collect()
}

fn finding(view: &View<'_>, owner: Owner<'_>, id: NotificationId, verb: &str) -> Finding {
    let notification = &view.system.notifications[id.index()];
    Finding::of(
        &RULE,
        format!("{} {verb} event `{}`, which nothing emits", owner.name(), notification.name),
    )
    .at(notification.origin, "no body says that it emits this")
    .because(owner.origin(), format!("this {verb} it"))
    .note("add `\"emit INTERFACE\"` to the `calls` of the body that emits it")
}

/// For each notification, whether something can signal it.
fn emitted(view: &View<'_>) -> Vec<bool> {
    let mut emitted = vec![false; view.system.notifications.len()];
    let mut mark = |id: NotificationId| {
        if let Some(one) = emitted.get_mut(id.index()) {
            *one = true;
        }
    };
    for (_, body) in view.bodies() {
        for step in &body.steps {
            if let Step::Emit(id) = step {
                mark(*id);
            }
        }
    }
    for budget in view.system.tasks.iter().filter_map(|t| t.budget.as_ref()) {
        if let Overrun::Notify(id) = budget.overrun {
            mark(id);
        }
    }
    from_devices(view).for_each(mark);
    emitted
}

/// Notifications that a device signals.
fn from_devices<'v>(view: &'v View<'_>) -> impl Iterator<Item = NotificationId> + 'v {
    let is_device = |end: &End| view.end(end).is_some_and(|(component, _)| component.hardware);
    let connections = view.system.connections.iter().filter(move |c| c.from.iter().any(is_device));
    connections.flat_map(|c| &c.to).filter_map(|end| match view.end(end)?.1.kind {
        InterfaceKind::Consumes(id) => id,
        _ => None,
    })
}
