//! The `Cargo.toml` of a component in Rust.
//!
//! A component's crate is built as part of a workspace of the build's own. Taken over are
//! the edition, features, other crates of the project, and crates of a registry if
//! their versions are pinned.

use crate::failure::{self, Failure};
use crate::registry::Lock;
use crate::rules;
use fusee_diagnostics::Diagnostic;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The edition of a component without a manifest: it knows `#[no_mangle]` and
/// `#[unsafe(no_mangle)]`.
const EDITION: &str = "2021";

/// The parts of a manifest that are taken over.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Manifest {
    pub(crate) edition: String,
    /// The sections `dependencies` and `features`, as text; paths are absolute.
    pub(crate) sections: String,
    /// The versions of what comes from a registry.
    pub(crate) lock: Option<Lock>,
}

impl Manifest {
    /// The manifest beside a crate's root file, or above its folder `src`.
    pub(crate) fn of(root: &Path, component: &str) -> Result<Self, Failure> {
        let folder = root.parent().unwrap_or(Path::new(""));
        let above = folder.parent().filter(|_| folder.ends_with("src"));
        let mut folders = std::iter::once(folder).chain(above);
        match folders.find(|folder| folder.join("Cargo.toml").is_file()) {
            Some(folder) => Self::read(folder, component),
            None => Ok(Self { edition: EDITION.into(), sections: String::new(), lock: None }),
        }
    }

    fn read(folder: &Path, component: &str) -> Result<Self, Failure> {
        let path = folder.join("Cargo.toml");
        let text = std::fs::read_to_string(&path).map_err(|error| failure::file(&path, &error))?;
        let refused = |what: String| {
            let message = format!("the crate of `{component}` {what}");
            vec![
                Diagnostic::error(rules::FOREIGN_CRATES, message)
                    .with_note(format!("says {}", path.display())),
            ]
        };
        let table: Table = text
            .parse()
            .map_err(|error: toml::de::Error| refused(format!("is odd: {}", error.message())))?;
        let package = table.get("package").and_then(Value::as_table);
        let of_package = |key: &str| package.and_then(|package| package.get(key));
        if of_package("build").is_some_and(|build| *build != Value::Boolean(false))
            || folder.join("build.rs").is_file()
        {
            return Err(refused("has a build script, which is not run here".into()));
        }
        // Without a word Cargo takes the first edition.
        let edition = of_package("edition").and_then(Value::as_str).unwrap_or("2015").to_owned();
        let wanted =
            table.get("dependencies").and_then(Value::as_table).cloned().unwrap_or_default();
        let lock = Lock::beside(folder)?;
        let mut dependencies = Table::new();
        for (name, how) in wanted {
            let taken = match Origin::of(&how) {
                Origin::Project(path) => own(folder, &path, &how)
                    .ok_or_else(|| refused(format!("needs `{name}`, and {path:?} is not there")))?,
                Origin::Registry if lock.is_none() => {
                    let next = format!("next: `cargo generate-lockfile` in {}", folder.display());
                    let mut failure = refused(format!(
                        "needs `{name}` of a registry, and no `Cargo.lock` says which version"
                    ));
                    failure.iter_mut().for_each(|said| said.notes.push(next.clone()));
                    return Err(failure);
                }
                Origin::Registry => how,
                Origin::Elsewhere => {
                    return Err(refused(format!(
                        "needs `{name}`, which has neither a `path` nor a `version`"
                    )));
                }
            };
            dependencies.insert(name, taken);
        }
        let mut sections = Table::new();
        sections.insert("dependencies".into(), Value::Table(dependencies));
        sections.extend(
            table.get("features").map(|features| ("features".to_owned(), features.clone())),
        );
        Ok(Self { edition, sections: sections.to_string(), lock })
    }
}

/// The origin of a crate.
enum Origin {
    /// The project, at this path.
    Project(String),
    Registry,
    /// A repository, or what a workspace says.
    Elsewhere,
}

impl Origin {
    fn of(how: &Value) -> Self {
        let says = |key: &str| how.get(key).and_then(Value::as_str);
        match says("path") {
            Some(path) => Self::Project(path.to_owned()),
            None if says("git").is_some() => Self::Elsewhere,
            None if how.is_str() || says("version").is_some() => Self::Registry,
            None => Self::Elsewhere,
        }
    }
}

/// A crate of the project's own, by its absolute path.
fn own(folder: &Path, path: &str, how: &Value) -> Option<Value> {
    let mut how = how.as_table()?.clone();
    let path: PathBuf = folder.join(path).canonicalize().ok()?;
    how.insert("path".into(), Value::String(path.to_string_lossy().into_owned()));
    Some(Value::Table(how))
}
