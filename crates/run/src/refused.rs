//! Calls that were answered with an error.
//!
//! The kernel records none: an answer is given to the caller, and to record it would
//! cost time on a path that has a bound. So the caller's own stubs count, on the way on
//! which a call has failed anyhow, in a few words of each stack's thread-local data:
//! how many, and of each of the last ones the error and where it was made. They are
//! read out of the memory that the machine leaves behind. A component that makes calls
//! without stubs counts nothing, and one that is restarted forgets; its fault is a
//! finding itself.

use fusee_diagnostics::Diagnostic;

use crate::areas::Owner;
use crate::counters::{Counters, number};
use crate::symbols::Symbols;
use crate::{Manifest, Ram, RunError, rules};

/// The counter's name in a domain's program.
const COUNTER: &str = "fusee_refusals";

/// The number of calls that a stack remembers, as `fusee/refusals.h` has it.
const REMEMBERED: u32 = 8;

/// Bytes of the count, and of what is remembered of each call.
const STEP: u64 = 16;

/// An error of the runtime's own: a message does not fit, or memory is short.
const BAD_MESSAGE: u32 = 128;

/// The error of unlocking a mutex that is not what the caller has locked last.
pub(crate) const NOT_LOCKED_LAST: u32 = 17;

/// Calls that were made on one stack and answered with an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The component that called.
    pub component: u32,
    /// The thread on whose own stack it was.
    pub thread: Option<u16>,
    /// The gate on whose stack it was.
    pub gate: Option<u16>,
    /// The number of calls.
    pub calls: u32,
    /// The last of them, those alike together: all if there are no more than a stack remembers.
    pub last: Vec<Refusal>,
}

/// Calls that were made at one place and answered with the same error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// The error's number in the binary interface.
    pub error: u32,
    /// The instruction behind the call; 0: unknown.
    pub place: u64,
    /// The number of calls.
    pub calls: u32,
}

impl Refused {
    /// Returns the number of calls that are not among the last ones that the stack remembers.
    pub(crate) fn forgotten(&self) -> u32 {
        self.calls - self.last.iter().map(|one| one.calls).sum::<u32>()
    }
}

/// Reads all counters.
///
/// # Errors
/// The memory can't be read.
pub(crate) fn read(counters: &Counters<'_>, ram: &Ram) -> Result<Vec<Refused>, RunError> {
    let mut all = Vec::new();
    for (area, counter) in counters.of_stacks(COUNTER) {
        let calls = number(&ram.read(counter, 4)?) as u32;
        if calls > 0 {
            let (thread, gate) = match area.owner {
                Owner::Thread(thread) => (Some(thread), None),
                Owner::Gate(gate) => (None, Some(gate)),
            };
            let word = counters.image.platform().word_bytes();
            let last = last(ram, (counter, word), calls)?;
            all.push(Refused { component: area.component, thread, gate, calls, last });
        }
    }
    Ok(all)
}

/// The calls that the counter at an address remembers, the oldest first, those alike together.
fn last(ram: &Ram, (counter, word): (u64, u64), calls: u32) -> Result<Vec<Refusal>, RunError> {
    let mut last: Vec<Refusal> = Vec::new();
    for call in calls.saturating_sub(REMEMBERED)..calls {
        let at = counter + STEP + STEP * u64::from(call % REMEMBERED);
        let (error, place) = (number(&ram.read(at, 4)?) as u32, number(&ram.read(at + 8, word)?));
        match last.iter_mut().find(|one| (one.error, one.place) == (error, place)) {
            Some(alike) => alike.calls += 1,
            None => last.push(Refusal { error, place, calls: 1 }),
        }
    }
    Ok(last)
}

/// A message for each stack on which calls were refused.
pub(crate) fn diagnostics(
    refused: &[Refused],
    manifest: &Manifest,
    symbols: &Symbols,
) -> Vec<Diagnostic> {
    refused.iter().map(|refused| message(refused, manifest, symbols)).collect()
}

fn message(refused: &Refused, manifest: &Manifest, symbols: &Symbols) -> Diagnostic {
    let component = manifest.component(refused.component as u16);
    let was = if refused.calls == 1 { "was" } else { "were" };
    let text = format!("{} of `{component}` {was} answered with an error", calls(refused.calls));
    let message = Diagnostic::warning(rules::CALL_REFUSED.code, text);
    let message = match (refused.thread, refused.gate) {
        (Some(thread), _) => {
            message.with_note(format!("in a job of `{}`", manifest.thread(thread)))
        }
        (None, Some(gate)) => {
            message.with_note(format!("in `{}`", manifest.method(gate, u64::MAX)))
        }
        (None, None) => message,
    };
    let told = refused.last.iter().map(|one| of_place(one, refused, symbols));
    let message = told.fold(message, Diagnostic::with_note);
    match refused.forgotten() {
        0 => message,
        more => message.with_note(format!("{} before that are not remembered", calls(more))),
    }
}

/// Describes the refusal of calls at a place: the error, the place, and the number of calls if
/// others were refused as well.
fn of_place(one: &Refusal, of: &Refused, symbols: &Symbols) -> String {
    let many =
        if one.calls == of.calls { String::new() } else { format!("{}, ", calls(one.calls)) };
    let place = symbols.place(one.place.saturating_sub(1)).to_string();
    let site = if one.place == 0 || place.is_empty() {
        String::new()
    } else {
        format!(", called in {place}")
    };
    format!("{many}error {}{site}: {}", one.error, why(one.error))
}

/// Returns a number of calls in words.
fn calls(number: u32) -> String {
    if number == 1 { "1 call".to_owned() } else { format!("{number} calls") }
}

/// Returns the meaning of an error, from the numbers of the binary interface.
fn why(error: u32) -> &'static str {
    match error {
        2 => "the component has no such capability",
        4 => "invocations are nested too deeply, or the chain of holders is too long",
        5 => "the caller is inside of this gate already",
        6 => "who holds the gate waits for the caller",
        7 => "the component behind the gate is dead",
        8 => "all stacks of the gate are in use",
        11 => "the count is at its limit",
        12 => "the event releases jobs, and nobody can wait for it",
        16 => "a mutex is still locked",
        NOT_LOCKED_LAST => "the mutex is not what the caller has locked last, and stays locked",
        18 => "it is not allowed within a gate or a mutex between cores",
        20 => "it has signalled another core as often as the description says",
        65 => "the component that was called has faulted",
        66 => "the component that was called died or was restarted",
        BAD_MESSAGE => "the message does not fit or is mutilated",
        _ => "the kernel refused it",
    }
}
