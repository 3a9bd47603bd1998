//! From a name to its declaration and its uses, and the names of a document.

use std::path::Path;

use lsp_types::{DocumentSymbol, Location, Position, SymbolKind};

use crate::names::Kind;
use crate::places;
use crate::workspace::Understood;

/// Returns where the name at a place is declared.
pub(crate) fn definition(
    understood: &Understood,
    path: &Path,
    position: Position,
) -> Vec<Location> {
    let all = occurrences(understood, path, position);
    all.into_iter().filter(|(declares, _)| *declares).map(|(_, location)| location).collect()
}

/// Returns where the name at a place is used, and declared if that is asked for.
pub(crate) fn references(
    understood: &Understood,
    path: &Path,
    (position, with_declaration): (Position, bool),
) -> Vec<Location> {
    let all = occurrences(understood, path, position).into_iter();
    let asked = all.filter(|(declares, _)| with_declaration || !declares);
    asked.map(|(_, location)| location).collect()
}

/// Returns all places of the name at a place, and whether each declares it.
fn occurrences(understood: &Understood, path: &Path, position: Position) -> Vec<(bool, Location)> {
    let Some(file) = understood.file(path) else { return Vec::new() };
    let offset = places::offset(understood.text(file), position) as u32;
    let Some(found) = understood.names.at(file, offset) else { return Vec::new() };
    let all = understood.names.of_symbol(&found.symbol).into_iter();
    let placed = all
        .filter_map(|one| Some((one.declares, places::location(one.span, &understood.sources)?)));
    placed.collect()
}

/// Returns the names that a document declares.
pub(crate) fn symbols(understood: &Understood, path: &Path) -> Vec<DocumentSymbol> {
    let Some(file) = understood.file(path) else { return Vec::new() };
    let own = understood.names.occurrences.iter().filter(|one| one.declares);
    let here = own.filter(|one| one.span.file == file);
    let symbol = |one: &crate::names::Occurrence| {
        let range = places::range(understood.sources.file(file), one.span.start, one.span.end);
        #[allow(deprecated)]
        DocumentSymbol {
            name: one.symbol.name.clone(),
            detail: Some(one.symbol.scope.clone()).filter(|scope| !scope.is_empty()),
            kind: kind(one.symbol.kind),
            tags: None,
            deprecated: None,
            range,
            selection_range: range,
            children: None,
        }
    };
    here.map(symbol).collect()
}

fn kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Component => SymbolKind::CLASS,
        Kind::Procedure => SymbolKind::INTERFACE,
        Kind::Method => SymbolKind::METHOD,
        Kind::Connector => SymbolKind::OPERATOR,
        Kind::Interface => SymbolKind::PROPERTY,
        Kind::Attribute => SymbolKind::FIELD,
        Kind::Instance => SymbolKind::OBJECT,
        Kind::Connection => SymbolKind::EVENT,
    }
}
