//! The bound if a loop iterated more or less often.
//!
//! All that is shown was bounded before; the page computes nothing, it looks up.
//! A number in between has the bound of the next larger one that was tried.

use super::WorstPaths;
use crate::markup::{Attributes, Markup, labelled};

/// A loop and the bounds of its entry for other numbers of iterations.
#[derive(Debug, Clone, Default)]
pub struct Supposed {
    /// The loop, or the fact about it.
    pub place: String,
    /// The largest number of its iterations.
    pub iterations: u64,
    /// `true` if that is proved; else it is taken for granted.
    pub ends_by_itself: bool,
    /// No path leaves it after fewer.
    pub least: u64,
    /// Iterations with the bound for them, in order; the number above is among them. None where no
    /// other was tried.
    pub known: Vec<(u64, u64)>,
}

impl Supposed {
    /// Returns `true` if another number makes another bound.
    fn matters(&self) -> bool {
        self.known.first().map(|known| known.1) != self.known.last().map(|known| known.1)
    }
}

/// The section of an entry: what can be asked, and the loops of which nothing can.
pub(super) fn section(m: &mut Markup, view: &WorstPaths, loops: &[Supposed]) {
    let (tried, untried): (Vec<_>, Vec<_>) = loops.iter().partition(|one| !one.known.is_empty());
    let (asked, fixed): (Vec<_>, Vec<_>) = tried.into_iter().partition(|one| one.matters());
    if loops.is_empty() {
        return;
    }
    m.leaf("h3", &[], "What if a loop iterated less or more often?");
    if !asked.is_empty() {
        let text = "Change a number. Every bound was computed anew for it, with all that it \
                    changes; in between the bound for the next larger number holds.";
        m.leaf("p", &[("class", &"hint")], text);
        labelled(m, "bounds for other numbers of iterations", |m| table(m, view, &asked));
    }
    list(m, "On these the bound does not depend, or no path leaves them earlier: ", &fixed);
    list(m, "Not tried, as each takes long (`--what-if` asks about one): ", &untried);
}

fn list(m: &mut Markup, title: &str, loops: &[&Supposed]) {
    if !loops.is_empty() {
        let places: Vec<String> =
            loops.iter().map(|one| format!("`{}` ({})", one.place, one.iterations)).collect();
        m.element("p", &[("class", &"hint")], |m| {
            m.prose(&format!("{title}{}", places.join("; ")));
        });
    }
}

fn table(m: &mut Markup, view: &WorstPaths, asked: &[&Supposed]) {
    m.element("table", &[("class", &"supposed")], |m| {
        m.element("thead", &[], |m| {
            m.element("tr", &[], |m| {
                for title in ["loop", "iterations at most", "the entry takes", "computed"] {
                    m.leaf("th", &[("scope", &"col")], title);
                }
            });
        });
        m.element("tbody", &[], |m| asked.iter().for_each(|one| row(m, &view.unit, one)));
    });
}

fn row(m: &mut Markup, unit: &str, one: &Supposed) {
    let points: Vec<String> = one.known.iter().map(|(n, time)| format!("[{n},{time}]")).collect();
    let points = format!("[{}]", points.join(","));
    let label = format!("iterations of {}", one.place);
    let row: Attributes<'_> = &[
        ("data-points", &points),
        ("data-least", &one.least),
        ("data-most", &one.iterations),
        ("data-proved", &one.ends_by_itself),
        ("data-unit", &unit),
    ];
    let longest = one.known.iter().map(|known| known.1).max().unwrap_or(0);
    let time = one.known.iter().find(|known| known.0 == one.iterations).map_or(0, |known| known.1);
    m.element("tr", row, |m| {
        m.element("th", &[("scope", &"row")], |m| m.leaf("code", &[], &one.place));
        m.element("td", &[], |m| {
            let input: Attributes<'_> = &[
                ("type", &"number"),
                ("min", &0),
                ("step", &1),
                ("value", &one.iterations),
                ("aria-label", &label),
            ];
            m.empty("input", input);
        });
        m.element("td", &[], |m| {
            m.leaf("output", &[], format_args!("at most {time} {unit}"));
            m.leaf("progress", &[("max", &longest), ("value", &time)], "");
        });
        m.element("td", &[], |m| {
            m.element("details", &[], |m| {
                m.leaf("summary", &[], format_args!("{} numbers", one.known.len()));
                let all: Vec<String> =
                    one.known.iter().map(|(n, time)| format!("{n}: {time}")).collect();
                m.leaf("p", &[("class", &"hint")], all.join(", "));
            });
        });
    });
}
