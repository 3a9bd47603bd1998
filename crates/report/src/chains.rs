//! Chains from end to end: the way, the parts of the bound, what was seen.
//!
//! Each bar has its own scale, as those of tasks have: what is allowed is always at the same place.

use crate::bars;
use crate::markup::DASH;
use crate::markup::Markup;
use crate::verdict::{ChainVerdict, Mood};
use crate::view::View;
use fusee_bounds::ChainPartKind;
use fusee_model::Duration;

/// Writes the section, if the description names chains.
pub(crate) fn write(m: &mut Markup, view: &View) {
    if view.chains.is_empty() {
        return;
    }
    m.element("section", &[("id", &"chains")], |m| {
        m.leaf("h2", &[], "Chains");
        let hint = "Each bar shows the parts of the bound on a reaction time, in order; the line \
                    is what is allowed.";
        m.leaf("p", &[("class", &"hint")], hint);
        legend(m);
        crate::markup::labelled(m, "chains", |m| {
            m.element("table", &[("class", &"responses")], |m| {
                m.element("tbody", &[], |m| view.chains.iter().for_each(|chain| row(m, chain)));
            });
        });
    });
}

fn legend(m: &mut Markup) {
    m.element("ul", &[("class", &"legend")], |m| {
        let parts = [
            ("part-own", "response"),
            ("part-jitter", "wait for the next job"),
            ("part-kernel", "deferred"),
        ];
        for (class, text) in parts {
            m.element("li", &[], |m| {
                m.leaf("span", &[("class", &format_args!("chip {class}"))], "");
                m.text(text);
            });
        }
    });
}

/// Returns the tasks on the way with what leads from one to the next.
pub(crate) fn way(chain: &ChainVerdict) -> String {
    let stages = chain.way.iter().map(|(through, task)| match through.as_str() {
        "" => task.clone(),
        through => format!("\u{2013}({through})\u{2192} {task}"),
    });
    stages.collect::<Vec<_>>().join(" ")
}

fn row(m: &mut Markup, chain: &ChainVerdict) {
    let shown =
        |time: Option<Duration>| time.map_or_else(|| DASH.to_owned(), |time| time.to_string());
    let seen = chain.seen;
    let times = [
        ("reaction", chain.bound),
        ("observed", seen.and_then(|seen| seen.reaction)),
        ("allowed", chain.within),
        ("data age", chain.age_bound),
        ("observed age", seen.and_then(|seen| seen.age)),
        ("allowed age", chain.age_limit),
    ];
    m.element("tr", &[], |m| {
        m.element("th", &[("scope", &"row")], |m| {
            m.text(&chain.name);
            m.leaf("div", &[("class", &"hint")], way(chain));
        });
        for (label, time) in times {
            m.element("td", &[], |m| {
                m.leaf("span", &[("class", &"hint")], label);
                m.text(format_args!(" {}", shown(time)));
            });
        }
        m.leaf("td", &[("class", &if chain.mood == Mood::Bad { "bad" } else { "" })], chain.word);
        m.element("td", &[], |m| bar(m, chain));
    });
}

/// The parts of the bound one behind the other.
fn bar(m: &mut Markup, chain: &ChainVerdict) {
    let Some(whole) = chain.within.or(chain.bound).filter(|whole| *whole > Duration::ZERO) else {
        return;
    };
    let x = bars::scale(whole.ns());
    bars::framed(m, &format!("{}: {}", chain.name, chain.word), |m| {
        let mut from = 0_u64;
        for part in &chain.parts {
            let to = from.saturating_add(part.time.ns());
            let (class, what) = match part.kind {
                ChainPartKind::Wait => ("part-jitter", "until its next job"),
                ChainPartKind::Response => ("part-own", "response"),
                ChainPartKind::Deferral => ("part-kernel", "deferred"),
            };
            let width = x(to) - x(from);
            m.element(
                "rect",
                &[
                    ("class", &format_args!("part {class}")),
                    ("x", &x(from)),
                    ("y", &5),
                    ("width", &width),
                    ("height", &16),
                ],
                |m| m.leaf("title", &[], format_args!("{}: {what}, {}", part.task, part.time)),
            );
            from = to;
        }
        if chain.within.is_some() {
            bars::limit(m);
        }
        if let Some(reaction) = chain.seen.and_then(|seen| seen.reaction) {
            bars::sign(m, x(reaction.ns()), &format!("longest observed reaction {reaction}"));
        }
    });
}
