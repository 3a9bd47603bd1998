//! The findings of an analysis, and the messages about them.

use fusee_bounds::{Analysis, Growth, Repair};
use fusee_diagnostics::Diagnostic;
use fusee_model::System;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;

use crate::progress;

/// Bounds, repairs, and all diagnostics of the description and of its analysis.
pub struct Analysed {
    /// The bounds of the analysis.
    pub analysis: Analysis,
    /// The smallest changes found, for tasks without guarantee.
    pub repairs: Vec<Repair>,
    /// The amounts by which execution times may grow; empty unless they were asked for.
    pub growths: Vec<Growth>,
    /// The messages from reading, checking and analyzing.
    pub diagnostics: Vec<Diagnostic>,
}

impl Analysed {
    /// Works out how far each execution time may grow.
    pub fn find_growths(&mut self, system: &System, derived: &Derived, costs: &CostTable) {
        self.growths = progress::during("trying longer execution times", || {
            fusee_bounds::sensitivity(system, derived, costs, &self.analysis)
        });
    }
}
