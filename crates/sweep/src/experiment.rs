//! An experiment, once its file has been understood.

use fusee_analysis::SchedulabilityTest;

use crate::checksum::identity;
use crate::{Own, Point, Value};

/// Changes whenever the same file may give other numbers than before.
const MEANING: &str = concat!("fusee ", env!("CARGO_PKG_VERSION"), ", sweep 2");

/// An experiment on random task sets.
#[derive(Clone)]
pub struct Experiment {
    /// Its name for people.
    pub title: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Task sets for each point.
    pub sets: u64,
    /// Task sets in one unit of work.
    pub chunk: u64,
    /// Steps that the work on one set may take for each way to analyze it. It decides no number: a
    /// set that needs more ends the run.
    pub effort: u64,
    /// The options for making sets, apart from the axes: a
    /// [`Recipe`](fusee_analysis::generation::Recipe).
    pub recipe: toml::Table,
    /// The options for analyzing sets, apart from the axes: [`Options`](crate::Options).
    pub analysis: toml::Table,
    /// The axes in the order of the file.
    pub axes: Vec<Axis>,
    /// The tests in the order of the file.
    pub tests: Vec<Test>,
    /// The figures to draw.
    pub figures: Vec<Figure>,
    /// The parts that the program brings.
    pub own: Own,
}

/// The stage that an axis changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The making of sets.
    Recipe,
    /// The analysis of the same sets.
    Analysis,
}

/// A field of the recipe or of the analysis, and the values that it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Its name in results.
    pub name: String,
    /// The stage that it changes.
    pub stage: Stage,
    /// The field, as names from the outermost table in.
    pub path: Vec<String>,
    /// Its values, each once.
    pub settings: Vec<Setting>,
    /// `true` if values above the number of cores are left out.
    pub up_to_cores: bool,
}

/// One value of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The name of the setting.
    pub label: Value,
    /// The value that the field is set to.
    pub value: toml::Value,
}

/// Some settings of one axis, by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The number of the axis.
    pub axis: usize,
    /// The numbers of the settings.
    pub settings: Vec<usize>,
}

impl Choice {
    /// Returns `true` if a point is among them; a point without this axis is.
    pub fn admits(&self, point: &Point) -> bool {
        point.setting(self.axis).is_none_or(|setting| self.settings.contains(&setting))
    }
}

/// A test as an experiment asks it.
#[derive(Clone)]
pub struct Test {
    /// The name in results and legends.
    pub label: String,
    /// The schedulability test.
    pub test: &'static dyn SchedulabilityTest,
    /// The treatment of the set's resources.
    pub resources: Sharing,
    /// The points at which it is asked; elsewhere it is left out.
    pub only: Vec<Choice>,
}

/// The test's view of a set's resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// All of them.
    Seen,
    /// None: the sections are ordinary execution.
    Ignored,
}

/// A figure, or several of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The start of its file's name.
    pub name: String,
    /// The title above it.
    pub title: String,
    /// The axis of the experiment along the horizontal axis.
    pub x: usize,
    /// The label below the horizontal axis.
    pub x_label: String,
    /// The axis whose later values are dotted.
    pub dotted: Option<usize>,
    /// The points that it shows.
    pub only: Vec<Choice>,
    /// Labels of the tests that it shows; all if empty.
    pub tests: Vec<String>,
}

impl Experiment {
    /// The same with a share of the sets, rounded up; in millionths.
    #[must_use]
    pub fn sampled(mut self, millionths: u64) -> Self {
        self.sets =
            ((u128::from(self.sets) * u128::from(millionths)).div_ceil(1_000_000) as u64).max(1);
        self.chunk = self.chunk.min(self.sets);
        self
    }

    /// Returns the recipe and the analysis at a point, of whose axes later ones overrule earlier
    /// ones.
    pub fn tables(&self, point: &Point, stage: Stage) -> toml::Table {
        let mut table = match stage {
            Stage::Recipe => self.recipe.clone(),
            Stage::Analysis => self.analysis.clone(),
        };
        for &(axis, setting) in &point.settings {
            let axis = &self.axes[axis];
            if axis.stage == stage {
                set(&mut table, &axis.path, axis.settings[setting].value.clone());
            }
        }
        table
    }

    /// Returns all that decides the numbers, as text.
    fn canonical(&self) -> String {
        let mut text =
            format!("{MEANING}\nseed {}\nsets {}\nchunk {}\n", self.seed, self.sets, self.chunk);
        text += &format!("recipe {:?}\nanalysis {:?}\n", self.recipe, self.analysis);
        text += &self.own.canonical();
        for axis in &self.axes {
            text += &format!("axis {axis:?}\n");
        }
        for test in &self.tests {
            let name = test.test.metadata().name;
            text += &format!("test {:?} {name} {:?} {:?}\n", test.label, test.resources, test.only);
        }
        text
    }

    /// Returns a number that two experiments share only if they give the same results.
    pub fn identity(&self) -> u128 {
        identity(self.canonical().as_bytes())
    }
}

/// Sets a field, making the tables on the way to it.
fn set(table: &mut toml::Table, path: &[String], value: toml::Value) {
    let [first, rest @ ..] = path else { return };
    if rest.is_empty() {
        table.insert(first.clone(), value);
        return;
    }
    let inner =
        table.entry(first.clone()).or_insert_with(|| toml::Value::Table(toml::Table::new()));
    if !inner.is_table() {
        *inner = toml::Value::Table(toml::Table::new());
    }
    if let toml::Value::Table(inner) = inner {
        set(inner, rest, value);
    }
}
