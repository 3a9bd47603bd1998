//! Shows the installed tools, their versions, and the next command to type.
//!
//! Analysis and simulation need nothing but Fusee itself, and CMake where a project has
//! CMake files. Building and booting systems takes compilers for their machine and an
//! emulator; the other tools serve those who build Fusee or run its tests. A missing one
//! is an error only where Fusee itself can't be built without it.

use fusee_pipeline::status::Status;
use fusee_pipeline::tools::{Need, TOOLS, Tool, installation};
use serde_json::json;

use crate::output::Output;

/// Prints a line for each tool and the next command.
pub(crate) fn run(output: &mut Output) -> Status {
    let found: Vec<(&Tool, Option<String>)> =
        TOOLS.iter().map(|tool| (tool, tool.version())).collect();
    let missing: Vec<&Tool> =
        found.iter().filter(|(_, version)| version.is_none()).map(|&(tool, _)| tool).collect();
    let next = if missing.is_empty() { "fusee demo".to_owned() } else { installation(&missing) };
    output.json(|| {
        let tools = found.iter().map(|(tool, version)| {
            json!({
                "name": tool.name,
                "version": version,
                "purpose": tool.purpose,
                "packages": tool.packages,
            })
        });
        let tools: Vec<_> = tools.collect();
        json!({ "fusee": env!("CARGO_PKG_VERSION"), "tools": tools, "next": next })
    });
    output.text(format!("fusee     {}\n", env!("CARGO_PKG_VERSION")));
    for (tool, version) in &found {
        let version = version.as_deref().unwrap_or("missing");
        output.text(format!("{:<9} {version}: {}\n", tool.name, tool.purpose));
    }
    output.text(format!("\nnext: {next}\n"));
    if missing.iter().any(|tool| tool.needed == Need::Build) {
        Status::ToolFailed
    } else {
        Status::Fine
    }
}
