//! Settings for threads that interfaces have on seL4 and not here.
//!
//! There a provided interface has a thread, with a priority, a core and a scheduling context of its
//! own; here it runs in the threads of its callers. So does what an event calls back, but for its
//! priority. What a setting would change is said, with what is done instead.

use super::codes;
use super::connect::Place;
use super::context::Context;
use super::limit;
use super::report::Report;
use super::settings::Given;
use super::value::Datum;
use crate::tree::InterfaceKind as Kind;
use fusee_diagnostics::{Diagnostic, Severity};
use fusee_model::{Duration, Gate, InterfaceKind, System, Task};

/// Tells of every such setting that would make a difference, and settles those that make none.
pub(super) fn check(context: &Context<'_, '_>, system: &System, report: &mut Report) {
    for (instance, flat) in context.flat.instances.iter().enumerate() {
        if flat.shape.hardware.is_some() || context.objects.components[instance].is_none() {
            continue;
        }
        let mut served = Vec::new();
        for (port, declared) in flat.shape.interfaces.iter().enumerate() {
            let gate = context.objects.gates.get(&Place { instance, port });
            let gate = gate.map(|gate| system.gate(*gate)).filter(|gate| !gate.direct);
            if gate.is_none() && declared.kind != Kind::Consumes {
                continue;
            }
            let name = &declared.name.text;
            let thread = Thread { context, system, instance, prefix: format!("{name}_"), gate };
            thread.check(report);
            served.extend(gate);
        }
        // A setting for all threads of a component concerns its interfaces alone if there is no
        // control thread.
        if let (Some(gate), None) = (served.first(), flat.shape.control) {
            let prefix = String::new();
            Thread { context, system, instance, prefix, gate: Some(gate) }.check(report);
        }
    }
}

/// The thread that an interface has on seL4.
struct Thread<'a, 't> {
    context: &'a Context<'a, 't>,
    system: &'a System,
    instance: usize,
    /// The prefix of its attributes' names.
    prefix: String,
    /// The gate that it would serve; none: it would call back.
    gate: Option<&'a Gate>,
}

impl Thread<'_, '_> {
    fn check(&self, report: &mut Report) {
        self.passive();
        if let (Some(gate), Some(given)) = (self.gate, self.open("priority")) {
            self.priority(gate, given, report);
        }
        if let Some(given) = self.open("affinity") {
            self.affinity(given, report);
        }
        self.limit(report);
    }

    /// Returns a setting of CAmkES's that nothing has settled.
    fn open(&self, suffix: &str) -> Option<&Given> {
        let given = self.context.settings.instance(self.instance);
        let given = given.get(&format!("{}{suffix}", self.prefix))?;
        let camkes = matches!(given.value.datum, Datum::Integer(_));
        (camkes && !given.is_settled()).then_some(given)
    }

    fn title(&self, suffix: &str) -> String {
        format!("{}.{}{suffix}", self.context.flat.instances[self.instance].name, self.prefix)
    }

    fn push(&self, suffix: &str, given: &Given, (what, label): (&str, String)) -> Diagnostic {
        given.settle();
        let message = format!("`{}` is not followed: {what}", self.title(suffix));
        Diagnostic::warning(codes::NOT_FOLLOWED, message).at(given.name_span, label)
    }

    /// Callers pay for what a passive interface does, as here.
    fn passive(&self) {
        let given = self.context.settings.instance(self.instance);
        let Some(given) = given.get(&format!("{}passive", self.prefix)) else { return };
        // CAmkES takes a text for true, `"false"` as well: whoever wrote one is told.
        let is_text = matches!(given.value.datum, Datum::Text(_));
        if is_true(&given.value.datum) && !is_text {
            given.settle();
        }
    }

    fn priority(&self, gate: &Gate, given: &Given, report: &mut Report) {
        let Datum::Integer(own) = given.value.datum else { return };
        let what = "an interface has no thread of its own here";
        let label = format!("on seL4 it runs at {own}, whoever calls");
        let mut diagnostic = self.push("priority", given, (what, label));
        let protocol = gate.protocol.value.name();
        diagnostic = diagnostic.with_note(format!(
            "here it runs in the threads of its callers, at their priorities (`{protocol}`)"
        ));
        let most = self.callers(gate).max_by_key(|task| task.priority.value);
        let below = most.filter(|task| own < i128::from(task.priority.value));
        if let Some(caller) = below {
            diagnostic = diagnostic.with_note(format!(
                "on seL4 `{}`, of priority {}, waits for it: who is between the two delays both",
                caller.name, caller.priority.value
            ));
        }
        let interface = &gate.interface;
        let said = format!("{interface}_priority_protocol");
        let attributes = self.context.attributes(self.instance);
        if attributes.get(&said).is_some() && below.is_none() {
            diagnostic.severity = Severity::Note;
        }
        report.push(diagnostic.with_note(format!(
            "`{said} = \"fixed\"` makes it the ceiling of the gate, at which its code runs"
        )));
    }

    /// Returns the tasks whose components use a gate.
    fn callers(&self, gate: &Gate) -> impl Iterator<Item = &Task> {
        let is_it = |kind: &InterfaceKind| {
            matches!(kind, InterfaceKind::Uses(Some(used))
                if std::ptr::eq(self.system.gate(*used), gate))
        };
        self.system.tasks.iter().filter(move |task| {
            let interfaces = &self.system.component(task.component).interfaces;
            interfaces.iter().any(|interface| is_it(&interface.kind))
        })
    }

    fn affinity(&self, given: &Given, report: &mut Report) {
        let Datum::Integer(core) = given.value.datum else { return };
        if self.system.tasks.iter().all(|task| i128::from(task.core) == core) {
            return given.settle();
        }
        let what = "an interface has no thread of its own here";
        let label = format!("on seL4 it runs on core {core}");
        let diagnostic = self.push("affinity", given, (what, label));
        report.push(diagnostic.with_note("here it runs on the core of who calls"));
    }

    /// A scheduling context that limits what is done in it.
    fn limit(&self, report: &mut Report) {
        let (budget, period) = (self.open("budget"), self.open("period"));
        let passive = self.context.settings.instance(self.instance);
        let passive = passive.get(&format!("{}passive", self.prefix));
        if passive.is_some_and(|given| is_true(&given.value.datum)) {
            return;
        }
        let time = |given: Option<&Given>| given.map_or(Some(limit::DEFAULT), microseconds);
        let (Some(most), Some(every)) = (time(budget), time(period)) else { return };
        let Some((suffix, given)) =
            budget.map(|given| ("budget", given)).or(period.map(|given| ("period", given)))
        else {
            return;
        };
        if most >= every {
            return;
        }
        let what = format!("its limit of {most} in each {every} is not enforced");
        let label = "seL4 would stop the interface's thread".to_owned();
        let mut diagnostic = self.push(suffix, given, (&what, label));
        if let (Some(period), "budget") = (period, suffix) {
            period.settle();
            diagnostic = diagnostic.because(period.name_span, "in each of these");
        }
        let whose = if self.gate.is_some() { "its callers'" } else { "its callbacks' thread's" };
        let note = format!(
            "here the time is {whose}: a `budget` of a task limits its jobs, with \
                            all that they call"
        );
        report.push(diagnostic.with_note(note));
    }
}

fn microseconds(given: &Given) -> Option<Duration> {
    let Datum::Integer(n) = given.value.datum else { return None };
    u64::try_from(n).ok()?.checked_mul(1000).map(Duration)
}

/// Returns `true` if CAmkES takes a value as true.
pub(super) fn is_true(datum: &Datum) -> bool {
    match datum {
        Datum::Boolean(truth) => *truth,
        Datum::Integer(n) => *n != 0,
        Datum::Text(text) => !text.is_empty(),
        _ => false,
    }
}
