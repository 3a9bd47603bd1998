//! The beginning of any iteration of a loop, as one state.
//!
//! What moves from iteration to iteration by what the code adds to it has a
//! name there, or is a distance that its code tells; all else is whatever it
//! can be at the beginning of some iteration. By how much each number moves in
//! an iteration is read off where the iteration ends, and with it how many
//! iterations that allows.

use super::path::Path;
use crate::state::State;
use crate::state::induction::Variable;
use crate::value::{Base, Range, Value};
use fusee_isa::language::Width;

/// A number that moves.
#[derive(Debug, Clone)]
pub(super) struct Induction {
    /// The places that hold it; none if it turned out to move in another way.
    pub(super) variables: Vec<Variable>,
    /// Its name at the beginning of an iteration; nothing for a distance from an unknown number.
    pub(super) name: Option<u32>,
    /// Its value at the beginning of the first iteration.
    pub(super) start: Value,
    /// The beginning as a distance from another number that moves, around this loop.
    pub(super) origin: Option<Value>,
    /// The growth in an iteration, at least and at most.
    pub(super) step: (i64, i64),
}

/// The distance that numbers are taken to move.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reach {
    /// So many iterations.
    Iterations(u64),
    /// It ends where numbers of this width do.
    Far(Width),
}

/// The range in which numbers are taken to be; one of them may be taken to end at a number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hull {
    pub(super) reach: Reach,
    pub(super) end: Option<(usize, i64)>,
}

/// The beginning of any iteration.
#[derive(Clone)]
pub(super) struct General<T> {
    pub(super) path: Path<T>,
    pub(super) moving: Vec<Induction>,
}

impl Induction {
    /// Returns where it is in these iterations; nothing where that leaves all numbers.
    pub(super) fn during(&self, (first, last): (u64, u64)) -> Option<Range> {
        let (start, (low, high)) = (self.start.range, self.step);
        // In 128 bits, because a step times the iterations may not fit into 64.
        let far = |step: i64, iterations: u64| i128::from(step) * i128::from(iterations);
        let low_end = i128::from(start.low()) + far(low, first).min(far(low, last));
        let high_end = i128::from(start.high()) + far(high, first).max(far(high, last));
        let fits = i64::try_from(low_end).is_ok() && i64::try_from(high_end).is_ok();
        fits.then(|| Range::new(low_end, high_end, self.stride().into()))
    }

    /// Returns the growth before these iterations.
    pub(super) fn grown(&self, (first, last): (u64, u64)) -> Option<Range> {
        let far = |step: i64, iterations: u64| {
            i64::try_from(i128::from(step) * i128::from(iterations)).ok()
        };
        let (low, high) = self.step;
        let low = far(low, first)?.min(far(low, last)?);
        Range::between(low, far(high, first)?.max(far(high, last)?))
    }

    fn stride(&self) -> u64 {
        match self.step {
            (low, high) if low == high => {
                let step = low.unsigned_abs();
                Range::new(0, step.into(), step.into()).common_stride(self.start.range)
            }
            // Steps of several lengths have no distance in common that could be kept.
            _ => 1,
        }
    }

    /// Returns where it is taken to be at the beginning of any iteration.
    fn within(&self, reach: Reach, end: Option<i64>, room: Range) -> Option<Range> {
        let (start, (low, high)) = (self.start.range, self.step);
        if let Some(end) = end {
            let (low, high) = (start.low().min(end), start.high().max(end));
            let all = Range::new(low.into(), high.into(), self.stride().into());
            // A stride that leaves out some start would leave out real beginnings.
            return Some(all).filter(|all| all.includes(start));
        }
        let all = match reach {
            Reach::Iterations(iterations) => self.during((0, iterations))?,
            Reach::Far(width) => {
                // One step before the end of the width at most, so that the step itself does not
                // wrap around.
                let limit = Range::of_width(width, true);
                let limit = limit.meet(room).unwrap_or(limit);
                let least = if low < 0 {
                    limit.low().saturating_sub(low).min(start.low())
                } else {
                    start.low()
                };
                let most = if high > 0 {
                    limit.high().saturating_sub(high).max(start.high())
                } else {
                    start.high()
                };
                Range::between(least, most)?
            }
        };
        // A number that does not fit into its place would be cut there, and go on as another one.
        let fits = room.low() <= all.low() && all.high() <= room.high() && all.includes(start);
        fits.then_some(all)
    }

    /// Returns how many iterations come back at most, if those that do begin no further than at
    /// this number.
    pub(super) fn iterations(&self, last: i64) -> Option<u64> {
        let (way, step) = match self.step {
            (low, _) if low > 0 => {
                (i128::from(last) - i128::from(self.start.range.low()), i128::from(low))
            }
            (_, high) if high < 0 => {
                (i128::from(self.start.range.high()) - i128::from(last), -i128::from(high))
            }
            _ => return None,
        };
        // Rounded down: a start beyond the last number has no iteration that comes back.
        u64::try_from(way.div_euclid(step) + 1).ok()
    }
}

impl<T: Clone> General<T> {
    /// Returns the beginning of the iterations in which each number is where it is said to be; a
    /// single number needs no name if its movement is not asked for.
    pub(super) fn placed(&self, at: &[Range], asks: bool) -> Path<T> {
        let mut path = self.path.clone();
        for (moving, &range) in self.moving.iter().zip(at) {
            match (moving.name, range.as_constant().filter(|_| !asks)) {
                (Some(name), Some(number)) => {
                    let known = |value: Value| {
                        value.range.shifted(number).map_or(Value::ANY, Value::number)
                    };
                    path.state.replace_moving(name, &known);
                }
                (Some(name), None) => path.state.set_induction_range(name, range),
                (None, _) => {
                    let value = Value { base: moving.start.base, range };
                    moving.variables.iter().for_each(|&variable| path.state.put(variable, value));
                }
            }
        }
        path
    }

    /// Returns the range in which each number is taken to be; a number that finds no room there
    /// moves no more.
    pub(super) fn hulls(&mut self, hull: &Hull) -> Vec<Range> {
        let mut hulls = Vec::new();
        for index in 0..self.moving.len() {
            let moving = &self.moving[index];
            let end = hull.end.filter(|&(one, _)| one == index).map(|(_, end)| end);
            let rooms = moving.variables.iter().map(|&variable| self.path.state.room(variable));
            // All these places hold the same number, so the narrowest one limits it.
            let room =
                rooms.reduce(|one, other| one.meet(other).unwrap_or(one)).unwrap_or(Range::ALL);
            let within = moving.within(hull.reach, end, room);
            let range = moving.start.range;
            if within.is_none() {
                self.stop(index, range);
            }
            hulls.push(within.unwrap_or(range));
        }
        hulls
    }

    /// A number turns out to move in another way: it is what it was, and whatever joins it.
    fn stop(&mut self, index: usize, seen: Range) {
        let moving = &mut self.moving[index];
        for variable in std::mem::take(&mut moving.variables) {
            self.path.state.put(variable, moving.start);
        }
        if let Some(name) = moving.name {
            let numbers = |value: Value| match value
                .range
                .as_constant()
                .and_then(|distance| seen.shifted(distance))
            {
                Some(range) => Value::number(range),
                None => Value::ANY,
            };
            self.path.state.replace_moving(name, &numbers);
        }
    }

    /// Reads off by how much each number moved; says whether some moved in another way than was
    /// taken for granted.
    pub(super) fn measure(&mut self, backs: &[Path<T>], hulls: &[Range]) -> bool {
        let mut changed = false;
        for (index, &hull) in hulls.iter().enumerate() {
            let moving = &mut self.moving[index];
            if moving.variables.is_empty() {
                continue;
            }
            let others = moving.strangers(backs, hull);
            if !others.is_empty() {
                changed = true;
                // The others still move together. These hold any number that joins them from now
                // on.
                moving.variables.retain(|variable| !others.contains(variable));
                for variable in others {
                    self.path.state.put(variable, self.moving[index].start);
                }
                if self.moving[index].variables.is_empty() {
                    self.stop(index, hull);
                }
                continue;
            }
            let step = moving.steps(backs);
            // A step that got smaller is covered by what was taken before.
            changed |= step.0 < moving.step.0 || moving.step.1 < step.1;
            moving.step = step;
        }
        changed
    }
}

impl Induction {
    /// Variables that did not move with it.
    fn strangers<T>(&self, backs: &[Path<T>], hull: Range) -> Vec<Variable> {
        let named = |state: &State, variable: Variable| {
            state
                .look(variable)
                .filter(|value| value.symbol().is_some() && value.symbol() == self.name)
        };
        let leads = |variable: &&Variable| {
            backs.iter().all(|back| named(&back.state, **variable).is_some())
        };
        // One place that kept the name on all paths shows how the number moves.
        let leader = self.variables.iter().find(leads).copied();
        let with = |state: &State, variable: Variable| match (self.name, state.look(variable)) {
            (Some(_), Some(_)) => {
                let own = named(state, variable);
                own.is_some() && own == leader.and_then(|leader| named(state, leader))
            }
            (None, Some(value)) => {
                let low = hull.low().saturating_add(self.step.0);
                let high = hull.high().saturating_add(self.step.1);
                value.base == self.start.base
                    && low <= value.range.low()
                    && value.range.high() <= high
            }
            (_, None) => false,
        };
        let moves = |variable: &&Variable| backs.iter().all(|back| with(&back.state, **variable));
        self.variables.iter().filter(|variable| !moves(variable)).copied().collect()
    }

    /// Returns the distance by which it moved.
    fn steps<T>(&self, backs: &[Path<T>]) -> (i64, i64) {
        // Without a name the code tells the step, and each path was held to it above.
        if self.name.is_none() {
            return self.step;
        }
        let of =
            |back: &Path<T>| self.variables.first().and_then(|&variable| back.state.look(variable));
        let ranges = || backs.iter().filter_map(of).map(|value| value.range);
        (ranges().map(Range::low).min().unwrap_or(0), ranges().map(Range::high).max().unwrap_or(0))
    }

    /// Returns how many iterations come back at most, if this number tells: it must stay where it
    /// was taken to be.
    pub(super) fn allows<T>(&self, backs: &[Path<T>], hull: Range) -> Option<u64> {
        let variable = *self.variables.first()?;
        let up = self.step.0 > 0;
        let mut most = 0;
        for back in backs {
            let value = back.state.look(variable)?;
            let after = if self.name.is_some() { back.state.numbers(value) } else { value.range };
            if after.low() < hull.low() || hull.high() < after.high() {
                return None;
            }
            let before = self.name.map_or(hull, |name| back.state.induction_range(name));
            // Both limits hold for an iteration that came back: where it began by the branch, and
            // where it ended, less the least step.
            let last = match up {
                true => before.high().min(after.high().checked_sub(self.step.0)?),
                false => before.low().max(after.low().checked_sub(self.step.1)?),
            };
            most = most.max(self.iterations(last)?);
        }
        Some(most)
    }

    /// The state behind an iteration, as the beginning of the next one.
    pub(super) fn begins_next(&self, state: &mut State, hull: Range) {
        let Some(&variable) = self.variables.first() else { return };
        // A distance has no name to move along, so it may be anywhere in the hull again.
        let Some(name) = self.name else {
            let value = Value { base: self.start.base, range: hull };
            return self.variables.iter().for_each(|&variable| state.put(variable, value));
        };
        let step = state.look(variable).and_then(|value| value.range.as_constant());
        match step {
            // One distance for all: what is told relative to the number stays true when it is moved
            // along.
            Some(step) => state.shift_moving(name, step, hull),
            // By several distances nothing relative to the number can be moved along.
            None => {
                let known = state.induction_range(name);
                let numbers =
                    |value: Value| sum(known, value.range).map_or(Value::ANY, Value::number);
                state.replace_moving(name, &numbers);
                state.set_induction_range(name, hull);
            }
        }
        for &variable in &self.variables {
            state.put(variable, Value::based(Base::Symbol(name)));
        }
    }
}

fn sum(one: Range, other: Range) -> Option<Range> {
    let low = one.low().checked_add(other.low())?;
    let high = one.high().checked_add(other.high())?;
    Some(Range::new(low.into(), high.into(), one.common_stride(other).into()))
}
