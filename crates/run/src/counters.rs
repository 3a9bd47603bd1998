//! Counters of programs, by stack and by name.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use object::{Object, ObjectSymbol};

use crate::Image;
use crate::areas::Area;

/// Returns each stack whose program has a thread-local variable of this name, with the variable's
/// address on that stack.
pub(crate) fn numbers_of<'i>(image: &'i Image, name: &str) -> Vec<(&'i Area, u64)> {
    let mut offsets: BTreeMap<u32, Option<u64>> = BTreeMap::new();
    let mut found = Vec::new();
    for area in &image.areas {
        let component = image.manifest.components.get(area.component as usize);
        let Some(domain) = component.map(|component| component.domain) else { continue };
        let of_domain = || symbol(&image.program(domain)?, name);
        let offset = *offsets.entry(domain).or_insert_with(of_domain);
        found.extend(offset.map(|offset| (area, area.end + offset)));
    }
    found
}

/// Returns the value of a symbol of a linked program, which is an offset where the variable is
/// thread-local; `None`: the program has no such symbol.
pub(crate) fn symbol(program: &Path, name: &str) -> Option<u64> {
    let bytes = fs::read(program).ok()?;
    let file = object::File::parse(bytes.as_slice()).ok()?;
    file.symbols().find(|symbol| symbol.name() == Ok(name)).map(|symbol| symbol.address())
}
