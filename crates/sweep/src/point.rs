//! A point of an experiment's grid.

/// A point of the grid: a setting for some of the axes, both by number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Point {
    /// Axes and settings in the order of the file.
    pub settings: Vec<(usize, usize)>,
}

impl Point {
    /// Returns the number of an axis's setting.
    pub fn setting(&self, axis: usize) -> Option<usize> {
        self.settings.iter().find(|(known, _)| *known == axis).map(|(_, setting)| *setting)
    }

    /// This point's settings and the other's.
    #[must_use]
    pub fn with(&self, other: &Point) -> Point {
        Point { settings: self.settings.iter().chain(&other.settings).copied().collect() }
    }
}
