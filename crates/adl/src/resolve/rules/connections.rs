//! Connections and their ends.

use super::super::codes::*;
use fusee_diagnostics::{Rule, Severity};

pub(super) const RULES: &[Rule] = &[
    Rule {
        code: UNKNOWN_INSTANCE,
        name: "unknown-instance",
        severity: Severity::Error,
        what: "An end of a connection, or of an export, names an instance that does not exist in \
               its composition.",
        why: "The connection would lead nowhere.",
        example: "import <std_connector.camkes>;\n\
                  component A { control; emits Tick tick; }\ncomponent B { control; consumes Tick \
                  tick; }\n\
                  assembly {\n    composition {\n        component A sender;\n        component B \
                  receiver;\n        connection seL4Notification c(from sender.tick, to \
                  reciever.tick);\n    }\n}\n",
        instead: "Correct the name. Inside a compound component, names are those of its own \
                  composition.",
        reference: "CAmkES manual, section \"Terminology\", \"Connection\"",
    },
    Rule {
        code: UNKNOWN_INTERFACE,
        name: "unknown-interface",
        severity: Severity::Error,
        what: "An end of a connection, or of an export, names an interface that the instance's \
               component does not have.",
        why: "The connection would lead nowhere.",
        example: "import <std_connector.camkes>;\n\
                  component A { control; emits Tick tick; }\ncomponent B { control; consumes Tick \
                  tick; }\n\
                  assembly {\n    composition {\n        component A a;\n        component B \
                  b;\n        connection seL4Notification c(from a.tick, to b.tik);\n    }\n}\n",
        instead: "Correct the name, or declare the interface in the component.",
        reference: "CAmkES manual, section \"Terminology\", \"Interface\"",
    },
    Rule {
        code: WRONG_END,
        name: "wrong-end",
        severity: Severity::Error,
        what: "An end of a connection is of another kind than its connector takes there: a \
               `provides` interface as the `from` end of a procedure connector, an event for a \
               dataport connector, and the like.",
        why: "`from` leads from who uses or emits to who provides or consumes. The code that a \
              connector stands for exists for that direction only.",
        example: "import <std_connector.camkes>;\nprocedure P { void run(); }\n\
                  component A { control; uses P p; }\ncomponent B { provides P p; }\n\
                  assembly {\n    composition {\n        component A a;\n        component B \
                  b;\n        connection seL4RPCCall c(from b.p, to a.p);\n    }\n}\n",
        instead: "Swap the ends, or take a connector for that kind of interface.",
        reference: "CAmkES manual, section \"Terminology\", \"Connector\"",
    },
    Rule {
        code: ONE_END_ONLY,
        name: "one-end-only",
        severity: Severity::Error,
        what: "A connection has several ends on a side where its connector takes one (`Procedure`, \
               not `Procedures`).",
        why: "An invocation, for example, can only have one place to go to.",
        example: "import <std_connector.camkes>;\nprocedure P { void run(); }\n\
                  component A { control; uses P p; }\ncomponent B { provides P p; }\n\
                  assembly {\n    composition {\n        component A a;\n        component B \
                  b;\n        component B c;\n        connection seL4RPCCall conn(from a.p, to \
                  b.p, to c.p);\n    }\n}\n",
        instead: "Make one connection for each, between interfaces of their own.",
        reference: "CAmkES manual, section \"Terminology\", \"Connector\"",
    },
    Rule {
        code: MISSING_END,
        name: "missing-end",
        severity: Severity::Error,
        what: "A connection has no `from` end, or no `to` end.",
        why: "It joins nothing.",
        example: "import <std_connector.camkes>;\ncomponent A { control; emits Tick tick; }\n\
                  assembly {\n    composition {\n        component A a;\n        \
                  connection seL4Notification c(from a.tick);\n    }\n}\n",
        instead: "Add the end, or take the connection out.",
        reference: "CAmkES manual, section \"Terminology\", \"Connection\"",
    },
    Rule {
        code: TYPES_DIFFER,
        name: "types-differ",
        severity: Severity::Error,
        what: "The interfaces of a connection are of different types. (Connectors with the \
               attribute `disable_interface_type_checking` take any.)",
        why: "Methods of different procedures, or memory of different sizes, do not fit together.",
        example: "import <std_connector.camkes>;\ncomponent A { control; dataport Buf data; }\n\
                  component B { control; dataport Buf(8192) data; }\n\
                  assembly {\n    composition {\n        component A a;\n        component B \
                  b;\n        connection seL4SharedData c(from a.data, to b.data);\n    }\n}\n",
        instead: "Give the interfaces one type. `Buf` alone is one page, and another type than \
                  `Buf(4096)`.",
        reference: "CAmkES manual, section \"Terminology\", \"Interface\"",
    },
    Rule {
        code: HARDWARE_END,
        name: "hardware-end",
        severity: Severity::Error,
        what: "A connector for devices has software at the device's end, or a connector for \
               software has a device.",
        why: "The connectors for devices map registers and interrupts; the others make threads and \
              messages, which a device does not have.",
        example: "import <std_connector.camkes>;\ncomponent Timer { hardware; emits Tick irq; }\n\
                  component Driver { control; consumes Tick irq; }\n\
                  assembly {\n    composition {\n        component Timer timer;\n        component \
                  Driver driver;\n        connection seL4Notification c(from timer.irq, to \
                  driver.irq);\n    }\n}\n",
        instead: "Take `seL4HardwareInterrupt` for interrupts (from the device), \
                  `seL4HardwareMMIO` for registers and `seL4HardwareIOPort` for ports (to the \
                  device).",
        reference: "CAmkES manual, section \"Hardware Components\"",
    },
    Rule {
        code: DIRECT_ACROSS_DOMAINS,
        name: "direct-across-domains",
        severity: Severity::Error,
        what: "A `seL4DirectCall` connection joins components that are not in one group.",
        why: "A direct call is a plain function call. It cannot cross from one protection domain \
              to another.",
        example: "import <std_connector.camkes>;\nprocedure P { void run(); }\n\
                  component A { control; uses P p; }\ncomponent B { provides P p; }\n\
                  assembly {\n    composition {\n        component A a;\n        component B \
                  b;\n        connection seL4DirectCall c(from a.p, to b.p);\n    }\n}\n",
        instead: "Put both instances into a `group`, or use `seL4RPCCall`.",
        reference: "CAmkES manual, section \"Single Address Space Components (Groups)\"",
    },
    Rule {
        code: UNLIKE_CONNECTOR,
        name: "connector-of-your-own",
        severity: Severity::Error,
        what: "A connection is of a connector type that the description declares itself, and \
               nothing says what it does.",
        why: "On seL4 a connector's templates say what it does. They are C code for seL4's kernel \
              objects, which are not here. Taken for a plain call or event, it would be another \
              system than the one that was written.",
        example: "procedure P { void run(); }\n\
                  connector seL4Mine {\n    from Procedure;\n    to Procedure;\n}\n\
                  component A { control; uses P p; }\ncomponent B { provides P p; }\n\
                  assembly {\n    composition {\n        component A a;\n        component B \
                  b;\n        connection seL4Mine c(from a.p, to b.p);\n    }\n}\n",
        instead: "Take a standard connector. Or, if yours does the same as one, say so in its \
                  body: `attribute string behaves_as = \"seL4RPCCall\";`. A connector to which \
                  `DeclareCAmkESConnector` gives that one's templates is like it without more \
                  words.",
        reference: "Book, chapter \"Components in C\", section \"Connectors of your own\"",
    },
];
