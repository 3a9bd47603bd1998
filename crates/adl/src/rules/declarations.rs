//! Declarations and their parts.

use super::*;
use fusee_diagnostics::Severity;

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: UNEXPECTED_TOKEN,
        name: "unexpected-token",
        severity: Severity::Error,
        what: "Something else is needed here. The declaration is left out, and reading goes on \
               with the next one.",
        why: "The grammar leaves no meaning for what stands here.",
        example: "component A {\n    provides Read;\n}",
        instead: "The message says what may stand here. If the text comes from a macro, its \
                  definition is shown too.",
        reference: "CAmkES manual, section \"Language Reference\"",
    },
    Rule {
        code: MISSING_SEMICOLON,
        name: "missing-semicolon",
        severity: Severity::Error,
        what: "A declaration is complete, and its `;` is missing. It is taken to be there.",
        why: "CAmkES reads on and finds an error somewhere else.",
        example: "component A {\n    control\n    uses Read input;\n}",
        instead: "Add `;` where the message points.",
        reference: "CAmkES manual, section \"Language Reference\"",
    },
    Rule {
        code: UNCLOSED_BLOCK,
        name: "unclosed-block",
        severity: Severity::Error,
        what: "A block's `{` has no `}`. It is taken to end where a declaration begins that can \
               only stand at the top of a file, or at the end of the file.",
        why: "What follows would belong to the wrong block.",
        example: "component A {\n    control;\n\nassembly {\n    composition {}\n}",
        instead: "Close the block where it ends. The place shown is where it begins.",
        reference: "CAmkES manual, section \"Language Reference\"",
    },
    Rule {
        code: STRAY_BRACE,
        name: "stray-brace",
        severity: Severity::Error,
        what: "A `}` stands where no block is open.",
        why: "Usually the block above it was closed too early, and the declarations in between are \
              at the wrong place.",
        example: "component A {\n    control;\n}\n}",
        instead: "Remove it, or find the block that was closed too early.",
        reference: "CAmkES manual, section \"Language Reference\"",
    },
    Rule {
        code: MISSPELT_KEYWORD,
        name: "misspelt-keyword",
        severity: Severity::Error,
        what: "A word stands where a keyword is needed, and is nearly one. It is read as that \
               keyword.",
        why: "The rest of the declaration makes sense only with the keyword.",
        example: "componnet A {\n    control;\n}",
        instead: "Mend the spelling. Keywords are written in small letters, except `Procedure`, \
                  `Event`, `Dataport` and their plurals, and `Buf`.",
        reference: "CAmkES manual, section \"Language Reference\"",
    },
    Rule {
        code: KEYWORD_AS_NAME,
        name: "keyword-as-name",
        severity: Severity::Error,
        what: "A keyword is used as a name.",
        why: "CAmkES reserves its keywords everywhere, so the description could not be built.",
        example: "procedure Read {\n    void in(out int value);\n}",
        instead: "Choose another name, for example with `_` at its end.",
        reference: "CAmkES manual, section \"Language Reference\"",
    },
    Rule {
        code: NESTED_TOO_DEEPLY,
        name: "nested-too-deeply",
        severity: Severity::Error,
        what: "More than 200 blocks and brackets are open at one place, or an expression has more \
               than 1000 levels.",
        why: "No description needs that, and without a limit an input could exhaust the stack of \
              everything that reads it.",
        example: "assembly {\n    composition {}\n    configuration {\n        a.b = ((((... 201 \
                  deep ...))));\n    }\n}",
        instead: "Name parts: declare inner components by themselves, split long expressions.",
        reference: "None: a limit of Fusee's own.",
    },
    Rule {
        code: BARE_SETTING,
        name: "bare-setting",
        severity: Severity::Error,
        what: "A setting names one thing only. It needs an instance, or a connection, and its \
               attribute.",
        why: "Attributes belong to instances; there are no global ones.",
        example: "component A { control; }\nassembly {\n    composition {\n        component A \
                  a;\n    }\n    configuration {\n        period = \"10 ms\";\n    }\n}",
        instead: "Write `a.period = \"10 ms\";`.",
        reference: "CAmkES manual, section \"Attributes\"",
    },
    Rule {
        code: BAD_ALIAS,
        name: "bad-alias",
        severity: Severity::Error,
        what: "What follows `<-` is a value. It must be the name of another attribute, with keys \
               if its value is a dictionary.",
        why: "`<-` makes one attribute follow another; values are set with `=`.",
        example: "component A { control; attribute int n; }\nassembly {\n    composition \
                  {\n        component A a;\n    }\n    configuration {\n        a.n <- 5;\n    \
                  }\n}",
        instead: "Write `a.n = 5;`, or name an attribute: `a.n <- b.n;`.",
        reference: "CAmkES manual, section \"Hierarchical attributes\"",
    },
    Rule {
        code: CONNECTOR_ENDS,
        name: "connector-ends",
        severity: Severity::Error,
        what: "A connector type has no `from` end or no `to` end, or several of one kind.",
        why: "A connector joins what acts (`from`) with what is acted upon (`to`).",
        example: "connector Pipe {\n    from Procedure;\n}",
        instead: "Declare each end once. Several interfaces on one end are `Procedures`, `Events` \
                  or `Dataports`.",
        reference: "CAmkES manual, section \"Connectors\"",
    },
];
