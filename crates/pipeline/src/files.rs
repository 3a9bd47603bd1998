//! Files that appear only when they are complete.
//!
//! A report that was cut off by a full disk or by Ctrl-C must not look like one
//! that was finished. So everything is written beside its target under another
//! name, and renamed at the end.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a whole file, or leaves what was there.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let part = beside(path)?;
    let written = File::create(&part).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_all()
    });
    let done = written.and_then(|()| fs::rename(&part, path));
    if done.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&part);
    }
    done
}

/// Returns a name in the same folder that is not taken for a finished file.
pub fn beside(path: &Path) -> io::Result<PathBuf> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path does not end in a name");
    let mut name = path.file_name().ok_or_else(no_name)?.to_owned();
    name.push(format!(".part-{}", std::process::id()));
    Ok(path.with_file_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_all_or_nothing() {
        let folder = std::env::temp_dir().join(format!("fusee-files-{}", std::process::id()));
        fs::create_dir_all(folder.join("taken")).expect("a folder");
        let path = folder.join("report.html");
        write(&path, b"one").expect("it can be written");
        write(&path, b"two").expect("it can be replaced");
        assert_eq!(fs::read(&path).expect("a file"), b"two");
        // A folder can't be replaced by a file: the part is removed again.
        assert!(write(&folder.join("taken"), b"x").is_err());
        assert!(write(Path::new("/"), b"x").is_err());
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2);
        fs::remove_dir_all(folder).expect("it can be removed");
    }
}
