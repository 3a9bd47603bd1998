//! Settings and copies of attributes.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: UNKNOWN_TARGET,
        name: "unknown-target",
        severity: Severity::Error,
        what: "A setting is for an instance or connection that does not exist. It is an error if \
               the attribute is one that results depend on (a period, a protocol, ...), and a \
               warning otherwise: CAmkES itself passes over such settings.",
        why: "The attribute stays unset where it was meant to be set.",
        example: "component Motor { control; }\nassembly {\n    composition { component Motor \
                  motor; }\n    configuration { moter.period = \"10 ms\"; }\n}\n",
        instead: "Correct the name. For the whole system, set `system.time_slice` and the like.",
        reference: "The book, chapter \"The description\"",
    },
    Rule {
        code: DUPLICATE_SETTING,
        name: "duplicate-setting",
        severity: Severity::Error,
        what: "An attribute is set twice at the same level of the hierarchy.",
        why: "One of the two values would be lost without a word.",
        example: "component Motor { control; }\nassembly {\n    composition { component Motor \
                  motor; }\n    configuration {\n        motor.priority = 10;\n        \
                  motor.priority = 20;\n    }\n}\n",
        instead: "Take one of them out. A setting further out in the hierarchy does override one \
                  further in.",
        reference: "CAmkES manual, section \"Custom Attributes\"",
    },
    Rule {
        code: UNKNOWN_REFERENCE,
        name: "unknown-reference",
        severity: Severity::Error,
        what: "`a.b <- c.d;` copies from an instance that does not exist, or at the top from no \
               instance at all; or the instance neither declares the attribute nor gets it set, \
               which is an error where timing is copied, else a warning.",
        why: "There is nothing to copy.",
        example: "component Motor { control; attribute int speed; }\nassembly {\n    composition { \
                  component Motor motor; }\n    configuration { motor.speed <- gear.speed; }\n}\n",
        instead: "Name an attribute of an instance in the same composition; inside a compound \
                  component, the name alone means an attribute of the component itself.",
        reference: "CAmkES manual, section \"Hierarchical Attributes\"",
    },
    Rule {
        code: REFERENCE_LOOP,
        name: "reference-loop",
        severity: Severity::Error,
        what: "Attributes are copies of each other in a circle.",
        why: "None of them ever gets a value.",
        example: "component A { control; attribute int x; }\nassembly {\n    composition \
                  {\n        component A a;\n        component A b;\n    }\n    configuration \
                  {\n        a.x <- b.x;\n        b.x <- a.x;\n    }\n}\n",
        instead: "Give one of them a value.",
        reference: "CAmkES manual, section \"Hierarchical Attributes\"",
    },
    Rule {
        code: QUERY,
        name: "query-not-asked",
        severity: Severity::Note,
        what: "A setting asks a question, such as `dtb({\"path\": \"/soc/serial\"})`. The question \
               is not asked here, and the attribute has no value.",
        why: "The answers come from a platform's device tree while CAmkES builds. Timing does not \
              depend on them: where it does, that is an error of its own.",
        example: "component Timer { control; consumes Tick irq; attribute { string path; } node; \
                  }\nassembly {\n    composition { component Timer timer; }\n    configuration { \
                  timer.node = dtb({\"path\": \"/soc/timer\"}); }\n}\n",
        instead: "Nothing needs to be done.",
        reference: "CAmkES manual, section \"Queries\"",
    },
    Rule {
        code: UNKNOWN_ATTRIBUTE,
        name: "unknown-attribute",
        severity: Severity::Warning,
        what: "A set attribute is neither declared by its component nor known to CAmkES or Fusee. \
               A warning is given if its name is close to one that results depend on, a note \
               otherwise.",
        why: "CAmkES takes any setting and reads those that it knows. A misspelt one has no \
              effect, and nobody says so.",
        example: "component Motor { control; }\nassembly {\n    composition { component Motor \
                  motor; }\n    configuration { motor.perod = \"10 ms\"; }\n}\n",
        instead: "Correct the name, declare the attribute, or take the setting out.",
        reference: "The book, chapter \"The description\", lists all known attributes",
    },
];
