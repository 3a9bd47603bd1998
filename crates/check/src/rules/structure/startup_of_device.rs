//! A time to set itself up, for what has no code.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0515"),
    name: "startup-of-device",
    severity: Severity::Error,
    what: "A `hardware` component has a time to set itself up (`startup`).",
    why: "It stands for a device and has no code, so nothing of it runs before time 0. Whoever \
          drives it sets it up, in its own time.",
    example: r#"
import <std_connector.camkes>;
component Clock { hardware; dataport Buf registers; }
component Driver { control; dataport Buf clock; }
assembly {
    composition {
        component Clock clock; component Driver driver;
        connection seL4HardwareMMIO mapped(from driver.clock, to clock.registers);
    }
    configuration {
        clock.registers_paddr = 0x101000; clock.registers_size = 0x1000;
        driver.period = "10 ms"; driver.wcet = "1 ms"; driver.calls = [];
        clock.startup = "1 ms";
    }
}
"#,
    instead: "Give the time to the component that drives it.",
    reference: "Fusee book, \"The description\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let devices = view.system.components.iter().filter(|component| component.hardware);
    devices
        .filter_map(|component| {
            let startup = component.startup?;
            let message = format!("`{}` is a device, and sets nothing up", component.name);
            Some(Finding::of(&RULE, message).at(startup.origin, "nothing takes this time"))
        })
        .collect()
}
