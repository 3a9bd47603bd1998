//! All orders, level by level.

use std::collections::HashSet;

use super::machine::{Machine, Rest, Step};
use super::op::Weakness;
use super::paths::Paths;
use super::systems::{Last, System};
use crate::breadth_first::{self, Extent, Space};
use crate::origins::Origins;

/// The result of a search.
#[derive(Debug)]
pub struct Report {
    /// The number of distinct states.
    pub states: usize,
    /// States in which nothing more happens.
    pub ends: usize,
    /// Steps of the longest of the shortest histories.
    pub depth: usize,
    /// A condition that does not hold at some end, and a shortest history of it.
    pub violation: Option<Violation>,
    /// `true` if all states were visited.
    pub complete: bool,
}

/// A broken condition, and the cores' steps that have led there.
#[derive(Debug)]
pub struct Violation {
    /// The condition that is broken.
    pub what: String,
    /// The steps, each with its core.
    pub steps: Vec<(usize, Step)>,
}

struct Node {
    number: u32,
    machine: Machine,
}

struct Search<'s> {
    system: &'s System,
    paths: Paths,
    seen: HashSet<Box<[u8]>>,
    origins: Origins<(usize, Step)>,
    ends: usize,
}

/// Visits every state of a system, up to `limit` states.
pub fn explore(system: &System, weakness: Option<Weakness>, limit: usize) -> Report {
    let paths = Paths::new(system.cores.to_vec(), weakness);
    let machine = Machine::start(paths.cores(), system.words);
    let (seen, mut origins) = (HashSet::from([machine.encode()]), Origins::new());
    let number = origins.add(0, (0, Step::Guess(0)));
    let mut search = Search { system, paths, seen, origins, ends: 0 };
    let Extent { depth, violation, complete } =
        breadth_first::search(&mut search, Node { number, machine }, limit);
    Report { states: search.seen.len(), ends: search.ends, depth, violation, complete }
}

impl Space for Search<'_> {
    type Node = Node;
    type Violation = Violation;

    fn states(&self) -> usize {
        self.seen.len()
    }

    fn expand(&mut self, node: &Node, new: &mut Vec<Node>) -> Result<(), Violation> {
        let mut at_end = true;
        for core in 0..self.paths.cores() {
            for (step, machine) in node.machine.steps(&mut self.paths, core, self.system.most) {
                at_end &= matches!(step, Step::Guess(_));
                if self.seen.insert(machine.encode()) {
                    let number = self.origins.add(node.number, (core, step));
                    new.push(Node { number, machine });
                }
            }
        }
        if at_end && node.machine.is_certain(&mut self.paths) {
            self.ends += 1;
            return self.check(node);
        }
        Ok(())
    }
}

impl Search<'_> {
    fn check(&mut self, node: &Node) -> Result<(), Violation> {
        let mut last = Last { words: &node.machine.words, notes: Vec::new() };
        let mut waits = None;
        for (core, own) in node.machine.cores.iter().enumerate() {
            last.notes.push(self.paths.of(core, &own.answers).notes.clone());
            if node.machine.rest(&mut self.paths, core) == Rest::Waits {
                waits = Some(core);
            }
        }
        let checked = match waits {
            Some(core) => Err(format!("core {core} waits for ever")),
            None => (self.system.holds)(&last),
        };
        let steps = || {
            let mut steps = Vec::new();
            if node.number > 0 {
                steps = self.origins.path(node.number, (0, Step::Guess(0)));
                steps.pop();
            }
            steps
        };
        checked.map_err(|what| Violation { what, steps: steps() })
    }
}
