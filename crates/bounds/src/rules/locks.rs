//! The lack of a bound for a task that waits at a lock.

use fusee_diagnostics::{Code, Rule, Severity};

pub(crate) static LOCK: Rule = Rule {
    code: Code("F0613"),
    name: "lock-of-unknown-length",
    severity: Severity::Warning,
    what: "Several threads come to a component that has a mutex or a semaphore; or several cores \
           post a semaphore, and looking for that takes time.",
    why: "Nobody has said for how long the lock is held, and its holder runs at the priority of \
          the most urgent that waits: so everybody at or below that is concerned. A lock that one \
          thread alone comes to is harmless.",
    example: r#"
import <std_connector.camkes>;
procedure Bus { void use(); }
component Store { provides Bus bus; has mutex m; }
component User { control; uses Bus bus; }
assembly {
    composition {
        component Store store;
        component User urgent;
        component User slow;
        connection seL4RPCCall c(from urgent.bus, from slow.bus, to store.bus);
    }
    configuration {
        urgent.period = "10 ms";
        urgent.wcet = "1 ms";
        urgent.calls = ["bus"];
        slow.period = "100 ms";
        slow.wcet = "1 ms";
        slow.calls = ["bus"];
        store.bus_wcet = "500 us";
        store.bus_priority_protocol = "propagated";
    }
}
"#,
    instead: "Say it in the lists of calls of all the component's jobs and methods, also of those \
              that lock nothing: `store.bus_calls = [\"480 us\", \"lock m\", \"20 us\", \"unlock \
              m\"]`. Or let the interface be the lock. Semaphores and callbacks of events never \
              have a bound.",
    reference: "The book, chapter \"Analysis\".",
};
