//! Points of the grid, and the chunks into which their work is cut.
//!
//! Points are numbered like the digits of a number whose last digit runs fastest,
//! in the order of the file. Chunks are done in an order that jumps over the whole
//! grid: the remaining time is then known early, because cheap and dear points
//! come mixed.

use crate::value::MILLION;
use crate::{Experiment, Point, Stage, Value};

/// A unit of work: some sets of one point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    /// Its number; the log knows it by that.
    pub index: u64,
    /// The point's number.
    pub point: usize,
    /// The first set.
    pub first: u64,
    /// One past the last set.
    pub end: u64,
}

/// All points and chunks of an experiment.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The points of the grid.
    pub points: Vec<Point>,
    /// Ways in which each set is analyzed; at least one, which may be empty.
    pub variants: Vec<Point>,
    sets: u64,
    chunk: u64,
}

impl Experiment {
    /// Returns the plan of its work.
    pub fn plan(&self) -> Plan {
        Plan::new(self)
    }
}

impl Plan {
    /// Returns the plan of an experiment.
    fn new(experiment: &Experiment) -> Self {
        let mut points = product(experiment, Stage::Recipe);
        points.retain(|point| within_cores(experiment, point));
        let variants = product(experiment, Stage::Analysis);
        Self { points, variants, sets: experiment.sets, chunk: experiment.chunk.max(1) }
    }

    /// Task sets in all.
    pub fn sets(&self) -> u64 {
        (self.points.len() as u64).saturating_mul(self.sets)
    }

    fn chunks_of_a_point(&self) -> u64 {
        self.sets.div_ceil(self.chunk)
    }

    /// Returns the number of chunks.
    pub fn chunks(&self) -> u64 {
        (self.points.len() as u64).saturating_mul(self.chunks_of_a_point())
    }

    /// A chunk by number, which must be below [`chunks`](Self::chunks).
    pub fn chunk(&self, index: u64) -> Option<Chunk> {
        let each = self.chunks_of_a_point();
        let point = usize::try_from(index.checked_div(each)?)
            .ok()
            .filter(|&point| point < self.points.len())?;
        let first = index % each * self.chunk;
        Some(Chunk { index, point, first, end: (first + self.chunk).min(self.sets) })
    }

    /// Returns the numbers of all chunks in the order in which they are best done.
    pub fn order(&self) -> impl Iterator<Item = u64> + use<> {
        let total = self.chunks();
        let golden = (total as f64 * 0.618_033_988_75) as u64;
        let stride = (golden.max(1)..).find(|&stride| coprime(stride, total)).unwrap_or(1);
        (0..total)
            .map(move |k| (u128::from(k) * u128::from(stride) % u128::from(total.max(1))) as u64)
    }
}

fn coprime(mut a: u64, mut b: u64) -> bool {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a <= 1
}

/// Returns `true` if axes that end at the number of cores do.
fn within_cores(experiment: &Experiment, point: &Point) -> bool {
    let label = |&(axis, setting): &(usize, usize)| &experiment.axes[axis].settings[setting].label;
    let of_cores = point.settings.iter().find(|(axis, _)| experiment.axes[*axis].path == ["cores"]);
    let fixed = experiment.recipe.get("cores").and_then(toml::Value::as_integer).unwrap_or(1);
    let cores = match of_cores.map(label) {
        Some(Value::Integer(cores)) => *cores,
        _ => u64::try_from(fixed).unwrap_or(1),
    };
    let fits = |place: &(usize, usize)| match label(place) {
        Value::Real(value) => *value <= cores.saturating_mul(MILLION),
        Value::Integer(value) => *value <= cores,
        Value::Word(_) => true,
    };
    point.settings.iter().filter(|(axis, _)| experiment.axes[*axis].up_to_cores).all(fits)
}

/// Returns all combinations of the axes of a stage, the last axis fastest.
fn product(experiment: &Experiment, stage: Stage) -> Vec<Point> {
    let axes = experiment.axes.iter().enumerate().filter(|(_, axis)| axis.stage == stage);
    axes.fold(vec![Point::default()], |points, (number, axis)| {
        let extend = |point: &Point, setting: usize| {
            let mut settings = point.settings.clone();
            settings.push((number, setting));
            Point { settings }
        };
        points
            .iter()
            .flat_map(|point| {
                (0..axis.settings.len()).map(|k| extend(point, k)).collect::<Vec<_>>()
            })
            .collect()
    })
}
