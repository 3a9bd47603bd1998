//! What a queue costs as it grows: Figure 6 of Sudvarg et al. (2024).
//!
//! There a heap in user space is filled, and one more push and pop are timed. Here the
//! kernel's own queue is: how long the last of so many waiters takes to line up, and how
//! long handing the gate to the next one takes. Bars reach from the shortest to the
//! longest of all runs.

use fusee_plot::{Chart, Line, Point, Stroke};

use crate::Path;

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

#[cfg(test)]
mod tests {
    use super::*;

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
