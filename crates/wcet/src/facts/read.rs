//! Reading a facts file, with everything that is wrong with it.

use std::ops::Range;

use fusee_diagnostics::{Diagnostic, FileId, SourceMap, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{FactsFile, Given};
use crate::execute::{EXCLUSIVE_PLACES, Exclusion, Line, LineBound, Spot, Total, Used};
use crate::fact_line;
use crate::lines::{Lines, Source};
use crate::place::{self, UnknownPlace};
use crate::program::Program;
use crate::rules;
use fusee_isa::language::Instruction;

/// The kinds of facts.
const KINDS: [&str; 10] = [
    "loops",
    "totals",
    "recursion",
    "calls",
    "targets",
    "tables",
    "times",
    "unreachable",
    "ends",
    "exclusive",
];

pub(super) fn read(
    sources: &SourceMap,
    files: &[FileId],
    program: &Program,
    lines: &Lines,
) -> Result<FactsFile, Vec<Diagnostic>> {
    let (mut result, mut wrong) = (FactsFile::default(), Vec::new());
    for &file in files {
        // All files are read even where one is wrong, so that everything is reported at once.
        let mut reader = Reader { program, lines, file, result, wrong };
        match DeTable::parse(&sources.file(file).text) {
            Ok(table) => reader.tables(table.get_ref()),
            Err(error) => {
                reader.malformed(error.span().unwrap_or(0..0), error.message().to_owned(), "")
            }
        }
        (result, wrong) = (reader.result, reader.wrong);
    }
    // The tables of a file are not in the order of its text; messages are to be.
    result.given.sort_by_key(|given| (given.span.file.0, given.span.start));
    if wrong.is_empty() { Ok(result) } else { Err(wrong) }
}

pub(super) struct Reader<'p> {
    pub(super) program: &'p Program,
    lines: &'p Lines,
    file: FileId,
    pub(super) result: FactsFile,
    wrong: Vec<Diagnostic>,
}

pub(super) type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;
pub(super) type Entry<'a> = Spanned<DeValue<'a>>;

impl Reader<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span { file: self.file, start: range.start as u32, end: range.end as u32 }
    }

    pub(super) fn malformed(&mut self, at: Range<usize>, message: String, label: &str) {
        let span = self.span(at);
        self.wrong.push(Diagnostic::error(rules::FACTS, message).at(span, label));
    }

    fn tables(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("loops", DeValue::Table(loops)) => {
                    loops.iter().for_each(|(key, value)| self.one_loop(key, value))
                }
                ("totals", DeValue::Table(totals)) => {
                    totals.iter().for_each(|(key, value)| self.total(key, value))
                }
                ("recursion", DeValue::Table(depths)) => {
                    depths.iter().for_each(|(key, value)| self.depth(key, value))
                }
                ("calls", DeValue::Table(calls)) => {
                    calls.iter().for_each(|(key, value)| self.all_calls(key, value))
                }
                ("targets", DeValue::Table(jumps)) => {
                    jumps.iter().for_each(|(key, value)| self.jump(key, value))
                }
                ("tables", DeValue::Table(stores)) => {
                    stores.iter().for_each(|(key, value)| self.table(key, value))
                }
                ("times", DeValue::Table(times)) => {
                    times.iter().for_each(|(key, value)| self.time(key, value))
                }
                ("ends", DeValue::Array(places)) => places.iter().for_each(|place| self.end(place)),
                ("unreachable", DeValue::Array(places)) => {
                    places.iter().for_each(|place| self.unreachable(place))
                }
                ("exclusive", DeValue::Array(groups)) => {
                    groups.iter().for_each(|group| self.exclusive(group))
                }
                (kind @ ("unreachable" | "ends" | "exclusive"), _) => {
                    self.malformed(value.span(), format!("`{kind}` must be a list"), "");
                }
                (kind, _) if KINDS.contains(&kind) => {
                    self.malformed(value.span(), format!("`{kind}` must be a table"), "")
                }
                (other, _) => {
                    let meant = fusee_diagnostics::closest(other, KINDS);
                    let known = || format!("known are `{}`", KINDS.join("`, `"));
                    let label = meant.map_or_else(known, |name| format!("did you mean `{name}`?"));
                    self.malformed(
                        key.span(),
                        format!("there are no facts of the kind `{other}`"),
                        &label,
                    );
                }
            }
        }
    }

    pub(super) fn unknown(&mut self, unknown: &UnknownPlace, at: Range<usize>) {
        self.wrong.push(unknown.diagnostic(self.span(at)));
    }

    /// A place that must be one address.
    pub(super) fn place(&mut self, text: &str, at: Range<usize>) -> Option<u64> {
        place::find(self.program, text).map_err(|unknown| self.unknown(&unknown, at)).ok()
    }

    /// Returns the instructions of a line of source, or `Some(None)` for a text that names an
    /// address.
    pub(super) fn line(&mut self, text: &str, at: Range<usize>) -> Option<Option<Line>> {
        // A symbol with a colon in its name is no line, if the program has it.
        let names_line = matches!(Source::parse(text), Source::Line(..));
        if !names_line || self.program.symbol(text).is_some() {
            return Some(None);
        }
        match self.spot(text, at)? {
            Spot::Line(line) => Some(Some(line)),
            Spot::Address(_) => Some(None),
        }
    }

    /// An address, or a line of source.
    fn spot(&mut self, text: &str, at: Range<usize>) -> Option<Spot> {
        let source @ Source::Line(..) = Source::parse(text) else {
            return self.place(text, at).map(Spot::Address);
        };
        if self.program.symbol(text).is_some() {
            return self.place(text, at).map(Spot::Address);
        }
        let line = self.lines.instructions(self.program, &source);
        if line.is_empty() {
            let message = format!("no instruction comes from `{text}`");
            // Without debugging information no line would do, so the mistake is another one.
            let label =
                if self.lines.is_empty() { "the program has no debugging information" } else { "" };
            let span = self.span(at);
            self.wrong.push(Diagnostic::error(rules::PLACE, message).at(span, label));
            return None;
        }
        Some(Spot::Line(line))
    }

    pub(super) fn give(&mut self, fact: Used, at: Range<usize>, line: String) {
        let span = self.span(at);
        self.result.given.push(Given { fact, line, span });
    }

    pub(super) fn number(&mut self, value: &Entry<'_>, what: &str, label: &str) -> Option<u64> {
        let number = value
            .get_ref()
            .as_integer()
            .and_then(|n| u64::from_str_radix(n.as_str(), n.radix()).ok());
        if number.is_none() {
            self.malformed(
                value.span(),
                format!("{what} must be a whole number, 0 or more"),
                label,
            );
        }
        number
    }

    fn one_loop(&mut self, key: &Key<'_>, value: &Entry<'_>) {
        let label = "iterations for each time the loop is entered";
        let Some(number) = self.number(value, "a loop's bound", label) else { return };
        let Some(spot) = self.spot(key.get_ref(), key.span()) else { return };
        let facts = &mut self.result.facts;
        let fact = match spot {
            Spot::Address(address) => {
                // Two facts about one loop both hold, so the smaller one decides.
                let bound = facts.loop_bounds.entry(address).or_insert(number);
                *bound = (*bound).min(number);
                Used::Loop(address)
            }
            Spot::Line(line) => {
                facts.line_bounds.push(LineBound { line, statement: None, iterations: number });
                Used::LineBound(facts.line_bounds.len() - 1)
            }
        };
        self.give(fact, key.span(), fact_line::loop_line(key.get_ref(), &number.to_string()));
    }

    fn total(&mut self, key: &Key<'_>, value: &Entry<'_>) {
        let label = "iterations in all entries of the loop together";
        let (iterations, during) = match value.get_ref() {
            DeValue::Table(table) => {
                let Some(iterations) =
                    table.get("iterations").filter(|_| self.known(table, ["iterations", "during"]))
                else {
                    return self.malformed(
                        value.span(),
                        "a total must have `iterations`, may have `during`".into(),
                        label,
                    );
                };
                let Ok(during) = self.during(table) else { return };
                (self.number(iterations, "a loop's total", label), during)
            }
            // Without `during` a total counts in each call of the loop's own function.
            _ => (self.number(value, "a loop's total", label), None),
        };
        let (Some(iterations), Some(looping)) = (iterations, self.spot(key.get_ref(), key.span()))
        else {
            return;
        };
        let line = fact_line::total_line(
            key.get_ref(),
            &iterations.to_string(),
            during.as_ref().map(|(name, _)| name.as_str()),
        );
        let totals = &mut self.result.facts.totals;
        // Several totals of one loop may count during different functions, so each is kept.
        totals.push(Total { looping, iterations, during: during.map(|(_, address)| address) });
        let fact = Used::Total(totals.len() - 1);
        self.give(fact, key.span(), line);
    }

    pub(super) fn known<const N: usize>(&mut self, table: &DeTable<'_>, keys: [&str; N]) -> bool {
        table.keys().all(|key| keys.contains(&key.get_ref().as_ref()))
    }

    /// Returns where a fact counts; `Err` where that is no place.
    fn during(&mut self, table: &DeTable<'_>) -> Result<Option<(String, u64)>, ()> {
        let Some(value) = table.get("during") else { return Ok(None) };
        let text = self.text(value).ok_or(())?;
        let address = self.place(&text, value.span()).ok_or(())?;
        Ok(Some((text, address)))
    }

    /// The function that a fact is about, and the number that it gives.
    fn of_function(
        &mut self,
        (key, value): (&Key<'_>, &Entry<'_>),
        (what, label): (&str, &str),
    ) -> Option<(u64, u64)> {
        let number = self.number(value, what, label)?;
        Some((self.place(key.get_ref(), key.span())?, number))
    }

    fn depth(&mut self, key: &Key<'_>, value: &Entry<'_>) {
        let said = ("the depth of a recursion", "calls of the function that are under way at once");
        let Some((address, number)) = self.of_function((key, value), said) else { return };
        // Two facts about one function both hold, so the smaller one decides.
        let depth = self.result.facts.recursion.entry(address).or_insert(number);
        *depth = (*depth).min(number);
        let line = fact_line::recursion_line(key.get_ref(), &number.to_string());
        self.give(Used::Recursion(address), key.span(), line);
    }

    fn all_calls(&mut self, key: &Key<'_>, value: &Entry<'_>) {
        let said =
            ("the calls of a function", "calls of the function in all, the first one included");
        let Some((address, number)) = self.of_function((key, value), said) else { return };
        let calls = self.result.facts.calls.entry(address).or_insert(number);
        *calls = (*calls).min(number);
        let line = fact_line::calls_line(key.get_ref(), &number.to_string());
        self.give(Used::Calls(address), key.span(), line);
    }

    fn jump(&mut self, key: &Key<'_>, value: &Entry<'_>) {
        let Some(names) = value.get_ref().as_array().filter(|names| !names.is_empty()) else {
            // An empty list would say that control ends there, which `ends` says more clearly.
            return self.malformed(
                value.span(),
                "targets must be a list of names that is not empty".into(),
                "",
            );
        };
        let Some(address) = self.jump_place(key.get_ref(), key.span()) else { return };
        let mut targets = std::collections::BTreeSet::new();
        let mut written = Vec::new();
        for name in names.iter() {
            // The other names are read all the same, so that every mistake is reported.
            let Some(text) = self.text(name) else { continue };
            targets.extend(self.place(&text, name.span()));
            written.push(text);
        }
        // Two lists of one jump are put together: more targets make a bound longer, never wrong.
        self.result.facts.targets.entry(address).or_default().extend(targets);
        let written: Vec<&str> = written.iter().map(String::as_str).collect();
        self.give(
            Used::Targets(address),
            key.span(),
            fact_line::targets_line(key.get_ref(), &written),
        );
    }

    /// The computed jump at an address, or the only one of a line.
    fn jump_place(&mut self, text: &str, at: Range<usize>) -> Option<u64> {
        self.only_one(text, at, "computed jumps or calls", Instruction::jumps_anywhere)
    }

    /// An address, or that of the only instruction of a line that is of a kind.
    pub(super) fn only_one(
        &mut self,
        text: &str,
        at: Range<usize>,
        what: &str,
        is_meant: fn(&Instruction) -> bool,
    ) -> Option<u64> {
        let line = match self.spot(text, at.clone())? {
            Spot::Address(address) => return Some(address),
            Spot::Line(line) => line,
        };
        let meant = |address: &u64| self.program.instruction(*address).is_ok_and(|i| is_meant(&i));
        let found: Vec<u64> = line.into_iter().filter(meant).collect();
        // Of several, only an address tells which one is meant.
        if let [only] = found[..] {
            return Some(only);
        }
        let message = format!("`{text}` has {} {what}, not one", found.len());
        let names: Vec<String> = found.iter().map(|&one| self.program.describe(one)).collect();
        let span = self.span(at);
        self.wrong.push(Diagnostic::error(rules::PLACE, message).at(span, names.join(", ")));
        None
    }

    fn unreachable(&mut self, value: &Entry<'_>) {
        let Some(text) = self.text(value) else { return };
        let Some(spot) = self.spot(&text, value.span()) else { return };
        let facts = &mut self.result.facts;
        let fact = match spot {
            Spot::Address(address) => {
                facts.unreachable.insert(address);
                Used::Unreachable(address)
            }
            Spot::Line(line) => {
                facts.unreachable_lines.push(line);
                Used::UnreachableLine(facts.unreachable_lines.len() - 1)
            }
        };
        self.give(fact, value.span(), fact_line::unreachable_line(&[&text]));
    }

    fn exclusive(&mut self, value: &Entry<'_>) {
        let shape = "write a list of places, or `{ places = [...], during = \"...\" }`";
        let (names, during) = match value.get_ref() {
            DeValue::Table(table) if self.known(table, ["places", "during"]) => {
                let Ok(during) = self.during(table) else { return };
                (table.get("places").and_then(|places| places.get_ref().as_array()), during)
            }
            other => (other.as_array(), None),
        };
        // One place alone excludes nothing.
        let Some(names) = names.filter(|names| names.len() > 1) else {
            return self.malformed(
                value.span(),
                "an exclusion must have two places or more".into(),
                shape,
            );
        };
        let texts: Vec<(String, Range<usize>)> =
            names.iter().filter_map(|name| Some((self.text(name)?, name.span()))).collect();
        let places: Vec<Spot> =
            texts.iter().filter_map(|(text, at)| self.spot(text, at.clone())).collect();
        let exclusions = &self.result.facts.exclusions;
        let all =
            exclusions.iter().map(|exclusion| exclusion.places.len()).sum::<usize>() + places.len();
        // Paths carry one bit for each of these places.
        if all > EXCLUSIVE_PLACES {
            let message =
                format!("all exclusions together name more than {EXCLUSIVE_PLACES} places");
            return self.malformed(value.span(), message, "");
        }
        let fact = Used::Exclusion(exclusions.len());
        let written: Vec<&str> = texts.iter().map(|(text, _)| text.as_str()).collect();
        let line =
            fact_line::exclusive_line(&written, during.as_ref().map(|(name, _)| name.as_str()));
        let during = during.map(|(_, address)| address);
        self.result.facts.exclusions.push(Exclusion { places, during });
        self.give(fact, value.span(), line);
    }

    pub(super) fn text(&mut self, value: &Entry<'_>) -> Option<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.malformed(
                value.span(),
                "this must be the name of a place, as a string".into(),
                "",
            );
        }
        text
    }
}
