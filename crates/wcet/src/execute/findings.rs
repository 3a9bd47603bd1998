//! The findings of an execution, apart from its paths.
//!
//! It is one value, so that a guess that was wrong can be taken back: what is
//! kept here is put back as it was before, and none of it is seen in the
//! result.

use std::collections::{BTreeMap, BTreeSet};

use super::Obstacle;
use super::granted::Used;
use super::interface::Request;
use crate::program::Program;

/// The message about a loop that no way leads out of.
pub(super) const ENDLESS: &str =
    "no way leads out of this loop, so whoever gets here never comes back";
/// The same where nothing else comes back either.
const NEVER: &str = "no way leads out of this loop, and no other one comes back from the entry";

/// The grounds of a result.
#[derive(Debug, Clone, Default)]
pub struct Grounds {
    /// All that was taken for granted, in sentences.
    pub assumptions: BTreeSet<String>,
    /// Facts that were used.
    pub facts_used: BTreeSet<Used>,
    /// Facts that cannot be true, and why.
    pub contradictions: BTreeMap<Used, String>,
    /// The faults that are taken not to happen: the addresses of instructions that raise them, and
    /// of functions that report them.
    pub faults: BTreeSet<u64>,
    /// True if memory was taken to be as the program's start leaves it.
    pub is_first_call: bool,
}

impl Grounds {
    /// Returns a sentence on what is taken for granted of faults, and the functions concerned.
    pub fn of_faults(&self, program: &Program) -> Option<String> {
        let name = |&at: &u64| match program.function_at(at) {
            Some(function) => program.describe(function.address),
            None => program.describe(at),
        };
        let places: BTreeSet<String> = self.faults.iter().map(name).collect();
        let places: Vec<String> = places.iter().map(|place| format!("`{place}`")).collect();
        (!places.is_empty()).then(|| format!("no fault happens, at {}", places.join(", ")))
    }
}

/// The extent of an execution of a program.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// Every loop that was entered, by its header: how often it iterates at most for one entry.
    pub loops: BTreeMap<u64, u64>,
    /// All blocks that some execution can reach: the addresses of their first and their last
    /// instruction.
    pub reached: BTreeMap<u64, u64>,
    /// The requests to the kernel from which the program comes back, by the address of the call.
    pub requests: BTreeMap<u64, BTreeSet<Request>>,
}

/// The results of an execution so far.
#[derive(Debug, Clone)]
pub(super) struct Findings {
    /// The obstacles to a bound.
    pub(super) obstacles: BTreeSet<Obstacle>,
    pub(super) grounds: Grounds,
    pub(super) coverage: Coverage,
    /// The lowest that the stack pointer was, from where it was at entry; nothing where that is not
    /// known.
    pub(super) lowest_stack: Option<i64>,
    /// True if some paths rest on guesses: then there is no bound, and they stand against no fact.
    pub(super) is_guessing: bool,
    /// The most calls of each function under way at once, if more than one.
    pub(super) recursions: BTreeMap<u64, u64>,
    /// Functions that call themselves without an end that was found.
    pub(super) endless: BTreeSet<u64>,
    /// Loops that were given up, by header.
    pub(super) given_up: BTreeSet<u64>,
    /// Loops for which a line of source was taken, by fact and header.
    pub(super) loops_on_lines: BTreeSet<(usize, u64)>,
    /// Facts with which no path left a loop that it was entered by, and why that stands against
    /// them, and those with which one did.
    pub(super) without_end: BTreeMap<Used, String>,
    pub(super) with_end: BTreeSet<Used>,
    /// Instructions that store at places which nothing bounds.
    pub(super) unbounded_stores: BTreeSet<u64>,
    /// True if the execution was ended before its end because it did too much.
    pub(super) is_cut_short: bool,
    /// Summaries of functions whose findings are among these.
    absorbed: BTreeSet<u64>,
}

impl Findings {
    /// Nothing was found out yet.
    pub(super) fn new() -> Self {
        Self {
            obstacles: BTreeSet::new(),
            grounds: Grounds::default(),
            coverage: Coverage::default(),
            lowest_stack: Some(0),
            is_guessing: false,
            recursions: BTreeMap::new(),
            endless: BTreeSet::new(),
            given_up: BTreeSet::new(),
            loops_on_lines: BTreeSet::new(),
            without_end: BTreeMap::new(),
            with_end: BTreeSet::new(),
            unbounded_stores: BTreeSet::new(),
            is_cut_short: false,
            absorbed: BTreeSet::new(),
        }
    }

    /// Something is taken for granted.
    pub(super) fn assume(&mut self, sentence: &str) {
        // Often asked, and mostly there: then no string is copied.
        if !self.grounds.assumptions.contains(sentence) {
            self.grounds.assumptions.insert(sentence.to_owned());
        }
    }

    /// The result rests on a fact.
    pub(super) fn rest_on(&mut self, fact: Used) {
        self.grounds.facts_used.insert(fact);
    }

    /// Notes a fact that something which was proved stands against.
    pub(super) fn contradict(&mut self, fact: Used, why: String) {
        self.rest_on(fact);
        if !self.is_guessing {
            // The first reason stays, because later ones may only follow from it.
            self.grounds.contradictions.entry(fact).or_insert(why);
        }
    }

    /// A loop was entered for which there is a fact, and left by some path or none.
    ///
    /// Where none does, the fact is wrong or nobody comes there: many paths are looked at that
    /// nobody takes. So one that leaves the loop, whenever it is entered, is enough.
    pub(super) fn end_of_loop(&mut self, fact: Used, iterations: u64, is_left: bool) {
        if is_left {
            self.with_end.insert(fact);
        } else if !self.is_guessing {
            // On a guessed path a loop may have no way out, though the fact is true.
            let why = || {
                format!(
                    "no path leaves this loop within {iterations} iterations; of one that no run \
                     comes to, say `unreachable`"
                )
            };
            self.without_end.entry(fact).or_insert_with(why);
        }
    }

    /// Takes facts for wrong with which no path has ever left the loop.
    pub(super) fn contradict_endless(&mut self) {
        for (fact, why) in std::mem::take(&mut self.without_end) {
            if !self.with_end.contains(&fact) {
                self.contradict(fact, why);
            }
        }
    }

    /// Returns whether nothing was found that stands in the way of a bound.
    pub(super) fn is_clear(&self) -> bool {
        self.obstacles.is_empty() && self.grounds.contradictions.is_empty()
    }

    /// Returns whether something stands in the way that did not before.
    pub(super) fn is_in_the_way(&self, before: &Findings) -> bool {
        // Findings only grow, so a larger number means a new one.
        self.obstacles.len() > before.obstacles.len()
            || self.grounds.contradictions.len() > before.grounds.contradictions.len()
            || self.is_guessing && !before.is_guessing
    }

    /// Returns whether what was found out holds wherever a function is called that was executed for
    /// itself.
    pub(super) fn is_alone(&self) -> bool {
        self.is_clear()
            && !self.is_guessing
            && self.lowest_stack.is_some()
            && self.coverage.requests.is_empty()
    }

    /// The same was found out here as for the summary of this number, where nothing stood in the
    /// way.
    pub(super) fn absorb(&mut self, number: u64, other: &Findings) {
        // A summary always says the same, so once is enough.
        if !self.absorbed.insert(number) {
            return;
        }
        self.grounds.assumptions.extend(other.grounds.assumptions.iter().cloned());
        self.grounds.facts_used.extend(&other.grounds.facts_used);
        self.grounds.faults.extend(&other.grounds.faults);
        self.unbounded_stores.extend(&other.unbounded_stores);
        self.with_end.extend(&other.with_end);
        for (fact, why) in &other.without_end {
            self.without_end.entry(*fact).or_insert_with(|| why.clone());
        }
        for (&function, &most) in &other.recursions {
            let before = self.recursions.entry(function).or_default();
            *before = most.max(*before);
        }
        other.coverage.loops.iter().for_each(|(&header, &most)| self.turn(header, most));
        other.coverage.reached.iter().for_each(|(&block, &last)| self.reach(block, last));
        // Unknown in one is unknown in both. Requests and obstacles need no line: such a summary is
        // not kept.
        self.lowest_stack = self.lowest_stack.zip(other.lowest_stack).map(|(a, b)| a.min(b));
    }

    /// Returns whether loops without an end may be why no path came back, whatever else was not
    /// known.
    pub(super) fn has_no_end_but_loops(&self) -> bool {
        let is_settled = |one: &Obstacle| one.what == ENDLESS || one.fact.starts_with("loops.");
        !self.is_guessing && self.obstacles.iter().all(is_settled)
    }

    /// Nothing comes back from the entry: nothing but loops without an end matters, if there are
    /// any, and no fact helps.
    pub(super) fn admit_no_end(&mut self) {
        let ends = |obstacle: &&Obstacle| obstacle.what == ENDLESS;
        let never = |one: &Obstacle| Obstacle {
            what: NEVER.to_owned(),
            fact: String::new(),
            ..one.clone()
        };
        let never: BTreeSet<Obstacle> = self.obstacles.iter().filter(ends).map(never).collect();
        if !never.is_empty() {
            // No path goes on behind these loops, so nothing depends on any store.
            self.unbounded_stores.clear();
            self.obstacles = never;
        }
    }

    /// A block is executed whose last instruction is this.
    pub(super) fn reach(&mut self, block: u64, last: u64) {
        let reached = self.coverage.reached.entry(block).or_default();
        *reached = last.max(*reached);
    }

    /// A loop iterates so often.
    pub(super) fn turn(&mut self, header: u64, iterations: u64) {
        // The most of all entries: a fact has to grant that many.
        let most = self.coverage.loops.entry(header).or_default();
        *most = iterations.max(*most);
    }
}
