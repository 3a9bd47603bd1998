//! Mutexes that are words, where the kernel cannot know their holders.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{ComponentId, GateId, Lock, Protocol, System};

use super::by_deadline;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0565"),
    name: "optimistic-mutex-unfit",
    severity: Severity::Error,
    what: "A mutex is `optimistic` in a component that shares its protection domain with others, \
           or in a system of several cores, with schedulers, with a gate of the priority ceiling \
           protocol, or in which deadlines decide.",
    why: "Such a mutex is a word, and the kernel learns who holds it from the word when somebody \
          else asks: a thread that is inside of the component. In a domain of several components \
          it may be inside of another one; a thread of another core is not the kernel's; and \
          ceilings would have to be raised before the kernel knows of any holder.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; has mutex guard; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Pump pump;
        connection seL4RPCCall calls(from pump.log, to logger.log);
    }
    configuration {
        system.policy = "earliest_deadline";
        pump.calls = ["log"];
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        logger.log_calls = ["lock guard", "100 us", "unlock guard"];
        logger.log_priority_protocol = "propagated";
        logger.guard_locking = "optimistic";
    }
}
"#,
    instead: "Leave the mutex `pessimistic`, so that the kernel hears of each lock.",
    reference: "Parmer and Song 2010; Fusee book, \"Locks as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let unfit = |(id, lock): (ComponentId, &Lock)| {
        let why = obstacle(view, id)?;
        let component = view.system.component(id);
        let message = format!("`{}.{}` is `optimistic`, and {why}", component.name, lock.name);
        let finding = Finding::of(&RULE, message)
            .at(lock.locking.origin, "asks for fixed priorities, one core, a domain of its own");
        Some(finding.fix("let each lock be a call", lock.locking.origin, "\"pessimistic\""))
    };
    view.system.mutex_words().filter_map(unfit).collect()
}

/// Returns the obstacle to mutexes of a component that are words.
fn obstacle(view: &View<'_>, id: ComponentId) -> Option<String> {
    let system = view.system;
    let domain = &system.domains[system.component(id).domain.index()];
    if domain.components.len() > 1 {
        Some(format!("its component is not alone in the group `{}`", domain.name))
    } else {
        unfit(system)
    }
}

/// Returns the obstacle to kernels that adopt the threads that words name.
pub(super) fn unfit(system: &System) -> Option<String> {
    let ceiling = |(_, gate): &(GateId, &fusee_model::Gate)| {
        gate.protocol.value == Protocol::Ceiling && !gate.direct
    };
    if (0..system.cores()).any(|core| by_deadline(system, core)) {
        Some("deadlines decide who runs".to_owned())
    } else if system.cores() > 1 {
        Some(format!("the system has {} cores", system.cores()))
    } else if let Some(scheduler) = system.schedulers.first() {
        let task = &system.task(scheduler.task).name;
        Some(format!("`{task}` is a scheduler"))
    } else {
        let (_, gate) = system.gate_ids().find(ceiling)?;
        Some(format!("`{}` is a gate of the priority ceiling protocol", gate.name))
    }
}
