//! The names that compiled code defines and asks for.

use crate::failure::{self, Failure};
use crate::rules;
use crate::view::Found;
use fusee_diagnostics::Diagnostic;
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex, SymbolIndex};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

/// Adds an object's symbols to what was found.
pub(crate) fn add(path: &Path, found: &mut Found) -> Result<(), Failure> {
    let bytes = std::fs::read(path).map_err(|error| failure::file(path, &error))?;
    let object = parse(path, &bytes)?;
    let targets = targets(&object);
    for symbol in object.symbols().filter(|symbol| symbol.is_global() || symbol.is_weak()) {
        let Ok(name) = symbol.name() else { continue };
        if symbol.is_undefined() {
            // What was only looked for while a library was linked, nobody refers to.
            if targets.contains(&symbol.index()) {
                found.wanted.insert(name.to_owned());
            }
        } else {
            found.defined.insert(name.to_owned());
        }
    }
    references(&object, found);
    Ok(())
}

/// All that is referred to.
fn targets(object: &object::File<'_>) -> HashSet<SymbolIndex> {
    let relocations = object.sections().flat_map(|section| section.relocations());
    let symbol = |target| match target {
        RelocationTarget::Symbol(symbol) => Some(symbol),
        _ => None,
    };
    relocations.filter_map(|(_, relocation)| symbol(relocation.target())).collect()
}

/// Finds the names that each function refers to: each has a section of its own, so the section's
/// relocations are the function's. A local name is followed to the section that it stands for.
fn references(object: &object::File<'_>, found: &mut Found) {
    let mut of: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for symbol in object.symbols().filter(|symbol| symbol.is_global() || symbol.is_weak()) {
        if let (Some(section), Ok(name)) = (symbol.section_index(), symbol.name()) {
            of.entry(section.0).or_default().push(name);
        }
    }
    for (&section, names) in &of {
        let referred = referred(object, SectionIndex(section));
        for name in names {
            found
                .references
                .entry((*name).to_owned())
                .or_default()
                .extend(referred.iter().cloned());
        }
    }
}

/// The global names that a section refers to, by itself or through local ones.
fn referred(object: &object::File<'_>, section: SectionIndex) -> BTreeSet<String> {
    let (mut names, mut seen) = (BTreeSet::new(), BTreeSet::from([section.0]));
    let mut open = vec![section];
    while let Some(section) = open.pop().and_then(|index| object.section_by_index(index).ok()) {
        for (_, relocation) in section.relocations() {
            let RelocationTarget::Symbol(index) = relocation.target() else { continue };
            let Ok(symbol) = object.symbol_by_index(index) else { continue };
            match (symbol.is_local(), symbol.section_index()) {
                (true, Some(further)) if seen.insert(further.0) => open.push(further),
                (false, _) => names.extend(symbol.name().ok().map(str::to_owned)),
                _ => {}
            }
        }
    }
    names
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
        vec![Diagnostic::error(
            rules::FILE,
            format!("`{}` is no object file: {error}", path.display()),
        )]
    })
}
