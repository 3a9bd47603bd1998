//! Measures the costs of locks that are components.

use std::path::{Path as FilePath, PathBuf};
use std::process::Command;

use fusee_measure::Path;
use fusee_measure::locks::{HOST_PROGRAM, crossings, figures};
use fusee_pipeline::measure::{Asked, of_locks, unit};
use fusee_pipeline::status::Status;
use serde_json::json;

use super::paths::rows;
use crate::output::Output;

/// A mutex of the host's C library, in nanoseconds.
struct Host {
    uncontended: f64,
    contended: f64,
}

/// Measures, shows, and draws into a folder.
pub(crate) fn run(asked: &Asked, folder: &FilePath, output: &mut Output) -> Status {
    let paths = match of_locks(asked) {
        Ok(paths) => paths,
        Err(problem) => {
            let platform = asked.platform.name();
            return output.problem(problem, || json!({ "platform": platform, "paths": [] }));
        }
    };
    if let Err(sentence) = output.folder(folder) {
        return output.failed(sentence);
    }
    let pictures = figures(&paths).into_iter().zip(3..).map(|(figure, number)| {
        (folder.join(format!("locks-{number}.svg")), figure.svg().into_bytes())
    });
    if let Err(sentence) = output.write(&pictures.collect::<Vec<_>>()) {
        return output.failed(sentence);
    }
    let host = host(&asked.folder);
    show(asked, (&paths, &host), output);
    Status::Fine
}

fn show(asked: &Asked, (paths, host): (&[Path], &Result<Host, String>), output: &mut Output) {
    let crossings = crossings(paths);
    output.json(|| {
        let crosses = crossings
            .iter()
            .map(|(grouping, share)| json!({ "grouping": grouping, "contended_share": share }));
        let host = host.as_ref().ok().map(
            |host| json!({ "uncontended_ns": host.uncontended, "contended_ns": host.contended }),
        );
        json!({
            "platform": asked.platform.name(),
            "unit": unit(asked.platform),
            "paths": paths.iter().map(Path::json).collect::<Vec<_>>(),
            "crossings": crosses.collect::<Vec<_>>(),
            "host": host,
        })
    });
    output.text(rows(&paths.iter().collect::<Vec<_>>()));
    output.text("\n");
    for (grouping, share) in crossings {
        let text = match share {
            Some(share) => format!(
                "{grouping}: the optimistic lock takes less while fewer than {:.1} % of the pairs \
                 are contended\n",
                100.0 * share
            ),
            None => format!("{grouping}: one of the two takes less however many are contended\n"),
        };
        output.text(text);
    }
    output.text(match host {
        Ok(Host { uncontended, contended }) => format!(
            "\na futex of this host, of which no other run need tell the same: {uncontended:.1} ns \
             uncontended, {contended:.1} ns until who has waited has it\n"
        ),
        Err(why) => format!("\nno futex was measured on this host: {why}\n"),
    });
}

/// Compiles the program for the host and runs it.
fn host(folder: &FilePath) -> Result<Host, String> {
    let told = |error: std::io::Error| error.to_string();
    std::fs::create_dir_all(folder).map_err(told)?;
    let (source, program): (PathBuf, PathBuf) = (folder.join("futex.c"), folder.join("futex"));
    std::fs::write(&source, HOST_PROGRAM).map_err(told)?;
    let compiled = Command::new("cc")
        .args(["-O2", "-pthread", "-o"])
        .args([&program, &source])
        .output()
        .map_err(|error| format!("`cc` can't be run: {error}"))?;
    if !compiled.status.success() {
        return Err(format!("`cc` fails: {}", String::from_utf8_lossy(&compiled.stderr).trim()));
    }
    let run = Command::new(std::path::absolute(&program).map_err(told)?).output().map_err(told)?;
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [uncontended, contended] if run.status.success() => Ok(Host { uncontended, contended }),
        _ => Err(format!("it ended with {} and said `{}`", run.status, said.trim())),
    }
}
