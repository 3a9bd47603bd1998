//! The states of one core.

use std::collections::HashSet;
use std::marker::PhantomData;

use fusee_kernel::{EarliestDeadline, Error, FixedPriority, PriorityCeiling, Protocol, Time};

use crate::blockings::Blockings;
use crate::breadth_first::{self, Extent, Space};
use crate::check;
use crate::encode::encode;
use crate::fast_paths;
use crate::origins::Origins;
use crate::rule::ensure;
use crate::systems::PolicyKind;
use crate::{
    Breach, Checked, Ledger, Rule, Rules, Step, Store, System, Tape, Transition, Violation,
};

/// The result of a search.
#[derive(Debug)]
pub struct Report {
    /// The number of distinct states.
    pub states: usize,
    /// Steps taken from them, each checked.
    pub steps: usize,
    /// Steps that the kernel refused, with the state unchanged.
    pub refused: usize,
    /// Steps of the longest of the shortest histories.
    pub depth: usize,
    /// The first violation, which has a shortest history.
    pub violation: Option<Violation>,
    /// `true` if all states were visited; false after a violation, or when `limit` was reached.
    pub complete: bool,
}

pub(crate) struct Node<P: Rules> {
    number: u32,
    store: Store<P>,
    past: Past,
    now: Time,
}

/// The history on the way to a state.
#[derive(Clone)]
struct Past {
    ledger: Ledger,
    blockings: Blockings,
}

/// A state's encoding and how it has come about, if it is new.
type Fresh = Option<(Box<[u8]>, Past)>;

struct Search<'s, P> {
    system: &'s System,
    seen: HashSet<Box<[u8]>>,
    origins: Origins<Step>,
    report: Report,
    policy: PhantomData<P>,
}

/// Visits every state that a system can reach, up to `limit` states.
pub fn explore(system: &System, limit: usize) -> Report {
    match system.policy {
        PolicyKind::FixedPriority => search::<FixedPriority>(system, limit),
        PolicyKind::PriorityCeiling => search::<PriorityCeiling>(system, limit),
        PolicyKind::EarliestDeadline => search::<EarliestDeadline>(system, limit),
    }
}

fn search<P: Rules>(system: &System, limit: usize) -> Report {
    let report =
        Report { states: 0, steps: 0, refused: 0, depth: 0, violation: None, complete: false };
    let (seen, origins) = (HashSet::new(), Origins::new());
    let mut search = Search::<P> { system, seen, origins, report, policy: PhantomData };
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

impl<P: Rules> Space for Search<'_, P> {
    type Node = Node<P>;
    type Violation = Violation;

    fn states(&self) -> usize {
        self.seen.len()
    }

    fn expand(&mut self, node: &Node<P>, next: &mut Vec<Node<P>>) -> Result<(), Violation> {
        let mut store = node.store.clone();
        for step in Step::all(self.system, &node.store, node.now) {
            let mut now = node.now;
            let checked = self.take(step, node, &mut store, &mut now);
            let fresh = checked.map_err(|breach| Violation {
                breach,
                steps: self.origins.path(node.number, step),
            })?;
            if let Some((code, past)) = fresh {
                self.seen.insert(code);
                let number = self.origins.add(node.number, step);
                next.push(Node { number, store, past, now });
                store = node.store.clone();
            } else {
                store.copy_from(&node.store);
            }
        }
        Ok(())
    }
}

impl<P: Rules> Search<'_, P> {
    /// The checked first state.
    fn start(&mut self) -> Result<Node<P>, Breach> {
        let tables = &self.system.tables;
        let store = Store::start(tables).expect("the tables of a system are right");
        let past = Past { ledger: Ledger::start(tables), blockings: Blockings::start(tables) };
        let now = self.system.begins;
        past.ledger.compare(tables, &store, now)?;
        self.check(&store, &past)?;
        let code = self.encode(&store, &past, now);
        self.seen.insert(code);
        self.origins.add(0, Step::Tick);
        Ok(Node { number: 0, store, past, now })
    }

    /// Takes and checks a step; where it leads to, if that is new.
    fn take(
        &mut self,
        step: Step,
        node: &Node<P>,
        store: &mut Store<P>,
        now: &mut Time,
    ) -> Result<Fresh, Breach> {
        let tables = &self.system.tables;
        let mut tape = Tape::default();
        let mut past = None;
        let promised = fast_paths::goes_on(step, tables, (&node.store, *now));
        let taken = step.take(tables, store, now, &mut tape);
        node.past.ledger.refuses(tables, step, taken.as_ref().err().copied())?;
        match taken {
            Err(error) => {
                self.report.refused += 1;
                self.unchanged(node, store, error)?;
                return Ok(None);
            }
            Ok(None) => {}
            Ok(Some(outcome)) => {
                fast_paths::check(promised, &outcome)?;
                let (before, records) = (&node.store, &*tape.records);
                let taken =
                    Transition { tables, before, after: store, now: *now, step, outcome, records };
                let past = past.insert(node.past.clone());
                past.ledger.follow(&taken)?;
                self.wait(past, store)?;
            }
        }
        self.report.steps += 1;
        let code = self.encode(store, past.as_ref().unwrap_or(&node.past), *now);
        if self.seen.contains(&code) {
            return Ok(None);
        }
        let past = past.unwrap_or_else(|| node.past.clone());
        self.check(store, &past)?;
        Ok(Some((code, past)))
    }

    fn encode(&self, store: &Store<P>, past: &Past, now: Time) -> Box<[u8]> {
        let mut bytes = encode(self.system, store, now);
        if self.system.promises.waits.is_some() {
            past.blockings.encode(&mut bytes);
        }
        bytes.into_boxed_slice()
    }

    fn wait(&self, past: &mut Past, store: &Store<P>) -> Checked {
        let Some(most) = self.system.promises.waits else { return Ok(()) };
        past.blockings.follow(&past.ledger, (&self.system.tables, store), most)
    }

    /// Checks the rules that must hold in every state.
    fn check(&self, store: &Store<P>, past: &Past) -> Checked {
        let tables = &self.system.tables;
        check::state(tables, store, &|thread, depth| {
            past.ledger.demand::<P>(tables, thread, depth)
        })?;
        let free = |protocol| matches!(protocol, Protocol::Srp { .. } | Protocol::NonPreemptive);
        for (thread, state) in store.threads.iter().enumerate() {
            let at = state.gate().filter(|gate| free(tables.gates[gate.at()].protocol));
            ensure(Rule::Unheld, !self.system.promises.unheld || at.is_none(), || {
                format!("T{thread} finds G{} held", state.waits_at)
            })?;
        }
        Ok(())
    }

    fn unchanged(&self, node: &Node<P>, store: &Store<P>, error: Error) -> Checked {
        let what = || format!("refused with {error:?}, yet the state changed");
        ensure(Rule::Refusals, *store == node.store, what)?;
        let circle = error == Error::Deadlock && self.system.promises.no_circles;
        ensure(Rule::Circles, !circle, || "a call would close a circle".to_owned())
    }
}
