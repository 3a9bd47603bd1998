//! Rules about what decides who runs.

use fusee_diagnostics::Rule;

use super::warning;

pub(crate) static NO_THEOREM: Rule = warning(
    "F0617",
    "no-theorem",
    [
        "No theorem is known for the system's policy with the protocols of its gates.",
        "A bound stands on a proof about what decides who runs and who enters. Where there is none, a number would be a \
         guess.",
        r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration {
        system.policy = "earliest_deadline";
        pump.period = "10 ms";
        pump.wcet = "1 ms";
    }
}
"#,
        "Use fixed priorities, or other protocols.",
        "The book, chapter \"Analysis\".",
    ],
);
