//! The facts file: what may be taken for granted about a program.
//!
//! A fact replaces a proof, so nothing about it is guessed: every key must be
//! known, every place must be in the program's code, every number must be one.
//! All that is wrong is reported at once, with line and column, and a file with
//! an error gives no facts at all. A fact that cannot be true is an error as
//! well; one on which nothing rests does no harm, and is named, and a pragma in
//! a source that cannot be true is left out.
//!
//! ```toml
//! unreachable = ["panic", "parse.c:40"]
//! ends = ["abort"]
//! exclusive = [["read+0x10", "write+0x8"]]
//! [loops]
//! "search+0x12" = 64
//! [totals]
//! "sort+0x20" = 4950
//! [recursion]
//! "quick_sort" = 12
//! [targets]
//! "dispatch+0x20" = ["handler_a", "handler_b"]
//! [tables]
//! "fill+0x12" = "histogram"
//! "fill+0x20" = { stack = 8, bytes = 16 }
//! [times]
//! "yield" = { time = 120, writes = ["ready"], stack = 0 }
//! ```

mod pragmas;
mod read;
mod source;
mod stops;
mod tables;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use fusee_diagnostics::{Diagnostic, FileId, SourceMap, Span};

use crate::execute::{Bound, Facts, Used};
use crate::lines::Lines;
use crate::program::Program;
use crate::rules;

pub use crate::fact_line::{
    calls_line, elsewhere_line, ends_line, loop_line, recursion_line, table_line, targets_line,
    time_line, unreachable_line,
};

/// A fact as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// Its name for the analysis.
    pub fact: Used,
    /// The fact as one line of a facts file.
    pub line: String,
    /// Its place in the text.
    pub span: Span,
}

/// A facts file.
#[derive(Debug, Clone, Default)]
pub struct FactsFile {
    /// Its facts for the analysis.
    pub facts: Facts,
    /// Its facts one by one, in the order of the file.
    pub given: Vec<Given>,
    /// Notes where nothing is wrong.
    pub notes: Vec<Diagnostic>,
}

impl FactsFile {
    /// Reads the text of a file that `sources` knows; places may be lines of source if the program
    /// has them.
    ///
    /// # Errors
    /// Everything that is wrong with it: rules F0805 and F0806.
    pub fn read(
        sources: &SourceMap,
        file: FileId,
        program: &Program,
        lines: &Lines,
    ) -> Result<Self, Vec<Diagnostic>> {
        Self::read_all(sources, &[file], program, lines)
    }

    /// The same for several files, whose facts hold together.
    ///
    /// # Errors
    /// Everything that is wrong with them: rules F0805 and F0806.
    pub fn read_all(
        sources: &SourceMap,
        files: &[FileId],
        program: &Program,
        lines: &Lines,
    ) -> Result<Self, Vec<Diagnostic>> {
        read::read(sources, files, program, lines)
    }

    /// Adds the bounds of loops that `loopbound` pragmas in sources state, where debugging
    /// information leads to the loops.
    ///
    /// A pragma of which the program has no code says nothing, and no bound rests on it.
    ///
    /// # Errors
    /// Everything that is wrong with the pragmas: rule F0805.
    pub fn add_pragmas(
        &mut self,
        (sources, files): (&SourceMap, &[FileId]),
        (program, lines): (&Program, &Lines),
    ) -> Result<(), Vec<Diagnostic>> {
        pragmas::add(self, (sources, files), (program, lines))
    }

    /// Returns the facts that are among the given ones, in the order of the file.
    pub fn about<'a>(&'a self, used: &'a BTreeSet<Used>) -> impl Iterator<Item = &'a Given> {
        let mut told = BTreeSet::new();
        // A fact about a line of source may be one about several places.
        let is_new = move |given: &&Given| told.insert((given.span.file.0, given.span.start));
        self.given.iter().filter(|given| used.contains(&given.fact)).filter(is_new)
    }

    /// Returns a note for each fact on which none of the bounds rests (rule F0807), an error for
    /// each that cannot be true (F0810), or a warning where all bounds were found without it.
    pub fn judge(&self, bounds: &[Bound]) -> Vec<Diagnostic> {
        let mut judged = self.notes.clone();
        judged.extend(judge(&[(self, bounds)]));
        judged
    }
}

/// A fact, with the bounds of one program.
struct Said<'a> {
    given: &'a Given,
    /// The bounds in the program.
    bounds: &'a [Bound],
    /// True if the program has instructions that the fact is about.
    is_in_code: bool,
}

/// The same for several programs: a fact that holds for all of them is of use if it is in one.
pub fn judge(programs: &[(&FactsFile, &[Bound])]) -> Vec<Diagnostic> {
    // By its place in the file: what is one fact for who wrote it may be
    // another one in each program.
    let mut facts: BTreeMap<(u32, u32), Vec<Said<'_>>> = BTreeMap::new();
    for &(file, bounds) in programs {
        for given in &file.given {
            let is_in_code = match given.fact {
                Used::LineBound(line) => !file.facts.line_bounds[line].line.is_empty(),
                // Places that are no lines were looked up when the file was read,
                // so they are in the code.
                _ => true,
            };
            let said = Said { given, bounds, is_in_code };
            facts.entry((given.span.file.0, given.span.start)).or_default().push(said);
        }
    }
    facts.values().filter_map(|said| judge_one(said)).collect()
}

fn judge_one(said: &[Said<'_>]) -> Option<Diagnostic> {
    let given = said.first()?.given;
    let all = || {
        said.iter().flat_map(|said| said.bounds.iter().map(move |bound| (said.given.fact, bound)))
    };
    let wrong: BTreeSet<&String> =
        all().filter_map(|(fact, bound)| bound.grounds.contradictions.get(&fact)).collect();
    // A fact that is false in one program is false, even if others rest on it.
    if let Some(why) = wrong.first() {
        let refutes =
            |&(fact, bound): &(Used, &Bound)| bound.grounds.contradictions.contains_key(&fact);
        // Another bound may rest on it, where it could not be told that it is false.
        let is_ignored = all().filter(refutes).all(|(_, bound)| bound.time.is_some())
            && !all().any(|(fact, bound)| bound.grounds.facts_used.contains(&fact));
        let diagnostic = match is_ignored {
            true => {
                let message = format!("`{}` is false, and was ignored", given.line);
                Diagnostic::warning(rules::CONTRADICTION, message)
            }
            false => {
                let message = format!("`{}` contradicts what was proved", given.line);
                Diagnostic::error(rules::CONTRADICTION, message)
            }
        };
        return Some(diagnostic.at(given.span, why.as_str()));
    }
    if all().any(|(fact, bound)| bound.grounds.facts_used.contains(&fact)) {
        return None;
    }
    let message = format!("no bound rests on `{}`", given.line);
    // Where no bound was found, the iterations seen so far are no last word.
    let ended = all().filter(|(_, bound)| bound.time.is_some());
    let iterations = ended.filter_map(|(fact, bound)| iterations(fact, bound)).max();
    let why = match iterations {
        Some(n) => format!("it ends by itself after {n} iterations at most"),
        None if said.iter().any(|said| said.is_in_code) => "never used".to_owned(),
        None => "no instruction of the program comes from these lines of this file".to_owned(),
    };
    Some(Diagnostic::note(rules::UNUSED, message).at(given.span, why))
}

/// Returns how often the loop of a fact iterates, where it is known by its header.
fn iterations(fact: Used, bound: &Bound) -> Option<u64> {
    // A line may stand for several loops, so no one number is its own.
    let Used::Loop(header) = fact else { return None };
    bound.coverage.loops.get(&header).copied()
}
