//! Paths in one form, to be compared and to be told.

use std::path::{Component, Path, PathBuf};

/// Returns a path from the root without links; as it is where there is nothing. The empty path is
/// the folder in which the command runs.
pub fn absolute(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Returns an absolute path as it is seen from an absolute folder; `.` is the folder itself.
pub fn relative(path: &Path, folder: &Path) -> PathBuf {
    let (mut path, mut folder) = (path.components().peekable(), folder.components().peekable());
    while path.peek().is_some() && path.peek() == folder.peek() {
        path.next();
        folder.next();
    }
    let way: PathBuf = folder.map(|_| Component::ParentDir).chain(path).collect();
    if way.as_os_str().is_empty() { PathBuf::from(".") } else { way }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_a_folder() {
        let of = |path: &str| relative(Path::new(path), Path::new("/a/b"));
        let seen = ["c.c", "../d/c.h", "../../x", "."].map(PathBuf::from);
        assert_eq!([of("/a/b/c.c"), of("/a/d/c.h"), of("/x"), of("/a/b")], seen);
    }
}
