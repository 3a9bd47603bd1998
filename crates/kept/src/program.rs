//! Programs, told apart by what they are and not by what they are called.

use crate::digest;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Bytes up to which a program is read: scripts that call a compiler and small programs. Reading a
/// compiler of 100 MB would take longer than compiling.
const READ: u64 = 4 << 20;

/// Tells which program a command runs: its file, found in the folders of `PATH` as a shell does,
/// with its contents, or with its size and the time of its last change if it is large. `None` if
/// there is none.
pub fn identity(command: &str) -> Option<String> {
    let file = find(command)?.canonicalize().ok()?;
    let about = file.metadata().ok()?;
    let what = if about.len() <= READ {
        digest(&std::fs::read(&file).ok()?)
    } else {
        let changed = about.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        format!("{} bytes of {} ns", about.len(), changed.as_nanos())
    };
    Some(format!("{} {what}", file.display()))
}

fn find(command: &str) -> Option<PathBuf> {
    if command.contains('/') {
        return Some(Path::new(command).to_owned());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(command)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_told_by_its_contents() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("cc");
        let identity = || identity(&path.to_string_lossy());
        assert_eq!(identity(), None);
        std::fs::write(&path, "#!/bin/sh\nexec gcc \"$@\"\n").expect("it can be written");
        let first = identity();
        std::fs::write(&path, "#!/bin/sh\nexec gcc -Os \"$@\"\n").expect("it can be written");
        assert!(first.is_some() && first != identity());
        // Large ones are told by their sizes and times.
        std::fs::write(&path, vec![0; READ as usize + 1]).expect("it can be written");
        let large = identity();
        std::fs::write(&path, vec![0; READ as usize + 2]).expect("it can be written");
        assert!(large.is_some() && large != identity());
    }

    #[test]
    fn a_command_is_looked_for_as_a_shell_does() {
        assert!(identity("sh").is_some_and(|found| found.starts_with('/')));
        assert_eq!(identity("no-such-program-anywhere"), None);
    }
}
