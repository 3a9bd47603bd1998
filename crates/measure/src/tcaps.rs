//! The costs of schedulers' calls: Table III and Figure 6 of a paper.
//!
//! They are of Gadepalli et al. (RTSS 2017), and the figure shows how costs grow with schedulers.
//! An account's quality has an entry of each scheduler that its time came down through, so what
//! compares or copies qualities grows with the schedulers. The article bounds them by 16, with
//! the kernel's own.

use fusee_plot::{Chart, Line, Point, Stroke};

use crate::Path;
use crate::path::NotMeasured;
use crate::schedulers::{CALLS, FEW, GROWING, MANY, name};

/// Cycles of a call in the article, on an i7 of 2.8 GHz: the mean, and the worst.
const ARTICLE: [(&str, u64, u64); 8] = [
    ("dispatch", 365, 2_708),
    ("dispatch_timer", 418, 2_734),
    ("send_receive", 770, 5_332),
    ("scheduler_activation", 321, 504),
    ("timer_activation", 881, 2_608),
    ("delegate", 786, 7_480),
    ("preemption_test", 70, 616),
    ("transfer", 562, 4_276),
];

/// The numbers of schedulers that Table III is shown for.
pub const SHOWN: [usize; 2] = [FEW, MANY];

/// A call below a growing number of schedulers.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// The name as it is shown.
    pub call: &'static str,
    /// The counts below each number of schedulers, itself included.
    pub points: Vec<(usize, Path)>,
    /// The ticks that a further scheduler adds to the mean: the line with the least squares through
    /// all points but that of a lone scheduler, which is the root and has none above.
    pub slope: f64,
    /// The distance in ticks of the mean that is farthest from that line.
    pub off: f64,
    /// The article's mean and worst, in its cycles.
    pub article: (u64, u64),
}

impl Growth {
    /// Returns the counts below so many.
    pub fn at(&self, schedulers: usize) -> Option<&Path> {
        self.points.iter().find(|(number, _)| *number == schedulers).map(|(_, path)| path)
    }
}

/// Returns the growth of each call.
///
/// # Errors
/// A call was not measured below one of the numbers.
pub fn growths(paths: &[Path]) -> Result<Vec<Growth>, NotMeasured> {
    CALLS.iter().zip(ARTICLE).map(|(call, known)| growth(paths, call, known)).collect()
}

fn growth(
    paths: &[Path],
    call: &'static str,
    (_, mean, worst): (&str, u64, u64),
) -> Result<Growth, NotMeasured> {
    let at = |&schedulers: &usize| {
        let name = name(call, schedulers);
        let path = paths.iter().find(|path| path.name == name).cloned();
        path.map(|path| (schedulers, path)).ok_or(NotMeasured(name))
    };
    let points = GROWING.iter().map(at).collect::<Result<Vec<_>, _>>()?;
    let means = points.iter().filter(|(schedulers, _)| *schedulers > 1);
    let (slope, off) = line(&means.map(|(x, path)| (*x as f64, path.mean())).collect::<Vec<_>>());
    Ok(Growth { call, points, slope, off, article: (mean, worst) })
}

/// Returns the slope of the line with the least squares, and the largest distance from it.
fn line(points: &[(f64, f64)]) -> (f64, f64) {
    let mean =
        |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(&|point| point.0), mean(&|point| point.1));
    let together = mean(&|point| (point.0 - x) * (point.1 - y));
    let slope = together / mean(&|point| (point.0 - x).powi(2));
    let distance = |point: &(f64, f64)| (point.1 - y - slope * (point.0 - x)).abs();
    (slope, points.iter().map(distance).fold(0.0, f64::max))
}

/// Figure 6: each call by the number of schedulers; its mean between the shortest and the longest.
pub fn figure(growths: &[Growth], unit: &str) -> Chart {
    let point = |(x, path): &(usize, Path)| Point {
        x: *x as f64,
        y: path.mean(),
        low: path.min as f64,
        high: path.max as f64,
    };
    let lines = growths.iter().enumerate().map(|(colour, growth)| Line {
        label: growth.call.replace('_', " "),
        colour,
        stroke: Stroke::Solid,
        points: growth.points.iter().map(point).collect(),
    });
    let most = growths.iter().flat_map(|growth| &growth.points).map(|(_, path)| path.max).max();
    Chart {
        title: "What schedulers ask for, by their number".to_owned(),
        x_label: "schedulers that have a say".to_owned(),
        y_label: unit.to_owned(),
        y_range: (0.0, most.unwrap_or(0).next_multiple_of(500).max(500) as f64),
        lines: lines.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_articles_calls_are_ours() {
        assert_eq!(ARTICLE.map(|(call, ..)| call), CALLS);
    }

    #[test]
    fn a_line_has_its_slope_and_nothing_off() {
        let (slope, off) = line(&[1.0, 3.0, 8.0].map(|x| (x, 100.0 + 7.0 * x)));
        assert!((slope - 7.0).abs() < 1e-9 && off < 1e-9, "{slope} {off}");
    }

    #[test]
    fn who_is_off_the_line_is_told() {
        let (slope, off) = line(&[(1.0, 10.0), (2.0, 13.0), (3.0, 10.0)]);
        assert!(slope.abs() < 1e-9 && (off - 2.0).abs() < 1e-9, "{slope} {off}");
    }

    #[test]
    fn a_lone_scheduler_and_a_disturbed_run_bend_no_line() {
        let path = |all: usize| {
            let (usual, sum) = (1000 + 10 * all as u64, 99 * (1000 + 10 * all as u64));
            let (longest, usual) = if all == 5 { (9000, usual) } else { (usual, usual) };
            let line =
                format!("path {} 100 {usual} {longest} {} 0", name("transfer", all), sum + usual);
            Path::parse(if all == 1 { "path tcap.transfer.1 1 5 5 5 25" } else { &line })
        };
        let paths: Vec<Path> = GROWING.iter().filter_map(|&all| path(all)).collect();
        let growth = growth(&paths, "transfer", ARTICLE[7]);
        let growth = growth.unwrap_or_else(|error| panic!("{error}"));
        assert!((growth.slope - 10.0).abs() < 1e-9 && growth.off < 1e-9, "{growth:?}");
        assert_eq!(growth.at(5).map(|path| path.max), Some(9000));
    }

    #[test]
    fn a_call_that_is_missing_is_named() {
        assert_eq!(growths(&[]), Err(NotMeasured("tcap.dispatch.1".to_owned())));
    }
}
