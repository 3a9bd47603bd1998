//! Files that match patterns, and parts of paths.

use std::path::{Path, PathBuf};

/// No more folders than this are looked into for one pattern.
const MOST_FOLDERS: usize = 10_000;

/// The files that match a pattern, `*` and `?` in any of its parts, in order of names.
pub(super) fn glob(pattern: &Path, deep: bool) -> Vec<String> {
    let mut folders: Vec<PathBuf> = vec![PathBuf::new()];
    let parts: Vec<_> = pattern.components().collect();
    let Some((last, before)) = parts.split_last() else { return Vec::new() };
    for part in before {
        let text = part.as_os_str().to_string_lossy();
        if !text.contains(['*', '?']) {
            folders.iter_mut().for_each(|folder| folder.push(part));
            continue;
        }
        folders = folders
            .iter()
            .flat_map(|folder| entries(folder))
            .filter(|path| path.is_dir())
            .collect();
        folders.retain(|path| {
            path.file_name().is_some_and(|name| fits(&text, &name.to_string_lossy()))
        });
        folders.truncate(MOST_FOLDERS);
    }
    if deep {
        let mut at = 0;
        while at < folders.len().min(MOST_FOLDERS) {
            let inner: Vec<PathBuf> =
                entries(&folders[at]).into_iter().filter(|path| path.is_dir()).collect();
            folders.extend(inner);
            at += 1;
        }
    }
    let wanted = last.as_os_str().to_string_lossy();
    let mut files: Vec<String> = folders
        .iter()
        .flat_map(|folder| entries(folder))
        .filter(|path| path.file_name().is_some_and(|name| fits(&wanted, &name.to_string_lossy())))
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    files.sort();
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Whether a name fits a pattern. One `*` may be given up for a later one, never the reverse, so it
/// takes no long time.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n, mut again) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                again = Some((p + 1, n + 1));
                p += 1;
            }
            Some(&c) if c == '?' || c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match again {
                Some((star, from)) => {
                    (p, n) = (star, from);
                    again = Some((star, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

/// What `get_filename_component` gives.
pub(super) fn component(path: &Path, here: &Path, mode: &str) -> String {
    let text = |part: Option<&std::ffi::OsStr>| {
        part.map_or(String::new(), |part| part.to_string_lossy().into_owned())
    };
    match mode {
        "DIRECTORY" | "PATH" => {
            path.parent().unwrap_or(Path::new("")).to_string_lossy().into_owned()
        }
        "NAME" => text(path.file_name()),
        "NAME_WE" => text(path.file_name()).split('.').next().unwrap_or("").to_owned(),
        "EXT" => text(path.file_name())
            .split_once('.')
            .map_or(String::new(), |(_, rest)| format!(".{rest}")),
        _ => {
            let path = here.join(path);
            path.canonicalize().unwrap_or(path).to_string_lossy().into_owned()
        }
    }
}
