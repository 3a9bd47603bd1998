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

/// What is known of a system.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The system.
    pub system: &'a System,
    /// What follows from it.
    pub derived: &'a Derived,
    /// What is promised.
    pub analysis: Option<&'a Analysis>,
    /// Repairs for tasks without guarantee.
    pub repairs: &'a [Repair],
    /// How far execution times may grow; empty where nobody asked.
    pub growth: &'a [Growth],
    /// What was observed.
    pub run: Option<Run<'a>>,
    /// Messages about it.
    pub diagnostics: &'a [Diagnostic],
    /// The files that the messages point into.
    pub sources: &'a SourceMap,
    /// The places behind the model's origins.
    pub span: &'a dyn Fn(Origin) -> Option<Span>,
    /// What the page is made by and from.
    pub provenance: &'a view::Provenance,
}

/// A run of the system.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// What it showed; with the records that [`recording`] asks for, the page gets a timeline.
    pub outcome: &'a Outcome,
    /// How it was made, as the start of a sentence:
    /// `Simulated with worst-case execution times, seed 1:`.
    pub how: &'a str,
    /// What it says.
    pub verdict: &'a verdict::Verdict,
}

/// What a second run should record so that the page can show the worst response of a first one.
pub fn recording(system: &System, outcome: &Outcome) -> Recording {
    let task = adapt::worst_task(system, outcome);
    task.and_then(|task| adapt::window(system, outcome, task)).unwrap_or(Recording::Off)
}

impl Inputs<'_> {
    /// What the page shows of it.
    pub fn view(&self) -> view::View {
        adapt::view(self)
    }
}

/// Draws the page.
pub fn render(view: &view::View) -> String {
    page::write(view)
}
