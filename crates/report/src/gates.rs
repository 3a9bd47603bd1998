//! The table of gates.

use crate::markup::DASH;
use crate::markup::{Attributes, Markup};
use crate::view::{Gate, View};
use fusee_model::TimeColumn;

/// Class, title and meaning of a column.
type Column = (&'static str, &'static str, &'static str);

const DERIVED: [Column; 5] = [
    ("", "gate", "component and interface"),
    ("", "protocol", "what it does to concurrency and priority"),
    ("number", "ceiling", "the highest priority among the tasks that reach it"),
    ("number", "stacks", "stacks that the build reserves"),
    ("number", "RPC threads", "threads that a pool of RPC threads on seL4 would need"),
];
const OBSERVED: [Column; 2] = [
    ("number", "invocations", "observed, and how many of them had to wait"),
    ("number", "longest wait", "observed"),
];
const TASKS: Column = ("", "tasks", "tasks that can reach it");

fn columns(view: &View) -> impl Iterator<Item = Column> {
    let observed = view.run.as_ref().map(|_| OBSERVED);
    DERIVED.into_iter().chain(observed.into_iter().flatten()).chain([TASKS])
}

/// Writes the section with the table.
pub(crate) fn write(m: &mut Markup, view: &View) {
    m.element("section", &[("id", &"gates")], |m| {
        m.leaf("h2", &[], "Gates");
        if view.gates.is_empty() {
            m.leaf("p", &[], "No component provides a procedure.");
            return;
        }
        let attributes: Attributes<'_> = &[
            ("class", &"scroll"),
            ("tabindex", &"0"),
            ("role", &"group"),
            ("aria-label", &"gates"),
        ];
        m.element("div", attributes, |m| {
            m.element("table", &[], |m| {
                m.element("thead", &[], |m| {
                    m.element("tr", &[], |m| {
                        for (class, title, meaning) in columns(view) {
                            m.leaf(
                                "th",
                                &[("scope", &"col"), ("class", &class), ("title", &meaning)],
                                title,
                            );
                        }
                    });
                });
                m.element("tbody", &[], |m| {
                    let seen = view.gates.iter().filter_map(|gate| gate.observed.as_ref());
                    let waits = view
                        .run
                        .as_ref()
                        .map(|_| TimeColumn::of(seen.map(|seen| seen.longest_wait)));
                    for gate in &view.gates {
                        row(m, waits, gate);
                    }
                });
            });
        });
    });
}

/// `waits`: how waiting times are shown; `None`: nothing was observed.
fn row(m: &mut Markup, waits: Option<TimeColumn>, gate: &Gate) {
    let dash = || DASH.to_owned();
    let protocol = gate.protocol.name();
    m.element("tr", &[], |m| {
        m.leaf("th", &[("scope", &"row")], &gate.name);
        m.element("td", &[], |m| {
            m.leaf("span", &[("class", &format_args!("dot p-{protocol}"))], "");
            m.text(protocol);
            if gate.direct {
                m.text(" (direct call)");
            }
        });
        m.leaf("td", &[("class", &"number")], gate.ceiling.clone().unwrap_or_else(dash));
        m.leaf("td", &[("class", &"number")], gate.stacks);
        m.leaf("td", &[("class", &"number")], gate.rpc_threads);
        if let Some(waits) = waits {
            observed(m, waits, gate);
        }
        m.leaf(
            "td",
            &[("class", &"wide")],
            if gate.tasks.is_empty() { dash() } else { gate.tasks.join(", ") },
        );
    });
}

fn observed(m: &mut Markup, waits: TimeColumn, gate: &Gate) {
    let dash = || DASH.to_owned();
    let invocations = gate.observed.map_or_else(dash, |o| match o.contended {
        0 => o.invocations.to_string(),
        waited => format!("{}, {waited} waited", o.invocations),
    });
    m.leaf("td", &[("class", &"number")], invocations);
    let wait = gate.observed.map_or_else(dash, |o| waits.show(o.longest_wait));
    m.leaf("td", &[("class", &"number")], wait);
}
