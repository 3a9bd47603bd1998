//! Builds the bootable kernel for a platform.
//!
//! The kernel is one program for each platform, policy and variant, whatever system it runs, so it
//! is built once and kept, by the hash of all that it is made from. It needs a Rust compiler that
//! can make code for the platform: one whose target is installed, or one that has the source of the
//! core library, which is then built as well (Debian's `rust-web-src`). Which of those there are is
//! found out by asking the compilers, not by guessing from names of distributions.

mod inputs;
mod toolchain;

use fusee_kept::{Key, Store, dependencies};
use fusee_platform::{Cores, KernelConfig, Platform, Schedulers};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use inputs::Sources;
use toolchain::Toolchain;

/// The reason why there is no kernel.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// No compiler that can make code for the platform.
    #[error("no Rust compiler here makes code for {target}: {tried}")]
    NoCompiler {
        /// The compiler's name of the target.
        target: &'static str,
        /// The tools that were asked, and the part that each lacks.
        tried: String,
    },
    /// There is no linker.
    #[error("the linker `lld` is missing")]
    NoLinker,
    /// The source of the kernel is not where this program was built.
    #[error("the kernel's source is not at {}", .0.display())]
    NoSource(PathBuf),
    /// The compiler refused.
    #[error("the kernel does not compile:\n{0}")]
    Compiler(String),
    /// Its sources change all the time.
    #[error("the kernel's sources at {} change while they are compiled", .0.display())]
    Changing(PathBuf),
    /// It was made from a file that belongs to none of its packages.
    #[error("the kernel is made from {}, which is in none of its packages", .0.display())]
    Elsewhere(PathBuf),
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
            BuildError::NoSource(_)
            | BuildError::Compiler(_)
            | BuildError::Changing(_)
            | BuildError::Elsewhere(_)
            | BuildError::File(..) => None,
        }
    }
}

/// The compiler's name of a platform's target.
const fn target(platform: Platform) -> &'static str {
    platform.descriptor().compilers.rust
}

/// Builds a kernel, unless one that was made from the same is kept, and returns where it is. Takes
/// half a minute the first time.
///
/// `progress` hears in a few words what takes long.
///
/// # Errors
/// See [`BuildError`].
pub fn build(
    platform: Platform,
    kernel: impl Into<KernelConfig>,
    progress: &dyn Fn(&str),
) -> Result<PathBuf, BuildError> {
    let kernel = kernel.into();
    // Each of several cores gets the same kernel at another place.
    let whole: &[&str] = match kernel.cores {
        Cores::One => &[],
        Cores::Several => &["-Ccode-model=medium", "-Clink-arg=--emit-relocs"],
    };
    // What schedulers ask for is much code, and not on the ways that are to be short.
    let (profile, flags): (_, &[&str]) = match kernel.schedulers {
        Schedulers::Trees => ("small", &["-Ctarget-feature=+relax"]),
        Schedulers::None => ("release", &[]),
    };
    let (name, features) = (kernel.to_string(), kernel.features().collect::<Vec<_>>());
    build_with(
        platform,
        &Wanted { name: &name, features: &features, profile, flags, whole },
        progress,
    )
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

/// The options of a kernel's build.
struct Wanted<'a> {
    /// The name of the kernel.
    name: &'a str,
    /// Features of its crate.
    features: &'a [&'a str],
    /// The profile of the workspace by which it is compiled.
    profile: &'a str,
    /// More words for the compiler, for every crate.
    flags: &'a [&'a str],
    /// More where it puts the whole together. Kernels that differ in these alone are made from the
    /// same core library, which takes ten times as long as a kernel.
    whole: &'a [&'a str],
}

/// The number of times that a kernel is compiled because somebody changes its sources meanwhile.
const TRIES: usize = 5;

/// Builds a kernel.
fn build_with(
    platform: Platform,
    wanted: &Wanted<'_>,
    progress: &dyn Fn(&str),
) -> Result<PathBuf, BuildError> {
    let source = root().join("os");
    if !source.join("Cargo.toml").is_file() {
        return Err(BuildError::NoSource(source));
    }
    let toolchain = Toolchain::find(target(platform))?;
    let store = store();
    let label = format!("kernel-{}-{}", platform.name(), wanted.name);
    let key = || key(&toolchain, &source, platform, wanted);
    let kept = |key: &Key| store.get(&label, key).map(|_| store.place(&label, key).join(PROGRAM));
    let mut wanted_key = key()?;
    if let Some(kernel) = kept(&wanted_key.0) {
        return Ok(kernel);
    }
    let folder = folder(&toolchain, platform, wanted);
    // All kernels of a folder come out at the same place, so only one is built at a time.
    let _held = hold(&folder).map_err(failed(&folder))?;
    progress(&format!("building the {} kernel for {}", wanted.name, platform.name()));
    for _ in 0..TRIES {
        // Somebody else may have built it while this one waited.
        if let Some(kernel) = kept(&wanted_key.0) {
            return Ok(kernel);
        }
        let program = compile(&toolchain, &source, &folder, (platform, wanted))?;
        let kernel = fs::read(&program).map_err(failed(&program))?;
        read_elsewhere(&program, &wanted_key.1)?;
        let made_from = std::mem::replace(&mut wanted_key, key()?);
        if made_from.0.hash() == wanted_key.0.hash() {
            let files = [(PROGRAM.to_owned(), kernel)].into();
            let place = store.put(&label, &wanted_key.0, &files);
            return Ok(place.map_err(failed(&folder))?.join(PROGRAM));
        }
    }
    kept(&wanted_key.0).ok_or(BuildError::Changing(source))
}

/// The name of a kernel among what is kept of it.
const PROGRAM: &str = "kernel.elf";

/// Returns the key of a kernel, and the files of its packages.
fn key(
    toolchain: &Toolchain,
    source: &Path,
    platform: Platform,
    wanted: &Wanted<'_>,
) -> Result<(Key, Sources), BuildError> {
    let mut key = Key::of("kernel 1");
    let sources = Sources::of(&source.join("kernel-image"))?;
    sources.add_to(&mut key)?;
    inputs::add_tools(&mut key, toolchain);
    key.add("target", target(platform));
    key.add("platform", platform.name());
    key.add("profile", wanted.profile);
    for (name, words) in
        [("features", wanted.features), ("flags", wanted.flags), ("whole", wanted.whole)]
    {
        key.add(name, words.join("\u{1f}"));
    }
    Ok((key, sources))
}

/// Returns the folder in which kernels of one target and with the same flags are compiled. Those of
/// another have nothing in common with them, and are built at the same time.
fn folder(toolchain: &Toolchain, platform: Platform, wanted: &Wanted<'_>) -> PathBuf {
    let mut key = Key::of("folder");
    key.add("tools", toolchain.identity());
    key.add("flags", wanted.flags.join("\u{1f}"));
    let (target, profile) = (target(platform), wanted.profile);
    cache().join(format!("{target}-{profile}-{}", &key.hash()[..8]))
}

/// Refuses a kernel that was made from files which its key does not know: it would be kept when
/// they change.
fn read_elsewhere(program: &Path, sources: &Sources) -> Result<(), BuildError> {
    let told = program.with_extension("d");
    let files = dependencies::read(&told).map_err(failed(&told))?;
    match files.into_iter().find(|file| !file.is_dir() && !sources.contains(file)) {
        Some(file) => Err(BuildError::Elsewhere(file)),
        None => Ok(()),
    }
}

/// The folder of the project whose kernel is built.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the folder in which code for machines is compiled and kept.
pub fn cache() -> PathBuf {
    root().join("target/os")
}

/// Returns the store of what compilers have made.
pub fn store() -> Store {
    Store::at(cache().join("kept"))
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

/// Returns a key that tells the compiler of [`cargo`] from all others, with the variables that it
/// reads.
///
/// # Errors
/// See [`BuildError`].
pub fn compiler_key(kind: &str, target: &'static str) -> Result<Key, BuildError> {
    let mut key = Key::of(kind);
    inputs::add_tools(&mut key, &Toolchain::find(target)?);
    key.add("target", target);
    Ok(key)
}

fn compile(
    toolchain: &Toolchain,
    source: &Path,
    folder: &Path,
    (platform, wanted): (Platform, &Wanted<'_>),
) -> Result<PathBuf, BuildError> {
    let target = target(platform);
    let mut command = toolchain.command(source, wanted.flags);
    command.args(["rustc", "--profile", wanted.profile, "--locked", "--quiet"]);
    command.args(["--package", "fusee-kernel-image"]);
    command.args(["--target", target, "--target-dir"]).arg(folder);
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

/// Returns the error of a file that could not be read or written.
fn failed(path: &Path) -> impl Fn(io::Error) -> BuildError {
    let path = path.to_owned();
    move |error| BuildError::File(path.clone(), error)
}
