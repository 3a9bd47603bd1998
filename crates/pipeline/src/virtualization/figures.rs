//! The sweeps, and their drawings: Figures 7 to 11 of the article.

use fusee_plot::{Chart, Line, Point as Spot, Stroke};

use super::{Point, Row, Setup};

/// One experiment: a parameter that changes, and what is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sweep {
    /// Deadlines by packet rate.
    Packets,
    /// Deadlines by the load of the processor-bound client.
    Load,
    /// Deadlines by the driver domain's budget, under a flood of packets.
    Budget,
    /// Answers by the driver domain's budget, under a flood.
    Answers,
    /// Answers by packet rate.
    Throughput,
}

/// A picture, and its name.
#[derive(Debug, Clone)]
pub struct Figure {
    /// The name of its file, without a suffix.
    pub name: &'static str,
    /// The chart that it shows.
    pub chart: Chart,
}

/// So many packets that the driver domain could do nothing else.
const FLOOD: u64 = 50;
/// So few that they do not matter.
const TRICKLE: u64 = 10_000;
/// The packets' distances, from few to many.
const PACKETS: [u64; 12] = [TRICKLE, 1000, 500, 300, 200, 160, 125, 100, 90, 80, 65, FLOOD];
/// All that there is in 10 ms.
const ALL: u64 = 10_000;
/// Nothing that matters.
const IDLE: u64 = 1;

/// A point that is booted besides: at all rates that the machine's kernel has time for.
pub(super) fn is_booted(point: Point) -> bool {
    match point.packets {
        1000 | 500 | 200 => point.load == IDLE && point.reaction == 5000,
        TRICKLE => matches!(point.load, 4000 | 8000),
        _ => false,
    }
}

impl Sweep {
    /// All of them, in the article's order.
    pub const ALL: [Self; 5] =
        [Self::Packets, Self::Load, Self::Budget, Self::Answers, Self::Throughput];

    /// Returns its name, and that of its figure's file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Packets => "packets",
            Self::Load => "load",
            Self::Budget => "budget",
            Self::Answers => "answers",
            Self::Throughput => "throughput",
        }
    }

    /// Returns the points of the figure.
    pub fn points(self) -> Vec<Point> {
        let usual = Point { packets: FLOOD, load: IDLE, reaction: 5000, capacity: 4000 };
        let rates = PACKETS.iter();
        match self {
            Self::Packets => rates.map(|&packets| Point { packets, ..usual }).collect(),
            Self::Load => {
                let loads = (0..=9).map(|load| if load == 0 { IDLE } else { load * 1000 });
                loads.map(|load| Point { load, packets: TRICKLE, ..usual }).collect()
            }
            Self::Budget => (1..=5).map(|ms| Point { capacity: ms * 1000, ..usual }).collect(),
            Self::Answers => {
                let budgets = (1..=9).map(|ms| Point { capacity: ms * 1000, ..usual });
                budgets.map(|point| Point { reaction: 500, ..point }).collect()
            }
            Self::Throughput => {
                rates.map(|&packets| Point { packets, reaction: 500, ..usual }).collect()
            }
        }
    }

    /// Returns a point as it is for a set-up: above its clients a driver domain needs no budget to
    /// get on, and has one only where budgets are looked at.
    pub(super) fn of_setup(self, setup: Setup, point: Point) -> Point {
        let is_about_budgets = matches!(self, Self::Budget | Self::Answers);
        let capacity = if setup == Setup::High && !is_about_budgets { ALL } else { point.capacity };
        Point { capacity, ..point }
    }

    /// Returns the parameter that changes from point to point, as it stands on the axis.
    pub fn x(self, point: Point) -> f64 {
        match self {
            Self::Packets | Self::Throughput => 1000.0 / point.packets as f64,
            Self::Load => point.load as f64 / 1000.0,
            Self::Budget | Self::Answers => point.capacity as f64 / 1000.0,
        }
    }

    /// Returns the title of that axis.
    pub const fn axis(self) -> &'static str {
        match self {
            Self::Packets | Self::Throughput => "packets in 1 ms",
            Self::Load => "processor-bound client: ms of every 10",
            Self::Budget | Self::Answers => "driver domain's budget: ms of every 10",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Packets => "Figure 7: packets for another client",
            Self::Load => "Figure 8: a client that computes",
            Self::Budget => "Figure 9: budgets under a flood",
            Self::Answers => "Figure 10: answers under a flood",
            Self::Throughput => "Figure 11: answers by packet rate",
        }
    }

    /// Returns `true` if deadlines are looked at, and not answers.
    pub const fn is_about_deadlines(self) -> bool {
        matches!(self, Self::Packets | Self::Load | Self::Budget)
    }

    /// Returns its figures: what is looked at; where that is deadlines, reactions beside their
    /// bounds.
    pub fn figures(self, rows: &[Row]) -> Vec<Figure> {
        let (y_label, top) = match self.is_about_deadlines() {
            true => ("deadlines met, percent", 100.0),
            false => ("answers in 1 ms", 10.0),
        };
        let main = Figure { name: self.name(), chart: self.chart(y_label, top, self.seen(rows)) };
        let times = self.is_about_deadlines().then(|| Figure {
            name: match self {
                Self::Packets => "packets-reactions",
                Self::Load => "load-reactions",
                _ => "budget-reactions",
            },
            chart: self.chart("longest reaction, ms (20: or more)", MOST, self.reactions(rows)),
        });
        std::iter::once(main).chain(times).collect()
    }

    fn chart(self, y_label: &str, top: f64, lines: Vec<Line>) -> Chart {
        Chart {
            title: self.title().to_owned(),
            x_label: self.axis().to_owned(),
            y_label: y_label.to_owned(),
            y_range: (0.0, top),
            lines,
        }
    }

    fn seen(self, rows: &[Row]) -> Vec<Line> {
        let y = |row: &Row| match self.is_about_deadlines() {
            true => Some(100.0 * row.simulated.met as f64 / row.ticks as f64),
            false => Some(row.answers()),
        };
        self.lines(rows, ("", Stroke::Solid), &y)
    }

    fn reactions(self, rows: &[Row]) -> Vec<Line> {
        let longest = |row: &Row| Some(milliseconds(row.simulated.longest.ns()));
        let bound = |row: &Row| Some(milliseconds(row.bound?.ns()));
        let bounds = self.lines(rows, (", bound", Stroke::Dotted), &bound);
        [self.lines(rows, ("", Stroke::Solid), &longest), bounds].concat()
    }

    fn lines(
        self,
        rows: &[Row],
        (suffix, stroke): (&str, Stroke),
        y: &dyn Fn(&Row) -> Option<f64>,
    ) -> Vec<Line> {
        let of = |(colour, setup): (usize, Setup)| {
            let own = rows.iter().filter(|row| row.setup == setup);
            let points = own.filter_map(|row| {
                let (x, y) = (self.x(row.point), y(row)?);
                Some(Spot { x, y, low: y, high: y })
            });
            let label = format!("{}{suffix}", setup.name());
            Line { label, colour, stroke, points: points.collect() }
        };
        let all = Setup::ALL.into_iter().enumerate().map(of);
        all.filter(|line| !line.points.is_empty()).collect()
    }
}

/// The end of the axis of reactions, in milliseconds.
const MOST: f64 = 20.0;

fn milliseconds(ns: u64) -> f64 {
    (ns as f64 / 1e6).min(MOST)
}

impl Row {
    /// Packets that were answered in a millisecond.
    pub fn answers(&self) -> f64 {
        self.simulated.answered as f64 / (self.ticks as f64 * 10.0 + 5.0)
    }
}
