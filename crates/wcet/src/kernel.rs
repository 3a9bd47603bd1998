//! Kernels: every way in, from the trap to the instruction that leaves.
//!
//! A kernel's paths depend on its memory, and of that one entry alone shows
//! nothing. So the kernel is taken together with the system that it runs:
//!
//! 1. its start is executed as it is, number by number ([`start`]), as far as
//!    nothing depends on the world outside: that gives the tables as the traps
//!    will find them, the stack, and where traps arrive;
//! 2. all entries are executed on sets of values, again and again, until what
//!    they store is what they were assumed to find ([`Background`]);
//! 3. the last round's times are the bounds.
//!
//! So "how many threads are there?" or "can this component be restarted?" are
//! no facts that somebody writes down, but what the system's tables say; and a
//! path that needs a budget is found infeasible in a system without one. What
//! stays with people are loops over linked lists, as facts, and the stores that
//! the kernel makes into memory in which it keeps no decisions: its `unsafe`
//! code, whose written arguments say just that.
//!
//! A path begins at a trap and ends where the kernel goes back to user mode, in
//! whichever thread. Where the kernel looks whether an interrupt is pending, or
//! waits for one, one path ends and another begins: [`Bounds::resumed`].
//!
//! [`Background`]: crate::background::Background

mod facts;
mod start;

use std::collections::{BTreeMap, BTreeSet};

use crate::background::{Background, Elsewhere, Learned};
use crate::execute::{Beginning, Bound, Effort, Facts, Failure, Obstacle, Session, on_large_stack};
use crate::isa::riscv::CAUSE;
use crate::language::Register;
use crate::machine::Machine;
use crate::program::Program;
use crate::value::{Range, Value};

pub use facts::KernelFacts;
pub use start::{NotStarted, Started};

/// Rounds after which the stores must have settled; each one widens what still grows.
const ROUNDS: usize = 64;

/// Rounds after that, in which what was assumed is made no more than what was stored.
const NARROWINGS: usize = 4;

/// The name of the entry that leads from a wait for interrupts back to user mode, or to the next wait.
pub const IDLE: &str = "idle";

/// How a kernel is entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trap {
    /// By an exception with one of these causes.
    Exception(Range),
    /// By the interrupt with this number.
    Interrupt(u64),
}

/// One way into a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// The traps by which it is entered.
    pub traps: Vec<Trap>,
    /// What registers hold then, as far as that makes it this entry.
    pub registers: Vec<(Register, Range)>,
}

/// What was found out about one entry.
#[derive(Debug, Clone)]
pub struct EntryBound {
    /// Its name.
    pub name: String,
    /// The bound with its path, of the trap that takes longest.
    pub bound: Bound,
}

/// What was found out about a kernel with its system.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// The entries, in the order in which they were asked for; [`IDLE`] behind them if there is one.
    pub entries: Vec<EntryBound>,
    /// The longest path from a place where interrupts are looked for to the next or to user mode; nothing: no such place.
    pub resumed: Option<u64>,
    /// Where paths begin after a wait with an empty stack, those of [`IDLE`].
    pub resumptions: BTreeSet<u64>,
    /// Rounds that it took until the stores had settled.
    pub rounds: usize,
}

impl Bounds {
    /// The longest time in which no interrupt is taken, if every entry is bounded.
    pub fn longest(&self) -> Option<u64> {
        let times = self.entries.iter().map(|entry| entry.bound.time).collect::<Option<Vec<u64>>>()?;
        times.into_iter().chain(self.resumed).max()
    }
}

/// A kernel that has started.
pub struct Kernel {
    program: Program,
    started: Started,
    facts: Facts,
}

impl Kernel {
    /// Starts a kernel that decides by nothing `elsewhere`.
    ///
    /// # Errors
    /// [`NotStarted`] for programs that are no kernel.
    pub fn start(mut program: Program, facts: Facts, elsewhere: Elsewhere) -> Result<Self, NotStarted> {
        let (started, bytes) = start::start(&program)?;
        program.set_background(Background::new(bytes, elsewhere, started.stack.clone()));
        Ok(Self { program, started, facts })
    }

    /// The program with what is known of its memory.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Where traps arrive, and the like.
    pub fn started(&self) -> &Started {
        &self.started
    }

    /// Bounds all entries.
    ///
    /// # Errors
    /// The host's failure.
    pub fn bounds<M: Machine + Sync>(
        &mut self,
        machine: &M,
        entries: &[Entry],
        effort: Effort,
    ) -> Result<Bounds, Failure> {
        on_large_stack(|| self.settle(machine, entries, effort))
    }

    fn settle<M: Machine>(&mut self, machine: &M, entries: &[Entry], effort: Effort) -> Bounds {
        let mut session = Session::new(&self.facts);
        let mut background = self.program.background().cloned().unwrap_or_default();
        let mut narrowed = 0;
        for round in 1.. {
            let mut learned = Learned::default();
            session.forget_cuts();
            let begun = session.execute(
                &self.program,
                machine,
                &self.facts,
                effort,
                &Beginning {
                    at: self.started.at,
                    registers: &self.started.registers,
                    memory: &self.started.on_stack,
                    resumed: false,
                },
            );
            let mut settled = !self.absorb(&mut background, &begun.learned);
            learned.merge(&begun.learned);
            let mut found = Vec::new();
            for entry in entries {
                let bound = self.entry(&mut session, machine, entry, effort);
                settled &= !self.absorb(&mut background, &bound.learned);
                learned.merge(&bound.learned);
                found.push(EntryBound { name: entry.name.clone(), bound });
            }
            let mut idle: BTreeMap<u64, Bound> = BTreeMap::new();
            while let Some(&at) = session.resumptions().iter().find(|&at| !idle.contains_key(at)) {
                let bound = self.resumed(&mut session, machine, at, effort);
                settled &= !self.absorb(&mut background, &bound.learned);
                learned.merge(&bound.learned);
                idle.insert(at, bound);
            }
            if let Some(bound) = idle.into_values().reduce(longer) {
                found.push(EntryBound { name: IDLE.to_owned(), bound });
            }
            let less = (settled && narrowed < NARROWINGS).then(|| background.narrowed(&learned, &self.program));
            let less = less.filter(|less| !less.is_same(&background));
            if settled && less.is_none() || round >= ROUNDS {
                let bounds = conclude(&self.program, found, &begun, &learned, (round, settled));
                return Bounds { resumptions: session.resumptions().clone(), ..bounds };
            }
            if let Some(less) = less {
                narrowed += 1;
                background = less;
                self.program.set_background(background.clone());
            }
        }
        Bounds { entries: Vec::new(), resumed: None, resumptions: BTreeSet::new(), rounds: 0 }
    }

    /// Makes room in what is assumed for what was stored; says whether that was new.
    fn absorb(&mut self, background: &mut Background, stored: &Learned) -> bool {
        let grown = background.absorb(stored, &self.program);
        if grown {
            self.program.set_background(background.clone());
        }
        grown
    }

    /// Bounds what follows a wait for interrupts with an empty stack.
    fn resumed<M: Machine>(&self, session: &mut Session, machine: &M, at: u64, effort: Effort) -> Bound {
        let top = self.program.register_number(self.started.stack.end);
        let registers = [(self.program.architecture().stack_pointer(), Value::constant(top))];
        let beginning = Beginning { at, registers: &registers, memory: &[], resumed: true };
        session.execute(&self.program, machine, &self.facts, effort, &beginning)
    }

    /// Bounds an entry for each of its traps; the longest is what counts.
    fn entry<M: Machine>(&self, session: &mut Session, machine: &M, entry: &Entry, effort: Effort) -> Bound {
        let mut worst: Option<Bound> = None;
        for trap in &entry.traps {
            let mut registers: Vec<(Register, Value)> =
                entry.registers.iter().map(|&(register, range)| (register, Value::number(range))).collect();
            let at = match *trap {
                Trap::Exception(causes) => {
                    registers.push((CAUSE, Value::number(causes)));
                    self.started.vector
                }
                Trap::Interrupt(number) => self.started.vector + 4 * number,
            };
            let bound = session.execute(
                &self.program,
                machine,
                &self.facts,
                effort,
                &Beginning { at, registers: &registers, memory: &[], resumed: false },
            );
            worst = Some(match worst {
                None => bound,
                Some(before) => longer(before, bound),
            });
        }
        worst.unwrap_or_default()
    }
}

/// The longer of two bounds, with what both of them rest on.
fn longer(one: Bound, other: Bound) -> Bound {
    let (mut long, short) = if other.time > one.time { (other, one) } else { (one, other) };
    long.stack_bytes = long.stack_bytes.zip(short.stack_bytes).map(|(a, b)| a.max(b));
    long.resumed = long.resumed.max(short.resumed);
    long.assumptions.extend(short.assumptions);
    long.facts_used.extend(short.facts_used);
    long.reached.extend(short.reached);
    long.contradictions.extend(short.contradictions);
    long.blocks += short.blocks;
    long.learned.merge(&short.learned);
    if !short.obstacles.is_empty() || short.time.is_none() {
        long.time = None;
        long.obstacles.extend(short.obstacles);
        long.obstacles.sort();
        long.obstacles.dedup();
    }
    long
}

fn conclude(
    program: &Program,
    mut entries: Vec<EntryBound>,
    begun: &Bound,
    learned: &Learned,
    (rounds, settled): (usize, bool),
) -> Bounds {
    let anywhere = learned.anywhere.iter().map(|&address| Obstacle {
        address,
        symbol: program.describe(address),
        what: "this store may go anywhere".into(),
        fact: crate::facts::elsewhere_line(&program.describe(address)),
    });
    let mut common: Vec<Obstacle> = anywhere.chain(begun.obstacles.iter().cloned()).collect();
    if !settled {
        common.push(Obstacle {
            address: 0,
            symbol: String::new(),
            what: format!("after {rounds} rounds over all entries they still store new numbers"),
            fact: String::new(),
        });
    }
    if !common.is_empty() {
        for entry in &mut entries {
            entry.bound.time = None;
            entry.bound.obstacles.extend(common.iter().cloned());
            entry.bound.obstacles.sort();
            entry.bound.obstacles.dedup();
        }
    }
    let resumed = entries.iter().filter_map(|entry| entry.bound.resumed).chain(begun.resumed).max();
    Bounds { entries, resumed, resumptions: BTreeSet::new(), rounds }
}
