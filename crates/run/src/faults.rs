//! The faults of components, in words.

use fusee_diagnostics::Diagnostic;
use fusee_image_format::abi::OUT_OF_TIME;

use crate::locked::{self, Known};
use crate::records::Fault;
use crate::symbols::Symbols;
use crate::{Manifest, rules};

/// Faults at more places than these are counted and not told one by one.
const MOST: usize = 20;

/// Returns a message for the first fault of each place, with the number of those that are like it.
pub(crate) fn diagnostics(faults: &[Fault], known: Known<'_>) -> Vec<Diagnostic> {
    let mut places: Vec<Vec<&Fault>> = Vec::new();
    for fault in faults {
        match places.iter_mut().find(|place| is_alike(place[0], fault)) {
            Some(place) => place.push(fault),
            None => places.push(vec![fault]),
        }
    }
    let told = places.iter().take(MOST);
    let mut messages: Vec<_> = told
        .map(|place| {
            let first = message(place[0], known);
            repeated(place).into_iter().fold(first, Diagnostic::with_note)
        })
        .collect();
    let more: usize = places.iter().skip(MOST).map(Vec::len).sum();
    if more > 0 {
        let text = format!("{more} more faults are not shown");
        messages.push(Diagnostic::warning(rules::COMPONENT_FAULT.code, text));
    }
    messages
}

/// Returns `true` if two faults have one cause at one instruction, in jobs or calls of the same.
fn is_alike(one: &Fault, other: &Fault) -> bool {
    let of =
        |fault: &Fault| (fault.component, fault.thread, fault.gate, fault.cause, fault.instruction);
    of(one) == of(other)
}

/// Returns the number of the faults that came behind the first, and when the last one was.
fn repeated(faults: &[&Fault]) -> Option<String> {
    let (last, before) = faults[1..].split_last()?;
    let when = crate::time(last.time);
    Some(match before.len() + 1 {
        1 => format!("once more at {when}"),
        more => format!("{more} more like it, the last one at {when}"),
    })
}

fn message(fault: &Fault, known: Known<'_>) -> Diagnostic {
    let Known { manifest, symbols, .. } = known;
    let component = manifest.component(fault.component);
    if fault.cause == OUT_OF_TIME {
        return out_of_time(component, fault, symbols);
    }
    let place = symbols.place(fault.instruction).to_string();
    let is_locked = locked::is_end(fault, &place);
    let deed = if is_locked { ended_locked(fault) } else { deed(fault) };
    let text = format!("`{component}` {deed} at {}", crate::time(fault.time));
    let note = format!("instruction at {}", site(fault, &place));
    let way = match fault.gate {
        Some((gate, method)) => {
            format!("in `{}`, invoked by `{}`", manifest.method(gate, method), of(fault, manifest))
        }
        None => format!("in a job of `{}`", of(fault, manifest)),
    };
    let message =
        Diagnostic::warning(rules::COMPONENT_FAULT.code, text).with_note(note).with_note(way);
    let more = if is_locked { locked::explained(fault, known) } else { Vec::new() };
    more.into_iter().fold(message, Diagnostic::with_note)
}

fn ended_locked(fault: &Fault) -> String {
    let what = if fault.gate.is_some() { "a call" } else { "its job" };
    format!("ended {what} with a mutex still locked")
}

/// Returns where an instruction is, with its place in the source if that is known.
fn site(fault: &Fault, place: &str) -> String {
    let of_place = if place.is_empty() { String::new() } else { format!(" in {place}") };
    format!("{:#010x}{of_place}", fault.instruction)
}

/// It was still setting itself up when it had used up its time for that.
fn out_of_time(component: &str, fault: &Fault, symbols: &Symbols) -> Diagnostic {
    let when = crate::time(fault.time);
    let text =
        format!("`{component}` took longer to set itself up than it may, and faulted {when}");
    let place = symbols.place(fault.instruction).to_string();
    Diagnostic::warning(rules::START_EXCEEDED.code, text)
        .with_note(format!("it was at {}", site(fault, &place)))
        .with_note(format!("give it more: `{component}.startup = \"10 ms\";` in the configuration"))
}

fn of<'m>(fault: &Fault, manifest: &'m Manifest) -> &'m str {
    manifest.thread(fault.thread)
}

/// Returns the action of the component, from RISC-V's numbers of causes.
fn deed(fault: &Fault) -> String {
    let address = fault.address;
    match fault.cause {
        0 => format!("jumped to the misaligned address {address:#x}"),
        1 | 12 => format!("tried to execute at {address:#x}, which is not its code"),
        2 => "executed an instruction that it must not".to_owned(),
        3 => "hit a breakpoint".to_owned(),
        4 | 6 => format!("accessed the misaligned address {address:#x}"),
        5 | 13 => format!("read from {address:#x}, which is not its memory"),
        7 | 15 => format!("wrote to {address:#x}, which is not its memory"),
        cause => format!("trapped with cause {cause} and address {address:#x}"),
    }
}
