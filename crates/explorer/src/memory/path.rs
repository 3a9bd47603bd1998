//! What a core would do, as far as that is known.

use std::collections::HashMap;
use std::rc::Rc;

use super::op::{Op, Weakness};
use super::program::{Program, follow};

/// How a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The last operation's answer is missing.
    Asks,
    /// The last answer was not what is waited for.
    Again,
    /// The code is at its end.
    Done,
}

/// A core's operations with given answers.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) ops: Vec<Op>,
    pub(super) notes: Vec<u32>,
    pub(super) end: End,
}

impl Path {
    /// The operation that gives the answer of this number.
    pub(super) fn asks(&self, answer: usize) -> Option<usize> {
        let mut asking = self.ops.iter().enumerate().filter(|(_, op)| op.answers());
        asking.nth(answer).map(|(at, _)| at)
    }
}

/// All paths that were followed so far.
#[derive(Debug)]
pub(super) struct Paths {
    programs: Vec<Program>,
    weakness: Option<Weakness>,
    known: HashMap<(usize, Vec<u32>), Rc<Path>>,
}

impl Paths {
    pub(super) fn new(programs: Vec<Program>, weakness: Option<Weakness>) -> Paths {
        Paths { programs, weakness, known: HashMap::new() }
    }

    pub(super) fn cores(&self) -> usize {
        self.programs.len()
    }

    pub(super) fn of(&mut self, core: usize, answers: &[u32]) -> Rc<Path> {
        let key = (core, answers.to_vec());
        if let Some(path) = self.known.get(&key) {
            return Rc::clone(path);
        }
        let path = Rc::new(follow((self.programs[core], core), answers, self.weakness));
        self.known.insert(key, Rc::clone(&path));
        path
    }
}
