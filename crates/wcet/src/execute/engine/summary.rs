//! Loops without executing their iterations one by one.
//!
//! Iterations are executed one by one as long as that is cheap. Then the rest
//! of them is summed up: a state is found that covers the beginning of every
//! iteration (`general`), and from it what moves in an iteration, and by how
//! much.
//!
//! Why that is sound: let the state begin with a number `v` of at least `v0`,
//! let every iteration from it add at least `g > 0` to `v`, and let only those
//! iterations come back that began with `v <= m`. Iteration `k` begins with
//! `v >= v0 + k g`, so of the iterations that come back the last one has
//! `v0 + k g <= m`: there are at most `n = (m - v0) / g + 1` of them. All that
//! is said of the state must hold as long as iterations come back, so numbers
//! are put where `n` iterations can bring them, and the iterations are executed
//! again: what was guessed before does not matter, only that this last
//! execution ends within what it began with, and gives no more iterations than
//! were taken for granted. A fact about the loop may give `n` instead.
//!
//! Then each iteration takes no longer than the one that was executed. Where
//! iterations take different times, parts of them are executed for themselves.
//! Who leaves early has at most all iterations but one behind it, who leaves
//! last all of them.

mod parts;

use self::parts::{Halved, Left, Part, Passed};
use super::Engine;
use super::mode::Mode;
use super::trial::Notes;
use crate::execute::compared::{Compared, Watched};
use crate::execute::granted::Used;
use crate::execute::induction::{General, Hull, Induction, Reach};
use crate::execute::path::{Exit, Frame, Iteration, Path, Stop};
use crate::flow::Loop;
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Base, Range, Value};
use fusee_isa::language::Width;

/// The most blocks of a guess, besides as many as were executed before it.
const ALLOWANCE: u64 = 8192;
/// So many iterations are those of a counter that nothing but its width ends.
const ENDLESS: u64 = 1 << 30;
/// Nothing is summed up to a time that is longer, so that sums of several are numbers.
pub(super) const LONGEST: u64 = 1 << 60;
/// Ends that are tried.
const ENDS: usize = 6;
/// The most halvings of parts of the iterations, where iterations take different times.
const HALVINGS: u32 = 6;

/// The beginnings of the last iterations, once the loop has taken long.
pub(super) struct History {
    due: u64,
    states: Vec<State>,
}

impl History {
    pub(super) fn new(share: u64) -> Self {
        Self { due: share, states: Vec::new() }
    }

    /// Returns whether so many blocks are enough.
    pub(super) fn is_due(&self, spent: u64) -> bool {
        spent >= self.due
    }
}

/// A loop's iterations, as they are taken to be.
struct Found<T> {
    general: General<T>,
    hull: Hull,
    iterations: u64,
    /// The fact that says so, if one is needed.
    fact: Option<Used>,
}

type Place<'a, 'l, T> = (&'a mut Frame<T>, &'l Loop);

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Goes on behind the loop, if its iterations can be summed up.
    pub(super) fn sum_up(
        &mut self,
        (frame, looping): Place<'_, '_, M::Timing>,
        history: &mut History,
        (iterations, spent): (u64, u64),
        granted: Option<(Used, u64)>,
    ) -> Result<bool, Stop> {
        let across =
            self.subject.facts.totals.is_empty() && self.subject.facts.exclusions.is_empty();
        let ([header], true, true) = (&looping.headers[..], K::TAKES_BACK, across) else {
            return Ok(false);
        };
        let mut paths = frame.waiting[*header].clone().into_iter();
        let Some(mut start) = paths.next() else { return Ok(false) };
        paths.for_each(|path| self.join(&mut start, &path));
        let nested = granted.filter(|_| iterations == 0 && self.is_nested(looping));
        // Three beginnings in a row show by how much numbers move.
        if nested.is_none() && history.states.len() < 2 {
            history.states.push(start.state);
            return Ok(false);
        }
        let before = std::mem::take(&mut history.states);
        // The next attempt waits for twice the work, so that failed ones stay a part of all work.
        history.due = spent.saturating_mul(2).max(1);
        // A loop around may be on trial as well, and must not see the comparisons of this one.
        let around = (self.loops.watched.take(), std::mem::take(&mut self.loops.approaches));
        let sought = self.loops.sought;
        self.loops.trials += 1;
        // Where loops are inside one another, all that can be tried takes longer.
        let most = nested.map_or(ALLOWANCE.saturating_add(spent), |_| u64::MAX);
        let loan = self.work.lend(most);
        let (notes, begun) = (self.notes(), self.work.useful());
        let done = match nested {
            Some(granted) => self.sum_up_nested((&mut *frame, looping), &start, granted),
            None => self.summarize((&mut *frame, looping), (&before, &start), granted),
        };
        let ran_out = self.work.take_back(loan);
        (self.loops.watched, self.loops.approaches) = around;
        self.loops.trials -= 1;
        self.loops.sought = sought;
        let address = frame.function.blocks[*header].address();
        match done {
            Ok(Some(found)) => {
                frame.waiting[*header].clear();
                self.findings.turn(address, iterations.saturating_add(found));
                Ok(true)
            }
            // What was found on the way may be so only in what was tried.
            Err(stop) if !(ran_out && matches!(stop, Stop::Exhausted)) => {
                self.take_back(notes);
                Err(stop)
            }
            // Nothing is left of what was tried but that it was in vain.
            Ok(None) | Err(_) => {
                self.take_back(notes);
                self.work.waste(begun);
                self.loops.failed(address);
                Ok(false)
            }
        }
    }

    /// Finds out how often the loop iterates, and sends paths on behind it.
    fn summarize(
        &mut self,
        (frame, looping): Place<'_, '_, M::Timing>,
        (before, start): (&[State], &Path<M::Timing>),
        granted: Option<(Used, u64)>,
    ) -> Result<Option<u64>, Stop> {
        let general = self.general(frame, looping, before, start);
        let notes = self.notes();
        self.loops.sought += 1;
        let mut found = match self.is_enough(granted) {
            true => None,
            false => self.discover((&mut *frame, looping), &general, &notes)?,
        };
        // A fact that grants more than was found is not needed.
        let fact =
            granted.filter(|&(_, most)| found.as_ref().is_none_or(|found| most < found.iterations));
        if let Some((fact, iterations)) = fact {
            let hull = Hull { reach: Reach::Iterations(iterations), end: None };
            let mut general = general;
            let settled = self.settle((&mut *frame, looping), &mut general, &hull, &notes)?;
            self.take_back_to(&notes);
            // Whatever number was found on the way: here the fact says it.
            found = settled.map(|_| Found { general, hull, iterations, fact: Some(fact) });
        }
        self.loops.sought -= 1;
        let Some(found) = found else { return Ok(None) };
        if self.commit((frame, looping), start, &found, &notes)?.is_none() {
            return Ok(None);
        }
        found.fact.into_iter().for_each(|fact| self.findings.rest_on(fact));
        Ok(Some(found.iterations))
    }

    /// Guesses how far numbers move until the iterations that this gives are what they follow from.
    fn discover(
        &mut self,
        (frame, looping): Place<'_, '_, M::Timing>,
        general: &General<M::Timing>,
        notes: &Notes,
    ) -> Result<Option<Found<M::Timing>>, Stop> {
        let watched = self.first_iteration((&mut *frame, looping), general, notes)?;
        self.loops.approaches = self.approaching(frame, looping, general, &watched);
        for (mover, end) in ends(general, &watched.compared) {
            let Some(iterations) = general.moving[mover].iterations(end) else { continue };
            let place = (&mut *frame, looping);
            if let Some(found) =
                self.verified(place, general, (iterations, Some((mover, end))), notes)?
            {
                // Fewer iterations move numbers less far, so less is possible in each of them.
                let better = match found.iterations < iterations {
                    true => self.verified(
                        (&mut *frame, looping),
                        general,
                        (found.iterations, None),
                        notes,
                    )?,
                    false => None,
                };
                return Ok(Some(better.unwrap_or(found)));
            }
        }
        let wide = self.subject.setting.register_width() == Width::Double;
        for width in [Some(Width::Word), wide.then_some(Width::Double)].into_iter().flatten() {
            let far = Hull { reach: Reach::Far(width), end: None };
            let mut tried = general.clone();
            let settled = self.settle((&mut *frame, looping), &mut tried, &far, notes)?;
            self.take_back_to(notes);
            if let Some(Some(iterations)) = settled
                && let Some(found) =
                    self.verified((&mut *frame, looping), general, (iterations, None), notes)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Returns what the first of the iterations compares.
    fn first_iteration(
        &mut self,
        (frame, looping): Place<'_, '_, M::Timing>,
        general: &General<M::Timing>,
        notes: &Notes,
    ) -> Result<Watched, Stop> {
        let start: Vec<Range> = general.moving.iter().map(|moving| moving.start.range).collect();
        self.loops.watched = Some(Watched::new(self.calls.len(), looping, &frame.function.blocks));
        self.iteration(frame, looping, general.placed(&start, true))?;
        self.take_back_to(notes);
        Ok(self.loops.watched.take().unwrap_or_default())
    }

    /// Returns whether so many iterations are enough, with all numbers where those iterations can
    /// bring them.
    fn verified(
        &mut self,
        (frame, looping): Place<'_, '_, M::Timing>,
        general: &General<M::Timing>,
        (iterations, end): (u64, Option<(usize, i64)>),
        notes: &Notes,
    ) -> Result<Option<Found<M::Timing>>, Stop> {
        let (mut general, hull) =
            (general.clone(), Hull { reach: Reach::Iterations(iterations), end });
        let settled = self.settle((frame, looping), &mut general, &hull, notes)?;
        self.take_back_to(notes);
        // Inside of a loop of which nothing is known yet, a loop may seem to be as long as numbers
        // are wide.
        let plausible = |found: u64| found < ENDLESS || self.loops.trials > 1;
        let enough = settled.flatten().filter(|&found| found <= iterations && plausible(found));
        Ok(enough.map(|iterations| Found { general, hull, iterations, fact: None }))
    }

    /// Executes what counts, and sends paths on; nothing where something is in the way.
    fn commit(
        &mut self,
        (frame, looping): Place<'_, '_, M::Timing>,
        start: &Path<M::Timing>,
        found: &Found<M::Timing>,
        notes: &Notes,
    ) -> Result<Option<()>, Stop> {
        let iterations = found.iterations;
        let mut lefts = Vec::new();
        let mut parts = Vec::new();
        if iterations > 0 {
            let (whole, paths) =
                self.part((&mut *frame, looping), start, found, (0, iterations - 1))?;
            lefts.push(Left { paths, behind: (0, iterations - 1) });
            parts = self.halves(
                (&mut *frame, looping),
                start,
                found,
                Halved { span: (0, iterations - 1), whole, deep: HALVINGS },
            )?;
        }
        // The iteration behind the last one that comes back only leaves the loop.
        let (_, paths) =
            self.part((&mut *frame, looping), start, found, (iterations, iterations))?;
        lefts.push(Left { paths, behind: (iterations, iterations) });
        let mut times = parts.iter().map(|part| part.time.checked_mul(part.iterations));
        // Of a fact that no path keeps to nothing follows before its last iteration was executed.
        if found.fact.is_some() && lefts.iter().all(|left| left.paths.is_empty()) {
            return Ok(None);
        }
        let total = times.try_fold(0u64, |sum, time| sum.checked_add(time?));
        // The longest of all times leaves room for what follows.
        let fits = |total: &u64| start.time.checked_add(*total).is_some_and(|time| time < LONGEST);
        let Some(total) =
            total.filter(fits).filter(|_| !self.findings.is_in_the_way(&notes.findings))
        else {
            return Ok(None);
        };
        for left in lefts {
            let early = left.behind.1 < iterations;
            self.leave_loop(frame, start, found, Passed { parts: &parts, total, early }, left);
        }
        Ok(Some(()))
    }

    /// The longest of some iterations, and the paths that leave the loop in one of them.
    #[allow(clippy::type_complexity, reason = "a pair of what was found")]
    fn part(
        &mut self,
        (frame, looping): Place<'_, '_, M::Timing>,
        start: &Path<M::Timing>,
        found: &Found<M::Timing>,
        (first, last): (u64, u64),
    ) -> Result<(Part, Vec<(Exit, Path<M::Timing>)>), Stop> {
        let nothing = Part { iterations: last - first + 1, time: 0, way: Vec::new() };
        let Some(at) = found.during((first, last)) else { return Ok((nothing, Vec::new())) };
        let begin = found.general.placed(&at, false);
        let Iteration { back, left } = self.iteration((frame, looping).0, looping, begin)?;
        let longest = back.iter().max_by_key(|path| path.time);
        let part = longest.map(|path| Part {
            time: path.time - start.time,
            way: self.ways.since(start.way, path.way),
            ..nothing
        });
        Ok((part.unwrap_or(Part { iterations: last - first + 1, time: 0, way: Vec::new() }), left))
    }

    /// Iterations in parts, as long as those take less time than the whole.
    fn halves(
        &mut self,
        (frame, looping): Place<'_, '_, M::Timing>,
        start: &Path<M::Timing>,
        found: &Found<M::Timing>,
        Halved { span: (first, last), whole, deep }: Halved,
    ) -> Result<Vec<Part>, Stop> {
        let affordable = self.loops.sought == 0 && self.work.leaves(ALLOWANCE / 4);
        if first == last || deep == 0 || !affordable {
            return Ok(vec![whole]);
        }
        let middle = first + (last - first) / 2;
        let mut parts = Vec::new();
        for span in [(first, middle), (middle + 1, last)] {
            let (half, _) = self.part((&mut *frame, looping), start, found, span)?;
            parts.push((span, half));
        }
        if parts.iter().all(|(_, half)| half.time == whole.time) {
            return Ok(vec![whole]);
        }
        let mut all = Vec::new();
        for (span, half) in parts {
            all.extend(self.halves(
                (&mut *frame, looping),
                start,
                found,
                Halved { span, whole: half, deep: deep - 1 },
            )?);
        }
        Ok(all)
    }

    /// Sends paths on behind the loop, with the time of the iterations behind them.
    fn leave_loop(
        &mut self,
        frame: &mut Frame<M::Timing>,
        start: &Path<M::Timing>,
        found: &Found<M::Timing>,
        Passed { parts, total, early }: Passed<'_>,
        left: Left<M::Timing>,
    ) {
        // A path that leaves early has not had the last of the iterations.
        let last = parts.last().filter(|_| early).map_or(0, |part| part.time);
        let mut iterations = start.way;
        for (index, part) in parts.iter().enumerate() {
            let less = u64::from(early && index + 1 == parts.len());
            if part.iterations > less {
                iterations = self.ways.repeat(iterations, &part.way, part.iterations - less);
            }
        }
        for (exit, mut path) in left.paths {
            let own = self.ways.since(start.way, path.way);
            path.way = self.ways.repeat(iterations, &own, 1);
            path.time = path.time.saturating_add(total - last);
            found.name_anew(&mut path.state, left.behind);
            self.send_on(frame, exit, path);
        }
    }

    /// A path goes on where it left a loop.
    pub(super) fn send_on(
        &mut self,
        frame: &mut Frame<M::Timing>,
        exit: Exit,
        path: Path<M::Timing>,
    ) {
        match exit {
            Exit::Block(block) => self.keep(frame, Some(block), path),
            Exit::Return => self.keep(frame, None, path),
            Exit::End => self.endings.paths.push(path),
            Exit::Unwound(calls) => self.endings.unwound.push((calls, path)),
        }
    }
}

impl<T: Clone> Found<T> {
    /// Returns where numbers are in some iterations; nothing where there are no such iterations.
    fn during(&self, iterations: (u64, u64)) -> Option<Vec<Range>> {
        let at = |(index, moving): (usize, &Induction)| {
            if moving.variables.is_empty() {
                return Some(moving.start.range);
            }
            let range = moving.during(iterations)?;
            match self.hull.end.filter(|&(one, _)| one == index) {
                Some((_, end)) => {
                    let start = moving.start.range;
                    range.clamp(start.low().min(end), start.high().max(end))
                }
                None => Some(range),
            }
        };
        self.general.moving.iter().enumerate().map(at).collect()
    }

    /// Behind the loop: what moved from something that moves around it is a distance from that
    /// again.
    fn name_anew(&self, state: &mut State, iterations: (u64, u64)) {
        for moving in &self.general.moving {
            let (Some(name), Some(origin), Some(grown)) =
                (moving.name, moving.origin, moving.grown(iterations))
            else {
                continue;
            };
            // A single number says more than a distance.
            if state.induction_range(name).as_constant().is_some() {
                continue;
            }
            let known = state.induction_range(name);
            let anew = |value: Value| {
                let low = i128::from(origin.range.low())
                    + i128::from(grown.low())
                    + i128::from(value.range.low());
                let high = i128::from(origin.range.high())
                    + i128::from(grown.high())
                    + i128::from(value.range.high());
                match (i64::try_from(low), i64::try_from(high)) {
                    (Ok(low), Ok(high)) => {
                        Value { base: origin.base, range: Range::new(low.into(), high.into(), 1) }
                    }
                    _ => value
                        .range
                        .as_constant()
                        .and_then(|by| known.shifted(by))
                        .map_or(Value::ANY, Value::number),
                }
            };
            state.replace_moving(name, &anew);
        }
    }
}

/// Numbers at which what moves may end: those that it is compared with.
fn ends<T>(general: &General<T>, compared: &[Compared]) -> Vec<(usize, i64)> {
    let mut ends = Vec::new();
    let sides = |compared: &Compared| {
        let [left, right] = compared.sides;
        [(left, right), (right, left)]
    };
    for (one, other) in compared.iter().flat_map(sides) {
        for (index, moving) in general.moving.iter().enumerate() {
            let up = moving.step.0 > 0;
            let furthest = |range: Range| Some(if up { range.high() } else { range.low() });
            let (distance, end) = match moving.name {
                Some(name) if one.0.base == Base::Symbol(name) => {
                    (one.0.range.as_constant(), furthest(other.1))
                }
                None if one.0.base == moving.start.base && other.0.base == one.0.base => (
                    one.0.range.low().checked_sub(moving.start.range.low()),
                    furthest(other.0.range),
                ),
                _ => continue,
            };
            let end = distance.zip(end).and_then(|(distance, end)| end.checked_sub(distance));
            // An end that the number has passed already is not where it goes.
            let beyond = |end: &i64| match moving.step {
                (low, _) if low > 0 => *end > moving.start.range.high(),
                (_, high) if high < 0 => *end < moving.start.range.low(),
                _ => false,
            };
            if let Some(end) =
                end.filter(beyond).map(|end| (index, end)).filter(|end| !ends.contains(end))
            {
                ends.push(end);
            }
        }
    }
    ends.truncate(ENDS);
    ends
}
