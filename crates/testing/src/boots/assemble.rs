//! A component's source to bytes at its slot, and its labels.

use fusee_image_format::Platform;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Pages of code in a domain; one of data follows.
pub(super) const CODE_PAGES: u64 = 4;

/// The offset of a domain's data from its first address.
pub(super) const DATA_OFFSET: u64 = CODE_PAGES * 4096;

/// A linked component.
pub(super) struct Code {
    pub(super) bytes: Vec<u8>,
    pub(super) labels: BTreeMap<String, u64>,
}

/// Words that each source can use: `save`/`load` of a register's width, and names of calls.
fn prelude(platform: Platform) -> String {
    let width = platform.word_bytes();
    let (store, load) = if width == 8 { ("sd", "ld") } else { ("sw", "lw") };
    let mut text =
        format!(".equ W, {width}\n.macro st r, i, b\n{store} \\r, (\\i)*W(\\b)\n.endm\n");
    text += &format!(".macro lx r, i, b\n{load} \\r, (\\i)*W(\\b)\n.endm\n");
    text += ".macro sys op, slot=0\nli a7, \\op\nli a6, \\slot\nli t0, 0\necall\n.endm\n";
    for (name, number) in [
        ("INVOKE", 0),
        ("RETURN", 1),
        ("COMPLETE", 2),
        ("SIGNAL", 3),
        ("WAIT", 4),
        ("POLL", 5),
        ("YIELD", 6),
        ("ACKNOWLEDGE", 7),
        ("LOCK", 8),
        ("UNLOCK", 9),
    ] {
        text += &format!(".equ {name}, {number}\n");
    }
    text
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("gcc-riscv64-unknown-elf is installed");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap_or_default()
}

/// Assembles and links a source at this address.
pub(super) fn assemble(platform: Platform, source: &str, base: u64, folder: &Path) -> Code {
    let path = |extension: &str| folder.join(format!("{base:x}.{extension}"));
    let data = format!(".equ DATA, {:#x}\n", base + DATA_OFFSET);
    std::fs::write(path("s"), prelude(platform) + &data + source).unwrap();
    let emulation = platform.descriptor().compilers.emulation;
    let (bits, abi) = if platform.word_bytes() == 8 { (64, "lp64") } else { (32, "ilp32") };
    let tool = |name: &str| Command::new(format!("riscv64-unknown-elf-{name}"));
    let (march, mabi) = (format!("-march=rv{bits}imac_zicsr"), format!("-mabi={abi}"));
    run(tool("as").args([&march, &mabi, "-o"]).arg(path("o")).arg(path("s")));
    let text = format!("-Ttext={base:#x}");
    run(tool("ld")
        .args(["-m", emulation, "--no-relax", &text, "-e", "0", "-o"])
        .arg(path("elf"))
        .arg(path("o")));
    run(tool("objcopy").args(["-O", "binary"]).arg(path("elf")).arg(path("bin")));
    let names = run(tool("nm").arg(path("elf")));
    let label = |line: &str| {
        let mut parts = line.split_whitespace();
        let address = u64::from_str_radix(parts.next()?, 16).ok()?;
        Some((parts.nth(1)?.to_owned(), address & 0xffff_ffff))
    };
    Code {
        bytes: std::fs::read(path("bin")).unwrap(),
        labels: names.lines().filter_map(label).collect(),
    }
}
