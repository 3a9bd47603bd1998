//! The commands' results about a description, as JSON that Python reads.

use std::path::PathBuf;

use fusee_diagnostics::render::{self, Style};
use fusee_diagnostics::{Diagnostic, Severity};
use fusee_model::Duration;
use fusee_pipeline::commands::simulate as command;
use fusee_pipeline::load::Loaded;
use fusee_pipeline::options::Source;
use fusee_pipeline::{analyze, checked, simulate};
use fusee_platform::Platform;
use fusee_sim::{Execution, Releases};
use pyo3::prelude::*;

use crate::errors::{error, named};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check_description, module)?)?;
    module.add_function(wrap_pyfunction!(analyze_description, module)?)?;
    module.add_function(wrap_pyfunction!(simulate_description, module)?)
}

/// A description as it crosses the border: its file, macros, folders.
#[derive(FromPyObject)]
struct Described(PathBuf, Vec<String>, Vec<PathBuf>);

impl Described {
    fn source(self) -> Source {
        let Self(system, defines, include_paths) = self;
        Source { defines, include_paths, ..Source::of(system) }
    }
}

/// Where costs come from: a platform's name, files.
type Costs = (Option<String>, Vec<PathBuf>);

fn asked(described: Described, (platform, costs): Costs) -> PyResult<analyze::Asked> {
    let platform = platform.filter(|name| name != "sim").map(|name| {
        Platform::from_name(&name).ok_or_else(|| {
            let known: Vec<&str> = Platform::ALL.iter().map(|platform| platform.name()).collect();
            error(format!("there is no platform `{name}`; there are sim, {}", known.join(", ")))
        })
    });
    Ok(analyze::Asked {
        source: described.source(),
        platform: platform.transpose()?,
        costs,
        programs: None,
        builds: false,
        trust_written: false,
        sensitivity: false,
        offsets: false,
    })
}

/// What keeps a description from being worked with.
fn refusal(loaded: &Loaded) -> PyErr {
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
    let errors: Vec<Diagnostic> = loaded.diagnostics.iter().filter(is_error).cloned().collect();
    error(render::text(&errors, &loaded.sources, Style::Plain).trim_end())
}

/// As `fusee check --json`.
#[pyfunction]
fn check_description(py: Python<'_>, described: Described) -> String {
    py.detach(|| checked::run(&described.source()).json().to_string())
}

/// As `fusee analyze --json`.
#[pyfunction]
fn analyze_description(
    py: Python<'_>,
    described: Described,
    costs: Costs,
    chosen: (bool, bool),
) -> PyResult<String> {
    let (sensitivity, offsets) = chosen;
    let asked = analyze::Asked { sensitivity, offsets, ..asked(described, costs)? };
    py.detach(|| match analyze::run(&asked) {
        Ok(promised) => Ok(promised.json(&asked).to_string()),
        Err(loaded) => Err(refusal(&loaded)),
    })
}

/// A run as it crosses the border: virtual time, seed, how execution times and releases are chosen.
#[derive(FromPyObject)]
struct Chosen(String, u64, String, String);

const EXECUTIONS: [(&str, Execution); 2] =
    [("worst", Execution::Worst), ("random", Execution::Random)];

const RELEASES: [(&str, Releases); 2] =
    [("synchronous", Releases::Synchronous), ("drawn", Releases::Drawn)];

impl Chosen {
    fn run(&self) -> PyResult<simulate::Run> {
        let Self(duration, seed, execution, releases) = self;
        Ok(simulate::Run {
            duration: Duration::parse(duration, Duration(1)).map_err(error)?,
            seed: *seed,
            execution: named("execution", &EXECUTIONS, execution)?,
            releases: named("releases", &RELEASES, releases)?,
        })
    }
}

/// As `fusee simulate --json`.
#[pyfunction]
fn simulate_description(
    py: Python<'_>,
    described: Described,
    costs: Costs,
    chosen: Chosen,
) -> PyResult<String> {
    let asked = command::Asked {
        analysis: asked(described, costs)?,
        run: chosen.run()?,
        trace: None,
        report: None,
    };
    py.detach(|| match command::simulate(&asked) {
        Ok(shown) => Ok(shown.json().to_string()),
        Err(why) => Err(refusal(&why.loaded)),
    })
}
