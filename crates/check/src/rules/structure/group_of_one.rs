//! A group with one member.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0436"),
    name: "group-of-one",
    severity: Severity::Note,
    what: "A group has a single member.",
    why: "A group puts components into one address space. With one member it changes nothing but \
          the name.",
    example: r#"
component Pump { control; }
assembly {
    composition {
        group plant { component Pump pump; }
    }
}
"#,
    instead: "Add the members that should share the address space, or leave the group out.",
    reference: "CAmkES manual, \"Groups\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for domain in &view.system.domains {
        let [only] = domain.components.as_slice() else { continue };
        let component = view.system.component(*only);
        if component.name != domain.name {
            let message = format!("group `{}` has one member, `{}`", domain.name, component.name);
            found.push(
                Finding::of(&RULE, message)
                    .at(component.origin, "shares its address space with nobody"),
            );
        }
    }
    found
}
