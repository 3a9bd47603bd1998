//! The results of functions that call themselves, by the depth of the call.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::summaries::{Inputs, Summary};
use super::ways::Visit;
use crate::state::State;
use crate::value::{Base, Value};
use fusee_isa::language::Register;

/// The depth of a call of a function.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Depth {
    pub(super) entry: u64,
    /// The number of its calls that are under way.
    pub(super) within: usize,
    /// The same of each function that a fact says of how often it can be.
    pub(super) others: Vec<usize>,
    /// The functions under way of which the first call takes the time of all.
    pub(super) counted: BTreeSet<u64>,
}

impl Depth {
    /// Returns whether this is the first call of the function that is under way.
    pub(super) fn is_first(&self) -> bool {
        self.within == 0
    }

    /// Returns whether an earlier call takes the time of this one.
    pub(super) fn is_counted(&self) -> bool {
        self.counted.contains(&self.entry)
    }
}

/// The time of a call without those within it, and its way.
pub(super) type Own = (u64, Vec<Visit>);

/// The results of all such functions.
pub(super) struct Depths<T> {
    tried: BTreeMap<Depth, Tried<T>>,
    /// The registers that functions read before they change them, if it is told what they call.
    pub(super) read: BTreeMap<u64, Option<u128>>,
    /// The longest time of a call without those within it, and its way, by the function.
    longest: BTreeMap<u64, Own>,
    /// The functions under way of which the first call takes the time of all.
    pub(super) counted: BTreeSet<u64>,
    /// The states in which iterations of a loop inside others began, by its header.
    pub(super) settled: BTreeMap<u64, (State, T)>,
    /// True if calls are not executed, but it is noted what they are entered with.
    pub(super) is_scouting: bool,
}

/// The results of calls at one depth.
pub(super) struct Tried<T> {
    /// The number of executions of the function for them.
    pub(super) times: u64,
    /// The registers with which they are entered, as far as is known.
    pub(super) expected: Option<Inputs>,
    /// Its last result.
    pub(super) known: Option<Rc<Summary<T>>>,
}

impl<T> Clone for Tried<T> {
    fn clone(&self) -> Self {
        Self { times: self.times, expected: self.expected.clone(), known: self.known.clone() }
    }
}

impl<T> Default for Tried<T> {
    fn default() -> Self {
        Self { times: 0, expected: None, known: None }
    }
}

impl<T> Default for Depths<T> {
    fn default() -> Self {
        let (tried, read, longest, counted, settled) = Default::default();
        Self { tried, read, longest, counted, settled, is_scouting: false }
    }
}

impl<T> Depths<T> {
    /// Code turned out to be other than it was taken to be. What was the longest call stays so: its
    /// time is in that of none but the first call, which may be under way.
    pub(super) fn forget(&mut self) {
        self.tried.clear();
        self.read.clear();
    }

    /// Returns what is known of a depth.
    pub(super) fn tried(&self, depth: &Depth) -> Tried<T> {
        self.tried.get(depth).cloned().unwrap_or_default()
    }

    /// Calls at a depth will be entered with this as well.
    pub(super) fn expect(&mut self, depth: &Depth, inputs: &Inputs) {
        let tried = self.tried.entry(depth.clone()).or_default();
        // Only a hint: each call is compared with what the function was executed for. So inputs
        // that cannot be joined may take the place of the older ones.
        let both = tried.expected.as_ref().and_then(|expected| joined(expected, inputs));
        tried.expected = Some(both.unwrap_or_else(|| inputs.clone()));
    }

    /// A function is executed for a depth once more, with these inputs.
    pub(super) fn try_with(&mut self, depth: &Depth, inputs: &Inputs) {
        let tried = self.tried.entry(depth.clone()).or_default();
        tried.times += 1;
        tried.expected = Some(inputs.clone());
    }

    /// The longest call of a function so far, this one included.
    pub(super) fn longest_call(&mut self, entry: u64, own: Own) -> Own {
        let longest = self.longest.entry(entry).or_default();
        if own.0 > longest.0 {
            *longest = own;
        }
        longest.clone()
    }

    /// Keeps the result of the function.
    pub(super) fn keep(&mut self, depth: &Depth, summary: Rc<Summary<T>>) {
        self.tried.entry(depth.clone()).or_default().known = Some(summary);
    }
}

/// Inputs that allow those of two calls; nothing where they differ in more than numbers.
pub(super) fn joined(one: &Inputs, other: &Inputs) -> Option<Inputs> {
    let both = |(one, other): (&(Register, Value), &(Register, Value))| match one.1.base {
        // Addresses in the stack as well, if they are the same.
        _ if one == other => Some(*one),
        Base::None if one.0 == other.0 && other.1.base == Base::None => {
            Some((one.0, Value::number(one.1.range.join(other.1.range))))
        }
        // Two places in the stack are no set of numbers that a function could be executed for.
        _ => None,
    };
    let pairs = one.iter().zip(other).map(both);
    pairs.collect::<Option<Inputs>>().filter(|_| one.len() == other.len())
}
