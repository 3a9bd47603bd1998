//! The verdict of response-time analysis without the response times.
//!
//! Experiments ask for verdicts on millions of sets, and most tasks need no
//! iteration to be decided. For each task, from the highest priority down, two
//! lines enclose the response: it is at most (C + B + sum of C_h (1 - U_h)) over
//! (1 - sum of U_h) (Bini and Baruah 2007) and at least (C + B) over the same. Both
//! are computed with a margin far wider than their rounding, and decide most tasks.
//! For the others one evaluation at the deadline often settles it: if the demand up
//! to there fits, the response does. The rest is iterated.
//!
//! Whole numbers decide here too, but they are kept in floats, which hold them
//! exactly up to 2^53 and divide in a third of the time. Sets with larger numbers
//! take the plain way. The verdict is that of the plain iteration, always; a
//! property test compares.

use super::window::MOST_STEPS;
use crate::{Task, effort};

/// Numbers below this stay exact in all sums and quotients, or are above every limit.
const EXACT: u64 = 1 << 50;

/// A task; all numbers are whole but `load`.
#[derive(Clone, Copy)]
struct Row {
    period: f64,
    wcet: f64,
    /// The value of J - 1.
    reach: f64,
    /// The value of C + B.
    start: f64,
    /// The value of D - J.
    limit: f64,
    load: f64,
    /// Core and falling priority, in one number.
    level: u64,
}

/// Orders tasks by core and falling priority, in 44 bits.
fn level(task: &Task) -> u64 {
    (task.core as u64) << 32 | u64::from(!task.priority)
}

impl Row {
    /// `None`: a number is too large, the deadline can be over at release, or the task has no
    /// length.
    fn new(task: &Task) -> Option<Self> {
        let small = task.wcet > 0
            && (task.wcet | task.period | task.jitter | task.deadline | task.blocking) < EXACT;
        let limit = task.deadline.checked_sub(task.jitter).filter(|_| small)?;
        let (wcet, period) = (task.wcet as f64, task.period as f64);
        Some(Row {
            period,
            wcet,
            reach: task.jitter as f64 - 1.0,
            start: (task.wcet + task.blocking) as f64,
            limit: limit as f64,
            load: wcet / period,
            level: level(task),
        })
    }
}

/// Sums over the tasks that interfere.
#[derive(Clone, Copy)]
struct Line {
    /// Sum of U.
    load: f64,
    /// Sum of C (1 - U).
    work: f64,
    /// `true` if all of them are without jitter, which the upper line needs.
    steady: bool,
}

impl Line {
    const EMPTY: Line = Line { load: 0.0, work: 0.0, steady: true };

    fn plus(self, row: &Row) -> Self {
        Line {
            load: self.load + row.load,
            work: self.work + row.wcet * (1.0 - row.load),
            steady: self.steady && row.reach < 0.0,
        }
    }

    fn minus(self, row: &Row) -> Self {
        Line { load: self.load - row.load, work: self.work - row.wcet * (1.0 - row.load), ..self }
    }
}

/// Share by which a line must clear the limit; rounding is off by less than 1e-7 of it.
const MARGIN: f64 = 1e-6;

/// Returns if every task meets its deadline, for D <= T, each with its blocking term; `None`:
/// numbers are too large for floats, or a task has no length.
pub(crate) fn all_tasks_meet(tasks: &[Task]) -> Option<bool> {
    sorted(tasks).map(|rows| all_rows_meet(&rows))
}

/// Positions take the low bits of a key, levels the rest.
const POSITION: u32 = 20;

/// The rows by core and falling priority.
fn sorted(tasks: &[Task]) -> Option<Vec<Row>> {
    let mut rows = Vec::with_capacity(tasks.len());
    if tasks.is_sorted_by_key(level) {
        for task in tasks {
            rows.push(Row::new(task)?);
        }
        return Some(rows);
    }
    if tasks.len() >> POSITION > 0 {
        return None;
    }
    let mut order: Vec<u64> =
        tasks.iter().zip(0..).map(|(t, i)| level(t) << POSITION | i).collect();
    order.sort_unstable();
    for key in order {
        rows.push(Row::new(&tasks[(key & ((1 << POSITION) - 1)) as usize])?);
    }
    Some(rows)
}

fn all_rows_meet(rows: &[Row]) -> bool {
    let (mut first, mut from, mut above) = (0, 0, Line::EMPTY);
    while from < rows.len() {
        if rows[from].level >> 32 != rows[first].level >> 32 {
            (first, above) = (from, Line::EMPTY);
        }
        let to = from + rows[from..].iter().take_while(|r| r.level == rows[from].level).count();
        let all = rows[from..to].iter().fold(above, Line::plus);
        for own in from..to {
            let others = if to - from == 1 { above } else { all.minus(&rows[own]) };
            if !meets(&rows[first..own], &rows[own], &rows[own + 1..to], others) {
                return false;
            }
        }
        (from, above) = (to, all);
    }
    true
}

/// Returns `true` if a task meets its deadline among the rows above it and those beside it.
fn meets(above: &[Row], own: &Row, beside: &[Row], others: Line) -> bool {
    let idle = 1.0 - others.load;
    let room = own.limit * idle;
    if idle >= 1e-4 {
        if others.steady && (own.start + others.work) * (1.0 + MARGIN) <= room {
            return true;
        }
        if own.start * (1.0 - MARGIN) > room {
            return false;
        }
    }
    let demand = |window| own.start + releases(above, window) + releases(beside, window);
    demand(own.limit) <= own.limit || iterate(own, demand)
}

/// From the sum of one job of each on to the least window that holds its own demand.
fn iterate(own: &Row, demand: impl Fn(f64) -> f64) -> bool {
    let mut window = demand(1.0);
    for _ in 0..MOST_STEPS {
        let needed = demand(window);
        if window > own.limit || needed <= window {
            return window <= own.limit;
        }
        if !effort::step() {
            return false;
        }
        window = needed;
    }
    false
}

/// The work that rows release in a window: sum of (floor((w + J - 1) / T) + 1) C, in two strands.
fn releases(rows: &[Row], window: f64) -> f64 {
    let work = |r: &Row| (floor((window + r.reach) / r.period) + 1.0) * r.wcet;
    let pairs = rows.chunks_exact(2);
    let odd: f64 = pairs.remainder().iter().map(work).sum();
    let (even, uneven) =
        pairs.fold((odd, 0.0), |(a, b), pair| (a + work(&pair[0]), b + work(&pair[1])));
    even + uneven
}

/// The largest whole number not above x, for |x| < 2^51, without leaving the floats.
fn floor(x: f64) -> f64 {
    // 1.5 * 2^52: adding it leaves no digits behind the point.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let nearest = (x + ROUND) - ROUND;
    if nearest > x { nearest - 1.0 } else { nearest }
}
