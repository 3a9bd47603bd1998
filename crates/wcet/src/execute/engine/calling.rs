//! Calls: whether they may be made, and what is executed for them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::guessing::DEEP;
use super::mode::Mode;
use super::{Engine, Missing};
use crate::execute::granted::{Facts, Used};
use crate::execute::path::{Frame, Path, Stop};
use crate::execute::tally::marks_of_call;
use crate::flow::Function;
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use fusee_isa::DecodeError;
use fusee_isa::language::Effect;

/// A function that calls itself, and no end of it is in sight.
const RECURSION: &str = "no bound was found for how deep this function calls itself";

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    /// Executes a function for all paths at once; gives the paths behind its return.
    pub(super) fn call(
        &mut self,
        entry: u64,
        paths: Vec<Path<M::Timing>>,
        return_address: Value,
    ) -> Result<Vec<Path<M::Timing>>, Stop> {
        // A fact that nobody calls the function wins over a time that is stated of it.
        if let Some(never) = self.cut_off(entry) {
            return Ok(if never { Vec::new() } else { self.behind(paths) });
        }
        // The entry is executed in any case: what is stated of it is for its callers.
        if !self.calls.is_empty()
            && let Some(behind) = self.instead_of_call(entry, &paths)
        {
            return Ok(behind);
        }
        let mut paths = paths;
        if let Some(guessed) = self.guessed(entry, &mut paths) {
            return Ok(guessed);
        }
        if let Some(behind) = self.summarized(entry, &paths, return_address)? {
            return Ok(behind);
        }
        let inner = marks_of_call(self.subject.facts, entry);
        if inner == 0 {
            return self.enter(entry, paths, return_address);
        }
        // Marks of this function's exclusions belong to one call of it. Those of a call around are
        // put aside here and come back behind this one.
        let mut groups: BTreeMap<u64, Vec<Path<M::Timing>>> = BTreeMap::new();
        for mut path in paths {
            let outside = path.tally.marks & inner;
            path.tally.marks &= !inner;
            groups.entry(outside).or_default().push(path);
        }
        let mut returned = Vec::new();
        for (outside, group) in groups {
            for mut path in self.enter(entry, group, return_address)? {
                path.tally.marks = path.tally.marks & !inner | outside;
                returned.push(path);
            }
        }
        Ok(returned)
    }

    /// Returns what follows calls of which nothing is known but the calling conventions. There is
    /// no bound any more, and what else stands in the way is found.
    pub(super) fn behind(&mut self, mut paths: Vec<Path<M::Timing>>) -> Vec<Path<M::Timing>> {
        // A kernel is executed again until its memory settles, and needs no list of obstacles
        // before.
        if !K::GUESSES {
            return Vec::new();
        }
        self.findings.is_guessing = true;
        paths.iter_mut().for_each(|path| self.behind_convention(&mut path.state));
        paths
    }

    /// Forgets the registers that calls may change.
    pub(super) fn behind_convention(&self, state: &mut State) {
        for target in self.subject.setting.architecture().changed_by_calls() {
            state.apply(&Effect::Unknown { target }, self.subject.setting);
        }
    }

    /// Returns whether a call is not followed; then, whether it never comes back, because of a
    /// fact.
    fn cut_off(&mut self, entry: u64) -> Option<bool> {
        if self.subject.facts.unreachable.contains(&entry) {
            self.findings.rest_on(Used::Unreachable(entry));
            return Some(true);
        }
        let active = self.calls.iter().filter(|&&call| call == entry).count();
        if active > 0 {
            let most = self.findings.recursions.entry(entry).or_default();
            // This call is not yet among the active ones.
            *most = (active as u64 + 1).max(*most);
        }
        match self.depth_limit(entry) {
            Some((most, fact)) if active as u64 >= most => {
                // The fact says that there is no deeper call, so the path ends.
                self.findings.rest_on(fact);
                return Some(true);
            }
            // To give up here refuses a bound, and never makes one too low.
            None if active > 0 && self.has_no_end(entry, active) => {
                self.endless(entry);
                return Some(false);
            }
            _ => {}
        }
        // Each level takes some of the host's stack, which has a fixed size.
        if self.calls.len() < self.work.effort.depth {
            return None;
        }
        // A function that calls itself is the likely cause, and a fact can bound its depth. No fact
        // helps against a deep nest of other calls.
        match self.recursive() {
            Some((function, _)) if self.depth_limit(function).is_none() => self.endless(function),
            _ => {
                self.findings.is_cut_short = true;
                let what = format!("calls are nested more than {} deep", self.work.effort.depth);
                self.obstacle(entry, what, Missing::Nothing);
            }
        }
        Some(false)
    }

    /// Returns how often a function can be under way, and the fact that says so: it is no more
    /// often than it is called.
    pub(super) fn depth_limit(&self, entry: u64) -> Option<(u64, Used)> {
        let Facts { recursion, calls, .. } = self.subject.facts;
        let deep = recursion.get(&entry).map(|&most| (most, Used::Recursion(entry)));
        let often = calls.get(&entry).map(|&most| (most, Used::Calls(entry)));
        // Both facts hold, so the smaller number is enough.
        deep.into_iter().chain(often).min_by_key(|&(most, _)| most)
    }

    /// Returns whether no end is in sight of how deep a function calls itself that is under way so
    /// often.
    fn has_no_end(&self, entry: u64, active: usize) -> bool {
        // With other arguments the function may end, so a few calls are followed each time.
        let known = active >= DEEP && self.findings.endless.contains(&entry);
        known || self.is_lost_in(entry) || self.recurs_long(entry, active)
    }

    /// Names the obstacle that a function is which calls itself without an end.
    fn endless(&mut self, function: u64) {
        self.findings.endless.insert(function);
        self.obstacle(function, RECURSION, Missing::Recursion);
    }

    /// Returns whether a loop was given up in a function that is active since this one was first
    /// called: then no number tells how deep it calls itself.
    fn is_lost_in(&self, entry: u64) -> bool {
        let since = self.calls.iter().skip_while(|&&call| call != entry);
        let functions = || since.clone().filter_map(|&call| self.code.get(call));
        self.findings
            .given_up
            .iter()
            .any(|&header| functions().any(|function| function.block_at(header).is_some()))
    }

    pub(super) fn enter(
        &mut self,
        entry: u64,
        mut paths: Vec<Path<M::Timing>>,
        return_address: Value,
    ) -> Result<Vec<Path<M::Timing>>, Stop> {
        let mut is_first = true;
        loop {
            let function = match self.function(entry) {
                Ok(function) => function,
                Err(error) => {
                    self.obstacle(entry, error.to_string(), Missing::Nothing);
                    return Ok(self.behind(paths));
                }
            };
            // The paths that begin again below have got their totals for this call already.
            if std::mem::take(&mut is_first) {
                let facts = self.subject.facts;
                paths.iter_mut().for_each(|path| path.tally.enter(facts, &function));
            }
            // Only a computed jump can bring new blocks, so other functions need no copy of their
            // paths.
            let again =
                (function.jumps_anywhere() && K::TAKES_BACK).then(|| (paths.clone(), self.notes()));
            match (self.through(&function, paths, return_address), again) {
                (Err(Stop::NewTargets(at, targets)), Some((begin, notes)))
                    // If a function around has the jump as well, it was cut without these targets,
                    // too: then that one begins again, and this one with it.
                    if self.is_first_with(&function, at) =>
                {
                    // The function had blocks missing: what was found in it so far may be wrong.
                    self.take_back(notes);
                    self.code.learn(at, targets);
                    // Summaries may be of functions that have this jump.
                    self.summaries.forget();
                    self.depths.forget();
                    paths = begin;
                }
                (done, _) => return done,
            }
        }
    }

    /// Executes a function as far as its flow is known.
    fn through(
        &mut self,
        function: &Rc<Function>,
        paths: Vec<Path<M::Timing>>,
        return_address: Value,
    ) -> Result<Vec<Path<M::Timing>>, Stop> {
        let since = self.begins(function.entry);
        let depths = (self.calls.len(), self.loops.depth());
        self.calls.push(function.entry);
        self.return_addresses.push(return_address);
        let mut frame = Frame::new(function.clone(), paths, return_address);
        let done = self.nodes(&mut frame, &function.nest);
        // Whoever catches this stop goes on, and needs the calls as they were. When effort runs out
        // they stay: the message names the call in which that was.
        if matches!(done, Err(Stop::NewTargets(..))) {
            self.cut_calls(depths.0);
            self.loops.come_back_to(depths.1);
        }
        done?;
        // Paths that unwound to this call are found by the number of calls around it, so its own
        // entry must be gone first.
        self.cut_calls(depths.0);
        self.take_unwound(&mut frame);
        self.came_back(function.entry, since, &frame.returned);
        Ok(frame.returned)
    }

    /// Returns whether a jump is in this function, and in none of those that are under way around
    /// it.
    fn is_first_with(&self, function: &Function, jump: u64) -> bool {
        let mut around = self.calls.iter().filter_map(|&call| self.code.get(call));
        function.holds(jump) && !around.any(|function| function.holds(jump))
    }

    pub(super) fn function(&mut self, entry: u64) -> Result<Rc<Function>, DecodeError> {
        let (function, decoded) = self.code.function(self.subject.setting.program(), entry)?;
        // To decode is work, too, and what is decoded takes memory.
        self.work.spend(decoded);
        Ok(function)
    }
}
