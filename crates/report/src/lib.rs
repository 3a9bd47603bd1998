//! One self-contained page about a system.
//!
//! The page has to outlive the machine that made it: it is mailed, archived and
//! opened years later beside a change request. So it is one HTML file without
//! scripts, fonts or pictures from elsewhere; drawings are inline SVG with
//! tooltips; light and dark follow the reader's setting; the same inputs give the
//! same bytes.
//!
//! A [`view::View`] holds what is shown, by name; [`Inputs`] are what it is made of,
//! and [`render`] draws it.

mod adapt;
mod bars;
mod chains;
mod gates;
mod graph;
mod growth;
mod histogram;
mod markup;
mod messages;
mod page;
mod provenance;
pub mod signed;
pub mod table;
mod tasks;
mod text;
pub mod time_tree;
mod timeline;
pub mod verdict;
pub mod view;
pub mod worst_path;

pub use verdict::rules::RULES;

use fusee_bounds::{Analysis, Growth, Repair};
use fusee_diagnostics::{Diagnostic, SourceMap, Span};
use fusee_model::derived::Derived;
use fusee_model::{Origin, System};
use fusee_sim::{Outcome, Recording};

/// The known facts about a system.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The system in question.
    pub system: &'a System,
    /// The facts derived from the system.
    pub derived: &'a Derived,
    /// The bounds that are promised.
    pub analysis: Option<&'a Analysis>,
    /// Repairs for tasks without guarantee.
    pub repairs: &'a [Repair],
    /// The amounts by which execution times may grow; empty where they were not asked for.
    pub growth: &'a [Growth],
    /// The run that was observed.
    pub run: Option<Run<'a>>,
    /// Messages about it.
    pub diagnostics: &'a [Diagnostic],
    /// The files that the messages point into.
    pub sources: &'a SourceMap,
    /// The places behind the model's origins.
    pub span: &'a dyn Fn(Origin) -> Option<Span>,
    /// The tools and files that the page is made by and from.
    pub provenance: &'a view::Provenance,
}

/// A run of the system.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The outcome that it showed; with the records that [`recording`] asks for, the page gets a
    /// timeline.
    pub outcome: &'a Outcome,
    /// The way in which it was made, as the start of a sentence: `Simulated with worst-case
    /// execution times, seed 1:`.
    pub how: &'a str,
    /// The verdict on it.
    pub verdict: &'a verdict::Verdict,
}

/// Returns the recording that a second run needs so that the page can show the worst response of a
/// first one.
pub fn recording(system: &System, outcome: &Outcome) -> Recording {
    let task = adapt::worst_task(system, outcome);
    task.and_then(|task| adapt::window(system, outcome, task)).unwrap_or(Recording::Off)
}

impl Inputs<'_> {
    /// Returns the content of the page.
    pub fn view(&self) -> view::View {
        adapt::view(self)
    }
}

/// Draws the page.
pub fn render(view: &view::View) -> String {
    page::write(view)
}
