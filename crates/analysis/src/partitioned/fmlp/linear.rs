//! FMLP+ by the name of its linear program.
//!
//! [`FmlpPlus`](super::FmlpPlus) keeps all of the program's limits without a solver, so both give
//! the same bounds. The program itself is here for whoever wants to add constraints.

use super::Layout;
use super::counted::Counted;
use crate::linear::Program;
use crate::partitioned::SUSPENDING_ASSUMPTIONS;
use crate::partitioned::response::{Asked, ByResponses, Responses};
use crate::{Exactness, Family, Metadata, TaskSet};

/// FMLP+ under fixed priorities, as the optimum of its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FmlpPlusLinear;

fn deadlines(set: &TaskSet) -> Vec<u64> {
    set.tasks().iter().map(|t| t.deadline).collect()
}

impl FmlpPlusLinear {
    /// The program of one task in a window, others being complete by their deadlines; `None`: there
    /// is no such task.
    pub fn program(set: &TaskSet, task: usize, window: u64) -> Option<Program> {
        if task >= set.tasks().len() {
            return None;
        }
        let layout = Layout::new(set);
        Some(Counted::new(&layout).program(task, window, &deadlines(set)))
    }

    /// Its optimum, without a solver.
    pub fn delay(set: &TaskSet, task: usize, window: u64) -> Option<u64> {
        if task >= set.tasks().len() {
            return None;
        }
        let layout = Layout::new(set);
        Some(Counted::new(&layout).delay(task, window, &deadlines(set)))
    }
}

impl ByResponses for FmlpPlusLinear {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "fmlp-plus-lp",
            title: "FMLP+, optimum of its program",
            source: "after Brandenburg 2013 (optimum of the FMLP+ program)",
            family: Family::PartitionedFixedPriority,
            assumptions: SUSPENDING_ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet, asked: Asked) -> Responses {
        Counted::new(&Layout::new(set)).responses(asked)
    }
}
