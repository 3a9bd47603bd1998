//! From instructions to lines of source, through what was inlined there.
//!
//! A compiler puts many functions into one; debugging information (DWARF) tells
//! them apart again: an instruction belongs to a line of the function that it
//! comes from, which was called in a line of the function it was inlined into,
//! and so on. Programs without such information have no lines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use addr2line::Context;
use gimli::{EndianRcSlice, LittleEndian, SectionId};
use object::{Object, ObjectSection};

use crate::names::readable;
use crate::program::Program;

/// The endings of files with code.
const SOURCES: [&str; 11] = ["rs", "c", "h", "S", "s", "cc", "cpp", "cxx", "hh", "hpp", "zig"];

/// A line of source in a function.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The function that was written there.
    pub function: String,
    /// The file, as the compiler was told.
    pub file: String,
    /// The line, from 1 on; 0 where the compiler says none.
    pub line: u32,
}

/// The debugging information of a program.
pub struct Lines {
    context: Option<Context<EndianRcSlice<LittleEndian>>>,
}

impl Lines {
    /// Reads the debugging information of an ELF file; damaged or without any, it explains nothing.
    pub fn read(file: &[u8]) -> Self {
        Self { context: context(file) }
    }

    /// Returns whether there is no debugging information.
    pub fn is_empty(&self) -> bool {
        self.context.is_none()
            || self.context.as_ref().is_some_and(|c| {
                c.find_location_range(0, u64::MAX).is_ok_and(|mut found| found.next().is_none())
            })
    }

    /// Returns the instructions that come from a place in source, also those that were inlined
    /// there.
    pub fn instructions(&self, program: &Program, source: &Source) -> BTreeSet<u64> {
        let is = |address: &u64| self.at(*address).iter().any(|line| source.is(line));
        each_instruction(program).filter(is).collect()
    }

    /// Every instruction of a program with its lines, as [`Self::at`] tells them.
    pub fn of_program(&self, program: &Program) -> Vec<(u64, Vec<Line>)> {
        each_instruction(program).map(|address| (address, self.at(address))).collect()
    }

    /// Returns the line of an instruction, then the lines where what it comes from was inlined,
    /// outwards.
    pub fn at(&self, address: u64) -> Vec<Line> {
        let mut lines = Vec::new();
        let Some(context) = &self.context else { return lines };
        // Debugging information in files beside the program is not loaded.
        let Ok(mut frames) = context.find_frames(address).skip_all_loads() else { return lines };
        while let Ok(Some(frame)) = frames.next() {
            let name = frame
                .function
                .as_ref()
                .and_then(|function| Some(plain(&function.raw_name().ok()?)));
            let place = frame.location.as_ref();
            lines.push(Line {
                function: name.unwrap_or_default(),
                file: place.and_then(|place| place.file).unwrap_or_default().to_owned(),
                line: place.and_then(|place| place.line).unwrap_or_default(),
            });
        }
        lines
    }
}

/// Returns a function's name without type arguments.
fn plain(name: &str) -> String {
    let readable = readable(name);
    // A name that begins with `<` is a path of a trait: without its
    // arguments nothing would be left.
    match readable.split_once('<') {
        Some((before, _)) if !before.is_empty() => before.to_owned(),
        _ => readable,
    }
}

fn context(file: &[u8]) -> Option<Context<EndianRcSlice<LittleEndian>>> {
    Context::from_dwarf(dwarf(file)?).ok()
}

/// Returns the debugging information of an ELF file.
pub(crate) fn dwarf(file: &[u8]) -> Option<gimli::Dwarf<EndianRcSlice<LittleEndian>>> {
    let elf = object::File::parse(file).ok()?;
    let section = |id: SectionId| {
        let data =
            elf.section_by_name(id.name()).and_then(|section| section.uncompressed_data().ok());
        // A section that is missing is an empty one, so programs with parts of
        // the information work, too.
        let data: Rc<[u8]> = Rc::from(data.unwrap_or_default().as_ref());
        Ok::<_, gimli::Error>(EndianRcSlice::new(data, LittleEndian))
    };
    gimli::Dwarf::load(section).ok()
}

/// A place in source that a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A line: `list.rs:61`, with as much of the path as tells files apart.
    Line(String, u32),
    /// All of a file: `vector.rs`.
    File(String),
    /// A function, also where it was inlined: `List::insert_by_priority`.
    Function(String),
}

impl Source {
    /// Returns what a text names.
    pub fn parse(text: &str) -> Self {
        // The last colon: a path may have one as well, as on Windows.
        if let Some((file, line)) = text.rsplit_once(':')
            && let Ok(line) = line.parse()
        {
            return Self::Line(file.to_owned(), line);
        }
        // Compilers put dots into the names of copies of functions.
        match text.rsplit_once('.') {
            Some((_, ending)) if SOURCES.contains(&ending) => Self::File(text.to_owned()),
            _ => Self::Function(text.to_owned()),
        }
    }

    fn is(&self, line: &Line) -> bool {
        match self {
            Self::Line(file, number) => *number == line.line && ends_with(&line.file, file, "/"),
            Self::File(file) => ends_with(&line.file, file, "/"),
            Self::Function(function) => ends_with(&line.function, function, "::"),
        }
    }
}

/// Returns whether a path is `end` or ends with it behind a separator.
fn ends_with(path: &str, end: &str, separator: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with(separator))
}

/// Returns whether a path in debugging information is that of a file, as far as both tell.
pub(crate) fn is_same_file(told: &Path, file: &Path) -> bool {
    let whole = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // A compiler tells the way that it was given, with the links on it.
    if whole(told) == whole(file) {
        return true;
    }
    // A told path that does not exist may be of another machine, where only
    // its end can be the same.
    let plain = plain_path(told);
    whole(file).ends_with(&plain) || !told.exists() && plain.ends_with(plain_path(file))
}

/// Returns a path without `.` and `..`.
fn plain_path(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            // No links are followed here: the file may not be on this machine.
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

/// For each instruction the place among `sources` that it is closest to: the innermost of what was
/// inlined there.
///
/// An instruction without lines belongs to the function of its symbol.
pub fn closest(program: &Program, lines: &Lines, sources: &[Source]) -> BTreeMap<u64, usize> {
    let mut found = BTreeMap::new();
    if sources.is_empty() {
        return found;
    }
    for address in each_instruction(program) {
        let mut frames = lines.at(address);
        // Assembly has no debugging information as a rule, but its symbols name the same functions.
        if let Some(symbol) =
            program.function_at(address).filter(|_| frames.iter().all(|l| l.function.is_empty()))
        {
            frames.push(Line { function: readable(&symbol.name), file: String::new(), line: 0 });
        }
        let place = |line: &Line| sources.iter().position(|source| source.is(line));
        if let Some(closest) = frames.iter().find_map(place) {
            found.insert(address, closest);
        }
    }
    found
}

/// The addresses of all that could be an instruction.
fn each_instruction(program: &Program) -> impl Iterator<Item = u64> + '_ {
    program.code().flat_map(|range| {
        let next = |at: &u64| {
            // Data may stand between functions. Two bytes are the shortest instruction, so the code
            // behind them is found again.
            at + program.instruction(*at).map_or(2, |instruction| u64::from(instruction.size))
        };
        std::iter::successors(Some(range.start), move |at| Some(next(at)))
            .take_while(move |at| *at < range.end)
    })
}
