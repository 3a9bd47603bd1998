//! The costs of queues as they grow.
//!
//! Figure 6 of Sudvarg et al. (2024): there a heap in user space is filled, and one more push and
//! pop are timed. Here the kernel's own queue is: how long the last of so many waiters takes to
//! line up, and how long handing the gate to the next one takes. Bars reach from the shortest to
//! the longest of all runs. And Figure 5 of dos Santos et al. (2023), of gates between cores.

use fusee_plot::{Chart, Line, Point, Stroke};

use crate::{Path, PathBetween};

/// Names of the measured paths, by what the figure calls them.
const LINES: [(&str, &str); 2] =
    [("queue.waits.", "waits behind so many"), ("queue.served.", "handed on to one of so many")];

/// Both costs over the length of the queue; none if no queue was measured.
pub fn queues(paths: &[Path]) -> Option<Chart> {
    let lines: Vec<Line> =
        LINES.iter().enumerate().map(|(colour, line)| measured(paths, colour, line)).collect();
    let points = || lines.iter().flat_map(|line| &line.points);
    points().next()?;
    let most = points().map(|point| point.high).fold(0.0, f64::max);
    Some(Chart {
        title: "Queues of waiters at a gate".to_owned(),
        x_label: "threads in the queue".to_owned(),
        y_label: "instructions".to_owned(),
        // To the next round number above the highest.
        y_range: (0.0, (most / 500.0).ceil() * 500.0),
        lines,
    })
}

fn measured(paths: &[Path], colour: usize, (prefix, label): &(&str, &str)) -> Line {
    let waiters = |path: &Path| path.name.strip_prefix(prefix)?.parse::<u32>().ok();
    let mut points: Vec<Point> = (paths.iter())
        .filter_map(|path| {
            let (low, high) = (path.min as f64, path.max as f64);
            Some(Point { x: f64::from(waiters(path)?), y: path.mean(), low, high })
        })
        .collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    Line { label: (*label).to_owned(), colour, stroke: Stroke::Solid, points }
}

/// The paths of gates between cores that are drawn, with the figure's names for them.
const BETWEEN: [(&str, &str); 6] = [
    ("msrp.lock", "msrp, asks"),
    ("msrp.unlock", "msrp, returns"),
    ("mrsp.lock", "mrsp, asks"),
    ("mrsp.unlock", "mrsp, returns"),
    ("mpcp.lock", "mpcp, asks"),
    ("mpcp.unlock", "mpcp, returns"),
];

/// Returns the longest ways through gates between the most cores that were measured, over the
/// requests that are there besides; none if nothing was measured.
pub fn gates_between(paths: &[PathBetween]) -> Option<Chart> {
    let cores = paths.iter().map(|path| path.cores).max()?;
    let of = |(colour, (name, label)): (usize, (&str, &str))| {
        let own = paths.iter().filter(|path| path.name == name && path.cores == cores);
        let mut points: Vec<Point> = own
            .map(|path| {
                let (low, high) = (path.min as f64, path.max as f64);
                Point { x: path.waiting as f64, y: high, low, high }
            })
            .collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Line { label: label.to_owned(), colour, stroke: Stroke::Solid, points }
    };
    let lines: Vec<Line> =
        BETWEEN.into_iter().enumerate().map(of).filter(|line| !line.points.is_empty()).collect();
    let highest = lines.iter().flat_map(|line| &line.points).map(|point| point.high);
    let most = highest.fold(0.0, f64::max);
    (!lines.is_empty()).then(|| Chart {
        title: format!("Gates between {cores} cores"),
        x_label: "requests there besides".to_owned(),
        y_label: "instructions, at most".to_owned(),
        y_range: (0.0, (most / 500.0).ceil() * 500.0),
        lines,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_drawn_of_the_most_cores() {
        let path = |name: &str, cores, waiting, max| PathBetween {
            name: name.to_owned(),
            cores,
            waiting,
            runs: 1,
            min: 100,
            max,
        };
        let paths = [
            path("mpcp.lock", 8, 2, 730),
            path("mpcp.lock", 8, 0, 700),
            path("mpcp.lock", 2, 0, 900),
            path("mrsp.help", 8, 0, 1_500),
        ];
        let chart = gates_between(&paths).unwrap();
        let points: Vec<_> = chart.lines[0].points.iter().map(|p| (p.x, p.y)).collect();
        assert_eq!((chart.lines.len(), points), (1, vec![(0.0, 700.0), (2.0, 730.0)]));
        assert_eq!(chart.title, "Gates between 8 cores");
        assert_eq!(gates_between(&paths[3..]), None);
    }

    #[test]
    fn queues_stand_in_order_of_their_length() {
        let lines = [
            "queue.waits.10 2 900 918 1818 1",
            "queue.waits.2 1 830 830 830 1",
            "signal 1 1 1 1 1",
        ];
        let paths: Vec<Path> =
            lines.iter().map(|line| Path::parse(&format!("path {line}")).unwrap()).collect();
        let chart = queues(&paths).unwrap();
        let points: Vec<_> =
            chart.lines[0].points.iter().map(|p| (p.x, p.low, p.y, p.high)).collect();
        assert_eq!(points, [(2.0, 830.0, 830.0, 830.0), (10.0, 900.0, 909.0, 918.0)]);
        assert_eq!(chart.y_range, (0.0, 1000.0));
        assert!(chart.svg().contains("threads in the queue"));
        assert_eq!(queues(&paths[2..]), None);
    }
}
