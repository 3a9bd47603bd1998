//! Times, priorities and choices.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

const DESCRIPTION: &str = "The book, chapter \"The description\"";

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: NO_DURATION,
        name: "no-duration",
        severity: Severity::Error,
        what: "A text is no length of time: its number or its unit is missing or unknown, or it is \
               finer than a nanosecond.",
        why: "A time that is misread by a factor of a thousand makes every result wrong.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration { a.period = \"10 msec\"; }\n}\n",
        instead: "Write a number and one of the units `ns`, `us`, `ms`, `s`, `ticks`: `\"10 ms\"`, \
                  `\"0.5 s\"`.",
        reference: DESCRIPTION,
    },
    Rule {
        code: ZERO_TIME,
        name: "zero-time",
        severity: Severity::Error,
        what: "A period, deadline, budget or time slice is zero.",
        why: "A task that is released all the time, or may never run, is no task.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration { a.period = \"0 ms\"; }\n}\n",
        instead: "Give the time, or leave the attribute out.",
        reference: DESCRIPTION,
    },
    Rule {
        code: OUT_OF_RANGE,
        name: "out-of-range",
        severity: Severity::Error,
        what: "A number is outside of what its attribute takes: a priority not from 0 to 255, a \
               negative time, a time of more than 584 years (2^64 ns), a core not from 0 to 63.",
        why: "No platform has such a value, so a mistake is likely.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration { a.priority = 256; }\n}\n",
        instead: "Give a value in the range that the message names.",
        reference: DESCRIPTION,
    },
    Rule {
        code: WRONG_VALUE,
        name: "wrong-value",
        severity: Severity::Error,
        what: "An attribute that CAmkES or Fusee reads has a value of the wrong kind, such as a \
               text for a priority.",
        why: "Unlike attributes of your own, these are read by the tools, which need to understand \
              them.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration { a.priority = \"high\"; }\n}\n",
        instead: "Give a value of the kind that the message names.",
        reference: DESCRIPTION,
    },
    Rule {
        code: UNKNOWN_CHOICE,
        name: "unknown-choice",
        severity: Severity::Error,
        what: "An attribute that takes one of a few words has another one.",
        why: "The words decide how the system behaves: a guess could be wrong.",
        example: "procedure P { void run(); }\ncomponent A { provides P p; }\nassembly {\n    \
                  composition { component A a; }\n    configuration { a.p_priority_protocol = \
                  \"inherit\"; }\n}\n",
        instead: "Use one of the words that the message lists.",
        reference: DESCRIPTION,
    },
    Rule {
        code: WITHOUT_PERIOD,
        name: "without-period",
        severity: Severity::Error,
        what: "A task has a deadline, jitter, offset or kind of arrival, but no period; or what to \
               do at a budget's overrun, but no budget.",
        why: "A task without a period runs once and is not analysed, so the attribute has no \
              effect. Somebody relies on it.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration { a.deadline = \"10 ms\"; }\n}\n",
        instead: "Give the period (for sporadic tasks: the least time between releases), or take \
                  the attribute out.",
        reference: DESCRIPTION,
    },
    Rule {
        code: WITHOUT_CONTROL,
        name: "without-control",
        severity: Severity::Error,
        what: "A component without a control thread has an attribute of tasks, such as a period or \
               an execution time.",
        why: "Only control threads are tasks. The attribute has no effect, and somebody relies on \
              it.",
        example: "procedure P { void run(); }\ncomponent Store { provides P p; }\nassembly {\n    \
                  composition { component Store store; }\n    configuration { store.wcet = \"1 \
                  ms\"; }\n}\n",
        instead: "Add `control;` to the component. For what an invocation takes, set \
                  `INTERFACE_wcet` or `INTERFACE_METHOD_wcet`.",
        reference: DESCRIPTION,
    },
    Rule {
        code: OVERRUN_EVENT,
        name: "overrun-event",
        severity: Severity::Error,
        what: "`overrun = \"notify EVENT\"` names an event that the component does not emit, that \
               is not connected, or that has several consumers.",
        why: "Nobody, or not everybody, would hear of the overrun.",
        example: "component A { control; emits Alarm late; }\nassembly {\n    composition { \
                  component A a; }\n    configuration {\n        a.period = \"10 ms\";\n        \
                  a.budget = \"1 ms\";\n        a.overrun = \"notify late\";\n    }\n}\n",
        instead: "Name an `emits` interface, and connect it to one consumer.",
        reference: DESCRIPTION,
    },
    Rule {
        code: CONFLICTING_ATTRIBUTES,
        name: "conflicting-attributes",
        severity: Severity::Error,
        what: "Two attributes say different things about the same: `core` and `_affinity`, \
               `period` and `_period`, `priority` and `_priority` of a component without \
               interfaces, a ceiling by two names, an offset for a sporadic task, a protocol for a \
               gate that is only reached by direct calls. It is a note where CAmkES gives both a \
               meaning: `priority` for the threads that interfaces have there, `_priority` for the \
               control thread, and here only the latter counts.",
        why: "One of them would be passed over.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration {\n        a.core = 1;\n        a._affinity = 0;\n    }\n}\n",
        instead: "Take one of them out.",
        reference: DESCRIPTION,
    },
    Rule {
        code: SAME_REQUESTOR,
        name: "same-requestor",
        severity: Severity::Warning,
        what: "Two tasks have the same `requestor`.",
        why: "The library for prioritised requests tells tasks apart by this number: inheritance \
              would go to the wrong one. Fusee itself does not need it.",
        example: "component A { control; }\nassembly {\n    composition {\n        component A \
                  a;\n        component A b;\n    }\n    configuration {\n        a.requestor = \
                  1;\n        b.requestor = 1;\n    }\n}\n",
        instead: "Give each task a number of its own, for example with `__COUNTER__`.",
        reference: "Sudvarg et al., Real-Time Systems (2024), section 5",
    },
    Rule {
        code: NO_PRIORITY_LEFT,
        name: "no-priority-left",
        severity: Severity::Error,
        what: "More tasks of different deadlines leave their priority out than there are free \
               priorities from 0 to 253.",
        why: "Deadline-monotonic order needs one level for each deadline.",
        example: "component A { control; }\n\
                  #define ONE(n, m) component A t##n##m;\n\
                  #define TEN(n) ONE(n,0) ONE(n,1) ONE(n,2) ONE(n,3) ONE(n,4) ONE(n,5) ONE(n,6) \
                  ONE(n,7) ONE(n,8) ONE(n,9)\n\
                  #define SET(n, m) t##n##m.period = #n #m \" ms\";\n\
                  #define SETS(n) SET(n,0) SET(n,1) SET(n,2) SET(n,3) SET(n,4) SET(n,5) SET(n,6) \
                  SET(n,7) SET(n,8) SET(n,9)\n\
                  #define ALL(F) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11) F(12) \
                  F(13) F(14) F(15) F(16) F(17) F(18) F(19) F(20) F(21) F(22) F(23) F(24) F(25) \
                  F(26)\n\
                  assembly {\n    composition { ALL(TEN) }\n    configuration { ALL(SETS) }\n}\n",
        instead: "Give tasks equal deadlines where they may be equal, or give priorities: several \
                  tasks may share one.",
        reference: "J. Leung, J. Whitehead, Performance Evaluation 2 (1982)",
    },
    Rule {
        code: SHADOWED_ATTRIBUTE,
        name: "own-attribute",
        severity: Severity::Note,
        what: "A component declares an attribute of its own that has the name of one of Fusee's \
               and another type, such as `attribute int period`. It is not read as timing.",
        why: "Components existed before Fusee did, and a `period` of theirs counts what they say.",
        example: "component Blinker { control; attribute int period = 500; }\n\
                  assembly { composition { component Blinker blinker; } }\n",
        instead: "Nothing, if it is the component's affair. To give the task its timing, rename \
                  the attribute, or declare it as `string`.",
        reference: DESCRIPTION,
    },
    Rule {
        code: NO_UNIT,
        name: "no-unit",
        severity: Severity::Error,
        what: "A time is a bare number. For `period` and `budget`, which CAmkES has too, it is \
               read as CAmkES does, in microseconds, with a note; elsewhere it is an error.",
        why: "Nobody can tell microseconds from milliseconds by looking at a number.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration {\n        a.period = \"10 ms\";\n        a.wcet = 2;\n    }\n}\n",
        instead: "Write a text with a unit: `\"2 ms\"`.",
        reference: DESCRIPTION,
    },
    Rule {
        code: UNKNOWN_VALUE,
        name: "unknown-value",
        severity: Severity::Error,
        what: "The value of an attribute that results depend on comes from a query, and is not \
               known here.",
        why: "An unknown time is not zero. Without it there is no result.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration { a.period = dtb({\"path\": \"/timer\"}); }\n}\n",
        instead: "Write the value into the description.",
        reference: DESCRIPTION,
    },
    Rule {
        code: LIMIT,
        name: "limit-not-enforced",
        severity: Severity::Warning,
        what: "A control thread has a `_budget` shorter than its `_period`, and no `period` of \
               Fusee's.",
        why: "On seL4 a scheduling context stops the thread when it has run for the budget in a \
              period. Fusee's kernel limits jobs, and a thread without a `period` has none: it \
              runs on.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration {\n        a._period = 10000;\n        a._budget = 2000;\n    \
                  }\n}\n",
        instead: "Give it a `period`, and the budget holds for each of its jobs. Or give it a \
                  priority below all tasks with deadlines, and take the budget out.",
        reference: "seL4 manual, section on scheduling contexts; CAmkES manual, \"Thread \
                    attributes\"",
    },
    Rule {
        code: RELEASE_EVENT,
        name: "release-event",
        severity: Severity::Error,
        what: "`arrival = \"event NAME\"` names an event that the component does not consume or \
               that is not connected, or the calls of the job wait for it more than once.",
        why: "Each signal of that event is one job of the task. What waits for it twice would be \
              two jobs, and what is released by nothing none.",
        example: "component A { control; consumes Tick tick; }\nassembly {\n    composition { \
                  component A a; }\n    configuration {\n        a.arrival = \"event \
                  tock\";\n        a.period = \"10 ms\";\n        a.wcet = \"1 ms\";\n    }\n}\n",
        instead: "Name a connected `consumes` interface, and describe what is done for one event.",
        reference: DESCRIPTION,
    },
];
