//! Places that people name: `search`, `search+0x12`, `0x80000042`.
//!
//! A name that the program does not have is answered with the most similar one.

use crate::program::Program;
use fusee_diagnostics::closest;

/// A text that names no place of the program's code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{text}`")]
pub struct UnknownPlace {
    /// `symbol`, or `code at`.
    what: &'static str,
    /// What was written.
    text: String,
    /// What was probably meant, where something is similar.
    pub similar: Option<String>,
}

impl UnknownPlace {
    /// A name that no symbol has.
    pub(crate) fn symbol(text: &str, similar: Option<String>) -> Self {
        Self { what: "symbol", text: text.to_owned(), similar }
    }
}

/// The address in executable memory that a text names.
///
/// # Errors
/// [`UnknownPlace`] for names that are no symbol and addresses without code.
pub fn find(program: &Program, text: &str) -> Result<u64, UnknownPlace> {
    let address = address(program, text)?;
    if program.is_code(address) {
        return Ok(address);
    }
    Err(UnknownPlace { what: "code at", text: text.to_owned(), similar: None })
}

fn address(program: &Program, text: &str) -> Result<u64, UnknownPlace> {
    if let Some(symbol) = program.symbol(text) {
        return Ok(symbol.address);
    }
    if let Some(address) = number(text).filter(|_| text.starts_with("0x")) {
        return Ok(address);
    }
    let (name, distance) = match text.rsplit_once('+') {
        Some((name, distance)) => (name.trim(), number(distance.trim())),
        None => (text, Some(0)),
    };
    match (program.symbol(name), distance) {
        (Some(symbol), Some(distance)) => Ok(symbol.address.wrapping_add(distance)),
        (Some(_), None) => Err(UnknownPlace { what: "distance in", text: text.to_owned(), similar: None }),
        (None, _) => {
            let names = program.symbols().iter().filter(|s| s.code).map(|s| s.name.as_str());
            let similar = closest(name, names).map(|close| text.replacen(name, close, 1));
            Err(UnknownPlace { what: "symbol", text: text.to_owned(), similar })
        }
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
