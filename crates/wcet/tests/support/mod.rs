//! Building test programs and counting their instructions under QEMU.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// An instruction set and how to build and run for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Rv32,
    Rv64,
    /// RV32 without compressed instructions, on the board around the VexRiscv core; each run has cold caches.
    Board,
    /// The same board with caches as the run before left them.
    WarmBoard,
}

impl Target {
    fn flags(self) -> [&'static str; 3] {
        match self {
            Target::Rv32 => ["-march=rv32imac", "-mabi=ilp32", "-mcmodel=medany"],
            Target::Rv64 => ["-march=rv64imac", "-mabi=lp64", "-mcmodel=medany"],
            Target::Board | Target::WarmBoard => ["-march=rv32ima", "-mabi=ilp32", "-mcmodel=medany"],
        }
    }

    fn start(self) -> &'static str {
        match self {
            Target::Rv32 | Target::Rv64 => "start.S",
            Target::Board | Target::WarmBoard => "board.S",
        }
    }

    fn end(self) -> Option<&'static str> {
        matches!(self, Target::Board | Target::WarmBoard).then_some("pad.S")
    }

    fn definition(self) -> Option<&'static str> {
        (self == Target::WarmBoard).then_some("-DWARM")
    }

    fn qemu(self) -> &'static str {
        match self {
            Target::Rv32 | Target::Board | Target::WarmBoard => "qemu-system-riscv32",
            Target::Rv64 => "qemu-system-riscv64",
        }
    }
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Compiles and links a C program with the measuring frame; gives the ELF's path.
pub(crate) fn build(source: &Path, target: Target, level: &str) -> PathBuf {
    let stem = source.file_stem().and_then(|s| s.to_str()).expect("a file name");
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{stem}-{target:?}{level}.elf"));
    // Tests of one program run side by side and share it: the whole file appears at once, under its name.
    static BUILDS: AtomicU32 = AtomicU32::new(0);
    let build = BUILDS.fetch_add(1, Ordering::Relaxed);
    let unfinished = output.with_extension(format!("{}-{build}", std::process::id()));
    let support = here().join("support");
    let status = Command::new("riscv64-unknown-elf-gcc")
        .args(target.flags())
        .args(target.definition())
        .args([level, "-g", "-nostdlib", "-nostartfiles", "-ffreestanding", "-Wl,-Ttext=0x80000000", "-o"])
        .arg(&unfinished)
        .args([&support.join(target.start()), &support.join("measure.c")])
        .arg(source)
        .arg("-lgcc")
        .args(target.end().map(|end| support.join(end)))
        .status()
        .expect("riscv64-unknown-elf-gcc runs; `make setup` installs it");
    assert!(status.success(), "{} does not build at {level}", source.display());
    std::fs::rename(&unfinished, &output).expect("the ELF under its name");
    output
}

/// The instructions that each input took.
pub(crate) fn observe(elf: &Path, target: Target) -> Vec<u64> {
    let output = Command::new(target.qemu())
        .args(["-machine", "virt", "-bios", "none", "-display", "none", "-serial", "stdio", "-icount", "shift=0"])
        .arg("-kernel")
        .arg(elf)
        .stdin(Stdio::null())
        .output()
        .expect("QEMU runs; `make setup` installs it");
    let text = String::from_utf8(output.stdout).expect("numbers");
    text.lines().map(|line| line.trim().parse().expect("a number")).collect()
}
