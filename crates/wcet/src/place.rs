//! Places that people name: `search`, `search+0x12`, `0x80000042`.
//!
//! A name that the program does not have is answered with the most similar one.

use crate::program::{Program, Symbol};
use crate::rules;
use fusee_diagnostics::{Diagnostic, Span, closest};

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
    /// What is wrong with a fact about it that stands there: rule F0806.
    pub(crate) fn diagnostic(&self, span: Span) -> Diagnostic {
        let label = self.similar.as_deref().map(|similar| format!("did you mean `{similar}`?")).unwrap_or_default();
        Diagnostic::error(rules::PLACE, self.to_string()).at(span, label)
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

/// The symbol with a name.
///
/// # Errors
/// [`UnknownPlace`] with the most similar name.
pub(crate) fn symbol<'p>(program: &'p Program, name: &str) -> Result<&'p Symbol, UnknownPlace> {
    program.symbol(name).ok_or_else(|| {
        let similar = closest(name, program.symbols().iter().map(|symbol| symbol.name.as_str()));
        UnknownPlace { what: "symbol", text: name.to_owned(), similar: similar.map(str::to_owned) }
    })
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
    let whole = |part: String| text.replacen(name, &part, 1);
    let named = symbol(program, name).map_err(|unknown| UnknownPlace {
        text: text.to_owned(),
        similar: unknown.similar.map(whole),
        ..unknown
    })?;
    match distance {
        Some(distance) => Ok(named.address.wrapping_add(distance)),
        None => Err(UnknownPlace { what: "distance in", text: text.to_owned(), similar: None }),
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
