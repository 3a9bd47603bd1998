//! Building test programs and counting their instructions under QEMU.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{folder, given_or};

/// The beginning of a program in C that prints what it counts, as `number(count(function))`; `UART`
/// says where to.
pub const PRINTED_COUNTS: &str = "\
extern unsigned long count(void (*function)(void));
static void put(char c) { *(volatile char *)UART = c; }
static void number(unsigned long n)
{
    char digits[24];
    int used = 0;
    do { digits[used++] = (char)('0' + n % 10); n /= 10; } while (n);
    while (used) put(digits[--used]);
    put('\\n');
}
";

/// Returns targets with levels of optimization: every other pair, such that each of both has its
/// share, or all pairs in a full campaign (`EVERY_LEVEL`).
pub fn cases(targets: &[Target], levels: &[&'static str]) -> Vec<(Target, &'static str)> {
    let all = given_or("EVERY_LEVEL", 0) > 0;
    let pairs = |(row, &target)| {
        let levels = levels.iter().enumerate();
        let levels = levels.filter(move |(column, _)| all || (row + column) % 2 == 0);
        levels.map(move |(_, &level)| (target, level))
    };
    targets.iter().enumerate().flat_map(pairs).collect()
}

/// An instruction set and how to build and run for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// RISC-V of 32 bits.
    Rv32,
    /// RISC-V of 64 bits.
    Rv64,
    /// The 64-bit state of ARMv8-A.
    Aarch64,
    /// The ARM instructions of ARMv7-A.
    A32,
    /// RV32 without compressed instructions, on the board around the VexRiscv core; each run has
    /// cold caches.
    Board,
    /// The same board with caches as the run before left them.
    WarmBoard,
}

/// The tools that compile, link and run a target's programs.
struct Tools {
    compiler: &'static str,
    flags: &'static [&'static str],
    start: &'static str,
    qemu: &'static [&'static str],
}

const RISCV: &str = "riscv64-unknown-elf-gcc";

impl Target {
    fn tools(self) -> Tools {
        const AT: &str = "-Wl,-Ttext=0x80000000";
        // Loops stay loops: there is no C library to call.
        const LOOPS: &str = "-fno-tree-loop-distribute-patterns";
        match self {
            Target::Rv32 => Tools {
                compiler: RISCV,
                flags: &["-march=rv32imac", "-mabi=ilp32", "-mcmodel=medany", AT, LOOPS],
                start: "start.S",
                qemu: &["qemu-system-riscv32", "-bios", "none"],
            },
            Target::Rv64 => Tools {
                compiler: RISCV,
                flags: &["-march=rv64imac", "-mabi=lp64", "-mcmodel=medany", AT, LOOPS],
                start: "start.S",
                qemu: &["qemu-system-riscv64", "-bios", "none"],
            },
            Target::Aarch64 => Tools {
                compiler: "clang-19",
                flags: &[
                    "--target=aarch64-none-elf",
                    "-mstrict-align",
                    "-fuse-ld=lld-19",
                    "-static",
                    "-DUART=0x09000000",
                    "-Wl,--image-base=0x40100000",
                ],
                start: "aarch64.S",
                qemu: &["qemu-system-aarch64", "-cpu", "cortex-a57", "-nic", "none"],
            },
            Target::A32 => Tools {
                compiler: "clang-19",
                flags: &[
                    "--target=armv7a-none-eabi",
                    "-mcpu=cortex-a15",
                    "-marm",
                    "-mfloat-abi=softfp",
                    "-mno-unaligned-access",
                    "-fuse-ld=lld-19",
                    "-static",
                    "-DUART=0x09000000",
                    "-Wl,--image-base=0x40100000",
                ],
                start: "a32.S",
                qemu: &["qemu-system-arm", "-cpu", "cortex-a15", "-nic", "none"],
            },
            Target::Board | Target::WarmBoard => Tools {
                compiler: RISCV,
                flags: &["-march=rv32ima", "-mabi=ilp32", "-mcmodel=medany", AT, LOOPS],
                start: "board.S",
                qemu: &["qemu-system-riscv32", "-bios", "none"],
            },
        }
    }

    /// Returns the arguments behind the program for linking.
    fn end(self) -> &'static [&'static str] {
        match self {
            Target::Board | Target::WarmBoard => &["-lgcc", "pad.S"],
            Target::Rv32 | Target::Rv64 => &["-lgcc"],
            Target::Aarch64 | Target::A32 => &[],
        }
    }

    fn definition(self) -> Option<&'static str> {
        (self == Target::WarmBoard).then_some("-DWARM")
    }
}

/// A file of the frame around the programs.
pub fn frame(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(file)
}

/// Compiles and links a C program with the measuring frame; gives the ELF's path.
///
/// # Panics
/// When the compiler is missing or refuses the program.
pub fn build(source: &Path, target: Target, level: &str) -> PathBuf {
    let stem = source.file_stem().and_then(|s| s.to_str()).expect("a file name");
    let measure = frame("measure.c");
    build_with(&[&measure, source], &format!("{stem}-{target:?}{level}"), target, level, &["-g"])
}

/// Compiles and links C sources, one with `measure_all`; gives the path of the ELF of this name.
///
/// # Panics
/// When the compiler is missing or refuses the sources.
pub fn build_with(
    sources: &[&Path],
    name: &str,
    target: Target,
    level: &str,
    flags: &[&str],
) -> PathBuf {
    let output = folder().join(format!("{name}.elf"));
    // Tests of one program run side by side and share it: the whole file appears at once, under its
    // name.
    static BUILDS: AtomicU32 = AtomicU32::new(0);
    let build = BUILDS.fetch_add(1, Ordering::Relaxed);
    let unfinished = output.with_extension(format!("{}-{build}", std::process::id()));
    let tools = target.tools();
    let status = Command::new(tools.compiler)
        .args(tools.flags)
        .args(target.definition())
        .args([level, "-nostdlib", "-ffreestanding", "-o"])
        .arg(&unfinished)
        .arg(frame(tools.start))
        .args(sources)
        .args(flags)
        .args(
            target
                .end()
                .iter()
                .map(|&end| if end.starts_with('-') { end.into() } else { frame(end) }),
        )
        .status()
        .expect("the compiler runs; `make setup` installs it");
    assert!(status.success(), "{name} does not build");
    std::fs::rename(&unfinished, &output).expect("the ELF under its name");
    output
}

/// The instructions that each input took, as QEMU counts them.
///
/// # Panics
/// When QEMU is missing or what it prints are no numbers.
pub fn observe(elf: &Path, target: Target) -> Vec<u64> {
    let tools = target.tools();
    let output = Command::new(tools.qemu[0])
        .args(&tools.qemu[1..])
        .args(["-machine", "virt", "-display", "none", "-serial", "stdio", "-icount", "shift=0"])
        .arg("-kernel")
        .arg(elf)
        .stdin(Stdio::null())
        .output()
        .expect("QEMU runs; `make setup` installs it");
    let text = String::from_utf8(output.stdout).expect("numbers");
    text.lines().map(|line| line.trim().parse().expect("a number")).collect()
}
