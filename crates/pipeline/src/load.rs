//! From a file to a checked system.

use fusee_adl::syntax;
use fusee_adl::syntax::files::{Disk, Files};
use fusee_adl::{Origins, Reading};
use fusee_diagnostics::{Code, Diagnostic, Severity, SourceMap};
use fusee_glue::{Given, Project};
use fusee_model::derived::Derived;
use fusee_model::{PriorityAssignment, System};

use std::path::Path;

use crate::costs::Costs;
use crate::options::{Assign, Source};
use crate::{progress, rules};

/// The check's rules about jobs and methods without an execution time.
pub const WITHOUT_WCET: [Code; 2] = [Code("F0530"), Code("F0531")];

/// Bytes of a machine's word, as CMake files that ask for it are told before a platform is chosen.
const WORD: u32 = 8;

/// A description, as far as it could be understood.
pub struct Loaded {
    /// The files that were read.
    pub sources: SourceMap,
    /// All that is to be said about it.
    pub diagnostics: Vec<Diagnostic>,
    /// The system with what follows from it; `None` after an error that leaves none.
    pub system: Option<(System, Derived)>,
    /// The places of objects in the files.
    pub origins: Origins,
    /// The options that the user gave beside the description.
    pub given: Given,
    /// The method by which the user wants priorities to be chosen.
    pub assign: Option<Assign>,
    /// The reasons for which it does not run on any machine of Fusee's.
    pub foreign: Vec<Diagnostic>,
    /// `true` if times are missing and each component has code that can tell them.
    pub(crate) has_code: bool,
}

impl Loaded {
    /// No description at all.
    pub fn empty() -> Self {
        let (sources, origins) = (SourceMap::default(), Origins::default());
        Self {
            sources,
            diagnostics: Vec::new(),
            system: None,
            origins,
            given: Given::default(),
            assign: None,
            foreign: Vec::new(),
            has_code: false,
        }
    }

    /// Returns the result where there is only a message.
    pub fn nothing(diagnostic: Diagnostic) -> Self {
        Self { diagnostics: vec![diagnostic], ..Self::empty() }
    }

    /// The same, where what cannot run on any machine of Fusee's is an error.
    pub fn demanding_a_machine(mut self) -> Self {
        self.diagnostics.append(&mut self.foreign);
        self
    }

    /// Returns the system, if it can be built: what it does not say about times can be found in
    /// what is built.
    pub fn buildable(&self) -> Option<&(System, Derived)> {
        let fine = |d: &Diagnostic| d.severity != Severity::Error || WITHOUT_WCET.contains(&d.code);
        self.system.as_ref().filter(|_| self.diagnostics.iter().all(fine))
    }

    /// Returns the system with what follows from it, if results about it can be trusted.
    pub fn usable(&self) -> Option<&(System, Derived)> {
        let fine = self.diagnostics.iter().all(|d| d.severity != Severity::Error);
        self.system.as_ref().filter(|_| fine)
    }
}

/// Reads a description, assigns priorities that it leaves out, and checks it.
///
/// Audsley's assignment counts the kernel's costs, so they are needed here.
pub fn load(source: &Source, costs: &Costs) -> Loaded {
    load_completed(source, costs, as_it_is)
}

/// Adds nothing to what a description says.
pub(crate) fn as_it_is(_: &mut System, _: &Origins, _: &mut SourceMap) -> Vec<Diagnostic> {
    Vec::new()
}

/// What stands around a description: the user's options, and the project's CMake files.
pub struct Surroundings {
    given: Given,
    project: Project,
}

impl Surroundings {
    /// Looks around a description; runs CMake where the project has a file for it.
    pub fn of(source: &Source) -> Self {
        let given = Given {
            defines: source.defines.iter().map(|text| define(text)).collect(),
            includes: source.include_paths.clone(),
        };
        let folder = source.system.parent().unwrap_or(Path::new(""));
        Self { project: Project::around(folder, WORD, &given), given }
    }

    /// Returns the syntax tree of a description and of everything that it imports.
    pub fn tree(&self, files: &dyn Files, source: &Source) -> syntax::Loaded {
        let options = options(source, &self.given, &self.project);
        syntax::load_from(files, &source.system, &options)
    }
}

/// The same, where `complete` adds to the system what its description leaves out.
pub fn load_completed(
    source: &Source,
    costs: &Costs,
    complete: impl FnOnce(&mut System, &Origins, &mut SourceMap) -> Vec<Diagnostic>,
) -> Loaded {
    load_within(&Surroundings::of(source), &Disk, source, costs, complete)
}

/// Reads a description within what stands around it.
pub fn load_within(
    around: &Surroundings,
    files: &dyn Files,
    source: &Source,
    costs: &Costs,
    complete: impl FnOnce(&mut System, &Origins, &mut SourceMap) -> Vec<Diagnostic>,
) -> Loaded {
    let Surroundings { given, project } = around;
    if let Some((first, others)) = project.problems().split_first() {
        let mut loaded = Loaded::nothing(first.clone());
        loaded.diagnostics.extend(others.iter().cloned());
        return loaded;
    }
    let options = options(source, given, project);
    let Reading { mut sources, system, origins, mut diagnostics } =
        progress::during("reading", || fusee_adl::read_from(files, &source.system, &options));
    let system = system.map(|mut system| {
        diagnostics.extend(complete(&mut system, &origins, &mut sources));
        diagnostics.extend(assign(source, costs, &mut system));
        let (found, derived) = progress::during("checking", || {
            (fusee_check::check(&system, &|origin| origins.span(origin)), Derived::of(&system))
        });
        diagnostics.extend(found);
        (system, derived)
    });
    let span = |origin| origins.span(origin);
    diagnostics.extend(project.warnings().iter().cloned());
    let foreign = fusee_glue::foreign(system.as_ref().map(|(system, _)| system), project, &span);
    let assign = source.assign;
    let given = given.clone();
    let is_missing = diagnostics.iter().any(|found| WITHOUT_WCET.contains(&found.code));
    let all = system.as_ref().filter(|_| is_missing);
    let has_code = all.is_some_and(|(system, _)| fusee_glue::has_code(system, project));
    Loaded { sources, diagnostics, system, origins, given, assign, foreign, has_code }
}

/// Returns the options for reading a description: the user's come before those of the project's
/// CMake files.
fn options(source: &Source, given: &Given, project: &Project) -> fusee_adl::Options {
    let reading = project.reading(&source.system);
    let mut options = fusee_adl::Options {
        include_paths: [given.includes.as_slice(), &reading.include_paths].concat(),
        defines: given.defines.clone(),
        ..Default::default()
    };
    options.templates.extend(
        reading
            .connectors
            .into_iter()
            .map(|one| (one.name, fusee_adl::Templates { files: one.templates, place: one.place })),
    );
    for (name, value) in reading.defines {
        if options.defines.iter().all(|(known, _)| *known != name) {
            options.defines.push((name, value));
        }
    }
    options
}

/// Returns `true` if priorities are searched for: by the command line's word, else the
/// description's.
pub(crate) fn wants_audsley(source: &Source, system: &System) -> bool {
    source.assign == Some(Assign::Audsley)
        || (source.assign.is_none()
            && system.settings.priority_assignment == PriorityAssignment::Audsley)
}

/// Assigns priorities as asked for; deadline-monotonic ones are there already.
fn assign(source: &Source, costs: &Costs, system: &mut System) -> Option<Diagnostic> {
    if !wants_audsley(source, system) {
        return None;
    }
    match progress::during("assigning priorities", || {
        fusee_bounds::assign_audsley(system, &costs.of(system))
    }) {
        Some(assigned) => {
            *system = assigned;
            None
        }
        None => {
            let message = "Audsley's search finds no priorities under which every deadline holds";
            Some(
                Diagnostic::warning(rules::NO_ASSIGNMENT, message)
                    .with_note("priorities are by deadline instead"),
            )
        }
    }
}

fn define(text: &str) -> (String, Option<String>) {
    match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
        None => (text.to_owned(), None),
    }
}
