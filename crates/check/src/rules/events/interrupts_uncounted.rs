//! A device's interrupts that release no task.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Component, Interface, InterfaceKind, NotificationId};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0416"),
    name: "interrupts-uncounted",
    severity: Severity::Note,
    what: "A device is connected to a component that consumes its interrupts, and they release no \
           task.",
    why: "How often a device interrupts is known by the period of the task that it releases. Of \
          any other nothing says how often, so what its interrupts take is in no bound. As long \
          as nobody acknowledges one there is one at most.",
    example: r#"
import <std_connector.camkes>;
component Timer { hardware; emits Interrupt elapsed; }
component Driver { control; consumes Interrupt elapsed; }
assembly {
    composition {
        component Timer timer;
        component Driver driver;
        connection seL4HardwareInterrupt interrupt(from timer.elapsed, to driver.elapsed);
    }
    configuration {
        timer.elapsed_irq_number = 2;
        driver.period = "10 ms";
        driver.wcet = "1 ms";
    }
}
"#,
    instead: "Let it release the task, by `arrival = \"event ...\"`, whose period is then the \
              shortest time between two interrupts.",
    reference: "Fusee book, \"The description\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let interrupts = view.system.uncounted_interrupts();
    let heard = interrupts.filter_map(|(device, line, event)| {
        let (consumer, port) = consumer(view, event)?;
        Some(finding((device, line), (consumer, port)))
    });
    heard.collect()
}

/// Returns the component that consumes an event.
fn consumer<'a>(view: &View<'a>, event: NotificationId) -> Option<(&'a Component, &'a Interface)> {
    let consumes = |port: &&Interface| port.kind == InterfaceKind::Consumes(Some(event));
    let components = view.system.components.iter();
    components.filter_map(|one| Some((one, one.interfaces.iter().find(consumes)?))).next()
}

fn finding(line: (&Component, &Interface), to: (&Component, &Interface)) -> Finding {
    let (device, consumer) = (&line.0.name, &to.0.name);
    let message = format!(
        "interrupts of `{device}.{}` release no task, and nothing says how often they come",
        line.1.name
    );
    Finding::of(&RULE, message)
        .at(line.0.origin, "its interrupts are in no bound")
        .because(to.0.origin, format!("consumes them as `{}`", to.1.name))
        .note(format!("let them release a task: `{consumer}.arrival = \"event {}\"`", to.1.name))
}
