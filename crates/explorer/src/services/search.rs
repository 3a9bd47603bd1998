//! The states of threads that sleep on each other's account.

use std::collections::HashSet;
use std::fmt::Write;
use std::marker::PhantomData;

use fusee_kernel::{CeilingServices, DeadlineServices, LockServices};
use fusee_kernel::{NEVER, ResumeReason, Status, ThreadIndex, Time};

use super::next;
use super::systems::Under;
use super::world::Serviced;
use super::{Rule, Step, System, World};
use crate::breach;
use crate::breadth_first::{self, Extent, Space};
use crate::lists::list;
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
    /// The number of states in which a thread sleeps.
    pub asleep: usize,
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
        match system.under {
            Under::Levels => self.under::<LockServices>(system),
            Under::Ceilings => self.under::<CeilingServices>(system),
            Under::Deadlines => self.under::<DeadlineServices>(system),
        }
    }

    fn under<P: Serviced>(&self, system: &System) -> String {
        let mut world = World::<P>::start(system);
        let mut text = format!("{}: {}\n", system.name, self.breach);
        for (number, &step) in self.steps.iter().enumerate() {
            let running = world.store.running();
            let _ = world.take(system, step);
            let who = running.map_or("idle".to_owned(), |running| format!("T{running}"));
            let _ = write!(text, "{:3}. {who}: {step:?}\n    ", number + 1);
            for (index, thread) in world.store.threads.iter().enumerate() {
                let (status, urgency) = (status_name(thread.status), P::tell(thread.effective));
                let _ = write!(text, " T{index} {status} at {urgency};");
            }
            text.push('\n');
        }
        text
    }
}

struct Node<P: Serviced> {
    number: u32,
    world: World<P>,
}

struct Search<'s, P> {
    system: &'s System,
    seen: HashSet<Box<[u8]>>,
    origins: Origins<Step>,
    steps: usize,
    asleep: usize,
    policy: PhantomData<P>,
}

/// Visits every state of a system, up to `limit` states.
pub fn explore(system: &System, limit: usize) -> Report {
    match system.under {
        Under::Levels => under::<LockServices>(system, limit),
        Under::Ceilings => under::<CeilingServices>(system, limit),
        Under::Deadlines => under::<DeadlineServices>(system, limit),
    }
}

fn under<P: Serviced>(system: &System, limit: usize) -> Report {
    let world = World::<P>::start(system);
    let seen = HashSet::from([encode(system, &world)]);
    let mut origins = Origins::new();
    let number = origins.add(0, Step::Reprioritise(ThreadIndex(0), 0));
    let (steps, asleep, policy) = (0, 0, PhantomData);
    let mut search = Search { system, seen, origins, steps, asleep, policy };
    let Extent { depth, violation, complete } =
        breadth_first::search(&mut search, Node { number, world }, limit);
    let Search { seen, steps, asleep, .. } = search;
    Report { states: seen.len(), steps, depth, asleep, violation, complete }
}

impl<P: Serviced> Space for Search<'_, P> {
    type Node = Node<P>;
    type Violation = Violation;

    fn states(&self) -> usize {
        self.seen.len()
    }

    fn expand(&mut self, node: &Node<P>, new: &mut Vec<Node<P>>) -> Result<(), Violation> {
        for step in next::steps(self.system, &node.world) {
            let mut world = node.world.clone();
            let refused = world.take(self.system, step).map_err(|breach| Violation {
                breach,
                steps: self.origins.path(node.number, step),
            })?;
            if refused {
                continue;
            }
            self.steps += 1;
            if self.seen.insert(encode(self.system, &world)) {
                self.asleep += usize::from(world.ledger.asleep.iter().any(Option::is_some));
                let number = self.origins.add(node.number, step);
                new.push(Node { number, world });
            }
        }
        Ok(())
    }
}

/// Encodes the rest of budgets, and the thread that pays with its limit, if time is limited.
fn budgets<P: Serviced>(world: &World<P>, bytes: &mut Vec<u8>) {
    let core = &world.store.cores[0];
    let left = |time: Time| time.min(Time::from(u8::MAX)) as u8;
    if core.limit != NEVER {
        bytes.extend([left(core.limit.saturating_sub(world.now)), left(world.now - core.since)]);
    }
    bytes.push(core.lender.0 as u8);
    bytes.extend(world.store.threads.iter().map(|thread| left(thread.budget)));
}

/// Returns the canonical encoding of a state: equal exactly when all goes on equally.
fn encode<P: Serviced>(system: &System, world: &World<P>) -> Box<[u8]> {
    let store = &world.store;
    let mut bytes = vec![store.cores[0].current.0 as u8];
    for (index, thread) in store.threads.iter().enumerate() {
        let waits = if thread.status == Status::AtGate { thread.waits_at as u8 } else { u8::MAX };
        let value = if thread.reason == ResumeReason::Signal { thread.value as u8 } else { 0 };
        bytes.extend([thread.status as u8, waits]);
        bytes.extend([thread.reason as u8, value, thread.depth()]);
        for frame in world.frames(index) {
            let stale = world.is_stale_frame(frame);
            bytes.extend([frame.gate.0 as u8, frame.component.0 as u8, u8::from(stale)]);
        }
    }
    for state in &store.gates {
        bytes.extend([state.holder.0 as u8, state.word.mutex.under.0 as u8]);
        bytes.push(u8::from(state.word.woken));
        list(store, &state.waiters, &mut bytes);
    }
    P::encode(&system.tables, store, world.now, &mut bytes);
    let state = |component: &fusee_kernel::Component| {
        u8::from(component.is_dead()) + 2 * u8::from(component.is_unrestored())
    };
    bytes.extend(store.components.iter().map(state));
    budgets(world, &mut bytes);
    // Where the kernel is right these say nothing new; where it is not they may.
    for asleep in &world.ledger.asleep {
        let (row, target) = asleep.unwrap_or((usize::from(u8::MAX), 0));
        bytes.extend([row as u8, target as u8]);
    }
    for (row, thread) in &world.ledger.woken {
        bytes.extend([*row as u8, *thread as u8]);
    }
    bytes.into_boxed_slice()
}
