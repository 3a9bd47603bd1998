//! Loops one inside another, in functions that call themselves.
//!
//! To sum up a loop, its iterations are executed several times, and with them the
//! loops inside: c^n times for n loops one inside another, which is what compilers
//! make of a function that calls itself when they put several levels of its calls
//! into one another. How far numbers move there tells little, as they come from
//! calls of which little is known. So where a fact says how often such a loop
//! iterates, what changes in an iteration is taken for any number at once.
//!
//! Why that is sound: every iteration begins within the state that the last one was
//! executed from, because the first one does and because that execution ends within
//! what it began with. So each takes no longer than that one, and who leaves the
//! loop, in whichever iteration, leaves it as one of its paths does, with at most
//! the iterations that the fact grants behind it.

use super::Engine;
use super::mode::Mode;
use super::summary::LONGEST;
use super::trial::Notes;
use crate::execute::granted::Used;
use crate::execute::path::{Frame, Iteration, Path, Stop};
use crate::flow::{Loop, loops};
use crate::machine::Machine;

/// Iterations in which what they begin with must settle; each is executed from less that is known.
const ATTEMPTS: usize = 8;

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Returns whether nothing is looked for in a loop, inside another or around one, but an end of
    /// the time that it takes.
    pub(super) fn is_nested(&self, looping: &Loop) -> bool {
        let recursion = &self.subject.facts.recursion;
        self.is_rough()
            && self.calls.iter().any(|call| recursion.contains_key(call))
            && (self.loops.trials > 0 || loops(&looping.body).next().is_some())
    }

    /// Sends paths on behind a loop of which a fact grants so many more iterations; gives their
    /// number.
    pub(super) fn sum_up_nested(
        &mut self,
        (frame, looping): (&mut Frame<M::Timing>, &Loop),
        start: &Path<M::Timing>,
        (fact, iterations): (Used, u64),
    ) -> Result<Option<u64>, Stop> {
        let notes = self.notes();
        let Some(Iteration { back, left }) =
            self.any_iteration((&mut *frame, looping), start, &notes)?
        else {
            return Ok(None);
        };
        let longest = back.iter().max_by_key(|path| path.time);
        let time = longest.map_or(0, |path| path.time - start.time).checked_mul(iterations);
        let fits = |time: &u64| start.time.checked_add(*time).is_some_and(|sum| sum < LONGEST);
        // If no path leaves the loop, the fact may be false. Then its iterations are executed, and
        // tell.
        let Some(time) = time.filter(fits).filter(|_| !left.is_empty()) else { return Ok(None) };
        let way = longest.map(|path| self.ways.since(start.way, path.way)).unwrap_or_default();
        let behind = self.ways.repeat(start.way, &way, iterations);
        for (exit, mut path) in left {
            let own = self.ways.since(start.way, path.way);
            path.way = self.ways.repeat(behind, &own, 1);
            path.time = path.time.saturating_add(time);
            self.send_on(frame, exit, path);
        }
        self.findings.rest_on(fact);
        Ok(Some(iterations))
    }

    /// Executes an iteration that ends within what it began with, as all of the loop do.
    fn any_iteration(
        &mut self,
        (frame, looping): (&mut Frame<M::Timing>, &Loop),
        start: &Path<M::Timing>,
        notes: &Notes,
    ) -> Result<Option<Iteration<M::Timing>>, Stop> {
        let (setting, machine) = (self.subject.setting, self.subject.machine);
        let header = frame.function.blocks[looping.headers[0]].address();
        let mut begin = start.clone();
        self.forget_changing(header, &mut begin);
        for _ in 0..ATTEMPTS {
            let iteration = self.iteration(frame, looping, begin.clone())?;
            // What is in the way may come from the state that was made too wide.
            if self.findings.is_in_the_way(&notes.findings) {
                return Ok(None);
            }
            let covers = |back: &Path<M::Timing>| {
                begin.state.includes(&back.state, setting)
                    && machine.includes(&begin.timing, &back.timing)
            };
            if iteration.back.iter().all(covers) {
                // The next entry begins with this at once, and needs fewer attempts.
                self.depths.settled.insert(header, (begin.state, begin.timing));
                return Ok(Some(iteration));
            }
            // It began with a state that does not cover the next iteration, so nothing of it
            // counts.
            self.take_back_to(notes);
            for back in &iteration.back {
                begin.state.widen(&back.state, setting);
                // A lead of 0: iterations give each other no time to spare.
                machine.join(&mut begin.timing, &back.timing, 0);
                machine.simplify(&mut begin.timing);
            }
        }
        Ok(None)
    }

    /// Knows no more than what iterations of a loop began with when it was executed before, as it
    /// is for those around it. Of other calls nothing is taken: their frames lie elsewhere.
    fn forget_changing(&self, header: u64, begin: &mut Path<M::Timing>) {
        let stack = self.stack_pointer();
        if let Some((state, timing)) = self.depths.settled.get(&header)
            && state.get(stack) == begin.state.get(stack)
        {
            begin.state.widen(state, self.subject.setting);
            self.subject.machine.join(&mut begin.timing, timing, 0);
        }
        self.subject.machine.simplify(&mut begin.timing);
    }
}
