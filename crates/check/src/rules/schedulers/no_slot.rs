//! A thread to which a table of slots gives no time.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Algorithm, Scheduler, System};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0595"),
    name: "no-slot",
    severity: Severity::Error,
    what: "A thread has a `Partitions` as its scheduler, and no slot of that one's `delegates`.",
    why: "A `Partitions` dispatches whom its table names and nobody else: the thread never runs, \
          and nothing in it ever does.",
    example: r#"
import <fusee/partitions.camkes>;
component Worker { control; }
assembly {
    composition {
        component Partitions root;
        component Worker one;
        component Worker other;
    }
    configuration {
        one.scheduler = "root";
        other.scheduler = "root";
        root.delegates = ["5 ms to one"];
        root.delegates_every = "8 ms";
    }
}
"#,
    instead: "Give it a slot (`root.delegates = [\"5 ms to one\", \"3 ms to other\"]`), or take \
              its `scheduler` away.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let tables = super::deciding(view.system, Algorithm::Partitions);
    let right = tables.filter(|table| !super::is_in_circle(view.system, table));
    right.flat_map(|table| of_one(view.system, table)).collect()
}

fn of_one(system: &System, table: &Scheduler) -> Vec<Finding> {
    let name = &system.task(table.task).name;
    if table.delegates.is_empty() {
        let first = &system.task(table.threads[0].value).name;
        let text = format!("`{name}` gives nobody time, so none of its threads ever runs");
        let note = format!(
            "for example `{name}.delegates = [\"5 ms to {first}\"];` and \
             `{name}.delegates_every = \"8 ms\";`"
        );
        let finding = Finding::of(&RULE, text).at(system.task(table.task).origin, "a table");
        return vec![finding.because(table.threads[0].origin, "one of its threads").note(note)];
    }
    let has_slot = |task| table.delegates.iter().any(|gift| gift.to == task);
    let without = table.threads.iter().filter(|thread| !has_slot(thread.value));
    let finding = without.map(|thread| {
        let thread_name = &system.task(thread.value).name;
        let text = format!("`{thread_name}` never runs: `{name}` gives it no time");
        let finding = Finding::of(&RULE, text).at(thread.origin, "this dispatches it");
        let last = table.delegates.last();
        last.into_iter().fold(finding, |finding, gift| {
            finding.because(gift.amount.origin, "the last slot, and none is its own")
        })
    });
    finding.collect()
}
