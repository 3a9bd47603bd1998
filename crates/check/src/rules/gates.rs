//! Gates: order of locks, waiting inside, the ways that lead there.

pub(crate) mod assumed_calls;
pub(crate) mod deadlock;
pub(crate) mod fifo_shared;
pub(crate) mod recursion;
pub(crate) mod self_deadlock;
pub(crate) mod several_cores;
pub(crate) mod unreached;
pub(crate) mod wait_while_holding;

use fusee_diagnostics::{Rule, Severity};
use fusee_model::derived::{Cycle, CycleKind};

use crate::finding::Finding;
use crate::view::{View, list};

/// One finding for each cycle of a kind, with every invocation of the cycle as a place.
fn cycles(view: &View<'_>, rule: &'static Rule, kind: CycleKind, happens: &str) -> Vec<Finding> {
    view.derived
        .cycles
        .iter()
        .filter(|c| c.kind == kind)
        .map(|c| cycle(view, rule, c, happens))
        .collect()
}

fn cycle(view: &View<'_>, rule: &'static Rule, cycle: &Cycle, happens: &str) -> Finding {
    let name = |gate| view.system.gate(gate).name.as_str();
    let mut ring: Vec<String> = cycle.edges.iter().map(|e| format!("`{}`", name(e.from))).collect();
    ring.extend(ring.first().cloned());
    let mut finding = Finding::of(rule, format!("{happens}: {}", ring.join(" -> ")))
        .severity(severity(view, cycle));
    for (index, edge) in cycle.edges.iter().enumerate() {
        let gate = view.system.gate(edge.from);
        let method = gate.methods.get(edge.method).map_or("", |m| m.name.as_str());
        let verb = if edge.assumed { "is assumed to invoke" } else { "invokes" };
        let is_mutex = |gate| view.system.mutex(gate).is_some();
        let text = match (is_mutex(edge.from), is_mutex(edge.to)) {
            (true, true) => format!("`{}` is locked while `{}` is held", name(edge.to), gate.name),
            (true, false) => {
                format!("`{}` is invoked while `{}` is held", name(edge.to), gate.name)
            }
            (false, true) => format!("`{}.{method}` locks `{}`", gate.name, name(edge.to)),
            (false, false) => format!("`{}.{method}` {verb} `{}`", gate.name, name(edge.to)),
        };
        finding = if index == 0 {
            finding.at(edge.origin, text)
        } else {
            finding.because(edge.origin, text)
        };
    }
    let tasks: Vec<&str> = cycle.tasks.iter().map(|&t| view.system.task(t).name.as_str()).collect();
    finding = match tasks.len() {
        0 => finding.note("no task gets there as described"),
        1 => finding.note(format!("task {} can get there", list(&tasks))),
        _ => finding.note(format!("tasks {} can get there", list(&tasks))),
    };
    finding.note(advice(view, cycle))
}

/// Returns a cycle that rests on assumptions is an error only where a bound is asked for.
fn severity(view: &View<'_>, cycle: &Cycle) -> Severity {
    let is_timed = cycle.tasks.iter().any(|&t| view.system.task(t).release.is_some());
    if cycle.is_assumed() && !is_timed { Severity::Warning } else { Severity::Error }
}

fn advice(view: &View<'_>, cycle: &Cycle) -> String {
    let Some(edge) = cycle.edges.iter().find(|e| e.assumed) else {
        if cycle.edges.iter().all(|edge| view.system.mutex(edge.from).is_some()) {
            return "lock them in the same order everywhere".into();
        }
        return "take one of these invocations out, or move what both need into a third component"
            .into();
    };
    let gate = view.system.gate(edge.from);
    let component = &view.system.component(gate.component).name;
    format!(
        "this rests on assumed invocations: say what `{}` really invokes, for example \
         `{component}.{}_calls = [];`",
        gate.name, gate.interface
    )
}
