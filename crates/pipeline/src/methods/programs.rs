//! The programs that a build has made, with the facts about their components.

use std::path::{Path, PathBuf};

use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_model::System;
use fusee_wcet::lines::Lines;
use fusee_wcet::program::Program;

use super::linked::Linked;
use super::{Places, facts};
use crate::rules;

/// All programs, in the order of their names.
pub(super) fn read(
    system: &System,
    places: &Places<'_>,
    sources: &mut SourceMap,
) -> Result<Vec<Linked>, Vec<Diagnostic>> {
    let files = facts::files(system, places.description, sources)?;
    let mut linked = Vec::new();
    let mut wrong = Vec::new();
    for path in paths(places.programs).map_err(|wrong| vec![wrong])? {
        let bytes = std::fs::read(&path).map_err(|error| vec![unreadable(&path, &error)])?;
        let program = Program::load(&bytes)
            .map_err(|error| vec![fusee_wcet::refusal(&error, &path.display().to_string())])?;
        match facts::of_program(system, &files, (&program, &Lines::read(&bytes)), sources) {
            Ok(facts) => linked.push(Linked { path, program, facts, bounds: Vec::new() }),
            Err(errors) => wrong.extend(errors),
        }
    }
    if wrong.is_empty() { Ok(linked) } else { Err(wrong) }
}

/// Returns the programs in a build's folder.
fn paths(folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let domains = folder.join("domains");
    let files = std::fs::read_dir(&domains).map_err(|error| unreadable(&domains, &error))?;
    let mut paths: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "elf"));
    paths.sort();
    Ok(paths)
}

pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
    let message = format!("`{}` can't be read", path.display());
    Diagnostic::error(rules::UNREADABLE, message)
        .with_note(error.to_string())
        .with_note("`--programs` names the folder that `fusee build` has made")
}
