//! Facts about components: written once, beside their sources, for all systems.
//!
//! A type `Filter` may have a file `Filter.facts.toml`. It holds for every instance
//! in every program, so a fact on which nothing rests is worth a warning only: in
//! another system it may be needed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fusee_diagnostics::{Diagnostic, FileId, Severity, SourceMap};
use fusee_model::{ComponentId, System};
use fusee_tables::symbol;
use fusee_wcet::facts::FactsFile;
use fusee_wcet::lines::Lines;
use fusee_wcet::program::Program;

use super::linked::Linked;
use crate::rules;

/// The files about each type of component.
pub(super) type Files = BTreeMap<String, Vec<FileId>>;

/// Returns the files about the types of components that a system has.
pub(super) fn files(
    system: &System,
    folder: &Path,
    sources: &mut SourceMap,
) -> Result<Files, Vec<Diagnostic>> {
    let mut files = Files::new();
    for component in &system.components {
        if files.contains_key(&component.kind) {
            continue;
        }
        let mut found = Vec::new();
        for path in fusee_glue::facts_files(folder, &component.kind) {
            let text = std::fs::read_to_string(&path).map_err(|error| {
                let message = format!("`{}` can't be read", path.display());
                vec![Diagnostic::error(rules::UNREADABLE, message).with_note(error.to_string())]
            })?;
            found.push(sources.add(path, text));
        }
        files.insert(component.kind.clone(), found);
    }
    Ok(files)
}

/// Returns the known facts about the components in a program.
pub(super) fn of_program(
    system: &System,
    files: &Files,
    (program, lines): (&Program, &Lines),
    sources: &SourceMap,
) -> Result<FactsFile, Vec<Diagnostic>> {
    let is_inside =
        |id: usize| program.symbol(&symbol::init(system, ComponentId::from(id))).is_some();
    let inside = system.components.iter().enumerate().filter(|&(id, _)| is_inside(id));
    let about = inside.filter_map(|(_, component)| files.get(&component.kind)).flatten();
    let about: BTreeSet<FileId> = about.copied().collect();
    let about: Vec<FileId> = about.into_iter().collect();
    FactsFile::read_all(sources, &about, program, lines)
}

/// Returns the messages about the facts, now that all bounds are known.
pub(super) fn judge(linked: &[Linked]) -> Vec<Diagnostic> {
    let all: Vec<_> =
        linked.iter().map(|linked| (&linked.facts, linked.bounds.as_slice())).collect();
    let mut judged = fusee_wcet::facts::judge(&all);
    for unused in judged.iter_mut().filter(|judged| judged.code == fusee_wcet::UNUSED) {
        unused.severity = Severity::Warning;
    }
    judged
}
