//! Changed files as `patch` takes them.

use std::path::Path;

use similar::TextDiff;

/// Returns the unified difference of two texts of a file.
pub(crate) fn of_file(path: &Path, before: &str, after: &str) -> String {
    let path: &Path = path.strip_prefix("/").unwrap_or(path);
    let (old, new) = (format!("a/{}", path.display()), format!("b/{}", path.display()));
    TextDiff::from_lines(before, after).unified_diff().header(&old, &new).to_string()
}
