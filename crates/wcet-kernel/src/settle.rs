//! Executing all entries until they store what they were assumed to find.
//!
//! An execution asks what memory can hold, and is answered by what was assumed.
//! While the answers are the same it would go the same way: so an entry is
//! executed again only if something that it has asked for is answered
//! otherwise. But where paths were cut, and one entry went on for several, all
//! of these are.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Bounds, Entry, EntryBound, IDLE, Kernel, Known, Trap};
use fusee_isa::language::Register;
use fusee_isa::riscv::CAUSE;
use fusee_wcet::execute::{Beginning, Bound, Effort, Obstacle, Session, Subject, Supported};
use fusee_wcet::invariant::{Answers, Invariant, Learned};
use fusee_wcet::program::Program;
use fusee_wcet::setting::Setting;
use fusee_wcet::value::{Range, Value};

/// Iterations after which the stores must have settled; each one widens what still grows.
const ITERATIONS: usize = 64;

/// Iterations after that, in which what was assumed is made no more than what was stored.
const NARROWINGS: usize = 4;

/// The beginning of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// Behind the start.
    Start,
    /// At an entry, by its place among them.
    Entry(usize),
    /// Behind a wait with an empty stack, at this address.
    Resumed(u64),
}

/// The last execution of a way in.
struct Executed {
    bound: Bound,
    answers: Answers,
}

/// A kernel whose entries are being bounded.
pub(crate) struct Settling<'k, M> {
    kernel: &'k mut Kernel,
    machine: &'k M,
    entries: &'k [Entry],
    effort: Effort,
    session: Session,
    executed: BTreeMap<Way, Executed>,
}

impl<'k, M: Supported> Settling<'k, M> {
    pub(crate) fn new(
        kernel: &'k mut Kernel,
        machine: &'k M,
        entries: &'k [Entry],
        effort: Effort,
    ) -> Self {
        let session = Session::new(&kernel.facts);
        Self { kernel, machine, entries, effort, session, executed: BTreeMap::new() }
    }

    pub(crate) fn settle(mut self) -> Bounds {
        let (mut iterations, mut narrowed) = (1, 0);
        loop {
            let settled = !self.iteration();
            if self.is_lost() {
                return self.conclude(iterations, true);
            }
            if !settled && iterations < ITERATIONS {
                iterations += 1;
                continue;
            }
            let less = (settled && narrowed < NARROWINGS).then(|| self.narrowed()).flatten();
            let Some(less) = less else { return self.conclude(iterations, settled) };
            self.kernel.invariant = less;
            narrowed += 1;
            iterations += 1;
        }
    }

    /// Returns `true` if a store may go anywhere. Then nothing is known of memory, and in the next
    /// iterations ever more stores would follow it, which only hide the first ones.
    fn is_lost(&self) -> bool {
        self.executed.values().any(|executed| !executed.bound.kernel.learned.anywhere.is_empty())
    }

    /// Executes what would not go on as it did; says whether there is to be another iteration.
    fn iteration(&mut self) -> bool {
        let mut again = self.execute(Way::Start);
        for index in 0..self.entries.len() {
            again |= self.execute(Way::Entry(index));
        }
        let mut seen = BTreeSet::new();
        while let Some(&at) = self.session.resumptions().iter().find(|&at| !seen.contains(at)) {
            seen.insert(at);
            again |= self.execute(Way::Resumed(at));
        }
        again
    }

    /// Returns `true` if an execution would go on in the same way.
    fn holds(&self, executed: &Executed) -> bool {
        self.kernel.invariant.agrees(&executed.answers, &self.kernel.program)
    }

    /// Executes a way in, unless it would go on as it did; says whether others are to be executed
    /// again because of that.
    fn execute(&mut self, way: Way) -> bool {
        let before = self.executed.get(&way);
        if before.is_some_and(|executed| self.holds(executed)) {
            return false;
        }
        let cut = before.is_some_and(|executed| executed.bound.kernel.is_cut);
        if cut {
            // What it went on with for others, and they for it, no longer holds.
            self.executed.retain(|_, executed| !executed.bound.kernel.is_cut);
            self.session.forget_cuts();
        }
        self.kernel.invariant.listen();
        let bound = match way {
            Way::Start => self.begun(),
            Way::Entry(index) => self.entry(&self.entries[index]),
            Way::Resumed(at) => self.resumed(at),
        };
        let answers = self.kernel.invariant.heard();
        let grown = self.absorb(&bound.kernel.learned);
        self.executed.insert(way, Executed { bound, answers });
        grown || cut
    }

    /// Returns the values that were stored last.
    fn learned(&self) -> Learned {
        let mut learned = Learned::default();
        self.executed.values().for_each(|executed| learned.merge(&executed.bound.kernel.learned));
        learned
    }

    /// Makes room in what is assumed for what was stored; says whether that was new.
    fn absorb(&mut self, stored: &Learned) -> bool {
        let mut assumed = self.kernel.invariant.clone();
        let grown = assumed.absorb(stored, &self.kernel.program);
        if grown {
            self.kernel.invariant = assumed;
        }
        grown
    }

    /// Returns the weaker assumption after the last stores, if there is one.
    fn narrowed(&self) -> Option<Invariant> {
        let assumed = &self.kernel.invariant;
        let less = assumed.narrowed(&self.learned(), &self.kernel.program);
        (!less.is_same(assumed)).then_some(less)
    }

    /// Bounds what follows the start.
    fn begun(&mut self) -> Bound {
        let started = &self.kernel.started;
        let beginning = Beginning {
            at: started.at,
            registers: &started.registers,
            memory: &started.on_stack,
            resumed: false,
        };
        let Kernel { program, invariant, facts, .. } = &*self.kernel;
        let setting = Setting::with(program, invariant);
        let subject = Subject { setting, machine: self.machine, facts };
        M::execute_within(&mut self.session, subject, self.effort, &beginning)
    }

    /// Bounds what follows a wait for interrupts with an empty stack.
    fn resumed(&mut self, at: u64) -> Bound {
        let Kernel { program, invariant, started, facts } = &*self.kernel;
        let setting = Setting::with(program, invariant);
        let top = program.register_number(started.stack.end);
        let registers = [(program.architecture().stack_pointer(), Value::constant(top))];
        let beginning = Beginning { at, registers: &registers, memory: &[], resumed: true };
        let subject = Subject { setting, machine: self.machine, facts };
        M::execute_within(&mut self.session, subject, self.effort, &beginning)
    }

    /// Bounds an entry for each of its traps; the longest is what counts.
    fn entry(&mut self, entry: &Entry) -> Bound {
        self.entry_on(entry, &[])
    }

    /// The same where some of memory is known.
    pub(crate) fn entry_on(&mut self, entry: &Entry, memory: &[Known]) -> Bound {
        let Kernel { program, invariant, started, facts } = &*self.kernel;
        let setting = Setting::with(program, invariant);
        let mut worst: Option<Bound> = None;
        for trap in &entry.traps {
            let mut registers: Vec<(Register, Value)> = entry
                .registers
                .iter()
                .map(|&(register, range)| (register, Value::number(range)))
                .collect();
            let at = match *trap {
                Trap::Exception(causes) => {
                    registers.push((CAUSE, Value::number(causes)));
                    started.vector
                }
                Trap::Interrupt(number) => {
                    // The highest bit of the cause is its sign.
                    let sign = i64::MIN >> (64 - 8 * program.register_width().bytes());
                    let cause = Range::constant(sign.wrapping_add_unsigned(number));
                    registers.push((CAUSE, Value::number(cause)));
                    started.interrupt(number)
                }
            };
            let beginning = Beginning { at, registers: &registers, memory, resumed: false };
            let subject = Subject { setting, machine: self.machine, facts };
            let mut bound = M::execute_within(&mut self.session, subject, self.effort, &beginning);
            bound.time = bound.time.and_then(|time| time.checked_add(self.machine.trap()));
            worst = Some(match worst {
                None => bound,
                Some(before) => longer(before, bound),
            });
        }
        worst.unwrap_or_default()
    }

    fn conclude(mut self, iterations: usize, settled: bool) -> Bounds {
        let learned = self.learned();
        let begun =
            self.executed.remove(&Way::Start).map(|executed| executed.bound).unwrap_or_default();
        let (mut found, mut idle) = (Vec::new(), None);
        for (way, Executed { bound, .. }) in self.executed {
            match way {
                Way::Entry(index) => {
                    found.push(EntryBound { name: self.entries[index].name.clone(), bound })
                }
                _ => {
                    idle = Some(match idle {
                        None => bound,
                        Some(before) => longer(before, bound),
                    });
                }
            }
        }
        found.extend(idle.map(|bound| EntryBound { name: IDLE.to_owned(), bound }));
        let unsettled = (!settled).then_some(iterations);
        let common = common(&self.kernel.program, &begun, &learned, unsettled);
        let bounds = conclude(found, &begun, common, iterations);
        Bounds { resumptions: self.session.resumptions().clone(), ..bounds }
    }
}

/// The longer of two bounds, with what both of them rest on.
pub(crate) fn longer(one: Bound, other: Bound) -> Bound {
    let (mut long, short) = if other.time > one.time { (other, one) } else { (one, other) };
    long.stack_bytes = long.stack_bytes.zip(short.stack_bytes).map(|(a, b)| a.max(b));
    long.kernel.resumed = long.kernel.resumed.max(short.kernel.resumed);
    long.grounds.assumptions.extend(short.grounds.assumptions);
    long.grounds.facts_used.extend(short.grounds.facts_used);
    long.coverage.reached.extend(short.coverage.reached);
    long.grounds.contradictions.extend(short.grounds.contradictions);
    long.blocks += short.blocks;
    long.kernel.is_cut |= short.kernel.is_cut;
    long.kernel.learned.merge(&short.kernel.learned);
    if !short.obstacles.is_empty() || short.time.is_none() {
        long.time = None;
        long.obstacles.extend(short.obstacles);
        long.obstacles.sort();
        long.obstacles.dedup();
    }
    long
}

/// Returns what keeps all entries from a bound; `unsettled` is the number of iterations after
/// which the entries still stored new numbers.
fn common(
    program: &Program,
    begun: &Bound,
    learned: &Learned,
    unsettled: Option<usize>,
) -> Vec<Obstacle> {
    let anywhere = learned.anywhere.iter().map(|&address| Obstacle {
        address,
        symbol: program.describe(address),
        what: "this store may go anywhere".into(),
        fact: fusee_wcet::facts::elsewhere_line(&program.describe(address)),
    });
    let mut common: Vec<Obstacle> = anywhere.chain(begun.obstacles.iter().cloned()).collect();
    if let Some(iterations) = unsettled {
        common.push(Obstacle {
            address: 0,
            symbol: String::new(),
            what: format!(
                "after {iterations} iterations over all entries they still store new numbers"
            ),
            fact: String::new(),
        });
    }
    common
}

/// Returns the bounds of all entries, none where something keeps all of them from it.
fn conclude(
    mut entries: Vec<EntryBound>,
    begun: &Bound,
    common: Vec<Obstacle>,
    iterations: usize,
) -> Bounds {
    if !common.is_empty() {
        for entry in &mut entries {
            entry.bound.time = None;
            entry.bound.obstacles.extend(common.iter().cloned());
            entry.bound.obstacles.sort();
            entry.bound.obstacles.dedup();
        }
    }
    let resumed = entries
        .iter()
        .filter_map(|entry| entry.bound.kernel.resumed)
        .chain(begun.kernel.resumed)
        .max();
    Bounds { entries, resumed, resumptions: BTreeSet::new(), iterations }
}
