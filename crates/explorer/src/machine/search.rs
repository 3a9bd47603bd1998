//! The states of the machine.

use std::collections::HashSet;

use fusee_kernel::{Error, FixedPriority, Time};

use super::encode::encode;
use super::found::Found;
use super::history::History;
use super::state::State;
use super::step;
use crate::breadth_first::{self, Extent, Space};
use crate::check;
use crate::origins::Origins;
use crate::rule::ensure;
use crate::{Breach, Checked, Ledger, Rule, Step, System, Tape, Transition, Violation};

/// The policy of the machine that is explored.
type Policy = FixedPriority;

/// The result of a search.
#[derive(Debug)]
pub struct Report {
    /// The number of distinct states.
    pub states: usize,
    /// Traps taken from them, each checked.
    pub steps: usize,
    /// Traps that were refused.
    pub refused: usize,
    /// Steps of the longest of the shortest histories.
    pub depth: usize,
    /// The first violation, which has a shortest history.
    pub violation: Option<Violation>,
    /// `true` if all states were visited.
    pub complete: bool,
}

struct Node {
    number: u32,
    state: State<Policy>,
    ledger: Ledger,
    now: Time,
}

struct Search<'s> {
    system: &'s System,
    seen: HashSet<Box<[u8]>>,
    origins: Origins<Step>,
    steps: usize,
    refused: usize,
}

/// Visits every state that a system on the machine can reach, up to `limit` states.
pub fn explore(system: &System, limit: usize) -> Report {
    let (seen, origins) = (HashSet::new(), Origins::new());
    let mut search = Search { system, seen, origins, steps: 0, refused: 0 };
    let state = State::start(system);
    let (ledger, now) = (Ledger::start(&system.tables), system.begins);
    search.seen.insert(encode(system, &state, now));
    search.origins.add(0, Step::Tick);
    let start = Node { number: 0, state, ledger, now };
    let Extent { depth, violation, complete } = breadth_first::search(&mut search, start, limit);
    let Search { seen, steps, refused, .. } = search;
    Report { states: seen.len(), steps, refused, depth, violation, complete }
}

impl Violation {
    /// Returns the history on the machine, told trap by trap.
    pub fn traps<'s>(&'s self, system: &'s System) -> History<'s> {
        History { system, violation: self }
    }
}

impl Space for Search<'_> {
    type Node = Node;
    type Violation = Violation;

    fn states(&self) -> usize {
        self.seen.len()
    }

    fn expand(&mut self, node: &Node, next: &mut Vec<Node>) -> Result<(), Violation> {
        for step in step::all(self.system, &node.state, node.now) {
            let taken = self.take(step, node).map_err(|breach| Violation {
                breach,
                steps: self.origins.path(node.number, step),
            })?;
            self.steps += 1;
            let (state, ledger, now) = taken;
            if self.seen.insert(encode(self.system, &state, now)) {
                let number = self.origins.add(node.number, step);
                next.push(Node { number, state, ledger, now });
            }
        }
        Ok(())
    }
}

impl Search<'_> {
    /// Takes and checks a step.
    fn take(&mut self, step: Step, node: &Node) -> Result<(State<Policy>, Ledger, Time), Breach> {
        let Step::Event(event) = step else {
            return Ok((node.state.clone(), node.ledger.clone(), node.now + 1));
        };
        let (mut state, mut ledger) = (node.state.clone(), node.ledger.clone());
        let tables = &self.system.tables;
        let mut tape = Tape::default();
        let way = state.trap(self.system, event, (node.now, &mut tape));
        let stray = tape.is_stray;
        let found = state.follow(self.system, way)?;
        let found = if stray { Found::Refused(Error::NoSuchObject) } else { found };
        match found {
            Found::Refused(error) => {
                ledger.refuses(tables, step, Some(error))?;
                self.refused += 1;
                ensure(Rule::Refusals, state.store == node.state.store, || {
                    format!("refused with {error:?}, yet the state changed")
                })?;
            }
            Found::Done(outcome) => {
                ledger.refuses(tables, step, None)?;
                let (before, after) = (&node.state.store, &state.store);
                let (now, records) = (node.now, &*tape.records);
                let taken = Transition { tables, before, after, now, step, outcome, records };
                ledger.follow(&taken)?;
                self.check(&state, &ledger)?;
            }
        }
        Ok((state, ledger, node.now))
    }

    /// Checks the rules that must hold in every state.
    fn check(&self, state: &State<Policy>, ledger: &Ledger) -> Checked {
        let tables = &self.system.tables;
        check::state(tables, &state.store, &|thread, depth| {
            ledger.demand::<Policy>(tables, thread, depth)
        })
    }
}
