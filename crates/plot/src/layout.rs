//! The places of a chart's parts.
//!
//! The frame stands at the left, the legend at its right, so that no line is ever
//! hidden by a legend. Intervals are pale areas behind the lines.

use crate::scale::Scale;
use crate::shape::{Anchor, Colour, Direction, Drawing, Place, Shape, Size};
use crate::{Chart, Line, Point, Stroke};

const LEFT: f64 = 58.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 50.0;
const FRAME: (f64, f64) = (440.0, 280.0);
const LEGEND_GAP: f64 = 16.0;
const LEGEND_SAMPLE: f64 = 30.0;
const LEGEND_LINE: f64 = 17.0;
/// Width of a letter by its height.
const LETTER: f64 = 0.62;

const INK: Colour = Colour::rgb(0x22_22_22);
const FAINT: Colour = Colour::rgb(0xdd_dd_dd);

/// Colors that people with any color vision tell apart (Okabe and Ito 2008).
const COLOURS: [Colour; 8] = [
    Colour::rgb(0x00_72_b2),
    Colour::rgb(0xd5_5e_00),
    Colour::rgb(0x00_9e_73),
    Colour::rgb(0xcc_79_a7),
    Colour::rgb(0x00_00_00),
    Colour::rgb(0xe6_9f_00),
    Colour::rgb(0x56_b4_e9),
    Colour::rgb(0x80_80_80),
];

/// Returns the chart as shapes.
pub(crate) fn shapes(chart: &Chart) -> Drawing {
    let xs = || chart.lines.iter().flat_map(|line| line.points.iter().map(|point| point.x));
    let x = Scale::new(xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
    let y = Scale::new(chart.y_range.0, chart.y_range.1);
    let frame = Frame { x, y };
    let mut shapes = frame.axes(chart);
    for line in &chart.lines {
        shapes.push(frame.interval(line));
    }
    for line in &chart.lines {
        frame.line(line, &mut shapes);
    }
    legend(&chart.lines, &mut shapes);
    let letters = chart.lines.iter().map(|line| line.label.chars().count()).max().unwrap_or(0);
    let legend_width = LEGEND_SAMPLE + 8.0 + letters as f64 * Size::Small.units() * LETTER;
    let width = (LEFT + FRAME.0 + LEGEND_GAP + legend_width + 8.0).ceil();
    let height = (TOP + FRAME.1 + BOTTOM).max(TOP + chart.lines.len() as f64 * LEGEND_LINE + 8.0);
    Drawing { width, height, title: chart.title.clone(), shapes }
}

struct Frame {
    x: Scale,
    y: Scale,
}

impl Frame {
    fn place(&self, x: f64, y: f64) -> Place {
        (LEFT + self.x.share(x) * FRAME.0, TOP + (1.0 - self.y.share(y)) * FRAME.1)
    }

    fn axes(&self, chart: &Chart) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let (right, bottom) = (LEFT + FRAME.0, TOP + FRAME.1);
        for (value, label) in &self.x.ticks {
            let (x, _) = self.place(*value, self.y.from);
            shapes.push(rule(vec![(x, TOP), (x, bottom)], FAINT));
            shapes.push(text((x, bottom + 16.0), label, Anchor::Middle));
        }
        for (value, label) in &self.y.ticks {
            let (_, y) = self.place(self.x.from, *value);
            shapes.push(rule(vec![(LEFT, y), (right, y)], FAINT));
            shapes.push(text((LEFT - 7.0, y + 4.0), label, Anchor::End));
        }
        let corners = vec![(LEFT, TOP), (right, TOP), (right, bottom), (LEFT, bottom), (LEFT, TOP)];
        shapes.push(rule(corners, INK));
        let middle = LEFT + FRAME.0 / 2.0;
        shapes.push(text((middle, bottom + 36.0), &chart.x_label, Anchor::Middle));
        let place = (16.0, TOP + FRAME.1 / 2.0);
        let (anchor, direction) = (Anchor::Middle, Direction::Up);
        shapes.push(Shape::Text {
            place,
            text: chart.y_label.clone(),
            anchor,
            direction,
            size: Size::Small,
        });
        let (anchor, direction) = (Anchor::Middle, Direction::Right);
        let place = (middle, TOP - 12.0);
        shapes.push(Shape::Text {
            place,
            text: chart.title.clone(),
            anchor,
            direction,
            size: Size::Large,
        });
        shapes
    }

    fn interval(&self, line: &Line) -> Shape {
        let upper = line.points.iter().map(|p| self.place(p.x, p.high));
        let lower = line.points.iter().rev().map(|p| self.place(p.x, p.low));
        Shape::Area { places: upper.chain(lower).collect(), colour: colour(line), opacity: 14 }
    }

    fn line(&self, line: &Line, shapes: &mut Vec<Shape>) {
        let places: Vec<Place> = line.points.iter().map(|p: &Point| self.place(p.x, p.y)).collect();
        if line.stroke == Stroke::Solid {
            // A sign at every point of a long line would hide the line.
            let every = places.len().div_ceil(24).max(1);
            shapes.extend(places.iter().step_by(every).map(|&place| sign(place, line)));
        }
        shapes.push(stroke(places, line));
    }
}

fn legend(lines: &[Line], shapes: &mut Vec<Shape>) {
    let left = LEFT + FRAME.0 + LEGEND_GAP;
    for (position, line) in lines.iter().enumerate() {
        let y = TOP + 8.0 + position as f64 * LEGEND_LINE;
        shapes.push(stroke(vec![(left, y), (left + LEGEND_SAMPLE, y)], line));
        if line.stroke == Stroke::Solid {
            shapes.push(sign((left + LEGEND_SAMPLE / 2.0, y), line));
        }
        shapes.push(text((left + LEGEND_SAMPLE + 6.0, y + 4.0), &line.label, Anchor::Start));
    }
}

fn colour(line: &Line) -> Colour {
    COLOURS[line.colour % COLOURS.len()]
}

fn stroke(places: Vec<Place>, line: &Line) -> Shape {
    Shape::Line { places, colour: colour(line), width: 1.8, dotted: line.stroke == Stroke::Dotted }
}

/// Returns a sign whose form differs from that of the neighboring colors.
fn sign((x, y): Place, line: &Line) -> Shape {
    let corners: &[Place] = match line.colour % 4 {
        0 => &[(-2.8, -2.8), (2.8, -2.8), (2.8, 2.8), (-2.8, 2.8)],
        1 => &[(0.0, -3.6), (3.4, 2.6), (-3.4, 2.6)],
        2 => &[(0.0, -3.8), (3.8, 0.0), (0.0, 3.8), (-3.8, 0.0)],
        _ => &[(-3.4, -2.6), (3.4, -2.6), (0.0, 3.6)],
    };
    let places = corners.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    Shape::Area { places, colour: colour(line), opacity: 100 }
}

fn rule(places: Vec<Place>, colour: Colour) -> Shape {
    Shape::Line { places, colour, width: 1.0, dotted: false }
}

fn text(place: Place, text: &str, anchor: Anchor) -> Shape {
    Shape::Text {
        place,
        text: text.to_owned(),
        anchor,
        direction: Direction::Right,
        size: Size::Small,
    }
}
