//! What the kernel's paths cost on the platform.

use std::path::Path;

use fusee_diagnostics::Diagnostic;
use fusee_model::costs::CostTable;
use fusee_platform::Platform;

use crate::rules;

/// The table that comes with a platform, of its plain kernel; no costs without one, on `sim`.
///
/// # Errors
/// Nobody has measured the platform.
pub fn named(platform: Option<Platform>) -> Result<CostTable, Box<Diagnostic>> {
    let machine = match platform {
        None => return Ok(CostTable::zero("sim")),
        Some(machine) => machine,
    };
    let Some(costs) = machine.descriptor().costs else {
        let message = format!("nobody has measured what the kernel's paths cost on `{machine}`");
        let note = format!(
            "measure it, `fusee measure --platform {machine} -o FILE.toml`, and analyse with \
             `--costs`"
        );
        return Err(Box::new(Diagnostic::error(rules::COSTS, message).with_note(note)));
    };
    let invalid = |error| {
        Box::new(Diagnostic::error(rules::COSTS, format!("Fusee's own cost table: {error}")))
    };
    CostTable::from_toml(costs.plain).map_err(invalid)
}

/// The table in a file.
///
/// # Errors
/// It can't be read, or is none.
pub fn read(path: &Path) -> Result<CostTable, Diagnostic> {
    let named = |what: &str| format!("`{}` {what}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| {
        Diagnostic::error(rules::UNREADABLE, named("can't be read")).with_note(error.to_string())
    })?;
    CostTable::from_toml(&text).map_err(|error| {
        let diagnostic = Diagnostic::error(rules::COSTS, named("is not a cost table"));
        diagnostic
            .with_note(error.to_string())
            .with_note("a table names every path, in nanoseconds")
    })
}
