//! In how many loops of the source an instruction was written.
//!
//! A compiler lets loops of the source become one loop of the program, whose
//! iterations are those of the innermost of them. Where each instruction was
//! written tells them apart, as far as the sources are known.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use fusee_diagnostics::{FileId, SourceMap};

use super::source::{line_of, looping, without_comments, word};
use crate::lines::{Line, is_same_file};

/// The source and the line of an instruction, then those where it was inlined, outwards.
type Origin = Vec<(Option<usize>, u32)>;

/// The loops of all sources, and the lines of all instructions.
pub(super) struct Written {
    /// The lines of the loops of each source.
    loops: Vec<Vec<Range<u32>>>,
    /// The origin of each instruction.
    instructions: Vec<(u64, Origin)>,
}

impl Written {
    /// Returns what is in sources and in a program's lines.
    pub(super) fn of(
        (sources, ids): (&SourceMap, &[FileId]),
        instructions: &[(u64, Vec<Line>)],
    ) -> Self {
        let paths: Vec<&Path> = ids.iter().map(|&id| sources.file(id).path.as_path()).collect();
        let mut known: BTreeMap<&str, Option<usize>> = BTreeMap::new();
        let mut places = Vec::new();
        for (address, lines) in instructions {
            let mut stack = Vec::new();
            for line in lines {
                let find =
                    || paths.iter().position(|path| is_same_file(Path::new(&line.file), path));
                stack.push((*known.entry(&line.file).or_insert_with(find), line.line));
            }
            places.push((*address, stack));
        }
        let loops = ids.iter().map(|&id| loops_in(&sources.file(id).text)).collect();
        Self { loops, instructions: places }
    }

    /// Returns the instructions that come from a loop of a source, each with the number of loops
    /// inside of that one in which it was written, those of functions that were inlined there
    /// included; and all to which the compiler gave no line.
    pub(super) fn depths(&self, source: usize, all: &Range<u32>) -> BTreeMap<u64, Option<usize>> {
        let depth = |stack: &Origin| {
            let mut depth = 0;
            for &(file, line) in stack {
                let around = |one: &&Range<u32>| one.contains(&line);
                let loops = self.loops[file?].iter().filter(around);
                if file == Some(source) && all.contains(&line) {
                    let within = |one: &&Range<u32>| all.start <= one.start && one.end <= all.end;
                    // The loop itself is one of them.
                    return Some(depth + loops.filter(within).count().saturating_sub(1));
                }
                // What was inlined here stands in the loops of its own function as well.
                depth += loops.count();
            }
            None
        };
        let of = |stack: &Origin| match stack.first()? {
            // Line 0 says that the compiler knows none.
            (_, 0) => Some(None),
            _ => depth(stack).map(Some),
        };
        self.instructions.iter().filter_map(|(at, stack)| Some((*at, of(stack)?))).collect()
    }
}

/// Returns the lines of all loops of a source.
fn loops_in(text: &str) -> Vec<Range<u32>> {
    let code = without_comments(text);
    let (mut found, mut conditions) = (Vec::new(), Vec::new());
    let mut before = ' ';
    for (at, letter) in code.char_indices() {
        // `format` is no `for`.
        let begins = !(before.is_alphanumeric() || before == '_');
        before = letter;
        if !begins || conditions.contains(&at) || !matches!(word(&code, at), "for" | "while" | "do")
        {
            continue;
        }
        // What is no statement, as a word in a macro, is no loop.
        let Some((head, all)) = looping(&code, at) else { continue };
        // The `while` at the end of a `do` would look like a loop of its own.
        conditions.push(head.start);
        found.push(line_of(&code, all.start)..line_of(&code, all.end - 1) + 1);
    }
    found
}
