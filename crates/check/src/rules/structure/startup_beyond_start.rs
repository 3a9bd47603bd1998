//! Initializations that may take longer than the start.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::Duration;

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0514"),
    name: "startup-beyond-start",
    severity: Severity::Error,
    what: "What components may take to set themselves up (`startup`) is more than seven eighths of \
           `system.startup`, or 4 s or more.",
    why: "Whoever sets itself up has at most seven eighths of what is left of the start, so that \
          one that never ends leaves time for the others. A component could then be stopped \
          before it has used what its description gives it.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration {
        pump.period = "10 ms"; pump.wcet = "1 ms"; pump.calls = [];
        system.startup = "2 ms"; pump.startup = "1800 us";
    }
}
"#,
    instead: "Leave `system.startup` out: by default it is long enough for all of them. Or make it \
              longer, or a component's `startup` shorter.",
    reference: "Fusee book, \"The description\"",
};

/// Budgets are numbers of nanoseconds in 32 bits.
const LONGEST: Duration = Duration(4_000_000_000);

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let (all, start) = (view.system.startup_budgets(), view.system.startup_time());
    let fits = all.0.saturating_mul(8) <= start.0.saturating_mul(7);
    let given = view.system.components.iter().filter_map(|component| {
        let startup = component.startup?;
        (!fits || startup.value >= LONGEST).then_some((component, startup))
    });
    let finding = |(component, startup): (&fusee_model::Component, _)| {
        let startup: fusee_model::Sourced<Duration> = startup;
        let message = match fits {
            true => format!("`{}` may take too long to set itself up", component.name),
            false => format!("the start has no time for what `{}` may take in it", component.name),
        };
        let finding = Finding::of(&RULE, message).at(startup.origin, "this long");
        match view.system.settings.startup {
            Some(given) if !fits => finding.because(given.origin, "the whole start").note(format!(
                "all components may take {all}, and seven eighths of {start} are theirs"
            )),
            _ => finding.note("less than 4 s can be given"),
        }
    };
    given.map(finding).collect()
}
