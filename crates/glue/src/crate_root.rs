//! The root file of a crate in Rust.

use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The root file of the library in a folder.
pub(crate) fn of(folder: &Path) -> PathBuf {
    let text = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
    let table: Table = text.parse().unwrap_or_default();
    let path = table.get("lib").and_then(|library| library.get("path")).and_then(Value::as_str);
    folder.join(path.unwrap_or("src/lib.rs"))
}
