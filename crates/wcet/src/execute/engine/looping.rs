//! Iterating loops until no path is left in them, or the rest is summed up.
//!
//! Progress is watched as Brent watches cycles: the states at iterations 1, 2,
//! 4, 8, ... are remembered. A later iteration that allows all that they did
//! will go on as they did, for ever, whatever its timing. One that allows less
//! may be on its way to the end, as a number that is halved until it is 0; it
//! gets a part of the effort to show it. Before that is spent, the loop is
//! given up if no branch in it comes near to another outcome.

use super::conclude::asked;
use super::mode::Mode;
use super::summary::History;
use super::{Engine, Missing};
use crate::execute::findings::ENDLESS;
use crate::execute::granted::Used;
use crate::execute::path::{Frame, Path, Stop};
use crate::flow::Loop;
use crate::machine::Machine;
use fusee_isa::language::{Effect, Flow, Operand};

/// A loop whose states only shrink may use this part of the effort.
const SHRINKING: u64 = 16;

/// A loop in which no branch comes near to another outcome may use this part of the effort.
const MUCH: u64 = 64;
/// The same where none is summed up: of a single path all is known, and what ends it may be further
/// on than any branch tells, as what a file holds is.
const MUCH_COUNTED: u64 = 4;

/// Iterations in which a widened state must settle; each one loses at least one bound.
const SETTLE: u64 = 200;

/// After so many iterations that are all different, those of a loop whose end a fact gives are made
/// alike.
const STEADY: u64 = 3;

/// So many iterations are not watched where none is summed up: what is remembered is copied.
const EARLY: u64 = 256;

/// The beginning of an iteration.
struct Turn<T> {
    header: usize,
    path: Path<T>,
    /// The number of cuts of paths by then.
    pauses: u64,
}

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Executes a loop for the paths that wait at its headers.
    ///
    /// A path that arrives at a header while the body is executed belongs to the
    /// next iteration. A loop with a fact needs no watching: the fact ends it.
    pub(super) fn looping(
        &mut self,
        frame: &mut Frame<M::Timing>,
        looping: &Loop,
    ) -> Result<(), Stop> {
        let mut remembered: Vec<(usize, Path<M::Timing>)> = Vec::new();
        let (mut iterations, before) = (0u64, self.work.useful());
        let totals = self.totals_of(frame, looping);
        let bound = self.given_bound(frame, looping, &totals);
        let left = bound.map(|_| self.left(frame, looping));
        let address = frame.function.blocks[looping.headers[0]].address();
        if K::GUESSES && bound.is_none() && self.never_ends(frame, looping) {
            self.obstacle(address, ENDLESS, Missing::Way);
            return Ok(());
        }
        let measured = bound.is_none().then(|| self.measured(frame, looping)).flatten();
        let mut last: Option<Turn<M::Timing>> = None;
        self.loops.enter(self.calls.len(), bound.is_none(), &self.work);
        let share = match self.is_enough(bound) {
            true => 0,
            false => self.loops.share(address, &self.work),
        };
        let mut history = History::new(share);
        while looping.headers.iter().any(|&h| !frame.waiting[h].is_empty()) {
            if let Some((_, bound)) = bound.filter(|&(_, bound)| iterations < bound) {
                if iterations > STEADY && !self.counts() && self.only_looks(frame, looping) {
                    self.coarsen(frame, last.as_ref());
                }
                iterations = self.skip(frame, looping, last.as_ref(), (iterations, bound));
            }
            if let Some((fact, bound)) = bound.filter(|&(_, bound)| iterations > bound) {
                self.end(frame, looping, fact);
                if left == Some(self.left(frame, looping)) {
                    self.keeps_none(address, (fact, bound));
                }
                break;
            }
            // Its code tells that nobody comes here.
            if measured.is_some_and(|most| iterations > most) {
                looping.headers.iter().for_each(|&header| frame.waiting[header].clear());
                break;
            }
            // To come to a header for the first time is no iteration.
            if iterations > 0 {
                Self::count(frame, looping, &totals);
            }
            let spent = self.work.useful().saturating_sub(before);
            let granted = bound.map(|(fact, bound)| (fact, bound - iterations));
            if !self.counts()
                && history.is_due(spent)
                && self.sum_up((frame, looping), &mut history, (iterations, spent), granted)?
            {
                break;
            }
            if bound.is_none()
                && measured.is_none()
                && let Some(what) = self.lost(frame, looping, &remembered, (iterations, spent))
            {
                self.give_up(frame, looping, what)?;
                // These blocks led to nothing, so they must not use up the share of loops around.
                self.work.waste(before);
                break;
            }
            let is_early = self.counts() && iterations < EARLY;
            if iterations.is_power_of_two() && !is_early {
                remembered = Self::waiting(frame, looping);
            }
            last = self.turn(frame, looping).filter(|_| bound.is_some() && totals.is_empty());
            self.findings.turn(address, iterations);
            iterations += 1;
            self.loops.begin_iteration(address, iterations);
            self.nodes(frame, &looping.body)?;
            self.loops.end_iteration();
        }
        self.loops.leave();
        if let Some((fact, bound)) = bound.filter(|_| left != Some(self.left(frame, looping))) {
            self.findings.end_of_loop(fact, bound, true);
        }
        Ok(())
    }

    /// Counts one more iteration for the totals that a loop belongs to.
    fn count(frame: &mut Frame<M::Timing>, looping: &Loop, totals: &[usize]) {
        for &header in &looping.headers {
            frame.waiting[header].iter_mut().for_each(|path| path.tally.count_iteration(totals));
        }
    }

    /// Returns `true` if paths wait at a loop that nothing leads out of: they are dropped, as no
    /// path waits for what would come behind it. Of a known kernel, a call may be the end.
    fn never_ends(&mut self, frame: &mut Frame<M::Timing>, looping: &Loop) -> bool {
        let facts = self.subject.facts;
        let blocks = &frame.function.blocks;
        // A path that a fact ends at the header needs no other fact.
        let arrives = |&header: &usize| {
            !frame.waiting[header].is_empty() && facts.never(&blocks[header]).is_none()
        };
        let never = facts.kernel.is_none()
            && looping.headers.iter().any(arrives)
            && frame.function.is_endless(looping)
            && !self.leaves_trap(frame, looping);
        if never {
            looping.headers.iter().for_each(|&header| frame.waiting[header].clear());
        }
        never
    }

    /// Returns whether what a loop calls may go back to what a trap has interrupted: that is its
    /// end.
    fn leaves_trap(&mut self, frame: &Frame<M::Timing>, looping: &Loop) -> bool {
        let mut inside = std::collections::BTreeSet::new();
        looping.blocks(&mut inside);
        let program = self.subject.setting.program();
        let callees = inside.iter().filter_map(|&block| frame.function.blocks[block].callee);
        callees.into_iter().any(|callee| self.code.may_leave_trap(program, callee))
    }

    /// Returns why no end of the innermost loop is in sight after so many iterations and blocks, if
    /// none is.
    fn lost(
        &mut self,
        frame: &Frame<M::Timing>,
        looping: &Loop,
        remembered: &[(usize, Path<M::Timing>)],
        (iterations, spent): (u64, u64),
    ) -> Option<String> {
        let header = frame.function.blocks[looping.headers[0]].address();
        // A loop that was given up once gets no more effort when it is entered again.
        let known = self.findings.given_up.contains(&header);
        let hopeless = iterations.is_power_of_two() && self.is_hopeless(iterations, spent);
        let lost = known
            || hopeless
            || self.is_long(spent)
            || self.repeats(frame, looping, remembered, spent);
        lost.then(|| "no bound was found for this loop".to_owned())
    }

    /// Returns whether the innermost loop has done much for nothing: no branch in it comes near to
    /// another outcome.
    fn is_hopeless(&mut self, iterations: u64, blocks: u64) -> bool {
        // As many iterations as all of the effort pays for: an end further on is never seen.
        let further = self.work.effort.blocks / (blocks / iterations).max(1);
        let hopeless = self
            .loops
            .innermost()
            .is_some_and(|prospect| prospect.is_hopeless(iterations, further));
        let much = if self.counts() { MUCH_COUNTED } else { MUCH };
        hopeless && blocks > self.work.effort.blocks / much
    }

    /// Returns the one path that begins an iteration of a kernel's loop, if there is only one.
    fn turn(&self, frame: &Frame<M::Timing>, looping: &Loop) -> Option<Turn<M::Timing>> {
        let [header] = looping.headers[..] else { return None };
        let [path] = &frame.waiting[header][..] else { return None };
        // Elsewhere loops are summed up, and no iteration needs to be kept for this.
        (!K::TAKES_BACK).then(|| Turn { header, path: path.clone(), pauses: self.mode.pauses() })
    }

    /// Skips the iterations that are all like the last one, up to the final one that a fact grants;
    /// gives the iterations then.
    ///
    /// If what is known where an iteration ends is no more than what was known where it began,
    /// whatever can happen from there on has been executed: no later iteration takes longer, and
    /// the final one, from the same state, leaves the loop wherever any of them can.
    fn skip(
        &self,
        frame: &mut Frame<M::Timing>,
        looping: &Loop,
        last: Option<&Turn<M::Timing>>,
        (iterations, bound): (u64, u64),
    ) -> u64 {
        let (Some(last), Some(mut now)) = (last, self.turn(frame, looping)) else {
            return iterations;
        };
        let (before, after) = (&last.path, &mut now.path);
        // Time begins anew at a cut, so across one the difference is not the time of an iteration.
        let same = last.pauses == now.pauses
            && before.resumed == after.resumed
            && before.tally.marks == after.tally.marks
            && self.subject.machine.includes(&before.timing, &after.timing)
            && before.state.includes(&after.state, self.subject.setting);
        // Where the time does not fit into 64 bits, iterations are executed one by one as before.
        let longer = after.time.checked_sub(before.time).filter(|_| same);
        let Some(time) =
            longer.and_then(|each| after.time.checked_add(each.checked_mul(bound - iterations)?))
        else {
            return iterations;
        };
        after.time = time;
        // The last iteration must allow all that any of them does, so it begins with the wider
        // state.
        after.state = before.state.clone();
        after.timing = before.timing.clone();
        frame.waiting[now.header] = vec![now.path];
        bound
    }

    /// Returns whether a loop stores nothing but on the stack, so that it may be executed for
    /// places that it does not reach.
    fn only_looks(&self, frame: &Frame<M::Timing>, looping: &Loop) -> bool {
        let mut inside = std::collections::BTreeSet::new();
        looping.blocks(&mut inside);
        let stack = Operand::Register(self.stack_pointer());
        // A kernel learns stores for good. From a state that is made wider it would learn stores
        // that never happen.
        let looks = |effect: &Effect| match effect {
            Effect::Store { address, .. } => address.base == stack,
            Effect::Atomic { .. } => false,
            _ => true,
        };
        inside.iter().map(|&block| &frame.function.blocks[block]).all(|block| {
            // Whatever is called may store.
            let calls = matches!(block.last().flow, Flow::Call { .. });
            !calls
                && block
                    .instructions
                    .iter()
                    .all(|instruction| instruction.effects.iter().all(looks))
        })
    }

    /// Forgets what changes from iteration to iteration of a loop whose end is given, as a counter
    /// does: so that iterations are alike.
    fn coarsen(&self, frame: &mut Frame<M::Timing>, last: Option<&Turn<M::Timing>>) {
        let Some(last) = last else { return };
        if let [now] = &mut frame.waiting[last.header][..]
            && self.alike(now, &last.path)
        {
            // Widened from the older state on: what has moved since is lost, all else stays known.
            let mut state = last.path.state.clone();
            state.widen(&now.state, self.subject.setting);
            now.state = state;
        }
    }

    fn waiting(frame: &Frame<M::Timing>, looping: &Loop) -> Vec<(usize, Path<M::Timing>)> {
        let at =
            |&header: &usize| frame.waiting[header].iter().map(move |path| (header, path.clone()));
        looping.headers.iter().flat_map(at).collect()
    }

    /// Returns the totals that count the iterations of a loop here.
    fn totals_of(&self, frame: &Frame<M::Timing>, looping: &Loop) -> Vec<usize> {
        let counts = |during: Option<u64>| {
            // Outside of what it counts in, a total grants nothing, and must not end the loop.
            during.is_none_or(|at| {
                self.calls.contains(&at) || self.loops.headers().any(|header| header == at)
            })
        };
        let totals = self.subject.facts.totals.iter().enumerate();
        let here =
            totals.filter(|(_, t)| counts(t.during) && t.looping.is_loop(&frame.function, looping));
        here.map(|(index, _)| index).collect()
    }

    /// The fact that bounds this loop here; of several the one with the smallest bound.
    fn given_bound(
        &mut self,
        frame: &Frame<M::Timing>,
        looping: &Loop,
        totals: &[usize],
    ) -> Option<(Used, u64)> {
        let facts = self.subject.facts;
        let totals =
            // One entry takes no more iterations than all entries together.
            totals.iter().map(|&total| (Used::Total(total), facts.totals[total].iterations));
        let given =
            facts.bounds(&frame.function, looping).chain(totals).min_by_key(|&(_, bound)| bound)?;
        // A statement tells which loop it became; of a plain line nobody knows which of two is
        // meant.
        if let Used::LineBound(line) = given.0
            && facts.line_bounds[line].statement.is_none()
        {
            self.one_loop_only(line, frame.function.blocks[looping.headers[0]].address());
        }
        Some(given)
    }

    /// A line that controls a loop and one inside of it does not say which of them is meant.
    pub(super) fn one_loop_only(&mut self, line: usize, header: u64) {
        let outside =
            |&outer: &u64| outer != header && self.findings.loops_on_lines.contains(&(line, outer));
        if let Some(outer) = self.loops.headers().find(outside) {
            let (outer, inner) =
                (self.subject.setting.describe(outer), self.subject.setting.describe(header));
            let why = format!(
                "this line controls two loops, one inside the other: name `{outer}` or `{inner}` \
                 instead"
            );
            self.findings.contradict(Used::LineBound(line), why);
        }
        self.findings.loops_on_lines.insert((line, header));
    }

    /// Returns how many paths have left the loop so far, those that ended in it included.
    fn left(&self, frame: &Frame<M::Timing>, looping: &Loop) -> u64 {
        let mut inside = std::collections::BTreeSet::new();
        looping.blocks(&mut inside);
        let outside = frame.arrived.iter().enumerate().filter(|(block, _)| !inside.contains(block));
        outside.map(|(_, arrived)| arrived).sum::<u64>() + frame.gone + self.endings.count
    }

    /// Ends the loop where a fact says that it has ended.
    fn end(&mut self, frame: &mut Frame<M::Timing>, looping: &Loop, fact: Used) {
        self.findings.rest_on(fact);
        // Each header has a number of its own, and the bound rests on all of them.
        if let Used::Loop(_) = fact {
            let back_to = frame.function.back_to(looping);
            let headers = frame.function.addresses(&back_to).into_iter();
            headers.for_each(|header| self.findings.rest_on(Used::Loop(header)));
        }
        for &header in &looping.headers {
            frame.waiting[header].clear();
        }
    }

    /// Returns `true` if the end of a loop is not looked for, because a fact about it is enough.
    pub(super) fn is_enough(&self, fact: Option<(Used, u64)>) -> bool {
        self.is_rough() && fact.is_some()
    }

    /// No path leaves a loop within the iterations that a fact grants.
    ///
    /// Within a function that calls itself nobody may come there: what is known of its numbers is
    /// less with every call, and then nothing is said against the fact.
    ///
    /// Who writes that a statement's body is executed 0 times says that nobody comes there, where
    /// whoever does executes it. Of any other number that would be a strange way to say so.
    fn keeps_none(&mut self, header: u64, (fact, bound): (Used, u64)) {
        let is_pragma = match fact {
            Used::LineBound(line) => self.subject.facts.line_bounds[line].statement.is_some(),
            _ => false,
        };
        if is_pragma && bound == 0 {
            let place = self.subject.setting.describe(header);
            self.findings.assume(&format!(
                "control never comes to the loop at `{place}`: whoever does executes its body, and \
                 a pragma says that nobody does"
            ));
        } else if K::REFUTES && self.recursive().is_none() {
            self.findings.end_of_loop(fact, bound, false);
        }
    }

    /// Returns whether the loop goes on for ever, as far as its states tell.
    ///
    /// Every waiting path must have been there when states were remembered, and unless the effort
    /// for loops that only shrink is spent, every remembered one must be there still.
    fn repeats(
        &self,
        frame: &Frame<M::Timing>,
        looping: &Loop,
        remembered: &[(usize, Path<M::Timing>)],
        spent: u64,
    ) -> bool {
        let covers = |a: &Path<M::Timing>, b: &Path<M::Timing>| {
            // Timing is left out, because no loop ends by it.
            a.state.includes(&b.state, self.subject.setting)
        };
        // A path whose time began anew meanwhile is watched where it began.
        let later =
            |old: &Path<M::Timing>, path: &Path<M::Timing>| !path.resumed || old.time < path.time;
        let nothing_new = looping.headers.iter().all(|&header| {
            let before = |path: &Path<M::Timing>| {
                let same = |old: &Path<M::Timing>| old.tally.marks == path.tally.marks;
                remembered.iter().any(|(at, old)| {
                    *at == header && same(old) && later(old, path) && covers(old, path)
                })
            };
            frame.waiting[header].iter().all(before)
        });
        let all_old = || {
            remembered
                .iter()
                .all(|(at, old)| frame.waiting[*at].iter().any(|path| covers(path, old)))
        };
        nothing_new && (spent > self.work.effort.blocks / SHRINKING || all_old())
    }

    /// Names the obstacle, then leaves the loop by a state that covers all iterations.
    fn give_up(
        &mut self,
        frame: &mut Frame<M::Timing>,
        looping: &Loop,
        what: String,
    ) -> Result<(), Stop> {
        if K::stands_still(self, frame, looping) {
            looping.headers.iter().for_each(|&header| frame.waiting[header].clear());
            return Ok(());
        }
        self.ask_for_bounds(asked(&frame.function, looping, &what));
        self.findings.given_up.insert(frame.function.blocks[looping.headers[0]].address());
        let mut widened: Vec<(usize, Path<M::Timing>)> = Vec::new();
        for _ in 0..SETTLE {
            let mut grown = false;
            for (header, path) in Self::waiting(frame, looping) {
                frame.waiting[header].clear();
                grown |= self.widen(&mut widened, header, path);
            }
            if !grown {
                return Ok(());
            }
            for (header, path) in &widened {
                frame.waiting[*header] = vec![path.clone()];
            }
            self.nodes(frame, &looping.body)?;
        }
        // It does not settle, but the obstacle has its name already, so the paths may go.
        for &header in &looping.headers {
            frame.waiting[header].clear();
        }
        Ok(())
    }

    /// Adds a path to the widened ones; says whether that changed anything.
    fn widen(
        &self,
        widened: &mut Vec<(usize, Path<M::Timing>)>,
        header: usize,
        path: Path<M::Timing>,
    ) -> bool {
        match widened.iter_mut().find(|(at, _)| *at == header) {
            None => {
                widened.push((header, path));
                true
            }
            Some((_, old)) => {
                let covered = old.state.includes(&path.state, self.subject.setting)
                    && self.subject.machine.includes(&old.timing, &path.timing);
                old.state.widen(&path.state, self.subject.setting);
                // A lead of 0: paths of different iterations give each other no time to spare.
                self.subject.machine.join(&mut old.timing, &path.timing, 0);
                !covered
            }
        }
    }
}
