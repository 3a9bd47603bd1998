//! The files that a compiler has read, in the language of `make`.

use std::io;
use std::path::{Path, PathBuf};

/// Returns the files that a compiler says in such a file that it has read.
///
/// # Errors
/// When the file cannot be read.
pub fn read(dependencies: &Path) -> io::Result<Vec<PathBuf>> {
    Ok(parse(&std::fs::read_to_string(dependencies)?))
}

fn parse(text: &str) -> Vec<PathBuf> {
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
pub fn rule<'a>(files: impl Iterator<Item = &'a PathBuf>) -> String {
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
        let paths = ["a.c", "b c.h", "/d/e.h"].map(PathBuf::from);
        assert_eq!(parse("a.o: a.c b\\ c.h \\\n /d/e.h\n\nb.h:\n"), paths);
        assert_eq!(parse(&rule(paths.iter())), paths);
        assert!(parse("").is_empty());
    }
}
