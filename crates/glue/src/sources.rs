//! Which files a component is made of.
//!
//! A CAmkES project says so in its `CMakeLists.txt`, beside the description or in a
//! folder above it. Without one, a component named `Name` has the files in
//! `components/Name/src` or else `components/Name` beside the description. A component
//! without any can be a stub, if that is asked for. Facts about its code, which bounds of
//! its execution time rest on, are in `Name.facts.toml` in a folder of these files.

use crate::cmake::{self, Declared};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A component's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sources {
    pub(crate) c: Vec<PathBuf>,
    /// The root of the Rust crate; its other files are found by the compiler.
    pub(crate) rust: Option<PathBuf>,
    pub(crate) includes: Vec<PathBuf>,
    pub(crate) flags: Vec<String>,
}

impl Sources {
    /// Whether there is nothing to compile.
    pub(crate) fn is_empty(&self) -> bool {
        self.c.is_empty() && self.rust.is_none()
    }

    fn add(&mut self, file: PathBuf) {
        match file.extension().and_then(|ending| ending.to_str()) {
            Some("c" | "S" | "s") => self.c.push(file),
            Some("rs") => {
                let root = |path: &Path| path.file_name().is_some_and(|name| name == "lib.rs" || name == "main.rs");
                if self.rust.as_deref().is_none_or(|known| !root(known) && root(&file)) {
                    self.rust = Some(file);
                }
            }
            _ => {}
        }
    }
}

/// Where the files of all components are.
#[derive(Debug)]
pub(crate) struct Project {
    folder: PathBuf,
    declared: BTreeMap<String, Declared>,
}

impl Project {
    /// Looks around a description's folder.
    pub(crate) fn around(folder: &Path) -> Self {
        let found = folder.ancestors().take(3).find_map(|folder| {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let text = std::fs::read_to_string(folder.join("CMakeLists.txt")).ok()?;
            let declared = cmake::declared(&text, folder);
            (!declared.is_empty()).then(|| (folder.to_path_buf(), declared))
        });
        let (project, declared) = found.unwrap_or_else(|| (folder.to_path_buf(), BTreeMap::new()));
        Self { folder: if declared.is_empty() { folder.to_path_buf() } else { project }, declared }
    }

    /// The files of a component type.
    pub(crate) fn sources(&self, kind: &str) -> Sources {
        match self.declared.get(kind) {
            Some(declared) => self.of_project(declared),
            None => self.of_folders(kind),
        }
    }

    /// Where [`Project::sources`] looked for the files of a component type that has none.
    pub(crate) fn place(&self, kind: &str) -> PathBuf {
        self.folder.join("components").join(kind)
    }

    fn of_project(&self, declared: &Declared) -> Sources {
        let mut sources = Sources { flags: declared.flags.clone(), ..Sources::default() };
        declared.sources.iter().for_each(|file| sources.add(self.folder.join(file)));
        sources.includes = declared.includes.iter().map(|folder| self.folder.join(folder)).collect();
        sources.includes.extend(self.shared());
        sources
    }

    fn of_folders(&self, kind: &str) -> Sources {
        let place = self.place(kind);
        let mut sources = Sources::default();
        if kind.is_empty() {
            return sources;
        }
        for folder in [place.join("src"), place.clone()] {
            files(&folder).into_iter().for_each(|file| sources.add(file));
            if !sources.is_empty() {
                break;
            }
        }
        sources.includes = [place.join("include"), place].into_iter().filter(|folder| folder.is_dir()).collect();
        sources.includes.extend(self.shared());
        sources
    }

    /// Headers for all components.
    fn shared(&self) -> impl Iterator<Item = PathBuf> {
        ["include", "interfaces"].map(|name| self.folder.join(name)).into_iter().filter(|folder| folder.is_dir())
    }
}

/// The files of facts about a component type that is described in a folder.
pub fn facts_files(folder: &Path, kind: &str) -> Vec<PathBuf> {
    let project = Project::around(folder);
    let Sources { c, rust, .. } = project.sources(kind);
    let files = c.iter().chain(&rust).filter_map(|file| file.parent());
    let folders: BTreeSet<PathBuf> = files.map(Path::to_path_buf).chain([project.place(kind)]).collect();
    let name = format!("{kind}.facts.toml");
    folders.into_iter().map(|folder| folder.join(&name)).filter(|path| path.is_file()).collect()
}

/// The files in a folder, in order of names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}
