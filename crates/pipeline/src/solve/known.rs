//! All that searches know of a description.

use std::cell::Cell;

use fusee_model::System;

use super::judge::Judge;
use crate::costs::Costs;
use crate::load::Loaded;
use crate::methods::Proved;

/// A description with all that judges need.
pub(super) struct Known<'a> {
    pub(super) system: &'a System,
    pub(super) costs: &'a Costs,
    pub(super) proved: &'a Proved,
    pub(super) audsley: bool,
    pub(super) loaded: &'a Loaded,
    pub(super) cores: u32,
    pub(super) effort: u64,
    pub(super) spent: Cell<u64>,
}

impl Known<'_> {
    /// Does a search with its own effort.
    pub(super) fn searching<T>(&self, search: impl FnOnce(&Judge<'_>) -> T) -> T {
        let judge = Judge {
            described: self.system,
            costs: self.costs,
            proved: self.proved,
            audsley: self.audsley,
            span: &|origin| self.loaded.origins.span(origin),
            left: Cell::new(self.effort),
        };
        let found = search(&judge);
        self.spent.set(self.spent.get() + (self.effort - judge.left.get()));
        found
    }
}
