//! The states of one core.

use std::collections::HashSet;

use fusee_kernel::Time;

use crate::breadth_first::{self, Extent, Space};
use crate::encode::encode;
use crate::origins::Origins;
use crate::{Breach, Checked, History, Ledger, Rule, Step, Store, System, Tape, Transition, check};

/// What a search has found.
#[derive(Debug)]
pub struct Report {
    /// Distinct states.
    pub states: usize,
    /// Steps taken from them, each checked.
    pub steps: usize,
    /// Steps that the kernel refused, with the state unchanged.
    pub refused: usize,
    /// Steps of the longest of the shortest histories.
    pub depth: usize,
    /// The first violation, which has a shortest history.
    pub violation: Option<Violation>,
    /// Whether all states were visited; false after a violation, or when `limit` was reached.
    pub complete: bool,
}

/// A rule that does not hold, and how it came to that.
#[derive(Debug)]
pub struct Violation {
    /// What does not hold.
    pub breach: Breach,
    /// The steps from the start, the last one at fault.
    pub steps: Vec<Step>,
}

impl Violation {
    /// The history, told step by step.
    pub fn history<'s>(&'s self, system: &'s System) -> History<'s> {
        History { system, violation: self }
    }
}

pub(crate) struct Node {
    number: u32,
    store: Store,
    ledger: Ledger,
    now: Time,
}

/// A state's encoding and its ledger, if it is new.
type Fresh = Option<(Box<[u8]>, Ledger)>;

struct Search<'s> {
    system: &'s System,
    seen: HashSet<Box<[u8]>>,
    origins: Origins<Step>,
    report: Report,
}

/// Visits every state that a system can reach, up to `limit` states.
pub fn explore(system: &System, limit: usize) -> Report {
    let report =
        Report { states: 0, steps: 0, refused: 0, depth: 0, violation: None, complete: false };
    let mut search = Search { system, seen: HashSet::new(), origins: Origins::new(), report };
    let mut report = match search.start() {
        Err(breach) => {
            let violation = Violation { breach, steps: Vec::new() };
            Report { violation: Some(violation), ..search.report }
        }
        Ok(start) => {
            let Extent { depth, violation, complete } =
                breadth_first::search(&mut search, start, limit);
            Report { depth, violation, complete, ..search.report }
        }
    };
    report.states = search.seen.len();
    report
}

impl Space for Search<'_> {
    type Node = Node;
    type Violation = Violation;

    fn states(&self) -> usize {
        self.seen.len()
    }

    fn expand(&mut self, node: &Node, next: &mut Vec<Node>) -> Result<(), Violation> {
        let mut store = node.store.clone();
        for step in Step::all(self.system, &node.store, node.now) {
            let mut now = node.now;
            let checked = self.take(step, node, &mut store, &mut now);
            let fresh = checked.map_err(|breach| Violation {
                breach,
                steps: self.origins.path(node.number, step),
            })?;
            if let Some((code, ledger)) = fresh {
                self.seen.insert(code);
                let number = self.origins.add(node.number, step);
                next.push(Node { number, store, ledger, now });
                store = node.store.clone();
            } else {
                store.clone_from(&node.store);
            }
        }
        Ok(())
    }
}

impl Search<'_> {
    /// The checked first state.
    fn start(&mut self) -> Result<Node, Breach> {
        let tables = &self.system.tables;
        let store = Store::start(tables).expect("the tables of a system are right");
        let ledger = Ledger::start(tables);
        ledger.compare(tables, &store, 0)?;
        check::state(tables, &store)?;
        self.seen.insert(encode(self.system, &store, 0));
        self.origins.add(0, Step::Tick);
        Ok(Node { number: 0, store, ledger, now: 0 })
    }

    /// Takes and checks a step; where it leads to, if that is new.
    fn take(
        &mut self,
        step: Step,
        node: &Node,
        store: &mut Store,
        now: &mut Time,
    ) -> Result<Fresh, Breach> {
        let tables = &self.system.tables;
        let mut tape = Tape::default();
        let mut ledger = None;
        let taken = step.take(tables, store, now, &mut tape);
        node.ledger.refuses(tables, step, taken.as_ref().err().copied())?;
        match taken {
            Err(error) => {
                self.report.refused += 1;
                unchanged(node, store, error)?;
                return Ok(None);
            }
            Ok(None) => {}
            Ok(Some(outcome)) => {
                let (before, records) = (&node.store, &*tape.records);
                let taken =
                    Transition { tables, before, after: store, now: *now, step, outcome, records };
                ledger.insert(node.ledger.clone()).follow(&taken)?;
            }
        }
        self.report.steps += 1;
        let code = encode(self.system, store, *now);
        if self.seen.contains(&code) {
            return Ok(None);
        }
        check::state(tables, store)?;
        Ok(Some((code, ledger.unwrap_or_else(|| node.ledger.clone()))))
    }
}

fn unchanged(node: &Node, store: &Store, error: fusee_kernel::Error) -> Checked {
    let what = || format!("refused with {error:?}, yet the state changed");
    crate::rule::ensure(Rule::Refusals, *store == node.store, what)
}
