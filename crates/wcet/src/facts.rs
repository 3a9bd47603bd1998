//! The facts file: what may be taken for granted about a program.
//!
//! A fact replaces a proof, so nothing about it is guessed: every key must be
//! known, every place must be in the program's code, every number must be one.
//! All that is wrong is reported at once, with line and column, and a file with
//! an error gives no facts at all.
//!
//! ```toml
//! unreachable = ["panic"]
//! [loops]
//! "search+0x12" = 64
//! [targets]
//! "dispatch+0x20" = ["handler_a", "handler_b"]
//! ```

use std::collections::BTreeSet;
use std::ops::Range;

use fusee_diagnostics::{Diagnostic, FileId, SourceMap, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::execute::Facts;
use crate::place;
use crate::program::Program;
use crate::rules;

/// A fact as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The place it is about.
    pub address: u64,
    /// The fact as one line of a facts file.
    pub line: String,
    /// Where it stands.
    pub span: Span,
}

/// A facts file.
#[derive(Debug, Clone, Default)]
pub struct FactsFile {
    /// What it says.
    pub facts: Facts,
    /// Its facts one by one, in the order of the file.
    pub given: Vec<Given>,
}

impl FactsFile {
    /// Reads the text of a file that `sources` knows.
    ///
    /// # Errors
    /// Everything that is wrong with it: rules F0805 and F0806.
    pub fn read(sources: &SourceMap, file: FileId, program: &Program) -> Result<Self, Vec<Diagnostic>> {
        let text = &sources.file(file).text;
        let mut reader = Reader { program, file, result: Self::default(), wrong: Vec::new() };
        match DeTable::parse(text) {
            Ok(table) => reader.tables(table.get_ref()),
            Err(error) => reader.malformed(error.span().unwrap_or(0..0), error.message().to_owned(), ""),
        }
        reader.result.given.sort_by_key(|given| given.span.start);
        if reader.wrong.is_empty() { Ok(reader.result) } else { Err(reader.wrong) }
    }

    /// The facts about the given addresses, in the order of the file.
    pub fn about<'a>(&'a self, addresses: &'a BTreeSet<u64>) -> impl Iterator<Item = &'a Given> {
        self.given.iter().filter(|given| addresses.contains(&given.address))
    }

    /// A warning for each fact that is about none of the addresses: rule F0807.
    pub fn unused(&self, used: &BTreeSet<u64>) -> Vec<Diagnostic> {
        let unused = self.given.iter().filter(|given| !used.contains(&given.address));
        let warning = |given: &Given| {
            let message = format!("no bound rests on `{}`", given.line);
            Diagnostic::warning(rules::UNUSED, message).at(given.span, "never used")
        };
        unused.map(warning).collect()
    }
}

struct Reader<'p> {
    program: &'p Program,
    file: FileId,
    result: FactsFile,
    wrong: Vec<Diagnostic>,
}

type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;

impl Reader<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span { file: self.file, start: range.start as u32, end: range.end as u32 }
    }

    fn malformed(&mut self, at: Range<usize>, message: String, label: &str) {
        let span = self.span(at);
        self.wrong.push(Diagnostic::error(rules::FACTS, message).at(span, label));
    }

    fn tables(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("loops", DeValue::Table(loops)) => loops.iter().for_each(|(key, value)| self.one_loop(key, value)),
                ("targets", DeValue::Table(jumps)) => jumps.iter().for_each(|(key, value)| self.jump(key, value)),
                ("unreachable", DeValue::Array(places)) => places.iter().for_each(|place| self.unreachable(place)),
                ("loops" | "targets", _) => {
                    self.malformed(value.span(), format!("`{}` must be a table", key.get_ref()), "")
                }
                ("unreachable", _) => self.malformed(value.span(), "`unreachable` must be a list of names".into(), ""),
                (other, _) => {
                    let known = ["loops", "targets", "unreachable"];
                    let meant = fusee_diagnostics::closest(other, known);
                    let label = meant.map_or("known are `loops`, `targets` and `unreachable`".to_owned(), did_you_mean);
                    self.malformed(key.span(), format!("there are no facts of the kind `{other}`"), &label);
                }
            }
        }
    }

    fn place(&mut self, text: &str, at: Range<usize>) -> Option<u64> {
        match place::find(self.program, text) {
            Ok(address) => Some(address),
            Err(unknown) => {
                let label = unknown.similar.as_deref().map(did_you_mean).unwrap_or_default();
                let span = self.span(at);
                self.wrong.push(Diagnostic::error(rules::PLACE, unknown.to_string()).at(span, label));
                None
            }
        }
    }

    fn give(&mut self, address: u64, at: Range<usize>, line: String) {
        let span = self.span(at);
        self.result.given.push(Given { address, line, span });
    }

    fn one_loop(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let number = value.get_ref().as_integer().and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok());
        let Some(number) = number else {
            let message = "a loop's bound must be a whole number, 0 or more".to_owned();
            return self.malformed(value.span(), message, "rounds for each time the loop is entered");
        };
        let Some(address) = self.place(key.get_ref(), key.span()) else { return };
        let bound = self.result.facts.loop_bounds.entry(address).or_insert(number);
        *bound = (*bound).min(number);
        self.give(address, key.span(), loop_line(key.get_ref(), &number.to_string()));
    }

    fn jump(&mut self, key: &Key<'_>, value: &Spanned<DeValue<'_>>) {
        let Some(names) = value.get_ref().as_array().filter(|names| !names.is_empty()) else {
            return self.malformed(value.span(), "targets must be a list of names that is not empty".into(), "");
        };
        let Some(address) = self.place(key.get_ref(), key.span()) else { return };
        let mut targets = BTreeSet::new();
        let mut written = Vec::new();
        for name in names.iter() {
            if let Some((target, text)) = self.name(name) {
                targets.insert(target);
                written.push(text);
            }
        }
        self.result.facts.targets.entry(address).or_default().extend(targets);
        let written: Vec<&str> = written.iter().map(String::as_str).collect();
        self.give(address, key.span(), targets_line(key.get_ref(), &written));
    }

    fn unreachable(&mut self, value: &Spanned<DeValue<'_>>) {
        if let Some((address, text)) = self.name(value) {
            self.result.facts.unreachable.insert(address);
            self.give(address, value.span(), unreachable_line(&text));
        }
    }

    fn name(&mut self, value: &Spanned<DeValue<'_>>) -> Option<(u64, String)> {
        let Some(text) = value.get_ref().as_str() else {
            self.malformed(value.span(), "this must be the name of a place, as a string".into(), "");
            return None;
        };
        Some((self.place(text, value.span())?, text.to_owned()))
    }
}

fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// The line of a facts file that bounds a loop.
pub fn loop_line(place: &str, rounds: &str) -> String {
    format!("loops.{} = {rounds}", quoted(place))
}

/// The line of a facts file that says where a computed jump leads.
pub fn targets_line(place: &str, targets: &[&str]) -> String {
    let targets: Vec<String> = targets.iter().map(|name| quoted(name)).collect();
    format!("targets.{} = [{}]", quoted(place), targets.join(", "))
}

/// The line of a facts file that says that a place is never executed.
pub fn unreachable_line(place: &str) -> String {
    format!("unreachable = [{}]", quoted(place))
}

/// The line of a facts file that says that stores reach no memory of which anything is known.
pub fn elsewhere_line(place: &str) -> String {
    format!("elsewhere = [{}]", quoted(place))
}

/// A TOML string of one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => quoted += &format!("\\u{:04x}", u32::from(letter)),
            letter => quoted.push(letter),
        }
    }
    quoted + "\""
}
