//! A Rust compiler that can make code for a target, and a linker.

use crate::BuildError;
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
        let linker = LINKERS.into_iter().find(|name| answers(name)).ok_or(BuildError::NoLinker)?;
        let mut tried = Vec::new();
        for (cargo, rustc) in [("cargo", "rustc"), ("/usr/bin/cargo", "/usr/bin/rustc")] {
            match examine(rustc, target) {
                Ok(builds_core) => {
                    return Ok(Toolchain {
                        cargo: cargo.into(),
                        rustc: rustc.into(),
                        builds_core,
                        linker,
                    });
                }
                Err(lack) => tried.push(format!("`{rustc}` {lack}")),
            }
        }
        Err(BuildError::NoCompiler { target, tried: tried.join("; ") })
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

fn answers(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn ask(rustc: &str, question: &[&str]) -> Option<String> {
    let output = Command::new(rustc).args(question).env_remove("RUSTUP_TOOLCHAIN").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Returns whether a compiler must build the core library itself, or what it lacks.
fn examine(rustc: &str, target: &str) -> Result<bool, String> {
    let version = ask(rustc, &["--version"]).ok_or("is not there")?;
    let minor = version.split(['.', ' ']).nth(2).and_then(|minor| minor.parse::<u32>().ok());
    if minor.is_none_or(|minor| minor < OLDEST_MINOR) {
        return Err(format!("is too old ({version})"));
    }
    let library = PathBuf::from(
        ask(rustc, &["--print", "sysroot"]).ok_or("does not say where its library is")?,
    )
    .join("lib/rustlib");
    if library.join("src/rust/library/core/Cargo.toml").is_file() {
        Ok(true)
    } else if library.join(target).join("lib").is_dir() {
        Ok(false)
    } else {
        Err("has neither this target nor the source of the core library".to_owned())
    }
}
