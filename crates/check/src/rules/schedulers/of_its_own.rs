//! A dispatched thread or a scheduler with a budget or jobs of its own.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Scheduler, System, TaskId};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0586"),
    name: "time-of-its-own",
    severity: Severity::Error,
    what: "A scheduler has a `period`, or somebody in its tree a `budget`.",
    why: "A scheduler's one job is to decide, for ever. And what a dispatched thread may use is \
          what its account holds: a second limit beside it would be nobody's.",
    example: r#"
component Scheduler { control; }
component Worker { control; }
assembly {
    composition {
        component Scheduler root;
        component Worker worker;
    }
    configuration {
        worker.scheduler = "root";
        worker.period = "10 ms";
        worker.wcet = "1 ms";
        worker.budget = "2 ms";
    }
}
"#,
    instead: "Take the `period` or the `budget` away; the scheduler limits with `delegates`.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let budgets = super::of_trees(system).into_iter().filter_map(|task| {
        let (own, amount) = (system.task(task), system.task(task).budget.as_ref()?.amount);
        let text = format!("`{}` has a budget of its own and one that is delegated", own.name);
        Some(Finding::of(&RULE, text).at(amount.origin, ""))
    });
    let schedulers = system.schedulers.iter().filter(|own| !is_by_mistake(system, own));
    let jobs = schedulers.filter_map(|scheduler| {
        let own = system.task(scheduler.task);
        let text = format!("the scheduler `{}` has a period, and its job is for ever", own.name);
        Some(Finding::of(&RULE, text).at(own.release.as_ref()?.period.origin, ""))
    });
    budgets.chain(jobs).collect()
}

/// Returns `true` if one is a scheduler by a mistake that is told elsewhere: it is in a circle, or
/// another one gives time to all of its threads.
fn is_by_mistake(system: &System, scheduler: &Scheduler) -> bool {
    let given = |task: TaskId| {
        let mut others = system.schedulers.iter().filter(|other| other.task != scheduler.task);
        others.any(|other| other.delegates.iter().any(|gift| gift.to == task))
    };
    super::is_in_circle(system, scheduler)
        || scheduler.threads.iter().all(|thread| given(thread.value))
}
