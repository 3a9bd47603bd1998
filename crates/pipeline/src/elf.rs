//! Linked programs among files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Returns `true` if a file is a linked program; what can't be read is none.
pub fn is_elf(path: &Path) -> bool {
    let mut start = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && start == *b"\x7fELF"
}
