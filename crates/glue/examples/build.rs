//! Builds a description.
//!
//! `cargo run -p fusee-glue --example build -- SYSTEM.camkes OUT [PLATFORM] [FOLDERS]`

use fusee_diagnostics::render;
use fusee_glue::Request;
use fusee_platform::Platform;
use std::path::Path;

#[allow(clippy::print_stdout)]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [description, out, rest @ ..] = arguments.as_slice() else {
        panic!("SYSTEM OUT [PLATFORM] [-I folder]")
    };
    let platform =
        rest.first().and_then(|name| Platform::from_name(name)).unwrap_or(Platform::DEFAULT);
    let include_paths = rest.iter().skip(1).map(Into::into).collect();
    let options = fusee_adl::Options { include_paths, ..Default::default() };
    let reading = fusee_adl::read(Path::new(description), &options);
    let Some(system) = reading.system else {
        println!("{}", render::text(&reading.diagnostics, &reading.sources, render::Style::Plain));
        std::process::exit(2);
    };
    let request = Request {
        system: &system,
        folder: Path::new(description).parent().unwrap_or(Path::new(".")),
        given: &fusee_glue::Given::default(),
        platform,
        out: Path::new(out),
        origins: &|origin| reading.origins.span(origin),
        compiler: None,
        templates: None,
        stubs: true,
    };
    match fusee_glue::build(&request) {
        Ok(built) => {
            println!("{}", render::text(&built.warnings, &reading.sources, render::Style::Plain));
            built.domains.iter().for_each(|domain| println!("{}", domain.path.display()));
        }
        Err(messages) => {
            println!("{}", render::text(&messages, &reading.sources, render::Style::Plain));
            std::process::exit(2);
        }
    }
}
