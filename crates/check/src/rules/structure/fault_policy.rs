//! Components of one group that disagree about faults.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Domain, OnFault};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0435"),
    name: "fault-policy-differs",
    severity: Severity::Warning,
    what: "Components that share an address space have different `on_fault` policies.",
    why: "Nothing protects the members of a group from each other: a fault in one may be another's \
          broken data. Restarting or retiring one of them while the others go on does not contain \
          the damage.",
    example: r#"
component Pump { control; }
component Valve { control; }
assembly {
    composition {
        group plant { component Pump pump; component Valve valve; }
    }
    configuration { plant.pump.on_fault = "restart"; }
}
"#,
    instead: "Give all members of the group the same policy, or take the component out of the \
              group.",
    reference: "Fusee book, \"Faults\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    view.system.domains.iter().filter_map(|domain| finding(view, domain)).collect()
}

fn finding(view: &View<'_>, domain: &Domain) -> Option<Finding> {
    let members = || domain.components.iter().map(|&c| (c, view.system.component(c)));
    let (_, first) = members().next()?;
    let (id, other) = members().find(|(_, c)| c.on_fault != first.on_fault)?;
    let (first_name, other_name) = (&first.name, &other.name);
    let message = format!(
        "`{first_name}` and `{other_name}` share an address space but not what happens on a fault"
    );
    let place = view.attribute(id, "on_fault").map_or(other.origin, |a| a.origin);
    let first_place =
        view.attribute(*domain.components.first()?, "on_fault").map_or(first.origin, |a| a.origin);
    Some(
        Finding::of(&RULE, message)
            .at(place, word(other.on_fault))
            .because(first_place, word(first.on_fault))
            .note(format!("give all of group `{}` the same `on_fault`", domain.name)),
    )
}

fn word(policy: OnFault) -> &'static str {
    match policy {
        OnFault::Continue => "goes on after a fault",
        OnFault::Dead => "is dead after a fault",
        OnFault::Restart => "is restarted after a fault",
    }
}
