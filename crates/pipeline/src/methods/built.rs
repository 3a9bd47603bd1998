//! Whether programs are those of a description.

use std::path::Path;

use fusee_diagnostics::Diagnostic;
use fusee_model::System;
use fusee_platform::Platform;

use super::programs::unreadable;
use crate::build;

/// How the programs that a build has made differ from those of a system: times that are taken from
/// them are then of no use for it. They are what its image holds, and the image says what it was
/// built from.
pub fn differences(system: &System, folder: &Path, platform: Platform) -> Vec<Diagnostic> {
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
    report.findings.iter().map(|finding| finding.diagnostic().with_note(build.clone())).collect()
}
