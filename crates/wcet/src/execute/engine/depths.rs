//! Functions that call themselves, executed once for each depth.
//!
//! A function that calls itself twice in each call is called 2^n times within n
//! calls of itself, and most of these calls are alike: how deep they are decides
//! how many follow, and numbers decide little else. So the first call at a depth
//! is executed for itself (`self_contained` says why that is sound), and what it comes to
//! stands for the others that are entered at the same depth with nothing else.
//! Where one is entered with more, the function is executed again with what both
//! were entered with: after a few times, with anything. So that this is rare, it is
//! found out first what calls one deeper are entered with, all of them together.
//!
//! Where a fact says how many calls there are in all, each takes its own time alone,
//! and the first one the longest of these times for every call: where that one cannot
//! be summed up, each takes the time of those within it as well.
//!
//! How deep a call is, is how often each function is under way that a fact says of
//! how often it can be: nothing else that is not in its inputs decides where calls
//! of one function end.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Engine;
use super::mode::Mode;
use super::summary::LONGEST;
use crate::execute::depth::{Depth, Tried, joined};
use crate::execute::granted::{Facts, Used};
use crate::execute::path::{Path, Stop};
use crate::execute::summaries::{Inputs, Summary, allows, calls_of, read_by};
use crate::execute::ways::{condensed, repeated};
use crate::flow::Function;
use crate::machine::Machine;
use crate::state::State;
use fusee_isa::riscv;

/// The part of the effort for what a function comes to at all depths.
const PART: u64 = 4;
/// The most blocks of an execution that finds out what a function is called with one deeper.
const SCOUTING: u64 = 16_384;
/// So often inputs are joined; after that nothing is known of numbers that differ.
const JOINED: u64 = 3;
/// So often a function is executed for one depth.
const TRIALS: u64 = 5;
/// Functions that are called while one calls itself.
const CALLED: usize = 64;

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// The paths behind a call of a function that calls itself, if what it comes to at this depth
    /// tells them.
    pub(super) fn at_depth(
        &mut self,
        entry: u64,
        path: &Path<M::Timing>,
    ) -> Result<Option<Vec<Path<M::Timing>>>, Stop> {
        let Some(read) = self.read_within_itself(entry) else { return Ok(None) };
        let (depth, inputs) = (self.depth(entry), path.state.inputs(read));
        // A scout asks only what calls are entered with, so it takes them to do anything.
        if self.depths.is_scouting {
            self.depths.expect(&depth, &inputs);
            return Ok(Some(vec![self.behind_anything(path)]));
        }
        let tried = self.depths.tried(&depth);
        let is_for = |known: &&Rc<Summary<M::Timing>>| {
            allows(&known.inputs, &inputs)
                && self.subject.machine.includes(&known.timing, &path.timing)
        };
        let summary = match tried.known.as_ref().filter(is_for) {
            Some(known) => Some(known.clone()),
            None => self.execute_at(&depth, (inputs, tried), path)?,
        };
        let behind = match summary {
            Some(summary) => self.behind_call(&summary, path)?,
            None => None,
        };
        // There is no end of 2^n calls.
        match behind.is_none() && self.function(entry).is_ok_and(|one| one.calls_often(entry)) {
            true => Err(Stop::Exhausted),
            false => Ok(behind),
        }
    }

    /// Executes a function for a depth, and for what it was executed for before.
    fn execute_at(
        &mut self,
        depth: &Depth,
        (mut inputs, tried): (Inputs, Tried<M::Timing>),
        path: &Path<M::Timing>,
    ) -> Result<Option<Rc<Summary<M::Timing>>>, Stop> {
        let mut begin = path.clone();
        if let Some(known) = &tried.known {
            // The new result takes the place of the old one, so it must hold for those calls, too.
            self.subject.machine.join(&mut begin.timing, &known.timing, 0);
        }
        if tried.times + 1 >= TRIALS {
            // The last time, so that it covers all others.
            let anything = self.subject.machine.at_entry();
            self.subject.machine.join(&mut begin.timing, &anything, 0);
            self.subject.machine.simplify(&mut begin.timing);
        }
        if let Some(expected) = &tried.expected {
            let Some(wider) = self.wider(expected, &inputs, tried.times) else { return Ok(None) };
            inputs = wider;
        }
        if tried.times >= TRIALS {
            return Ok(None);
        }
        // Noted before the execution, because a failed one counts as a try as well.
        self.depths.try_with(depth, &inputs);
        let calls = self.subject.facts.calls.get(&depth.entry).copied();
        // The first call stands for the time of all, so calls within it must not add theirs.
        let is_counted = calls.is_some() && depth.is_first();
        if is_counted {
            self.depths.counted.insert(depth.entry);
        }
        let summary = self.scout_and_execute(depth.entry, inputs, &begin);
        // Also where the execution failed: calls elsewhere count by themselves again.
        if is_counted {
            self.depths.counted.remove(&depth.entry);
        }
        let Some(mut summary) = summary? else { return Ok(None) };
        // Before calls are counted, so that the way that is repeated there is a short one.
        condense(&mut summary);
        if let Some(calls) = calls.filter(|_| is_counted || depth.is_counted())
            && !self.count_calls(&mut summary, depth, calls)
        {
            return Ok(None);
        }
        summary.number = self.summaries.count();
        let summary = Rc::new(summary);
        self.depths.keep(depth, summary.clone());
        Ok(Some(summary))
    }

    /// The paths behind a call of which a summary tells what it comes to, if their times are
    /// numbers.
    fn behind_call(
        &mut self,
        summary: &Summary<M::Timing>,
        path: &Path<M::Timing>,
    ) -> Result<Option<Vec<Path<M::Timing>>>, Stop> {
        let behind = self.behind_summary(summary, path)?;
        // Sums of times beyond this may not fit into a number, so no bound is made of them.
        match behind.iter().flatten().all(|path| path.time < LONGEST) {
            true => Ok(behind),
            false => Err(Stop::Exhausted),
        }
    }

    /// Lets the first call take the time of all, where a fact says how many there are: what was
    /// found is the time of one call without those within it, which take none. Says whether that
    /// is a time.
    fn count_calls(&mut self, summary: &mut Summary<M::Timing>, depth: &Depth, calls: u64) -> bool {
        let longest = summary.ends.iter().max_by_key(|end| end.time);
        let own = longest.map(|end| (end.time, end.way.clone())).unwrap_or_default();
        // A call at another depth may take longer, and the first call answers for all of them.
        let (time, way) = self.depths.longest_call(depth.entry, own);
        let all = if depth.is_first() { calls } else { 0 };
        let Some(time) = time.checked_mul(all).filter(|&time| time < LONGEST) else { return false };
        for end in &mut summary.ends {
            (end.time, end.way) = (time, repeated(&way, all));
        }
        if depth.is_first() {
            Rc::make_mut(&mut summary.findings).rest_on(Used::Calls(depth.entry));
        }
        true
    }

    /// Finds out what a function is called with one deeper, of which nothing counts, and then what
    /// it comes to.
    fn scout_and_execute(
        &mut self,
        entry: u64,
        inputs: Inputs,
        begin: &Path<M::Timing>,
    ) -> Result<Option<Summary<M::Timing>>, Stop> {
        self.depths.is_scouting = true;
        // If the scout comes to nothing, that is no loss: the execution below finds it out by
        // itself.
        let scouted = self.execute_alone(entry, inputs.clone(), begin, SCOUTING);
        // Before an error goes on, so that nobody else scouts.
        self.depths.is_scouting = false;
        scouted?;
        self.execute_alone(entry, inputs, begin, self.work.effort.blocks / PART)
    }

    /// A path behind a call that may have stored anywhere.
    fn behind_anything(&self, path: &Path<M::Timing>) -> Path<M::Timing> {
        let mut behind = path.clone();
        behind.state.store_anywhere(self.subject.setting);
        self.behind_convention(&mut behind.state);
        behind
    }

    /// Returns how deep a function is called.
    fn depth(&self, entry: u64) -> Depth {
        let times = |one: u64| self.calls.iter().filter(|&&call| call == one).count();
        let Facts { recursion, calls, .. } = self.subject.facts;
        let limited = recursion.keys().chain(calls.keys());
        let others = limited.map(|&one| times(one)).collect();
        Depth { entry, within: times(entry), others, counted: self.depths.counted.clone() }
    }

    /// Inputs that allow those of two calls; nothing where addresses in the stack differ.
    fn wider(&self, known: &Inputs, inputs: &Inputs, times: u64) -> Option<Inputs> {
        let both = joined(known, inputs)?;
        if times < JOINED {
            return Some(both);
        }
        let any = State::any_inputs(&both, riscv::GP, self.subject.setting);
        // What still differs would be joined anew for each depth, so it is taken for anything.
        let one = |((known, both), any)| if known == both { both } else { any };
        Some(known.iter().copied().zip(both).zip(any).map(one).collect())
    }

    /// The registers on which it may depend what a function does that calls itself, if it is told
    /// what it calls.
    fn read_within_itself(&mut self, entry: u64) -> Option<u128> {
        if let Some(&known) = self.depths.read.get(&entry) {
            return known;
        }
        let read = self.find_read_within_itself(entry);
        self.depths.read.insert(entry, read);
        read
    }

    fn find_read_within_itself(&mut self, entry: u64) -> Option<u128> {
        let (mut functions, mut open) = (BTreeMap::new(), BTreeSet::from([entry]));
        while let Some(called) = open.pop_first() {
            let function = self.function(called).ok()?;
            // Stores may go anywhere here, as they are watched when they are executed.
            let calls = calls_of(&function, None)?;
            functions.insert(called, function);
            open.extend(calls.into_iter().filter(|call| !functions.contains_key(call)));
            if functions.len() > CALLED {
                return None;
            }
        }
        // Functions that call each other are found all together: none can be settled alone.
        let read = settled(&functions);
        Some(self.may_matter(read.get(&entry).copied()?))
    }
}

/// Returns the registers that functions read before they change them, which call each other.
fn settled(functions: &BTreeMap<u64, Rc<Function>>) -> BTreeMap<u64, u128> {
    // From no register on, so that a circle of calls adds only what some function reads.
    let mut read: BTreeMap<u64, u128> = BTreeMap::new();
    loop {
        let of = |call: u64| read.get(&call).copied().unwrap_or(0);
        let now = functions.iter().map(|(&entry, function)| (entry, read_by(function, &of)));
        let now: BTreeMap<u64, u128> = now.collect();
        if now == read {
            return read;
        }
        read = now;
    }
}

/// Each block once on a way: what is called twice at every depth would be there 2^n times.
fn condense<T>(summary: &mut Summary<T>) {
    for end in &mut summary.ends {
        end.way = condensed(&end.way);
    }
}
