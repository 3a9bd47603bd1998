//! Results as CSV.
//!
//! One line for each point, variant and test: the axes, the test, the counts, the
//! share of schedulable sets with its 95 % interval. Shares have six decimals.

use std::fmt::Write;

use crate::Results;

/// Names of the columns behind the axes.
pub(crate) const COLUMNS: [&str; 8] =
    ["label", "test", "sets", "outside", "schedulable", "ratio", "ratio_low", "ratio_high"];

impl Results {
    /// Returns the table as text with a line of names first.
    pub fn csv(&self) -> String {
        let mut out = String::new();
        let names: Vec<&str> = self.axes.iter().map(String::as_str).chain(COLUMNS).collect();
        out += &names.join(",");
        out.push('\n');
        for row in &self.rows {
            for value in &row.values {
                // Writing to a `String` cannot fail.
                let _ = write!(out, "{},", quoted(&value.to_string()));
            }
            let ratio = row.ratio().map_or_else(String::new, |ratio| format!("{ratio:.6}"));
            let (low, high) = row.interval();
            let (label, test) = (quoted(&row.label), quoted(&row.test));
            let (sets, outside, schedulable) = (row.sets, row.outside, row.schedulable);
            let _ = writeln!(
                out,
                "{label},{test},{sets},{outside},{schedulable},{ratio},{low:.6},{high:.6}"
            );
        }
        out
    }
}

/// Returns a field as RFC 4180 wants it.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
