//! The check that programs are those of a description.

use std::path::Path;

use fusee_diagnostics::{Diagnostic, Severity};
use fusee_glue::Given;
use fusee_model::System;
use fusee_platform::Platform;

use super::programs::unreadable;
use crate::digest::digest;
use crate::{build, rules, stale};

/// Returns the differences between the programs that a build has made and those of a system: times
/// that are taken from them are then of no use for it. The image holds these programs, and says
/// what it was built from.
pub(crate) fn differences(
    (system, given): (&System, &Given),
    folder: &Path,
    platform: Platform,
) -> Vec<Diagnostic> {
    let path = folder.join(build::IMAGE);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => return vec![unreadable(&path, &error)],
    };
    let (report, _) = match build::verified(&path, &bytes, Some(system)) {
        Ok(verified) => verified,
        Err(error) => return vec![error.diagnostic(&path.display().to_string())],
    };
    if report.platform != platform {
        let message = format!("the programs are for `{}`, not for `{platform}`", report.platform);
        let note = format!("add `--platform {}`, or build for `{platform}`", report.platform);
        return vec![Diagnostic::error(fusee_wcet::METHOD, message).with_note(note)];
    }
    let build = format!(
        "the programs are not of this description: build it again, with `-o {}`",
        folder.display()
    );
    let findings: Vec<Diagnostic> = report
        .findings
        .iter()
        .map(|finding| finding.diagnostic().with_note(build.clone()))
        .collect();
    if !findings.is_empty() {
        return findings;
    }
    let image = stale::Image { path: &path, bytes: &bytes, platform };
    let stale::Told { wrong, unknown, .. } = image.against(Some((system, given)));
    // Whose sources nobody knows may be of others.
    let unknown = unknown.map(|mut unknown| {
        unknown.severity = Severity::Error;
        unknown.with_note(build)
    });
    wrong.into_iter().chain(unknown).collect()
}

/// Returns the reason for which a cost table of one image does not hold for the programs in a
/// folder.
pub(crate) fn mismatch(image: &str, folder: Option<&Path>) -> Option<Diagnostic> {
    let of_one = "the cost table is of one image, and counts the kernel's paths in it alone";
    let Some(folder) = folder else {
        let wrong = Diagnostic::error(rules::COSTS, of_one);
        return Some(wrong.with_note(
            "add `--programs` with the folder of that image: from there are the times of all code \
             around these paths",
        ));
    };
    let path = folder.join(build::IMAGE);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => return Some(unreadable(&path, &error)),
    };
    (digest(&bytes) != image).then(|| {
        let message = format!("the cost table is of another image than `{}`", path.display());
        Diagnostic::error(rules::COSTS, message).with_note(format!(
            "bound the kernel in this one: `fusee wcet --kernel {} --machine vexriscv -o \
             FILE.toml`",
            path.display()
        ))
    })
}
