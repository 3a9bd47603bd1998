//! The statements of a project, as they were written down.

use super::rules;
use super::scratch::SAID;
use crate::failure::{self, Failure};
use fusee_diagnostics::Diagnostic;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The declarations of a project; all paths are absolute.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    /// Components and instances, by the names of their targets.
    targets: BTreeMap<String, Target>,
    /// Connectors, with the templates that they are made from.
    pub(crate) connectors: BTreeMap<String, Connector>,
    /// Folders of templates.
    pub(crate) templates: Vec<PathBuf>,
    /// Folders in which descriptions find what they import.
    pub(crate) imports: Vec<PathBuf>,
    /// Folders in which descriptions find what they include.
    pub(crate) cpp_includes: Vec<PathBuf>,
    /// The systems, with the options that descriptions are preprocessed with.
    pub(crate) systems: Vec<(PathBuf, Vec<String>)>,
}

/// A component type, or one of its instances, as declared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Target {
    /// Its name in CMake.
    pub(super) name: String,
    /// The component type.
    kind: String,
    /// The place of its first declaration: `CMakeLists.txt:15`.
    pub(crate) place: String,
    /// Options of the linker.
    pub(crate) link_flags: Vec<String>,
    /// Templates that code or headers are made from.
    pub(crate) templates: Vec<String>,
    /// `true` if it is written in CakeML.
    pub(crate) cakeml: bool,
    /// Words that belong to no keyword.
    pub(crate) unknown: Vec<String>,
    /// Files that are not there.
    absent: Vec<String>,
}

/// The declaration of a connector: its templates, as they are named, and the place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Connector {
    pub(crate) files: Vec<String>,
    pub(crate) place: String,
}

impl Said {
    /// A component type's target and an instance's, as far as they are declared.
    pub(crate) fn targets(&self, kind: &str, instance: &str) -> Vec<&Target> {
        let component = format!("CAmkESComponent_{kind}");
        let own = format!("{component}_instance_{instance}");
        [component, own].iter().filter_map(|name| self.targets.get(name)).collect()
    }

    /// Returns `true` if a component is declared at all.
    pub(crate) fn has_components(&self) -> bool {
        !self.targets.is_empty()
    }

    fn take(&mut self, kind: &str, words: &[&str], place: &str) {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let folder = || words.first().map(PathBuf::from);
        match (kind, words) {
            ("import", _) => self.imports.extend(folder()),
            ("templates", _) => self.templates.extend(folder()),
            ("cpp_include", _) => self.cpp_includes.extend(folder()),
            ("system", [file, flags @ ..]) => self.systems.push((file.into(), owned(flags))),
            ("connector", [name, files @ ..]) => {
                let known = self.connectors.entry((*name).to_owned()).or_default();
                known.files.extend(owned(files));
                known.place = place.to_owned();
            }
            (_, [name, words @ ..]) => {
                let target = self.targets.entry((*name).to_owned()).or_default();
                target.take(kind, owned(words));
                if target.name.is_empty() {
                    target.name = (*name).to_owned();
                    target.place = place.to_owned();
                }
            }
            _ => {}
        }
    }
}

impl Target {
    fn take(&mut self, kind: &str, words: Vec<String>) {
        match kind {
            "component" | "instance" => self.kind = words.first().cloned().unwrap_or_default(),
            "LD_FLAGS" => self.link_flags.extend(words),
            "TEMPLATE_SOURCES" | "TEMPLATE_HEADERS" => self.templates.extend(words),
            "CAKEML_SOURCES" => self.cakeml = true,
            "UNPARSED_ARGUMENTS" => self.unknown.extend(words),
            "absent" => self.absent.extend(words),
            _ => {}
        }
    }

    /// Returns the reasons for which it cannot be compiled as declared.
    pub(super) fn problems(&self, run: &super::Run) -> Failure {
        let of = |file: &String| {
            let file = Path::new(file);
            let shown =
                file.strip_prefix(run.scratch()).or_else(|_| file.strip_prefix(&run.project));
            let shown = shown.unwrap_or(file).display();
            let message = format!("the source `{shown}` of `{}` is not there", self.kind);
            Diagnostic::error(rules::CMAKE_NO_SOURCE, message)
                .with_note(format!("says {}", self.place))
                .with_note("no command of CMake's makes it, either")
        };
        self.absent.iter().map(of).collect()
    }
}

/// Reads what was written down in a folder; `places` says where each statement stands.
pub(super) fn read(scratch: &Path, places: &BTreeMap<usize, String>) -> Result<Said, Failure> {
    let path = scratch.join(SAID);
    let text = std::fs::read_to_string(&path).map_err(|error| failure::file(&path, &error))?;
    let mut said = Said::default();
    for record in text.split_terminator('\u{1e}') {
        let mut words = record.split('\u{1f}');
        let number = words.next().and_then(|number| number.parse::<usize>().ok());
        let Some(kind) = words.next() else { continue };
        let place = number.and_then(|number| places.get(&number)).map_or("", String::as_str);
        said.take(kind, &words.collect::<Vec<_>>(), place);
    }
    Ok(said)
}
