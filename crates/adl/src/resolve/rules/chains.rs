//! Chains from end to end.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

const CHAPTER: &str = "The book, chapter \"Chains and events\"";

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: CHAIN,
        name: "no-chain",
        severity: Severity::Error,
        what: "An entry of `system.chains` does not have the form of a chain.",
        why: "A chain that is not understood would be a promise that nobody checks.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration {\n        a.period = \"10 ms\";\n        a.wcet = \"1 \
                  ms\";\n        system.chains = [\"a => b\"];\n    }\n}\n",
        instead: "Write names with arrows between them, and what is allowed: `\"a -> b within 20 \
                  ms, age 30 ms\"`.",
        reference: CHAPTER,
    },
    Rule {
        code: CHAIN_STEP,
        name: "unknown-step",
        severity: Severity::Error,
        what: "A step of a chain names no instance, no interface of one, or a thread that runs \
               only once.",
        why: "An effect travels through jobs: without a `period` or an event that releases it, a \
              thread has one job, and nothing that comes later passes it.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration {\n        a.period = \"10 ms\";\n        a.wcet = \"1 \
                  ms\";\n        system.chains = [\"b within 5 ms\"];\n    }\n}\n",
        instead: "Correct the name, or say what releases the task.",
        reference: CHAPTER,
    },
    Rule {
        code: CHAIN_WAY,
        name: "no-way",
        severity: Severity::Error,
        what: "Nothing leads from one step of a chain to the next, or not through the interface \
               that is named.",
        why: "Without a link no effect arrives, and a time for it would mean nothing.",
        example: "component A { control; }\nassembly {\n    composition {\n        component A \
                  a;\n        component A b;\n    }\n    configuration {\n        a.period = \"10 \
                  ms\";\n        a.wcet = \"1 ms\";\n        b.period = \"10 ms\";\n        b.wcet \
                  = \"1 ms\";\n        system.chains = [\"a -> b within 50 ms\"];\n    }\n}\n",
        instead: "Connect the tasks by an event that releases the next one (and list the `emit` \
                  among the calls), by a dataport, or name the passive component whose data both \
                  use: `\"a -> store -> b\"`.",
        reference: CHAPTER,
    },
    Rule {
        code: CHAIN_AMBIGUOUS,
        name: "several-ways",
        severity: Severity::Error,
        what: "Between two steps of a chain an effect can go several ways.",
        why: "Each way has times of its own. Which one is meant, only the description can say.",
        example: "import <std_connector.camkes>;\ncomponent A { control; dataport Buf one; \
                  dataport Buf two; }\nassembly {\n    composition {\n        component A \
                  a;\n        component A b;\n        connection seL4SharedData x(from a.one, to \
                  b.one);\n        connection seL4SharedData y(from a.two, to b.two);\n    }\n    \
                  configuration {\n        a.period = \"10 ms\";\n        a.wcet = \"1 \
                  ms\";\n        b.period = \"10 ms\";\n        b.wcet = \"1 ms\";\n        \
                  system.chains = [\"a -> b within 50 ms\"];\n    }\n}\n",
        instead: "Name the tasks between, or the interface through which the effect goes: `\"a.one \
                  -> b\"`.",
        reference: CHAPTER,
    },
];
