//! Rules about kernel costs that no table has.

use fusee_diagnostics::{Code, Rule, Severity};

pub(crate) static MESSAGE: Rule = Rule {
    code: Code("F0614"),
    name: "message-of-unknown-cost",
    severity: Severity::Warning,
    what: "A task passes a message of unknown cost, on a platform whose kernel costs time.",
    why: "Six scalars in and one back travel in registers. More of them, `out` and `inout` \
          scalars, and texts and arrays that go in are packed, copied and unpacked; the table of \
          kernel costs says under `message` what that takes, unless it is an old one. What comes \
          back as text or array is put on the caller's heap, and what a struct takes depends on \
          its header: no table knows that, and a bound could be exceeded. Under `--platform sim`, \
          where the kernel costs nothing, it does not matter.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void read(out string line); }
component Store { provides Log log; }
component User { control; uses Log log; }
assembly {
    composition {
        component Store store;
        component User user;
        connection seL4RPCCall c(from user.log, to store.log);
    }
    configuration {
        user.period = "10 ms";
        user.wcet = "1 ms";
        user.calls = ["log"];
        store.log_wcet = "100 us";
    }
}
"#,
    instead: "Pass scalars, and texts and arrays only in; put what is larger, or comes back, into \
              a dataport.",
    reference: "The book, chapter \"Running\".",
};

pub(crate) static PASSAGE: Rule = Rule {
    code: Code("F0616"),
    name: "passage-of-unknown-cost",
    severity: Severity::Warning,
    what: "A task passes a gate whose protocol the table of kernel costs leaves out, or the table \
           is that of a kernel with another policy.",
    why: "A kernel whose threads are ordered by deadlines has other paths than one with \
          priorities. Not every kernel has every protocol: a table may be silent about `ceiling`, \
          `srp` and `non_preemptive`, and about all that is for several cores. There the paths of \
          a gate disturb whoever runs on the cores that use it, so none of their tasks has a bound \
          without `[cores]`. What nobody measured or proved is unknown, and unknown is not zero.",
    example: "store.log_priority_protocol = \"ceiling\";   // and a table without \
              `invoke.ceiling`\n",
    instead: "Give the gate another protocol, or use a table that has `invoke.ceiling` and \
              `return.ceiling`; between cores one with `invoke.msrp`, `return.msrp` and `[cores]`.",
    reference: "The book, chapter \"Costs\".",
};
