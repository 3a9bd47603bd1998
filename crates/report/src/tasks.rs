//! A section for each task: its timing, its bound part by part, what was seen.

use crate::markup::Markup;
use crate::text::{anchor, count};
use crate::view::{Bound, Observed, Proof, Task, View};
use crate::{bars, histogram};
use fusee_model::{Duration, TimeColumn};

impl Task {
    /// Returns `true` if its bound is longer than its deadline.
    pub(crate) fn may_be_late(&self) -> bool {
        matches!(
            (&self.bound, self.deadline),
            (Bound::Proven(proof), Some(deadline)) if proof.response > deadline,
        )
    }
}

/// Writes all sections.
pub(crate) fn write(m: &mut Markup, view: &View) {
    m.element("section", &[("id", &"tasks")], |m| {
        m.leaf("h2", &[], "Tasks");
        for task in &view.tasks {
            m.element("article", &[("id", &anchor("task", &task.name))], |m| section(m, task));
        }
    });
}

fn section(m: &mut Markup, task: &Task) {
    m.leaf("h3", &[], &task.name);
    m.leaf("p", &[], timing(task));
    m.element("div", &[("class", &"pair")], |m| {
        m.element("div", &[], |m| promise(m, task));
        if let Some(observed) = &task.observed {
            m.element("div", &[], |m| {
                m.leaf("p", &[], seen(observed));
                histogram::write(m, task);
            });
        }
    });
}

fn promise(m: &mut Markup, task: &Task) {
    match &task.bound {
        Bound::NotAnalysed => {
            m.leaf("p", &[], "It has no period, so nothing is promised about it.")
        }
        Bound::None { reasons } => {
            m.leaf("p", &[("class", &"bad")], "No response bound can be given.");
            m.element("ul", &[], |m| {
                for reason in reasons {
                    m.element("li", &[], |m| m.prose(reason));
                }
            });
        }
        Bound::Proven(proof) => bound(m, task, proof),
    }
    if let Some(repair) = &task.repair {
        m.element("p", &[], |m| m.prose(repair));
    }
}

fn timing(task: &Task) -> String {
    let mut text = format!("Priority {} ({})", task.priority, task.priority_source);
    if let Some(period) = task.period {
        text += &format!(", {}, period {period}", task.arrival);
    }
    if let Some(deadline) = task.deadline {
        text += &format!(", deadline {deadline}");
    }
    if let Some(wcet) = task.wcet {
        text += &format!(", execution time at most {wcet} with everything it invokes");
    }
    text + "."
}

fn bound(m: &mut Markup, task: &Task, proof: &Proof) {
    let rest = task.deadline.map(|deadline| Duration(deadline.ns().abs_diff(proof.response.ns())));
    let shown = proof.parts.iter().map(|part| part.time);
    let times = TimeColumn::of(shown.chain([proof.response]).chain(rest));
    m.element("table", &[("class", &"parts")], |m| {
        m.leaf("caption", &[], format_args!("Response bound of {}", task.name));
        m.element("tbody", &[], |m| {
            for part in proof.parts.iter().filter(|part| part.time.ns() > 0) {
                let text = if part.source.is_empty() {
                    bars::word(part.kind).to_owned()
                } else {
                    format!("{} by {}", bars::word(part.kind), part.source)
                };
                m.element("tr", &[], |m| {
                    m.element("th", &[("scope", &"row")], |m| {
                        m.leaf(
                            "span",
                            &[("class", &format_args!("chip {}", bars::class(part.kind)))],
                            "",
                        );
                        m.text(text);
                        if let Some(place) = &part.place {
                            m.leaf("code", &[("class", &"place")], place);
                        }
                    });
                    m.leaf("td", &[("class", &"number")], times.show(part.time));
                });
            }
        });
        m.element("tfoot", &[], |m| {
            m.element("tr", &[], |m| {
                m.leaf("th", &[("scope", &"row")], "bound");
                m.leaf("td", &[("class", &"number")], times.show(proof.response));
            });
            if let Some(deadline) = task.deadline {
                m.element("tr", &[], |m| slack(m, times, (proof.response, deadline)));
            }
        });
    });
    m.element("p", &[], |m| {
        m.text("Theorem: ");
        m.text(&proof.theorem);
        m.text(".");
    });
    if !proof.notes.is_empty() {
        m.element("ul", &[], |m| {
            for note in &proof.notes {
                m.element("li", &[], |m| m.prose(note));
            }
        });
    }
}

fn slack(m: &mut Markup, times: TimeColumn, (response, deadline): (Duration, Duration)) {
    if response <= deadline {
        m.leaf("th", &[("scope", &"row")], "left until the deadline");
        m.leaf("td", &[("class", &"number")], times.show(Duration(deadline.ns() - response.ns())));
    } else {
        m.leaf("th", &[("scope", &"row"), ("class", &"bad")], "beyond the deadline");
        m.leaf(
            "td",
            &[("class", &"number bad")],
            times.show(Duration(response.ns() - deadline.ns())),
        );
    }
}

fn seen(observed: &Observed) -> String {
    let mut text = jobs(observed);
    let others = [(observed.crashed, "job", "crashed"), (observed.refused, "call", "refused")];
    for (number, what, verb) in others.into_iter().filter(|(number, _, _)| *number > 0) {
        text += &format!(" {} {verb}.", count(number, what));
    }
    if observed.unfinished > 0 {
        text += &format!(" {} not complete at the end.", count(observed.unfinished, "job"));
    }
    text
}

fn jobs(observed: &Observed) -> String {
    if observed.jobs == 0 {
        return format!(
            "In the run no job completed; {} missed.",
            count(observed.misses, "deadline")
        );
    }
    let mean = observed.mean.map_or_else(String::new, |mean| format!(", on average {mean}"));
    format!(
        "In the run: {}, longest response {}{mean}; {} missed; {}; \
         tasks of lower priority ran for at most {} during a job.",
        count(observed.jobs, "job"),
        observed.max,
        count(observed.misses, "deadline"),
        count(observed.preemptions, "preemption"),
        observed.blocking
    )
}
