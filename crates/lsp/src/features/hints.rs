//! Bounds beside the tasks.

use std::path::Path;

use fusee_model::Duration;
use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Range};

use crate::names::Kind;
use crate::places;
use crate::workspace::Understood;

/// Returns the bound of each task whose instance is declared in a range of a document, and what is
/// left to its deadline.
pub(crate) fn within(understood: &Understood, path: &Path, range: Range) -> Vec<InlayHint> {
    let (Some(file), Some(analysis)) = (understood.file(path), &understood.analysis) else {
        return Vec::new();
    };
    let Some((system, _)) = &understood.checked.loaded.system else { return Vec::new() };
    let mut hints = Vec::new();
    for one in &understood.names.occurrences {
        let is_instance = one.declares && one.symbol.kind == Kind::Instance;
        // A task of an inner instance has the names around it, too.
        if !is_instance || one.span.file != file || !one.symbol.scope.is_empty() {
            continue;
        }
        let position = places::position(understood.text(file), one.span.end as usize);
        let own = analysis.tasks.iter().find(|own| system.task(own.task).name == one.symbol.name);
        let Some((bound, deadline)) = own.and_then(|own| Some((own, own.deadline?))) else {
            continue;
        };
        if position < range.start || range.end < position {
            continue;
        }
        let label = match bound.response() {
            None => "no bound".to_owned(),
            Some(response) if response <= deadline => {
                format!("≤ {response}, {} left", Duration(deadline.ns() - response.ns()))
            }
            Some(response) => format!("≤ {response}, above {deadline}"),
        };
        hints.push(InlayHint {
            position,
            label: InlayHintLabel::String(label),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: None,
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
    }
    hints
}
