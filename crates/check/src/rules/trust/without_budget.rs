//! Code that is not trusted, and nothing that ends it.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{ComponentId, Overrun, TaskId};

use super::names;
use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0526"),
    name: "untrusted-without-budget",
    severity: Severity::Warning,
    what: "A task runs code of a component with `trusted = false`, its own or behind a gate, and \
           has no budget that suspends it.",
    why: "Whatever is said of the time that such code takes need not hold: it may never end. Only \
          a budget with `overrun = \"suspend\"`, which each release fills again, keeps it from \
          taking all of the core from whoever is no more urgent.",
    example: r#"
component Guest { control; }
assembly {
    composition { component Guest guest; }
    configuration { guest.period = "10 ms"; guest.wcet = "1 ms"; guest.trusted = false; }
}
"#,
    instead: "Give each of these tasks a period and a budget, and leave `overrun` at `suspend`. \
              Others then count the budget, whatever the code does.",
    reference: "Fusee book, \"Code that is not trusted\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let unlimited = |task: &TaskId| system.enforced_budget(*task).is_none();
    let tasks = || system.task_ids().map(|(id, _)| id).filter(unlimited);
    let components = (0..system.components.len()).map(ComponentId::from);
    let find = |component: ComponentId| {
        let runs = |task: &TaskId| system.untrusted_code(&view.derived, *task).contains(&component);
        let tasks: Vec<TaskId> = tasks().filter(runs).collect();
        (!tasks.is_empty()).then(|| finding(view, component, &tasks))
    };
    components.filter(|&id| !system.is_trusted(id)).filter_map(find).collect()
}

fn finding(view: &View<'_>, component: ComponentId, tasks: &[TaskId]) -> Finding {
    let system = view.system;
    let named: Vec<&str> = tasks.iter().map(|&task| system.task(task).name.as_str()).collect();
    let own = &system.component(component).name;
    let verb = if tasks.len() == 1 { "runs" } else { "run" };
    let message =
        format!("`{own}` is not trusted, and {} {verb} its code without a limit", list(&named));
    let (place, why) = said(view, component);
    let finding = Finding::of(&RULE, message).at(place, why);
    tasks.iter().take(4).fold(finding, |finding, &task| {
        let task = system.task(task);
        let (place, why) = match (&task.budget, &task.release) {
            (Some(budget), _) if budget.overrun != Overrun::Suspend => {
                (budget.amount.origin, "`{}` goes on at the end of this budget")
            }
            (_, None) => (task.origin, "`{}` has no period, so nothing would fill a budget again"),
            _ => (task.origin, "`{}` has no budget"),
        };
        finding.because(place, why.replace("{}", &task.name))
    })
}

/// Returns the place that says that a component is not trusted, of itself or of one that shares its
/// memory.
fn said(view: &View<'_>, component: ComponentId) -> (fusee_model::Origin, String) {
    let system = view.system;
    let own = system.component(component);
    let mates = &system.domains[own.domain.index()].components;
    let mate = std::iter::once(component).chain(mates.iter().copied());
    let of = mate.into_iter().find(|&id| !system.component(id).trusted).unwrap_or(component);
    let place = view.attribute(of, "trusted").map_or(own.origin, |attribute| attribute.origin);
    match of == component {
        true => (place, "nothing is taken for granted of its code".to_owned()),
        false => {
            let name = names(view, &[of]).concat();
            (place, format!("`{name}` can change its memory: they are one protection domain"))
        }
    }
}
