//! The states of schedulers that share time.

use std::collections::HashSet;

use fusee_kernel::tcaps::{Standing, Tables};

use super::encode::encode;
use super::view::View;
use super::{Rule, Step, System, World};
use crate::breach;
use crate::breadth_first::{self, Extent, Space};
use crate::origins::Origins;

/// The result of a search.
#[derive(Debug)]
pub struct Report {
    /// The number of distinct states.
    pub states: usize,
    /// Steps taken from them, each checked.
    pub steps: usize,
    /// Steps that were refused, each checked.
    pub refused: usize,
    /// Steps of the longest of the shortest histories.
    pub depth: usize,
    /// The number of states in which a thread runs that the running scheduler's tree has not
    /// dispatched: by an interrupt, a delegation or an inheritance.
    pub activated: usize,
    /// The first violation, which has a shortest history.
    pub violation: Option<Violation>,
    /// `true` if all states were visited; false after a violation, or when `limit` was reached.
    pub complete: bool,
}

/// A rule that does not hold, and how it came to that.
pub type Violation = breach::Violation<Rule, Step>;

pub(crate) struct Node {
    number: u32,
    world: World,
}

struct Search<'s> {
    system: &'s System,
    tables: Tables<'static>,
    seen: HashSet<Box<[u8]>>,
    origins: Origins<Step>,
    report: Report,
}

/// Visits every state that a system can reach, up to `limit` states.
pub fn explore(system: &System, limit: usize) -> Report {
    let report = Report {
        states: 0,
        steps: 0,
        refused: 0,
        depth: 0,
        activated: 0,
        violation: None,
        complete: false,
    };
    let tables = system.tables();
    let (seen, origins) = (HashSet::new(), Origins::new());
    let mut search = Search { system, tables, seen, origins, report };
    let world = World::start(&tables);
    search.seen.insert(encode(&View::of(&tables, &world.store, world.now), &world.ledger));
    search.origins.add(0, Step::Tick);
    let Extent { depth, violation, complete } =
        breadth_first::search(&mut search, Node { number: 0, world }, limit);
    let states = search.seen.len();
    Report { states, depth, violation, complete, ..search.report }
}

impl Space for Search<'_> {
    type Node = Node;
    type Violation = Violation;

    fn states(&self) -> usize {
        self.seen.len()
    }

    fn expand(&mut self, node: &Node, new: &mut Vec<Node>) -> Result<(), Violation> {
        let tables = self.tables;
        let timer = node.world.clone().timer(&tables);
        let view = View::of(&tables, &node.world.store, node.world.now);
        let mut world = node.world.clone();
        for step in Step::all(&view, timer, &self.system.tries) {
            let taken = world.take(&tables, step, self.system.tries.late);
            let refused = taken.map_err(|breach| Violation {
                breach,
                steps: self.origins.path(node.number, step),
            })?;
            if refused.is_some() {
                self.report.refused += 1;
                continue;
            }
            self.report.steps += 1;
            let after = View::of(&tables, &world.store, world.now);
            if self.seen.insert(encode(&after, &world.ledger)) {
                self.report.activated += usize::from(is_undispatched(&after));
                let number = self.origins.add(node.number, step);
                new.push(Node { number, world: world.clone() });
            }
            world.clone_from(&node.world);
        }
        Ok(())
    }
}

/// Returns `true` if no scheduler has just chosen the running thread.
fn is_undispatched(view: &View<'_>) -> bool {
    view.running.is_some_and(|running| {
        view.scheduler_of(running).is_some_and(|scheduler| {
            view.standing(view.thread_of(scheduler)) != Standing::Placed
                || view.store.schedulers[scheduler].place.at() != running
        })
    })
}
