//! Chooses values under which all holds, and shows the change.

use fusee_pipeline::solve::{self, Answer, Rewritten, Solution, Solved, Written};
use fusee_pipeline::status::Status;
use serde_json::Value;

use super::{analyze, refusal};
use crate::args::Solve;
use crate::chains;
use crate::difference;
use crate::output::{Output, bad, good};

/// Prints the change under which all holds, or why there is none.
pub(crate) fn run(arguments: &Solve, output: &mut Output) -> Status {
    let asked = arguments.asked();
    let solved = match solve::run(&asked) {
        Ok(solved) => solved,
        Err(loaded) => return refusal::not_analysed(&loaded, output),
    };
    if let (true, Answer::Found(solution)) = (arguments.apply, &solved.answer)
        && let Err(sentence) = apply(solution, output)
    {
        return output.failed(sentence);
    }
    output.json_of(&solved.loaded.sources, || document(&solved, arguments.apply));
    output.diagnostics(&solved.diagnostics, &solved.loaded.sources);
    let name = solved.loaded.system.as_ref().map_or("", |(system, _)| system.name.as_str());
    match &solved.answer {
        Answer::Holds(promise) => {
            output.text(bounds(promise));
            output.text(format!("\n{name}: {}; nothing to change\n", good("all holds")));
            Status::Fine
        }
        Answer::Found(solution) => {
            output.text(bounds(&solution.promise));
            output.text(format!("\n{}", changes(&solution.written)));
            output.text(format!("{}\n", included(solution, arguments)));
            output.text(format!("{name}: {}\n", done(solution, arguments.apply, &solved)));
            Status::Fine
        }
        Answer::Contradiction(_) | Answer::Refused(_) => {
            output.text(format!(
                "{name}: {}{}\n",
                bad("no choice of what is free exists"),
                effort(&solved)
            ));
            Status::Missed
        }
        Answer::NotFound(_) => {
            let found = bad("no choice was found, which proves nothing");
            output.text(format!("{name}: {found}{}\n", effort(&solved)));
            Status::Missed
        }
    }
}

/// Writes the changed files, unless one of them is no longer what was read.
fn apply(solution: &Solution, output: &mut Output) -> Result<(), String> {
    let written = &solution.written;
    if !written.lines.is_empty() {
        return Err("the lines can't be written into the text, so nothing was written".to_owned());
    }
    if let Some(path) = written.outdated() {
        let path = path.display();
        return Err(format!("`{path}` has changed meanwhile, so nothing was written"));
    }
    let file = |file: &Rewritten| (file.path.clone(), file.after.clone().into_bytes());
    output.write(&written.files.iter().map(file).collect::<Vec<_>>())
}

/// Returns the bounds of tasks and chains.
fn bounds(promise: &solve::Promise) -> String {
    let (system, analysis) = (&promise.system, &promise.analysed.analysis);
    format!("{}{}", analyze::table(system, analysis), chains::text(&promise.chains()))
}

/// Returns the change of the text, or the lines of it that must be written by hand.
fn changes(written: &Written) -> String {
    let lines: String = written.lines.iter().map(|line| format!("    {line}\n")).collect();
    let files = written.files.iter();
    let files: String =
        files.map(|file| difference::of_file(&file.path, &file.before, &file.after)).collect();
    if lines.is_empty() { files } else { format!("in the configuration:\n{lines}") }
}

/// Returns a line for each changed file that other descriptions may include.
fn included(solution: &Solution, arguments: &Solve) -> String {
    let description = &arguments.analysis.source.system;
    let paths = solution.written.included(description).into_iter();
    let line = |path: &std::path::Path| {
        format!("\n`{}` is included: whatever else includes it changes, too", path.display())
    };
    paths.map(line).collect()
}

/// Returns the verdict on a description with its changes.
fn done(solution: &Solution, applied: bool, solved: &Solved) -> String {
    let values = match solution.settings.len() {
        1 => "1 value changes".to_owned(),
        many => format!("{many} values change"),
    };
    let written = if applied { ", and the description says so" } else { "" };
    format!("{} if {values}{written}{}", good("all holds"), effort(solved))
}

fn effort(solved: &Solved) -> String {
    format!(" ({} analyses of a task)", solved.analyses)
}

/// Returns the answer for programs.
fn document(solved: &Solved, applied: bool) -> Value {
    let mut value = solved.json();
    if let Answer::Found(solution) = &solved.answer {
        value["diff"] = changes(&solution.written).into();
        value["applied"] = applied.into();
    }
    value
}
