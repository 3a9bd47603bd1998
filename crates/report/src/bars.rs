//! Response-time bars: each bound with its parts beside what was observed.
//!
//! Deadlines of one system range over three orders of magnitude. On a common
//! scale the short ones vanish, and on a logarithmic one parts of a bar cannot be
//! compared. So each bar has its own scale, on which the deadline is always at
//! the same place: what the eye compares is how much of its time a task needs.

use crate::markup::{Attributes, Markup};
use crate::view::{Bound, PartKind, Proof, Task};

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 26.0;
/// The place of the deadline.
const DEADLINE: f64 = 270.0;

/// Returns the word for a kind of part.
pub(crate) fn word(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Own => "own execution",
        PartKind::Interference => "interference",
        PartKind::Blocking => "blocking",
        PartKind::OtherCores => "waiting for other cores",
        PartKind::Events => "waiting for events",
        PartKind::Kernel => "kernel",
        PartKind::Withheld => "slots of others",
        PartKind::Jitter => "release jitter",
    }
}

/// Returns the style class of a kind of part.
pub(crate) fn class(kind: PartKind) -> &'static str {
    match kind {
        PartKind::Own => "part-own",
        PartKind::Interference => "part-interference",
        PartKind::Blocking => "part-blocking",
        PartKind::OtherCores => "part-waiting",
        PartKind::Events => "part-events",
        PartKind::Kernel => "part-kernel",
        PartKind::Withheld => "part-withheld",
        PartKind::Jitter => "part-jitter",
    }
}

/// Writes the meaning of the signs in the bars, for the kinds of parts that can be there.
pub(crate) fn legend(m: &mut Markup, shown: impl Fn(PartKind) -> bool) {
    m.element("ul", &[("class", &"legend")], |m| {
        let kinds = [
            PartKind::Own,
            PartKind::Interference,
            PartKind::Blocking,
            PartKind::OtherCores,
            PartKind::Events,
            PartKind::Kernel,
            PartKind::Withheld,
            PartKind::Jitter,
        ]
        .into_iter()
        .filter(|&kind| shown(kind));
        for (class, text) in
            kinds.map(|kind| (class(kind), word(kind))).chain([("part-none", "no bound")])
        {
            m.element("li", &[], |m| {
                m.leaf("span", &[("class", &format_args!("chip {class}"))], "");
                m.text(text);
            });
        }
        for (class, text) in
            [("sign-observed", "longest observed response"), ("sign-deadline", "deadline")]
        {
            m.element("li", &[], |m| {
                m.leaf("span", &[("class", &format_args!("sign {class}"))], "");
                m.text(text);
            });
        }
    });
}

/// Writes the bar of a task; nothing for a task without a deadline.
pub(crate) fn write(m: &mut Markup, task: &Task) {
    let Some(deadline) = task.deadline.filter(|d| d.ns() > 0) else { return };
    let x = scale(deadline.ns());
    framed(m, &summary(task), |m| {
        match &task.bound {
            Bound::Proven(proof) => parts(m, proof, &x),
            Bound::None { .. } => none(m),
            Bound::NotAnalysed => {}
        }
        limit(m);
        if let Some(observed) = task.observed.as_ref().filter(|o| o.jobs > 0) {
            sign(m, x(observed.max.ns()), &format!("longest observed response {}", observed.max));
        }
    });
}

/// Returns the place of a time in a bar whose limit is a time that is not 0.
pub(crate) fn scale(limit: u64) -> impl Fn(u64) -> f64 {
    move |ns| (ns as f64 / limit as f64 * DEADLINE).min(WIDTH - 2.0)
}

/// A bar with its track, and what is drawn on it.
pub(crate) fn framed(m: &mut Markup, title: &str, draw: impl FnOnce(&mut Markup)) {
    let attributes: Attributes<'_> = &[
        ("viewBox", &format_args!("0 0 {WIDTH} {HEIGHT}")),
        ("class", &"bar"),
        ("preserveAspectRatio", &"xMinYMid"),
        ("role", &"img"),
        ("width", &WIDTH),
        ("height", &HEIGHT),
    ];
    m.element("svg", attributes, |m| {
        m.leaf("title", &[], title);
        m.empty("rect", &[("class", &"track"), ("y", &5), ("width", &DEADLINE), ("height", &16)]);
        draw(m);
    });
}

/// The line that must not be passed.
pub(crate) fn limit(m: &mut Markup) {
    let line: Attributes<'_> = &[
        ("class", &"deadline"),
        ("x1", &DEADLINE),
        ("x2", &DEADLINE),
        ("y1", &1),
        ("y2", &(HEIGHT - 1.0)),
    ];
    m.empty("line", line);
}

fn summary(task: &Task) -> String {
    let deadline = task.deadline.map_or_else(String::new, |d| format!(" of its deadline {d}"));
    match &task.bound {
        Bound::Proven(proof) => {
            format!("{}: response bound {}{deadline}", task.name, proof.response)
        }
        Bound::None { .. } => {
            format!(
                "{}: no response bound; deadline{}",
                task.name,
                deadline.replace(" of its deadline", "")
            )
        }
        Bound::NotAnalysed => format!("{}: not analysed", task.name),
    }
}

/// Returns the parts side by side; rounding is of their ends, so that they neither overlap nor
/// leave gaps.
fn parts(m: &mut Markup, proof: &Proof, x: &dyn Fn(u64) -> f64) {
    let mut at = 0u64;
    for part in &proof.parts {
        let end = at.saturating_add(part.time.ns());
        let (left, right) = (x(at), x(end));
        at = end;
        if right <= left {
            continue;
        }
        let by =
            if part.source.is_empty() { String::new() } else { format!(" by {}", part.source) };
        let place: Attributes<'_> = &[
            // A frame around a sliver would hide it.
            (
                "class",
                &format_args!(
                    "{} {}",
                    if right - left < 4.0 { "sliver" } else { "part" },
                    class(part.kind)
                ),
            ),
            ("x", &format_args!("{left:.2}")),
            ("y", &5),
            ("width", &format_args!("{:.2}", right - left)),
            ("height", &16),
        ];
        m.shape("rect", place, format_args!("{}{by}: {}", word(part.kind), part.time));
    }
    if x(proof.response.ns()) >= WIDTH - 2.0 {
        beyond(m);
    }
}

/// A bar that ends nowhere.
fn none(m: &mut Markup) {
    let place: Attributes<'_> = &[
        ("class", &"part part-none"),
        ("x", &0),
        ("y", &5),
        ("width", &(WIDTH - 12.0)),
        ("height", &16),
    ];
    m.shape("rect", place, "no bound");
    beyond(m);
}

/// The arrow of a bar that goes on beyond the picture.
fn beyond(m: &mut Markup) {
    let tip = WIDTH - 1.0;
    let path = format!("M{} 5L{tip} 13L{} 21", tip - 9.0, tip - 9.0);
    m.empty("path", &[("class", &"beyond"), ("d", &path)]);
}

pub(crate) fn sign(m: &mut Markup, x: f64, title: &str) {
    let x = x.clamp(5.0, WIDTH - 6.0);
    let path = format!("M{x:.2} 6L{:.2} 13L{x:.2} 20L{:.2} 13Z", x + 5.0, x - 5.0);
    m.shape("path", &[("class", &"observed"), ("d", &path)], title);
}
