//! A description with the repairs that its messages offer.

use std::path::{Path, PathBuf};

use fusee_adl::syntax::files::{Files, Overlay};
use fusee_diagnostics::edits::edited;
use fusee_diagnostics::{FileId, SourceMap};

use crate::checked::{self, Checked};
use crate::load::Surroundings;
use crate::options::Source;

/// A repair may be what another message waits for; more rounds than these do not come to an end.
const ROUNDS: usize = 16;

/// A file that repairs change.
pub struct Repaired {
    /// Its path, as the user knows it.
    pub path: PathBuf,
    /// The text on the disk.
    pub before: String,
    /// The text with all repairs.
    pub after: String,
    /// The change of each repair.
    pub changes: Vec<String>,
}

/// Returns the files that change when each error and each warning gets its best repair, again and
/// again until none is left, and what is to be said about the description then. Nothing is written.
pub fn run(source: &Source) -> (Vec<Repaired>, Checked) {
    run_within(&Surroundings::of(source), Overlay::default(), source)
}

/// The same, within what stands around the description and from texts that are not saved yet.
pub fn run_within(
    around: &Surroundings,
    mut files: Overlay,
    source: &Source,
) -> (Vec<Repaired>, Checked) {
    let mut repaired: Vec<Repaired> = Vec::new();
    for _ in 0..ROUNDS {
        let checked = checked::run_within(around, &files, source);
        let sources = &checked.loaded.sources;
        let all =
            edited(&checked.loaded.diagnostics, sources, |file| is_own(&files, sources, file));
        if all.is_empty() {
            return (repaired, checked);
        }
        for one in all {
            let file = sources.file(one.file);
            files.insert(&file.path, one.text.as_str());
            match repaired.iter_mut().find(|known| known.path == file.path) {
                Some(known) => {
                    known.after = one.text;
                    known.changes.extend(one.changes);
                }
                None => repaired.push(Repaired {
                    path: file.path.clone(),
                    before: file.text.clone(),
                    after: one.text,
                    changes: one.changes,
                }),
            }
        }
    }
    (repaired, checked::run_within(around, &files, source))
}

/// Returns whether a file is the user's: those that come with Fusee are on no disk.
fn is_own(files: &Overlay, sources: &SourceMap, file: FileId) -> bool {
    let path: &Path = &sources.file(file).path;
    files.is_file(path)
}
