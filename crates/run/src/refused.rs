//! Calls that were answered with an error.
//!
//! The kernel records none: an answer is given to the caller, and to record it would
//! cost time on a path that has a bound. So the caller's own stubs count, on the way on
//! which a call has failed anyhow, in a few words of each stack's thread-local data:
//! how many, the last one's error, and where it was made. They are read out of the
//! memory that the machine leaves behind. A component that makes calls without stubs
//! counts nothing, and one that is restarted forgets; its fault is a finding itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fusee_diagnostics::Diagnostic;
use object::{Object, ObjectSymbol};

use crate::areas::Owner;
use crate::symbols::Symbols;
use crate::{Image, Manifest, Ram, RunError, rules};

/// The counter's name in a domain's program.
const COUNTER: &str = "fusee_refusals";

/// An error of the runtime's own: a message does not fit, or memory is short.
const BAD_MESSAGE: u32 = 128;

/// The error of unlocking a mutex that is not what the caller has locked last.
pub(crate) const NOT_LOCKED_LAST: u32 = 17;

/// Calls that were made on one stack and answered with an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    /// The component that called.
    pub component: u32,
    /// The thread on whose own stack it was.
    pub thread: Option<u16>,
    /// The gate on whose stack it was.
    pub gate: Option<u16>,
    /// How many calls.
    pub calls: u32,
    /// The last one's error.
    pub error: u32,
    /// The instruction behind it; 0: unknown.
    pub place: u64,
}

/// Reads all counters.
///
/// # Errors
/// The memory can't be read.
pub(crate) fn read(image: &Image, ram: &Ram) -> Result<Vec<Refused>, RunError> {
    let mut counters: BTreeMap<u32, Option<u64>> = BTreeMap::new();
    let mut all = Vec::new();
    for area in &image.areas {
        let component = image.manifest.components.get(area.component as usize);
        let Some(domain) = component.map(|component| component.domain) else { continue };
        let of_domain = || counter(&image.program(domain)?);
        let Some(offset) = *counters.entry(domain).or_insert_with(of_domain) else { continue };
        let bytes = ram.read(area.end + offset, 16)?;
        let word = |at: usize| {
            bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
        };
        let place = u64::from(word(8))
            | if image.platform().word_bytes() == 8 { u64::from(word(12)) << 32 } else { 0 };
        if word(0) > 0 {
            let (thread, gate) = match area.owner {
                Owner::Thread(thread) => (Some(thread), None),
                Owner::Gate(gate) => (None, Some(gate)),
            };
            all.push(Refused {
                component: area.component,
                thread,
                gate,
                calls: word(0),
                error: word(4),
                place,
            });
        }
    }
    Ok(all)
}

/// Where a program has its counter in each stack's thread-local data; none: nothing in it counts.
fn counter(program: &Path) -> Option<u64> {
    let bytes = fs::read(program).ok()?;
    let file = object::File::parse(bytes.as_slice()).ok()?;
    file.symbols().find(|symbol| symbol.name() == Ok(COUNTER)).map(|symbol| symbol.address())
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
    let calls =
        if refused.calls == 1 { "1 call".to_owned() } else { format!("{} calls", refused.calls) };
    let was = if refused.calls == 1 { "was" } else { "were" };
    let text = format!("{calls} of `{component}` {was} answered with an error");
    let why = format!("the last one: {} (error {})", why(refused.error), refused.error);
    let message = Diagnostic::warning(rules::CALL_REFUSED.code, text).with_note(why);
    let message = match (refused.thread, refused.gate) {
        (Some(thread), _) => {
            message.with_note(format!("in a job of `{}`", manifest.thread(thread)))
        }
        (None, Some(gate)) => {
            message.with_note(format!("in `{}`", manifest.method(gate, u64::MAX)))
        }
        (None, None) => message,
    };
    let place = symbols.place(refused.place.saturating_sub(1)).to_string();
    if refused.place == 0 || place.is_empty() {
        message
    } else {
        message.with_note(format!("called in {place}"))
    }
}

/// What an error means, from the numbers of the binary interface.
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
