//! Time for a thread of another scheduler.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Scheduler, Sourced, System, TaskId};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0583"),
    name: "not-its-thread",
    severity: Severity::Error,
    what: "A scheduler delegates to a thread that is not one of its own.",
    why: "What arrives there worsens all that the thread has: the right to give it that is its \
          own scheduler's.",
    example: r#"
component Scheduler { control; }
component Worker { control; }
assembly {
    composition {
        component Scheduler root;
        component Worker worker;
        component Worker other;
    }
    configuration {
        worker.scheduler = "root";
        root.delegates = ["1 ms to other"];
        root.delegates_every = "8 ms";
    }
}
"#,
    instead: "Make it the scheduler's thread (`scheduler`), or give to one of its own.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let schedulers = view.system.schedulers.iter();
    schedulers.flat_map(|scheduler| of_one(view.system, scheduler)).collect()
}

fn of_one(system: &System, scheduler: &Scheduler) -> Vec<Finding> {
    let foreign = scheduler.delegates.iter().filter(|gift| {
        let own = scheduler.threads.iter().any(|thread| thread.value == gift.to);
        // A circle is a mistake of its own.
        let of = system.scheduler_of(gift.to);
        !own && !of.is_some_and(|of| super::is_in_circle(system, of))
    });
    let finding = foreign.map(|gift| {
        let (name, to) = (&system.task(scheduler.task).name, &system.task(gift.to).name);
        let text = format!("`{name}` gives time to `{to}`, which it does not dispatch");
        let finding = Finding::of(&RULE, text)
            .at(gift.amount.origin, "")
            .note(format!("`{to}.scheduler = \"{name}\";` makes it one of its threads"));
        let of = system.scheduler_of(gift.to).and_then(|of| thread_of(of, gift.to));
        of.into_iter().fold(finding, |finding, thread| {
            finding.because(thread.origin, "another one dispatches it")
        })
    });
    finding.collect()
}

fn thread_of(scheduler: &Scheduler, task: TaskId) -> Option<&Sourced<TaskId>> {
    scheduler.threads.iter().find(|thread| thread.value == task)
}
