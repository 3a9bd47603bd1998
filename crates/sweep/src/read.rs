//! From a TOML text to an experiment, or to everything that is wrong with it.
//!
//! The text is parsed twice: once with places, for messages, and once without, for
//! the recipe and the analysis, which are handed on as tables. Reading goes on after
//! an error, so that one run names all of them.

mod axes;
mod figures;
mod reader;
mod tests;

use fusee_analysis::effort::PER_SET;
use fusee_diagnostics::{Diagnostic, FileId, SourceMap};
use toml::de::DeTable;

use crate::experiment::{Experiment, Stage};
use crate::faults::Fault;
use crate::{Own, Point, rules, work};
use reader::{Reader, entries};

/// Sets in a chunk if the file says nothing.
const CHUNK: u64 = 100;
/// The most points; beyond that the plan alone would fill a machine.
const MOST_POINTS: u64 = 10_000_000;
/// The most sets for each point: counts have 32 bits.
const MOST_SETS: u64 = 1_000_000_000;

const KEYS: [&str; 10] =
    ["title", "seed", "sets", "chunk", "effort", "tests", "recipe", "analysis", "grid", "figures"];

impl Experiment {
    /// Reads the text of a file that `sources` knows.
    ///
    /// # Errors
    /// Everything that is wrong with it: rules F1201 to F1207.
    pub fn read(sources: &SourceMap, file: FileId) -> Result<Self, Vec<Diagnostic>> {
        Self::read_with(sources, file, Own::default())
    }

    /// The same with a generator, a placement or tests of the program's own. With a generator,
    /// `[recipe]` is what that makes of it.
    ///
    /// # Errors
    /// Everything that is wrong with it: rules F1201 to F1207.
    pub fn read_with(sources: &SourceMap, file: FileId, own: Own) -> Result<Self, Vec<Diagnostic>> {
        let text = &sources.file(file).text;
        let mut reader = Reader::new(file, own);
        let (table, plain) = match (DeTable::parse(text), text.parse::<toml::Table>()) {
            (Ok(table), Ok(plain)) => (table, plain),
            (Err(error), _) | (_, Err(error)) => {
                let span = reader.span(error.span().unwrap_or(0..0));
                return Err(vec![
                    Diagnostic::error(rules::SYNTAX, error.message().to_owned()).at(span, ""),
                ]);
            }
        };
        let (experiment, known) = reader.experiment(table.get_ref(), &plain);
        // What a wrong axis would have set is missing elsewhere, and no error of its own.
        if known.grid {
            reader.check(&experiment, table.get_ref(), known.tests);
        }
        if reader.wrong.is_empty() { Ok(experiment) } else { Err(reader.wrong) }
    }
}

/// The part of an experiment that is read without an error.
struct Known {
    grid: bool,
    tests: bool,
}

impl Reader {
    /// The experiment as far as it can be read.
    fn experiment(&mut self, table: &DeTable<'_>, plain: &toml::Table) -> (Experiment, Known) {
        for (key, _) in entries(table) {
            self.known(key, &KEYS, "an experiment");
        }
        let sets = self.whole(table, "sets", 1..=MOST_SETS).unwrap_or(1);
        let chunk = self.whole(table, "chunk", 1..=MOST_SETS).unwrap_or(CHUNK).min(sets);
        let mut experiment = Experiment {
            title: self.text(table, "title").unwrap_or_default(),
            seed: self.whole(table, "seed", 0..=u64::MAX >> 1).unwrap_or(1),
            sets,
            chunk,
            effort: self.whole(table, "effort", 1..=u64::MAX >> 1).unwrap_or(PER_SET),
            recipe: self.table(table, plain, "recipe"),
            analysis: self.table(table, plain, "analysis"),
            axes: Vec::new(),
            tests: Vec::new(),
            figures: Vec::new(),
            own: self.own.clone(),
        };
        for name in ["sets", "recipe", "tests"] {
            let drawn_otherwise = name == "recipe" && self.own.draw.is_some();
            if !table.contains_key(name) && !drawn_otherwise {
                self.wrong.push(
                    Diagnostic::error(rules::MISSING, format!("the experiment has no `{name}`"))
                        .at(self.span(0..0), "needed in this file"),
                );
            }
        }
        let before = self.wrong.len();
        experiment.axes = self.axes(table, plain, &experiment.recipe);
        let with_axes = self.wrong.len();
        experiment.tests = self.tests(table, &experiment.axes);
        let tests = self.wrong.len() == with_axes && table.contains_key("tests");
        let known = Known { grid: with_axes == before, tests };
        experiment.figures = self.figures(table, &experiment);
        (experiment, known)
    }

    /// Tries every setting once, so that a wrong one is known before the work begins.
    fn check(&mut self, experiment: &Experiment, table: &DeTable<'_>, tests_are_known: bool) {
        let points = experiment
            .axes
            .iter()
            .try_fold(1_u64, |n, axis| n.checked_mul(axis.settings.len() as u64));
        if points.is_none_or(|points| points > MOST_POINTS) {
            let at = self.place(table, &["grid"]);
            let message = format!("the grid has more than {MOST_POINTS} points");
            return self.wrong.push(
                Diagnostic::error(rules::VALUE, message).at(at, "divide it into several files"),
            );
        }
        let first = Point { settings: (0..experiment.axes.len()).map(|axis| (axis, 0)).collect() };
        let everywhere = work::faults(experiment, &first, tests_are_known);
        for (stage, Fault { field, problem }) in &everywhere {
            let stage = if *stage == Some(Stage::Analysis) { "analysis" } else { "recipe" };
            // What is in no table was put there by the grid.
            let stage = if table.contains_key(stage) { stage } else { "grid" };
            let path: Vec<&str> = [stage].into_iter().chain(field.as_deref()).collect();
            let at = self.place(table, &path);
            self.wrong.push(
                Diagnostic::error(rules::RECIPE, problem.clone())
                    .at(at, "no task sets can be made like this"),
            );
        }
        for (number, axis) in experiment.axes.iter().enumerate() {
            for setting in 1..axis.settings.len() {
                let mut point = first.clone();
                point.settings[number] = (number, setting);
                let here = work::faults(experiment, &point, tests_are_known);
                let new: Vec<_> = here.into_iter().filter(|f| !everywhere.contains(f)).collect();
                if new.is_empty() {
                    continue;
                }
                for (_, Fault { problem, .. }) in new {
                    let at = self.place(table, &["grid", &axis.name]);
                    let label = format!("with its value `{}`", axis.settings[setting].label);
                    self.wrong.push(Diagnostic::error(rules::RECIPE, problem).at(at, label));
                }
                break;
            }
        }
        if !self.wrong.is_empty() {
            return;
        }
        if experiment.plan().points.is_empty() {
            let at = self.place(table, &["grid"]);
            self.wrong.push(
                Diagnostic::error(rules::VALUE, "the grid has no points")
                    .at(at, "nothing fits the cores"),
            );
        }
    }
}
