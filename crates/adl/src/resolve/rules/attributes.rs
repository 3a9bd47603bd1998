//! Settings of CAmkES's that are not followed.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

const DESCRIPTION: &str = "The book, chapter \"The description\", section \"All attributes\"";

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: DOMAINS,
        name: "domains",
        severity: Severity::Error,
        what: "Threads are put into domains (`_domain`, `INTERFACE_domain`), or a `schedule` gives \
               domains windows of time, and not all threads are in the one domain that always \
               runs.",
        why: "On seL4 a thread runs in the windows of its domain only, and never if there is none. \
              A bound that knows nothing of windows is no bound on that. Nothing here divides time \
              so but a scheduler's component.",
        example: "component Worker { control; }\nassembly {\n    composition {\n        component \
                  Worker fast;\n        component Worker slow;\n    }\n    configuration {\n\
                  \x20       fast._domain = 1;\n        slow._domain = 2;\n    }\n    \
                  schedule { [(1, 10000 us), (2, 40000 us)] }\n}\n",
        instead: "Let the component `Partitions` give threads windows: a note of the message \
                  writes the lines, where each domain has one thread. A domain of several threads \
                  is a scheduler below it, such as `FixedPriority`. Or take the domains out.",
        reference: "CAmkES manual, \"Thread domains\"; the book, chapter \"Schedulers as \
                    components\"",
    },
    Rule {
        code: NO_EFFECT,
        name: "setting-without-effect",
        severity: Severity::Note,
        what: "A setting that CAmkES or Fusee knows has no effect: nothing here depends on it, or \
               the component has nothing that it is about, such as a priority of a control thread \
               where there is none. Settings of one attribute are told together.",
        why: "Whoever wrote it expects something of it. What is read and followed is never told \
              so; whatever is left over is.",
        example: "component Worker { control; }\nassembly {\n    composition { component Worker \
                  worker; }\n    configuration { worker.cnode_size_bits = 12; }\n}\n",
        instead: "Nothing, if the reason in the message is fine. Otherwise take the setting out.",
        reference: DESCRIPTION,
    },
    Rule {
        code: NOT_FOLLOWED,
        name: "setting-not-followed",
        severity: Severity::Warning,
        what: "A setting makes a difference on seL4 and none here: the priority, core or \
               scheduling context of an interface's thread, the place of shared memory, devices \
               that a component is given without a connection. It is a note for the priority of an \
               interface whose `priority_protocol` is given as well.",
        why: "Bounds are about what is done here. For the same description on seL4 they say \
              nothing: an interface with a priority below its callers', say, keeps these waiting \
              for whoever is between.",
        example: "import <std_connector.camkes>;\nprocedure Use { void work(); };\n\
                  component Store { provides Use use; }\n\
                  component Caller { control; uses Use use; }\n\
                  assembly {\n    composition {\n        component \
                  Store store;\n        component Caller caller;\n        connection seL4RPCCall \
                  c(from caller.use, to store.use);\n    }\n    configuration {\n        \
                  store.use_priority = 50;\n        caller._priority = 100;\n    }\n}\n",
        instead: "Follow the message: `INTERFACE_priority_protocol = \"fixed\"` makes a priority \
                  the ceiling of a gate, a `budget` of a task limits what its calls take.",
        reference: DESCRIPTION,
    },
    Rule {
        code: BUDGET_ABOVE_PERIOD,
        name: "context-budget-above-period",
        severity: Severity::Error,
        what: "A scheduling context has a longer `_budget` than `_period`, or an interface's \
               `INTERFACE_budget` is above its `INTERFACE_period`. It is a warning where one of \
               them is CAmkES's default of 10 ms.",
        why: "seL4 refuses it, and the system does not start.",
        example: "component Worker { control; }\nassembly {\n    composition { component Worker \
                  worker; }\n    configuration {\n        worker._period = 10000;\n        \
                  worker._budget = 20000;\n    }\n}\n",
        instead: "Write a budget that is no longer than the period: as long is no limit.",
        reference: "seL4 manual, section on scheduling contexts",
    },
    Rule {
        code: SINGLE_THREADED,
        name: "single-threaded",
        severity: Severity::Error,
        what: "A component is `single_threaded`, and two threads could be at work in it at once: \
               it provides several interfaces, or has a control thread besides, or its gate lets \
               in all that call.",
        why: "On seL4 one thread serves all of its interfaces and events, one after the other, and \
              its code relies on it. Here each interface is a gate of its own, so its data would \
              be changed by two at once.",
        example: "import <std_connector.camkes>;\nprocedure Use { void work(); };\ncomponent Store \
                  {\n    provides Use left;\n    provides Use right;\n}\ncomponent Caller { \
                  control; uses Use use; }\nassembly {\n    composition {\n        component Store \
                  store;\n        component Caller one;\n        component Caller two;\n        \
                  connection seL4RPCCall l(from one.use, to store.left);\n        connection \
                  seL4RPCCall r(from two.use, to store.right);\n    }\n    configuration { \
                  store.single_threaded = true; }\n}\n",
        instead: "Put all methods into one interface; or take the attribute out, and let each \
                  method and the job lock one mutex of the component.",
        reference: "CAmkES, templates of `seL4SingleThreadedComponent`",
    },
];
