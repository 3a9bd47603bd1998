//! The next command to type where programs can tell the missing times.

use std::path::Path;

use fusee_platform::Platform;

use crate::load::{Loaded, WITHOUT_WCET};
use crate::methods;
use crate::options::Source;
use crate::provenance::quoted;

/// Returns the folder of a system's build if the user names none.
pub(crate) fn folder(name: &str) -> String {
    Path::new("build").join(name).display().to_string()
}

/// Returns a description and how it is read, as arguments of a command; words that a shell takes as
/// they are.
pub(crate) fn arguments(source: &Source) -> String {
    let mut words = vec![source.system.display().to_string()];
    for define in &source.defines {
        words.extend(["-D".to_owned(), define.clone()]);
    }
    for folder in &source.include_paths {
        words.extend(["-I".to_owned(), folder.display().to_string()]);
    }
    words.extend(source.assign.map(|assign| format!("--assign={}", assign.name())));
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// Returns the command that analyses a description with programs.
pub(crate) fn analysis(source: &Source, platform: Platform, folder: &str) -> String {
    let folder = quoted(folder);
    format!("fusee analyze {} --platform {platform} --programs {folder}", arguments(source))
}

/// Says which commands take times from programs, with the first message about one that is missing.
pub(crate) fn about_times(loaded: &mut Loaded, source: &Source, platform: Option<Platform>) {
    let Some((system, _)) = loaded.buildable() else { return };
    if !methods::leaves_out(system) {
        return;
    }
    let platform = platform.unwrap_or(Platform::DEFAULT);
    let folder = folder(&system.name);
    let build =
        format!("fusee build {} --platform {platform} -o {}", arguments(source), quoted(&folder));
    let first = loaded.diagnostics.iter_mut().find(|found| WITHOUT_WCET.contains(&found.code));
    if let Some(first) = first {
        first.notes.push(format!("or take all times from the programs: `{build}`"));
        first.notes.push(format!("and then `{}`", analysis(source, platform, &folder)));
    }
}
