//! The repairs that messages offer, as actions.

use std::collections::HashMap;
use std::path::Path;

use fusee_diagnostics::Fix;
use fusee_pipeline::repair;
use lsp_types::{CodeAction, CodeActionKind, Range, TextEdit, Uri, WorkspaceEdit};

use crate::places;
use crate::workspace::{Understood, Workspace};

/// Returns the repairs of messages that touch a range of a document.
pub(crate) fn at(understood: &Understood, path: &Path, range: Range) -> Vec<CodeAction> {
    let loaded = &understood.checked.loaded;
    let Some(file) = understood.file(path) else { return Vec::new() };
    let text = understood.text(file);
    let (start, end) = (places::offset(text, range.start), places::offset(text, range.end));
    let touched = |found: &&fusee_diagnostics::Diagnostic| {
        let spans = found.labels.iter().map(|label| label.span);
        let mut spans = spans.chain(found.fixes.iter().map(|fix| fix.span));
        spans.any(|span| {
            span.file == file && span.start as usize <= end && start <= span.end as usize
        })
    };
    let mut actions = Vec::new();
    for found in loaded.diagnostics.iter().filter(touched) {
        for (place, fix) in found.fixes.iter().enumerate() {
            let Some(edit) = edit(understood, fix) else { continue };
            actions.push(CodeAction {
                title: format!("{}: {}", found.code.0, fix.title),
                kind: Some(CodeActionKind::QUICKFIX),
                edit: Some(edit),
                is_preferred: Some(place == 0),
                ..CodeAction::default()
            });
        }
    }
    actions
}

fn edit(understood: &Understood, fix: &Fix) -> Option<WorkspaceEdit> {
    let location = places::location(fix.span, &understood.checked.loaded.sources)?;
    let edit = TextEdit::new(location.range, fix.replacement.clone());
    Some(changes([(location.uri, vec![edit])].into()))
}

// The protocol's type has keys of this type.
#[allow(clippy::mutable_key_type)]
pub(crate) fn changes(changes: HashMap<Uri, Vec<TextEdit>>) -> WorkspaceEdit {
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

/// Returns the action that makes all repairs as `fusee check --fix` does; `None`: there are none.
pub(crate) fn all(workspace: &mut Workspace, root: &Path) -> Option<CodeAction> {
    let source = workspace.source(root);
    let files = workspace.files().clone();
    let (repaired, _) = repair::run_within(workspace.around(root), files, &source);
    let edits = repaired.into_iter().filter_map(|one| {
        let uri = places::uri(&std::path::absolute(&one.path).ok()?)?;
        let whole = Range::new(
            places::position(&one.before, 0),
            places::position(&one.before, one.before.len()),
        );
        Some((uri, vec![TextEdit::new(whole, one.after)]))
    });
    #[allow(clippy::mutable_key_type)]
    let edits: HashMap<Uri, Vec<TextEdit>> = edits.collect();
    (!edits.is_empty()).then(|| CodeAction {
        title: "Make all repairs that errors and warnings offer".to_owned(),
        kind: Some(CodeActionKind::SOURCE_FIX_ALL),
        edit: Some(changes(edits)),
        ..CodeAction::default()
    })
}
