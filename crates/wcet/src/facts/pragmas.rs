//! Loop bounds that stand in the source, as benchmark suites carry them.
//!
//! `_Pragma("loopbound min 1 max 16")`, or `#pragma loopbound min 1 max 16`, in
//! front of a loop says how often its body is executed for each time the loop
//! is reached. Debugging information leads from the loop's lines to the code:
//! those of its head, from `for` or `while` to the end of its condition, and
//! where none of them controls a loop, all lines that belong to it and to no
//! loop inside of it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;

use fusee_diagnostics::{Diagnostic, FileId, SourceMap, Span};

use super::source::{NAME, line_of, looping, without_comments};
use super::written::Written;
use super::{FactsFile, Given};
use crate::execute::{Line, LineBound, Statement, Used};
use crate::flow::{Function, Resolved, loops};
use crate::lines::{self, Lines, is_same_file};
use crate::program::Program;
use crate::rules;

/// A pragma, with the loop behind it.
#[derive(Debug, PartialEq, Eq)]
struct Pragma {
    /// The most iterations.
    most: u64,
    /// Its place in the text.
    at: Range<usize>,
    /// The lines of the loop's head.
    head: Range<u32>,
    /// All lines of the loop.
    all: Range<u32>,
}

/// A mistake in a pragma: its place, and a sentence.
type Wrong = (Range<usize>, &'static str);

/// Adds what pragmas in sources say to the facts.
pub(super) fn add(
    file: &mut FactsFile,
    (sources, ids): (&SourceMap, &[FileId]),
    (program, lines): (&Program, &Lines),
) -> Result<(), Vec<Diagnostic>> {
    let mut wrong = Vec::new();
    let code = Looping::of(program);
    let places = Places(lines.of_program(program));
    let written = Written::of((sources, ids), &places.0);
    for (index, &id) in ids.iter().enumerate() {
        let source = sources.file(id);
        let span =
            |at: &Range<usize>| Span { file: id, start: at.start as u32, end: at.end as u32 };
        let (pragmas, errors) = pragmas(&source.text);
        let malformed =
            |(at, what): &Wrong| Diagnostic::error(rules::FACTS, *what).at(span(at), "");
        wrong.extend(errors.iter().map(malformed));
        let name = source.path.file_name().unwrap_or_default().to_string_lossy();
        let places = places.of_file(&source.path);
        for pragma in &pragmas {
            // A loop inside of it has a bound of its own.
            let inner = |line: u32| {
                let within = |other: &&Pragma| {
                    other.all.start > pragma.all.start && other.all.end <= pragma.all.end
                };
                pragmas.iter().filter(within).any(|other| other.all.contains(&line))
            };
            let head = places.from(|line| pragma.head.contains(&line));
            let own = |line: u32| pragma.all.contains(&line) && !inner(line);
            let mut statement = Statement {
                // What has no line may come from this loop as well as from any other, so
                // it is not held against it.
                all: &places.from(|line| pragma.all.contains(&line)) | &places.nowhere,
                own: places.written(own),
                by_branch: false,
                depths: written.depths(index, &pragma.all),
            };
            // The head's own lines go first: a branch elsewhere in the body
            // need not decide the loop.
            statement.by_branch = !code.has(&statement, &head);
            let line = if statement.by_branch { statement.own.clone() } else { head };
            let fact = Used::LineBound(file.facts.line_bounds.len());
            let iterations = pragma.most;
            file.facts.line_bounds.push(LineBound { line, statement: Some(statement), iterations });
            let line = format!("{name}:{}: {NAME} max {}", pragma.head.start, pragma.most);
            file.given.push(Given { fact, line, span: span(&pragma.at) });
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong) }
}

/// Every instruction with the lines that it comes from, the innermost first.
struct Places(Vec<(u64, Vec<lines::Line>)>);

/// The instructions that come from a file.
#[derive(Default)]
struct InFile {
    /// Instructions with a line each that they come from, and whether they were written there: what
    /// was inlined comes from there as well.
    found: Vec<(u64, u32, bool)>,
    /// Instructions to which the compiler gave no line.
    nowhere: Line,
}

impl Places {
    fn of_file(&self, path: &Path) -> InFile {
        // Few files and many instructions: each name is compared with the path only once,
        // as that looks at the disk.
        let mut same: BTreeMap<&str, bool> = BTreeMap::new();
        let mut of = InFile::default();
        for (address, lines) in &self.0 {
            for (depth, line) in lines.iter().enumerate() {
                let is_same = || is_same_file(Path::new(&line.file), path);
                if *same.entry(&line.file).or_insert_with(is_same) {
                    of.found.push((*address, line.line, depth == 0));
                }
            }
            if lines.first().is_some_and(|line| line.line == 0) {
                of.nowhere.insert(*address);
            }
        }
        of
    }
}

impl InFile {
    /// Returns what comes from some of the lines.
    fn from(&self, lines: impl Fn(u32) -> bool) -> Line {
        self.found.iter().filter(|(_, line, _)| lines(*line)).map(|&(at, ..)| at).collect()
    }

    /// Returns what was written in some of the lines.
    fn written(&self, lines: impl Fn(u32) -> bool) -> Line {
        let here = |(_, line, written): &&(u64, u32, bool)| *written && lines(*line);
        self.found.iter().filter(here).map(|&(at, ..)| at).collect()
    }
}

/// The functions of a program that have loops.
struct Looping(Vec<Rc<Function>>);

impl Looping {
    fn of(program: &Program) -> Self {
        // Only what has a name is looked through: without one nobody knows where a function begins.
        let code = program.symbols().iter().filter(|symbol| symbol.code);
        let found = code.filter_map(|symbol| {
            // What is no code there has no loops.
            Function::find(program, symbol.address, &Resolved::new()).ok()
        });
        Self(found.filter(|function| loops(&function.nest).next().is_some()).collect())
    }

    /// Returns whether these lines control a loop that the statement may have become.
    fn has(&self, statement: &Statement, lines: &Line) -> bool {
        !lines.is_empty()
            && self.0.iter().any(|function| {
                let mut all = function.all_loops().into_iter();
                all.any(|looping| statement.may_be(lines, function, looping))
            })
    }
}

/// Returns all pragmas of a source, and what is wrong with others.
fn pragmas(text: &str) -> (Vec<Pragma>, Vec<Wrong>) {
    // A pragma in a comment says nothing. Places stay the same, so the message
    // points to the right one.
    let code = without_comments(text);
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for (begin, _) in code.match_indices(NAME).filter(|&(at, _)| is_pragma(&code, at)) {
        let rest = &code[begin..];
        // A pragma in quotes ends at the quote, one behind `#` at the end of its line.
        let length = rest.find(['"', '\n']).unwrap_or(rest.len());
        let at = begin..begin + length;
        let Some(most) = most(&rest[NAME.len()..length]) else {
            wrong.push((at, "a loop bound must have the form `loopbound min NUMBER max NUMBER`"));
            continue;
        };
        let behind = code[at.end..]
            .starts_with('"')
            .then(|| code[at.end..].find(')'))
            .flatten()
            .map_or(0, |at| at + 1);
        match looping(&code, at.end + behind) {
            Some((head, all)) => {
                let lines = |range: Range<usize>| {
                    line_of(&code, range.start)..line_of(&code, range.end - 1) + 1
                };
                found.push(Pragma { most, at, head: lines(head), all: lines(all) });
            }
            None => wrong.push((at, "behind this loop bound there is no loop")),
        }
    }
    (found, wrong)
}

/// Returns whether a name stands in `_Pragma("` or behind `#pragma`.
fn is_pragma(code: &str, at: usize) -> bool {
    let before = code[..at].trim_end();
    before.ends_with("#pragma")
        || before.strip_suffix('"').is_some_and(|before| {
            before
                .trim_end()
                .strip_suffix('(')
                .is_some_and(|before| before.trim_end().ends_with("_Pragma"))
        })
}

/// Returns the number behind `max`.
fn most(words: &str) -> Option<u64> {
    let words: Vec<&str> = words.split_whitespace().collect();
    match words[..] {
        ["min", least, "max", most] => {
            let (least, most): (u64, u64) = (least.parse().ok()?, most.parse().ok()?);
            // Nobody can mean that the least is more than the most, and which of them
            // is wrong is not guessed.
            (least <= most).then_some(most)
        }
        ["max", most] => most.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(u64, Range<u32>, Range<u32>)> {
        let (found, wrong) = pragmas(text);
        assert!(wrong.is_empty(), "{wrong:?}");
        found.into_iter().map(|one| (one.most, one.head, one.all)).collect()
    }

    #[test]
    fn finds_the_loop_behind_a_pragma() {
        let text = "int f(int n)\n{\n  _Pragma( \"loopbound min 0 max 8\" )\n  for (int i = \
                    0;\n       i < n; i++) {\n    g(\"} for (;;)\"); /* } */\n  }\n  #pragma \
                    loopbound min 1 max 3\n  do { if (n) h(); else k('}'); }\n  while (--n); // \
                    _Pragma(\"loopbound max x\")\n}\n";
        assert_eq!(of(text), [(8, 4..6, 4..8), (3, 10..11, 9..11)]);
    }

    #[test]
    fn nested_loops_and_single_statements() {
        let text = "_Pragma(\"loopbound min 2 max 2\")\nwhile (a)\n  _Pragma(\"loopbound min 5 max \
                    5\")\n  again: for (;;)\n    if (a) b(); else\n      c();\nd();\n";
        assert_eq!(of(text), [(2, 2..3, 2..7), (5, 4..5, 4..7)]);
    }

    #[test]
    fn other_pragmas_and_joined_lines() {
        let text = "_Pragma(\"loopbound min 1 max 2\")\n_Pragma( \"marker here\" )\nfor (;;) \
                    a();\n#define STEP \\\n  _Pragma(\"loopbound min 3 max 3\") \\\n  while (b) \
                    \\\n    c();\n";
        assert_eq!(of(text), [(2, 3..4, 3..4), (3, 6..7, 6..8)]);
    }

    #[test]
    fn says_what_is_wrong() {
        let wrong =
            |text: &str| pragmas(text).1.into_iter().map(|(_, what)| what).collect::<Vec<_>>();
        assert_eq!(wrong("_Pragma(\"loopbound min 1\")\nfor (;;);").len(), 1);
        assert_eq!(wrong("_Pragma(\"loopbound min 9 max 2\")\nfor (;;);").len(), 1);
        assert_eq!(
            wrong("_Pragma(\"loopbound min 1 max 2\")\nif (a) b();"),
            ["behind this loop bound there is no loop"]
        );
        assert_eq!(wrong("_Pragma(\"loopbound min 1 max 2\")").len(), 1);
        assert!(wrong("int loopbound = 3; /* _Pragma(\"loopbound\") */").is_empty());
    }
}
