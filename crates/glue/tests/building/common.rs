//! Building in a folder of the test's own.

use fusee_diagnostics::Diagnostic;
use fusee_glue::{Built, Request};
use fusee_platform::Platform;
use object::{Object, ObjectSymbol};
use std::path::{Path, PathBuf};

/// A file of the examples.
pub(crate) fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path)
}

/// Builds a description in the folder `name`.
pub(crate) fn built(
    description: &Path,
    platform: Platform,
    name: &str,
) -> Result<Built, Vec<Diagnostic>> {
    built_with(description, platform, name, false)
}

/// The same, where components without sources may become stubs.
pub(crate) fn built_with(
    description: &Path,
    platform: Platform,
    name: &str,
    stubs: bool,
) -> Result<Built, Vec<Diagnostic>> {
    let reading = fusee_adl::read(description, &fusee_adl::Options::default());
    let system = reading.system.unwrap_or_else(|| panic!("{:#?}", reading.diagnostics));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{platform}"));
    let request = Request {
        system: &system,
        folder: description.parent().unwrap_or(Path::new(".")),
        given: &fusee_glue::Given::default(),
        platform,
        out: &out,
        origins: &|origin| reading.origins.span(origin),
        compiler: None,
        templates: None,
        stubs,
    };
    fusee_glue::build(&request)
}

/// The global symbols of a program.
pub(crate) fn symbols(program: &Path) -> Vec<String> {
    let bytes = std::fs::read(program).unwrap_or_else(|e| panic!("{}: {e}", program.display()));
    let object =
        object::File::parse(&*bytes).unwrap_or_else(|e| panic!("{}: {e}", program.display()));
    object
        .symbols()
        .filter(|s| s.is_global())
        .filter_map(|s| s.name().ok().map(str::to_owned))
        .collect()
}
