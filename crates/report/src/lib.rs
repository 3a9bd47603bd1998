//! One self-contained page about a system.
//!
//! The page has to outlive the machine that made it: it is mailed, archived and
//! opened years later beside a change request. So it is one HTML file without
//! scripts, fonts or pictures from elsewhere; drawings are inline SVG with
//! tooltips; light and dark follow the reader's setting; the same inputs give the
//! same bytes.
//!
//! A [`view::View`] holds what is shown, by name; [`render`] draws it.

mod bars;
mod gates;
mod graph;
mod histogram;
mod markup;
mod messages;
mod page;
mod tasks;
mod text;
mod timeline;
pub mod view;

/// Draws the page.
pub fn render(view: &view::View) -> String {
    page::write(view)
}
