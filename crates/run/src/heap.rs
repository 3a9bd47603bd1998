//! Requests for memory for which a component's heap had no room.
//!
//! `malloc` returns a null pointer then, and a program that does not look goes on to
//! a fault somewhere else. So `malloc` counts such requests in each stack's
//! thread-local data, where they are read when the machine has ended. A component that
//! is restarted forgets them.

use std::collections::BTreeMap;

use fusee_diagnostics::Diagnostic;

use crate::counters::{Counters, number};
use crate::{Ram, RunError, rules};

/// The counter's name in a domain's program.
const COUNTER: &str = "fusee_heap_denied";

/// The names of the heap's first byte and of the first behind it.
const ENDS: [&str; 2] = ["__heap_start", "__heap_end"];

/// Returns a message for each component whose heap had no room for what it asked for.
///
/// # Errors
/// The memory can't be read.
pub(crate) fn diagnostics(counters: &Counters<'_>, ram: &Ram) -> Result<Vec<Diagnostic>, RunError> {
    let mut denied: BTreeMap<u32, u64> = BTreeMap::new();
    for (area, counter) in counters.of_stacks(COUNTER) {
        *denied.entry(area.component).or_default() += number(&ram.read(counter, 4)?);
    }
    let denied = denied.into_iter().filter(|&(_, requests)| requests > 0);
    Ok(denied.map(|(component, requests)| message(counters, component, requests)).collect())
}

fn message(counters: &Counters<'_>, component: u32, requests: u64) -> Diagnostic {
    let name = counters.image.manifest.component(component as u16);
    let bytes = match ENDS.map(|end| counters.symbol(component, end)) {
        [Some(start), Some(end)] => end.saturating_sub(start),
        _ => 0,
    };
    let many = if requests == 1 { "a request" } else { &format!("{requests} requests") };
    let text = format!("the heap of `{name}` had no room for {many} for memory");
    // A block takes up to twice what is asked for, so little more than now would be too little.
    let larger = (2 * bytes).max(16 * 1024).next_multiple_of(4096);
    Diagnostic::warning(rules::HEAP_EXHAUSTED.code, text)
        .with_note(format!(
            "it has {bytes} bytes; a block takes a power of two and 16 bytes more, and what is \
             freed serves requests of its own size again"
        ))
        .with_note(format!("a larger one: `{name}.heap_size = {larger};` in the configuration"))
}
