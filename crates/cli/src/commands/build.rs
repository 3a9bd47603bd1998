//! From a description to a bootable image.

use fusee_diagnostics::render;
use fusee_image::DomainSizes;
use fusee_pipeline::build::Made;
use fusee_pipeline::commands::build::build;
use fusee_pipeline::load::Loaded;
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::args::Build;
use crate::output::Output;
use fusee_report::table::{Table, left, right};

/// Checks, compiles, links, and writes the image.
pub(crate) fn run(arguments: &Build, output: &mut Output) -> Status {
    let image = match build(&arguments.asked()) {
        Ok(image) => image,
        Err(loaded) => return not_built(&loaded, output),
    };
    output.json_of(&image.loaded.sources, || image.json());
    output.diagnostics(&image.loaded.diagnostics, &image.loaded.sources);
    output.text(table(&image.made.built.sizes.domains));
    output.text(format!("\n{}", summary(&image.made)));
    output.wrote(&image.made.path);
    Status::Fine
}

fn not_built(loaded: &Loaded, output: &mut Output) -> Status {
    output.json_of(&loaded.sources, || {
        json!({
            "system": loaded.system.as_ref().map(|(system, _)| &system.name),
            "image": null,
            "diagnostics": render::json(&loaded.diagnostics, &loaded.sources),
        })
    });
    output.diagnostics(&loaded.diagnostics, &loaded.sources);
    Status::BadInput
}

/// Memory by domain, in bytes.
fn table(domains: &[DomainSizes]) -> Table {
    let cells =
        |cell: &dyn Fn(&DomainSizes) -> String| domains.iter().map(cell).collect::<Vec<_>>();
    Table::of([
        left("domain", cells(&|domain| domain.name.clone())),
        right("text", cells(&|domain| domain.text.to_string())),
        right("constants", cells(&|domain| domain.constants.to_string())),
        right("data", cells(&|domain| domain.data.to_string())),
        right("stacks", cells(&|domain| domain.stack_count.to_string())),
        right("bytes of stacks", cells(&|domain| domain.stacks.to_string())),
    ])
}

fn summary(made: &Made) -> String {
    let (sizes, machines) = (&made.built.sizes, &made.machines);
    let (threads, gates) = (machines.threads().count(), machines.first().gates.len());
    format!(
        "kernel: {} bytes of text, {} of data; {} of tables for {threads} threads and {gates} \
         gates; {} of page tables; {} of shared memory\n",
        sizes.kernel_text, sizes.kernel_data, sizes.tables, sizes.page_tables, sizes.shared
    )
}
