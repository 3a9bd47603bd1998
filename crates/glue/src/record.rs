//! The sources of programs, to be compared with later ones.
//!
//! Two parts: how each component is compiled, which can be told again without compiling,
//! and the files that compilers have read, as these say it. Paths are seen from the
//! description's folder, so that the record is the same on every machine.

use crate::failure::Failure;
use crate::paths::{absolute, relative};
use crate::request::Request;
use crate::sources::Project;
use crate::templates::Templates;
use crate::view::{self, Types};
use fusee_kept::digest;
use fusee_platform::Platform;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A path seen from a folder, as a record has it.
fn seen(path: &Path, folder: &Path) -> String {
    relative(path, folder).to_string_lossy().into_owned()
}

/// A source as a record names it: where it is, or its name where the build makes it.
fn named(source: &Path, folder: &Path) -> String {
    let source = absolute(source);
    match source.starts_with(folder) {
        true => seen(&source, folder),
        false => source.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

/// Returns `true` if an option names a place outside of the project.
fn is_elsewhere(word: &str) -> bool {
    ["/", "-I/", "-isystem/", "-iquote/"].iter().any(|start| word.starts_with(start))
}

/// Returns the compilation of each component of a system as it would be now.
///
/// # Errors
/// A template is wrong.
pub fn plan(
    request: &Request<'_>,
) -> Result<BTreeMap<String, Vec<String>>, Vec<fusee_diagnostics::Diagnostic>> {
    let folder = absolute(request.folder);
    let word = request.platform.word_bytes() as u32;
    let project = Project::around(&folder, word, request.given);
    planned(request, &project, &Templates::new(request.templates)?)
}

/// The same with what a build knows.
pub(crate) fn planned(
    request: &Request<'_>,
    project: &Project,
    templates: &Templates,
) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let folder = absolute(request.folder);
    let types = Types { system: request.system, word: request.platform.word_bytes() as u32 };
    let here = format!("{}/", folder.display());
    let defines = request.given.defines.iter().map(|(name, value)| match value {
        Some(value) => format!("-D{name}={value}"),
        None => format!("-D{name}"),
    });
    let defines: Vec<String> = defines.collect();
    let mut components = BTreeMap::new();
    for (index, component) in request.system.components.iter().enumerate() {
        if component.hardware {
            continue;
        }
        let sources = project.sources(&component.kind, &component.name);
        let mut lines = Vec::new();
        for part in &sources.parts {
            for source in &part.sources {
                let words = part.arguments_of(source);
                let words = words.into_iter().chain(defines.iter().cloned());
                // What is elsewhere, as what CMake makes, is known by what compilers read of it.
                let words = words.map(|word| word.replace(&here, ""));
                let words: Vec<String> =
                    words.filter(|word| !word.contains(" /") && !is_elsewhere(word)).collect();
                lines.push(format!("{} {}", named(source, &folder), words.join(" ")));
            }
        }
        lines.extend(sources.rust.iter().map(|root| named(root, &folder)));
        let header = view::header(request.system, types, index.into());
        let header = templates.component("camkes.h", &header)?;
        lines.push(format!("camkes.h {}", digest(header.as_bytes())));
        components.insert(component.name.clone(), lines);
    }
    Ok(components)
}

/// The files of a project among those that compilers have read, with the manifests of crates.
pub(crate) fn files(
    folder: &Path,
    out: &Path,
    read: &BTreeSet<PathBuf>,
) -> BTreeMap<String, String> {
    let cache = absolute(&fusee_kernel_build::cache());
    let own = |path: &PathBuf| {
        let text = path.to_string_lossy();
        let foreign = ["/registry/src/", "/rustlib/"].iter().any(|part| text.contains(part));
        !foreign && !path.starts_with(out) && !path.starts_with(&cache)
    };
    let read: BTreeSet<PathBuf> = read.iter().map(|path| absolute(path)).filter(own).collect();
    let rust = read.iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let manifests = rust.filter_map(|path| {
        let folder = path.ancestors().skip(1).take(8).find(|at| at.join("Cargo.toml").is_file())?;
        Some(["Cargo.toml", "Cargo.lock"].map(|name| folder.join(name)))
    });
    let manifests: BTreeSet<PathBuf> = manifests.flatten().filter(|path| path.is_file()).collect();
    let hashed = |path: &PathBuf| {
        let bytes = std::fs::read(path).ok()?;
        Some((seen(path, folder), digest(&bytes)))
    };
    read.iter().chain(&manifests).filter_map(hashed).collect()
}

/// Returns the versions of a build's tools: the C compiler of this name, the library behind it, and
/// the compiler of Rust where that is used. A missing tool is left out.
pub fn tools(platform: Platform, compiler: &str, rust: bool) -> BTreeMap<String, String> {
    let said = |command: &mut Command| {
        let run = command.stdin(Stdio::null()).env("LC_ALL", "C").output().ok()?;
        let text = String::from_utf8_lossy(&run.stdout);
        Some(text.lines().next().unwrap_or_default().trim().to_owned())
    };
    let mut tools = BTreeMap::new();
    let version = said(Command::new(compiler).arg("--version"));
    tools.extend(version.map(|version| ("C compiler".to_owned(), version)));
    let compilers = &platform.descriptor().compilers;
    let library = said(
        Command::new(crate::tool::GCC)
            .args(compilers.c)
            .args(["--specs=picolibc.specs", "-print-file-name=libc.a"]),
    );
    let library = library.and_then(|path| std::fs::read(path).ok());
    tools.extend(library.map(|bytes| ("C library".to_owned(), digest(&bytes))));
    if rust {
        let rustc = fusee_kernel_build::cargo(compilers.rust).ok().and_then(|cargo| {
            let set = cargo.get_envs().find(|(name, _)| *name == "RUSTC");
            set.and_then(|(_, value)| value).map(std::ffi::OsStr::to_owned)
        });
        let version = rustc.and_then(|rustc| said(Command::new(rustc).arg("--version")));
        tools.extend(version.map(|version| ("Rust compiler".to_owned(), version)));
    }
    tools
}
