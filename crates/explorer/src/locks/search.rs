//! All interleavings, level by level.

use std::collections::HashSet;
use std::fmt;

use super::Defect;
use super::algorithm::Algorithm;
use super::optimistic::Optimistic;
use super::pessimistic::Pessimistic;
use super::rule::{Breach, Rule, ensure};
use super::scheduler::Thread;
use super::shipped::Shipped;
use super::system::{Kind, Order, System};
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
    /// Steps of the longest of the shortest histories.
    pub depth: usize,
    /// The first violation, which has a shortest history.
    pub violation: Option<Violation>,
    /// `true` if all states were visited.
    pub complete: bool,
}

/// A rule that does not hold, and the steps of each thread until then.
pub type Violation = breach::Violation<Rule, (usize, &'static str)>;

impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.breach)?;
        for (number, (thread, what)) in self.steps.iter().enumerate() {
            writeln!(out, "{:3}. T{thread} {what}", number + 1)?;
        }
        Ok(())
    }
}

struct Node<A> {
    number: u32,
    state: A,
}

struct Search<'s, A> {
    system: &'s System,
    defects: &'s [Defect],
    seen: HashSet<A>,
    origins: Origins<(usize, &'static str)>,
    steps: usize,
}

/// Visits every state of a system whose lock has these defects, up to `limit` states.
pub fn explore(system: &System, defects: &[Defect], limit: usize) -> Report {
    match system.kind {
        Kind::Pessimistic => explore_as::<Pessimistic>(system, defects, limit),
        Kind::Optimistic => explore_as::<Optimistic>(system, defects, limit),
        Kind::Shipped => explore_as::<Shipped>(system, defects, limit),
    }
}

fn explore_as<A: Algorithm>(system: &System, defects: &[Defect], limit: usize) -> Report {
    let state = A::start(system);
    let mut origins = Origins::new();
    let number = origins.add(0, (0, "starts"));
    let seen = HashSet::from([state.clone()]);
    let mut search = Search { system, defects, seen, origins, steps: 0 };
    let Extent { depth, violation, complete } =
        breadth_first::search(&mut search, Node { number, state }, limit);
    Report { states: search.seen.len(), steps: search.steps, depth, violation, complete }
}

impl<A: Algorithm> Space for Search<'_, A> {
    type Node = Node<A>;
    type Violation = Violation;

    fn states(&self) -> usize {
        self.seen.len()
    }

    fn expand(&mut self, node: &Node<A>, new: &mut Vec<Node<A>>) -> Result<(), Violation> {
        let mut state = node.state.clone();
        let mut stuck = true;
        for thread in state.scheduler().threads() {
            let mut state = node.state.clone();
            let (what, checked) = match self.step(&mut state, thread) {
                None => continue,
                Some(Ok(what)) => (what, state.check()),
                Some(Err(breach)) => ("makes the step at fault", Err(breach)),
            };
            (stuck, self.steps) = (false, self.steps + 1);
            let step = (usize::from(thread), what);
            checked.map_err(|breach| Violation {
                breach,
                steps: self.origins.path(node.number, step),
            })?;
            if self.seen.insert(state.clone()) {
                let number = self.origins.add(node.number, step);
                new.push(Node { number, state });
            }
        }
        if stuck { self.check_end(node) } else { Ok(()) }
    }
}

impl<A: Algorithm> Search<'_, A> {
    /// Takes a thread's next step, if it may take one.
    fn step(&self, state: &mut A, thread: Thread) -> Option<Result<&'static str, Breach>> {
        if state.scheduler().is_unreleased(thread) {
            state.scheduler().release(thread);
            return Some(Ok("begins"));
        }
        self.may_step(state, thread).then(|| state.step(thread, self.defects))
    }

    fn may_step(&self, state: &A, thread: Thread) -> bool {
        let before_section = |thread| state.is_before_section(thread);
        let mut state = state.clone();
        let scheduler = state.scheduler().clone();
        match self.system.order {
            Order::Any => scheduler.able(thread, before_section(thread)),
            Order::Priorities => {
                let chosen = |from| scheduler.end_of_chain(from, before_section);
                scheduler.threads().rev().find_map(chosen) == Some(thread)
            }
        }
    }

    /// At the end, when nothing more happens, all threads must be done.
    fn check_end(&self, node: &Node<A>) -> Result<(), Violation> {
        let mut state = node.state.clone();
        let scheduler = state.scheduler();
        let mut threads = scheduler.threads();
        let waits = threads.find(|thread| !scheduler.is_done(*thread));
        let Some(waits) = waits else { return Ok(()) };
        let checked =
            ensure(Rule::Progress, false, || format!("T{waits} waits, and nobody goes on"));
        checked.map_err(|breach| Violation {
            breach,
            steps: self.origins.path(node.number, (usize::from(waits), "waits for ever")),
        })
    }
}
