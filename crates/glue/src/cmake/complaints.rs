//! CMake's error output: errors, warnings, and where statements stand.

use super::rules;
use super::scratch::is_given;
use crate::failure::Failure;
use fusee_diagnostics::Diagnostic;
use std::collections::BTreeMap;
use std::path::Path;

/// Everything that was said.
#[derive(Debug, Default)]
pub(super) struct Complaints {
    pub(super) errors: Failure,
    pub(super) warnings: Vec<Diagnostic>,
    /// The first error, if it is the project's own word: where it is said, and what.
    pub(super) refusal: Option<(String, String)>,
    /// The places of statements, by their number: `CMakeLists.txt:15`.
    pub(super) places: BTreeMap<usize, String>,
}

/// No more errors than these are shown.
const MOST_ERRORS: usize = 10;

/// The beginnings of messages that follow from an error told before.
const CONSEQUENCES: [&str; 4] = [
    "No SOURCES given to target",
    "CMake Generate step failed",
    "Configuring incomplete",
    "Cannot determine link language",
];

/// One message of CMake's.
#[derive(Debug, Default)]
struct Block {
    is_error: bool,
    /// Files with lines, and what is called there: innermost first.
    calls: Vec<(String, String)>,
    text: String,
}

/// Reads what CMake said of a project that it ran in the folder `scratch`.
pub(super) fn read(text: &str, scratch: &Path) -> Complaints {
    let mut complaints = Complaints::default();
    for block in blocks(text) {
        let own = block.calls.iter().position(|(place, _)| !is_given(place, scratch));
        let place = own.map(|at| block.calls[at].0.clone());
        if let Some(number) = statement(&block) {
            complaints.places.extend(place.map(|place| (number, place)));
            continue;
        }
        if CONSEQUENCES.iter().any(|text| block.text.starts_with(text)) {
            continue;
        }
        let first = complaints.errors.is_empty() && complaints.refusal.is_none();
        let by_message = block.calls.first().is_some_and(|(_, command)| command == "message");
        match (place, block.is_error) {
            (Some(place), true) if first && by_message && own == Some(0) => {
                let text = block.text.split_whitespace().collect::<Vec<_>>().join(" ");
                complaints.refusal = Some((place, text));
            }
            (place, true) => complaints.errors.push(shown(&block, place, Diagnostic::error)),
            (place, false) => complaints.warnings.push(shown(&block, place, Diagnostic::note)),
        }
    }
    complaints.errors.dedup();
    complaints.warnings.dedup();
    complaints.errors.truncate(MOST_ERRORS);
    complaints
}

/// The number of the statement that a warning is the place of.
fn statement(block: &Block) -> Option<usize> {
    block.text.trim().strip_prefix("fusee-statement ")?.parse().ok()
}

type Maker = fn(fusee_diagnostics::Code, String) -> Diagnostic;

/// A message with its first paragraph as the sentence, and the others as notes.
fn shown(block: &Block, place: Option<String>, make: Maker) -> Diagnostic {
    let paragraphs: Vec<String> = block
        .text
        .split("\n\n")
        .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|paragraph| !paragraph.is_empty())
        .collect();
    let (first, rest) = paragraphs.split_first().map_or(("", &[][..]), |(a, b)| (a.as_str(), b));
    let first = first.trim_end_matches(['.', ':']);
    let code = if block.is_error { rules::CMAKE_FAILED } else { rules::CMAKE_WARNING };
    let says = if block.is_error { "CMake stops" } else { "CMake warns" };
    let mut diagnostic = make(code, format!("{says}: {first}"));
    diagnostic.notes.extend(rest.iter().cloned());
    if let Some(place) = place {
        diagnostic.notes.push(format!("says {place}"));
    }
    diagnostic
}

/// The messages in a text; all other lines are passed over.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(mut block) = head(line) else { continue };
        let mut stack = false;
        while let Some(next) =
            lines.next_if(|next| head(next).is_none() && !next.starts_with("-- "))
        {
            if next.starts_with("Call Stack") {
                stack = true;
            } else if stack {
                block.calls.extend(call(next.trim()));
                if next.trim().is_empty() {
                    break;
                }
            } else if next.starts_with(' ') || next.is_empty() || block.calls.is_empty() {
                block.text.push('\n');
                block.text.push_str(next.trim());
            } else {
                break;
            }
        }
        block.text = block.text.trim().to_owned();
        unparsed(&mut block);
        blocks.push(block);
    }
    blocks
}

/// The first line of a message, if this is one. What is deprecated in CMake decides nothing here.
fn head(line: &str) -> Option<Block> {
    let (is_error, rest) =
        [("CMake Error", true), ("CMake Warning (dev)", false), ("CMake Warning", false)]
            .iter()
            .find_map(|(start, is_error)| Some((*is_error, line.strip_prefix(start)?)))?;
    let mut block = Block { is_error, ..Block::default() };
    if let Some(place) = rest.strip_prefix(" at ") {
        block.calls.extend(call(place.trim_end_matches(':')));
    } else if let Some(place) = rest.strip_prefix(" in ") {
        block.calls.push((place.trim_end_matches(':').to_owned(), String::new()));
    } else {
        block.text.push_str(rest.strip_prefix(':')?.trim());
    }
    Some(block)
}

/// A call and its place: `CMakeLists.txt:4 (add_library)`.
fn call(text: &str) -> Option<(String, String)> {
    let (place, command) = match text.rsplit_once(" (") {
        Some((place, command)) => (place, command.trim_end_matches(')')),
        None => (text, ""),
    };
    let (_, line) = place.rsplit_once(':')?;
    line.parse::<usize>().ok()?;
    Some((place.to_owned(), command.to_owned()))
}

/// Gives a block its place in the text where the text is no CMake at all.
fn unparsed(block: &mut Block) {
    let Some(rest) = block.text.strip_prefix("Error in cmake code at\n") else { return };
    let Some((place, text)) = rest.split_once('\n') else { return };
    block.calls.extend(call(place.trim_end_matches(':')));
    block.text = text.to_owned();
}
