//! Counters of programs, which are read when a machine has ended.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use object::{Object, ObjectSymbol};

use crate::Image;
use crate::areas::Area;

/// The symbols of a linked program: values by name.
type Symbols = BTreeMap<String, u64>;

/// An image with the symbols of the programs that its components are in, each read once.
pub(crate) struct Counters<'i> {
    pub(crate) image: &'i Image,
    /// By protection domain.
    symbols: BTreeMap<u32, Symbols>,
}

impl<'i> Counters<'i> {
    /// Reads the programs beside an image; a program that can't be read has no symbols.
    pub(crate) fn read(image: &'i Image) -> Self {
        let domains = 0..image.manifest.domains.len() as u32;
        let of_domain = |domain| Some((domain, symbols(&image.program(domain)?)?));
        Counters { image, symbols: domains.filter_map(of_domain).collect() }
    }

    /// Returns the value of a symbol of a component's program, which is an offset where the
    /// variable is thread-local; `None`: the program has no such symbol.
    pub(crate) fn symbol(&self, component: u32, name: &str) -> Option<u64> {
        let component = self.image.manifest.components.get(component as usize)?;
        self.symbols.get(&component.domain)?.get(name).copied()
    }

    /// Iterates over the stacks whose program has a thread-local variable of this name, with the
    /// variable's address on that stack.
    pub(crate) fn of_stacks(&self, name: &str) -> impl Iterator<Item = (&'i Area, u64)> {
        let place =
            move |area: &'i Area| Some((area, area.end + self.symbol(area.component, name)?));
        self.image.areas.iter().filter_map(place)
    }
}

/// Returns a number of up to eight bytes, the lowest first.
pub(crate) fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn symbols(program: &Path) -> Option<Symbols> {
    let bytes = fs::read(program).ok()?;
    let file = object::File::parse(bytes.as_slice()).ok()?;
    let named =
        |symbol: object::Symbol<'_, '_>| Some((symbol.name().ok()?.to_owned(), symbol.address()));
    Some(file.symbols().filter_map(named).collect())
}
