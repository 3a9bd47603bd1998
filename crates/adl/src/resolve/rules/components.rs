//! Rules about the parts of components.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: RECURSIVE_COMPONENT,
        name: "recursive-component",
        severity: Severity::Error,
        what: "A component contains an instance of itself, directly or through others. The message \
               shows the cycle.",
        why: "Its instances would contain instances without end.",
        example: "component Outer { composition { component Inner inner; } }\n\
                  component Inner { composition { component Outer outer; } }\n\
                  assembly { composition { component Outer o; } }\n",
        instead: "Take one of the instances out of its composition, and connect to it from \
                  outside.",
        reference: "CAmkES manual, section \"Hierarchical Components\"",
    },
    Rule {
        code: TOO_MUCH,
        name: "too-many-instances",
        severity: Severity::Error,
        what: "Components are nested more than 64 deep, or the description has more than 100,000 \
               instances.",
        why: "A few lines can describe millions of instances, when each of them contains two of \
              the next kind. That is hardly what is meant, and no machine would hold it.",
        example: "component C0 { control; }\n\
                  component C1 { composition { component C0 a; component C0 b; component C0 c; \
                  component C0 d; } }\n\
                  component C2 { composition { component C1 a; component C1 b; component C1 c; \
                  component C1 d; } }\n\
                  component C3 { composition { component C2 a; component C2 b; component C2 c; \
                  component C2 d; } }\n\
                  component C4 { composition { component C3 a; component C3 b; component C3 c; \
                  component C3 d; } }\n\
                  component C5 { composition { component C4 a; component C4 b; component C4 c; \
                  component C4 d; } }\n\
                  component C6 { composition { component C5 a; component C5 b; component C5 c; \
                  component C5 d; } }\n\
                  component C7 { composition { component C6 a; component C6 b; component C6 c; \
                  component C6 d; } }\n\
                  component C8 { composition { component C7 a; component C7 b; component C7 c; \
                  component C7 d; } }\n\
                  component C9 { composition { component C8 a; component C8 b; component C8 c; \
                  component C8 d; } }\n\
                  assembly { composition { component C9 many; } }\n",
        instead: "Divide the system into several descriptions.",
        reference: "CAmkES manual, section \"Hierarchical Components\"",
    },
    Rule {
        code: BAD_EXPORT,
        name: "bad-export",
        severity: Severity::Error,
        what: "An `export` does not lead from an interface of an inner instance to an interface of \
               the component around it, the two are of different kinds or types, or two exports \
               have the same name outside.",
        why: "Whoever connects to the outer interface gets the inner one, so there must be one, \
              and it must fit.",
        example: "procedure P { void run(); }\ncomponent Inner { provides P p; }\n\
                  component Outer {\n    provides P p;\n    composition {\n        component Inner \
                  inner;\n        export p -> inner.p;\n    }\n}\nassembly { composition { \
                  component Outer o; } }\n",
        instead: "Write `export INSTANCE.INTERFACE -> INTERFACE;`, inner side first.",
        reference: "CAmkES manual, section \"Hierarchical Components\"",
    },
    Rule {
        code: HARDWARE_COMPONENT,
        name: "hardware-component",
        severity: Severity::Error,
        what: "A `hardware` component has a control thread or locks.",
        why: "A device stands for registers and interrupts. No code runs in it, so there is \
              nothing to control or lock.",
        example: "component Timer { hardware; control; emits Tick irq; }\n\
                  assembly { composition { component Timer t; } }\n",
        instead: "Put the code into a driver, and connect it to the device.",
        reference: "CAmkES manual, section \"Hardware Components\"",
    },
    Rule {
        code: DUPLICATE_MEMBER,
        name: "duplicate-member",
        severity: Severity::Error,
        what: "A component declares two interfaces or locks, or two attributes, of one name.",
        why: "Connections, settings and C code refer to them by that name.",
        example: "component A { control; emits Tick tick; emits Tock tick; }\n\
                  assembly { composition { component A a; } }\n",
        instead: "Rename one of them.",
        reference: "CAmkES manual, section \"Terminology\", \"Component\"",
    },
];
