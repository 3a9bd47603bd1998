//! Calls: whether they may be made, and what is executed for them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::engine::{Engine, Frame, Path, Settled, Stop};
use super::granted::Used;
use crate::flow::Function;
use crate::language::Effect;
use crate::machine::Machine;
use crate::value::Value;

/// A function that calls itself, and no end of it is in sight.
const RECURSION: &str = "no bound was found for how deep this function calls itself";

impl<M: Machine> Engine<'_, M> {
    /// Executes a function for all paths at once; gives the paths behind its return.
    pub(super) fn call(
        &mut self,
        entry: u64,
        paths: Vec<Path<M::Timing>>,
        way_back: Value,
    ) -> Result<Vec<Path<M::Timing>>, Stop> {
        if let Some(never) = self.cut_off(entry) {
            return Ok(if never { Vec::new() } else { self.behind(paths) });
        }
        let inner = self.marks_of_call(entry);
        if inner == 0 {
            return self.enter(entry, paths, way_back);
        }
        let mut groups: BTreeMap<u64, Vec<Path<M::Timing>>> = BTreeMap::new();
        for mut path in paths {
            let outside = path.tally.marks & inner;
            path.tally.marks &= !inner;
            groups.entry(outside).or_default().push(path);
        }
        let mut returned = Vec::new();
        for (outside, group) in groups {
            for mut path in self.enter(entry, group, way_back)? {
                path.tally.marks = path.tally.marks & !inner | outside;
                returned.push(path);
            }
        }
        Ok(returned)
    }

    /// What follows calls of which nothing is known but the calling conventions. There is no bound any more, and what
    /// else stands in the way is found.
    pub(super) fn behind(&mut self, mut paths: Vec<Path<M::Timing>>) -> Vec<Path<M::Timing>> {
        if self.is_kernel() {
            return Vec::new();
        }
        self.is_guessing = true;
        for path in &mut paths {
            for target in self.program.architecture().changed_by_calls() {
                path.state.apply(&Effect::Unknown { target }, self.program);
            }
        }
        paths
    }

    /// Whether a call is not followed; then, whether it never comes back, because of a fact.
    fn cut_off(&mut self, entry: u64) -> Option<bool> {
        if self.facts.unreachable.contains(&entry) {
            self.facts_used.insert(Used::Unreachable(entry));
            return Some(true);
        }
        let active = self.calls.iter().filter(|&&call| call == entry).count();
        if active > 0 {
            let most = self.recursions.entry(entry).or_default();
            *most = (active as u64 + 1).max(*most);
        }
        match self.facts.recursion.get(&entry) {
            Some(&most) if active as u64 >= most => {
                self.facts_used.insert(Used::Recursion(entry));
                return Some(true);
            }
            None if active > 0 && (self.endless.contains_key(&entry) || self.is_lost_in(entry)) => {
                self.obstacle(entry, RECURSION, Settled::Recursion);
                return Some(false);
            }
            _ => {}
        }
        if self.calls.len() < self.effort.depth {
            return None;
        }
        match self.recursive() {
            Some((function, _)) => self.obstacle(function, RECURSION, Settled::Recursion),
            None => {
                self.obstacle(entry, format!("calls are nested more than {} deep", self.effort.depth), Settled::Nothing)
            }
        }
        Some(false)
    }

    /// Whether a loop was given up in a function that is active since this one was first called: then no number tells
    /// how deep it calls itself.
    fn is_lost_in(&self, entry: u64) -> bool {
        let since = self.calls.iter().skip_while(|&&call| call != entry);
        let functions = || since.clone().filter_map(|call| self.functions.get(call));
        self.given_up.iter().any(|&header| functions().any(|function| function.block_at(header).is_some()))
    }

    fn enter(
        &mut self,
        entry: u64,
        mut paths: Vec<Path<M::Timing>>,
        way_back: Value,
    ) -> Result<Vec<Path<M::Timing>>, Stop> {
        let function = match self.function(entry) {
            Ok(function) => function,
            Err(error) => {
                self.obstacle(entry, error.to_string(), Settled::Nothing);
                return Ok(self.behind(paths));
            }
        };
        self.grant_call(&function, &mut paths);
        self.calls.push(entry);
        let waiting = (0..function.blocks.len()).map(|_| Vec::new()).collect();
        let arrived = vec![0; function.blocks.len()];
        let mut frame = Frame { function: function.clone(), waiting, arrived, gone: 0, returned: Vec::new(), way_back };
        if let Some(start) = function.block_at(entry) {
            frame.waiting[start] = paths;
        }
        self.nodes(&mut frame, &function.nest)?;
        self.calls.pop();
        Ok(frame.returned)
    }

    fn function(&mut self, entry: u64) -> Result<Rc<Function>, crate::isa::DecodeError> {
        if let Some(function) = self.functions.get(&entry) {
            return Ok(function.clone());
        }
        let function = Function::find(self.program, entry, self.resolved)?;
        // To decode is work, too, and what is decoded takes memory.
        self.blocks += function.blocks.iter().map(|block| block.instructions.len() as u64).sum::<u64>();
        self.functions.insert(entry, function.clone());
        Ok(function)
    }
}
