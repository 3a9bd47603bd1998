//! The sources of programs: the code model of CMake's file interface.

use super::scratch::NOTHING;
use crate::failure::Failure;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// Sources that are compiled alike, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// The files, absolute.
    pub sources: Vec<PathBuf>,
    /// The language that CMake compiles them as, or that it compiles them not; `None`: by their
    /// names.
    pub language: Option<String>,
    /// The static library that it is a part of: members that no program asks for are left out.
    pub library: Option<String>,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Folders of headers, in the order in which they are searched.
    pub includes: Vec<Include>,
    /// All other options of the compiler.
    pub options: Vec<String>,
}

/// A folder of headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    /// The folder, absolute.
    pub folder: PathBuf,
    /// `true` if the compiler is to take it for the system's: it warns of nothing there.
    pub is_system: bool,
}

impl Include {
    /// A folder of the project's own.
    pub(crate) fn of(folder: PathBuf) -> Self {
        Self { folder, is_system: false }
    }
}

impl Part {
    /// One file, compiled as it is.
    pub(crate) fn of(file: PathBuf) -> Self {
        Self { sources: vec![file], ..Self::default() }
    }

    /// Returns the compiler's arguments for each, in CMake's order. What it warns of is shown and
    /// stops nothing.
    fn arguments(&self) -> Vec<String> {
        let stops = |option: &&String| !option.starts_with("-Werror");
        let mut arguments = self.macros_and_folders();
        arguments.extend(self.options.iter().filter(stops).cloned());
        arguments
    }

    /// Returns the compiler's arguments for one of the files: its name may not say its language.
    pub fn arguments_of(&self, source: &Path) -> Vec<String> {
        let ending = source.extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let language = match self.language.as_deref() {
            Some("C") if ending != "c" => Some("c"),
            Some("ASM") if !["s", "S"].contains(&ending) => Some("assembler-with-cpp"),
            _ => None,
        };
        let mut arguments = self.arguments();
        if let Some(language) = language {
            arguments.extend(["-x".to_owned(), language.to_owned()]);
        }
        arguments
    }

    /// Returns the arguments that decide what headers say.
    pub(crate) fn preprocessing(&self) -> Vec<String> {
        let decides = |option: &&String| {
            ["-D", "-U", "-I"].iter().any(|start| option.starts_with(start) && option.len() > 2)
        };
        let mut arguments = self.macros_and_folders();
        arguments.extend(self.options.iter().filter(decides).cloned());
        arguments
    }

    fn macros_and_folders(&self) -> Vec<String> {
        let mut arguments: Vec<String> =
            self.defines.iter().map(|define| format!("-D{define}")).collect();
        for include in &self.includes {
            let folder = include.folder.to_string_lossy();
            match include.is_system {
                true => arguments.extend(["-isystem".to_owned(), folder.into_owned()]),
                false => arguments.push(format!("-I{folder}")),
            }
        }
        arguments
    }
}

/// A component's program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    /// Its own sources come first, then those of libraries in the order in which they are linked.
    pub(crate) parts: Vec<Part>,
    /// The target that Ninja makes before these can be compiled.
    pub(crate) ready: Option<String>,
    /// The objects that are linked and were compiled elsewhere.
    pub(crate) compiled: Vec<String>,
    /// Names that it is linked with and that no library of the project has.
    pub(crate) unknown: Vec<String>,
    /// Options of the linker that libraries ask for.
    pub(crate) link_flags: Vec<String>,
    /// The reasons for which it cannot be compiled.
    pub(crate) problems: Failure,
}

/// The programs of a project.
#[derive(Debug, Default)]
pub(super) struct Programs {
    targets: Vec<Target>,
    /// The project's folder and CMake's own.
    paths: Paths,
}

/// The content of CMake's reply.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) programs: Programs,
    pub(super) files: BTreeSet<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct Index {
    objects: Vec<Object>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    kind: String,
    json_file: String,
}

#[derive(Debug, Deserialize)]
struct CodeModel {
    paths: Paths,
    configurations: Vec<Configuration>,
}

#[derive(Debug, Clone, Default, Deserialize)]
struct Paths {
    source: PathBuf,
    build: PathBuf,
}

#[derive(Debug, Deserialize)]
struct Configuration {
    targets: Vec<Reference>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reference {
    json_file: String,
}

#[derive(Debug, Deserialize)]
struct CMakeFiles {
    inputs: Vec<Input>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Input {
    path: PathBuf,
    #[serde(default)]
    is_c_make: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Target {
    name: String,
    #[serde(rename = "type")]
    kind: String,
    paths: Paths,
    #[serde(default)]
    artifacts: Vec<Artifact>,
    #[serde(default)]
    sources: Vec<Source>,
    #[serde(default)]
    compile_groups: Vec<Group>,
    #[serde(default)]
    link: Link,
}

#[derive(Debug, Deserialize)]
struct Artifact {
    path: PathBuf,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Source {
    path: PathBuf,
    compile_group_index: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    language: String,
    #[serde(default)]
    compile_command_fragments: Vec<Fragment>,
    #[serde(default)]
    defines: Vec<Define>,
    #[serde(default)]
    includes: Vec<Folder>,
}

#[derive(Debug, Deserialize)]
struct Fragment {
    fragment: String,
    #[serde(default)]
    role: String,
}

#[derive(Debug, Deserialize)]
struct Define {
    define: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Folder {
    path: PathBuf,
    #[serde(default)]
    is_system: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Link {
    #[serde(default)]
    command_fragments: Vec<Fragment>,
}

/// Reads what CMake replied.
pub(super) fn read(scratch: &Path) -> Result<Reply, (PathBuf, io::Error)> {
    let folder = scratch.join(".cmake/api/v1/reply");
    let index: Index = json(&newest(&folder).map_err(|error| (folder.clone(), error))?)?;
    let file = |kind: &str| {
        let found = index.objects.iter().find(|object| object.kind == kind);
        let name = found.map_or("", |object| object.json_file.as_str());
        folder.join(name)
    };
    let model: CodeModel = json(&file("codemodel"))?;
    let read: CMakeFiles = json(&file("cmakeFiles"))?;
    let references = model.configurations.iter().flat_map(|one| &one.targets);
    let targets = references.map(|one| json(&folder.join(&one.json_file)));
    let targets = targets.collect::<Result<Vec<Target>, _>>()?;
    let own = read.inputs.iter().filter(|input| !input.is_c_make);
    let files = own
        .map(|input| model.paths.source.join(&input.path))
        .filter(|path| !path.starts_with(&model.paths.build))
        .collect();
    Ok(Reply { programs: Programs { targets, paths: model.paths }, files })
}

/// The index that was written last.
fn newest(folder: &Path) -> io::Result<PathBuf> {
    let entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let named = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("index-"))
    };
    let newest = entries.iter().map(|entry| entry.path()).filter(named).max();
    newest.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "CMake has written no index"))
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, (PathBuf, io::Error)> {
    let text = std::fs::read_to_string(path).map_err(|error| (path.to_owned(), error))?;
    serde_json::from_str(&text).map_err(|error| (path.to_owned(), io::Error::other(error)))
}

impl Programs {
    /// The program of a component's or an instance's target.
    pub(super) fn of(&self, target: &str) -> Option<Program> {
        let name = format!("fusee_{target}");
        let target = self.targets.iter().find(|one| one.name == name)?;
        let ready = Some(format!("cmake_object_order_depends_target_{name}"));
        let mut program = Program { ready, ..Program::default() };
        let mut seen = BTreeSet::new();
        self.add(target, None, (&mut program, &mut seen));
        for fragment in &target.link.command_fragments {
            for word in words(&fragment.fragment) {
                self.link(&word, &fragment.role, &mut program, &mut seen);
            }
        }
        Some(program)
    }

    /// Adds what a target is compiled from, and the objects that it takes from others, as parts
    /// of the library that they come in.
    fn add<'a>(
        &'a self,
        target: &'a Target,
        library: Option<&str>,
        (program, seen): (&mut Program, &mut BTreeSet<&'a str>),
    ) {
        if !seen.insert(&target.name) {
            return;
        }
        let mut groups: BTreeMap<Option<usize>, Vec<PathBuf>> = BTreeMap::new();
        let mut objects = Vec::new();
        for source in &target.sources {
            let path = self.paths.source.join(&source.path);
            if path == self.paths.build.join(NOTHING) {
                continue;
            }
            match path.extension().and_then(|ending| ending.to_str()) {
                Some("o" | "obj") => objects.push(path),
                _ => groups.entry(source.compile_group_index).or_default().push(path),
            }
        }
        for (group, sources) in groups {
            let group = group.and_then(|at| target.compile_groups.get(at));
            let part = group.map_or_else(not_compiled, Group::part);
            let library = library.map(str::to_owned);
            program.parts.push(Part { sources, library, ..part });
        }
        for object in objects {
            match self.compiling(&object) {
                Some(target) => self.add(target, library, (program, seen)),
                None => program.compiled.push(object.to_string_lossy().into_owned()),
            }
        }
    }

    /// The target in whose folder an object would be.
    fn compiling(&self, object: &Path) -> Option<&Target> {
        let folder = |target: &Target| {
            let build = self.paths.build.join(&target.paths.build);
            build.join("CMakeFiles").join(format!("{}.dir", target.name))
        };
        self.targets.iter().find(|target| object.starts_with(lexical(&folder(target))))
    }

    /// Adds what a word of the linker's command stands for.
    fn link<'a>(
        &'a self,
        word: &str,
        role: &str,
        program: &mut Program,
        seen: &mut BTreeSet<&'a str>,
    ) {
        let path = self.paths.build.join(word);
        let made = |target: &&Target| {
            target.artifacts.iter().any(|artifact| self.paths.build.join(&artifact.path) == path)
        };
        if let Some(target) = self.targets.iter().find(made) {
            let library = (target.kind == "STATIC_LIBRARY").then_some(target.name.as_str());
            self.add(target, library, (program, seen));
        } else if let Some(target) = self.compiling(&path) {
            self.add(target, None, (program, seen));
        } else if let Some(name) = word.strip_prefix("-l") {
            program.unknown.push(name.to_owned());
        } else if word.starts_with('-') || role != "libraries" {
            program.link_flags.push(word.to_owned());
        } else {
            program.compiled.push(word.to_owned());
        }
    }
}

/// Returns a part that CMake lists among sources and does not compile.
fn not_compiled() -> Part {
    Part { language: Some("none".into()), ..Part::default() }
}

/// A path without the single dots in it.
fn lexical(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != std::path::Component::CurDir).collect()
}

impl Group {
    fn part(&self) -> Part {
        let include =
            |folder: &Folder| Include { folder: folder.path.clone(), is_system: folder.is_system };
        Part {
            sources: Vec::new(),
            library: None,
            language: Some(self.language.clone()),
            defines: self.defines.iter().map(|define| define.define.clone()).collect(),
            includes: self.includes.iter().map(include).collect(),
            options: self
                .compile_command_fragments
                .iter()
                .flat_map(|fragment| words(&fragment.fragment))
                .collect(),
        }
    }
}

/// The words of a piece of a command, as a shell would take them.
fn words(text: &str) -> Vec<String> {
    shlex::split(text).unwrap_or_else(|| vec![text.to_owned()])
}
