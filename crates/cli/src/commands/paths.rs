//! Measured paths as a table.

use fusee_measure::Path;

use fusee_report::table::{Table, left, right};

/// Returns a row for each path.
pub(crate) fn rows(paths: &[&Path]) -> Table {
    let cells =
        |cell: &dyn Fn(&Path) -> String| paths.iter().copied().map(cell).collect::<Vec<_>>();
    Table::of([
        left("path", cells(&|path| path.name.clone())),
        right("runs", cells(&|path| path.runs.to_string())),
        right("min", cells(&|path| path.min.to_string())),
        right("max", cells(&|path| path.max.to_string())),
        right("mean", cells(&|path| format!("{:.1}", path.mean()))),
        right("std", cells(&|path| format!("{:.1}", path.deviation()))),
    ])
}
