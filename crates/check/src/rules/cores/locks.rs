//! Locks in components that several cores enter.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{ComponentId, LockKind};

use crate::finding::Finding;
use crate::rules::cores::entered;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0577"),
    name: "lock-of-several-cores",
    severity: Severity::Error,
    what: "A component that tasks of several cores enter has a semaphore of which nobody says for \
           which core it is, or a mutex of which no list of calls says where it is locked.",
    why: "A mutex or a semaphore is an object of one core's kernel. Tasks of any core may post a \
          semaphore, but one core's wait for it. Nothing says which here, or whether tasks of one \
          core lock the mutex or those of several.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; has mutex guard; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Pump one;
        component Pump two;
        connection seL4RPCCall calls(from one.log, from two.log, to logger.log);
    }
    configuration {
        one.calls = ["log"];
        two.calls = ["log"];
        two.core = 1;
        logger.log_priority_protocol = "mrsp";
    }
}
"#,
    instead: "Say whose tasks wait for the semaphore: `logger.free_core = 1;`. List where the \
              mutex is locked, and where tasks of several cores do, write \
              `logger.guard_priority_protocol = \"msrp\";`; or keep it in a component that one \
              core's tasks enter; or let a gate between cores protect the data.",
    reference: "Fusee book, \"The kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let entered = entered(view);
    let mut found = Vec::new();
    for (index, component) in view.system.components.iter().enumerate() {
        let [one, .., other] = entered[index].iter().collect::<Vec<_>>()[..] else { continue };
        let described =
            |lock: usize| view.system.gate_of_mutex(ComponentId::from(index), lock).is_some();
        for (position, lock) in component.code.locks.iter().enumerate() {
            let mutex = lock.kind == LockKind::Mutex;
            if lock.core.is_some() || mutex && described(position) {
                continue;
            }
            let kind = if mutex { "mutex" } else { "semaphore" };
            let message = format!(
                "`{}` has a {kind}, and is entered from cores {one} and {other}",
                component.name
            );
            let finding = Finding::of(&RULE, message)
                .at(lock.origin, format!("a {kind} belongs to one core"));
            found.push(if mutex {
                finding.note(format!(
                    "list where it is locked, and write \
                     `{}.{}_priority_protocol = \"msrp\";` if tasks of several cores do",
                    component.name, lock.name
                ))
            } else {
                finding.note(format!(
                    "`{}.{}_core = {other};` says that tasks of core {other} wait for it; all may \
                     post it",
                    component.name, lock.name
                ))
            });
        }
    }
    found
}
