//! Sections that no budget ends.

use std::collections::BTreeSet;

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{ComponentId, Gate, GateId};

use super::names;
use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0527"),
    name: "section-that-no-budget-ends",
    severity: Severity::Warning,
    what: "Nothing ends a section at a gate or a mutex between cores, where between asking and \
           coming back neither a budget nor a time slice ends, and code in it is of a component \
           with `trusted = false`.",
    why: "Whoever is in such a section is above others of its core, and keeps those of other cores \
          waiting. If its code does not come back, they never run. So everybody on these cores \
          trusts the code behind the gate, or between `lock` and `unlock`, whatever their own \
          budgets are. `fusee check` names all whose code is trusted so in a note.",
    example: r#"
import <std_connector.camkes>;
procedure Access { void put(); };
component Store { provides Access shelf; }
component Pump { control; uses Access store; }
assembly {
    composition {
        component Store store;
        component Pump one;
        component Pump two;
        connection seL4RPCCall c(from one.store, from two.store, to store.shelf);
    }
    configuration {
        one.period = "10 ms";
        one.budget = "1 ms";
        one.calls = ["10 us", "store.put"];
        two.period = "20 ms";
        two.budget = "1 ms";
        two.core = 1;
        two.calls = ["10 us", "store.put"];
        store.trusted = false;
        store.shelf_wcet = "10 us";
        store.shelf_priority_protocol = "msrp";
    }
}
"#,
    instead: "Let only code that is trusted in: move what is shared into a component of its own. \
              Or put its users on one core, where a budget ends a section as it ends all else.",
    reference: "Fusee book, \"What isolation rests on\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let all = sections(view).into_iter().filter(|section| !is_trusted(view, section));
    all.map(|(id, gate, code)| untrusted(view, (id, gate), &code)).collect()
}

/// One note for all sections whose code is trusted.
pub(crate) fn note(view: &View<'_>) -> Option<Finding> {
    let all = sections(view).into_iter().filter(|section| is_trusted(view, section));
    trusted(view, &all.collect::<Vec<_>>())
}

/// A gate between cores, with the components whose code runs in its sections, in order.
type Section<'v> = (GateId, &'v Gate, Vec<ComponentId>);

fn sections<'v>(view: &View<'v>) -> Vec<Section<'v>> {
    let gates = view.system.gate_ids().filter(|(_, gate)| gate.is_global());
    let used = gates.filter(|&(id, _)| !view.derived.gate(id).tasks.is_empty());
    used.map(|(id, gate)| (id, gate, code(view, id))).collect()
}

fn is_trusted(view: &View<'_>, (_, _, code): &Section<'_>) -> bool {
    code.iter().all(|&id| view.system.is_trusted(id))
}

/// Returns the components whose code runs in a section, in order.
fn code(view: &View<'_>, id: GateId) -> Vec<ComponentId> {
    let within = view.derived.within(id).into_iter().chain([id]);
    let all: BTreeSet<ComponentId> = within.map(|gate| view.system.gate(gate).component).collect();
    all.into_iter().collect()
}

fn untrusted(view: &View<'_>, (id, gate): (GateId, &Gate), code: &[ComponentId]) -> Finding {
    let mut code = code.to_vec();
    code.retain(|&component| !view.system.is_trusted(component));
    let whose = list(&names(view, &code));
    let message = format!(
        "no budget ends a section at `{}`, and the code of {whose} in it is not trusted",
        gate.name
    );
    let word = gate.protocol.value.name();
    let cores: BTreeSet<u32> = view.derived.gate(id).cores.iter().copied().collect();
    Finding::of(&RULE, message)
        .at(gate.protocol.origin, format!("`{word}`: whoever is inside runs until it comes back"))
        .note(format!("all tasks of {} trust that code all the same", on(&cores)))
}

fn trusted(view: &View<'_>, gates: &[Section<'_>]) -> Option<Finding> {
    let (_, first, _) = gates.first()?;
    let named: Vec<&str> = gates.iter().map(|(_, gate, _)| gate.name.as_str()).collect();
    let code: BTreeSet<ComponentId> =
        gates.iter().flat_map(|(_, _, code)| code.iter().copied()).collect();
    let cores = gates.iter().flat_map(|&(id, ..)| &view.derived.gate(id).cores);
    let code = names(view, &code.into_iter().collect::<Vec<_>>());
    let message = format!(
        "no budget ends sections at {}: all tasks of {} trust the code of {}",
        list(&named),
        on(&cores.copied().collect()),
        list(&code)
    );
    Some(Finding::of(&RULE, message).severity(Severity::Note).at(first.protocol.origin, ""))
}

/// `core 1`, `cores 0 and 1`.
fn on(cores: &BTreeSet<u32>) -> String {
    let all: Vec<String> = cores.iter().map(u32::to_string).collect();
    match all.as_slice() {
        [one] => format!("core {one}"),
        [most @ .., last] => format!("cores {} and {last}", most.join(", ")),
        [] => String::new(),
    }
}
