//! The tools and files that the page is made by and from.

use crate::markup::{Attributes, DASH, Markup};
use crate::view::{Provenance, TimeOrigin};
use fusee_model::TimeColumn;

/// Draws the section; nothing where nothing is known.
pub(crate) fn write(m: &mut Markup, provenance: &Provenance) {
    let Provenance { made_by, files, times } = provenance;
    if made_by.is_empty() && files.is_empty() && times.is_empty() {
        return;
    }
    m.element("section", &[("id", &"provenance")], |m| {
        m.leaf("h2", &[], "What this page is made from");
        if !made_by.is_empty() {
            m.element("dl", &[("class", &"facts")], |m| {
                for (name, value) in made_by {
                    m.element("div", &[], |m| {
                        m.leaf("dt", &[], name);
                        m.leaf("dd", &[], value);
                    });
                }
            });
        }
        if !times.is_empty() {
            table(m, ["execution time of", "at most", "origin"], |m| {
                let column = TimeColumn::of(times.iter().filter_map(|time| time.time));
                times.iter().for_each(|time| row(m, column, time));
            });
        }
        if !files.is_empty() {
            table(m, ["file", "SHA-256", ""], |m| {
                for (path, hash) in files {
                    m.element("tr", &[], |m| {
                        m.leaf("th", &[("scope", &"row")], path);
                        m.element("td", &[], |m| m.leaf("code", &[], hash));
                    });
                }
            });
        }
    });
}

/// A table that can be scrolled, with the titles that are no empty text.
fn table(m: &mut Markup, titles: [&str; 3], rows: impl FnOnce(&mut Markup)) {
    let attributes: Attributes<'_> =
        &[("class", &"scroll"), ("tabindex", &"0"), ("role", &"group"), ("aria-label", &titles[0])];
    m.element("div", attributes, |m| {
        m.element("table", &[], |m| {
            m.element("thead", &[], |m| {
                m.element("tr", &[], |m| {
                    for title in titles.into_iter().filter(|title| !title.is_empty()) {
                        m.leaf("th", &[("scope", &"col")], title);
                    }
                });
            });
            m.element("tbody", &[], rows);
        });
    });
}

fn row(m: &mut Markup, column: TimeColumn, time: &TimeOrigin) {
    let shown = time.time.map_or_else(|| DASH.into(), |time| column.show(time));
    m.element("tr", &[], |m| {
        m.leaf("th", &[("scope", &"row")], &time.body);
        m.leaf("td", &[("class", &"number")], shown);
        m.leaf("td", &[], &time.origin);
    });
}
