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
use crate::{Point, rules, work};
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
        let text = &sources.file(file).text;
        let mut reader = Reader::new(file);
        let (table, plain) = match (DeTable::parse(text), text.parse::<toml::Table>()) {
            (Ok(table), Ok(plain)) => (table, plain),
            (Err(error), _) | (_, Err(error)) => {
                let span = reader.span(error.span().unwrap_or(0..0));
                return Err(vec![
                    Diagnostic::error(rules::SYNTAX, error.message().to_owned()).at(span, ""),
                ]);
            }
        };
        let experiment = reader.experiment(table.get_ref(), &plain);
        if reader.wrong.is_empty() {
            reader.check(&experiment, table.get_ref());
        }
        if reader.wrong.is_empty() { Ok(experiment) } else { Err(reader.wrong) }
    }
}

impl Reader {
    fn experiment(&mut self, table: &DeTable<'_>, plain: &toml::Table) -> Experiment {
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
        };
        for name in ["sets", "recipe", "tests"] {
            if !table.contains_key(name) {
                self.wrong.push(
                    Diagnostic::error(rules::MISSING, format!("the experiment has no `{name}`"))
                        .at(self.span(0..0), "needed in this file"),
                );
            }
        }
        experiment.axes = self.axes(table, plain, &experiment.recipe);
        experiment.tests = self.tests(table, &experiment.axes);
        experiment.figures = self.figures(table, &experiment);
        experiment
    }

    /// Tries every setting once, so that a wrong one is known before the work begins.
    fn check(&mut self, experiment: &Experiment, table: &DeTable<'_>) {
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
        if let Err(problem) = attempt(experiment, &first) {
            let stage =
                if work::options(experiment, &first).is_err() { "analysis" } else { "recipe" };
            let at = self.place(table, &[if table.contains_key(stage) { stage } else { "grid" }]);
            return self.wrong.push(
                Diagnostic::error(rules::RECIPE, problem)
                    .at(at, "no task sets can be made like this"),
            );
        }
        for (number, axis) in experiment.axes.iter().enumerate() {
            for setting in 1..axis.settings.len() {
                let mut point = first.clone();
                point.settings[number] = (number, setting);
                if let Err(problem) = attempt(experiment, &point) {
                    let at = self.place(table, &["grid", &axis.name]);
                    let label = format!("with its value `{}`", axis.settings[setting].label);
                    self.wrong.push(Diagnostic::error(rules::RECIPE, problem).at(at, label));
                    break;
                }
            }
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

fn attempt(experiment: &Experiment, point: &Point) -> Result<(), String> {
    let of_stage = |stage: Stage| {
        let settings =
            point.settings.iter().filter(|(axis, _)| experiment.axes[*axis].stage == stage);
        Point { settings: settings.copied().collect() }
    };
    let generator =
        work::generator(experiment, &of_stage(Stage::Recipe)).map_err(|error| error.problem)?;
    let options =
        work::options(experiment, &of_stage(Stage::Analysis)).map_err(|error| error.problem)?;
    work::unplaced(experiment, point, &generator, &options).map_or(Ok(()), Err)
}
