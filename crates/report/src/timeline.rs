//! The timeline around the worst response: running and waiting threads.
//!
//! One row for each task, the most urgent on top. A thread keeps its row while
//! it migrates; the color says whether it executes at home or in which other
//! component, so that one sees a job pass through its gates. A hatched stretch waits at a gate, a
//! thin one could run but does not: unbounded inversion is a long hatched stretch above somebody
//! else's color.

use crate::markup::{Attributes, Markup};
use crate::text::{clip, width};
use crate::view::{Lane, Mark, MarkKind, Span, State, Timeline, Urgency, View};
use fusee_model::Duration;

const ROW: f64 = 34.0;
const BAND: f64 = 16.0;
const TOP: f64 = 14.0;
const RIGHT: f64 = 20.0;
const WIDTH: f64 = 1080.0;
/// Number of colors in the style sheet.
pub(crate) const COLOURS: usize = 10;

/// Writes the section, if there is anything to show.
pub(crate) fn write(m: &mut Markup, view: &View) {
    let Some(timeline) = &view.timeline else { return };
    m.element("section", &[("id", &"timeline")], |m| {
        m.leaf("h2", &[], "Around the worst response");
        m.leaf("p", &[], &timeline.caption);
        let colours = Colours::of(timeline);
        legend(m, view, &colours);
        let label = "timeline around the worst response";
        m.element(
            "div",
            &[("class", &"scroll"), ("tabindex", &"0"), ("role", &"group"), ("aria-label", &label)],
            |m| {
                picture(m, view, timeline, &colours);
            },
        );
    });
}

/// Colors for the components in which anything executes; the tasks' own ones share the first.
struct Colours {
    guests: Vec<usize>,
}

impl Colours {
    fn of(timeline: &Timeline) -> Colours {
        let mut guests = Vec::new();
        for (home, span) in
            timeline.lanes.iter().flat_map(|lane| lane.spans.iter().map(|span| (lane.home, span)))
        {
            if let State::Running(component)
            | State::Helping { component, .. }
            | State::Elsewhere { component, .. } = span.state
                && span.end > timeline.start
                && span.start < timeline.end
                && component != home
                && !guests.contains(&component)
            {
                guests.push(component);
            }
        }
        // The order of the description, so that a component keeps its color when the window moves.
        guests.sort_unstable();
        Colours { guests }
    }

    /// Returns the color of executing in `component`, for a thread that started in `home`.
    fn class(&self, component: usize, home: usize) -> String {
        let guest = self.guests.iter().position(|&c| c == component).filter(|_| component != home);
        guest.map_or_else(|| "c0".to_owned(), |guest| format!("c{}", 1 + guest % (COLOURS - 1)))
    }
}

fn legend(m: &mut Markup, view: &View, colours: &Colours) {
    m.element("ul", &[("class", &"legend")], |m| {
        m.element("li", &[], |m| {
            m.leaf("span", &[("class", &"chip c0")], "");
            m.text("in its own component");
        });
        for &component in &colours.guests {
            m.element("li", &[], |m| {
                m.leaf(
                    "span",
                    &[("class", &format_args!("chip {}", colours.class(component, usize::MAX)))],
                    "",
                );
                m.text(format_args!("in {}", view.components[component].name));
            });
        }
        let states = [
            ("chip waiting", "waits at a gate"),
            ("stroke stroke-ready", "ready, but another runs"),
        ];
        let signs = [
            ("sign sign-release", "release"),
            ("sign sign-deadline", "deadline"),
            ("sign sign-completion", "complete"),
            ("sign sign-miss", "deadline missed"),
            ("sign sign-boost", "inherits a priority"),
        ];
        let between = [
            ("chip c1 helping", "executes another's section, outlined"),
            ("chip elsewhere", "its section goes on on another core"),
        ];
        let between = between.into_iter().filter(|_| view.timeline.as_ref().is_some_and(helps));
        for (class, text) in states.into_iter().chain(between).chain(signs) {
            m.element("li", &[], |m| {
                m.leaf("span", &[("class", &class)], "");
                m.text(text);
            });
        }
    });
}

/// The axis of instants.
struct Axis {
    start: u64,
    end: u64,
    left: f64,
}

impl Axis {
    fn x(&self, time: u64) -> f64 {
        let span = self.end.saturating_sub(self.start).max(1) as f64;
        let inside = time.clamp(self.start, self.end) - self.start;
        self.left + inside as f64 / span * (WIDTH - RIGHT - self.left)
    }
}

fn picture(m: &mut Markup, view: &View, timeline: &Timeline, colours: &Colours) {
    let names = timeline.lanes.iter().map(|lane| width(&label(lane), 12.0));
    let axis =
        Axis { start: timeline.start, end: timeline.end, left: names.fold(40.0, f64::max) + 16.0 };
    let bottom = TOP + ROW * timeline.lanes.len() as f64;
    let attributes: Attributes<'_> = &[
        ("viewBox", &format_args!("0 0 {WIDTH} {}", bottom + 30.0)),
        ("class", &"timeline"),
        ("role", &"img"),
        ("width", &WIDTH),
        ("height", &(bottom + 30.0)),
    ];
    m.element("svg", attributes, |m| {
        m.leaf("title", &[], &timeline.caption);
        if helps(timeline) {
            m.leaf("style", &[], HELPING);
        }
        if let Some((lane, from, to)) = timeline.focus {
            let (x, y) = (axis.x(from), TOP + ROW * lane as f64);
            let place: Attributes<'_> = &[
                ("class", &"focus"),
                ("x", &x),
                ("y", &y),
                ("width", &(axis.x(to) - x)),
                ("height", &ROW),
                ("rx", &4),
            ];
            m.empty("rect", place);
        }
        scale(m, &axis, bottom);
        for (row, lane) in timeline.lanes.iter().enumerate() {
            let y = TOP + ROW * row as f64;
            m.leaf(
                "text",
                &[
                    ("class", &"name"),
                    ("x", &(axis.left - 10.0)),
                    ("y", &(y + 21.0)),
                    ("text-anchor", &"end"),
                ],
                label(lane),
            );
            stretches(m, view, row, &axis, colours);
            for mark in
                lane.marks.iter().filter(|mark| mark.time >= axis.start && mark.time <= axis.end)
            {
                sign(m, mark, axis.x(mark.time), y, &lane.task);
            }
        }
    });
}

/// Returns a row's name, and its core where there are several.
fn label(lane: &Lane) -> String {
    let name = clip(&lane.task, 24);
    lane.core.map_or_else(|| name.to_string(), |core| format!("{name} (core {core})"))
}

/// Returns `true` if some section goes on on another core than its owner's.
fn helps(timeline: &Timeline) -> bool {
    let mut spans = timeline.lanes.iter().flat_map(|lane| &lane.spans);
    spans.any(|span| matches!(span.state, State::Helping { .. } | State::Elsewhere { .. }))
}

/// The style of sections that go on on another core; a page without any does not have it.
const HELPING: &str = "rect.helping { stroke: var(--ink); stroke-width: 1.6; } \
                       rect.elsewhere { fill: none; stroke: var(--paint); stroke-width: 1.6; \
                       stroke-dasharray: 3 2; } \
                       .chip.helping { box-shadow: inset 0 0 0 2px var(--ink); } \
                       .chip.elsewhere { border: 2px dashed var(--quiet); }";

/// Lines at round instants, with their distance from the start of the job of interest.
fn scale(m: &mut Markup, axis: &Axis, bottom: f64) {
    let length = axis.end.saturating_sub(axis.start).max(1);
    let step = round_step(length / 10 + 1);
    let mut time = axis.start.div_ceil(step).saturating_mul(step);
    while time <= axis.end {
        let x = axis.x(time);
        m.empty(
            "line",
            &[("class", &"grid"), ("x1", &x), ("x2", &x), ("y1", &TOP), ("y2", &(bottom + 4.0))],
        );
        if x > axis.left + 16.0 && x < WIDTH - RIGHT - 16.0 {
            m.leaf(
                "text",
                &[("x", &x), ("y", &(bottom + 20.0)), ("text-anchor", &"middle")],
                Duration(time),
            );
        }
        let Some(next) = time.checked_add(step) else { break };
        time = next;
    }
}

/// Returns the smallest of 1, 2, 5, 10, 20, ... that is at least `least`.
fn round_step(least: u64) -> u64 {
    let mut power = 1u64;
    loop {
        for factor in [1, 2, 5] {
            let step = power.saturating_mul(factor);
            if step >= least {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

/// Draws what the task of a row does.
fn stretches(m: &mut Markup, view: &View, row: usize, axis: &Axis, colours: &Colours) {
    let mut lanes = view.timeline.iter().flat_map(|timeline| &timeline.lanes);
    let Some(lane) = lanes.nth(row) else { return };
    let y = TOP + ROW * row as f64;
    for span in lane.spans.iter().filter(|s| s.end > axis.start && s.start < axis.end) {
        let (left, right) = (axis.x(span.start), axis.x(span.end));
        let (class, text, top, height) = look(view, span, lane.home, colours);
        let time = Duration(span.end - span.start);
        let place: Attributes<'_> = &[
            ("class", &class),
            ("x", &format_args!("{left:.2}")),
            ("y", &(y + top)),
            ("width", &format_args!("{:.2}", (right - left).max(0.6))),
            ("height", &height),
        ];
        m.shape(
            "rect",
            place,
            format_args!("{} {text}, {time}, from {}", lane.task, Duration(span.start)),
        );
    }
}

fn look(view: &View, span: &Span, home: usize, colours: &Colours) -> (String, String, f64, f64) {
    let top = (ROW - BAND) / 2.0;
    let component = |index: usize| view.components.get(index).map_or("?", |c| c.name.as_str());
    let names = view.timeline.as_ref().map_or(&[][..], |timeline| &timeline.names);
    let task = |index: usize| names.get(index).map_or("?", String::as_str);
    match span.state {
        State::Running(c) => (
            format!("run {}", colours.class(c, home)),
            format!("runs in {}", component(c)),
            top,
            BAND,
        ),
        State::Ready(c) => {
            ("ready".into(), format!("is ready in {}", component(c)), ROW / 2.0 - 1.5, 3.0)
        }
        State::Waiting(gate) => {
            let gate = view.gates.get(gate).map_or("?", |g| g.name.as_str());
            ("waiting".into(), format!("waits for {gate}"), top, BAND)
        }
        State::Event => ("idle".into(), "waits for an event".into(), ROW / 2.0 - 1.5, 3.0),
        State::Suspended => {
            ("idle".into(), "is suspended: its budget is used up".into(), ROW / 2.0 - 1.5, 3.0)
        }
        State::Helping { component: c, owner } => (
            format!("run helping {}", colours.class(c, home)),
            format!("executes the section of {} in {}", task(owner), component(c)),
            top,
            BAND,
        ),
        State::Elsewhere { component: c, payer } => (
            format!("elsewhere {}", colours.class(c, home)),
            format!("is in {} on another core, in the time of {}", component(c), task(payer)),
            top,
            BAND,
        ),
    }
}

fn inherited(urgency: Urgency) -> String {
    match urgency {
        Urgency::Priority(priority) => format!("priority {priority}"),
        Urgency::Deadline(deadline) => format!("the deadline at {}", Duration(deadline)),
        Urgency::Top => "that nobody preempts it".to_owned(),
    }
}

fn sign(m: &mut Markup, mark: &Mark, x: f64, y: f64, task: &str) {
    let at = Duration(mark.time);
    let bottom = y + ROW - 3.0;
    let (class, path, text) = match mark.kind {
        MarkKind::Release => (
            "sign-release",
            format!("M{x:.2} {bottom}V{}m-3 5l3 -5l3 5", y + 3.0),
            format!("{task} released at {at}"),
        ),
        MarkKind::Deadline => {
            let path = format!("M{x:.2} {}V{bottom}m-3 -5l3 5l3 -5", y + 3.0);
            ("sign-deadline", path, format!("deadline of {task} at {at}"))
        }
        MarkKind::Completion => {
            let path = format!(
                "M{x:.2} {bottom}m-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
                bottom = bottom - 2.0
            );
            ("sign-completion", path, format!("{task} complete at {at}"))
        }
        MarkKind::Miss => {
            let top = y + 4.0;
            (
                "sign-miss",
                format!("M{:.2} {top}l8 8m0 -8l-8 8", x - 4.0),
                format!("{task} misses its deadline at {at}"),
            )
        }
        MarkKind::Boost(urgency) => {
            let path = format!("M{x:.2} {}l4 6h-8z", y + 1.0);
            ("sign-boost", path, format!("{task} inherits {} at {at}", inherited(urgency)))
        }
    };
    m.shape("path", &[("class", &class), ("d", &path)], text);
}

#[cfg(test)]
mod tests {
    use super::round_step;

    #[test]
    fn steps_are_round() {
        assert_eq!([1, 3, 11, 49, 51].map(round_step), [1, 5, 20, 50, 100]);
        assert!(round_step(u64::MAX) == u64::MAX);
    }
}
