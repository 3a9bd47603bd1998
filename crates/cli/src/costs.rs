//! What the kernel's paths cost on the platform.

use std::path::Path;

use fusee_diagnostics::Diagnostic;
use fusee_model::costs::CostTable;

use crate::args::Platform;
use crate::rules;

/// The platform's table: the one from the file, or no costs on `sim`.
pub(crate) fn table(platform: &Platform) -> Result<CostTable, Box<Diagnostic>> {
    match &platform.costs {
        None => Ok(CostTable::zero("sim")),
        Some(path) => read(path).map_err(Box::new),
    }
}

fn read(path: &Path) -> Result<CostTable, Diagnostic> {
    let named = |what: &str| format!("`{}` {what}", path.display());
    let text = std::fs::read_to_string(path)
        .map_err(|error| Diagnostic::error(rules::UNREADABLE, named("can't be read")).with_note(error.to_string()))?;
    CostTable::from_toml(&text).map_err(|error| {
        let diagnostic = Diagnostic::error(rules::COSTS, named("is not a cost table"));
        diagnostic.with_note(error.to_string()).with_note("a table names every path, in nanoseconds")
    })
}
