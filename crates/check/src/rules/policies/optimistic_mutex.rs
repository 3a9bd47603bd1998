//! Mutexes that are words, where the kernel cannot know their holders.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{ComponentId, Gate, GateId, Lock};

use super::cores;
use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0565"),
    name: "optimistic-mutex-unfit",
    severity: Severity::Error,
    what: "A mutex is `optimistic` in a component that shares its protection domain with others, \
           or that threads of several cores come to, or beside a mutex between cores.",
    why: "Such a mutex is a word, and the kernel learns who holds it from the word when somebody \
          else asks: a thread that is inside of the component. In a domain of several components \
          it may be inside of another one. On another core its owner has what neither `msrp` nor \
          `mrsp` allows: it has taken the word without the urgency that they need from the first \
          moment, and those who spin for it wait for whoever keeps it from running.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; has mutex guard; }
component Clock { }
component Pump { control; uses Log log; }
assembly {
    composition {
        group station {
            component Logger logger;
            component Clock clock;
        }
        component Pump pump;
        connection seL4RPCCall calls(from pump.log, to station.logger.log);
    }
    configuration {
        pump.calls = ["log"];
        pump.period = "10 ms";
        pump.wcet = "1 ms";
        station.logger.log_calls = ["lock guard", "100 us", "unlock guard"];
        station.logger.log_priority_protocol = "propagated";
        station.logger.guard_locking = "optimistic";
    }
}
"#,
    instead: "Leave the mutex `pessimistic`, so that the kernel hears of each lock; between cores \
              it is `msrp` then. Or give each core a component with a mutex of its own.",
    reference: "Parmer and Song 2010; Fusee book, \"Locks as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let unfit = |(id, lock): (ComponentId, &Lock)| {
        let why = obstacle(view, id)?;
        let component = view.system.component(id);
        let message = format!("`{}.{}` is `optimistic`, and {why}", component.name, lock.name);
        let finding = Finding::of(&RULE, message)
            .at(lock.locking.origin, "asks for users of one core, and a domain of its own");
        Some(finding.fix("let each lock be a call", lock.locking.origin, "\"pessimistic\""))
    };
    view.system.mutex_words().filter_map(unfit).collect()
}

/// Returns the obstacle to mutexes of a component that are words.
fn obstacle(view: &View<'_>, id: ComponentId) -> Option<String> {
    let system = view.system;
    let domain = &system.domains[system.component(id).domain.index()];
    if domain.components.len() > 1 {
        return Some(format!("its component is not alone in the group `{}`", domain.name));
    }
    let mut cores = cores::entering(view, id).into_iter();
    if let (Some(one), Some(other)) = (cores.next(), cores.next()) {
        return Some(format!("threads of core {one} and of core {other} come to its component"));
    }
    let between = |(id, gate): &(GateId, &Gate)| {
        gate.protocol.value.is_global() && system.mutex(*id).is_some()
    };
    let (_, mutex) = system.gate_ids().find(between)?;
    Some(format!("`{}` is a mutex between cores", mutex.name))
}
