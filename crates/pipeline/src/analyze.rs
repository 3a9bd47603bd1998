//! Bounds together with what there is to say about them.

use fusee_bounds::{Analysis, Growth, Repair};
use fusee_diagnostics::Diagnostic;
use fusee_model::System;
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;

use crate::load::Loaded;
use crate::progress;

/// Bounds, repairs, and all diagnostics of the description and of its analysis.
pub struct Analysed {
    /// The bounds.
    pub analysis: Analysis,
    /// The smallest changes found, for tasks without guarantee.
    pub repairs: Vec<Repair>,
    /// How far execution times may grow; empty unless it was asked for.
    pub growths: Vec<Growth>,
    /// What reading, checking and analysing had to say.
    pub diagnostics: Vec<Diagnostic>,
}

/// Analyses a system, and looks for repairs where a deadline is not guaranteed.
pub fn analyse(loaded: &Loaded, system: &System, derived: &Derived, costs: &CostTable) -> Analysed {
    let span = |origin| loaded.origins.span(origin);
    let analysis = progress::during("analysing", || fusee_bounds::analyze(system, derived, costs));
    let mut found = fusee_bounds::diagnostics(system, &analysis, &span);
    let repairs = if analysis.is_schedulable() {
        Vec::new()
    } else {
        progress::during("looking for repairs", || {
            fusee_bounds::repairs(system, derived, costs, &analysis)
        })
    };
    fusee_bounds::advise(system, &analysis, &repairs, &span, &mut found);
    let diagnostics = [loaded.diagnostics.as_slice(), &found].concat();
    Analysed { analysis, repairs, growths: Vec::new(), diagnostics }
}

impl Analysed {
    /// Works out how far each execution time may grow.
    pub fn find_growths(&mut self, system: &System, derived: &Derived, costs: &CostTable) {
        self.growths = progress::during("trying longer execution times", || {
            fusee_bounds::sensitivity(system, derived, costs, &self.analysis)
        });
    }
}
