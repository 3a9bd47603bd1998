//! A device with a thread.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0432"),
    name: "hardware-with-control",
    severity: Severity::Error,
    what: "A component is declared both `hardware` and `control`.",
    why: "`hardware` stands for a device: it has registers and interrupts, but no code that a thread could run.",
    example: r#"
component Uart { hardware; control; dataport Buf registers; }
component Driver { control; dataport Buf registers; }
assembly {
    composition {
        component Uart uart;
        component Driver driver;
        connection seL4HardwareMMIO memory(from driver.registers, to uart.registers);
    }
}
"#,
    instead: "Leave `control` out, and put the thread into the driver's component.",
    reference: "CAmkES manual, \"Hardware components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    (view.system.components.iter())
        .filter(|c| c.hardware && c.control)
        .map(|component| {
            let message = format!("`{}` stands for a device and cannot have a control thread", component.name);
            Finding::of(&RULE, message)
                .at(component.origin, format!("`{}` is both `hardware` and `control`", component.kind))
                .note("put the thread into the driver's component")
        })
        .collect()
}
