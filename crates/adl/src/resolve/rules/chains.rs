//! Chains from end to end.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

const CHAPTER: &str = "The book, chapter \"Chains and events\"";

/// A rule about an entry of `system.chains`.
const fn rule(
    code: fusee_diagnostics::Code,
    name: &'static str,
    [what, why, example, instead]: [&'static str; 4],
) -> Rule {
    Rule { code, name, severity: Severity::Error, what, why, example, instead, reference: CHAPTER }
}

pub(super) const RULES: &[Rule] = &[
    rule(
        CHAIN,
        "no-chain",
        [
            "An entry of `system.chains` does not have the form of a chain.",
            "A chain that is not understood would be a promise that nobody checks.",
            "component A { control; }\nassembly {\n    composition { component A a; }\n    \
             configuration {\n        a.period = \"10 ms\";\n        a.wcet = \"1 ms\";\n        \
             system.chains = [\"a => b\"];\n    }\n}\n",
            "Write names with arrows between them, and what is allowed: `\"a -> b within 20 ms, \
             age 30 ms\"`.",
        ],
    ),
    rule(
        CHAIN_STEP,
        "unknown-step",
        [
            "A step of a chain names no instance, no interface of one, or a thread that runs only \
             once.",
            "An effect travels through jobs: without a `period` or an event that releases it, a \
             thread has one job, and nothing that comes later passes it.",
            "component A { control; }\nassembly {\n    composition { component A a; }\n    \
             configuration {\n        a.period = \"10 ms\";\n        a.wcet = \"1 ms\";\n        \
             system.chains = [\"b within 5 ms\"];\n    }\n}\n",
            "Correct the name, or say what releases the task.",
        ],
    ),
    rule(
        CHAIN_WAY,
        "no-way",
        [
            "Nothing leads from one step of a chain to the next, or not through the interface that \
             is named.",
            "Without a link no effect arrives, and a time for it would mean nothing.",
            "component A { control; }\nassembly {\n    composition {\n        component A \
             a;\n        component A b;\n    }\n    configuration {\n        a.period = \"10 \
             ms\";\n        a.wcet = \"1 ms\";\n        b.period = \"10 ms\";\n        b.wcet = \
             \"1 ms\";\n        system.chains = [\"a -> b within 50 ms\"];\n    }\n}\n",
            "Connect the tasks by an event that releases the next one (and list the `emit` among \
             the calls), by a dataport, or name the passive component whose data both use: `\"a -> \
             store -> b\"`.",
        ],
    ),
    rule(
        CHAIN_AMBIGUOUS,
        "several-ways",
        [
            "Between two steps of a chain an effect can go several ways.",
            "Each way has times of its own. Which one is meant, only the description can say.",
            "import <std_connector.camkes>;\ncomponent A { control; dataport Buf one; dataport Buf \
             two; }\nassembly {\n    composition {\n        component A a;\n        component A \
             b;\n        connection seL4SharedData x(from a.one, to b.one);\n        connection \
             seL4SharedData y(from a.two, to b.two);\n    }\n    configuration {\n        a.period \
             = \"10 ms\";\n        a.wcet = \"1 ms\";\n        b.period = \"10 ms\";\n        \
             b.wcet = \"1 ms\";\n        system.chains = [\"a -> b within 50 ms\"];\n    }\n}\n",
            "Name the tasks between, or the interface through which the effect goes: `\"a.one -> \
             b\"`.",
        ],
    ),
];
