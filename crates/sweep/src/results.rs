//! The counts of an experiment.

use crate::{Experiment, Plan, Point, Value, interval};

/// The verdicts of one test on some sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cell {
    /// Sets with all deadlines met for sure.
    pub schedulable: u32,
    /// Sets that break what the test assumes: it says nothing about them.
    pub outside: u32,
}

/// The verdicts of all tests in all variants on some sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// Sets that could not be drawn: every attempt broke a limit of the recipe.
    pub discarded: u32,
    /// Variant by variant, test by test.
    pub cells: Vec<Cell>,
}

impl Counts {
    /// Returns the number of cells that the counts of an experiment have.
    pub fn cells(experiment: &Experiment, plan: &Plan) -> usize {
        plan.variants.len() * experiment.tests.len()
    }
}

/// A line of the results.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The values of all axes, in the order of the file.
    pub values: Vec<Value>,
    /// The label of the test.
    pub label: String,
    /// The name of the test.
    pub test: String,
    /// The point of the row.
    pub point: Point,
    /// Sets that the test was asked about.
    pub sets: u64,
    /// Sets outside its assumptions.
    pub outside: u64,
    /// Sets that it called schedulable.
    pub schedulable: u64,
}

impl Row {
    /// Sets about which the test said something.
    pub fn decided(&self) -> u64 {
        self.sets - self.outside.min(self.sets)
    }

    /// Returns the share of schedulable sets; `None` when the test said nothing about any.
    pub fn ratio(&self) -> Option<f64> {
        (self.decided() > 0).then(|| self.schedulable as f64 / self.decided() as f64)
    }

    /// Returns the interval of the true share, at 95 % (Wilson 1927).
    pub fn interval(&self) -> (f64, f64) {
        interval(self.schedulable, self.decided())
    }
}

/// The results of a finished experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    /// The names of the axes, in the order of the file.
    pub axes: Vec<String>,
    /// Point by point, variant by variant, test by test.
    pub rows: Vec<Row>,
}

impl Results {
    /// Adds up the counts of all chunks; `None` while one is missing.
    pub fn of(experiment: &Experiment, plan: &Plan, counts: &[Option<Counts>]) -> Option<Self> {
        let cells = Counts::cells(experiment, plan);
        let mut sums = vec![Sum { discarded: 0, cells: vec![(0, 0); cells] }; plan.points.len()];
        for index in 0..plan.chunks() {
            let counts = counts.get(usize::try_from(index).ok()?)?.as_ref()?;
            sums[plan.chunk(index)?.point].add(counts);
        }
        let axes = experiment.axis_names();
        let rows = plan
            .points
            .iter()
            .zip(&sums)
            .flat_map(|(point, sum)| rows(experiment, plan, point, sum));
        Some(Self { axes, rows: rows.collect() })
    }
}

/// The counts of one point.
#[derive(Clone)]
struct Sum {
    discarded: u64,
    cells: Vec<(u64, u64)>,
}

impl Sum {
    fn add(&mut self, counts: &Counts) {
        self.discarded += u64::from(counts.discarded);
        for (sum, cell) in self.cells.iter_mut().zip(&counts.cells) {
            sum.0 += u64::from(cell.schedulable);
            sum.1 += u64::from(cell.outside);
        }
    }
}

fn rows(experiment: &Experiment, plan: &Plan, point: &Point, sum: &Sum) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut cells = sum.cells.iter();
    for variant in &plan.variants {
        let place = point.with(variant);
        let values = experiment.values(&place);
        for test in &experiment.tests {
            let Some(&(schedulable, outside)) = cells.next() else { continue };
            if test.only.iter().all(|choice| choice.admits(&place)) {
                let sets = experiment.sets.saturating_sub(sum.discarded);
                let (label, name) = (test.label.clone(), test.test.metadata().name.to_owned());
                let (values, point) = (values.clone(), place.clone());
                rows.push(Row { values, label, test: name, point, sets, outside, schedulable });
            }
        }
    }
    rows
}

impl Experiment {
    /// The values of all axes at a place, in the order of the file.
    pub fn values(&self, place: &Point) -> Vec<Value> {
        let value =
            |axis: usize| Some(self.axes[axis].settings.get(place.setting(axis)?)?.label.clone());
        (0..self.axes.len()).filter_map(value).collect()
    }

    /// The names of the axes, in the order of the file.
    pub fn axis_names(&self) -> Vec<String> {
        self.axes.iter().map(|axis| axis.name.clone()).collect()
    }
}
