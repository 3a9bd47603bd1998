//! The paths of cores, remembered.

use std::collections::HashMap;
use std::rc::Rc;

use super::op::Weakness;
use super::path::Path;
use super::program::{Program, follow};

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
