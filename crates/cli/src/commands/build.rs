//! From a description to a bootable image.

use fusee_diagnostics::{Diagnostic, Severity, render};
use fusee_image::Sizes;
use fusee_pipeline::build::{self, Made, Wanted};
use fusee_pipeline::costs::Costs;
use fusee_pipeline::load::{Loaded, WITHOUT_WCET, load};
use fusee_pipeline::rules;
use fusee_pipeline::status::Status;
use serde_json::{Value, json};

use crate::args::Build;
use crate::output::Output;
use crate::table::{Side, Table};

/// Checks, compiles, links, and writes the image.
pub(crate) fn run(arguments: &Build, output: &mut Output) -> Status {
    let mut loaded = load(&arguments.source.chosen(), &Costs::nothing()).demanding_a_machine();
    let Some((system, _)) = loaded.buildable() else {
        return not_built(&loaded, output);
    };
    let making = arguments.making.chosen();
    let wanted = Wanted {
        source: &arguments.source.system,
        platform: arguments.platform.0,
        variant: arguments.kernel.into(),
        making: &making,
    };
    match build::make(&loaded, system, &wanted) {
        Ok(made) => {
            loaded.diagnostics.iter_mut().for_each(without_wcet);
            loaded.diagnostics.extend(made.warnings.iter().cloned());
            show(&loaded, &made, &wanted, output);
            Status::Fine
        }
        Err(diagnostics) => {
            loaded.diagnostics.extend(diagnostics);
            not_built(&loaded, output)
        }
    }
}

/// A time that nobody gives stands in the way of bounds, and not of what was built.
fn without_wcet(found: &mut Diagnostic) {
    if WITHOUT_WCET.contains(&found.code) {
        found.severity = Severity::Warning;
        found.notes.push(
            "the image needs no time; `fusee analyze --programs` takes it from what was built"
                .to_owned(),
        );
    }
}

fn not_built(loaded: &Loaded, output: &mut Output) -> Status {
    output.json(|| {
        json!({
            "system": loaded.system.as_ref().map(|(system, _)| &system.name),
            "image": null,
            "diagnostics": render::json(&loaded.diagnostics, &loaded.sources),
        })
    });
    output.diagnostics(&loaded.diagnostics, &loaded.sources);
    let lacks_tool =
        loaded.diagnostics.iter().any(|diagnostic| MISSING_TOOLS.contains(&diagnostic.code.0));
    if lacks_tool { Status::ToolFailed } else { Status::BadInput }
}

/// No C compiler, no kernel: nothing is wrong with the input.
const MISSING_TOOLS: [&str; 2] = ["F0901", rules::NO_KERNEL.0];

fn show(loaded: &Loaded, made: &Made, wanted: &Wanted<'_>, output: &mut Output) {
    output.json(|| {
        json!({
            "system": loaded.system.as_ref().map(|(system, _)| &system.name),
            "platform": wanted.platform.name(),
            "image": made.path.display().to_string(),
            "bytes": made.built.elf.len(),
            "sizes": sizes(&made.built.sizes),
            "diagnostics": render::json(&loaded.diagnostics, &loaded.sources),
        })
    });
    output.diagnostics(&loaded.diagnostics, &loaded.sources);
    output.text(table(&made.built.sizes));
    output.text(format!("\n{}", summary(made)));
    output.wrote(&made.path);
}

/// Memory by domain, in bytes.
fn table(sizes: &Sizes) -> Table {
    let mut table = Table::new(&[
        ("domain", Side::Left),
        ("text", Side::Right),
        ("constants", Side::Right),
        ("data", Side::Right),
        ("stacks", Side::Right),
        ("bytes of stacks", Side::Right),
    ]);
    for domain in &sizes.domains {
        table.row([
            domain.name.clone(),
            domain.text.to_string(),
            domain.constants.to_string(),
            domain.data.to_string(),
            domain.stack_count.to_string(),
            domain.stacks.to_string(),
        ]);
    }
    table
}

fn summary(made: &Made) -> String {
    let (sizes, machine) = (&made.built.sizes, &made.machine);
    let (threads, gates) = (machine.threads.len(), machine.gates.len());
    format!(
        "kernel: {} bytes of text, {} of data; {} of tables for {threads} threads and {gates} \
         gates; {} of page tables; {} of shared memory\n",
        sizes.kernel_text, sizes.kernel_data, sizes.tables, sizes.page_tables, sizes.shared
    )
}

fn sizes(sizes: &Sizes) -> Value {
    let domain = |domain: &fusee_image::DomainSizes| {
        json!({
            "name": domain.name,
            "text": domain.text,
            "constants": domain.constants,
            "data": domain.data,
            "stacks": domain.stack_count,
            "stack_bytes": domain.stacks,
            "console_bytes": domain.consoles,
        })
    };
    json!({
        "kernel_text": sizes.kernel_text,
        "kernel_data": sizes.kernel_data,
        "tables": sizes.tables,
        "initial": sizes.initial,
        "page_tables": sizes.page_tables,
        "shared": sizes.shared,
        "domains": sizes.domains.iter().map(domain).collect::<Vec<_>>(),
    })
}
