//! Rules about the bodies of jobs and methods.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

const DESCRIPTION: &str = "The book, chapter \"The description\"";

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: UNKNOWN_CALL,
        name: "unknown-call",
        severity: Severity::Error,
        what: "An entry of `calls` is none of an interface that the component uses, a method of \
               one, `emit` with an event that it emits, `wait` with one that it consumes, `lock` \
               or `unlock` with a mutex that it has, or a time.",
        why: "An invocation that is left out of the analysis makes bounds too small.",
        example: "import <std_connector.camkes>;\nprocedure P { void put(); void get(); }\n\
                  component A { control; uses P store; }\ncomponent B { provides P store; \
                  }\nassembly {\n    composition {\n        component A a;\n        component B \
                  b;\n        connection seL4RPCCall c(from a.store, to b.store);\n    }\n    \
                  configuration { a.calls = [\"store.put\", \"stor.get\"]; }\n}\n",
        instead: "Correct the entry.",
        reference: DESCRIPTION,
    },
    Rule {
        code: UNCONNECTED_CALL,
        name: "unconnected-call",
        severity: Severity::Error,
        what: "An entry of `calls` goes through an interface that is not connected, or only to a \
               device.",
        why: "It leads nowhere: an invocation fails, a wait never ends.",
        example: "procedure P { void put(); }\ncomponent A { control; maybe uses P store; \
                  }\nassembly {\n    composition { component A a; }\n    configuration { a.calls = \
                  [\"store.put\"]; }\n}\n",
        instead: "Connect the interface, or take the entry out. Access to a device counts as own \
                  execution.",
        reference: DESCRIPTION,
    },
    Rule {
        code: SECTION,
        name: "section-without-end",
        severity: Severity::Error,
        what: "In a list of `calls` a mutex is unlocked that was not locked last, or one stays \
               locked.",
        why: "The kernel takes mutexes back last first and refuses any other order, and nobody \
              could tell for how long a mutex is held that the list does not unlock.",
        example: "component A { control; has mutex m; }\nassembly {\n    composition { component A \
                  a; }\n    configuration { a.calls = [\"lock m\", \"2 ms\"]; }\n}\n",
        instead: "Unlock each mutex in the list in which it is locked, the last one first.",
        reference: DESCRIPTION,
    },
    Rule {
        code: SECTION_TIME,
        name: "section-without-time",
        severity: Severity::Error,
        what: "A list of `calls` does not say how long a mutex is held.",
        why: "Everybody who wants the mutex may wait so long: it is part of their bounds.",
        example: "component A { control; has mutex m; }\nassembly {\n    composition { component A \
                  a; }\n    configuration { a.calls = [\"2 ms\", \"lock m\", \"unlock m\"]; }\n}\n",
        instead: "Write the longest time between `lock` and `unlock`; what is invoked there is \
                  counted by itself.",
        reference: DESCRIPTION,
    },
    Rule {
        code: CALLS_SUM,
        name: "calls-sum",
        severity: Severity::Error,
        what: "The times in `calls` do not add up to the `wcet` that is given beside them.",
        why: "One of the two is wrong. The smaller one would make bounds too small.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration {\n        a.wcet = \"5 ms\";\n        a.calls = [\"2 ms\", \"2 \
                  ms\"];\n    }\n}\n",
        instead: "Leave the `wcet` out: it is the sum of the times. Or leave the times out: it is \
                  then spread evenly.",
        reference: DESCRIPTION,
    },
    Rule {
        code: BEST_ABOVE_WORST,
        name: "best-above-worst",
        severity: Severity::Error,
        what: "A `bcet` is above the `wcet`, or there is no `wcet` beside it.",
        why: "The shortest time cannot be longer than the longest.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration {\n        a.wcet = \"2 ms\";\n        a.bcet = \"3 ms\";\n    \
                  }\n}\n",
        instead: "Correct one of them. Without a `bcet` execution times do not vary in simulation.",
        reference: DESCRIPTION,
    },
];
