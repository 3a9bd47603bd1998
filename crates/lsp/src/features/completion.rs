//! The names that may come next.

use std::path::Path;

use fusee_adl::resolve::{ATTRIBUTES, Known, Place};
use lsp_types::{
    CompletionItem, CompletionItemKind, Documentation, MarkupContent, MarkupKind, Position,
};

use super::hover::described;
use crate::names::Kind;
use crate::places;
use crate::workspace::Understood;

/// The words of the language.
const WORDS: [&str; 24] = [
    "assembly",
    "attribute",
    "component",
    "composition",
    "configuration",
    "connection",
    "connector",
    "consumes",
    "control",
    "dataport",
    "emits",
    "export",
    "from",
    "group",
    "hardware",
    "has",
    "import",
    "include",
    "maybe",
    "mutex",
    "procedure",
    "provides",
    "to",
    "uses",
];

/// Returns the names that may stand at a place.
pub(crate) fn at(understood: &Understood, path: &Path, position: Position) -> Vec<CompletionItem> {
    let Some(file) = understood.file(path) else { return Vec::new() };
    let text = understood.text(file);
    let end = places::offset(text, position);
    let start = text[..end].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &text[start..end];
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let begun = before.trim_end_matches(is_name);
    match begun.strip_suffix('.') {
        Some(object) => {
            let owner = object.rsplit(|letter: char| !is_name(letter)).next().unwrap_or_default();
            members(understood, owner, is_end(before))
        }
        None => others(understood, begun.split_whitespace().next_back()),
    }
}

/// Returns whether an end of a connection is being written.
fn is_end(before: &str) -> bool {
    before.trim_start().starts_with("connection")
        || before.trim_start().starts_with("from ")
        || before.trim_start().starts_with("to ")
}

/// Returns what may stand behind an instance and a dot.
fn members(understood: &Understood, owner: &str, is_end: bool) -> Vec<CompletionItem> {
    let names = &understood.names;
    if owner == "system" {
        return of_place(Place::System, "").collect();
    }
    let Some(kind) = names.type_of(owner) else {
        return of_place(Place::Connection, "").collect();
    };
    let interfaces = names.declared(Kind::Interface, kind);
    if is_end {
        return items(interfaces, CompletionItemKind::PROPERTY);
    }
    let mut all: Vec<_> = of_place(Place::Component, "").collect();
    all.extend(items(names.declared(Kind::Attribute, kind), CompletionItemKind::FIELD));
    for interface in interfaces {
        let before = format!("{interface}_");
        for place in [Place::Interface, Place::Provided, Place::Method] {
            all.extend(of_place(place, &before));
        }
    }
    all
}

/// Returns what may stand behind a word of the language.
fn others(understood: &Understood, word: Option<&str>) -> Vec<CompletionItem> {
    let names = &understood.names;
    let declared = |kind, item| items(names.declared(kind, ""), item);
    match word {
        Some("component") => declared(Kind::Component, CompletionItemKind::CLASS),
        Some("connection") => declared(Kind::Connector, CompletionItemKind::OPERATOR),
        Some("provides" | "uses") => declared(Kind::Procedure, CompletionItemKind::INTERFACE),
        Some(end)
            if end == "to" || end == "from" || end.ends_with("(to") || end.ends_with("(from") =>
        {
            declared(Kind::Instance, CompletionItemKind::VARIABLE)
        }
        _ => {
            let mut all = items(WORDS.to_vec(), CompletionItemKind::KEYWORD);
            all.extend(declared(Kind::Instance, CompletionItemKind::VARIABLE));
            all
        }
    }
}

fn items(names: Vec<&str>, kind: CompletionItemKind) -> Vec<CompletionItem> {
    let item = |name: &str| CompletionItem {
        label: name.to_owned(),
        kind: Some(kind),
        ..CompletionItem::default()
    };
    names.into_iter().map(item).collect()
}

/// Returns the attributes of a kind of object, with something before their names.
fn of_place(place: Place, before: &str) -> impl Iterator<Item = CompletionItem> {
    let own = ATTRIBUTES.iter().filter(move |known| known.place == place);
    own.map(move |known: &Known| CompletionItem {
        label: format!("{before}{}", known.name),
        kind: Some(CompletionItemKind::FIELD),
        detail: Some(known.takes.to_owned()),
        documentation: Some(Documentation::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value: described(known),
        })),
        ..CompletionItem::default()
    })
}
