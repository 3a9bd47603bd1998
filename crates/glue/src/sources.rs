//! Which files a component is made of.
//!
//! A CAmkES project says so in its `CMakeLists.txt`, beside the description or in a
//! folder above it, or beside a component in a folder of imports. Without one, a component
//! named `Name` has the files in `components/Name/src` or else `components/Name` beside
//! the description. A component without any can be a stub, if that is asked for. Facts
//! about its code, which bounds of its execution time rest on, are in `Name.facts.toml` in
//! a folder of these files.

use crate::cmake::{self, Part, Target};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A component's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sources {
    /// C and assembly, with what they are compiled with; the component's own come first.
    pub(crate) parts: Vec<Part>,
    /// The root of the Rust crate; its other files are found by the compiler.
    pub(crate) rust: Option<PathBuf>,
    /// Files in languages that are not compiled here.
    pub(crate) foreign: Vec<PathBuf>,
}

impl Sources {
    /// These files, each compiled by itself.
    pub(crate) fn of_files(files: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut sources = Self::default();
        files.into_iter().for_each(|file| sources.add(Part::of(file)));
        sources
    }

    /// Whether there is nothing to compile.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| part.sources.is_empty())
            && self.rust.is_none()
            && self.foreign.is_empty()
    }

    /// One of its files, if there are any.
    pub(crate) fn first(&self) -> Option<&Path> {
        let compiled = self.parts.iter().flat_map(|part| &part.sources);
        compiled.chain(&self.rust).chain(&self.foreign).next().map(PathBuf::as_path)
    }

    /// Takes the files of a part that are compiled as C.
    fn add(&mut self, mut part: Part) {
        let files = std::mem::take(&mut part.sources);
        for file in files {
            match file.extension().and_then(|ending| ending.to_str()) {
                Some("c" | "S" | "s") => part.sources.push(file),
                Some("rs") => {
                    let root = |path: &Path| {
                        path.file_name().is_some_and(|name| name == "lib.rs" || name == "main.rs")
                    };
                    if self.rust.as_deref().is_none_or(|known| !root(known) && root(&file)) {
                        self.rust = Some(file);
                    }
                }
                Some("cpp" | "cc" | "cxx" | "C" | "cml" | "sml") => self.foreign.push(file),
                _ => {}
            }
        }
        self.parts.push(part);
    }
}

/// What a user gives beside a description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// Macros, and variables of CMake files; without a value: 1.
    pub defines: Vec<(String, Option<String>)>,
    /// Folders of imports, and of headers.
    pub includes: Vec<PathBuf>,
}

/// Where the files of all components are.
#[derive(Debug)]
pub struct Project {
    folder: PathBuf,
    files: cmake::Files,
    includes: Vec<PathBuf>,
}

/// What a project says about how its description is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Folders in which imports and included files are looked for.
    pub include_paths: Vec<PathBuf>,
    /// Macros.
    pub defines: Vec<(String, Option<String>)>,
    /// Connectors that are made from templates.
    pub connectors: Vec<Connector>,
}

/// A connector with the templates that the project makes it from: bare names are CAmkES's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Connector {
    /// Its name.
    pub name: String,
    /// The templates.
    pub templates: Vec<String>,
    /// Where that is said: `CMakeLists.txt:15`.
    pub place: String,
}

impl Project {
    /// Looks around a description's folder, for a machine with words of so many bytes.
    pub fn around(folder: &Path, word: u32, given: &Given) -> Self {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "1".into());
        let defines: Vec<(String, String)> =
            given.defines.iter().map(|(name, of)| (name.clone(), value(of))).collect();
        let mut files = cmake::Files::new(word, &defines);
        let folder = absolute(folder);
        let projects =
            folder.ancestors().take(3).filter(|folder| folder.join("CMakeLists.txt").is_file());
        let projects: Vec<&Path> = projects.collect();
        for (position, project) in projects.iter().enumerate() {
            files.run(project, position == 0);
        }
        let includes: Vec<PathBuf> = given.includes.iter().map(|folder| absolute(folder)).collect();
        for import in includes.iter().chain(&files.said().imports.clone()) {
            files.run(import, false);
            for inner in folders(import) {
                files.run(&inner, false);
            }
        }
        let project = projects.first().filter(|_| !files.said().components.is_empty());
        Self {
            folder: project.map_or(folder.clone(), |project| project.to_path_buf()),
            files,
            includes,
        }
    }

    /// Why the project's own files refuse to be built for this machine: the place and the text.
    pub fn refusal(&self) -> Option<(&str, &str)> {
        self.files.said().refusal.as_ref().map(|(place, text)| (place.as_str(), text.as_str()))
    }

    /// What the project's files say about reading a description.
    pub fn reading(&self, description: &Path) -> Reading {
        let said = self.files.said();
        let mut reading = Reading { include_paths: said.imports.clone(), ..Reading::default() };
        reading.connectors = self.connectors();
        reading.include_paths.extend(said.cpp_includes.iter().cloned());
        let description = description.canonicalize().unwrap_or_else(|_| description.to_owned());
        let system = said
            .systems
            .iter()
            .find(|(file, _)| file.canonicalize().is_ok_and(|file| file == description));
        for flag in system.map_or(&[][..], |(_, flags)| flags) {
            if let Some(folder) = flag.strip_prefix("-I") {
                reading.include_paths.push(self.folder.join(folder));
            } else if let Some(define) = flag.strip_prefix("-D") {
                let (name, value) = define
                    .split_once('=')
                    .map_or((define, None), |(name, value)| (name, Some(value)));
                reading.defines.push((name.to_owned(), value.map(str::to_owned)));
            }
        }
        reading
    }

    fn connectors(&self) -> Vec<Connector> {
        let said = self.files.said();
        // One of the project's own hides CAmkES's, and is named with its folder.
        let shown = |file: &String| {
            let folder = said.templates.iter().find(|folder| folder.join(file).is_file())?;
            Some(format!("{}/{file}", folder.file_name()?.to_string_lossy()))
        };
        let of = |(name, one): (&String, &cmake::Connector)| Connector {
            name: name.clone(),
            templates: one
                .files
                .iter()
                .map(|file| shown(file).unwrap_or_else(|| file.clone()))
                .collect(),
            place: one.place.clone(),
        };
        said.connectors.iter().map(of).collect()
    }

    /// Whether there is a project of CAmkES's, whose defaults hold where a description is silent.
    pub fn is_camkes(&self) -> bool {
        !self.files.said().components.is_empty()
    }

    /// Whether a component type is written in CakeML.
    pub fn is_cakeml(&self, kind: &str) -> bool {
        self.files.said().components.get(kind).is_some_and(|target| target.cakeml)
    }

    /// Whether a component is written in Rust, or some of it.
    pub(crate) fn is_rust(&self, kind: &str, instance: &str) -> bool {
        self.sources(kind, instance).rust.is_some()
    }

    /// What the project says about a component, for its type and for the instance.
    pub(crate) fn declared(&self, kind: &str, instance: &str) -> impl Iterator<Item = &Target> {
        let said = self.files.said();
        let own = said.instances.get(&(kind.to_owned(), instance.to_owned()));
        said.components.get(kind).into_iter().chain(own)
    }

    /// The files of a component.
    pub(crate) fn sources(&self, kind: &str, instance: &str) -> Sources {
        let mut sources = Sources::default();
        match self.files.said().parts(kind, instance) {
            Some(parts) => parts.into_iter().for_each(|part| sources.add(part)),
            None => self.of_folders(kind, &mut sources),
        }
        let shared: Vec<PathBuf> = self.shared().collect();
        for part in &mut sources.parts {
            part.includes.extend(shared.iter().cloned());
        }
        sources
    }

    /// Where [`Project::sources`] looked for the files of a component type that has none.
    pub(crate) fn place(&self, kind: &str) -> PathBuf {
        self.folder.join("components").join(kind)
    }

    fn of_folders(&self, kind: &str, sources: &mut Sources) {
        if kind.is_empty() {
            return;
        }
        let imports =
            self.includes.iter().chain(&self.files.said().imports).map(|folder| folder.join(kind));
        for place in std::iter::once(self.place(kind)).chain(imports) {
            for folder in [place.join("src"), place.clone()] {
                let includes = [place.join("include"), place.clone()]
                    .into_iter()
                    .filter(|folder| folder.is_dir());
                let part = Part {
                    sources: files(&folder),
                    includes: includes.collect(),
                    ..Part::default()
                };
                let mut found = Sources::default();
                found.add(part);
                if !found.is_empty() {
                    *sources = found;
                    return;
                }
            }
        }
    }

    /// Headers for all components.
    fn shared(&self) -> impl Iterator<Item = PathBuf> {
        let own = ["include", "interfaces"].map(|name| self.folder.join(name)).into_iter();
        own.filter(|folder| folder.is_dir()).chain(self.includes.iter().cloned())
    }
}

fn absolute(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// The files of facts about a component type that is described in a folder.
pub fn facts_files(folder: &Path, kind: &str) -> Vec<PathBuf> {
    let project = Project::around(folder, 8, &Given::default());
    let Sources { parts, rust, .. } = project.sources(kind, "");
    let files =
        parts.iter().flat_map(|part| &part.sources).chain(&rust).filter_map(|file| file.parent());
    let folders: BTreeSet<PathBuf> =
        files.map(Path::to_path_buf).chain([project.place(kind)]).collect();
    let name = format!("{kind}.facts.toml");
    folders.into_iter().map(|folder| folder.join(&name)).filter(|path| path.is_file()).collect()
}

/// No more folders of imports than this are looked into.
const MOST_FOLDERS: usize = 1000;

fn folders(folder: &Path) -> Vec<PathBuf> {
    let mut folders = entries(folder);
    folders.retain(|path| path.is_dir());
    folders.truncate(MOST_FOLDERS);
    folders
}

/// The files in a folder, in order of names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = entries(folder);
    files.retain(|path| path.is_file());
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
