//! The beginning of any iteration of a loop, as one state.
//!
//! What moves from iteration to iteration by what the code adds to it has a
//! name there, or is a distance that its code tells; all else is whatever it
//! can be at the beginning of some iteration. Iterations are executed from
//! there until one ends within what it began with. By how much each number
//! moved is then read off, and how many iterations that allows.

use super::Engine;
use super::mode::Mode;
use super::trial::Notes;
use crate::execute::compared::Watched;
use crate::execute::induction::{General, Hull, Induction};
use crate::execute::path::{Frame, Path, Stop};
use crate::flow::Loop;
use crate::machine::Machine;
use crate::state::State;
use crate::state::induction::{Variable, is_induction};
use crate::value::{Base, Range, Value};
use fusee_isa::language::Width;

/// Iterations in which the state must settle; the first few of them are joined, the others widened.
const ATTEMPTS: usize = 20;
const JOINS: usize = 4;

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Returns the beginning of any iteration behind those of which the last three beginnings are
    /// known.
    pub(super) fn general(
        &self,
        frame: &Frame<M::Timing>,
        looping: &Loop,
        before: &[State],
        path: &Path<M::Timing>,
    ) -> General<M::Timing> {
        let mut general = General { path: path.clone(), moving: Vec::new() };
        // What the machine still owes is paid before the iterations: else each of them would pay
        // it.
        self.subject.machine.simplify(&mut general.path.timing);
        general.path.state.name_all();
        // With fewer beginnings nothing is seen to move. Then all that changes becomes any number
        // it can be.
        let [first, second] = before else { return general };
        let mut origins: Vec<(Value, Value, Value)> = Vec::new();
        for variable in path.state.variables() {
            let values = (first.look(variable), second.look(variable), path.state.look(variable));
            let (Some(one), Some(two), Some(now)) = values else { continue };
            // The same distance from the same name in all three: this has not moved.
            if now.symbol().is_some()
                && now.range.as_constant().is_some()
                && one == two
                && two == now
            {
                continue;
            }
            let moved = match slope([(first, one), (second, two), (&path.state, now)]) {
                Some(step) => Some((step, Value::number(path.state.numbers(now)), true)),
                // An address has no known numbers to compare, but the code may show by how much it
                // moves.
                None => {
                    let step = self.slope_by_code(frame, looping, variable, (two, now));
                    step.map(|step| (step, now, false))
                }
            };
            let Some((step, start, named)) = moved else { continue };
            // Numbers that are surely the same move under one name.
            let sure = now.range.as_constant().is_some();
            let alike = origins.iter().position(|&known| named && sure && known == (one, two, now));
            if let Some(index) = alike {
                general.moving[index].variables.push(variable);
                continue;
            }
            origins.push(if named && sure {
                (one, two, now)
            } else {
                (Value::ANY, Value::ANY, Value::ANY)
            });
            // A single distance from what moves around this loop can be told again behind the loop.
            let origin = Some(now).filter(|now| sure && now.symbol().is_some_and(is_induction));
            let name = named.then(|| general.path.state.name_moving(start.range));
            general.moving.push(Induction { variables: vec![variable], name, start, origin, step });
        }
        for moving in &general.moving {
            let Some(name) = moving.name else { continue };
            let value = Value::based(Base::Symbol(name));
            moving.variables.iter().for_each(|&variable| general.path.state.put(variable, value));
        }
        general
    }

    /// Returns the distance by which a pointer moves in each iteration, as its code has it, if it
    /// moved by that now.
    fn slope_by_code(
        &self,
        frame: &Frame<M::Timing>,
        looping: &Loop,
        variable: Variable,
        (two, now): (Value, Value),
    ) -> Option<(i64, i64)> {
        let Variable::Register(register) = variable else { return None };
        // A plain number shows by itself how it moves. Of an address the code says it, but it must
        // have moved at all.
        if two.base != now.base || now.base == Base::None || two.range == now.range {
            return None;
        }
        frame.function.step(looping, register, self.subject.setting.register_width())
    }

    /// Executes iterations until one ends within what it began with, wherever numbers are within
    /// the hull; gives how many iterations come back at most, if that is known, and nothing where
    /// the state does not settle.
    pub(super) fn settle(
        &mut self,
        (frame, looping): (&mut Frame<M::Timing>, &Loop),
        general: &mut General<M::Timing>,
        hull: &Hull,
        notes: &Notes,
    ) -> Result<Option<Option<u64>>, Stop> {
        for attempt in 0..ATTEMPTS {
            let hulls = general.hulls(hull);
            let begin = general.placed(&hulls, true);
            self.loops.watched =
                Some(Watched::new(self.calls.len(), looping, &frame.function.blocks));
            let iteration = self.iteration(frame, looping, begin.clone())?;
            // The guess itself may be what is in the way, so the guess is dropped, and nothing is
            // reported.
            if self.findings.is_in_the_way(&notes.findings) {
                return Ok(None);
            }
            // What moved otherwise is no longer taken to move, so the next attempt knows less.
            if general.measure(&iteration.back, &hulls) {
                continue;
            }
            if !self.has_approached(general, &begin, &iteration.back) {
                return Ok(None);
            }
            let movers = || general.moving.iter().zip(&hulls);
            // Each number limits the iterations by itself, so the smallest limit holds.
            let allowed =
                movers().filter_map(|(moving, &hull)| moving.allows(&iteration.back, hull)).min();
            // No path comes back at all, whatever moves.
            let allowed = if iteration.back.is_empty() { Some(0) } else { allowed };
            // One that is taken to end may do so only if none of these iterations begins beyond.
            let allowed = allowed.filter(|&most| {
                hull.end.is_none_or(|(index, _)| {
                    let (moving, hull) = (&general.moving[index], hulls[index]);
                    moving.variables.is_empty()
                        || moving.allows(&iteration.back, hull).is_some()
                        || moving.during((0, most)).is_some_and(|all| hull.includes(all))
                })
            });
            let mut backs = iteration.back;
            for back in &mut backs {
                movers().for_each(|(moving, &hull)| moving.begins_next(&mut back.state, hull));
            }
            let covers = |back: &Path<M::Timing>| {
                begin.state.includes(&back.state, self.subject.setting)
                    && self.subject.machine.includes(&begin.timing, &back.timing)
            };
            if backs.iter().all(covers) {
                return Ok(Some(allowed));
            }
            for back in &backs {
                // Joins keep more, but they can grow by one number each time without an end;
                // widening stops that.
                match attempt < JOINS {
                    true => general.path.state.join(&back.state, self.subject.setting),
                    false => general.path.state.widen(&back.state, self.subject.setting),
                }
                // A lead of 0: no iteration may count on time that another one has to spare.
                self.subject.machine.join(&mut general.path.timing, &back.timing, 0);
                self.subject.machine.simplify(&mut general.path.timing);
            }
        }
        Ok(None)
    }
}

/// Returns the growth of a known number in each of two iterations, if it is the same in both.
fn slope(values: [(&State, Value); 3]) -> Option<(i64, i64)> {
    let numeric = |(state, value): (&State, Value)| {
        let numbers = state.numbers(value);
        // The ends of a number that can be anything stay where they are, whatever happens to it.
        let known = value.base != Base::Stack
            && numbers != Range::ALL
            && numbers != Range::of_width(Width::Word, true);
        known.then_some(numbers)
    };
    let [one, two, now] = values.map(numeric);
    let grown = |before: Range, after: Range| {
        Some((after.low().checked_sub(before.low())?, after.high().checked_sub(before.high())?))
    };
    let (first, second) = (grown(one?, two?)?, grown(two?, now?)?);
    // Two equal steps are no proof. The execution that counts is held to them.
    (first == second && second != (0, 0))
        .then_some((second.0.min(second.1), second.0.max(second.1)))
}
