//! Messages as rustc would show them.
//!
//! The drawing is `annotate-snippets`', which rustc itself uses: arrows, folding
//! of distant lines and repairs as differences come from there and look familiar.
//! This file only sorts labels by file and puts the primary place first.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Patch, Renderer, Snippet};

use super::snippet::{Window, bytes, clusters};
use crate::{Diagnostic, FileId, Fix, Label, Severity, SourceMap};

/// The style of the text: with colors or plain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Text alone, for files and golden tests.
    Plain,
    /// With ANSI escape sequences.
    Coloured,
}

/// Returns all messages, a blank line after each.
pub fn text(diagnostics: &[Diagnostic], sources: &SourceMap, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    diagnostics.iter().map(|d| renderer.render(&report(d, sources)) + "\n\n").collect()
}

/// Returns the last line: `2 errors, 1 warning; run `fusee explain F0101``; empty without errors
/// and warnings.
pub fn closing(diagnostics: &[Diagnostic]) -> String {
    let count = |severity| diagnostics.iter().filter(|d| d.severity == severity).count();
    let words = |n: usize, word: &str| match n {
        0 => None,
        1 => Some(format!("1 {word}")),
        _ => Some(format!("{n} {word}s")),
    };
    let counted =
        [words(count(Severity::Error), "error"), words(count(Severity::Warning), "warning")];
    let counted: Vec<String> = counted.into_iter().flatten().collect();
    // The most severe message's code, the first of them if there are several.
    let worst = diagnostics.iter().rev().max_by_key(|d| d.severity);
    match worst {
        Some(worst) if !counted.is_empty() => {
            format!("{}; run `fusee explain {}` to read more", counted.join(", "), worst.code.0)
        }
        _ => String::new(),
    }
}

fn report<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = level.primary_title(printable(&diagnostic.message)).id(diagnostic.code.0);
    let mut main = Group::with_title(title);
    for file in files_in_order(&diagnostic.labels) {
        main = main.elements(file_elements(file, &diagnostic.labels, sources));
    }
    main = main.elements(diagnostic.notes.iter().map(|note| Level::NOTE.message(printable(note))));
    let mut groups = vec![main];
    groups.extend(diagnostic.fixes.iter().map(|fix| repair(fix, sources)));
    groups
}

/// Returns the files of the labels, each once, primary places first.
fn files_in_order(labels: &[Label]) -> Vec<FileId> {
    let mut files = Vec::new();
    let primary_first =
        labels.iter().filter(|l| l.primary).chain(labels.iter().filter(|l| !l.primary));
    for label in primary_first {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files
}

fn file_elements<'a>(
    file: FileId,
    labels: &'a [Label],
    sources: &'a SourceMap,
) -> Vec<Element<'a>> {
    let source = sources.file(file);
    let path = printable(&source.path.to_string_lossy());
    let places =
        labels.iter().filter(|l| l.span.file == file).map(|l| (bytes(source, l.span), l)).collect();
    let mut clusters = clusters(places);
    // The place that the message points at comes first; the others keep the file's order.
    clusters.sort_by_key(|cluster| !cluster.iter().any(|(_, label)| label.primary));
    let mut elements = Vec::new();
    for cluster in clusters {
        let ranges: Vec<_> = cluster.iter().map(|(range, _)| range.clone()).collect();
        let Some(window) = Window::around(source, &ranges) else {
            elements.extend(cluster.iter().flat_map(|(_, label)| named_place(label, sources)));
            continue;
        };
        let annotations = cluster.iter().map(|(range, label)| {
            let kind =
                if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let text = (!label.text.is_empty()).then(|| printable(&label.text));
            kind.span(window.inside(range)).label(text)
        });
        let snippet =
            Snippet::source(window.text(source)).line_start(window.first_line).path(path.clone());
        elements.push(Element::from(snippet.annotations(annotations)));
    }
    elements
}

/// Returns a place whose surroundings are too large to show.
fn named_place<'a>(label: &'a Label, sources: &'a SourceMap) -> Vec<Element<'a>> {
    let source = sources.file(label.span.file);
    let position = source.position(label.span.start);
    let origin = Origin::path(printable(&source.path.to_string_lossy()))
        .line(position.line as usize)
        .char_column(position.column as usize);
    let mut elements = vec![Element::from(origin)];
    if !label.text.is_empty() {
        elements.push(Element::from(Level::NOTE.message(printable(&label.text))));
    }
    elements
}

fn repair<'a>(fix: &'a Fix, sources: &'a SourceMap) -> Group<'a> {
    let title = Level::HELP.secondary_title(printable(&fix.title));
    let source = sources.file(fix.span.file);
    let range = bytes(source, fix.span);
    match Window::around(source, std::slice::from_ref(&range)) {
        Some(window) => title.element(
            Snippet::source(window.text(source))
                .line_start(window.first_line)
                .path(printable(&source.path.to_string_lossy()))
                .patch(Patch::new(window.inside(&range), fix.replacement.as_str())),
        ),
        None => Group::with_title(title),
    }
}

/// A message may quote the input; what would steer the terminal is shown, not sent.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() && c != '\n' { char::REPLACEMENT_CHARACTER } else { c })
        .collect()
}
