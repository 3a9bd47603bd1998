//! Attributes that say different things about one thread.
//!
//! CAmkES has two of most: `priority` is for all threads of a component, and `_priority`,
//! where it is given, for the control thread. That is a refinement as long as there are
//! other threads, those of interfaces, for which the general one still counts. Where there
//! are none, or where one of the two has a unit and so can only be Fusee's, they
//! contradict each other, and neither is taken silently.

use super::codes;
use super::flatten::Flat;
use super::gates::conflict;
use super::read::{Attributes, Zero};
use super::report::Report;
use super::value::Datum;
use fusee_diagnostics::Diagnostic;
use fusee_model::{Origin, Sourced};

/// A quantity that both of a pair state, and the way in which it is read.
enum Quantity {
    Number { most: u32 },
    Time,
}

/// The general attribute and that of the control thread.
const PAIRS: &[(&str, &str, Quantity)] = &[
    ("priority", "_priority", Quantity::Number { most: 255 }),
    ("max_priority", "_max_priority", Quantity::Number { most: 255 }),
    ("affinity", "_affinity", Quantity::Number { most: 63 }),
    ("period", "_period", Quantity::Time),
    ("budget", "_budget", Quantity::Time),
];

/// Reports every pair of a control thread that disagrees.
pub(super) fn refuse(flat: &Flat<'_>, attributes: &Attributes<'_, '_>, report: &mut Report) {
    for (general, own, quantity) in PAIRS {
        // Whatever else is wrong with a value is said where it is used.
        let mut silent = Report::default();
        let looking = attributes.looking();
        let mut read = |name: &str| value(&looking, name, quantity, &mut silent);
        let (Some(all), Some(one)) = (read(general), read(own)) else { continue };
        // They agree, or what follows is about both.
        for name in [general, own] {
            attributes.get(name).inspect(|given| given.settle());
        }
        if all == one {
            continue;
        }
        let (all_text, one_text) = (all.text(), one.text());
        let message = format!("`{general}` is {all_text}, but `{own}` is {one_text}");
        let places = [origin(attributes, general, report), origin(attributes, own, report)];
        let refined = is_camkes(attributes, general) && !flat.shape.interfaces.is_empty();
        if refined {
            let text = format!(
                "the control thread of `{}` has `{own}` {one_text}, not `{general}`",
                flat.name
            );
            report.push(refinement(text, places, report));
        } else {
            let error = conflict(message, places[1], places[0], report);
            report.push(error.with_note(format!(
                "both are about the control thread of `{}`: leave one out",
                flat.name
            )));
        }
    }
}

/// A number, or nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    Number(u32),
    Time(fusee_model::Duration),
}

impl Value {
    fn text(self) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Time(time) => time.to_string(),
        }
    }
}

fn value(
    attributes: &Attributes<'_, '_>,
    name: &str,
    quantity: &Quantity,
    report: &mut Report,
) -> Option<Value> {
    Some(match quantity {
        Quantity::Number { most } => {
            Value::Number(attributes.integer(name, (0, *most), report)?.value)
        }
        Quantity::Time => {
            let Sourced { value, .. } = match &attributes.get(name)?.value.datum {
                Datum::Integer(_) => attributes.duration_or_microseconds(name, report)?,
                _ => attributes.duration(name, Zero::Refused, report)?,
            };
            Value::Time(value)
        }
    })
}

fn origin(attributes: &Attributes<'_, '_>, name: &str, report: &mut Report) -> Origin {
    attributes.get(name).map_or(Origin::NONE, |given| report.origin(given.value.span))
}

/// Returns `true` if the value is one that CAmkES reads: a number without a unit.
fn is_camkes(attributes: &Attributes<'_, '_>, name: &str) -> bool {
    attributes.get(name).is_some_and(|given| matches!(given.value.datum, Datum::Integer(_)))
}

fn refinement(message: String, [all, one]: [Origin; 2], report: &Report) -> Diagnostic {
    let mut note = Diagnostic::note(codes::CONFLICTING_ATTRIBUTES, message);
    if let Some(span) = report.origins.span(one) {
        note = note.at(span, "for the control thread");
    }
    if let Some(span) = report.origins.span(all) {
        note = note.because(span, "for the threads that its interfaces have on seL4");
    }
    note
}
