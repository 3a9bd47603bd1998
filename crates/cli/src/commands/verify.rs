//! Who can reach what in a finished image?

use std::fs;

use fusee_diagnostics::{Diagnostic, render};
use fusee_image::{Reach, Report};
use fusee_pipeline::build;
use fusee_pipeline::costs::Costs;
use fusee_pipeline::load::{Loaded, load};
use fusee_pipeline::options::Source;
use fusee_pipeline::progress;
use fusee_pipeline::rules;
use fusee_pipeline::status::Status;
use serde_json::{Value, json};

use crate::args::{Assign, Verify};
use crate::output::{Output, bad, good};
use crate::table::{Side, Table};

/// Verifies an image, against a description if one is named.
pub(crate) fn run(arguments: &Verify, output: &mut Output) -> Status {
    let loaded = arguments.system.as_ref().map(|system| {
        let source = Source {
            system: system.clone(),
            defines: arguments.defines.clone(),
            include_paths: arguments.include_paths.clone(),
            assign: arguments.assign.map(Assign::chosen),
        };
        load(&source, &Costs::nothing())
    });
    let loaded = match loaded {
        Some(loaded) if loaded.usable().is_none() => return not_verified(&loaded, output),
        Some(loaded) => loaded,
        None => Loaded::empty(),
    };
    let path = arguments.image.display().to_string();
    let bytes = match fs::read(&arguments.image) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = format!("`{path}` can't be read");
            let diagnostic =
                Diagnostic::error(rules::UNREADABLE, message).with_note(error.to_string());
            return not_verified(&Loaded::nothing(diagnostic), output);
        }
    };
    let system = loaded.usable().map(|(system, _)| system);
    match progress::during("verifying", || build::verified(&arguments.image, &bytes, system)) {
        Ok((report, missing)) => show(&loaded, &report, missing, output),
        Err(error) => not_verified(&Loaded::nothing(error.diagnostic(&path)), output),
    }
}

fn not_verified(loaded: &Loaded, output: &mut Output) -> Status {
    output.json(|| json!({ "verified": false, "diagnostics": render::json(&loaded.diagnostics, &loaded.sources) }));
    output.diagnostics(&loaded.diagnostics, &loaded.sources);
    Status::BadInput
}

fn show(loaded: &Loaded, report: &Report, missing: Vec<Diagnostic>, output: &mut Output) -> Status {
    let mut diagnostics = [loaded.diagnostics.clone(), missing].concat();
    diagnostics.extend(report.findings.iter().map(|finding| finding.diagnostic()));
    let fine = report.findings.is_empty();
    output.json(|| {
        json!({
            "system": report.system,
            "platform": report.platform.name(),
            "verified": fine,
            "against": loaded.usable().map(|(system, _)| &system.name),
            "domains": report.domains.iter().map(domain).collect::<Vec<_>>(),
            "page_tables": report.table_pages,
            "capabilities": report.capabilities,
            "stacks": report.stacks,
            "diagnostics": render::json(&diagnostics, &loaded.sources),
        })
    });
    output.diagnostics(&diagnostics, &loaded.sources);
    output.text(table(report));
    output.text(format!("\n{}", summary(loaded, report)));
    if fine { Status::Fine } else { Status::BadInput }
}

/// What each domain reaches, in bytes.
fn table(report: &Report) -> Table {
    let mut table = Table::new(&[
        ("domain", Side::Left),
        ("executes", Side::Right),
        ("reads", Side::Right),
        ("writes", Side::Right),
        ("devices", Side::Right),
        ("gates", Side::Left),
    ]);
    for domain in &report.domains {
        table.row([
            domain.name.clone(),
            domain.execute.to_string(),
            domain.read.to_string(),
            domain.write.to_string(),
            domain.devices.to_string(),
            domain.gates.join(", "),
        ]);
    }
    table
}

fn domain(reach: &Reach) -> Value {
    json!({
        "name": reach.name,
        "execute_bytes": reach.execute,
        "read_bytes": reach.read,
        "write_bytes": reach.write,
        "device_bytes": reach.devices,
        "gates": reach.gates,
    })
}

fn summary(loaded: &Loaded, report: &Report) -> String {
    let verdict = match (report.findings.is_empty(), loaded.usable()) {
        (true, Some((system, _))) => good(&format!("as `{}` describes it", system.name)),
        (true, None) => good("sound"),
        (false, _) => bad("not as it should be"),
    };
    format!(
        "{} for {}: {verdict} ({} page tables, {} capabilities, {} stacks)\n",
        report.system,
        report.platform.name(),
        report.table_pages,
        report.capabilities,
        report.stacks
    )
}
