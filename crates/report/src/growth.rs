//! The table of how far execution times may grow.

use crate::markup::{Attributes, Markup};
use crate::view::{Growth, View};
use fusee_model::TimeColumn;

/// Writes the section, if it was asked for.
pub(crate) fn write(m: &mut Markup, view: &View) {
    if view.growth.is_empty() {
        return;
    }
    m.element("section", &[("id", &"growth")], |m| {
        m.leaf("h2", &[], "How far execution times may grow");
        m.leaf(
            "p",
            &[("class", &"hint")],
            "Each one alone, with all others as they are, before a deadline that is guaranteed now \
             is lost.",
        );
        let attributes: Attributes<'_> = &[
            ("class", &"scroll"),
            ("tabindex", &"0"),
            ("role", &"group"),
            ("aria-label", &"growth"),
        ];
        m.element("div", attributes, |m| {
            m.element("table", &[], |m| {
                m.element("thead", &[], |m| {
                    m.element("tr", &[], |m| {
                        m.leaf("th", &[("scope", &"col")], "own execution of");
                        for title in ["now", "at most", "factor"] {
                            m.leaf("th", &[("scope", &"col"), ("class", &"number")], title);
                        }
                    });
                });
                m.element("tbody", &[], |m| {
                    let now = TimeColumn::of(view.growth.iter().map(|growth| growth.now));
                    let most = TimeColumn::of(view.growth.iter().filter_map(|growth| growth.most));
                    view.growth.iter().for_each(|growth| row(m, (now, most), growth));
                });
            });
        });
    });
}

fn row(m: &mut Markup, (now, longest): (TimeColumn, TimeColumn), growth: &Growth) {
    m.element("tr", &[], |m| {
        m.leaf("th", &[("scope", &"row")], &growth.body);
        m.leaf("td", &[("class", &"number")], now.show(growth.now));
        match growth.most {
            None => m.leaf("td", &[("class", &"number")], "any"),
            Some(most) => m.leaf("td", &[("class", &"number")], longest.show(most)),
        }
        m.leaf("td", &[("class", &"number")], factor(growth));
    });
}

/// Returns the ratio of the longest to the present execution time, rounded down to hundredths.
fn factor(growth: &Growth) -> String {
    let most = growth.most.map(|most| u128::from(most.ns()) * 100);
    match most.and_then(|most| most.checked_div(u128::from(growth.now.ns()))) {
        Some(hundredths) => format!("{}.{:02}", hundredths / 100, hundredths % 100),
        None => crate::markup::DASH.to_owned(),
    }
}
