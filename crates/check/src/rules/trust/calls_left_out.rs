//! Calls that code may make, whatever is said of it.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Body, Calls, ComponentId, GateId, InterfaceKind, Step};

use crate::finding::Finding;
use crate::view::{Owner, View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0528"),
    name: "untrusted-calls-left-out",
    severity: Severity::Warning,
    what: "A component with `trusted = false` is connected to a procedure that its `calls` leave \
           out.",
    why: "The connection is what lets its code call, and not the list: ceilings, stacks and bounds \
          of others count only who is said to come.",
    example: r#"
import <std_connector.camkes>;
procedure Store { void put(); };
component Shelf { provides Store store; }
component Guest { control; uses Store store; }
assembly {
    composition {
        component Guest guest;
        component Guest owner;
        component Shelf shelf;
        connection seL4RPCCall c(from guest.store, from owner.store, to shelf.store);
    }
    configuration {
        guest.period = "10 ms";
        guest.budget = "2 ms";
        guest.wcet = "1 ms";
        guest.calls = [];
        guest.trusted = false;
        owner.period = "10 ms";
        owner.calls = ["1 ms", "store.put"];
        shelf.store_wcet = "10 us";
    }
}
"#,
    instead: "Name the call in `calls`, or leave the connection out.",
    reference: "Fusee book, \"Code that is not trusted\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let tasks = system.tasks.iter().map(|task| (Owner::Task(task), task.component, &task.body));
    let methods = system.gate_ids().flat_map(|(id, gate)| {
        let methods = gate.methods.iter().enumerate();
        methods.map(move |(at, m)| (Owner::Method(id, gate, at), gate.component, &m.body))
    });
    let all = tasks.chain(methods);
    let untrusted = all.filter(|&(_, component, _)| !system.is_trusted(component));
    untrusted.filter_map(|(owner, component, body)| finding(view, owner, component, body)).collect()
}

fn finding(
    view: &View<'_>,
    owner: Owner<'_>,
    component: ComponentId,
    body: &Body,
) -> Option<Finding> {
    let Calls::Given(place) = body.calls else { return None };
    let own = view.system.component(component);
    let uses = own.interfaces.iter().filter_map(|interface| match interface.kind {
        InterfaceKind::Uses(Some(gate)) => Some((interface, gate)),
        _ => None,
    });
    let missing: Vec<String> = uses
        .flat_map(|(interface, gate)| {
            let methods = view.system.gate(gate).methods.iter().enumerate();
            let left_out = methods.filter(move |&(at, _)| !calls(body, gate, at));
            left_out.map(|(_, method)| format!("{}.{}", interface.name, method.name))
        })
        .collect();
    if missing.is_empty() {
        return None;
    }
    let message = format!(
        "{} may call {} and does not say so, and `{}` is not trusted",
        owner.name(),
        list(&missing),
        own.name
    );
    let finding = Finding::of(&RULE, message).at(place, "this list leaves it out");
    Some(finding.note("name the call, or leave the connection out"))
}

/// Returns `true` if a body says that it calls a method.
fn calls(body: &Body, wanted: GateId, at: usize) -> bool {
    body.steps.iter().any(|step| {
        matches!(step, Step::Invoke { gate, method, .. }
            if *gate == wanted && method.is_none_or(|method| method == at))
    })
}
