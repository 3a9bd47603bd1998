//! Executions of one entry, one after the other, until one of them is good.
//!
//! Each gets a part of the effort, and all together no more than there is.

use super::before::Before;
use super::code::Code;
use super::engine::called::Called;
use super::engine::{Engine, Entry};
use super::global_pointer;
use super::granted::Facts;
use super::listing::{Kind, Listing};
use super::path::Stop;
use super::structure::Structure;
use super::subject::Subject;
use super::watch::Trying;
use super::work::Work;
use super::{Beginning, Bound, Effort, Obstacle};
use crate::machine::Machine;
use crate::value::Value;

/// A program of at most so many blocks is executed again, with so many times the work.
const SMALL: u64 = 1000;
const REFINING: u64 = 20;

/// A path on which so much work was done at most is short.
const SHORT: u64 = 8192;
/// So many times the work of a path on numbers is enough for the same path on sets.
const STEPS: u64 = 64;

/// So many obstacles are few; what is more rarely goes away with states kept apart, and gets so
/// much less of the effort.
const FEW: usize = 4;
const MANY: u64 = 4;

/// The parts of the effort, and those that are left for what stands in the way, where nothing else
/// has led to anything.
const PARTS: u64 = 128;
const LISTING: u64 = 3;
/// So many of these parts are for an execution that sums loops up, before others are tried.
const EARLY: u64 = 51;
/// So many are for one that knows less of what functions touch and of how often loops iterate.
const ROUGH: u64 = 9;
/// So many of these parts, if they are left, are for an execution without sums.
const COUNTING: u64 = 80;
/// The part of the effort for an execution with more states kept apart, and so many blocks at least
/// where they are left.
const APART: u64 = 64;
const LEAST: u64 = 16_384;
/// The states that are kept apart then.
const STATES: [usize; 3] = [16, 256, 4096];

/// The subject of several executions, with what they take for granted.
pub(super) struct Attempts<'a, M> {
    pub(super) subject: Subject<'a, M>,
    pub(super) entry: u64,
    /// The contents of memory there, as far as they are known.
    pub(super) before: Option<&'a Before>,
    /// The dual multiplier of each total: the price of an iteration.
    pub(super) multipliers: &'a [i64],
    pub(super) trying: Trying<'a>,
}

/// The result of an execution.
struct Done {
    bound: Bound,
    /// True if it came to its end.
    is_whole: bool,
    /// True if nothing stands in the way, as far as it came, but that it came no further.
    is_open: bool,
}

impl Done {
    /// Returns whether facts are wrong: no other execution gives a bound from them.
    fn refutes_facts(&self) -> bool {
        !self.bound.grounds.contradictions.is_empty()
    }
}

impl<M: Machine> Attempts<'_, M> {
    /// Returns the best of all executions.
    pub(super) fn best(&self) -> Bound {
        let found = self.executed();
        if found.time.is_none() {
            return self.by_facts(found);
        }
        // Calls that were executed one within the other are as many as their depth allows.
        let times = found.times();
        let is_more = |(entry, most): (&u64, &u64)| times.get(entry).is_some_and(|all| all > most);
        let counts_more = found.time.is_some() && self.subject.facts.calls.iter().any(is_more);
        if !counts_more || self.is_stopped() {
            return found;
        }
        let effort = self.trying.effort;
        let most = self.parts(ROUGH).min(effort.blocks.saturating_sub(found.blocks).max(1));
        let summed = self.limited(effort, most, Kind::Rough).bound;
        let blocks = found.blocks + summed.blocks;
        // A rough sum holds as well, but it may be the longer one.
        let is_less = summed.time.is_some_and(|time| Some(time) < found.time);
        Bound { blocks, ..if is_less { summed } else { found } }
    }

    /// Returns the bound that facts alone give where executions found none, or what they would have
    /// to say for one.
    ///
    /// Where an execution stands against a fact, or knows of flow that no fact tells, they are not
    /// asked, nor where it asks how many calls there are in all: what depths allow is much more.
    fn by_facts(&self, found: Bound) -> Bound {
        let facts = self.subject.facts;
        if !found.grounds.contradictions.is_empty() || self.is_stopped() || facts.kernel.is_some() {
            return found;
        }
        // Such facts give numbers, or are about stores, which do not matter where nothing is
        // executed. Others tell of flow, of which an execution may know more than facts do.
        let by_number = |obstacle: &Obstacle| {
            let kinds = ["loops.", "recursion.", "tables."];
            kinds.iter().any(|kind| obstacle.fact.starts_with(kind))
        };
        let is_open = |one: &Obstacle| one.fact.is_empty() && found.is_cut_short;
        let known = found.obstacles.iter().all(|one| by_number(one) || is_open(one));
        if !known {
            return found;
        }
        let mut alone = Structure::bound(self.subject, self.entry);
        if alone.time.is_some() {
            alone.grounds.facts_used.extend(&found.grounds.facts_used);
            alone.grounds.assumptions.extend(found.grounds.assumptions);
            return Bound { blocks: found.blocks, ..alone };
        }
        if !found.is_cut_short || alone.obstacles.is_empty() {
            return found;
        }
        // The execution misses less than is missed without it.
        let told = found.obstacles.iter().filter(|one| !one.fact.is_empty()).cloned();
        let told: Vec<Obstacle> = told.collect();
        let obstacles = if told.is_empty() { alone.obstacles } else { told };
        Bound { obstacles, ..found }
    }

    /// Returns the first good one of the executions that there are.
    ///
    /// Where much is known a path is often a single one, and counted sooner than its loops are
    /// summed up: that is tried first where memory is known, and last where it is not.
    fn executed(&self) -> Bound {
        let effort = self.trying.effort;
        let share = |number: u64| Effort { blocks: self.parts(number), ..effort };
        let counts = effort.iterations > 0;
        let is_counted = counts && (self.subject.facts.as_loaded || self.before.is_some());
        let mut blocks = 0;
        if is_counted {
            let (followed, work) = self.followed(share(COUNTING));
            blocks = work;
            let followed = followed.filter(|bound| bound.time.is_some());
            if work > SHORT
                && let Some(bound) = followed
            {
                return bound;
            }
            // Of a short path each step is shown, if that takes no longer than such a path does.
            let most = if followed.is_some() { LEAST.max(STEPS * work) } else { u64::MAX };
            let left = self.parts(COUNTING).saturating_sub(blocks).min(most).max(1);
            let counted = self.one(Effort { blocks: left, ..effort }, Kind::Count);
            blocks += counted.bound.blocks;
            if counted.refutes_facts() {
                return counted.bound;
            }
            // Both are bounds of the same path. The count on sets shows each step, so it is taken
            // unless it is the longer one.
            let is_shorter =
                |bound: &Bound| counted.bound.time.is_none_or(|time| bound.time < Some(time));
            if let Some(bound) = followed.filter(is_shorter) {
                return bound;
            }
            if counted.bound.time.is_some() {
                return self.refined(counted.bound, &mut blocks);
            }
        }
        let left = self.parts(PARTS - LISTING).saturating_sub(blocks);
        let (most, others) = match counts && !is_counted {
            // What is called 2^n times is soon seen to have no end, and is not counted.
            true if self.calls_itself_often() => (self.parts(ROUGH), &[(Kind::Rough, EARLY)][..]),
            true => (self.parts(EARLY), &[(Kind::Rough, ROUGH), (Kind::Count, COUNTING)][..]),
            false => (left.saturating_sub(self.parts(ROUGH)), &[(Kind::Rough, ROUGH)][..]),
        };
        let mut first = self.limited(share(PARTS - LISTING), most, Kind::Bound);
        blocks += first.bound.blocks;
        if first.refutes_facts() {
            return Bound { blocks, ..first.bound };
        }
        if first.is_open
            && let Some(bound) = self.otherwise(others, &mut blocks)
        {
            return bound;
        }
        if first.is_open && !self.is_stopped() {
            // What was executed until then is not all that there is: what is further on is looked
            // at as well.
            first = self.one(share(LISTING), Kind::Obstacles);
            blocks += first.bound.blocks;
        }
        let mut best = match first.bound.time {
            Some(_) => self.refined(first.bound, &mut blocks),
            None if first.is_whole => self.apart(first.bound, &mut blocks),
            None => first.bound,
        };
        if counts && !is_counted {
            best = self.on_numbers(best, &mut blocks);
        }
        best.blocks = blocks;
        best
    }

    /// Follows the only path on numbers where nothing but loops is in the way: floating-point
    /// numbers may end these, of which the other executions know nothing.
    fn on_numbers(&self, best: Bound, blocks: &mut u64) -> Bound {
        let all_loops = best.obstacles.iter().all(|one| one.fact.starts_with("loops."));
        let is_kernel = self.subject.facts.kernel.is_some();
        if best.time.is_some() || !all_loops || is_kernel || self.is_stopped() {
            return best;
        }
        // This is a last try, and lost where the path is not the only one, so it gets little.
        let left = self.trying.effort.blocks.saturating_sub(*blocks).clamp(1, LEAST);
        let (followed, work) = self.followed(Effort { blocks: left, ..self.trying.effort });
        *blocks += work;
        followed.filter(|bound| bound.time.is_some()).unwrap_or(best)
    }

    /// Returns the bound of the only path, if there is but one, and the work that this took.
    fn followed(&self, effort: Effort) -> (Option<Bound>, u64) {
        let code = Code::new(self.subject.facts.flows(self.subject.setting));
        let work = Work::new(Trying { effort, ..self.trying }, 0);
        self.with_engine((work, code), |mut engine, beginning| {
            let path = engine.follow(beginning);
            let blocks = engine.work.done();
            let bound = path.map(|(path, refuted)| {
                let mut bound = engine.conclude(vec![path]);
                // The count does not rest on these facts, but whoever wrote them must know.
                bound.grounds.contradictions.extend(refuted);
                bound
            });
            (bound, blocks)
        })
    }

    /// Returns whether a function may call itself more than once in a call, that a fact says of how
    /// deep.
    fn calls_itself_often(&self) -> bool {
        let mut code = Code::new(self.subject.facts.flows(self.subject.setting));
        let program = self.subject.setting.program();
        let Facts { recursion, calls, .. } = self.subject.facts;
        recursion.keys().chain(calls.keys()).any(|&entry| {
            let function = code.function(program, entry).ok();
            function.is_some_and(|(function, _)| function.calls_often(entry))
        })
    }

    /// So many parts of the effort.
    fn parts(&self, number: u64) -> u64 {
        // At least one block, so that even the least effort says what stands in the way.
        (self.trying.effort.blocks / PARTS * number).max(1)
    }

    /// Returns the first bound of executions of other kinds, for so many parts of the effort each,
    /// as long as there is any left.
    fn otherwise(&self, kinds: &[(Kind, u64)], blocks: &mut u64) -> Option<Bound> {
        for &(kind, most) in kinds.iter().filter(|_| !self.is_stopped()) {
            let left = self.parts(PARTS - LISTING).saturating_sub(*blocks);
            let effort = Effort { blocks: self.parts(PARTS - LISTING), ..self.trying.effort };
            let found = self.limited(effort, left.min(self.parts(most)), kind).bound;
            *blocks += found.blocks;
            if found.time.is_some() {
                return Some(Bound { blocks: *blocks, ..found });
            }
        }
        None
    }

    /// With states kept apart, which finds the end of single loops, and rarely that of many.
    fn apart(&self, mut best: Bound, blocks: &mut u64) -> Bound {
        let effort = self.trying.effort;
        let part = (effort.blocks / APART).max(LEAST);
        let most = match best.obstacles.len() > FEW {
            true => (part / MANY).min(*blocks * REFINING),
            false => part,
        };
        for states in STATES.into_iter().filter(|&states| states > effort.states) {
            if best.obstacles.is_empty() || self.is_stopped() {
                break;
            }
            let left = effort.blocks.saturating_sub(*blocks).max(1);
            let again = self.one(Effort { states, blocks: most.min(left), ..effort }, Kind::Bound);
            *blocks += again.bound.blocks;
            // With more states there is more to do, so the next attempt would not end either.
            if !again.is_whole {
                break;
            }
            if again.bound.obstacles.len() < best.obstacles.len() {
                best = again.bound;
            }
        }
        best
    }

    /// Small programs are executed again with states kept apart, which excludes more paths: the
    /// lesser bound counts.
    fn refined(&self, first: Bound, blocks: &mut u64) -> Bound {
        let effort = self.trying.effort;
        if *blocks > SMALL || effort.states > 1 {
            return first;
        }
        let again =
            Effort { states: STATES[0], blocks: effort.blocks.min(*blocks * REFINING), ..effort };
        let again = self.one(again, Kind::Bound).bound;
        *blocks += again.blocks;
        let lesser = again.time.is_some_and(|time| first.time.is_some_and(|before| time < before));
        if lesser { again } else { first }
    }

    fn is_stopped(&self) -> bool {
        self.trying.watch.is_some_and(|watch| watch.is_stopped())
    }

    /// Executes once, with all of an effort.
    fn one(&self, effort: Effort, kind: Kind) -> Done {
        self.limited(effort, effort.blocks, kind)
    }

    /// Executes once, from the beginning again where a computed jump leads somewhere new, and
    /// grants no more than so many blocks of an effort.
    fn limited(&self, effort: Effort, most: u64, kind: Kind) -> Done {
        let flows = self.subject.facts.flows(self.subject.setting);
        let (mut code, mut done) = (Code::new(flows), 0);
        loop {
            // Work before new targets counts, or programs with many of them would never use up the
            // effort.
            let work = Work::new(Trying { effort, ..self.trying }, done);
            let ended = self.with_engine((work, code), |mut engine, beginning| {
                engine.listing = Listing::new(kind);
                engine.work.leave(most.saturating_sub(done));
                match engine.begin(beginning) {
                    Ok(paths) => {
                        let bound = engine.conclude(paths);
                        Ok(Done { bound, is_whole: true, is_open: false })
                    }
                    Err(Stop::Exhausted) => {
                        // Asked before `exhausted`, which adds an obstacle itself.
                        let is_open = engine.is_clear();
                        Ok(Done { bound: engine.exhausted(self.entry), is_whole: false, is_open })
                    }
                    // Where no function could be executed again for itself.
                    Err(Stop::NewTargets(jump, targets)) => {
                        let done = engine.work.done();
                        engine.code.begin_again(jump, targets);
                        Err((engine.code, done))
                    }
                }
            });
            match ended {
                Ok(found) => return found,
                Err(again) => (code, done) = again,
            }
        }
    }

    /// Does something with an engine at the entry.
    fn with_engine<T>(
        &self,
        (work, code): (Work<'_>, Code),
        execute: impl FnOnce(Engine<'_, M, Called>, &Beginning<'_>) -> T,
    ) -> T {
        let Self { subject, entry, before, .. } = *self;
        let held = global_pointer::with(&subject.facts.entry, subject.setting.program(), entry);
        let registers: Vec<_> =
            held.iter().map(|held| (held.register, Value::number(held.range))).collect();
        let beginning = Beginning { at: entry, registers: &registers, memory: &[], resumed: false };
        let mut engine = Engine::<M, Called>::new(subject, work, code);
        engine.multipliers = self.multipliers;
        engine.entry = Entry { at: entry, held: &held, before };
        execute(engine, &beginning)
    }
}
