//! More time given than there is.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Scheduler, System};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0581"),
    name: "time-does-not-add-up",
    severity: Severity::Error,
    what: "A scheduler gives more time than there is, or than it gets.",
    why: "What is given but not there is what somebody relies on and does not get.",
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
        root.delegates = ["3 ms to worker", "6 ms to worker"];
        root.delegates_every = "8 ms";
    }
}
"#,
    instead: "Give less, or in a longer time; or let the scheduler get more from its own.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    view.system.schedulers.iter().filter_map(|scheduler| of_one(view.system, scheduler)).collect()
}

fn of_one(system: &System, scheduler: &Scheduler) -> Option<Finding> {
    let every = scheduler.every?;
    let gifts = scheduler.delegates.iter();
    let given: u128 = gifts.map(|gift| u128::from(gift.amount.value.ns())).sum();
    // The kernel's own has all the time that there is.
    let (got, within) = match system.scheduler_of(scheduler.task) {
        None => (1, 1),
        Some(parent) => {
            let limit = system.account_limit(scheduler.task);
            (u128::from(limit.ns()), u128::from(parent.every?.value.ns()))
        }
    };
    // Given in every / every <= got / within.
    let fits = given.checked_mul(within)? <= got.checked_mul(u128::from(every.value.ns()))?;
    (!fits && got > 0).then(|| {
        let (name, last) = (&system.task(scheduler.task).name, scheduler.delegates.last());
        let given = fusee_model::Duration(u64::try_from(given).unwrap_or(u64::MAX));
        let text = format!("`{name}` gives {given} in every {}, and has less", every.value);
        let finding = Finding::of(&RULE, text).because(every.origin, "in each of these");
        let finding = last.into_iter().fold(finding, |finding, gift| {
            finding.at(gift.amount.origin, "given besides what stands before it")
        });
        match system.scheduler_of(scheduler.task) {
            None => finding.note("the clock gives no more than passes"),
            Some(parent) => {
                let (limit, every) = (system.account_limit(scheduler.task), parent.every);
                let every = every.map_or_else(String::new, |every| every.value.to_string());
                finding.note(format!("it gets {limit} in every {every} itself"))
            }
        }
    })
}
