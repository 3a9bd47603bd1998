//! Characters, strings, numbers.

use super::*;
use fusee_diagnostics::Severity;

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: UNKNOWN_CHARACTER,
        name: "unknown-character",
        severity: Severity::Error,
        what: "A character stands outside strings and comments that means nothing in a \
               description. It is passed over.",
        why: "Typographic quotes and dashes look like the real ones and are not; names consist of \
              the letters a to z, digits and `_`.",
        example: "component Motor {\n    control;\n    attribute string unit = “rpm”;\n}",
        instead: "Replace it: `\"` for quotes, `-` for dashes, plain letters in names.",
        reference: "CAmkES manual, section \"Language Reference\"",
    },
    Rule {
        code: UNCLOSED_TEXT,
        name: "unclosed-string",
        severity: Severity::Error,
        what: "A string has no closing quote. It is taken to end before a semicolon, or with its \
               line. A string may go over several lines, but then nothing may follow its closing \
               quote at once.",
        why: "The rest of the file would become part of the string.",
        example: "component A { control; }\nassembly {\n    composition { component A a; }\n    \
                  configuration {\n        a.period = \"10 ms\n        ;\n    }\n}",
        instead: "Close the string. There are no escapes in strings: `\\\"` ends one.",
        reference: "CAmkES manual, section \"Language Reference\"",
    },
    Rule {
        code: UNCLOSED_COMMENT,
        name: "unclosed-comment",
        severity: Severity::Error,
        what: "A comment begins with `/*` and never ends.",
        why: "Everything after it is left out.",
        example: "component A {}\n/* the controller\ncomponent B {}",
        instead: "Close it with `*/`. Comments do not nest: the first `*/` ends all of them.",
        reference: "CAmkES manual, section \"Language Reference\"",
    },
    Rule {
        code: BAD_NUMBER,
        name: "bad-number",
        severity: Severity::Error,
        what: "A number has digits that do not belong to its base, is too large, or has letters \
               right behind it.",
        why: "A number that is read as another one is the worst kind of mistake in a \
              configuration.",
        example: "assembly {\n    composition {}\n    configuration {\n        a.size = \
                  4096UL;\n    }\n}",
        instead: "Write `4096`, `0x1000`, `0o17`, `0b101` or `1.5`. Times are strings with a unit: \
                  `\"10 ms\"`.",
        reference: "CAmkES manual, section \"Language Reference\"",
    },
    Rule {
        code: OCTAL_NUMBER,
        name: "octal-number",
        severity: Severity::Warning,
        what: "A number begins with 0 and is therefore read as an octal one, as in C.",
        why: "`010` is 8. Whoever lines up columns with zeros means 10.",
        example: "component A { control; attribute int irq; }\nassembly {\n    composition { \
                  component A a; }\n    configuration {\n        a.irq = 010;\n    }\n}",
        instead: "Write `10`, or `0o10` if 8 is meant.",
        reference: "ISO C, section 6.4.4.1 (integer constants)",
    },
];
