//! Building the board around the core.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A core and the board around it.
pub(crate) struct Core {
    /// The name of what is built.
    pub(crate) name: &'static str,
    /// The module that the board holds.
    pub(crate) top: &'static str,
    /// The board, in C++, behind the headers that it shares with others.
    pub(crate) bench: &'static str,
    /// The option by which the compiler optimizes Verilator's code.
    pub(crate) optimisation: &'static str,
    /// The definitions for the preprocessor of the Verilog.
    pub(crate) defines: &'static [&'static str],
    /// Signals below the board's own that it looks at, by their module.
    pub(crate) seen: &'static [(&'static str, &'static str)],
}

impl Core {
    /// Returns the declarations that keep Verilator from removing signals that no other code looks
    /// at.
    fn public(&self) -> String {
        let line =
            |(module, signal)| format!("public_flat_rd -module \"{module}\" -var \"{signal}\"\n");
        let lines = self.seen.iter().copied().map(line);
        std::iter::once("`verilator_config\n".to_owned()).chain(lines).collect()
    }
}

/// The reason for which it could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The Verilog can't be read.
    #[error("`{}` can't be read: {error}", path.display())]
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// Nothing can be written there.
    #[error("`{}` can't be written: {error}", path.display())]
    Unwritable {
        /// The folder or file.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// There is no Verilator.
    #[error("`verilator` can't be run: {error}; on Debian: apt-get install verilator g++ make")]
    NoVerilator {
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// Verilator or the compiler failed.
    #[error("the core could not be built:\n{log}")]
    Failed {
        /// The end of what they said.
        log: String,
    },
}

/// Returns the folder in which boards are kept: `fusee` in the user's folder for files that can be
/// made again.
pub fn cache() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
    base.unwrap_or_else(std::env::temp_dir).join("fusee")
}

/// Builds a board for the core in these files, in a folder of its own below `folder`.
///
/// What was built there before from the same sources is used again.
pub(crate) fn built(
    core: &Core,
    verilog: &[PathBuf],
    folder: &Path,
) -> Result<PathBuf, BuildError> {
    let read = |path: &PathBuf| {
        std::fs::read(path).map_err(|error| BuildError::Unreadable { path: path.clone(), error })
    };
    let mut sources = verilog.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    sources.push(core.bench.as_bytes().to_vec());
    sources.push(format!("{:?}{}{:?}", core.defines, core.optimisation, core.seen).into_bytes());
    let place = folder.join(format!("{}-{:016x}", core.name, digest(&sources)));
    let program = place.join("board");
    let unwritable = |path: &Path| {
        let path = path.to_owned();
        move |error| BuildError::Unwritable { path, error }
    };
    std::fs::create_dir_all(folder).map_err(unwritable(folder))?;
    let lock = folder.join(format!("{}.lock", core.name));
    // Who comes while another builds waits, and finds it built.
    let held = File::create(&lock).map_err(unwritable(&lock))?;
    held.lock().map_err(unwritable(&lock))?;
    if program.is_file() {
        return Ok(program);
    }
    // Built aside and moved at once, so that nobody ever finds half of it.
    let aside = folder.join(format!("building-{}-{}", core.name, std::process::id()));
    std::fs::create_dir_all(&aside).map_err(unwritable(&aside))?;
    let bench = aside.join("bench.cpp");
    std::fs::write(&bench, core.bench).map_err(unwritable(&bench))?;
    let seen = aside.join("seen.vlt");
    std::fs::write(&seen, core.public()).map_err(unwritable(&seen))?;
    verilate(core, verilog, &[seen, bench], &aside)?;
    std::fs::create_dir_all(&place).map_err(unwritable(&place))?;
    std::fs::rename(aside.join("board"), &program).map_err(unwritable(&program))?;
    std::fs::remove_dir_all(&aside).map_err(unwritable(&aside))?;
    Ok(program)
}

fn verilate(
    core: &Core,
    verilog: &[PathBuf],
    own: &[PathBuf],
    folder: &Path,
) -> Result<(), BuildError> {
    let output = Command::new("verilator")
        .args(["--cc", "--exe", "--build", "-j", "2", "-O3", "--x-assign", "fast"])
        .args(["--x-initial", "fast", "--noassert", "--output-split", "30000"])
        .args(["-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", core.top])
        .args(core.defines.iter().map(|name| format!("-D{name}")))
        // Verilator's makefile has an optimization of its own behind the flags.
        .args(["-MAKEFLAGS", &format!("OPT_FAST={}", core.optimisation), "-o", "board"])
        .arg("-Mdir")
        .arg(folder)
        .args(verilog)
        .args(own)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| BuildError::NoVerilator { error })?;
    if output.status.success() {
        return Ok(());
    }
    let log = [output.stdout, output.stderr].concat();
    let lines: Vec<String> = String::from_utf8_lossy(&log).lines().map(str::to_owned).collect();
    Err(BuildError::Failed { log: lines[lines.len().saturating_sub(20)..].join("\n") })
}

/// Fowler, Noll and Vo's hash (1a, 64 bits): enough to tell sources apart.
fn digest(texts: &[Vec<u8>]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.iter());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
