//! The page about code that is not trusted.

use fusee_diagnostics::{Code, Rule, Severity};

pub(crate) static UNTRUSTED: Rule = Rule {
    code: Code("F0624"),
    name: "bounds-rest-on-untrusted-code",
    severity: Severity::Note,
    what: "A task runs code of a component with `trusted = false`, and bounds rest on what is \
           said of it, because nothing that the kernel enforces limits it: bounds of others, and \
           that of who calls such code.",
    why: "A bound counts what the kernel lets a task take. Where there is no such limit, what is \
          said counts; and of code that is not trusted that need not be so. Where deadlines \
          decide, a job that does not end is before all others in the end. A budget limits who \
          calls such code, and not how late it comes back.",
    example: r#"
component Guest { control; }
component Pump { control; }
assembly {
    composition { component Guest guest; component Pump pump; }
    configuration {
        guest.period = "10 ms";
        guest.wcet = "1 ms";
        guest.trusted = false;
        pump.period = "20 ms";
        pump.wcet = "1 ms";
    }
}
"#,
    instead: "Give the task a budget with `overrun = \"suspend\"`; let its component consume no \
              events and share no locks; keep it away from gates between cores.",
    reference: "Fusee book, \"Code that is not trusted\"",
};
