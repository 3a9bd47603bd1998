//! A device without a driver.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0433"),
    name: "hardware-unused",
    severity: Severity::Warning,
    what: "None of a hardware component's interfaces is connected.",
    why: "Its registers are mapped nowhere and its interrupts reach nobody. If the device is \
          active all the same, nobody will answer it.",
    example: r#"
component Uart { hardware; dataport Buf registers; }
component Pump { control; }
assembly {
    composition { component Uart uart; component Pump pump; }
}
"#,
    instead: "Connect it to its driver, or leave it out.",
    reference: "CAmkES manual, \"Hardware components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.components.iter())
        .filter(|c| c.hardware && c.interfaces.iter().all(|i| i.connections.is_empty()))
        .map(|component| {
            Finding::of(&RULE, format!("nothing is connected to device `{}`", component.name))
                .at(component.origin, "no driver")
                .note("connect it to its driver, or leave it out")
        })
        .collect()
}
