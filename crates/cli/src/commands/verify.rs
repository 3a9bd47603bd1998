//! Shows the memory and the rights of each domain in a finished image.

use fusee_diagnostics::render;
use fusee_image::Reach;
use fusee_pipeline::load::Loaded;
use fusee_pipeline::status::Status;
use fusee_pipeline::verify::{self, Verified};
use serde_json::json;

use crate::args::Verify;
use crate::output::{Output, bad, good};
use fusee_report::table::{Table, left, right};

/// Verifies an image, against a description if one is named.
pub(crate) fn run(arguments: &Verify, output: &mut Output) -> Status {
    let verified = match verify::run(&arguments.asked()) {
        Ok(verified) => verified,
        Err(loaded) => return not_verified(&loaded, output),
    };
    output.json_of(&verified.loaded.sources, || verified.json());
    output.diagnostics(&verified.diagnostics, &verified.loaded.sources);
    output.text(table(&verified.report.domains));
    output.text(format!("\n{}", summary(&verified)));
    if verified.is_fine() { Status::Fine } else { Status::BadInput }
}

fn not_verified(loaded: &Loaded, output: &mut Output) -> Status {
    let diagnostics = || render::json(&loaded.diagnostics, &loaded.sources);
    output.json_of(&loaded.sources, || json!({ "verified": false, "diagnostics": diagnostics() }));
    output.diagnostics(&loaded.diagnostics, &loaded.sources);
    Status::BadInput
}

/// Returns the table of the memory that each domain reaches, in bytes.
fn table(domains: &[Reach]) -> Table {
    let cells = |cell: &dyn Fn(&Reach) -> String| domains.iter().map(cell).collect::<Vec<_>>();
    Table::of([
        left("domain", cells(&|domain| domain.name.clone())),
        right("executes", cells(&|domain| domain.execute.to_string())),
        right("reads", cells(&|domain| domain.read.to_string())),
        right("writes", cells(&|domain| domain.write.to_string())),
        right("devices", cells(&|domain| domain.devices.to_string())),
        left("gates", cells(&|domain| domain.gates.join(", "))),
    ])
}

fn summary(verified: &Verified) -> String {
    let report = &verified.report;
    let verdict = match (verified.is_fine(), verified.against()) {
        (true, Some(system)) => good(&format!("as `{system}` describes it")),
        (true, None) => good("sound"),
        (false, _) => bad("not as it should be"),
    };
    let masters = report.bus_masters.iter().map(|(domain, device)| {
        format!("everybody trusts `{domain}`: it has the {device}, which can write to all memory\n")
    });
    let masters: String = masters.collect();
    format!(
        "{masters}{} for {}: {verdict} ({} page tables, {} capabilities, {} stacks)\n",
        report.system,
        report.platform.name(),
        report.table_pages,
        report.capabilities,
        report.stacks
    )
}
