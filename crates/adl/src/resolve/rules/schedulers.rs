//! Rules about schedulers and the threads that they dispatch.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

const CHAPTER: &str = "The book, chapter \"Schedulers as components\"";

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: SCHEDULER,
        name: "no-scheduler",
        severity: Severity::Error,
        what: "`scheduler` names no task, or who delegates is nobody's scheduler.",
        why: "A thread that has a scheduler runs only when that dispatches it: without one it \
              would never run.",
        example: "component Scheduler { control; }\ncomponent Worker { control; }\nassembly {\n    \
                  composition {\n        component Scheduler root;\n        component Worker \
                  worker;\n    }\n    configuration {\n        worker.scheduler = \
                  \"rot\";\n    }\n}\n",
        instead: "Name an instance whose component has `control`.",
        reference: CHAPTER,
    },
    Rule {
        code: DELEGATION,
        name: "no-delegation",
        severity: Severity::Error,
        what: "An entry of `delegates` does not say how much time goes to which thread, or nothing \
               says in which time that is given.",
        why: "What a thread can get must be known, and so what is left for others.",
        example: "component Scheduler { control; }\ncomponent Worker { control; }\nassembly {\n    \
                  composition {\n        component Scheduler root;\n        component Worker \
                  worker;\n    }\n    configuration {\n        worker.scheduler = \
                  \"root\";\n        root.delegates = [\"3 ms for worker\"];\n        \
                  root.delegates_every = \"8 ms\";\n    }\n}\n",
        instead: "Write `\"3 ms to worker\"`, and `delegates_every` beside the list.",
        reference: CHAPTER,
    },
];
