//! What the kernel's paths cost on the platform.

use std::path::Path;

use fusee_diagnostics::Diagnostic;
use fusee_model::costs::CostTable;

use crate::args::{Platform, PlatformName};
use crate::rules;

/// The table from the file, or the one that comes with the platform.
pub(crate) fn table(platform: &Platform) -> Result<CostTable, Box<Diagnostic>> {
    match &platform.costs {
        None => named(platform.platform),
        Some(path) => read(path).map_err(Box::new),
    }
}

/// The table that comes with a platform: no costs on `sim`, else those of its plain kernel.
pub(crate) fn named(platform: PlatformName) -> Result<CostTable, Box<Diagnostic>> {
    let machine = match platform {
        PlatformName::Sim => return Ok(CostTable::zero("sim")),
        PlatformName::Machine(machine) => machine,
    };
    let Some(costs) = machine.descriptor().costs else {
        let message = format!("nobody has measured what the kernel's paths cost on `{machine}`");
        let note = format!("measure it, `fusee measure --platform {machine} -o FILE.toml`, and analyse with `--costs`");
        return Err(Box::new(Diagnostic::error(rules::COSTS, message).with_note(note)));
    };
    let invalid = |error| Box::new(Diagnostic::error(rules::COSTS, format!("Fusee's own cost table: {error}")));
    CostTable::from_toml(costs.plain).map_err(invalid)
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
