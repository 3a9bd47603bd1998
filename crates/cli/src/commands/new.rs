//! A starter project: a folder with a description that holds its deadlines.
//!
//! The folder is made under another name first and renamed when it is complete,
//! so that an interrupted run leaves nothing that looks finished.

use std::fs;
use std::io;
use std::path::Path;

use fusee_pipeline::files;
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::args::New;
use crate::output::Output;

const FILES: &[(&str, &str)] = &[
    ("system.camkes", include_str!("../../starter/system.camkes")),
    ("README.md", include_str!("../../starter/README.md")),
];

/// Writes the project.
pub(crate) fn run(arguments: &New, output: &mut Output) -> Status {
    let folder = &arguments.folder;
    if folder.exists() {
        return output.bad_input(format!("`{}` exists already", folder.display()));
    }
    if let Err(error) = write(folder) {
        return output.failed(format!("cannot write `{}`: {error}", folder.display()));
    }
    let paths: Vec<_> = FILES.iter().map(|(name, _)| folder.join(name)).collect();
    let system = paths[0].display();
    output.json(|| json!({ "files": paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>() }));
    output.text(format!("next: fusee analyze {system}\n"));
    paths.iter().for_each(|path| output.wrote(path));
    Status::Fine
}

fn write(folder: &Path) -> io::Result<()> {
    let part = files::beside(folder)?;
    let written = fill(&part).and_then(|()| fs::rename(&part, folder));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(&part);
    }
    written
}

fn fill(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)?;
    FILES.iter().try_for_each(|(name, text)| files::write(&folder.join(name), text.as_bytes()))
}
