//! The files that a compiler has read, in the language of `make`.

use std::path::{Path, PathBuf};

/// Returns the files that a compiler says in such a text that it has read.
pub(crate) fn read(dependencies: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(dependencies).unwrap_or_default();
    let (mut paths, mut path) = (Vec::new(), String::new());
    // Only the first rule counts: what follows are empty ones.
    let rule = text.replace("\\\n", " ");
    let rule = rule.lines().next().unwrap_or_default();
    let files = rule.split_once(": ").map_or("", |(_, files)| files);
    let mut letters = files.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => path.extend(letters.next()),
            ' ' => paths.push(std::mem::take(&mut path)),
            letter => path.push(letter),
        }
    }
    paths.push(path);
    paths.retain(|path| !path.is_empty());
    paths.into_iter().map(PathBuf::from).collect()
}

/// Returns a text that names these files, as [`read`] reads it.
pub(crate) fn rule<'a>(files: impl Iterator<Item = &'a PathBuf>) -> String {
    let escaped = |path: &PathBuf| {
        path.to_string_lossy().replace('\\', "\\\\").replace(' ', "\\ ").replace('#', "\\#")
    };
    format!("object: {}\n", files.map(escaped).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_compilers_read_is_told_in_rules() {
        let path =
            std::env::temp_dir().join(format!("fusee-dependencies-{}.d", std::process::id()));
        std::fs::write(&path, "a.o: a.c b\\ c.h \\\n /d/e.h\n\nb.h:\n").expect("a file");
        let paths = ["a.c", "b c.h", "/d/e.h"].map(PathBuf::from);
        assert_eq!(read(&path), paths);
        std::fs::write(&path, rule(paths.iter())).expect("a file");
        assert_eq!(read(&path), paths);
        std::fs::remove_file(&path).expect("it can be removed");
        assert!(read(&path).is_empty());
    }
}
