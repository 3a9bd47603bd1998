//! Instances and their names.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: NO_ASSEMBLY,
        name: "no-assembly",
        severity: Severity::Error,
        what: "The description has no assembly, or an assembly without component instances.",
        why: "Component types alone are no system. Often the wrong one of several files was named.",
        example: "component Motor { control; }\n",
        instead: "Name the file with the assembly, or write one: `assembly { composition { \
                  component Motor motor; } }`.",
        reference: "CAmkES manual, section \"Creating An Application\"",
    },
    Rule {
        code: DUPLICATE_NAME,
        name: "duplicate-name",
        severity: Severity::Error,
        what: "Two instances of one composition, or two connections, have the same name. Instances \
               in groups count as instances of the composition around the group.",
        why: "Settings and connections refer to instances and connections by name.",
        example: "component A { control; }\nassembly {\n    composition {\n        component A \
                  a;\n        component A a;\n    }\n}\n",
        instead: "Rename one of them.",
        reference: "CAmkES manual, section \"Terminology\", \"Instance\"",
    },
];
