//! The states of threads that share mutex words.

use std::collections::HashSet;
use std::fmt::Write;
use std::marker::PhantomData;

use fusee_kernel::{CeilingWords, DeadlineWords, MutexWords};

use super::encode::encode;
use super::next;
use super::system::Under;
use super::world::Worded;
use super::{Rule, Step, System, Weakness, World};
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
    /// Steps of the longest of the shortest histories.
    pub depth: usize,
    /// The number of states in which a thread waits for a mutex.
    pub contended: usize,
    /// The first violation, which has a shortest history.
    pub violation: Option<Violation>,
    /// `true` if all states were visited.
    pub complete: bool,
}

/// A rule that does not hold, and how it came to that.
pub type Violation = breach::Violation<Rule, Step>;

impl Violation {
    /// Returns the history, told step by step.
    pub fn history(&self, system: &System, weakness: Option<Weakness>) -> String {
        match system.under {
            Under::Levels => self.under::<MutexWords>(system, weakness),
            Under::Ceilings => self.under::<CeilingWords>(system, weakness),
            Under::Deadlines => self.under::<DeadlineWords>(system, weakness),
        }
    }

    fn under<P: Worded>(&self, system: &System, weakness: Option<Weakness>) -> String {
        let mut world = World::<P>::start(system);
        let mut text = format!("{}: {}\n", system.name, self.breach);
        for (number, &step) in self.steps.iter().enumerate() {
            let running = world.store.running();
            let _ = world.take(system, step, weakness);
            let who = running.map_or("idle".to_owned(), |running| format!("T{running}"));
            let _ = write!(text, "{:3}. {who}: {step}\n    ", number + 1);
            for (index, thread) in world.store.threads.iter().enumerate() {
                let (status, urgency) = (status_name(thread.status), P::tell(thread.effective));
                let _ = write!(text, " T{index} {status} at {urgency};");
            }
            for mutex in super::world::mutexes(&system.tables) {
                let _ = write!(text, " M{mutex} {:#x};", world.store.gates[mutex].word.value);
            }
            text.push('\n');
        }
        text
    }
}

struct Node<P: Worded> {
    number: u32,
    world: World<P>,
}

struct Search<'s, P> {
    system: &'s System,
    weakness: Option<Weakness>,
    seen: HashSet<Box<[u8]>>,
    origins: Origins<Step>,
    steps: usize,
    contended: usize,
    policy: PhantomData<P>,
}

/// Visits every state of a system on a machine that may be weak, up to `limit` states.
pub fn explore(system: &System, weakness: Option<Weakness>, limit: usize) -> Report {
    match system.under {
        Under::Levels => under::<MutexWords>(system, weakness, limit),
        Under::Ceilings => under::<CeilingWords>(system, weakness, limit),
        Under::Deadlines => under::<DeadlineWords>(system, weakness, limit),
    }
}

fn under<P: Worded>(system: &System, weakness: Option<Weakness>, limit: usize) -> Report {
    let world = World::<P>::start(system);
    let seen = HashSet::from([encode(system, &world)]);
    let mut origins = Origins::new();
    let number = origins.add(0, Step::GoOn);
    let (steps, contended, policy) = (0, 0, PhantomData);
    let mut search = Search { system, weakness, seen, origins, steps, contended, policy };
    let Extent { depth, violation, complete } =
        breadth_first::search(&mut search, Node { number, world }, limit);
    let Search { seen, steps, contended, .. } = search;
    Report { states: seen.len(), steps, depth, contended, violation, complete }
}

impl<P: Worded> Space for Search<'_, P> {
    type Node = Node<P>;
    type Violation = Violation;

    fn states(&self) -> usize {
        self.seen.len()
    }

    fn expand(&mut self, node: &Node<P>, new: &mut Vec<Node<P>>) -> Result<(), Violation> {
        for step in next::steps(self.system, &node.world) {
            let mut world = node.world.clone();
            let refused = world.take(self.system, step, self.weakness).map_err(|breach| {
                Violation { breach, steps: self.origins.path(node.number, step) }
            })?;
            if refused {
                continue;
            }
            self.steps += 1;
            if self.seen.insert(encode(self.system, &world)) {
                let waits = |gate: &fusee_kernel::Gate<_>| !gate.waiters.is_empty();
                self.contended += usize::from(world.store.gates.iter().any(waits));
                let number = self.origins.add(node.number, step);
                new.push(Node { number, world });
            }
        }
        Ok(())
    }
}
