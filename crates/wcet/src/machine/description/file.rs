//! Descriptions from TOML files.

use std::ops::Range;

use fusee_diagnostics::{Diagnostic, FileId, SourceMap, Span};

use super::{CacheDescription, Description};
use crate::rules;

/// No time of a machine is above this many cycles.
const LONGEST: u32 = 1_000_000;

/// Reads the text of a file that `sources` knows.
///
/// # Errors
/// What is wrong with it: rule F0808.
pub fn read(sources: &SourceMap, file: FileId) -> Result<Description, Diagnostic> {
    let text = &sources.file(file).text;
    let wrong = |range: Range<usize>, message: String| {
        let span = Span { file, start: range.start as u32, end: range.end as u32 };
        Diagnostic::error(rules::MACHINE, message).at(span, "")
    };
    let description: Description = toml::from_str(text).map_err(|error| {
        wrong(error.span().unwrap_or(0..0), error.message().replace('\n', "; ").clone())
    })?;
    match misfit(&description) {
        // A number that does not fit another one stands at no one place of the text.
        Some(message) => Err(wrong(0..0, message)),
        None => Ok(description),
    }
}

/// Returns the first number that does not fit.
fn misfit(description: &Description) -> Option<String> {
    let caches =
        [("instruction", &description.instruction_cache), ("data", &description.data_cache)];
    for (name, cache) in caches {
        if let Some(cache) = cache.as_ref().filter(|cache| cache.shape().is_none()) {
            let CacheDescription { size, line, ways, .. } = cache;
            return Some(format!(
                "the {name} cache has {size} bytes, which are no sets of {ways} lines of {line} \
                 bytes"
            ));
        }
    }
    // The cycles of one instruction are added up in 32 bits, which a few such times must not fill.
    let (name, time) = times(description).into_iter().find(|&(_, time)| time > LONGEST)?;
    Some(format!("`{name}` is {time}, above {LONGEST}"))
}

fn times(description: &Description) -> Vec<(&'static str, u32)> {
    let (issue, result) = (&description.issue, &description.result);
    let (control, memory) = (&description.control, &description.memory);
    let flush = description
        .instruction_cache
        .as_ref()
        .and_then(|cache| cache.flush)
        .map_or(0, |flush| flush.cycles);
    vec![
        ("issue.default", issue.default),
        ("issue.multiply", issue.multiply),
        ("issue.divide", issue.divide),
        // A time that is not given is no time that is too long: such
        // instructions are refused elsewhere.
        ("issue.float", issue.float.unwrap_or(0)),
        ("issue.float_divide", issue.float_divide.unwrap_or(0)),
        ("issue.atomic", issue.atomic),
        ("issue.status", issue.status),
        ("issue.fence", issue.fence),
        ("issue.fence_i", issue.fence_i),
        ("issue.system", issue.system),
        ("result.arithmetic", result.arithmetic),
        ("result.shift", result.shift),
        ("result.multiply", result.multiply),
        ("result.divide", result.divide),
        ("result.load", result.load),
        ("result.atomic", result.atomic),
        ("result.status", result.status),
        ("result.load_after_store", result.load_after_store),
        ("result.store_distance", result.store_distance),
        ("control.not_taken", control.not_taken),
        ("control.taken", control.taken),
        ("control.mispredicted", control.mispredicted),
        ("control.jump", control.jump),
        ("control.indirect", control.indirect),
        ("control.wrong_way", control.wrong_way),
        ("control.wrong_way_wait", control.wrong_way_wait),
        ("flush.cycles", flush),
        ("memory.line", memory.line),
        ("memory.read", memory.read),
        ("memory.write", memory.write),
        ("memory.write_start", memory.write_start),
        ("memory.pending_writes", memory.pending_writes),
    ]
}
