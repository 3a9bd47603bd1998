//! Another name for an object, wherever it stands.
//!
//! Names also stand in texts (`"p.go"`, `"3 ms to worker"`) and, of interfaces and methods, in
//! components' code. So only objects are renamed whose names no code and no text has, and only if
//! the description has no more errors then than before.

use std::collections::HashMap;
use std::path::Path;

use fusee_diagnostics::{Severity, SourceMap};
use fusee_pipeline::checked::{self, Checked};
use lsp_types::{Position, Range, TextEdit, Uri, WorkspaceEdit};

use super::repairs::changes;
use crate::names::{Kind, Occurrence};
use crate::places;
use crate::workspace::{Understood, Workspace};

/// Returns the range of the name at a place, if it can be another one.
///
/// # Errors
/// The reason for which it can't.
pub(crate) fn prepare(
    understood: &Understood,
    path: &Path,
    position: Position,
) -> Result<Range, String> {
    let found = object(understood, path, position)?;
    Ok(places::range(understood.sources.file(found.span.file), found.span.start, found.span.end))
}

/// Returns the edits that give the object at a place another name.
///
/// # Errors
/// The reason for which it can't have it.
pub(crate) fn edits(
    workspace: &mut Workspace,
    path: &Path,
    (position, name): (Position, &str),
) -> Result<WorkspaceEdit, String> {
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if !is_name {
        return Err(format!("`{name}` is no name: letters, digits and `_`"));
    }
    let root = workspace.root(path).ok_or("the document is not open")?.to_owned();
    let understood = workspace.understand(&root);
    let symbol = object(understood, path, position)?.symbol.clone();
    let places: Vec<_> =
        understood.names.of_symbol(&symbol).into_iter().map(|one| one.span).collect();
    let before = errors(&understood.checked);
    let sources = understood.sources.clone();
    let own = places.iter().all(|&span| places::location(span, &sources).is_some());
    if !own {
        return Err(format!("`{}` comes with Fusee", symbol.name));
    }
    let quoted = sources.files().find_map(|(_, file)| in_a_text(&file.text, &symbol.name));
    if let Some(text) = quoted {
        return Err(format!("`{}` also stands in the text {text}", symbol.name));
    }
    let mut files = workspace.files().clone();
    for (path, text) in renamed(&places, &sources, name) {
        files.insert(Path::new(&path), text);
    }
    let source = workspace.source(&root);
    let after = checked::run_within(workspace.around(&root), &files, &source);
    if errors(&after) > before {
        let new = after.loaded.diagnostics.iter().find(|one| one.severity == Severity::Error);
        let why = new.map_or_else(String::new, |one| format!(": {}", one.message));
        return Err(format!("with `{name}` the description would be wrong{why}"));
    }
    #[allow(clippy::mutable_key_type)]
    let mut edits: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for location in places.iter().filter_map(|&span| places::location(span, &sources)) {
        edits.entry(location.uri).or_default().push(TextEdit::new(location.range, name.to_owned()));
    }
    Ok(changes(edits))
}

/// Returns the first text between quotes, on one line, in which a name stands.
fn in_a_text<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let has_it = |quoted: &&str| quoted.split(|letter| !is_letter(letter)).any(|word| word == name);
    text.lines().find_map(|line| {
        let mut quotes = line.match_indices('"').map(|(at, _)| at);
        std::iter::from_fn(|| Some(&line[quotes.next()?..=quotes.next()?])).find(has_it)
    })
}

fn object<'u>(
    understood: &'u Understood,
    path: &Path,
    position: Position,
) -> Result<&'u Occurrence, String> {
    let nothing = || "no name of an object stands here".to_owned();
    let file = understood.file(path).ok_or_else(nothing)?;
    let offset = places::offset(understood.text(file), position) as u32;
    let found = understood.names.at(file, offset).ok_or_else(nothing)?;
    match found.symbol.kind {
        Kind::Instance | Kind::Connection | Kind::Procedure => Ok(found),
        Kind::Component => {
            Err("a component's type is also in the names of its files; rename these first".into())
        }
        Kind::Interface | Kind::Method | Kind::Attribute | Kind::Connector => {
            Err(format!("`{}` is also a name in the components' code", found.symbol.name))
        }
    }
}

fn errors(checked: &Checked) -> usize {
    let all = checked.loaded.diagnostics.iter();
    all.filter(|found| found.severity == Severity::Error).count()
}

/// Returns the texts of the files with another name at these places.
fn renamed(
    places: &[fusee_diagnostics::Span],
    sources: &SourceMap,
    name: &str,
) -> HashMap<std::path::PathBuf, String> {
    let mut texts: HashMap<std::path::PathBuf, String> = HashMap::new();
    let mut sorted = places.to_vec();
    sorted.sort_by_key(|span| std::cmp::Reverse(span.start));
    for span in sorted {
        let file = sources.file(span.file);
        let text = texts.entry(file.path.clone()).or_insert_with(|| file.text.clone());
        text.replace_range(span.start as usize..span.end as usize, name);
    }
    texts
}
