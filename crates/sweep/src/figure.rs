//! Results as pictures.
//!
//! A figure fixes some axes, puts one along the horizontal axis, and may dot the
//! later values of another. Whatever is left open gives one picture for each
//! combination, named after its values, as the panels of an article's figure.

use fusee_plot::{Chart, Failed, Line, Point as Spot, Stroke};
use parquet::errors::ParquetError;

use crate::{Experiment, Figure, Results, Row};

/// A picture of results.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The name of its file, without a suffix.
    pub name: String,
    /// The chart that it shows.
    pub chart: Chart,
}

impl Picture {
    /// Returns the picture as an SVG document.
    pub fn svg(&self) -> String {
        self.chart.svg()
    }

    /// Returns the picture as a PNG file.
    ///
    /// # Errors
    /// No memory.
    pub fn png(&self) -> Result<Vec<u8>, Failed> {
        self.chart.png()
    }
}

impl Results {
    /// Returns the pictures that the experiment asks for.
    pub fn pictures(&self, experiment: &Experiment) -> Vec<Picture> {
        experiment
            .figures
            .iter()
            .flat_map(|figure| Panels::new(self, experiment, figure).pictures())
            .collect()
    }
}

/// The reason for which results could not be written as files.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// No memory for a picture.
    #[error(transparent)]
    Picture(#[from] Failed),
    /// More rows or bytes than a Parquet file can hold.
    #[error("results.parquet could not be made: {0}")]
    Table(#[from] ParquetError),
}

impl Results {
    /// Returns all files of the results by name: CSV, Parquet, and every picture as SVG and PNG.
    ///
    /// # Errors
    /// [`FilesError`].
    pub fn files(&self, experiment: &Experiment) -> Result<Vec<(String, Vec<u8>)>, FilesError> {
        let csv = ("results.csv".to_owned(), self.csv().into_bytes());
        let mut files = vec![csv, ("results.parquet".to_owned(), self.parquet()?)];
        for picture in self.pictures(experiment) {
            files.push((format!("{}.svg", picture.name), picture.svg().into_bytes()));
            files.push((format!("{}.png", picture.name), picture.png()?));
        }
        Ok(files)
    }
}

/// The rows that a figure shows, and the axes that it leaves open.
struct Panels<'a> {
    experiment: &'a Experiment,
    figure: &'a Figure,
    rows: Vec<&'a Row>,
    open: Vec<usize>,
}

impl<'a> Panels<'a> {
    fn new(results: &'a Results, experiment: &'a Experiment, figure: &'a Figure) -> Self {
        let wanted = |row: &&Row| figure.tests.is_empty() || figure.tests.contains(&row.label);
        let shown =
            |row: &&Row| wanted(row) && figure.only.iter().all(|choice| choice.admits(&row.point));
        let rows: Vec<&Row> = results.rows.iter().filter(shown).collect();
        let varies = |axis: usize| {
            let mut settings = rows.iter().map(|row| row.point.setting(axis));
            let first = settings.next();
            settings.any(|setting| Some(setting) != first)
        };
        let named = |axis: &usize| *axis == figure.x || Some(*axis) == figure.dotted;
        let open =
            (0..experiment.axes.len()).filter(|axis| !named(axis) && varies(*axis)).collect();
        Self { experiment, figure, rows, open }
    }

    /// Returns the settings that tell a row's panel from the others.
    fn key(&self, row: &Row) -> Vec<Option<usize>> {
        self.open.iter().map(|&axis| row.point.setting(axis)).collect()
    }

    fn pictures(&self) -> Vec<Picture> {
        let mut keys: Vec<Vec<Option<usize>>> = Vec::new();
        for row in &self.rows {
            let key = self.key(row);
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys.iter().map(|key| self.picture(key)).collect()
    }

    fn picture(&self, key: &[Option<usize>]) -> Picture {
        let (mut name, mut title) = (self.figure.name.clone(), self.figure.title.clone());
        for (&axis, setting) in self.open.iter().zip(key) {
            let axis = &self.experiment.axes[axis];
            let label = setting
                .and_then(|k| axis.settings.get(k))
                .map_or_else(String::new, |s| s.label.to_string());
            name += &format!("-{}-{}", axis.name, label.replace('.', "_"))
                .replace(|c: char| !is_plain(c), "-");
            title += &format!(", {} {label}", axis.name);
        }
        let rows: Vec<&'a Row> =
            self.rows.iter().copied().filter(|row| self.key(row) == key).collect();
        let x_label = self.figure.x_label.clone();
        let y_label = "share of schedulable task sets".to_owned();
        Picture {
            name,
            chart: Chart { title, x_label, y_label, y_range: (0.0, 1.0), lines: self.lines(&rows) },
        }
    }

    /// The labels of the tests in some rows: those of the experiment, then those beside it.
    fn labels(&self, rows: &[&'a Row]) -> Vec<&'a str> {
        let tests = self.experiment.tests.iter().map(|test| test.label.as_str());
        let mut labels: Vec<&str> =
            tests.filter(|label| rows.iter().any(|row| row.label == *label)).collect();
        for row in rows {
            if !labels.contains(&row.label.as_str()) {
                labels.push(&row.label);
            }
        }
        labels
    }

    /// A line for each test, and further ones for the later values of the dotted axis.
    fn lines(&self, rows: &[&'a Row]) -> Vec<Line> {
        let variants =
            self.figure.dotted.map_or(1, |axis| self.experiment.axes[axis].settings.len());
        let mut lines = Vec::new();
        for (colour, test) in self.labels(rows).into_iter().enumerate() {
            for variant in 0..variants {
                let here = |row: &&&Row| {
                    let setting = self.figure.dotted.and_then(|axis| row.point.setting(axis));
                    row.label == test && setting.is_none_or(|setting| setting == variant)
                };
                let points: Vec<Spot> =
                    rows.iter().filter(here).filter_map(|row| self.spot(row)).collect();
                let (label, stroke) = self.name(test, variant);
                if !points.is_empty() {
                    lines.push(Line { label, colour, stroke, points });
                }
            }
        }
        lines
    }

    fn name(&self, test: &str, variant: usize) -> (String, Stroke) {
        let axis = self.figure.dotted.map(|axis| &self.experiment.axes[axis]);
        match axis.filter(|_| variant > 0).and_then(|axis| axis.settings.get(variant)) {
            Some(setting) => (format!("{test}, {}", setting.label), Stroke::Dotted),
            None => (test.to_owned(), Stroke::Solid),
        }
    }

    fn spot(&self, row: &Row) -> Option<Spot> {
        let (low, high) = row.interval();
        let x = row.values.get(self.figure.x)?.number()?;
        Some(Spot { x, y: row.ratio()?, low, high })
    }
}

/// Returns `true` if a letter may stand in a file's name everywhere.
fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_')
}
