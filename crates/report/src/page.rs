//! The page as a whole: head, verdict, sections in reading order.

use crate::markup::{Attributes, DASH, Markup};
use crate::text::{anchor, list};
use crate::view::{Bound, Observed, PartKind, Task, View};
use crate::{bars, chains, gates, graph, growth, messages, provenance, tasks, timeline};
use fusee_model::{Duration, TimeColumn};

const STYLE: &str = include_str!("style.css");

/// Returns the page as one HTML document.
pub(crate) fn write(view: &View) -> String {
    document(&format!("{}: response times", view.system), |m| {
        head(m, view);
        m.element("main", &[], |m| {
            responses(m, view);
            chains::write(m, view);
            timeline::write(m, view);
            messages::write(m, view);
            graph::write(m, view);
            gates::write(m, view);
            tasks::write(m, view);
            growth::write(m, view);
            basis(m, view);
            provenance::write(m, &view.provenance);
        });
    })
}

/// Returns an HTML document with what all pages have in common around its body.
pub(crate) fn document(title: &str, body: impl FnOnce(&mut Markup)) -> String {
    let mut m = Markup::default();
    m.element("html", &[("lang", &"en")], |m| {
        m.element("head", &[], |m| {
            m.empty("meta", &[("charset", &"utf-8")]);
            m.empty(
                "meta",
                &[("name", &"viewport"), ("content", &"width=device-width, initial-scale=1")],
            );
            m.empty("meta", &[("name", &"color-scheme"), ("content", &"light dark")]);
            m.leaf("title", &[], title);
            m.style(STYLE);
        });
        m.element("body", &[], |m| {
            let hidden: Attributes<'_> =
                &[("width", &0), ("height", &0), ("aria-hidden", &"true"), ("class", &"defs")];
            m.element("svg", hidden, |m| m.element("defs", &[], hatch));
            body(m);
        });
    });
    format!("<!DOCTYPE html>\n{}", m.finish())
}

/// The hatching of waits and of missing bounds; all drawings refer to it.
fn hatch(m: &mut Markup) {
    let pattern: Attributes<'_> = &[
        ("id", &"hatch"),
        ("width", &6),
        ("height", &6),
        ("patternUnits", &"userSpaceOnUse"),
        ("patternTransform", &"rotate(45)"),
    ];
    m.element("pattern", pattern, |m| {
        m.empty("line", &[("class", &"hatch"), ("x1", &0), ("y1", &0), ("x2", &0), ("y2", &6)]);
    });
}

/// The state of the system, for the color and the words of the verdict.
struct Verdict {
    class: &'static str,
    sentences: Vec<String>,
}

impl Verdict {
    fn of(view: &View) -> Verdict {
        let timed: Vec<&Task> =
            view.tasks.iter().filter(|t| !matches!(t.bound, Bound::NotAnalysed)).collect();
        let names =
            |tasks: &[&Task]| list(&tasks.iter().map(|t| t.name.as_str()).collect::<Vec<_>>());
        let pick = |test: fn(&Task) -> bool| -> Vec<&Task> {
            timed.iter().copied().filter(|t| test(t)).collect()
        };
        let unbounded = pick(|t| matches!(t.bound, Bound::None { .. }));
        let late = pick(Task::may_be_late);
        let mut sentences: Vec<String> =
            view.verdict.iter().map(|(line, _)| line.clone()).collect();
        let seen = sentences.len();
        if !unbounded.is_empty() {
            sentences.push(format!("No response bound for {}", names(&unbounded)));
        }
        if !late.is_empty() {
            sentences.push(format!("Not guaranteed to meet the deadline: {}", names(&late)));
        }
        let open = view.chains.iter().filter(|chain| chain.is_limited() && !chain.is_guaranteed());
        let open: Vec<String> = open.map(|chain| format!("`{}`", chain.name)).collect();
        if !open.is_empty() {
            sentences
                .push(format!("Not guaranteed to be in time from end to end: {}", list(&open)));
        }
        if sentences.len() > seen {
            return Verdict { class: "bad", sentences };
        }
        let went_wrong = matches!(view.verdict, Some((_, false)));
        sentences.push(promised(timed.len(), went_wrong));
        let class = match view.verdict {
            Some((_, false)) => "bad",
            _ if timed.is_empty() => "unknown",
            _ => "good",
        };
        Verdict { class, sentences }
    }
}

/// Returns the sentence about the analysis' guarantees for so many deadlines. Where a run went
/// wrong that is no comfort, and must not sound like one.
fn promised(deadlines: usize, went_wrong: bool) -> String {
    let against = "but what went wrong in the run stands against it";
    match (deadlines, went_wrong) {
        (0, _) => "No task has a deadline: nothing is promised".into(),
        (1, true) => format!("The analysis guarantees the only deadline, {against}"),
        (1, false) => "The deadline of the only task is guaranteed".into(),
        (all, true) => format!("The analysis guarantees all {all} deadlines, {against}"),
        (all, false) => format!("All {all} deadlines are guaranteed"),
    }
}

fn head(m: &mut Markup, view: &View) {
    let verdict = Verdict::of(view);
    m.element("header", &[], |m| {
        m.element("div", &[("class", &format_args!("verdict {}", verdict.class))], |m| {
            for sentence in &verdict.sentences {
                m.element("p", &[], |m| m.prose(&format!("{sentence}.")));
            }
        });
        m.leaf("h1", &[], &view.system);
        m.element("dl", &[("class", &"facts")], |m| {
            for (name, value) in &view.facts {
                m.element("div", &[], |m| {
                    m.leaf("dt", &[], name);
                    m.leaf("dd", &[], value);
                });
            }
        });
        if let Some(run) = &view.run {
            m.leaf("p", &[("class", &"hint")], run);
        }
    });
}

/// The table of all tasks with their bars.
fn responses(m: &mut Markup, view: &View) {
    m.element("section", &[("id", &"responses")], |m| {
        m.leaf("h2", &[], "Response times");
        m.leaf(
            "p",
            &[("class", &"hint")],
            "Each bar shows the parts of a bound on a scale of its own: the deadline is always at \
             the same place.",
        );
        let between_cores = view.gates.iter().any(|gate| gate.protocol.is_global());
        bars::legend(m, |kind| match kind {
            PartKind::OtherCores => between_cores,
            kind @ (PartKind::Withheld | PartKind::Events) => {
                view.tasks.iter().any(|task| has_part(task, kind))
            }
            _ => true,
        });
        let attributes: Attributes<'_> = &[
            ("class", &"scroll"),
            ("tabindex", &"0"),
            ("role", &"group"),
            ("aria-label", &"response times"),
        ];
        m.element("div", attributes, |m| {
            m.element("table", &[("class", &"responses")], |m| {
                m.element("thead", &[], |m| {
                    m.element("tr", &[], |m| {
                        for (class, title) in columns(view) {
                            m.leaf("th", &[("scope", &"col"), ("class", &class)], title);
                        }
                    });
                });
                m.element("tbody", &[], |m| {
                    let times = Times::of(view);
                    for task in &view.tasks {
                        row(m, &times, task);
                    }
                });
            });
        });
    });
}

/// Titles with their classes; what was observed has columns only if anything was.
fn columns(view: &View) -> impl Iterator<Item = (&'static str, &'static str)> {
    let promised =
        [("", "task"), ("number", "priority"), ("number", "deadline"), ("number", "bound")];
    let seen =
        view.run.as_ref().map(|_| [("number", "observed"), ("number", "misses"), ("", "verdict")]);
    promised.into_iter().chain(seen.into_iter().flatten()).chain([("", "of the deadline")])
}

/// The units of the times of each column: one for each, so that a look compares the times.
struct Times {
    deadline: TimeColumn,
    bound: TimeColumn,
    /// `None`: nothing was observed.
    longest: Option<TimeColumn>,
}

impl Times {
    fn of(view: &View) -> Self {
        let column = |time: &dyn Fn(&Task) -> Option<Duration>| {
            TimeColumn::of(view.tasks.iter().filter_map(time))
        };
        Self {
            deadline: column(&|task| task.deadline),
            bound: column(&|task| match &task.bound {
                Bound::Proven(proof) => Some(proof.response),
                _ => None,
            }),
            longest: view.run.as_ref().map(|_| column(&|task| longest(task.observed.as_ref()))),
        }
    }
}

/// Returns the longest response that is known of.
fn longest(observed: Option<&Observed>) -> Option<Duration> {
    observed.filter(|seen| seen.jobs + seen.unfinished > 0).map(|seen| seen.max)
}

fn row(m: &mut Markup, times: &Times, task: &Task) {
    let late = if task.may_be_late() { "number bad" } else { "number" };
    let (class, bound) = match &task.bound {
        Bound::Proven(proof) => (late, times.bound.show(proof.response)),
        Bound::None { .. } => ("number bad", "none".into()),
        Bound::NotAnalysed => ("number", DASH.into()),
    };
    m.element("tr", &[], |m| {
        m.element("th", &[("scope", &"row")], |m| {
            m.leaf("a", &[("href", &format_args!("#{}", anchor("task", &task.name)))], &task.name);
        });
        let deadline =
            task.deadline.map_or_else(|| DASH.into(), |deadline| times.deadline.show(deadline));
        m.leaf("td", &[("class", &"number"), ("data-label", &"priority")], task.priority);
        m.leaf("td", &[("class", &"number"), ("data-label", &"deadline")], deadline);
        m.leaf("td", &[("class", &class), ("data-label", &"bound")], bound);
        if let Some(column) = times.longest {
            observed(m, column, task.observed.as_ref());
        }
        m.element("td", &[], |m| bars::write(m, task));
    });
}

fn observed(m: &mut Markup, column: TimeColumn, observed: Option<&Observed>) {
    let longest = longest(observed).map_or_else(|| DASH.into(), |longest| column.show(longest));
    m.leaf("td", &[("class", &"number"), ("data-label", &"observed")], longest);
    let class = if observed.is_some_and(|o| o.misses > 0) { "number bad" } else { "number" };
    let misses = observed.map_or_else(|| DASH.into(), |o| o.misses.to_string());
    m.leaf("td", &[("class", &class), ("data-label", &"misses")], misses);
    let (word, is_bad) = observed.map_or((DASH, false), |o| (o.word.0.as_str(), o.word.1));
    m.leaf("td", &[("class", &if is_bad { "bad" } else { "" })], word);
}

fn basis(m: &mut Markup, view: &View) {
    m.element("section", &[("id", &"basis")], |m| {
        m.leaf("h2", &[], "What the bounds rest on");
        m.element("ul", &[], |m| {
            for assumption in &view.assumptions {
                m.element("li", &[], |m| m.prose(assumption));
            }
        });
    });
}

/// Returns `true` if a task's bound has a part of a kind.
fn has_part(task: &Task, kind: PartKind) -> bool {
    let Bound::Proven(proof) = &task.bound else { return false };
    proof.parts.iter().any(|part| part.kind == kind && part.time.ns() > 0)
}
