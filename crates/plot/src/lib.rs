//! Line charts, the same as SVG and as PNG, byte for byte everywhere.
//!
//! Papers show how the share of schedulable task sets falls as load grows: one
//! line for each test, with its uncertainty. That is all that is drawn here. A
//! [`Chart`] is laid out once as a list of shapes, and two writers turn the list
//! into an SVG text or a PNG picture. Pictures depend on no font of the machine:
//! the raster font is part of the program. It costs a fixed-width letter in PNG;
//! SVG leaves the letter to the reader's machine.
//!
//! PNG itself is `tiny-skia`'s. The crate `plotters` would replace scale, layout and SVG,
//! 325 lines, with 39 crates and 25 s of processor time in release; letters in its
//! pictures come from the machine's fonts or from a font file that a program brings along.

mod layout;
mod raster;
mod scale;
mod shape;
mod svg;

/// A chart of lines over one axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The title above it.
    pub title: String,
    /// Below the horizontal axis.
    pub x_label: String,
    /// Beside the vertical axis.
    pub y_label: String,
    /// The range of the vertical axis, from and to.
    pub y_range: (f64, f64),
    /// The lines, in the order of the legend.
    pub lines: Vec<Line>,
}

/// One line of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its name in the legend.
    pub label: String,
    /// The number of the color and sign; lines that belong together share it.
    pub colour: usize,
    /// The stroke of the line.
    pub stroke: Stroke,
    /// Its points, in the order of `x`.
    pub points: Vec<Point>,
}

/// The stroke of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// Through, with a sign at each point.
    Solid,
    /// The line has dots only.
    Dotted,
}

/// A point with the interval in which its value lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Place on the horizontal axis.
    pub x: f64,
    /// The value of the point.
    pub y: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// The picture could not be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the picture could not be made: {0}")]
pub struct Failed(String);

impl Chart {
    /// Returns the chart as an SVG document.
    pub fn svg(&self) -> String {
        svg::write(&layout::shapes(self))
    }

    /// Returns the chart as a PNG file, two pixels for each unit of the SVG.
    ///
    /// # Errors
    /// No memory for the picture.
    pub fn png(&self) -> Result<Vec<u8>, Failed> {
        raster::write(&layout::shapes(self))
    }
}

#[cfg(test)]
mod tests;
