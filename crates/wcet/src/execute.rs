//! Abstract execution: the longest time of everything that can happen.
//!
//! The program is executed once for all inputs, on sets of values instead of
//! values. Calls are entered, loops iterate as often as any input can make
//! them, a branch that can go both ways goes both ways, and where two ways meet
//! again the sets are joined and the longer time is kept. So one mechanism
//! finds how often loops turn (nested and triangular ones with their true
//! total), which paths exclude each other, where computed jumps lead and what
//! the worst path is; and a machine's caches and pipeline are just more state
//! on the way.
//!
//! What it costs is time in proportion to the longest path, not to the number
//! of paths. What it needs is that loops end for the sets as they do for the
//! values. A loop whose state comes round to what it was is reported as an
//! obstacle with the fact that would remove it, and is then left by a widened
//! state, so that one run lists all obstacles of a program.
//!
//! Meeting paths may be kept apart (`Effort::states`): a loop such as a binary
//! search ends only for those who remember which bounds belong together.

mod attempts;
mod before;
mod beginning;
mod code;
mod compared;
mod concrete;
mod cuts;
mod depth;
mod engine;
mod findings;
mod global_pointer;
mod granted;
mod induction;
mod interface;
mod listing;
mod loop_watch;
mod multipliers;
mod path;
mod prospect;
mod session;
mod start;
mod structure;
mod subject;
mod summaries;
mod supported;
mod tally;
mod watch;
mod ways;
mod work;

use std::collections::BTreeMap;

use crate::invariant::Learned;
use crate::machine::Machine;
use crate::program::Program;
use crate::setting::Setting;
use attempts::Attempts;

pub use beginning::Beginning;
pub use findings::{Coverage, Grounds};
pub use granted::{
    Boundary, EXCLUSIVE_PLACES, Exclusion, Facts, Faults, Held, Line, LineBound, Spot, Stated,
    Statement, Table, Total, Used,
};
pub use interface::{KernelInterface, Request};
pub use session::Session;
pub use subject::Subject;
pub use supported::Supported;
pub use watch::{Trying, Watch};
pub use ways::Visit;

/// The effort that an analysis may make.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Blocks to execute, at most, before giving up.
    pub blocks: u64,
    /// Blocks to execute of a loop, iteration by iteration with all that is inside of it, before
    /// its iterations are summed up.
    pub iterations: u64,
    /// States kept apart where paths meet.
    pub states: usize,
    /// Nesting of calls.
    pub depth: usize,
}

impl Default for Effort {
    fn default() -> Self {
        // With one state at each meeting the work grows with the longest path. More states are
        // tried later, where a loop does not end or where the program is small.
        Self { blocks: 4_000_000, iterations: 16_384, states: 1, depth: 200 }
    }
}

/// A reason why there is no bound, with the fact that would remove it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obstacle {
    /// The place in question.
    pub address: u64,
    /// The place for people.
    pub symbol: String,
    /// A sentence about what is not known.
    pub what: String,
    /// The fact that would remove it, as a line of a facts file.
    pub fact: String,
}

impl Obstacle {
    /// Returns whether it stands in the way by itself; a store that may go anywhere matters only to
    /// what depends on it.
    pub fn decides(&self) -> bool {
        // An obstacle does not keep its kind; only stores that may go anywhere ask for a table.
        !self.fact.starts_with("tables.")
    }
}

/// The result for one entry.
#[derive(Debug, Clone, Default)]
pub struct Bound {
    /// The longest time; nothing while there are obstacles.
    pub time: Option<u64>,
    /// Deepest use of the stack below its value at entry, in bytes; nothing where it is not known.
    pub stack_bytes: Option<u64>,
    /// The worst path, from the entry on; empty while there are obstacles.
    pub path: Vec<Visit>,
    /// The addresses of the instructions of each block on it.
    pub code: BTreeMap<u64, Vec<u64>>,
    /// The obstacles to a bound.
    pub obstacles: Vec<Obstacle>,
    /// The assumptions and facts that it rests on.
    pub grounds: Grounds,
    /// The code that was executed.
    pub coverage: Coverage,
    /// For each total among the facts, the iterations that the worst path leaves over; below 0 it
    /// takes more.
    pub left: Vec<i64>,
    /// The number of blocks executed.
    pub blocks: u64,
    /// True if the execution was ended before its end because it did too much.
    pub is_cut_short: bool,
    /// More results, where a kernel was executed.
    pub kernel: KernelRun,
}

impl Bound {
    /// Returns how often each block is executed on the worst path, by its address.
    pub fn times(&self) -> BTreeMap<u64, u64> {
        let mut times: BTreeMap<u64, u64> = BTreeMap::new();
        for visit in &self.path {
            let all = times.entry(visit.block).or_default();
            // No bound rests on this count, so it may saturate.
            *all = all.saturating_add(visit.times);
        }
        times
    }
}

/// The results of a kernel's execution besides its time.
#[derive(Debug, Clone, Default)]
pub struct KernelRun {
    /// The longest path from where a kernel looks for interrupts to the next such place or its end,
    /// if there is one.
    pub resumed: Option<u64>,
    /// All that was stored.
    pub learned: Learned,
    /// True if a path was cut where the kernel looks for interrupts: what follows may have been
    /// executed for another entry of the session.
    pub is_cut: bool,
}

/// A reason why nothing could be said about an entry that is not the program's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The system gave no thread with a stack for the engine.
    #[error("no thread with a stack of {} MiB: {reason}", STACK >> 20)]
    NoThread {
        /// The system's message.
        reason: String,
    },
    /// The engine broke off.
    #[error("the analysis of the program failed; this is a defect of Fusee")]
    Defect,
}

/// An execution without some pragmas gets at least this part of the effort.
// The first execution may use up the whole effort before it finds a pragma false. Without a part
// for the next one there would be no bound at all.
const AGAIN: u64 = 8;

/// The stack of the engine's thread, in bytes.
const STACK: usize = 512 << 20;

/// Bounds the time from `entry` until it returns.
///
/// Tries again with more states kept apart when a loop does not end.
///
/// The engine goes down one level of the host's stack for each level of calls
/// and loops in the program, and how deep they are is up to the program: it runs
/// in a thread with a stack for the deepest nest that it accepts. The system
/// gives memory only to what is used.
///
/// # Errors
/// A [`Failure`] of the host; what the program lacks is in [`Bound::obstacles`].
pub fn bound<'w, M: Supported>(
    program: &Program,
    machine: &M,
    entry: u64,
    facts: &Facts,
    trying: impl Into<Trying<'w>>,
) -> Result<Bound, Failure> {
    M::bound(Subject { setting: Setting::new(program), machine, facts }, entry, trying.into())
}

/// Bounds the time from `entry` until it returns by facts alone, as [`bound`] does where executions
/// find no end: the longest way through the code, whatever values do.
///
/// # Errors
/// A [`Failure`] of the host; what facts would have to say is in [`Bound::obstacles`].
pub fn bound_by_facts<M: Machine + Sync>(
    program: &Program,
    machine: &M,
    entry: u64,
    facts: &Facts,
) -> Result<Bound, Failure> {
    let subject = Subject { setting: Setting::new(program), machine, facts };
    on_large_stack(|| structure::Structure::bound(subject, entry))
}

/// As [`bound`], on a machine that is known.
fn bound_on<M: Machine + Sync>(
    subject: Subject<'_, M>,
    entry: u64,
    trying: Trying<'_>,
) -> Result<Bound, Failure> {
    on_large_stack(|| {
        // The start depends neither on prices nor on pragmas, so one execution of it serves all
        // others.
        let before = start::before(subject.setting, subject.facts, entry, trying);
        let before = before.as_ref();
        let with = |facts: &Facts, effort: Effort| {
            let (subject, trying) = (Subject { facts, ..subject }, Trying { effort, ..trying });
            let at = |multipliers: &[i64]| {
                Attempts { subject, entry, before, multipliers, trying }.best()
            };
            // At prices of 0 totals add nothing to the worth of a path. If the worst path keeps to
            // all of them anyway, that is the best bound, and no price is looked for.
            multipliers::least(facts, at(&vec![0; facts.totals.len()]), &at)
        };
        without_false_pragmas((subject.facts, trying.effort), with)
    })
}

/// Returns a bound without the pragmas that cannot be true, if there is one.
///
/// What is found without a fact holds whatever the fact says. Each execution gets what those
/// before it have left of the effort, and a part of it where that is less.
fn without_false_pragmas(
    (facts, effort): (&Facts, Effort),
    bounded: impl Fn(&Facts, Effort) -> Bound,
) -> Bound {
    let (mut left, mut refuted) = (facts.clone(), BTreeMap::new());
    let mut blocks = effort.blocks;
    loop {
        let mut found = bounded(&left, Effort { blocks, ..effort });
        let contradictions = &found.grounds.contradictions;
        let is_about_pragmas = contradictions.keys().all(|&fact| left.is_pragma(fact));
        // Only pragmas may be dropped: a user wrote any other fact for this very program, and a
        // false one is an error.
        if found.time.is_some() || contradictions.is_empty() || !is_about_pragmas {
            // The bound does not rest on a refuted pragma, but the user must hear of it.
            found.grounds.contradictions.extend(refuted);
            return found;
        }
        blocks = blocks.saturating_sub(found.blocks).max(effort.blocks / AGAIN);
        contradictions.keys().for_each(|&fact| left.ignore(fact));
        refuted.extend(std::mem::take(&mut found.grounds.contradictions));
    }
}

/// Runs an analysis in a thread with a stack for the deepest nest.
///
/// # Errors
/// A [`Failure`] of the host.
pub fn on_large_stack<T: Send>(analysis: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("wcet".to_owned()).stack_size(STACK);
        let running = thread
            .spawn_scoped(scope, analysis)
            .map_err(|error| Failure::NoThread { reason: error.to_string() })?;
        // A panic must neither look like a bound nor end the caller's program.
        running.join().map_err(|_| Failure::Defect)
    })
}
