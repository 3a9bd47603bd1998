//! The subject of a page or a verdict.

use fusee_diagnostics::Diagnostic;
use fusee_model::System;
use fusee_model::derived::Derived;
use fusee_report::verdict::{Verdict, Word};
use fusee_report::view::Provenance;
use fusee_report::{Inputs, Run as ReportRun};
use fusee_sim::{Outcome, SimError};

use crate::analysed::Analysed;
use crate::load::Loaded;

/// The subject of a page.
pub struct Subject<'a> {
    /// The description that was read.
    pub loaded: &'a Loaded,
    /// The system that it describes.
    pub system: &'a System,
    /// The facts derived from the system.
    pub derived: &'a Derived,
    /// The bounds that are promised.
    pub analysed: &'a Analysed,
    /// The tools and files that a page about it is made by and from.
    pub provenance: Provenance,
    /// The written times and calls that no program confirms.
    pub word: Word<'a>,
}

impl Subject<'_> {
    /// Returns the page about the system, with a run on it; `how` introduces the run.
    pub fn page(&self, outcome: &Outcome, how: &str, verdict: &Verdict) -> String {
        let inputs = Inputs {
            system: self.system,
            derived: self.derived,
            analysis: Some(&self.analysed.analysis),
            repairs: &self.analysed.repairs,
            growth: &self.analysed.growths,
            run: Some(ReportRun { outcome, how, verdict }),
            diagnostics: &self.analysed.diagnostics,
            sources: &self.loaded.sources,
            span: &|origin| self.loaded.origins.span(origin),
            provenance: &self.provenance,
        };
        fusee_report::render(&inputs.view())
    }

    /// The message about a system that can't be simulated.
    pub fn diagnostic(&self, error: &SimError) -> Diagnostic {
        error.diagnostic(self.system, &|origin| self.loaded.origins.span(origin))
    }
}
