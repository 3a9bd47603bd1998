//! Names of types.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: DUPLICATE_TYPE,
        name: "duplicate-type",
        severity: Severity::Error,
        what: "Two components, procedures, connectors, compositions, configurations or structs \
               have the same name. The first one counts.",
        why: "Which one is meant would depend on the order of files.",
        example: "component Motor { control; }\ncomponent Motor { }\nassembly { composition { \
                  component Motor m; } }\n",
        instead: "Rename one of them. If both come from one file that is read twice, import it \
                  instead of including it.",
        reference: "CAmkES manual, section \"Terminology\"",
    },
    Rule {
        code: UNKNOWN_COMPONENT,
        name: "unknown-component",
        severity: Severity::Error,
        what: "An instance is of a component type that nothing declares.",
        why: "Nothing is known about the instance: neither its interfaces nor whether it has a \
              control thread.",
        example: "component Motor { control; }\nassembly { composition { component Moter m; } }\n",
        instead: "Correct the name, or import the file that declares it.",
        reference: "CAmkES manual, section \"Creating An Application\"",
    },
    Rule {
        code: UNKNOWN_PROCEDURE,
        name: "unknown-procedure",
        severity: Severity::Error,
        what: "A `provides` or `uses` interface is of a procedure type that nothing declares.",
        why: "Without its methods nothing can be invoked through it.",
        example: "procedure Store { void put(in int value); }\ncomponent Disk { provides Stor \
                  store; }\n\
                  assembly { composition { component Disk d; } }\n",
        instead: "Correct the name, or import the file that declares it.",
        reference: "CAmkES manual, section \"Creating An Application\"",
    },
    Rule {
        code: UNKNOWN_CONNECTOR,
        name: "unknown-connector",
        severity: Severity::Error,
        what: "A connection is of a connector type that nothing declares.",
        why: "What a connection does, and what its ends may be, is the connector's to say.",
        example: "component A { control; emits Tick tick; }\ncomponent B { control; consumes Tick \
                  tick; }\n\
                  assembly {\n    composition {\n        component A a;\n        component B \
                  b;\n        connection seL4Notification c(from a.tick, to b.tick);\n    }\n}\n",
        instead: "Correct the name. The standard connectors come with `import \
                  <std_connector.camkes>;`.",
        reference: "CAmkES manual, section \"Terminology\", \"Connector\"",
    },
    Rule {
        code: UNKNOWN_BLOCK,
        name: "unknown-block",
        severity: Severity::Error,
        what: "`composition NAME;` or `configuration NAME;` refers to a block that nothing \
               declares.",
        why: "What stands in the block would be missing from the system.",
        example: "component A { control; }\ncomposition parts { component A a; }\nassembly { \
                  composition part; }\n",
        instead: "Correct the name, or write the block in place.",
        reference: "CAmkES manual, section \"Multi-Assembly Applications\"",
    },
    Rule {
        code: DUPLICATE_METHOD,
        name: "duplicate-method",
        severity: Severity::Error,
        what: "A procedure has two methods of one name, or a method two parameters of one name.",
        why: "Methods and parameters are told apart by their names, in C and in `calls`.",
        example: "procedure Store {\n    void put(in int value);\n    int put(in int key, in int \
                  value);\n}\n\
                  component A { control; }\nassembly { composition { component A a; } }\n",
        instead: "Rename one of them.",
        reference: "CAmkES manual, section \"Terminology\", \"Method\"",
    },
    Rule {
        code: STRUCT_FIELDS,
        name: "struct-fields",
        severity: Severity::Warning,
        what: "A value has a field that its struct does not have, lacks one that has no default, \
               or its struct is not declared at all (which is an error).",
        why: "The field is not set, whatever its setting looks like.",
        example: "struct Range { int low; int high; }\n\
                  component A { control; attribute Range range; }\nassembly {\n    composition { \
                  component A a; }\n    configuration { a.range = {\"low\": 1, \"hihg\": 2}; \
                  }\n}\n",
        instead: "Correct the name of the field, or set the one that is missing.",
        reference: "CAmkES manual, section \"An example of structs and arrays for collections\"",
    },
    Rule {
        code: SAME_SYMBOL,
        name: "same-symbol",
        severity: Severity::Error,
        what: "Two things of one component become the same name in C: method `b_c` of interface \
               `a` and method `c` of interface `a_b` are both `a_b_c`, and so are a parameter \
               `data_sz` and the length of an array `data`.",
        why: "C has one function of a name. The component could not be built, here or on seL4.",
        example: "procedure P { void b_c(); }\nprocedure Q { void c(); }\n\
                  component Server { provides P a; provides Q a_b; }\n\
                  assembly { composition { component Server s; } }\n",
        instead: "Rename an interface, a method or a parameter.",
        reference: "Book, chapter \"Components in C\"",
    },
    Rule {
        code: RESERVED_NAME,
        name: "reserved-name",
        severity: Severity::Error,
        what: "The name of an attribute, a dataport, a field or a parameter is a word of C, or \
               what generated code would call something is a name of the C library or of the \
               runtime.",
        why: "CAmkES has these names in C as they are, so the component's code could not use them. \
              Names of instances, interfaces and methods become parts of longer names, and may be \
              words of C.",
        example: "component Chip { control; dataport Buf register; attribute int index = 1; }\n\
                  assembly { composition { component Chip c; } }\n",
        instead: "Choose another name.",
        reference: "Book, chapter \"Components in C\"",
    },
    Rule {
        code: UNKNOWN_TYPE,
        name: "unknown-type",
        severity: Severity::Warning,
        what: "A method has a parameter or result of a type that is none of the interface \
               language's, and the description includes no header that could declare it.",
        why: "The C compiler would say so in generated code, far from here; where a header is \
              included, only it can know.",
        example: "procedure Store { void put(in unit32_t value); }\ncomponent Disk { provides \
                  Store store; }\n\
                  assembly { composition { component Disk d; } }\n",
        instead: "Correct the name, declare a `struct`, or include the header in the procedure: \
                  `include \"types.h\";`.",
        reference: "CAmkES manual, section \"Interface Definition Language\"",
    },
];
