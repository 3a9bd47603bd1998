//! The states of a kernel with schedulers.

use std::collections::HashSet;
use std::fmt::Write;
use std::marker::PhantomData;

use fusee_kernel::{FixedPriority, LockServices, MutexWords, PriorityCeiling};

use super::encode::encode;
use super::system::Policy;
use super::{Rule, Step, System, TreePolicy, World};
use crate::breach;
use crate::breadth_first::{self, Extent, Space};
use crate::origins::Origins;
use crate::step::status_name;

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
    /// The number of states in which a thread runs on another's time.
    pub lent: usize,
    /// The first violation, which has a shortest history.
    pub violation: Option<Violation>,
    /// `true` if all states were visited.
    pub complete: bool,
}

/// A rule that does not hold, and how it came to that.
pub type Violation = breach::Violation<Rule, Step>;

impl Violation {
    /// Returns the history, told step by step.
    pub fn history(&self, system: &System) -> String {
        match system.policy {
            Policy::FixedPriority => self.history_under::<FixedPriority>(system),
            Policy::MutexWords => self.history_under::<MutexWords>(system),
            Policy::LockServices => self.history_under::<LockServices>(system),
            Policy::PriorityCeiling => self.history_under::<PriorityCeiling>(system),
        }
    }

    fn history_under<P: TreePolicy>(&self, system: &System) -> String {
        let mut world = World::<P>::start(system);
        let mut text = format!("{}: {}\n", system.name, self.breach);
        for (number, &step) in self.steps.iter().enumerate() {
            let who = match world.kernel.running() {
                Some(running) => format!("T{running}"),
                None => "idle".to_owned(),
            };
            let refused = world.take(system, step);
            let _ = write!(text, "{:3}. at {}, {who}: {step}", number + 1, world.now);
            text += if refused == Ok(true) { ", refused\n    " } else { "\n    " };
            for (index, thread) in world.kernel.threads.iter().enumerate() {
                let standing = world.trees.dispatcher.end_points[index].standing;
                let _ = write!(text, " T{index} {} {standing:?};", status_name(thread.status));
            }
            let _ = writeln!(text, " {:?}", world.ledger.balances);
        }
        text
    }
}

struct Node<P: TreePolicy> {
    number: u32,
    world: World<P>,
}

struct Search<'s, P> {
    system: &'s System,
    policy: PhantomData<P>,
    seen: HashSet<Box<[u8]>>,
    origins: Origins<Step>,
    steps: usize,
    refused: usize,
    lent: usize,
}

/// Visits every state of a system, up to `limit` states.
pub fn explore(system: &System, limit: usize) -> Report {
    match system.policy {
        Policy::FixedPriority => explore_under::<FixedPriority>(system, limit),
        Policy::MutexWords => explore_under::<MutexWords>(system, limit),
        Policy::LockServices => explore_under::<LockServices>(system, limit),
        Policy::PriorityCeiling => explore_under::<PriorityCeiling>(system, limit),
    }
}

fn explore_under<P: TreePolicy>(system: &System, limit: usize) -> Report {
    let world = World::<P>::start(system);
    let seen = HashSet::from([encode(system, &world)]);
    let mut origins = Origins::new();
    let number = origins.add(0, Step::Tick);
    let mut search =
        Search { system, policy: PhantomData, seen, origins, steps: 0, refused: 0, lent: 0 };
    let Extent { depth, violation, complete } =
        breadth_first::search(&mut search, Node { number, world }, limit);
    let Search { seen, steps, refused, lent, .. } = search;
    Report { states: seen.len(), steps, refused, depth, lent, violation, complete }
}

impl<P: TreePolicy> Space for Search<'_, P> {
    type Node = Node<P>;
    type Violation = Violation;

    fn states(&self) -> usize {
        self.seen.len()
    }

    fn expand(&mut self, node: &Node<P>, new: &mut Vec<Node<P>>) -> Result<(), Violation> {
        for step in Step::all(self.system, &mut node.world.clone()) {
            let mut world = node.world.clone();
            let refused = world.take(self.system, step).map_err(|breach| Violation {
                breach,
                steps: self.origins.path(node.number, step),
            })?;
            if refused {
                self.refused += 1;
                continue;
            }
            self.steps += 1;
            if self.seen.insert(encode(self.system, &world)) {
                self.lent += usize::from(world.kernel.cores[0].lender.is_some());
                let number = self.origins.add(node.number, step);
                new.push(Node { number, world });
            }
        }
        Ok(())
    }
}
