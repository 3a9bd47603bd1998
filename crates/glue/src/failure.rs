//! The reasons for which a step of the build did not go through.

use crate::rules;
use fusee_diagnostics::Diagnostic;
use std::path::Path;

/// One or more messages; at least one is an error.
pub(crate) type Failure = Vec<Diagnostic>;

/// A file that could not be read or written.
pub(crate) fn file(path: &Path, error: &std::io::Error) -> Failure {
    vec![Diagnostic::error(rules::FILE, format!("cannot use `{}`: {error}", path.display()))]
}

/// Writes a file, and its folder if need be.
pub(crate) fn write(path: &Path, content: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, content));
    written.map_err(|error| file(path, &error))
}

/// Writes a file unless it has that content, so that what was made from it stays up to date.
pub(crate) fn renew(path: &Path, content: &str) -> Result<(), Failure> {
    if std::fs::read(path).is_ok_and(|present| present == content.as_bytes()) {
        Ok(())
    } else {
        write(path, content)
    }
}
