//! A description with all its imports, in the order in which they take effect.
//!
//! An imported file's declarations stand where it is first imported; further imports
//! of it, even from itself, add nothing. The files that wait for an import to be
//! done are kept on a list and not on the stack, so that a long chain of imports is
//! no danger.

use super::files::Files;
use super::parser;
use super::session::{Failure, Request, Session};
use super::{Loaded, Options, foreign};
use crate::rules;
use crate::tree::{Import, Item, Tree};
use fusee_diagnostics::{Diagnostic, FileId};
use std::collections::BTreeSet;
use std::path::Path;

/// The number of files that one description may import.
const MAX_FILES: usize = 10_000;

/// A file of which some declarations are still to come, and the import that led to it.
struct Waiting {
    items: std::vec::IntoIter<Item>,
    import: Option<Import>,
}

/// Reads a description and everything that it imports.
pub(super) fn load(files: &dyn Files, path: &Path, options: &Options) -> Loaded {
    let mut session = Session::new(files, options);
    let mut tree = Tree::default();
    match session.open(path) {
        Ok(file) => tree.items = declarations(&mut session, file),
        Err(error) => session.report.add(error),
    }
    tree.library = session.library;
    Loaded { sources: session.sources, tree, diagnostics: session.report.finish() }
}

/// Returns the declarations of a file and of everything that it imports.
fn declarations(session: &mut Session<'_>, file: FileId) -> Vec<Item> {
    let mut read = BTreeSet::from([file]);
    let mut result = Vec::new();
    let mut waiting =
        vec![Waiting { items: parser::parse(session, file).into_iter(), import: None }];
    while let Some(top) = waiting.last_mut() {
        match top.items.next() {
            None => {
                let done = waiting.pop().and_then(|file| file.import);
                result.extend(done.map(Item::Import));
            }
            Some(Item::Import(mut import)) => {
                import.file = resolve(session, &import);
                match import
                    .file
                    .filter(|file| read.insert(*file) && within_limit(session, &import, read.len()))
                {
                    Some(file) => {
                        let items = parser::parse(session, file).into_iter();
                        waiting.push(Waiting { items, import: Some(import) });
                    }
                    None => result.push(Item::Import(import)),
                }
            }
            Some(item) => result.push(item),
        }
    }
    result
}

/// Returns `true` if another file may be read; reported if not.
fn within_limit(session: &mut Session<'_>, import: &Import, read: usize) -> bool {
    if read > MAX_FILES {
        let error = Diagnostic::error(rules::INCLUDE_LOOP, "too many files are imported");
        session.report.add(error.at(import.span, format!("{MAX_FILES} files have been read")));
    }
    read <= MAX_FILES
}

/// Returns the file that an import names; reported if there is none.
fn resolve(session: &mut Session<'_>, import: &Import) -> Option<FileId> {
    let request = Request { path: import.path.clone(), system: import.system, span: import.span };
    match session.find(&request, import.span.file) {
        Ok(file) => Some(file),
        Err(Failure::Unusable(error)) => {
            session.report.add(error);
            None
        }
        Err(Failure::Missing(tried)) => {
            if let Some(error) = foreign::missing(&request.path, import.span) {
                session.report.add(error);
                return None;
            }
            let message = format!("imported file `{}` was not found", request.path);
            let error =
                Diagnostic::error(rules::MISSING_IMPORT, message).at(import.span, "imported here");
            let error = session.explain_missing(error, &request, &tried);
            session.report.add(error);
            None
        }
    }
}
