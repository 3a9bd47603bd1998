//! A command's outputs, compared with its inputs before it begins.
//!
//! A slip of the shell's history (`--report system.camkes`) must not cost a description. A
//! file is the same file under every spelling of its path and through every link, so files
//! are compared by what the system knows them by.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use fusee_diagnostics::Diagnostic;
use fusee_glue::Project;

use crate::costs::Costs;
use crate::load::load;
use crate::options::Source;
use crate::{build, rules};

/// The files that a command writes.
#[derive(Debug, Clone, Default)]
pub struct Outputs {
    /// Files, each with the option that names it.
    pub files: Vec<(&'static str, PathBuf)>,
    /// Folders in which images are built, each with the option that names it.
    pub builds: Vec<(&'static str, PathBuf)>,
}

/// The files that a command reads.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// Descriptions, or images.
    pub sources: Vec<Source>,
    /// The files by name.
    pub files: Vec<PathBuf>,
    /// Folders that builds have made.
    pub builds: Vec<PathBuf>,
}

/// Folders in which a build writes, in its own.
const BUILT: [&str; 4] = ["objects", "domains", "glue", "runtime"];

/// The numbers by which the operating system knows a file.
type Identity = (u64, u64);

fn identity(path: &Path) -> Option<Identity> {
    fs::metadata(path).ok().map(|of| (of.dev(), of.ino()))
}

/// Returns the reason for which a command must not write what it is asked to.
pub fn refused(outputs: &Outputs, inputs: &Inputs) -> Option<Diagnostic> {
    let twice = outputs.files.iter().enumerate().find_map(|(at, (option, path))| {
        let before = outputs.files[..at].iter().find(|(_, other)| is_same(path, other))?;
        Some(same(before.0, option, path))
    });
    let exists = |(_, path): &(_, PathBuf)| path.exists();
    if twice.is_some() || !(outputs.files.iter().any(exists) || outputs.builds.iter().any(exists)) {
        return twice;
    }
    let read = inputs.all();
    let file = outputs.files.iter().find_map(|(option, path)| {
        let here = identity(path)?;
        let input = read.iter().find(|input| identity(input) == Some(here))?;
        Some(overwritten(option, path, input))
    });
    file.or_else(|| {
        outputs.builds.iter().find_map(|(option, folder)| {
            let input = read.iter().find(|input| is_built(folder, input))?;
            Some(overwritten(option, folder, input))
        })
    })
}

/// Returns `true` if two paths name one file, which need not be there.
fn is_same(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    let exist = identity(one).is_some() && identity(one) == identity(other);
    exist || (place(one).is_some() && place(one) == place(other))
}

/// Returns `true` if a build in a folder would write a file anew.
fn is_built(folder: &Path, file: &Path) -> bool {
    let (Ok(folder), Ok(file)) = (folder.canonicalize(), file.canonicalize()) else { return false };
    let Ok(way) = file.strip_prefix(&folder) else { return false };
    let first = way.components().next().map(|first| first.as_os_str().to_string_lossy());
    let Some(first) = first else { return true };
    let is_file = way.components().count() == 1;
    match is_file {
        true => first == build::IMAGE || (first.starts_with("kernel") && first.ends_with(".elf")),
        false => BUILT.contains(&&*first),
    }
}

impl Inputs {
    /// Returns all files that are read.
    fn all(&self) -> Vec<PathBuf> {
        let mut all = self.files.clone();
        self.builds.iter().for_each(|folder| add_build(folder, &mut all));
        for source in &self.sources {
            all.push(source.system.clone());
            match crate::elf::is_elf(&source.system) {
                true => {
                    add_build(source.system.parent().unwrap_or(Path::new("")), &mut all);
                }
                false => add_description(source, &mut all),
            }
        }
        all
    }
}

/// Adds what a build has made.
fn add_build(folder: &Path, all: &mut Vec<PathBuf>) {
    for folder in [folder.to_owned(), folder.join("domains")] {
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
        all.extend(files.filter(|path| path.extension().is_some_and(|ending| ending == "elf")));
    }
}

/// Adds what a description consists of, and the sources of its components.
fn add_description(source: &Source, all: &mut Vec<PathBuf>) {
    let loaded = load(source, &Costs::nothing());
    all.extend(loaded.sources.files().map(|(_, file)| file.path.clone()));
    if let Some((system, _)) = &loaded.system {
        let folder = source.system.parent().unwrap_or(Path::new(""));
        let project = Project::around(folder, 8, &loaded.given);
        all.extend(project.files(folder, system));
    }
}

fn overwritten(option: &str, path: &Path, input: &Path) -> Diagnostic {
    let message = format!("`{option} {}` would overwrite what is read", path.display());
    Diagnostic::error(rules::OVERWRITES, message)
        .with_note(format!("`{}` is a part of the input", input.display()))
        .with_note("nothing was written: name another file")
}

fn same(first: &str, second: &str, path: &Path) -> Diagnostic {
    let message = format!("`{first}` and `{second}` name one file: `{}`", path.display());
    Diagnostic::error(rules::OVERWRITES, message)
        .with_note("what is written first would be lost")
        .with_note("nothing was written: name another file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_under_every_name() {
        let folder = std::env::temp_dir().join(format!("fusee-outputs-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner")).expect("a folder");
        let file = folder.join("costs.toml");
        fs::write(&file, "x").expect("a file");
        std::os::unix::fs::symlink(&file, folder.join("link")).expect("a link");
        fs::hard_link(&file, folder.join("hard")).expect("a link");
        let inputs = Inputs { files: vec![file.clone()], ..Inputs::default() };
        let written = |path: &str| {
            let files = vec![("--report", folder.join(path))];
            refused(&Outputs { files, ..Outputs::default() }, &inputs)
        };
        for path in ["costs.toml", "inner/../costs.toml", "./costs.toml", "link", "hard"] {
            let found = written(path).unwrap_or_else(|| panic!("{path} is written"));
            assert_eq!(found.code, rules::OVERWRITES);
        }
        assert_eq!(written("other.toml"), None);
        let two = |one: &str, other: &str| {
            let files = vec![("--report", folder.join(one)), ("--trace", folder.join(other))];
            refused(&Outputs { files, ..Outputs::default() }, &Inputs::default()).is_some()
        };
        assert!(two("new", "inner/../new") && two("link", "hard") && !two("new", "newer"));
        fs::remove_dir_all(folder).expect("it can be removed");
    }

    #[test]
    fn a_build_leaves_sources_in_its_folder_alone() {
        let folder = std::env::temp_dir().join(format!("fusee-builds-{}", std::process::id()));
        for path in ["glue/a.c", "image.elf", "components/A/a.c", "objects"] {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, "x").expect("a file");
        }
        let built = |path: &str| is_built(&folder, &folder.join(path));
        assert!(built("glue/a.c") && built("image.elf"));
        assert!(!built("components/A/a.c") && !built("objects"));
        assert!(is_built(&folder.join("image.elf"), &folder.join("image.elf")));
        fs::remove_dir_all(folder).expect("it can be removed");
    }
}
