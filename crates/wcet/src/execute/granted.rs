//! Facts: what may be assumed about a program without proof.
//!
//! A fact is about a place, given by its address or by a line of source. A line
//! may have become several pieces of code, or parts of pieces that belong to
//! other lines as well. So that a fact never says more than it was meant to, a
//! line stands for the loops that it controls, and for the blocks that are made
//! of nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::interface::KernelInterface;
use crate::flow::{Block, Function, Loop, Resolved};
use crate::setting::Setting;
use crate::value::Range as Numbers;
use fusee_isa::language::{Flow, Instruction, Register};

/// Facts that may be assumed without proof; they are checked where they can be.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Highest number of times that the loop with this header address iterates for each entry.
    pub loop_bounds: BTreeMap<u64, u64>,
    /// The same for loops that a line of source controls.
    pub line_bounds: Vec<LineBound>,
    /// Addresses that are never executed.
    pub unreachable: BTreeSet<u64>,
    /// Lines of source that are never executed.
    pub unreachable_lines: Vec<Line>,
    /// Targets of computed jumps and calls, by the jump's address.
    pub targets: BTreeMap<u64, BTreeSet<u64>>,
    /// The table that the stores of an instruction stay within, by its address.
    pub tables: BTreeMap<u64, Table>,
    /// Highest number of calls of a function that are under way at once, by its entry.
    pub recursion: BTreeMap<u64, u64>,
    /// Highest number of calls of a function in all, from one that is made while none of it is
    /// under way to its return, by its entry.
    pub calls: BTreeMap<u64, u64>,
    /// Iterations of loops in all of their entries together.
    pub totals: Vec<Total>,
    /// Places of which at most one is executed.
    pub exclusions: Vec<Exclusion>,
    /// Places at which paths end: the code up to there counts, and nothing behind it.
    pub ends: BTreeSet<Boundary>,
    /// Code that is not executed, with what is stated of it.
    pub times: BTreeMap<Boundary, Stated>,
    /// The meaning of instructions that raise an exception on purpose.
    pub faults: Faults,
    /// Registers at the entry, with what they hold.
    pub entry: Vec<Held>,
    /// True if memory holds at the entry what the file loads there.
    pub as_loaded: bool,
    /// The kernel that the program runs on.
    pub kernel: Option<KernelInterface>,
}

/// A register at the entry, with what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// The register in question.
    pub register: Register,
    /// The numbers that it can hold.
    pub range: Numbers,
    /// The assumption behind that, as a sentence.
    pub why: String,
}

/// The addresses of the instructions that a line of source became.
pub type Line = BTreeSet<u64>;

/// Highest number of times that loops iterate that lines of source control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineBound {
    /// The instructions that the lines became.
    pub line: Line,
    /// The statement that is meant, where that is known.
    pub statement: Option<Statement>,
    /// The most iterations for each entry.
    pub iterations: u64,
}

/// The instructions that a loop of the source became.
///
/// A compiler lets the test of an inner loop lead back to the header of an outer one, and puts
/// loops of other functions among the lines of a loop. Neither of them is that loop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statement {
    /// All that comes from it, what was inlined there and what has no line included.
    pub all: Line,
    /// Those that were written in it, and in no loop inside of it that is known as well.
    pub own: Line,
    /// True if any branch in the loop that comes from the lines tells it, not only one that leads
    /// back to a header, or from a header out of the loop.
    pub by_branch: bool,
    /// The number of loops inside of it in which an instruction was written, where that is known;
    /// `None` where the compiler gave it no line.
    pub depths: BTreeMap<u64, Option<usize>>,
}

/// The place to which a fact applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    /// At an address.
    Address(u64),
    /// At a line of source.
    Line(Line),
}

/// The place of a table: the first byte, and the one behind its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Table {
    /// At these addresses.
    Addresses(Range<u64>),
    /// So far above the stack pointer at the store.
    Stack(Range<i64>),
}

/// So many iterations at most of a loop, in all of its entries together.
#[derive(Debug, Clone)]
pub struct Total {
    /// The loop in question.
    pub looping: Spot,
    /// The most iterations.
    pub iterations: u64,
    /// Counted during one call of the function, or one iteration of the loop, that begins here;
    /// without this, during one call of the function in which the loop is.
    pub during: Option<u64>,
}

/// At most one of several places is executed, however often.
#[derive(Debug, Clone)]
pub struct Exclusion {
    /// The places in question.
    pub places: Vec<Spot>,
    /// During one call of the function, or one iteration of the loop, that begins here; without
    /// this, at all.
    pub during: Option<u64>,
}

/// The most places that all exclusions may name together.
// Each place has a bit of its own in the marks of a path.
pub const EXCLUSIVE_PLACES: usize = 64;

/// A place at which control leaves the code that is executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Boundary {
    /// At an instruction, which is still executed: a call, a system call, a breakpoint.
    Instruction(u64),
    /// At the first instruction of a function, which is not.
    Function(u64),
}

impl Boundary {
    /// Returns where it is.
    pub fn address(self) -> u64 {
        let (Self::Instruction(address) | Self::Function(address)) = self;
        address
    }
}

/// A statement about code that is not executed and comes back.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stated {
    /// Its longest time, in the machine's unit.
    pub time: u64,
    /// The memory that it may write; all that it can find without this.
    pub writes: Option<Vec<Range<u64>>>,
    /// The bytes of stack that it needs at most, if they are known.
    pub stack: Option<u64>,
}

/// The meaning of instructions that raise an exception on purpose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Faults {
    /// Nothing is known of what follows them.
    #[default]
    Open,
    /// No run comes to them, and none to these functions, which do nothing but report a fault.
    Excluded(BTreeSet<u64>),
    /// A path ends there.
    Counted,
}

/// A fact that a bound rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Used {
    /// The bound of the loop with this header.
    Loop(u64),
    /// One of [`Facts::line_bounds`].
    LineBound(usize),
    /// The promise that this address is never executed.
    Unreachable(u64),
    /// One of [`Facts::unreachable_lines`].
    UnreachableLine(usize),
    /// The targets of the jump at this address.
    Targets(u64),
    /// The table of the stores at this address.
    Table(u64),
    /// The depth of the function that begins here.
    Recursion(u64),
    /// The number of calls in all of the function with this entry.
    Calls(u64),
    /// One of [`Facts::totals`].
    Total(usize),
    /// One of [`Facts::exclusions`].
    Exclusion(usize),
    /// The promise that paths end at this address.
    End(u64),
    /// The time of what is at this address.
    Time(u64),
}

impl Facts {
    /// Returns where computed jumps lead, and breakpoints that are said to come back.
    pub(super) fn flows(&self, setting: Setting<'_>) -> Resolved {
        // A breakpoint ends its block like a jump to nowhere. One that comes back needs an edge.
        let mut flows = self.targets.clone();
        for boundary in self.times.keys() {
            // Calls and system calls have an edge to what follows them already.
            if let Boundary::Instruction(at) = *boundary
                && let Ok(instruction) = setting.instruction(at)
                && instruction.flow == Flow::Breakpoint
            {
                flows.entry(at).or_default().insert(instruction.next_address());
            }
        }
        flows
    }

    /// Returns whether a function is not executed where control comes to it from elsewhere.
    pub(super) fn replaces(&self, function: u64) -> bool {
        let boundary = Boundary::Function(function);
        // Otherwise the function is executed up to its fault, where the path counts or a fact is
        // asked for.
        let faults = match &self.faults {
            Faults::Excluded(functions) => functions.contains(&function),
            Faults::Open | Faults::Counted => false,
        };
        faults || self.ends.contains(&boundary) || self.times.contains_key(&boundary)
    }

    /// Returns the fact that a block is never executed.
    pub(super) fn never(&self, block: &Block) -> Option<Used> {
        let inside = block.address()..=block.last().address.max(block.address());
        if let Some(&never) = self.unreachable.range(inside).next() {
            return Some(Used::Unreachable(never));
        }
        self.unreachable_lines
            .iter()
            .position(|line| is_made_of(block, line))
            .map(Used::UnreachableLine)
    }

    /// Returns whether a fact is a pragma in a source.
    pub fn is_pragma(&self, fact: Used) -> bool {
        matches!(fact, Used::LineBound(line) if self.line_bounds[line].statement.is_some())
    }

    /// Takes a pragma for not written; the numbers of others stay.
    pub(super) fn ignore(&mut self, fact: Used) {
        if let Used::LineBound(line) = fact {
            // The entry stays, since other facts are known by their place in the list. Without an
            // instruction it is about no loop.
            self.line_bounds[line] =
                LineBound { line: Line::new(), statement: None, iterations: u64::MAX };
        }
    }

    /// Bounds on the iterations of a loop for each entry, totals apart.
    pub(super) fn bounds<'a>(
        &'a self,
        function: &'a Function,
        looping: &'a Loop,
    ) -> impl Iterator<Item = (Used, u64)> + 'a {
        let back_to = function.back_to(looping);
        let by_address = self.of_headers(&function.addresses(&back_to));
        let meant = |(_, bound): &(usize, &LineBound)| bound.is_about(function, looping);
        let lines = self.line_bounds.iter().enumerate().filter(meant);
        let of_line = move |(index, bound): (usize, &LineBound)| {
            // The line says how often control comes back to each header, and all of them add up.
            let of_each = vec![bound.iterations; back_to.len()];
            Some((Used::LineBound(index), several(of_each)?))
        };
        let all = by_address.into_iter().chain(lines.filter_map(of_line));
        // To one at which it is not entered control comes once more than it comes back.
        all.map(|(fact, iterations)| match looping.headers.len() {
            1 => (fact, iterations),
            _ => (fact, iterations.saturating_add(1)),
        })
    }

    /// Returns what is said of a loop in which control comes back to these headers, of each of
    /// them, if something is.
    fn of_headers(&self, headers: &[u64]) -> Option<(Used, u64)> {
        let given = headers.iter().map(|header| self.loop_bounds.get(header).copied());
        // Of a header without a number control may come back for ever, so all of them need one.
        Some((Used::Loop(*headers.first()?), several(given.collect::<Option<Vec<u64>>>()?)?))
    }
}

/// Returns how often control comes to any of several headers of a loop, behind the first of them,
/// if it comes back so often to each.
fn several(back: Vec<u64>) -> Option<u64> {
    back.into_iter().reduce(|all, back| all.saturating_add(back).saturating_add(1))
}

impl LineBound {
    /// Returns `true` if it is about a loop: of loops of which one is inside the other, a statement
    /// became at most one, and it is not known which.
    fn is_about(&self, function: &Function, looping: &Loop) -> bool {
        let Some(statement) = &self.statement else {
            return controls(&self.line, function, looping);
        };
        let is = |one: &Loop| statement.may_be(&self.line, function, one);
        is(looping) && !function.around_and_inside(looping).into_iter().any(is)
    }
}

impl Statement {
    /// Returns whether it may have become this loop: none of the loop's branches was written
    /// elsewhere, something in it was written here, and some of these lines decide over it.
    pub(crate) fn may_be(&self, lines: &Line, function: &Function, looping: &Loop) -> bool {
        let mut inside = BTreeSet::new();
        looping.blocks(&mut inside);
        let blocks = || inside.iter().map(|&block| &function.blocks[block]);
        let mut branches =
            blocks().filter(|block| block.successors.len() > 1).map(|block| block.last().address);
        let controls = if self.by_branch { Vec::new() } else { function.controls(looping) };
        let decides = branches.clone().any(|branch| {
            lines.contains(&branch) && (self.by_branch || controls.contains(&branch))
        });
        decides
            && self.is_alone(function, looping)
            && branches.all(|branch| self.all.contains(&branch))
            && blocks()
                .flat_map(|block| &block.instructions)
                .any(|instruction| self.own.contains(&instruction.address))
    }

    /// Returns whether no loop inside of it became the same loop: each of those iterates for
    /// itself, so what leads back from its lines leads out of a loop inside.
    fn is_alone(&self, function: &Function, looping: &Loop) -> bool {
        function
            .turns(looping)
            .into_iter()
            .all(|(block, inside)| self.depth(block).is_some_and(|depth| depth <= inside))
    }

    /// Returns the number of loops inside of it in which the end of a block was written. What has
    /// no line belongs to the innermost loop of what is executed with it.
    fn depth(&self, block: &Block) -> Option<usize> {
        let known =
            |instruction: &Instruction| self.depths.get(&instruction.address).copied().flatten();
        // An instruction of which nothing was found out may belong to any loop: then this is not
        // the one.
        match self.depths.get(&block.last().address)? {
            Some(depth) => Some(*depth),
            None => block.instructions.iter().filter_map(known).max(),
        }
    }
}

impl Spot {
    /// Returns whether a loop is meant. Of one that is entered at several places iterations are
    /// counted at all of them, so no total is about it.
    pub(super) fn is_loop(&self, function: &Function, looping: &Loop) -> bool {
        let [header] = function.addresses(&looping.headers)[..] else { return false };
        match self {
            Self::Address(address) => *address == header,
            Self::Line(line) => controls(line, function, looping),
        }
    }

    /// Returns whether a block is meant.
    pub(super) fn is_block(&self, block: &Block) -> bool {
        match self {
            Self::Address(address) => (block.address()..=block.last().address).contains(address),
            Self::Line(line) => is_made_of(block, line),
        }
    }
}

/// Returns whether a block has no instruction of another line.
fn is_made_of(block: &Block, line: &Line) -> bool {
    block.instructions.iter().all(|instruction| line.contains(&instruction.address))
}

/// Returns whether a line has an instruction that leads back to a header of the loop, or from a
/// header out of it.
fn controls(line: &Line, function: &Function, looping: &Loop) -> bool {
    function.controls(looping).iter().any(|address| line.contains(address))
}
