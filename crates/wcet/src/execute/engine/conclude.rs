//! From paths that have ended to a bound, or to what stands in its way.

use std::collections::{BTreeMap, BTreeSet};

use super::mode::Mode;
use super::{Engine, Missing};
use crate::execute::path::Path;
use crate::execute::ways::{Visit, Way};
use crate::execute::{Bound, KernelRun, Obstacle};
use crate::flow::{Function, Loop};
use crate::machine::Machine;

/// The message where the effort is used up.
const NO_END: &str = "there is no end of what is done for this function";
const TOO_DEEP: &str = "there is no end of what calls of this function come to, as deep as a fact \
                        allows them: how many there are in all decides";
const REST: &str = "what else stands in the way was not looked for to the end";
/// The message about a loop that lasts the longer the deeper a function calls itself.
const IN_CALLS: &str = "how often this loop iterates is not told for each call of a function that \
                        calls itself";

impl<M: Machine, K: Mode> Engine<'_, M, K> {
    pub(in crate::execute) fn conclude(mut self, mut paths: Vec<Path<M::Timing>>) -> Bound {
        // A path that ends in a system call or a trap counts as one that returns.
        paths.append(&mut self.endings.paths);
        self.assume_held();
        self.assume_no_fault();
        // Only now have all entries of a loop been seen: one that a path leaves is enough for the
        // fact.
        self.findings.contradict_endless();
        self.admit_guesses();
        if paths.is_empty() && self.comes_to_no_end() {
            self.findings.admit_no_end();
        }
        // A store that may go anywhere matters only to what depends on it. Without other obstacles
        // nothing did.
        if !self.findings.obstacles.is_empty() {
            self.findings.obstacles.extend(self.stores_in_the_way());
        }
        let worst = paths.iter().max_by_key(|path| self.worth(path));
        let left =
            worst.and_then(|path| path.tally.left.clone()).map(Vec::from).unwrap_or_default();
        // Unused totals may make it longer than a number holds, or less than nothing.
        let time = |path: &Path<M::Timing>| self.worth(path).clamp(0, u64::MAX.into()) as u64;
        let returned = worst.map(|path| (time(path), path.way));
        let [ended, resumed] = self.mode.ended();
        // What begins at a look for interrupts is a time of its own. It is the bound only where no
        // path from the entry has ended.
        let worst =
            [returned, ended].into_iter().flatten().max_by_key(|&(time, _)| time).or(resumed);
        if worst.is_none() && self.findings.is_clear() {
            self.nothing_returns();
        }
        let bounded = self.findings.is_clear();
        let path = |(_, way): (u64, Way)| self.ways.list(way);
        let path = worst.filter(|_| bounded).map(path).unwrap_or_default();
        let resumed = resumed.filter(|_| bounded).map(|(time, _)| time);
        Bound {
            code: self.code(&path),
            time: worst.filter(|_| bounded).map(|(time, _)| time),
            stack_bytes: self.findings.lowest_stack.map(i64::unsigned_abs),
            path,
            left,
            obstacles: self.findings.obstacles.into_iter().collect(),
            grounds: self.findings.grounds,
            coverage: self.findings.coverage,
            blocks: self.work.done(),
            is_cut_short: self.findings.is_cut_short,
            kernel: KernelRun { resumed, ..self.mode.run() },
        }
    }

    /// Returns whether nothing comes back from the entry, where no path was seen to. Of a known
    /// kernel, a call may be the end.
    fn comes_to_no_end(&mut self) -> bool {
        let program = self.subject.setting.program();
        self.findings.has_no_end_but_loops()
            || self.subject.facts.kernel.is_none()
                && !self.code.may_come_back(program, self.entry.at)
    }

    /// Lists what registers are taken to hold at the entry, if reached instructions read them.
    fn assume_held(&mut self) {
        for held in self.entry.held {
            let blocks = self.code.blocks();
            let mut reached = blocks
                .filter(|block| self.findings.coverage.reached.contains_key(&block.address()));
            // An assumption about a register that nobody reads is none that the bound rests on.
            if reached.any(|block| block.instructions.iter().any(|one| one.reads(held.register))) {
                self.findings.assume(&held.why);
            }
        }
    }

    /// Lists where no fault is taken to happen.
    fn assume_no_fault(&mut self) {
        if let Some(assumed) = self.findings.grounds.of_faults(self.subject.setting.program()) {
            self.findings.assume(&assumed);
        }
    }

    /// The instructions of the blocks on a path.
    fn code(&self, path: &[Visit]) -> BTreeMap<u64, Vec<u64>> {
        let on_path: BTreeSet<u64> = path.iter().map(|visit| visit.block).collect();
        let blocks = self.code.blocks();
        let blocks = blocks.filter(|block| on_path.contains(&block.address()));
        blocks
            .map(|block| (block.address(), block.instructions.iter().map(|i| i.address).collect()))
            .collect()
    }

    /// No path came to its end: facts have cut off all of them, or there is none.
    fn nothing_returns(&mut self) {
        let why = "with this fact no path comes back from the entry";
        // Which of the facts is wrong cannot be told, so each of them is named.
        self.findings.grounds.contradictions =
            self.findings.grounds.facts_used.iter().map(|&fact| (fact, why.to_owned())).collect();
        if self.findings.grounds.facts_used.is_empty() {
            let address = self.entry.at;
            let symbol = self.subject.setting.describe(address);
            let what = "no path comes back from here".to_owned();
            self.findings.obstacles.insert(Obstacle { address, symbol, what, fact: String::new() });
        }
    }

    pub(super) fn obstacle(&mut self, address: u64, what: impl Into<String>, missing: Missing) {
        let symbol = self.subject.setting.describe(address);
        let fact = missing.fact(&symbol);
        let obstacle = Obstacle { address, symbol, what: what.into(), fact };
        // An obstacle of a trial may go away with it, so it is not shown yet.
        if self.loops.trials == 0 && self.summaries.alone.is_none() {
            self.work.show(&obstacle);
        }
        if self.findings.obstacles.is_empty() {
            self.leave_rest();
        }
        self.findings.obstacles.insert(obstacle);
    }

    /// Returns the function that is under way most often at once, if any is more than once.
    pub(super) fn recursive(&self) -> Option<(u64, u64)> {
        let mut active: BTreeMap<u64, u64> = BTreeMap::new();
        for &call in &self.calls {
            *active.entry(call).or_default() += 1;
        }
        active
            .into_iter()
            // Of several the address decides, so that every run names the same one.
            .max_by_key(|&(entry, active)| (active, entry))
            .filter(|&(_, active)| active > 1)
    }

    /// Says that so many blocks were no end, because of a function that calls itself, if there is
    /// one.
    pub(super) fn say_no_end(&mut self, (recursive, at): (Option<u64>, u64), blocks: u64) {
        let after = |end: &str| format!("after {blocks} blocks {end}");
        match recursive {
            Some(function) if self.depth_limit(function).is_some() => {
                self.suggest_loops_in_calls();
                let missing = match self.subject.facts.calls.contains_key(&function) {
                    true => Missing::Nothing,
                    false => Missing::Calls,
                };
                self.obstacle(function, after(TOO_DEEP), missing);
            }
            Some(function) => self.obstacle(function, after(NO_END), Missing::Recursion),
            None => self.obstacle(at, after(NO_END), Missing::Nothing),
        }
    }

    /// Names the loops of functions that call themselves of which no fact says how often they
    /// iterate: numbers tell less of them with every call.
    fn suggest_loops_in_calls(&mut self) {
        let mut open = Vec::new();
        for function in self.findings.recursions.keys().filter_map(|&call| self.code.get(call)) {
            let bounded = |looping: &Loop| self.subject.facts.bounds(function, looping).count() > 0;
            let all = function.all_loops().into_iter().filter(|looping| !bounded(looping));
            open.extend(all.map(|looping| asked(function, looping, IN_CALLS)));
        }
        open.into_iter().for_each(|all| self.ask_for_bounds(all));
    }

    /// Facts are missing about a loop.
    pub(super) fn ask_for_bounds(&mut self, (headers, what): (Vec<u64>, String)) {
        for header in headers {
            self.obstacle(header, what.clone(), Missing::LoopBound);
        }
    }

    /// Returns whether nothing that was executed stands in the way or was guessed.
    pub(in crate::execute) fn is_surely_known(&self) -> bool {
        self.findings.is_clear() && !self.findings.is_guessing
    }

    /// Returns whether an instruction was executed, or one before and one behind it in one block.
    pub(in crate::execute) fn reaches(&self, address: u64) -> bool {
        // Blocks are known by their first and last instruction, so the nearest one before decides.
        let mut before = self.findings.coverage.reached.range(..=address);
        before.next_back().is_some_and(|(_, &last)| address <= last)
    }

    /// Returns whether nothing was found so far that stands in the way of a bound.
    pub(in crate::execute) fn is_clear(&self) -> bool {
        self.findings.is_clear()
    }

    /// The effort was used up, or someone outside wants no more to be done.
    pub(in crate::execute) fn exhausted(mut self, entry: u64) -> Bound {
        let blocks = self.work.done();
        let at = self.calls.last().copied().unwrap_or(entry);
        if self.work.is_stopped() {
            self.obstacle(at, format!("after {blocks} blocks it was stopped"), Missing::Nothing);
        } else if self.only_lists() && !self.findings.obstacles.is_empty() {
            self.obstacle(at, format!("after {blocks} blocks {REST}"), Missing::Nothing);
        } else {
            let recursive = self.recursive().map(|(function, _)| function);
            self.say_no_end((recursive, at), blocks);
        }
        // An end from outside does not say that the effort was too small.
        self.findings.is_cut_short = !self.work.is_stopped();
        // What was not executed may go deeper.
        self.findings.lowest_stack = None;
        self.conclude(Vec::new())
    }
}

/// Returns the headers of which facts about a loop have to say how often control comes back to
/// them, and why.
pub(in crate::execute) fn asked(
    function: &Function,
    looping: &Loop,
    what: &str,
) -> (Vec<u64>, String) {
    let what = match looping.headers.len() {
        1 => what.to_owned(),
        _ => format!(
            "{what}; it is entered at several places, and the number is how often control comes \
             back to this one"
        ),
    };
    (function.addresses(&function.back_to(looping)), what)
}
