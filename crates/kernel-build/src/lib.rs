//! Builds the bootable kernel for a platform.
//!
//! The kernel is one program for each platform, policy and variant, whatever system it runs, so it
//! is built once and kept. It needs a Rust compiler that can make code for the platform: one whose
//! target is installed, or one that has the source of the core library, which is then built as well
//! (Debian's `rust-web-src`). Which of those there are is found out by asking the compilers, not by
//! guessing from names of distributions.

mod toolchain;

use fusee_platform::{Kernel, KernelPolicy, KernelVariant, Platform, Span};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use toolchain::Toolchain;

/// The features of its crate that a kernel is built with.
fn features(kernel: Kernel) -> Vec<&'static str> {
    let policy = match kernel.policy {
        KernelPolicy::FixedPriority => None,
        KernelPolicy::EarliestDeadline => Some("earliest-deadline"),
        KernelPolicy::PriorityCeiling => Some("priority-ceiling"),
        KernelPolicy::MutexWords => Some("mutex-words"),
        KernelPolicy::LockServices => Some("lock-services"),
    };
    let variant = match kernel.variant {
        KernelVariant::Plain => None,
        KernelVariant::Traced => Some("trace"),
        KernelVariant::Checked => Some("checked"),
    };
    let span = match kernel.span {
        Span::OneCore => None,
        Span::Cores => Some("cores"),
        Span::Trees => Some("schedulers"),
    };
    [policy, variant, span].into_iter().flatten().collect()
}

/// Why there is no kernel.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// No compiler that can make code for the platform.
    #[error("no Rust compiler here makes code for {target}: {tried}")]
    NoCompiler {
        /// The compiler's name of the target.
        target: &'static str,
        /// What was asked, and what each lacks.
        tried: String,
    },
    /// No linker.
    #[error("the linker `lld` is missing")]
    NoLinker,
    /// The source of the kernel is not where this program was built.
    #[error("the kernel's source is not at {}", .0.display())]
    NoSource(PathBuf),
    /// The compiler refused.
    #[error("the kernel does not compile:\n{0}")]
    Compiler(String),
    /// A file could not be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
}

impl BuildError {
    /// The command to type next.
    pub fn fix(&self) -> Option<&'static str> {
        match self {
            BuildError::NoCompiler { .. } => {
                Some("sudo apt-get install rustc-web cargo-web rust-web-src lld-19")
            }
            BuildError::NoLinker => Some("sudo apt-get install lld-19"),
            BuildError::NoSource(_) | BuildError::Compiler(_) | BuildError::File(..) => None,
        }
    }
}

/// The compiler's name of a platform's target.
const fn target(platform: Platform) -> &'static str {
    platform.descriptor().compilers.rust
}

/// Builds a kernel, unless an up-to-date one is there, and answers where it is. Takes half a minute
/// the first time.
///
/// `progress` hears in a few words what takes long.
///
/// # Errors
/// See [`BuildError`].
pub fn build(
    platform: Platform,
    kernel: impl Into<Kernel>,
    progress: &dyn Fn(&str),
) -> Result<PathBuf, BuildError> {
    let kernel = kernel.into();
    // Each of several cores gets the same kernel at another place.
    let whole: &[&str] = match kernel.span {
        Span::OneCore | Span::Trees => &[],
        Span::Cores => &["-Ccode-model=medium", "-Clink-arg=--emit-relocs"],
    };
    // What schedulers ask for is much code, and not on the ways that are to be short.
    let (profile, flags): (_, &[&str]) = match kernel.span {
        Span::Trees => ("small", &["-Ctarget-feature=+relax"]),
        Span::OneCore | Span::Cores => ("release", &[]),
    };
    let wanted = Wanted { name: kernel.name(), features: &features(kernel), profile, flags, whole };
    build_with(platform, &wanted, progress)
}

/// As [`build`], for the test that must find it: registers cross domains in the three ways in which
/// they once did.
///
/// # Errors
/// See [`BuildError`].
pub fn build_leaky(platform: Platform, progress: &dyn Fn(&str)) -> Result<PathBuf, BuildError> {
    let (name, features, profile) = ("leaky", &["leaks"][..], "release");
    build_with(platform, &Wanted { name, features, profile, flags: &[], whole: &[] }, progress)
}

/// How a kernel is built.
struct Wanted<'a> {
    /// What it is called.
    name: &'a str,
    /// Features of its crate.
    features: &'a [&'a str],
    /// By which profile of the workspace it is compiled.
    profile: &'a str,
    /// More words for the compiler, for every crate.
    flags: &'a [&'a str],
    /// More where it puts the whole together. Kernels that differ in these alone are made from the
    /// same core library, which takes ten times as long as a kernel.
    whole: &'a [&'a str],
}

/// Builds a kernel.
fn build_with(
    platform: Platform,
    wanted: &Wanted<'_>,
    progress: &dyn Fn(&str),
) -> Result<PathBuf, BuildError> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let source = root.join("os");
    if !source.join("Cargo.toml").is_file() {
        return Err(BuildError::NoSource(source));
    }
    let folder = cache();
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| BuildError::File(path, error)
    };
    // Two variants come out at the same place, so only one is built at a time.
    let _held = hold(&folder).map_err(failed(&folder))?;
    let toolchain = Toolchain::find(target(platform))?;
    let kernel = folder.join(format!("{}-{}.elf", platform.name(), wanted.name));
    if !kernel.is_file() {
        progress(&format!("building the {} kernel for {}", wanted.name, platform.name()));
    }
    let made = compile(&toolchain, &source, platform, wanted)?;
    replace(&made, &kernel).map_err(failed(&kernel))?;
    Ok(kernel)
}

/// Where compiled Rust code for machines is kept from one build to the next.
pub fn cache() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/os")
}

/// Waits until nobody else builds in a folder, and keeps others out until the file is dropped.
///
/// # Errors
/// When the folder, or the file in it that is held, can be neither made nor opened.
pub fn hold(folder: &Path) -> io::Result<File> {
    fs::create_dir_all(folder)?;
    let held = File::create(folder.join("lock"))?;
    held.lock()?;
    Ok(held)
}

/// A cargo that makes code for a target; the subcommand and all else is the caller's to add.
///
/// # Errors
/// See [`BuildError`].
pub fn cargo(target: &'static str) -> Result<Command, BuildError> {
    Ok(Toolchain::find(target)?.plain())
}

fn compile(
    toolchain: &Toolchain,
    source: &Path,
    platform: Platform,
    wanted: &Wanted<'_>,
) -> Result<PathBuf, BuildError> {
    let (folder, target) = (cache(), target(platform));
    let mut command = toolchain.command(source, wanted.flags);
    command.args(["rustc", "--profile", wanted.profile, "--locked", "--quiet"]);
    command.args(["--package", "fusee-kernel-image"]);
    command.args(["--target", target, "--target-dir"]).arg(&folder);
    // Two machines may have the same target.
    command.arg("--features").arg([&[platform.name()], wanted.features].concat().join(","));
    command.arg("--").args(wanted.whole);
    let output = run(&mut command)?;
    if !output.status.success() {
        return Err(BuildError::Compiler(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(folder.join(target).join(wanted.profile).join("fusee-kernel-image"))
}

fn run(command: &mut Command) -> Result<Output, BuildError> {
    command.output().map_err(|error| BuildError::File(command.get_program().into(), error))
}

/// Copies a file if it differs, so that what depends on it can see whether it has changed.
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    let new = fs::read(from)?;
    if fs::read(to).is_ok_and(|old| old == new) {
        return Ok(());
    }
    let beside = to.with_extension("new");
    fs::write(&beside, new)?;
    fs::rename(beside, to)
}
