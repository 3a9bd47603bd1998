//! Places that people name: `search`, `search+0x12`, `0x80000042`.
//!
//! A linker name may be written as it is read: `list::List::remove`.
//!
//! A name that the program does not have is answered with the most similar one.

use crate::names::{readable, with_names};
use crate::program::{Program, Symbol};
use crate::rules;
use fusee_diagnostics::{Diagnostic, Span, closest};

/// A text that names no place of the program's code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} `{text}`", .what.begins())]
pub struct UnknownPlace {
    what: What,
    /// The text that was written.
    text: String,
    /// The name that was probably meant, where one is similar.
    pub similar: Option<String>,
}

/// The mistake in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// No symbol has this name.
    NoSymbol,
    /// More than one has.
    ManySymbols,
    /// The text behind the `+` is no number.
    NoDistance,
    /// There is data, or nothing.
    NoCode,
    /// The symbol names data, wherever that is.
    Data,
}

impl What {
    fn begins(self) -> &'static str {
        match self {
            Self::NoSymbol => "there is no symbol",
            Self::ManySymbols => {
                "an address or a line of source must say which of several symbols is meant by"
            }
            Self::NoDistance => "there is no distance in",
            Self::NoCode => "there is no code at",
            Self::Data => "data, and no code, has the name",
        }
    }
}

impl UnknownPlace {
    /// Returns what is wrong with a fact about it that stands there: rule F0806.
    pub fn diagnostic(&self, span: Span) -> Diagnostic {
        let label = self
            .similar
            .as_deref()
            .map(|similar| format!("did you mean `{similar}`?"))
            .unwrap_or_default();
        Diagnostic::error(rules::PLACE, self.to_string()).at(span, label)
    }
}

/// Returns the address in executable memory that a text names.
///
/// # Errors
/// [`UnknownPlace`] for names that are no symbol and addresses without code.
pub fn find(program: &Program, text: &str) -> Result<u64, UnknownPlace> {
    let address = address(program, text)?;
    // A variable may lie in a segment that is executable as well. Its name
    // is still no place of code.
    if program.symbol(text).is_some_and(|symbol| !symbol.code) {
        return Err(UnknownPlace { what: What::Data, text: text.to_owned(), similar: None });
    }
    if program.is_code(address) {
        return Ok(address);
    }
    Err(UnknownPlace { what: What::NoCode, text: text.to_owned(), similar: None })
}

/// Returns the symbol with a name, if there is only one: functions of several files may have the
/// same.
///
/// # Errors
/// [`UnknownPlace`] with the most similar name.
pub fn symbol<'p>(program: &'p Program, name: &str) -> Result<&'p Symbol, UnknownPlace> {
    // A linker's name goes first, because it is what the file says itself.
    let Some(found) = program.symbol(name).or_else(|| readable_symbol(program, name)) else {
        let similar = closest(name, program.symbols().iter().map(|symbol| symbol.name.as_str()));
        return Err(UnknownPlace {
            what: What::NoSymbol,
            text: name.to_owned(),
            similar: similar.map(str::to_owned),
        });
    };
    let is_it = |symbol: &Symbol| symbol.name == name || readable(&symbol.name) == name;
    // Two names of one address mean the same place, so they are no contradiction.
    let other = |symbol: &Symbol| symbol.address != found.address && is_it(symbol);
    if program.symbols().iter().any(other) {
        return Err(UnknownPlace { what: What::ManySymbols, text: name.to_owned(), similar: None });
    }
    Ok(found)
}

/// Returns a fact as people write it: each linker name is made [`readable`] where the result names
/// the same function and no other.
pub fn readable_fact(program: &Program, fact: &str) -> String {
    with_names(fact, |name| {
        let people = readable(name);
        let place = |text| symbol(program, text).map(|symbol| symbol.address);
        let is_same = people != name && place(&people).is_ok_and(|at| place(name) == Ok(at));
        if is_same { people } else { name.to_owned() }
    })
}

/// Returns the first symbol that people write so: `fusee_kernel::list::List::remove`.
fn readable_symbol<'p>(program: &'p Program, name: &str) -> Option<&'p Symbol> {
    // Only paths, since a plain name is looked for among the linker's names already, and
    // reading all of them takes long.
    let is_path = name.contains("::");
    program.symbols().iter().find(|symbol| is_path && readable(&symbol.name) == name)
}

fn address(program: &Program, text: &str) -> Result<u64, UnknownPlace> {
    // A symbol may be called like a number or have a `+` in it.
    if program.symbol(text).is_some() {
        return symbol(program, text).map(|symbol| symbol.address);
    }
    // Digits without `0x` are no address: they are more likely a name that is misspelt.
    if let Some(address) = number(text).filter(|_| text.starts_with("0x")) {
        return Ok(address);
    }
    let (name, distance) = match text.rsplit_once('+') {
        Some((name, distance)) => (name.trim(), number(distance.trim())),
        None => (text, Some(0)),
    };
    // The proposal is for the whole text, with the distance as it was written.
    let whole = |part: String| text.replacen(name, &part, 1);
    let named = symbol(program, name).map_err(|unknown| UnknownPlace {
        text: text.to_owned(),
        similar: unknown.similar.map(whole),
        ..unknown
    })?;
    match distance {
        // What is beyond all addresses wraps around, and then has no code: that is refused later.
        Some(distance) => Ok(named.address.wrapping_add(distance)),
        None => Err(UnknownPlace { what: What::NoDistance, text: text.to_owned(), similar: None }),
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
