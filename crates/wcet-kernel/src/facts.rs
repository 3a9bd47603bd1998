//! A kernel's facts file: written once, beside its source, for all systems.
//!
//! What a kernel's loops depend on are sizes of the system that it runs, and
//! places in its source stay when it is built anew. So a bound is a product of
//! numbers and of parameters such as `threads`, and a place is a function, also
//! where it was inlined, or a line. An instruction belongs to the innermost of
//! the places that it comes from.
//!
//! ```toml
//! elsewhere = ["context.rs"]      # their stores reach nothing that the kernel decides by
//! unreachable = ["end_set_up"]    # no path gets here
//! [memory]                        # and of its own memory no more than so many bytes from here on
//! "__registers" = "8 * threads + 256 * depth"
//! [loops]
//! "insert_by_priority" = "threads"
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use fusee_diagnostics::{Diagnostic, FileId, SourceMap, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use fusee_wcet::execute::{Facts, Used};
use fusee_wcet::invariant::Elsewhere;
use fusee_wcet::lines::{Lines, Source, closest};
use fusee_wcet::place;
use fusee_wcet::program::Program;
use fusee_wcet::{FACTS, PLACE, UNUSED};

/// The facts that a kernel's bounds may rest on.
#[derive(Debug, Clone, Default)]
pub struct KernelFacts {
    /// Bounds of loops, at all instructions that come from the place.
    pub facts: Facts,
    /// The places that the kernel does not decide by.
    pub elsewhere: Elsewhere,
    given: Vec<Given>,
}

#[derive(Debug, Clone)]
struct Given {
    source: Source,
    line: String,
    span: Span,
    meaning: Meaning,
    addresses: BTreeSet<u64>,
}

/// The meaning of a fact about the instructions of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// Their loops iterate at most so often.
    Iterations(u64),
    /// Their stores are elsewhere.
    Elsewhere,
    /// They are never executed.
    Unreachable,
}

impl Meaning {
    /// True if both are about the same kind of thing.
    fn is_kind_of(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

impl KernelFacts {
    /// Reads the text of a file that `sources` knows, for a system with these sizes.
    ///
    /// # Errors
    /// Everything that is wrong with it: rules F0805 and F0806.
    pub fn read(
        (sources, file): (&SourceMap, FileId),
        program: &Program,
        lines: &Lines,
        sizes: &BTreeMap<&str, u64>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut reader = Reader {
            file,
            program,
            sizes,
            given: Vec::new(),
            memory: Vec::new(),
            wrong: Vec::new(),
        };
        match DeTable::parse(&sources.file(file).text) {
            Ok(table) => reader.tables(table.get_ref()),
            Err(error) => {
                reader.malformed(error.span().unwrap_or(0..0), error.message().to_owned())
            }
        }
        reader.find(program, lines);
        if !reader.wrong.is_empty() {
            return Err(reader.wrong);
        }
        let mut result = Self { given: reader.given, ..Self::default() };
        result.elsewhere.memory = reader.memory;
        result.given.sort_by_key(|given| given.span.start);
        for given in &result.given {
            match given.meaning {
                Meaning::Elsewhere => result.elsewhere.stores.extend(&given.addresses),
                Meaning::Unreachable => result.facts.unreachable.extend(&given.addresses),
                Meaning::Iterations(iterations) => {
                    result
                        .facts
                        .loop_bounds
                        .extend(given.addresses.iter().map(|&address| (address, iterations)));
                }
            }
        }
        Ok(result)
    }

    /// Adds the facts of another file.
    pub fn extend(&mut self, other: Self) {
        self.facts.loop_bounds.extend(other.facts.loop_bounds);
        self.facts.unreachable.extend(other.facts.unreachable);
        self.elsewhere.stores.extend(other.elsewhere.stores);
        self.elsewhere.memory.extend(other.elsewhere.memory);
        self.given.extend(other.given);
    }

    /// Returns the facts about loops and code at the given addresses, in the order of the file,
    /// with the numbers of this system.
    pub fn about<'a>(&'a self, used: &'a BTreeSet<Used>) -> impl Iterator<Item = &'a str> {
        self.given.iter().filter(|given| given.is_used(used)).map(|given| given.line.as_str())
    }

    /// Returns a warning for each fact about a loop on which nothing rests: rule F0807.
    pub fn unused(&self, used: &BTreeSet<Used>) -> Vec<Diagnostic> {
        let is_loop = |given: &&Given| matches!(given.meaning, Meaning::Iterations(_));
        let unused = self.given.iter().filter(is_loop).filter(|given| !given.is_used(used));
        let warning = |given: &Given| {
            let message = format!("no bound rests on `{}`", given.line);
            Diagnostic::warning(UNUSED, message).at(given.span, "never used")
        };
        unused.map(warning).collect()
    }
}

impl Given {
    fn is_used(&self, used: &BTreeSet<Used>) -> bool {
        let about = |fact: &Used| match (self.meaning, fact) {
            (Meaning::Iterations(_), Used::Loop(at))
            | (Meaning::Unreachable, Used::Unreachable(at)) => self.addresses.contains(at),
            _ => false,
        };
        used.iter().any(about)
    }
}

struct Reader<'a> {
    file: FileId,
    program: &'a Program,
    sizes: &'a BTreeMap<&'a str, u64>,
    given: Vec<Given>,
    memory: Vec<Range<u64>>,
    wrong: Vec<Diagnostic>,
}

type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;

impl Reader<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span { file: self.file, start: range.start as u32, end: range.end as u32 }
    }

    fn malformed(&mut self, at: Range<usize>, message: String) {
        let span = self.span(at);
        self.wrong.push(Diagnostic::error(FACTS, message).at(span, ""));
    }

    fn tables(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("loops", DeValue::Table(loops)) => {
                    loops.iter().for_each(|(key, value)| self.one_loop(key, value))
                }
                ("elsewhere", DeValue::Array(places)) => {
                    places.iter().for_each(|place| self.elsewhere(place))
                }
                ("unreachable", DeValue::Array(places)) => {
                    places.iter().for_each(|place| self.unreachable(place))
                }
                ("memory", DeValue::Table(parts)) => {
                    parts.iter().for_each(|(key, value)| self.memory(key, value))
                }
                (other, _) => {
                    let message = format!(
                        "`{other}` is none of the tables `loops` and `memory`, and none of the \
                         lists `elsewhere` and `unreachable`"
                    );
                    self.malformed(key.span(), message);
                }
            }
        }
    }

    fn one_loop(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let number = value
            .get_ref()
            .as_integer()
            .and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok());
        let product = || value.get_ref().as_str().and_then(|text| product(text, self.sizes));
        let Some(iterations) = number.or_else(product) else {
            let sizes: Vec<&str> = self.sizes.keys().copied().collect();
            let message = format!(
                "iterations are a product of whole numbers and of `{}`",
                sizes.join("`, `")
            );
            return self.malformed(value.span(), message);
        };
        let line = fusee_wcet::facts::loop_line(key.get_ref(), &iterations.to_string());
        self.give((key.get_ref(), line), key.span(), Meaning::Iterations(iterations));
    }

    /// Memory from a symbol on.
    fn memory(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let Some(bytes) = value.get_ref().as_str().and_then(|text| sum(text, self.sizes)) else {
            return self.malformed(
                value.span(),
                "bytes are a sum of products of whole numbers and sizes".to_owned(),
            );
        };
        let found = place::symbol(self.program, key.get_ref()).map(|symbol| symbol.address);
        match found.map(|start| Some(start..start.checked_add(bytes)?)) {
            Ok(Some(part)) => self.memory.push(part),
            Ok(None) => self.malformed(value.span(), "no memory is so large".to_owned()),
            Err(unknown) => self.wrong.push(unknown.diagnostic(self.span(key.span()))),
        }
    }

    fn elsewhere(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(text) = self.place(value) else { return };
        let line = fusee_wcet::facts::elsewhere_line(text);
        self.give((text, line), value.span(), Meaning::Elsewhere);
    }

    fn unreachable(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(text) = self.place(value) else { return };
        let line = fusee_wcet::facts::unreachable_line(&[text]);
        self.give((text, line), value.span(), Meaning::Unreachable);
    }

    /// Returns a member of a list of places, if it is a text.
    fn place<'v>(&mut self, value: &'v Spanned<DeValue<'_>>) -> Option<&'v str> {
        let text = value.get_ref().as_str();
        if text.is_none() {
            let message = "this must be a place in the source, as a string".to_owned();
            self.malformed(value.span(), message);
        }
        text
    }

    fn give(&mut self, (place, line): (&str, String), at: Range<usize>, meaning: Meaning) {
        let span = self.span(at);
        let source = Source::parse(place);
        self.given.push(Given { source, line, span, meaning, addresses: BTreeSet::new() });
    }

    /// Finds the instructions of all places; a place that has none is an error.
    fn find(&mut self, program: &Program, lines: &Lines) {
        for kind in [Meaning::Iterations(0), Meaning::Elsewhere, Meaning::Unreachable] {
            let indices: Vec<usize> =
                (0..self.given.len()).filter(|&i| self.given[i].meaning.is_kind_of(kind)).collect();
            let sources: Vec<Source> =
                indices.iter().map(|&index| self.given[index].source.clone()).collect();
            for (address, place) in closest(program, lines, &sources) {
                self.given[indices[place]].addresses.insert(address);
            }
        }
        let lost = self.given.iter().filter(|given| given.addresses.is_empty());
        let message = |given: &Given| {
            format!("no instruction of the kernel comes from here: `{}`", given.line)
        };
        self.wrong
            .extend(lost.map(|given| Diagnostic::error(PLACE, message(given)).at(given.span, "")));
    }
}

/// Returns a sum of products of numbers and sizes.
fn sum(text: &str, sizes: &BTreeMap<&str, u64>) -> Option<u64> {
    text.split('+').try_fold(0u64, |all, part| all.checked_add(product(part, sizes)?))
}

/// Returns a product of numbers and sizes.
fn product(text: &str, sizes: &BTreeMap<&str, u64>) -> Option<u64> {
    let factor = |word: &str| word.parse().ok().or_else(|| sizes.get(word).copied());
    text.split('*').try_fold(1u64, |all, word| all.checked_mul(factor(word.trim())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_sizes() {
        let sizes = BTreeMap::from([("threads", 32), ("depth", 8)]);
        assert_eq!(product("threads", &sizes), Some(32));
        assert_eq!(product("2 * depth*threads", &sizes), Some(512));
        assert_eq!(product("gates", &sizes), None);
        assert_eq!(product("", &sizes), None);
        assert_eq!(product("18446744073709551615 * 2", &sizes), None);
        assert_eq!(
            sum("152 * depth * threads + 272 * threads", &sizes),
            Some(32 * (152 * 8 + 272))
        );
        assert_eq!(sum("threads +", &sizes), None);
        assert_eq!(sum("18446744073709551615 + 1", &sizes), None);
    }
}
