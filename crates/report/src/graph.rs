//! The component graph: callers, gates and callees.
//!
//! One box for each component: tasks, passive components and devices look
//! different. A box lists its gates with their protocols, and each line of
//! invocations ends at the gate that it goes through. Events and shared memory
//! are dashed and dotted. The lines need no labels: their tooltips name them.

mod layout;
mod order;

use crate::markup::Markup;
use crate::text::{clip, width};
use crate::view::{Component, Edge, EdgeKind, View};
use fusee_model::Protocol;
use layout::{Bend, Box, Layout, Link};

/// Beyond this many components a picture explains nothing; the tables still do.
const MOST: usize = 200;
const HEAD: f64 = 26.0;
const ROW: f64 = 18.0;
const LONGEST_NAME: usize = 30;

/// Writes the section with the graph.
pub(crate) fn write(m: &mut Markup, view: &View) {
    m.element("section", &[("id", &"components")], |m| {
        m.leaf("h2", &[], "Components");
        if view.components.len() > MOST {
            m.leaf(
                "p",
                &[],
                format_args!(
                    "{} components are too many to draw; see the gates.",
                    view.components.len()
                ),
            );
            return;
        }
        m.leaf(
            "p",
            &[("class", &"hint")],
            "Who asks stands left of who answers; lines of invocations end at a gate.",
        );
        legend(m, view);
        picture(m, view);
    });
}

fn legend(m: &mut Markup, view: &View) {
    m.element("ul", &[("class", &"legend")], |m| {
        for (class, text) in
            [("task", "task"), ("passive", "passive component"), ("device", "device")]
        {
            m.element("li", &[], |m| {
                m.leaf("span", &[("class", &format_args!("chip box-{class}"))], "");
                m.text(text);
            });
        }
        let used = |p: &Protocol| view.gates.iter().any(|gate| gate.protocol == *p);
        // Those between cores are of no interest to whoever has one.
        let protocols = Protocol::ALL.into_iter().filter(|p| !p.is_global() || used(p));
        for protocol in protocols.map(Protocol::name) {
            m.element("li", &[], |m| {
                m.leaf("span", &[("class", &format_args!("dot p-{protocol}"))], "");
                m.text(protocol);
            });
        }
        for (class, text) in [("event", "events"), ("memory", "shared memory, registers")] {
            m.element("li", &[], |m| {
                m.leaf("span", &[("class", &format_args!("stroke stroke-{class}"))], "");
                m.text(text);
            });
        }
    });
}

fn picture(m: &mut Markup, view: &View) {
    let gates = gates_of(view);
    let boxes: Vec<Box> =
        view.components.iter().zip(&gates).map(|(c, gates)| size(view, c, gates)).collect();
    let edges = merged(&view.edges);
    let placed = layout::place(&boxes, &links(view, &edges));
    let (w, h) = placed.size;
    m.element(
        "div",
        &[
            ("class", &"scroll"),
            ("tabindex", &"0"),
            ("role", &"group"),
            ("aria-label", &"component graph"),
        ],
        |m| {
            let viewbox = format!("0 0 {w} {h}");
            let style = format!("min-width:{}px;max-width:{w}px", w.min(760.0));
            let attributes: crate::markup::Attributes<'_> = &[
                ("viewBox", &viewbox),
                ("class", &"graph"),
                ("role", &"img"),
                ("style", &style),
                ("width", &w),
                ("height", &h),
            ];
            m.element("svg", attributes, |m| {
                m.leaf(
                    "title",
                    &[],
                    format_args!("Components of {} and their connections", view.system),
                );
                let drawing = Drawing { view, gates, boxes, placed };
                for (edge, bends) in edges.iter().zip(&drawing.placed.bends) {
                    drawing.line(m, edge, bends);
                }
                for index in 0..view.components.len() {
                    drawing.node(m, index);
                }
            });
        },
    );
}

/// Returns the gates of each component.
fn gates_of(view: &View) -> Vec<Vec<usize>> {
    let mut gates = vec![Vec::new(); view.components.len()];
    for (index, gate) in view.gates.iter().enumerate() {
        gates[gate.component].push(index);
    }
    gates
}

/// Edges without repetitions; several events between the same two components are one line.
fn merged(edges: &[Edge]) -> Vec<Edge> {
    let mut merged: Vec<Edge> = Vec::new();
    for edge in edges {
        let same = |e: &&mut Edge| e.from == edge.from && e.to == edge.to && e.kind == edge.kind;
        match merged.iter_mut().find(same) {
            Some(first) => first.label = format!("{}; {}", first.label, edge.label),
            None => merged.push(edge.clone()),
        }
    }
    merged
}

/// Returns the links for the layout: invocations and devices decide about columns, other events and
/// memory do not.
fn links(view: &View, edges: &[Edge]) -> Vec<Link> {
    let device = |index: usize| view.components[index].hardware;
    let link = |edge: &Edge| {
        let (from, to) =
            if device(edge.from) { (edge.to, edge.from) } else { (edge.from, edge.to) };
        Link { from, to, ranks: matches!(edge.kind, EdgeKind::Procedure(_)) || device(to) }
    };
    edges.iter().map(link).collect()
}

fn size(view: &View, component: &Component, gates: &[usize]) -> Box {
    let name = width(&clip(&component.name, LONGEST_NAME), 13.0) * 1.06 + 20.0;
    let rows = gates.iter().map(|&g| width(&view.gates[g].interface, 11.0) + 36.0);
    let height = HEAD + ROW * gates.len() as f64 + if gates.is_empty() { 0.0 } else { 6.0 };
    Box { width: rows.fold(name, f64::max).max(72.0).round(), height }
}

/// Everything that is drawn, and where.
struct Drawing<'v> {
    view: &'v View,
    /// The gates of each component.
    gates: Vec<Vec<usize>>,
    boxes: Vec<Box>,
    placed: Layout,
}

impl Drawing<'_> {
    /// A component with its gates.
    fn node(&self, m: &mut Markup, index: usize) {
        let (component, size) = (&self.view.components[index], &self.boxes[index]);
        let (x, y) = self.placed.corners[index];
        let class = match component {
            c if c.hardware => "device",
            c if c.control => "task",
            _ => "passive",
        };
        let mut title = format!("{}: {}", component.name, component.kind);
        if let Some(group) = &component.group {
            title += &format!(", in group {group}");
        }
        let radius = if class == "passive" { 3.0 } else { 11.0 };
        m.element(
            "g",
            &[
                ("class", &format_args!("node box-{class}")),
                ("transform", &format_args!("translate({x} {y})")),
            ],
            |m| {
                let frame: crate::markup::Attributes<'_> =
                    &[("width", &size.width), ("height", &size.height), ("rx", &radius)];
                m.shape("rect", frame, title);
                m.leaf(
                    "text",
                    &[("x", &10), ("y", &17.5), ("class", &"name")],
                    clip(&component.name, LONGEST_NAME),
                );
                for (row, &gate) in self.gates[index].iter().enumerate() {
                    let gate = &self.view.gates[gate];
                    let middle = HEAD + ROW * (row as f64 + 0.5);
                    let class = format!("gate p-{}", gate.protocol.name());
                    m.element(
                        "g",
                        &[("class", &class), ("transform", &format_args!("translate(0 {middle})"))],
                        |m| {
                            m.leaf(
                                "title",
                                &[],
                                format_args!("gate {}: {}", gate.name, gate.protocol.name()),
                            );
                            m.empty("circle", &[("cx", &13), ("cy", &0), ("r", &4.5)]);
                            m.leaf("text", &[("x", &24), ("y", &4)], &gate.interface);
                        },
                    );
                }
            },
        );
    }

    /// Draws a connection.
    fn line(&self, m: &mut Markup, edge: &Edge, bends: &[Bend]) {
        let (view, placed) = (self.view, &self.placed);
        let (from, to) = (self.anchor(edge.from), self.anchor(edge.to));
        let entry = match edge.kind {
            EdgeKind::Procedure(gate) => {
                let row = self.gates[edge.to].iter().position(|&g| g == gate).unwrap_or(0);
                placed.corners[edge.to].1 + HEAD + ROW * (row as f64 + 0.5)
            }
            _ => placed.corners[edge.to].1 + HEAD / 2.0,
        };
        let class = match edge.kind {
            EdgeKind::Procedure(gate) => format!("edge p-{}", view.gates[gate].protocol.name()),
            EdgeKind::Event => "edge edge-event".into(),
            EdgeKind::Memory => "edge edge-memory".into(),
        };
        let path = match placed.column[edge.from].cmp(&placed.column[edge.to]) {
            std::cmp::Ordering::Less => curve((from.right, from.y), bends, (to.left, entry)),
            std::cmp::Ordering::Greater => curve((to.right, entry), bends, (from.left, from.y)),
            std::cmp::Ordering::Equal => arc((from.right, from.y), (to.right, entry)),
        };
        let title = format!(
            "{} -> {}: {}",
            view.components[edge.from].name, view.components[edge.to].name, edge.label
        );
        m.shape("path", &[("class", &class), ("d", &path)], title);
    }

    /// Returns a node's sides and the height of its name.
    fn anchor(&self, node: usize) -> Bend {
        let (x, y) = self.placed.corners[node];
        Bend { left: x, right: x + self.boxes[node].width, y: y + HEAD / 2.0 }
    }
}

/// Returns a smooth line from left to right through all bends.
fn curve(start: (f64, f64), bends: &[Bend], end: (f64, f64)) -> String {
    let mut path = format!("M{} {}", start.0, start.1);
    let mut at = start;
    let mut bow = |path: &mut String, to: (f64, f64)| {
        let middle = (at.0 + to.0) / 2.0;
        *path += &format!("C{middle} {} {middle} {} {} {}", at.1, to.1, to.0, to.1);
        at = to;
    };
    for bend in bends {
        bow(&mut path, (bend.left, bend.y));
        bow(&mut path, (bend.right, bend.y));
    }
    bow(&mut path, end);
    path
}

/// Returns a line between two nodes of one column, beside the column.
fn arc(start: (f64, f64), end: (f64, f64)) -> String {
    let out = start.0.max(end.0) + 14.0 + ((start.1 - end.1).abs() / 10.0).min(26.0);
    format!("M{} {}C{out} {} {out} {} {} {}", start.0, start.1, start.1, end.1, end.0, end.1)
}
