//! Wrong descriptions and their exact messages.
//!
//! One test for each file of `tests/bad`, one that follows what its messages suggest,
//! and one that each rule has a file. With `UPDATE=1` in the environment the expected
//! messages are written instead of compared; the difference is there to be looked at
//! before it is committed.

mod suggestions;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use fusee_adl::Options;
use fusee_diagnostics::render::{Style, text};
use fusee_diagnostics::{Diagnostic, Rule, SourceMap};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use libtest_mimic::{Arguments, Failed, Trial};

const FOLDER: &str = "tests/bad";

/// Rules that no description alone can break, with the reason.
const WITHOUT_DESCRIPTION: [(&str, &str); 6] = [
    (
        "F0607",
        "a gate on several cores is an error of the checks (F0507) before anything is analysed",
    ),
    ("F0614", "it is about platforms whose kernel costs time; see `analyze.rs`"),
    ("F0615", "it is about platforms whose kernel was measured; see `analyze.rs`"),
    ("F0616", "it is about a table of kernel costs that leaves a protocol out"),
    ("F0621", "it is about platforms whose kernel costs time; see `signals.rs` of `fusee-bounds`"),
    ("F0610", "it is about the table of kernel costs, which is no part of a description"),
];

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::set_current_dir(root).expect("the project's root");
    let files = descriptions();
    let covered: Vec<String> = files.iter().map(|f| code(f)).collect();
    let mut trials: Vec<Trial> = Vec::new();
    for file in files {
        let same = file.clone();
        trials.push(Trial::test(stem(&file), move || compare(&file)));
        let name = format!("{}: suggestions", stem(&same));
        trials.push(Trial::test(name, move || suggestions::follow(&same)));
    }
    trials.push(Trial::test("every rule has a wrong description", move || each_rule(&covered)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn descriptions() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(FOLDER).expect("the folder of wrong descriptions");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "camkes"));
    files.sort();
    files
}

fn stem(file: &Path) -> String {
    file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns the code with which a file's name begins.
fn code(file: &Path) -> String {
    stem(file).chars().take_while(|c| *c != '-').collect()
}

fn rules() -> Vec<&'static Rule> {
    [fusee_adl::RULES, fusee_check::RULES, fusee_bounds::RULES].into_iter().flatten().collect()
}

fn each_rule(covered: &[String]) -> Result<(), Failed> {
    let is_covered = |code: &str| covered.iter().any(|have| have == code);
    let is_exempt = |code: &str| WITHOUT_DESCRIPTION.iter().any(|(exempt, _)| *exempt == code);
    let missing: Vec<&str> =
        rules().iter().map(|r| r.code.0).filter(|c| is_covered(c) == is_exempt(c)).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("no wrong description in {FOLDER}, or one too many, for {missing:?}").into())
    }
}

fn compare(file: &Path) -> Result<(), Failed> {
    let Found { diagnostics, text: found, .. } = messages(file, &Options::default());
    let wanted = code(file);
    if !diagnostics.iter().any(|d| d.code.0 == wanted) {
        return Err(format!("{wanted} is not among the messages:\n{found}").into());
    }
    let golden = file.with_extension("expected");
    if std::env::var_os("UPDATE").is_some() {
        return std::fs::write(&golden, found).map_err(|e| e.to_string().into());
    }
    let expected = std::fs::read_to_string(&golden).unwrap_or_default();
    if expected == found {
        return Ok(());
    }
    Err(format!("{} says:\n{expected}\nbut the messages are:\n{found}", golden.display()).into())
}

/// The messages about a description.
struct Found {
    sources: SourceMap,
    diagnostics: Vec<Diagnostic>,
    text: String,
}

/// Returns all messages about a description: of reading, checking and, if nothing stands against
/// it, analyzing.
fn messages(file: &Path, options: &Options) -> Found {
    let reading = fusee_adl::read(file, options);
    let mut diagnostics = reading.diagnostics;
    let span = |origin| reading.origins.span(origin);
    if let Some(system) = &reading.system {
        diagnostics.extend(fusee_check::check(system, &span));
        if fusee_check::is_usable(&diagnostics) {
            let analysis =
                fusee_bounds::analyze(system, &Derived::of(system), &CostTable::zero("sim"));
            diagnostics.extend(fusee_bounds::diagnostics(system, &analysis, &span));
        }
    }
    let text = text(&diagnostics, &reading.sources, Style::Plain);
    Found { sources: reading.sources, diagnostics, text }
}
