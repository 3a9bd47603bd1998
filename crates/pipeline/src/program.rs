//! From a program and a file of facts to a bound for each entry.
//!
//! All inputs are read and checked before anything is bounded, so that one run
//! names everything that is wrong with them.

mod annotated;
pub mod entry;
pub mod held;
pub mod listing;
pub mod lower;
pub mod machine;
pub mod observe;
pub mod obstacles;
pub mod page;
mod sources;
mod supposed;
pub mod what_if;
pub mod worst_path;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_image::interface;
use fusee_wcet::execute::{Bound, Effort, Facts, Failure, Held, Trying, Used, Watch};
use fusee_wcet::facts::FactsFile;
use fusee_wcet::lines::Lines;
use fusee_wcet::place;
use fusee_wcet::program::Program;

use crate::rules;
use held::Held as Told;
use machine::Chosen;
use what_if::Question;

/// The note that bounds with system calls leave those out.
const CALLS: &str =
    "what the kernel does in a system call is not in the bound: `fusee wcet --kernel` bounds it";

/// The request of the command.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The linked program.
    pub program: PathBuf,
    /// Functions to bound, by name or address; where the program starts without any.
    pub entries: Vec<String>,
    /// A file with what to take for granted.
    pub facts: Option<PathBuf>,
    /// Sources whose `loopbound` pragmas are taken for granted, and folders with C files.
    pub facts_from: Vec<PathBuf>,
    /// The machine whose time is counted.
    pub machine: machine::Named,
    /// The content of registers at each entry.
    pub registers: Vec<Told>,
    /// `true` if memory is at each entry as the program loads it.
    pub as_loaded: bool,
    /// `true` if programs call Fusee's kernel, whose own time is not in their bounds.
    pub system_calls: bool,
    /// `true` if faults of such a program count up to where they are raised; they are taken not to
    /// happen without this.
    pub count_faults: bool,
    /// Blocks of code to execute, at most, before an entry is given up.
    pub effort: u64,
    /// Bounds of loops to try.
    pub what_if: Vec<Question>,
}

/// The data for speaking of places in code.
#[derive(Clone, Copy)]
pub struct Code<'a> {
    /// The binary's program.
    pub program: &'a Program,
    /// The lines of its source.
    pub lines: &'a Lines,
}

/// The entries that are to be bounded.
pub struct Task {
    /// The binary's program.
    pub program: Program,
    /// Names and addresses of the entries, as asked for.
    pub entries: Vec<(String, u64)>,
    /// The facts that are taken for granted.
    pub facts: FactsFile,
    /// The content of registers at each entry.
    pub held: BTreeMap<u64, Vec<Held>>,
    /// The effort to make.
    pub effort: Effort,
    /// The view of the work while it goes on.
    pub watch: Arc<Watch>,
    /// The lines of its source.
    pub lines: Lines,
    /// The machine whose time is counted.
    pub machine: Chosen,
    /// Bounds of loops to try, as facts.
    pub what_if: Vec<(Question, FactsFile, Used)>,
}

impl Task {
    /// Bounds an entry with facts, and with what registers hold there.
    pub fn bound(&self, entry: u64, facts: &Facts) -> Result<Bound, Failure> {
        self.bound_with(self.effort, entry, facts)
    }

    /// The same with so much effort.
    fn bound_with(&self, effort: Effort, entry: u64, facts: &Facts) -> Result<Bound, Failure> {
        let held = self.held.get(&entry).cloned().unwrap_or_default();
        let facts = Facts { entry: held, ..facts.clone() };
        let trying = Trying { effort, watch: Some(&self.watch) };
        let mut found = self.machine.bound(&self.program, entry, &facts, trying)?;
        if !found.coverage.requests.is_empty() {
            found.grounds.assumptions.insert(CALLS.to_owned());
        }
        Ok(found)
    }

    /// Returns its code.
    pub fn code(&self) -> Code<'_> {
        Code { program: &self.program, lines: &self.lines }
    }
}

/// Reads the program and the facts, and finds the entries.
///
/// # Errors
/// Everything that is wrong with them.
pub fn load(asked: &Asked, sources: &mut SourceMap) -> Result<Task, Vec<Diagnostic>> {
    let name = asked.program.display();
    let bytes =
        std::fs::read(&asked.program).map_err(|error| vec![unreadable(&asked.program, &error)])?;
    let program = Program::load(&bytes)
        .map_err(|error| vec![fusee_wcet::refusal(&error, &name.to_string())])?;
    let mut wrong = Vec::new();
    let machine =
        keep(Chosen::load(&asked.machine, program.architecture(), sources).map(Some), &mut wrong);
    let entries = keep(entries(&program, &asked.entries), &mut wrong);
    let lines = Lines::read(&bytes);
    let mut facts: FactsFile = keep(facts((&program, &lines), asked, sources), &mut wrong);
    facts.facts.as_loaded = asked.as_loaded;
    facts.facts.kernel = asked.system_calls.then(|| interface::of_kernel(0..0));
    if asked.system_calls {
        facts.facts.faults = interface::faults(&program, asked.count_faults);
    }
    let given = keep(held::registers(&program, &asked.registers), &mut wrong);
    let machine = machine.filter(|_| wrong.is_empty()).ok_or(wrong)?;
    let held =
        |&(_, entry): &(String, u64)| (entry, held::at_entry(&bytes, &program, entry, &given));
    let held = entries.iter().map(held).collect();
    let effort = Effort { blocks: asked.effort, ..Effort::default() };
    let watch = Arc::default();
    let mut task =
        Task { program, entries, facts, held, effort, watch, lines, machine, what_if: Vec::new() };
    let mut wrong = Vec::new();
    for question in &asked.what_if {
        match what_if::facts(&task, question, sources) {
            Ok((facts, fact)) => task.what_if.push((question.clone(), facts, fact)),
            Err(errors) => wrong.extend(errors),
        }
    }
    if wrong.is_empty() { Ok(task) } else { Err(wrong) }
}

fn keep<T: Default>(result: Result<T, Vec<Diagnostic>>, wrong: &mut Vec<Diagnostic>) -> T {
    result.unwrap_or_else(|errors| {
        wrong.extend(errors);
        T::default()
    })
}

fn unreadable(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(rules::UNREADABLE, format!("`{}` can't be read", path.display()))
        .with_note(error.to_string())
}

fn entries(program: &Program, wanted: &[String]) -> Result<Vec<(String, u64)>, Vec<Diagnostic>> {
    if wanted.is_empty() {
        let start = program.entry();
        let missing = || {
            Diagnostic::error(
                fusee_wcet::ENTRY,
                format!("the program starts at {start:#x}, without code"),
            )
        };
        let named = || vec![(program.describe(start), start)];
        return program
            .is_code(start)
            .then(named)
            .ok_or_else(|| vec![missing().with_note("name what is to be bounded with `--entry`")]);
    }
    let found = wanted.iter().map(|name| (name, place::find(program, name)));
    let (found, unknown): (Vec<_>, Vec<_>) = found.partition(|(_, place)| place.is_ok());
    if unknown.is_empty() {
        return Ok(found
            .into_iter()
            .filter_map(|(name, place)| Some((name.clone(), place.ok()?)))
            .collect());
    }
    let diagnostic = |place: place::UnknownPlace| {
        let error = Diagnostic::error(fusee_wcet::ENTRY, place.to_string());
        match &place.similar {
            Some(similar) => error.with_note(format!("did you mean `{similar}`?")),
            None => error,
        }
    };
    Err(unknown.into_iter().filter_map(|(_, place)| place.err()).map(diagnostic).collect())
}

fn facts(
    (program, lines): (&Program, &Lines),
    asked: &Asked,
    sources: &mut SourceMap,
) -> Result<FactsFile, Vec<Diagnostic>> {
    let mut read = |path: &Path| {
        let text = std::fs::read_to_string(path).map_err(|error| vec![unreadable(path, &error)])?;
        Ok::<_, Vec<Diagnostic>>(sources.add(path, text))
    };
    let given = asked.facts.as_deref().map(&mut read).transpose()?;
    let annotated = annotated::files(&asked.facts_from)
        .map_err(|(path, error)| vec![unreadable(&path, &error)])?;
    let annotated = annotated.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let mut facts = match given {
        Some(file) => FactsFile::read(sources, file, program, lines)?,
        None => FactsFile::default(),
    };
    facts.add_pragmas((sources, &annotated), (program, lines))?;
    if facts.given.is_empty() && !annotated.is_empty() {
        let message = "no `loopbound` pragma is in the sources";
        facts.notes.push(Diagnostic::note(fusee_wcet::UNUSED, message));
    }
    Ok(facts)
}

/// Bounds every entry, in the order in which they were asked for.
///
/// # Errors
/// The host's failure.
pub fn bounds(task: &Task) -> Result<Vec<Bound>, Failure> {
    task.entries.iter().map(|&(_, entry)| task.bound(entry, &task.facts.facts)).collect()
}
