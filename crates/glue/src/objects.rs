//! What compiled code defines and asks for.

use crate::failure::{self, Failure};
use crate::rules;
use crate::view::Found;
use fusee_diagnostics::Diagnostic;
use object::{Object, ObjectSymbol};
use std::collections::BTreeMap;
use std::path::Path;

/// Adds an object's symbols to what was found.
pub(crate) fn add(path: &Path, found: &mut Found) -> Result<(), Failure> {
    let bytes = std::fs::read(path).map_err(|error| failure::file(path, &error))?;
    let object = parse(path, &bytes)?;
    for symbol in object.symbols().filter(|symbol| symbol.is_global() || symbol.is_weak()) {
        let Ok(name) = symbol.name() else { continue };
        if symbol.is_undefined() {
            found.wanted.insert(name.to_owned());
        } else {
            found.defined.insert(name.to_owned());
        }
    }
    Ok(())
}

/// The sizes of an object's symbols that start with a prefix, by the rest of their names.
pub(crate) fn sizes(path: &Path, prefix: &str) -> Result<BTreeMap<String, u64>, Failure> {
    let bytes = std::fs::read(path).map_err(|error| failure::file(path, &error))?;
    let object = parse(path, &bytes)?;
    let sizes = object.symbols().filter_map(|symbol| {
        let name = symbol.name().ok()?.strip_prefix(prefix)?;
        Some((name.to_owned(), symbol.size()))
    });
    Ok(sizes.collect())
}

fn parse<'b>(path: &Path, bytes: &'b [u8]) -> Result<object::File<'b>, Failure> {
    object::File::parse(bytes).map_err(|error| {
        vec![Diagnostic::error(rules::FILE, format!("`{}` is no object file: {error}", path.display()))]
    })
}
