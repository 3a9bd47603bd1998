//! Rules about what decides who runs.

use fusee_diagnostics::Rule;

use super::warning;

pub(crate) static NO_THEOREM: Rule = warning(
    "F0617",
    "no-theorem",
    [
        "No theorem is known for the system's policy with a gate's protocol, or for the way in \
         which the gate is nested.",
        "A bound stands on a proof about what decides who runs and who enters. Where there is \
         none, a number would be a guess.",
        r#"
import <std_connector.camkes>;
procedure Bus { void access(); };
component Store { provides Bus bus; }
component User { control; uses Bus bus; }
assembly {
    composition {
        component Store store;
        component User quick;
        component User slow;
        connection seL4RPCCall c(from quick.bus, from slow.bus, to store.bus);
    }
    configuration {
        system.policy = "earliest_deadline";
        quick.period = "10 ms";
        quick.wcet = "1 ms";
        quick.calls = ["bus"];
        slow.period = "100 ms";
        slow.wcet = "1 ms";
        slow.calls = ["bus"];
        store.bus_wcet = "500 us";
        store.bus_priority_protocol = "fifo";
    }
}
"#,
        "Under earliest deadline, make the gate `srp`, `inherited` or `non_preemptive`. Under \
         fixed priorities, let gates around a `ceiling` gate be `ceiling` as well.",
        "The book, chapter \"Analysis\".",
    ],
);
