//! A histogram of one task's response times.
//!
//! Buckets widen with the numbers, so the axis is logarithmic, where they are of
//! equal width. The axis reaches to the deadline and the bound, which are drawn:
//! the distance between the observations and the promise is the point.

use crate::markup::{Attributes, Markup};
use crate::view::{Bound, Observed, Task};
use fusee_model::Duration;

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 128.0;
const BASE: f64 = 102.0;
const TOP: f64 = 30.0;
const SIDE: f64 = 8.0;

/// Writes the histogram, if anything was observed.
pub(crate) fn write(m: &mut Markup, task: &Task) {
    let Some(observed) = task.observed.as_ref().filter(|o| !o.histogram.is_empty()) else { return };
    let bound = match &task.bound {
        Bound::Proven(proof) => Some(proof.response.ns()),
        _ => None,
    };
    let deadline = task.deadline.map(Duration::ns);
    let lowest = observed.histogram.first().map_or(1, |b| b.0).max(1);
    let highest = observed.histogram.last().map_or(1, |b| b.1);
    let right = [Some(highest), bound, deadline].into_iter().flatten().max().unwrap_or(highest);
    let scale = Scale::new(lowest, right.saturating_add(1));
    m.element("figure", &[], |m| {
        let attributes: Attributes<'_> = &[
            ("viewBox", &format_args!("0 0 {WIDTH} {HEIGHT}")),
            ("class", &"histogram"),
            ("role", &"img"),
            ("width", &WIDTH),
            ("height", &HEIGHT),
        ];
        m.element("svg", attributes, |m| {
            m.leaf(
                "title",
                &[],
                format_args!("Response times of {} jobs of {}", observed.jobs, task.name),
            );
            columns(m, observed, &scale);
            axis(m, &scale);
            marker(m, &scale, "deadline", "deadline", deadline);
            marker(m, &scale, "bound", "bound", bound);
        });
        m.leaf(
            "figcaption",
            &[],
            "How often each response time was observed (logarithmic time axis).",
        );
    });
}

/// A logarithmic scale.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn new(low: u64, high: u64) -> Scale {
        let low = (low as f64 * 0.9).max(0.5).ln();
        Scale { low, high: (high as f64 * 1.12).ln().max(low + 0.7) }
    }

    fn x(&self, ns: f64) -> f64 {
        SIDE + (ns.max(0.5).ln() - self.low) / (self.high - self.low) * (WIDTH - 2.0 * SIDE)
    }
}

fn columns(m: &mut Markup, observed: &Observed, scale: &Scale) {
    let most = observed.histogram.iter().map(|b| b.2).max().unwrap_or(1).max(1) as f64;
    for &(low, high, count) in &observed.histogram {
        let (left, right) = (scale.x(low as f64).max(SIDE), scale.x(high as f64 + 1.0));
        // A single late job must be seen beside thousands of early ones.
        let height = (count as f64 / most * (BASE - TOP)).max(5.0);
        let place: Attributes<'_> = &[
            ("class", &"column"),
            ("x", &format_args!("{left:.2}")),
            ("y", &format_args!("{:.2}", BASE - height)),
            ("width", &format_args!("{:.2}", (right - left - 1.0).max(3.0))),
            ("height", &format_args!("{height:.2}")),
        ];
        m.shape(
            "rect",
            place,
            format_args!("{} to {}: {count}", Duration(low), Duration(high.saturating_add(1))),
        );
    }
}

fn axis(m: &mut Markup, scale: &Scale) {
    m.empty(
        "line",
        &[("class", &"axis"), ("x1", &SIDE), ("x2", &(WIDTH - SIDE)), ("y1", &BASE), ("y2", &BASE)],
    );
    let mut last = f64::NEG_INFINITY;
    for (ns, is_power) in ticks(scale) {
        let x = scale.x(ns as f64);
        m.empty(
            "line",
            &[("class", &"axis"), ("x1", &x), ("x2", &x), ("y1", &BASE), ("y2", &(BASE + 4.0))],
        );
        if (is_power || scale.high - scale.low < 3.0) && x - last > 52.0 {
            m.leaf(
                "text",
                &[("x", &x), ("y", &(BASE + 17.0)), ("text-anchor", &"middle")],
                Duration(ns),
            );
            last = x;
        }
    }
}

/// 1, 2 and 5 times the powers of ten within the scale, and which of them are powers.
fn ticks(scale: &Scale) -> impl Iterator<Item = (u64, bool)> {
    let inside = |ns: f64| scale.x(ns) >= SIDE + 20.0 && scale.x(ns) <= WIDTH - SIDE - 20.0;
    let all = (0..19u32)
        .flat_map(|power| [1, 2, 5].map(|factor| (factor * 10u64.pow(power), factor == 1)));
    all.filter(move |&(ns, _)| inside(ns as f64))
}

fn marker(m: &mut Markup, scale: &Scale, class: &str, word: &str, at: Option<u64>) {
    let Some(ns) = at else { return };
    let x = scale.x(ns as f64).clamp(SIDE, WIDTH - SIDE);
    let (y, text_y) =
        if class == "bound" { (TOP - 2.0, TOP - 5.0) } else { (TOP - 18.0, TOP - 20.0) };
    m.empty("line", &[("class", &class), ("x1", &x), ("x2", &x), ("y1", &y), ("y2", &BASE)]);
    let text = format!("{word} {}", Duration(ns));
    let (anchor, dx) = if x > WIDTH / 2.0 { ("end", -4.0) } else { ("start", 4.0) };
    m.leaf("text", &[("x", &(x + dx)), ("y", &(text_y + 3.0)), ("text-anchor", &anchor)], text);
}
