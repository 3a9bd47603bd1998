//! The measuring systems on a kernel that has the priority ceiling protocol.
//!
//! A system runs on that kernel if it has such a gate. So each gets one that nobody passes,
//! between two components that do nothing.

use fusee_model::Protocol;

use crate::added::added;

/// The parts that every system gets before its assembly, in its composition and in its
/// configuration.
const MORE: [&str; 3] = [
    "procedure Barred { void pass(); };
component Barring { provides Barred up; }
component Barrable { uses Barred down; }
",
    "
        component Barring barring;
        component Barrable barrable;
        connection seL4RPCCall bar(from barrable.down, to barring.up);",
    "
        barring.up_priority_protocol = \"ceiling\";
        barring.up_wcet = \"1 us\";
        barring.stub = true;
        barrable.stub = true;",
];

/// The same description with a gate of the protocol, and gates at a ceiling replaced by another
/// one if it is named.
pub(crate) fn with_ceiling(text: &str, instead_of_fixed: Option<Protocol>) -> String {
    let instead = instead_of_fixed.map_or("fixed", Protocol::name);
    added(text, MORE).replace("\"fixed\"", &format!("\"{instead}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_is_added_and_others_are_replaced() {
        let text = "component A {}
assembly {
    composition {
    }
    configuration {
        a.b_priority_protocol = \"fixed\";
    }
}
";
        let same = with_ceiling(text, None);
        assert!(same.contains("barring.up_priority_protocol = \"ceiling\""), "{same}");
        assert!(same.contains("a.b_priority_protocol = \"fixed\""), "{same}");
        let other = with_ceiling(text, Some(Protocol::Ceiling));
        assert!(other.contains("a.b_priority_protocol = \"ceiling\""), "{other}");
    }
}
