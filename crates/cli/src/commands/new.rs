//! A starter project: a folder with a system that boots.

use fusee_pipeline::provenance::quoted;
use fusee_pipeline::status::Status;
use serde_json::json;

use crate::args::New;
use crate::output::Output;

/// Writes the project.
pub(crate) fn run(arguments: &New, output: &mut Output) -> Status {
    let folder = &arguments.folder;
    if folder.exists() {
        return output.bad_input(format!("`{}` exists already", folder.display()));
    }
    let paths = match arguments.starter().write(folder) {
        Ok(paths) => paths,
        Err(error) => {
            return output.failed(format!("cannot write `{}`: {error}", folder.display()));
        }
    };
    let shown = || paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
    output.json(|| json!({ "files": shown() }));
    output.text(format!("next: fusee run {}\n", quoted(&paths[0].display().to_string())));
    paths.iter().for_each(|path| output.wrote(path));
    Status::Fine
}
