//! The files that a component is made of.
//!
//! A CAmkES project says so in its `CMakeLists.txt`, beside the description or in a
//! folder above it, or beside a component in a folder of imports. Without one, a component
//! named `Name` has the files in `components/Name/src` or else `components/Name` beside
//! the description. A component without any can be a stub, if that is asked for. Facts
//! about its code, which bounds of its execution time rest on, are in `Name.facts.toml` in
//! a folder of these files.

use crate::cmake::{self, Asked, Include, Part, Program, Run};
use crate::failure::{self, Failure};
use crate::paths::absolute;
use crate::{crate_root, rules};
use fusee_diagnostics::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::TempDir;

/// The sources that a component is compiled from.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// C and assembly, with what they are compiled with; the component's own come first.
    pub parts: Vec<Part>,
    /// The root of the Rust crate; its other files are found by the compiler.
    pub rust: Option<PathBuf>,
    /// Files in languages that are not compiled here.
    pub(crate) foreign: Vec<PathBuf>,
    /// The objects that are linked and were compiled elsewhere.
    pub(crate) compiled: Vec<String>,
    /// The reasons for which it cannot be compiled.
    pub(crate) problems: Failure,
    /// The run of CMake whose rules make some of it, and the name of their result.
    made: Option<(Arc<Run>, String)>,
}

impl Sources {
    /// These files, each compiled by itself.
    pub(crate) fn of_files(files: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut sources = Self::default();
        files.into_iter().for_each(|file| sources.add(Part::of(file)));
        sources
    }

    /// Returns the sources of a program of CMake's.
    fn of_program(program: Program, run: Arc<Run>) -> Self {
        let Program { parts, ready, compiled, problems, .. } = program;
        let made = ready.map(|ready| (run, ready));
        let mut sources = Self { compiled, problems, made, ..Self::default() };
        parts.into_iter().for_each(|part| sources.add(part));
        sources
    }

    /// Returns `true` if there is nothing to compile.
    pub(crate) fn is_empty(&self) -> bool {
        self.parts.iter().all(|part| part.sources.is_empty())
            && self.rust.is_none()
            && self.foreign.is_empty()
            && self.compiled.is_empty()
            && self.problems.is_empty()
    }

    /// Returns `true` if there is something to compile, and all of it is in C, assembly or Rust.
    pub(crate) fn is_compiled_here(&self) -> bool {
        let elsewhere = self.foreign.is_empty() && self.compiled.is_empty();
        !self.is_empty() && elsewhere && self.problems.is_empty()
    }

    /// Lets CMake make the sources and headers that it has commands for.
    pub(crate) fn generate(&self) -> Result<(), Failure> {
        match &self.made {
            Some((run, ready)) => run.generate(std::slice::from_ref(ready)),
            None => Ok(()),
        }
    }

    /// One of its files, if there are any.
    pub(crate) fn first(&self) -> Option<&Path> {
        let compiled = self.parts.iter().flat_map(|part| &part.sources);
        compiled.chain(&self.rust).chain(&self.foreign).next().map(PathBuf::as_path)
    }

    /// Takes the files of a part: what is in C or assembly, each once.
    fn add(&mut self, mut part: Part) {
        let known = part.language.as_deref().is_some_and(|name| ["C", "ASM"].contains(&name));
        let mut seen = BTreeSet::new();
        for file in std::mem::take(&mut part.sources) {
            if !seen.insert(file.clone()) {
                continue;
            }
            match file.extension().and_then(|ending| ending.to_str()) {
                _ if known => part.sources.push(file),
                Some("c" | "S" | "s") if part.language.is_none() => part.sources.push(file),
                Some("rs") => {
                    let root = |path: &Path| {
                        path.file_name().is_some_and(|name| name == "lib.rs" || name == "main.rs")
                    };
                    if self.rust.as_deref().is_none_or(|known| !root(known) && root(&file)) {
                        self.rust = Some(file);
                    }
                }
                Some("toml") if file.ends_with("Cargo.toml") => {
                    self.rust = file.parent().map(crate_root::of);
                }
                Some("cpp" | "cc" | "cxx" | "C" | "cml" | "sml") => self.foreign.push(file),
                _ => {}
            }
        }
        self.parts.push(part);
    }
}

/// The options that a user gives beside a description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// Macros, and variables of CMake files; without a value: 1.
    pub defines: Vec<(String, Option<String>)>,
    /// Folders of imports, and of headers.
    pub includes: Vec<PathBuf>,
}

/// The folders and files of all components.
#[derive(Debug)]
pub struct Project {
    /// The folder of the description, or of the CMake files that declare its components.
    folder: PathBuf,
    /// The project that the description belongs to.
    main: Option<Arc<Run>>,
    /// Those of folders of imports, by their folders, once something of them was needed.
    others: Mutex<BTreeMap<PathBuf, Arc<Run>>>,
    includes: Vec<PathBuf>,
    asked: Around,
}

/// The request that all runs of CMake share.
#[derive(Debug)]
struct Around {
    description: PathBuf,
    word: u32,
    variables: Vec<(String, String)>,
    scratch: Scratch,
}

/// The folder in which CMake works.
#[derive(Debug)]
enum Scratch {
    /// Nowhere, for want of a folder.
    None,
    /// A folder that is gone when the project is.
    Own(TempDir),
    /// A folder of a build.
    Given(PathBuf),
}

impl Around {
    /// Runs CMake on a project, in a folder of its own.
    fn run(&self, project: &Path) -> Result<Run, Failure> {
        let scratch = match &self.scratch {
            Scratch::None => {
                let message = "there is no folder in which CMake can work";
                return Err(vec![Diagnostic::error(rules::FILE, message)]);
            }
            Scratch::Own(folder) => folder.path().to_owned(),
            Scratch::Given(folder) => folder.clone(),
        };
        // The same project comes to the same folder, so that what is unchanged is not made again.
        let name: String = project
            .to_string_lossy()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let scratch = scratch.join(name.trim_matches('_'));
        std::fs::create_dir_all(&scratch).map_err(|error| failure::file(&scratch, &error))?;
        let scratch = absolute(&scratch);
        let (description, word, variables) = (&self.description, self.word, &self.variables);
        Ok(Run::of(&Asked { project, description, scratch, word, variables }))
    }
}

/// The project's options for reading its description.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Folders in which imports and included files are looked for.
    pub include_paths: Vec<PathBuf>,
    /// The macros to define.
    pub defines: Vec<(String, Option<String>)>,
    /// Connectors that are made from templates.
    pub connectors: Vec<Connector>,
}

/// A connector with the templates that the project makes it from: bare names are CAmkES's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Connector {
    /// The name as it is shown.
    pub name: String,
    /// The templates of the connector.
    pub templates: Vec<String>,
    /// The place of the declaration: `CMakeLists.txt:15`.
    pub place: String,
}

impl Project {
    /// Looks around a description's folder, for a machine with words of so many bytes. What CMake
    /// writes is gone when this is.
    pub fn around(folder: &Path, word: u32, given: &Given) -> Self {
        let scratch = tempfile::Builder::new().prefix("fusee-cmake-").tempdir();
        Self::with(folder, word, given, scratch.map_or(Scratch::None, Scratch::Own))
    }

    /// The same for a build: what CMake writes stays in the folder `out`.
    pub fn built_in(out: &Path, folder: &Path, word: u32, given: &Given) -> Self {
        Self::with(folder, word, given, Scratch::Given(out.to_owned()))
    }

    fn with(folder: &Path, word: u32, given: &Given, scratch: Scratch) -> Self {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "1".into());
        let variables = given.defines.iter().map(|(name, of)| (name.clone(), value(of))).collect();
        let description = absolute(folder);
        let asked = Around { description: description.clone(), word, variables, scratch };
        let main = belongs(&description, &asked).map(Arc::new);
        let project = main.as_ref().filter(|run| run.said.has_components());
        Self {
            folder: project.map_or(description, |run| run.project.clone()),
            main,
            others: Mutex::default(),
            includes: given.includes.iter().map(|folder| absolute(folder)).collect(),
            asked,
        }
    }

    /// Returns the reason for which the project's own files refuse to be built for this machine:
    /// the place and the text.
    pub fn refusal(&self) -> Option<(&str, &str)> {
        let refusal = self.main.as_ref()?.refusal.as_ref()?;
        Some((refusal.0.as_str(), refusal.1.as_str()))
    }

    /// Returns the reasons for which CMake could not say what the project consists of.
    pub fn problems(&self) -> &[Diagnostic] {
        self.main.as_ref().map_or(&[], |run| &run.problems)
    }

    /// Returns the warnings of CMake and of the project's files.
    pub fn warnings(&self) -> &[Diagnostic] {
        self.main.as_ref().map_or(&[], |run| &run.warnings)
    }

    /// Returns the project's options for reading a description.
    pub fn reading(&self, description: &Path) -> Reading {
        let Some(said) = self.main.as_ref().map(|run| &run.said) else { return Reading::default() };
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
        let Some(said) = self.main.as_ref().map(|run| &run.said) else { return Vec::new() };
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

    /// Returns `true` if there is a project of CAmkES's, whose defaults hold where a description is
    /// silent.
    pub fn is_camkes(&self) -> bool {
        self.main.as_ref().is_some_and(|run| run.said.has_components())
    }

    /// Returns `true` if a component type is written in CakeML.
    pub fn is_cakeml(&self, kind: &str) -> bool {
        self.declared(kind, "").is_some_and(|declared| declared.cakeml)
    }

    /// Returns `true` if a component is written in Rust, or some of it.
    pub(crate) fn is_rust(&self, kind: &str, instance: &str) -> bool {
        self.sources(kind, instance).rust.is_some()
    }

    /// Returns the project's declarations about a component beside its sources, for its type and
    /// for the instance.
    pub(crate) fn declared(&self, kind: &str, instance: &str) -> Option<Declared> {
        let run = self.declaring(kind, instance)?;
        let (program, targets) = run.program(kind, instance)?;
        let mut declared = Declared {
            link_flags: program.link_flags,
            unknown_libraries: program.unknown,
            ..Declared::default()
        };
        for target in targets {
            declared.link_flags.extend(target.link_flags.iter().cloned());
            declared.templates.extend(target.templates.iter().cloned());
            declared.unknown_words.extend(target.unknown.iter().cloned());
            declared.cakeml |= target.cakeml;
            declared.place.clone_from(&target.place);
        }
        Some(declared)
    }

    /// The project that declares a component: the description's own, or one in a folder of imports.
    fn declaring(&self, kind: &str, instance: &str) -> Option<Arc<Run>> {
        let declares = |run: &Run| !run.said.targets(kind, instance).is_empty();
        if let Some(main) = self.main.as_ref().filter(|run| declares(run)) {
            return Some(main.clone());
        }
        let read = |file: &Path| self.main.as_ref().is_some_and(|run| run.files.contains(file));
        let mut near = self.imports().into_iter().flat_map(|import| {
            let inner = folders(&import);
            std::iter::once(import).chain(inner)
        });
        near.find_map(|folder| {
            let file = folder.join("CMakeLists.txt");
            let names = folder.ends_with(kind)
                || std::fs::read_to_string(&file).is_ok_and(|text| text.contains(kind));
            if kind.is_empty() || !names || !file.is_file() || read(&file) {
                return None;
            }
            let run = self.other(&folder)?;
            (declares(&run) || !run.problems.is_empty()).then_some(run)
        })
    }

    /// Runs CMake on a project in a folder of imports, once.
    fn other(&self, folder: &Path) -> Option<Arc<Run>> {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = others.get(folder) {
            return Some(known.clone());
        }
        let run = Arc::new(self.asked.run(folder).ok()?);
        others.insert(folder.to_owned(), run.clone());
        Some(run)
    }

    /// Folders of imports: the user's, then the project's.
    fn imports(&self) -> Vec<PathBuf> {
        let said = self.main.iter().flat_map(|run| &run.said.imports);
        self.includes.iter().chain(said).cloned().collect()
    }

    /// The files of a component.
    pub fn sources(&self, kind: &str, instance: &str) -> Sources {
        let run = self.declaring(kind, instance);
        let program =
            run.as_ref().and_then(|run| Some((run.program(kind, instance)?.0, run.clone())));
        let mut sources = match (program, run) {
            (Some((program, run)), _) => Sources::of_program(program, run),
            (None, Some(run)) => Sources { problems: run.problems.clone(), ..Sources::default() },
            (None, None) => self.of_folders(kind),
        };
        let shared: Vec<PathBuf> = self.shared().collect();
        for part in &mut sources.parts {
            part.includes.extend(shared.iter().cloned().map(Include::of));
        }
        sources
    }

    /// Returns the folder in which [`Project::sources`] looked for the files of a component type
    /// that has none.
    pub(crate) fn place(&self, kind: &str) -> PathBuf {
        self.folder.join("components").join(kind)
    }

    fn of_folders(&self, kind: &str) -> Sources {
        if kind.is_empty() {
            return Sources::default();
        }
        let imports = self.imports().into_iter().map(|folder| folder.join(kind));
        for place in std::iter::once(self.place(kind)).chain(imports) {
            for folder in [place.join("src"), place.clone()] {
                let includes = [place.join("include"), place.clone()]
                    .into_iter()
                    .filter(|folder| folder.is_dir());
                let part = Part {
                    sources: files(&folder),
                    includes: includes.map(Include::of).collect(),
                    ..Part::default()
                };
                let mut found = Sources::default();
                found.add(part);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        Sources::default()
    }

    /// Headers for all components.
    fn shared(&self) -> impl Iterator<Item = PathBuf> {
        let own = ["include", "interfaces"].map(|name| self.folder.join(name)).into_iter();
        own.filter(|folder| folder.is_dir()).chain(self.includes.iter().cloned())
    }
}

/// The project's declarations about a component beside its sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Declared {
    /// Options of the linker.
    pub(crate) link_flags: Vec<String>,
    /// Templates that code or headers are made from.
    pub(crate) templates: Vec<String>,
    /// Words that belong to no keyword.
    pub(crate) unknown_words: Vec<String>,
    /// Libraries that the project does not have.
    pub(crate) unknown_libraries: Vec<String>,
    /// `true` if it is written in CakeML.
    pub(crate) cakeml: bool,
    /// The place of the declaration: `CMakeLists.txt:15`.
    pub(crate) place: String,
}

/// The project that a description belongs to: the outermost one, of its folder and the two above,
/// that comes to the innermost one's file.
///
/// An outer one that does not, or that is no project by itself, is another project.
fn belongs(description: &Path, asked: &Around) -> Option<Run> {
    let file = |folder: &Path| folder.join("CMakeLists.txt");
    let projects: Vec<&Path> =
        description.ancestors().take(3).filter(|folder| file(folder).is_file()).collect();
    let (innermost, outer) = projects.split_first()?;
    for project in outer.iter().rev() {
        match asked.run(project) {
            Ok(run) if run.problems.is_empty() && run.files.contains(&file(innermost)) => {
                return Some(run);
            }
            _ => {}
        }
    }
    Some(asked.run(innermost).unwrap_or_else(|problems| Run::without(innermost, problems)))
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
