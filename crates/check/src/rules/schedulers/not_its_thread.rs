//! Time for a thread of somebody else.

use fusee_diagnostics::{Code, Rule, Severity};

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
    let system = view.system;
    let all = system.schedulers.iter().flat_map(|scheduler| {
        let own = |task| scheduler.threads.iter().any(|thread| thread.value == task);
        scheduler.delegates.iter().filter(move |gift| !own(gift.to)).map(move |gift| {
            let (name, to) = (&system.task(scheduler.task).name, &system.task(gift.to).name);
            Finding::of(&RULE, format!("`{name}` gives time to `{to}`, which it does not dispatch"))
                .at(gift.amount.origin, "")
                .note(format!("`{to}.scheduler = \"{name}\";` makes it one of its threads"))
        })
    });
    all.collect()
}
