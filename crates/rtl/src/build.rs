//! Building the board around the core.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// The board, in C++.
const BENCH: &str = include_str!("../bench/vexriscv.cpp");

/// A board that is built.
#[derive(Debug, Clone)]
pub struct Board {
    pub(crate) program: PathBuf,
}

/// Why it could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The Verilog can't be read.
    #[error("`{}` can't be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Nothing can be written there.
    #[error("`{}` can't be written: {error}", path.display())]
    Unwritable {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// There is no Verilator.
    #[error("`verilator` can't be run: {error}; on Debian: apt-get install verilator g++ make")]
    NoVerilator {
        /// What the system said.
        error: std::io::Error,
    },
    /// Verilator or the compiler failed.
    #[error("the core could not be built:\n{log}")]
    Failed {
        /// The end of what they said.
        log: String,
    },
}

impl Board {
    /// Builds the board for the core in `verilog`, in a folder of its own below `folder`.
    ///
    /// What was built there before from the same sources is used again.
    ///
    /// # Errors
    /// [`BuildError`] where a tool is missing or fails.
    pub fn build(verilog: &Path, folder: &Path) -> Result<Self, BuildError> {
        let core = std::fs::read(verilog)
            .map_err(|error| BuildError::Unreadable { path: verilog.to_owned(), error })?;
        let place = folder.join(format!("vexriscv-{:016x}", digest(&[&core, BENCH.as_bytes()])));
        let program = place.join("board");
        if program.is_file() {
            return Ok(Self { program });
        }
        // Built aside and moved at once, so that nobody ever finds half of it; threads of one
        // process each have their own place.
        static BUILDS: AtomicU32 = AtomicU32::new(0);
        let build = BUILDS.fetch_add(1, Ordering::Relaxed);
        let aside = folder.join(format!("building-{}-{build}", std::process::id()));
        let unwritable = |path: &Path| {
            let path = path.to_owned();
            move |error| BuildError::Unwritable { path, error }
        };
        std::fs::create_dir_all(&aside).map_err(unwritable(&aside))?;
        let bench = aside.join("bench.cpp");
        std::fs::write(&bench, BENCH).map_err(unwritable(&bench))?;
        verilate(verilog, &bench, &aside)?;
        std::fs::create_dir_all(&place).map_err(unwritable(&place))?;
        std::fs::rename(aside.join("board"), &program).map_err(unwritable(&program))?;
        std::fs::remove_dir_all(&aside).map_err(unwritable(&aside))?;
        Ok(Self { program })
    }
}

fn verilate(verilog: &Path, bench: &Path, folder: &Path) -> Result<(), BuildError> {
    let output = Command::new("verilator")
        .args([
            "--cc",
            "--exe",
            "--build",
            "-O3",
            "--x-assign",
            "fast",
            "--x-initial",
            "fast",
            "--noassert",
        ])
        .args([
            "-Wno-fatal",
            "-Wno-lint",
            "-Wno-style",
            "--top-module",
            "VexRiscv",
            "-CFLAGS",
            "-O2",
            "-o",
            "board",
        ])
        .arg("-Mdir")
        .args([folder, verilog, bench])
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
fn digest(texts: &[&[u8]]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.iter());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
