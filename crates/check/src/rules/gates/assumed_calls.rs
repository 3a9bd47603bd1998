//! Invocations that were assumed.

use std::collections::BTreeMap;

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::ComponentId;
use fusee_model::derived::{Assumption, Caller};

use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0504"),
    name: "assumed-calls",
    severity: Severity::Note,
    what: "A component uses procedures, and nothing says which of its bodies invokes which of \
           them.",
    why: "CAmkES connects components to interfaces, not methods to methods. Without `calls`, every \
          used interface is assumed to be invoked once by every body, in the order of declaration. \
          That can be too much (tasks are counted that never get there, and cycles appear that are \
          none) and, if a body invokes an interface more than once, too little. In a description \
          without timing one message speaks for all components.",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Pump pump;
        connection seL4RPCCall calls(from pump.log, to logger.log);
    }
}
"#,
    instead: "Say what each body invokes: `c.calls = [...]` for the control thread, \
              `c.IFACE_calls` or `c.IFACE_METHOD_calls` for a provided interface; an empty list \
              says nothing is.",
    reference: "Sudvarg et al. 2024, end of section 5; Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut by_component: BTreeMap<ComponentId, Vec<&Assumption>> = BTreeMap::new();
    // What lock components do is known, if they come with Fusee.
    let known = |id: ComponentId| view.system.component(id).lock_component.is_some();
    for assumption in view.derived.assumptions.iter().filter(|one| !known(one.component)) {
        by_component.entry(assumption.component).or_default().push(assumption);
    }
    let is_timed = view.timed().next().is_some();
    if is_timed || by_component.len() == 1 {
        return by_component.into_iter().map(|(id, all)| finding(view, id, &all)).collect();
    }
    summary(view, &by_component.into_keys().collect::<Vec<_>>()).into_iter().collect()
}

/// Without timing only ceilings and counts rest on assumptions: one message for all.
fn summary(view: &View<'_>, components: &[ComponentId]) -> Option<Finding> {
    let first = view.system.component(*components.first()?);
    let names: Vec<&str> =
        components.iter().map(|&c| view.system.component(c).name.as_str()).collect();
    let message = format!("{} are assumed to invoke every interface that they use", list(&names));
    Some(
        Finding::of(&RULE, message)
            .at(first.origin, "nothing says what this instance invokes")
            .note("ceilings, stacks and cycles rest on that; set `calls` to say what is invoked"),
    )
}

fn finding(view: &View<'_>, id: ComponentId, all: &[&Assumption]) -> Finding {
    let component = view.system.component(id);
    let mut gates: Vec<_> = all.iter().flat_map(|a| &a.gates).collect();
    gates.sort_unstable();
    gates.dedup();
    let gates: Vec<&str> = gates.into_iter().map(|&g| view.system.gate(g).name.as_str()).collect();
    let attributes: Vec<String> = (all.iter())
        .map(|a| match a.caller {
            Caller::Task(_) => format!("{}.calls", component.name),
            Caller::Gate(gate) => {
                format!("{}.{}_calls", component.name, view.system.gate(gate).interface)
            }
        })
        .collect();
    Finding::of(
        &RULE,
        format!("`{}` is assumed to invoke {} once each time", component.name, list(&gates)),
    )
    .at(component.origin, "nothing says what this instance invokes")
    .note(format!("set {} to say so", list(&attributes)))
}
