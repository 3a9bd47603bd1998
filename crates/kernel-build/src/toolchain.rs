//! A Rust compiler that can make code for a target, and a linker.

use crate::{BuildError, root};
use fusee_kept::identity;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// The oldest compiler that builds the kernel: 1.95.
const OLDEST_MINOR: u32 = 95;

/// Names under which the linker is looked for.
const LINKERS: [&str; 4] = ["ld.lld-19", "ld.lld", "ld.lld-20", "ld.lld-18"];

/// A compiler with its cargo, and what it needs to be told.
#[derive(Debug, Clone)]
pub(crate) struct Toolchain {
    cargo: PathBuf,
    rustc: PathBuf,
    builds_core: bool,
    linker: &'static str,
    identity: String,
}

impl Toolchain {
    /// The first that can make code for the target: the one in the path, then Debian's. Asked once
    /// in each run of a program.
    pub(crate) fn find(target: &'static str) -> Result<Toolchain, BuildError> {
        static FOUND: Mutex<BTreeMap<&'static str, Toolchain>> = Mutex::new(BTreeMap::new());
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        match found.entry(target) {
            Entry::Occupied(known) => Ok(known.get().clone()),
            Entry::Vacant(place) => Ok(place.insert(Toolchain::look(target)?).clone()),
        }
    }

    fn look(target: &'static str) -> Result<Toolchain, BuildError> {
        let linkers = LINKERS.into_iter().filter_map(|name| Some((name, identity(name)?)));
        let (linker, linked_by) = linkers.into_iter().next().ok_or(BuildError::NoLinker)?;
        let mut tried = Vec::new();
        for (cargo, rustc) in [("cargo", "rustc"), ("/usr/bin/cargo", "/usr/bin/rustc")] {
            match examine(rustc, target) {
                Ok(Examined { builds_core, says }) => {
                    let programs = [cargo, rustc].map(|name| identity(name).unwrap_or_default());
                    let identity = [says, programs.join("\n"), linked_by].join("\n");
                    let (cargo, rustc) = (cargo.into(), rustc.into());
                    return Ok(Toolchain { cargo, rustc, builds_core, linker, identity });
                }
                Err(lack) => tried.push(format!("`{rustc}` {lack}")),
            }
        }
        Err(BuildError::NoCompiler { target, tried: tried.join("; ") })
    }

    /// One that is told apart by these words.
    #[cfg(test)]
    pub(crate) fn test(identity: &str) -> Toolchain {
        let (cargo, rustc) = ("cargo".into(), "rustc".into());
        Toolchain { cargo, rustc, builds_core: true, linker: "ld.lld", identity: identity.into() }
    }

    /// Tells it apart from all others, and from itself after an update.
    pub(crate) fn identity(&self) -> &str {
        &self.identity
    }

    /// Its cargo as it is, for code other than the kernel's.
    pub(crate) fn plain(&self) -> Command {
        let mut command = Command::new(&self.cargo);
        command.env("RUSTC", &self.rustc).env_remove("RUSTFLAGS").env_remove("RUSTUP_TOOLCHAIN");
        if self.builds_core {
            command.env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=core");
        }
        command
    }

    /// Its cargo in the kernel's folder, with all that does not depend on what is built, and more
    /// words for the compiler.
    pub(crate) fn command(&self, source: &Path, more: &[&str]) -> Command {
        let script = source.join("arch-riscv/kernel.ld");
        let flags = [
            format!("-Clinker={}", self.linker),
            "-Clinker-flavor=ld.lld".to_owned(),
            format!("-Clink-arg=-T{}", script.display()),
            "-Crelocation-model=static".to_owned(),
        ];
        let mut flags = flags.to_vec();
        flags.extend(more.iter().map(|&word| word.to_owned()));
        let mut command = Command::new(&self.cargo);
        command
            .current_dir(source)
            .env("RUSTC", &self.rustc)
            .env_remove("RUSTFLAGS")
            .env_remove("RUSTUP_TOOLCHAIN");
        if self.builds_core {
            // Nobody reads a panic's message; without it the kernel is a third smaller.
            flags.extend(
                ["-Zunstable-options", "-Zshare-generics=yes", "-Cpanic=immediate-abort"]
                    .map(str::to_owned),
            );
            command.env("RUSTC_BOOTSTRAP", "1").arg("-Zbuild-std=core");
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
        command
    }
}

/// Asks a compiler in the project's folder, whose toolchain it is that compiles.
fn ask(rustc: &str, question: &[&str]) -> Option<String> {
    let mut command = Command::new(rustc);
    command.args(question).env_remove("RUSTUP_TOOLCHAIN").current_dir(root());
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// A compiler that makes code for a target.
struct Examined {
    /// `true` if it must build the core library itself.
    builds_core: bool,
    /// The version that it tells, and the files that it consists of.
    says: String,
}

/// Returns the properties of a compiler, or words for what it lacks.
fn examine(rustc: &str, target: &str) -> Result<Examined, String> {
    let sysroot = ask(rustc, &["--print", "sysroot"]).ok_or("is not there")?;
    let sysroot = PathBuf::from(sysroot);
    let library = sysroot.join("lib/rustlib");
    let core = library.join("src/rust/library/core/Cargo.toml");
    let builds_core = core.is_file();
    if !builds_core && !library.join(target).join("lib").is_dir() {
        return Err("has neither this target nor the source of the core library".to_owned());
    }
    let version = ask(rustc, &["-vV"]).ok_or("does not tell its version")?;
    let minor = version.split(['.', ' ']).nth(2).and_then(|minor| minor.parse::<u32>().ok());
    if minor.is_none_or(|minor| minor < OLDEST_MINOR) {
        let line = version.lines().next().unwrap_or_default();
        return Err(format!("is too old ({line})"));
    }
    let mut parts: Vec<PathBuf> = std::fs::read_dir(sysroot.join("lib"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "so"))
        .chain([sysroot.join("bin/rustc"), sysroot.join("bin/cargo"), core])
        .collect();
    parts.sort();
    let parts = parts.iter().filter_map(|path| identity(&path.to_string_lossy()));
    let says = std::iter::once(version).chain(parts).collect::<Vec<_>>().join("\n");
    Ok(Examined { builds_core, says })
}
