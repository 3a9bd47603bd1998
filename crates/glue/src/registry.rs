//! Crates of a registry that a component in Rust needs.
//!
//! A `Cargo.lock` beside its `Cargo.toml` says which versions, with their checksums, so that
//! the same sources give the same image everywhere. They are downloaded once.

use crate::failure::{self, Failure};
use crate::{messages, rules};
use fusee_diagnostics::Diagnostic;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use toml::{Table, Value};

/// The versions that a component's crate was written for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lock {
    text: String,
    path: PathBuf,
}

impl Lock {
    /// Returns the lock file beside the manifest in a folder, if there is one.
    pub(crate) fn beside(folder: &Path) -> Result<Option<Self>, Failure> {
        let path = folder.join("Cargo.lock");
        if !path.is_file() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path).map_err(|error| failure::file(&path, &error))?;
        Ok(Some(Self { text, path }))
    }
}

/// Puts the versions into a workspace; without them it has crates of the project only.
pub(crate) fn pin(lock: Option<&Lock>, workspace: &Path) -> Result<(), Failure> {
    let path = workspace.join("Cargo.lock");
    match lock {
        Some(lock) => failure::write(&path, &lock.text),
        None if path.exists() => {
            std::fs::remove_file(&path).map_err(|error| failure::file(&path, &error))
        }
        None => Ok(()),
    }
}

/// The number of further tries for a download that the network breaks off, where the user does not
/// say: after cargo's own 3 a build of minutes would be lost.
const RETRIES: &str = "10";

/// Downloads the sources that are not here yet, by a command of cargo's that asks no one and one
/// that asks the registry.
pub(crate) fn fetch(
    component: &str,
    mut offline: Command,
    mut online: Command,
) -> Result<(), Failure> {
    let run = |cargo: &mut Command| {
        cargo.output().map_err(|error| failure::file(Path::new("cargo"), &error))
    };
    if run(&mut offline)?.status.success() {
        return Ok(());
    }
    if std::env::var_os("CARGO_NET_RETRY").is_none() {
        online.env("CARGO_NET_RETRY", RETRIES);
    }
    let output = run(&mut online)?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(vec![messages::crates(component, &said)])
}

/// Returns the folder in which cargo keeps the sources of a registry.
pub(crate) fn sources() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    Some(home.join("registry/src"))
}

/// Checks that a workspace was built with the pinned packages.
pub(crate) fn check(component: &str, lock: Option<&Lock>, workspace: &Path) -> Result<(), Failure> {
    let used = Lock::beside(workspace)?.map(|used| packages(&used.text)).unwrap_or_default();
    let pinned = lock.map(|lock| packages(&lock.text)).unwrap_or_default();
    let others: Vec<String> = used.difference(&pinned).map(|name| format!("`{name}`")).collect();
    if others.is_empty() {
        return Ok(());
    }
    let others = others.join(", ");
    let (message, next) = match lock {
        Some(lock) => {
            let path = lock.path.display();
            let message = format!("the `Cargo.lock` of `{component}` does not have {others}");
            (message, format!("next: `cargo update --workspace` where {path} lies"))
        }
        None => (
            format!("crates that `{component}` needs take {others} from a registry"),
            "next: `cargo generate-lockfile` in its crate's folder, and keep `Cargo.lock`".into(),
        ),
    };
    Err(vec![Diagnostic::error(rules::FOREIGN_CRATES, message).with_note(next)])
}

/// Name and version of each package that comes from elsewhere.
fn packages(lock: &str) -> BTreeSet<String> {
    let table: Table = lock.parse().unwrap_or_default();
    let all = table.get("package").and_then(Value::as_array).cloned().unwrap_or_default();
    all.iter()
        .filter(|package| package.get("source").is_some())
        .filter_map(|package| {
            let of = |key| package.get(key).and_then(Value::as_str);
            Some(format!("{} {}", of("name")?, of("version")?))
        })
        .collect()
}
