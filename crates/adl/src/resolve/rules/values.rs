//! Values and their types.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: WRONG_TYPE,
        name: "wrong-type",
        severity: Severity::Error,
        what: "A value does not fit the type of its attribute: a text for a number, one value for \
               a list, and so on.",
        why: "The C code that reads the attribute would not compile, or would read something else.",
        example: "component Motor { control; attribute int speed; }\nassembly {\n    composition { \
                  component Motor motor; }\n    configuration { motor.speed = \"fast\"; }\n}\n",
        instead: "Give a value of the attribute's type, or change the type.",
        reference: "CAmkES manual, section \"Custom Attributes\"",
    },
    Rule {
        code: OUT_OF_TYPE,
        name: "out-of-type",
        severity: Severity::Warning,
        what: "A number does not fit the C type of its attribute.",
        why: "C cuts it off without a word, and the component sees another number.",
        example: "component Motor { control; attribute uint8_t speed = 300; }\n\
                  assembly { composition { component Motor motor; } }\n",
        instead: "Use a wider type, such as `int64_t` or `uint64_t`.",
        reference: "CAmkES manual, section \"Custom Attributes\"",
    },
    Rule {
        code: ARITHMETIC,
        name: "arithmetic",
        severity: Severity::Error,
        what: "An expression cannot be calculated: a division by zero, a shift by a negative \
               number, a result that does not fit 128 bits, or operands that the operator does not \
               take.",
        why: "Whole numbers are exact here. A wrong number would go unseen.",
        example: "component Motor { control; attribute int speed = 100 / (2 - 2); }\n\
                  assembly { composition { component Motor motor; } }\n",
        instead: "Correct the expression. `/` rounds down, `**` is the power.",
        reference: "The book, chapter \"The description\"",
    },
    Rule {
        code: BAD_LOOKUP,
        name: "bad-lookup",
        severity: Severity::Error,
        what: "`a[\"key\"]` or `a[1]` asks for an element that the dictionary or list does not \
               have.",
        why: "There is no such value.",
        example: "struct Pair { int low; int high; }\ncomponent A { control; attribute Pair pair; \
                  }\n\
                  component B { control; attribute int top; }\nassembly {\n    composition \
                  {\n        component A a;\n        component B b;\n    }\n    configuration \
                  {\n        a.pair = {\"low\": 1, \"high\": 2};\n        b.top <- \
                  a.pair[\"top\"];\n    }\n}\n",
        instead: "Use a key that exists. Elements of lists are counted from 0.",
        reference: "CAmkES manual, section \"Hierarchical Attributes\"",
    },
];
