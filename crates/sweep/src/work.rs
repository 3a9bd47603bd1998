//! One chunk: make the sets, ask the tests, count.
//!
//! This is a pure function of the experiment and the chunk. The random numbers of
//! a point depend on the experiment's seed and on the point's settings by name, so
//! that points are independent of each other and adding a value to an axis leaves
//! the sets of all other points as they were.

use fusee_analysis::TaskSet;
use fusee_analysis::generation::{Generator, Recipe};

use crate::checksum::identity;
use crate::{Cell, Chunk, Counts, Experiment, Options, Plan, Point, Sharing, Stage};

/// A point of the grid has a recipe or options that make no sense together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct Impossible {
    /// The point.
    pub place: String,
    /// What is wrong.
    pub problem: String,
}

/// What a chunk's tests say.
///
/// # Errors
/// The point's recipe or options are impossible.
pub fn count(experiment: &Experiment, plan: &Plan, chunk: Chunk) -> Result<Counts, Impossible> {
    let nowhere = Point::default();
    let point = plan.points.get(chunk.point).unwrap_or(&nowhere);
    let generator = generator(experiment, point)?;
    let variants: Vec<(Point, Options)> = plan
        .variants
        .iter()
        .map(|v| Ok((point.with(v), options(experiment, v)?)))
        .collect::<Result<_, Impossible>>()?;
    let seed = seed(experiment, point);
    let mut counts = Counts { discarded: 0, cells: vec![Cell::default(); Counts::cells(experiment, plan)] };
    for index in chunk.first..chunk.end {
        let Ok(set) = generator.set(seed, index) else {
            counts.discarded += 1;
            continue;
        };
        let mut cells = counts.cells.iter_mut();
        for (place, options) in &variants {
            ask(experiment, place, options, &set, &mut cells);
        }
    }
    Ok(counts)
}

/// Asks every test that applies at a place, and adds its answer to its cell.
fn ask<'a>(
    experiment: &Experiment,
    place: &Point,
    options: &Options,
    set: &TaskSet,
    cells: &mut impl Iterator<Item = &'a mut Cell>,
) {
    let placed = options.placed(set);
    let asked_alone = experiment.tests.iter().any(|test| test.resources == Sharing::Ignored);
    let alone = placed.as_ref().filter(|_| asked_alone).map(|set| set.clone().into_owned().without_requests());
    for (test, cell) in experiment.tests.iter().zip(cells) {
        if !test.only.iter().all(|choice| choice.admits(place)) {
            continue;
        }
        let seen = match test.resources {
            Sharing::Seen => placed.as_deref(),
            Sharing::Ignored => alone.as_ref(),
        };
        // A set that fits no placement is not schedulable, whatever the test.
        let Some(seen) = seen else { continue };
        match options.ask(test, seen) {
            Ok(verdict) => cell.schedulable += u32::from(verdict.is_schedulable()),
            Err(_) => cell.outside += 1,
        }
    }
}

/// The generator of a point's sets.
pub(crate) fn generator(experiment: &Experiment, point: &Point) -> Result<Generator, Impossible> {
    let impossible = |problem: String| Impossible { place: place(experiment, point), problem };
    let recipe: Recipe = experiment
        .tables(point, Stage::Recipe)
        .try_into()
        .map_err(|e: toml::de::Error| impossible(e.message().to_owned()))?;
    Generator::new(recipe).map_err(|error| impossible(error.to_string()))
}

/// The options of a variant.
pub(crate) fn options(experiment: &Experiment, variant: &Point) -> Result<Options, Impossible> {
    let table = experiment.tables(variant, Stage::Analysis);
    let impossible = |problem: String| Impossible { place: place(experiment, variant), problem };
    let options: Options = table.try_into().map_err(|error: toml::de::Error| impossible(error.message().to_owned()))?;
    match options.problem(&experiment.tests) {
        Some(problem) => Err(impossible(problem)),
        None => Ok(options),
    }
}

/// A point by the names and values of its axes.
fn place(experiment: &Experiment, point: &Point) -> String {
    let name = |&(axis, setting): &(usize, usize)| {
        let axis = &experiment.axes[axis];
        format!("{} = {}", axis.name, axis.settings[setting].label)
    };
    let names: Vec<String> = point.settings.iter().map(name).collect();
    if names.is_empty() { "the only point".to_owned() } else { names.join(", ") }
}

fn seed(experiment: &Experiment, point: &Point) -> u64 {
    let text = format!("{} {}", experiment.seed, place(experiment, point));
    let identity = identity(text.as_bytes());
    identity as u64 ^ (identity >> 64) as u64
}
