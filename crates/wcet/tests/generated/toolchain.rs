//! Compiles generated Rust for machines without an operating system.
//!
//! The core library comes with the toolchain or is built from its source, once for
//! each target, at the level that takes least; programs are compiled at their own
//! level, as static libraries.

use std::path::{Path, PathBuf};

use fusee_testing::programs::Target;

/// Returns the compiler's name of a target, and what makes it the processor that QEMU shows.
fn name(target: Target) -> (&'static str, &'static str) {
    match target {
        Target::Rv32 => ("riscv32imac-unknown-none-elf", "generic-rv32"),
        Target::Rv64 => ("riscv64imac-unknown-none-elf", "generic-rv64"),
        Target::Aarch64 => ("aarch64-unknown-none-softfloat", "cortex-a57"),
        Target::A32 => ("armv7a-none-eabi", "cortex-a15"),
        Target::Board | Target::WarmBoard => panic!("the board's core has no target of its own"),
    }
}

/// Compiles a file; `level` as C compilers name it. Gives the library.
pub(crate) fn compile(source: &Path, package: &str, target: Target, level: &str) -> PathBuf {
    let (target, processor) = name(target);
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated-rust");
    let folder = kept.join(package);
    std::fs::create_dir_all(&folder).expect("a folder");
    let manifest = format!(
        "[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
         [lib]\npath = {source:?}\ncrate-type = [\"staticlib\"]\n\n[workspace]\n\n\
         [profile.release]\npanic = \"abort\"\nopt-level = 1\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("a manifest");
    // Several test programs may use the folder of results.
    let _held = fusee_kernel_build::hold(&kept).expect("the folder");
    let mut cargo =
        fusee_kernel_build::cargo(target).expect("a compiler; `make setup` installs it");
    cargo.current_dir(&folder).args([
        "rustc",
        "--release",
        "--lib",
        "--quiet",
        "--offline",
        "--target",
        target,
    ]);
    cargo.arg("--target-dir").arg(kept.join("target")).args(["--", "-Crelocation-model=static"]);
    cargo.arg(format!("-Copt-level={}", &level[2..])).arg(format!("-Ctarget-cpu={processor}"));
    assert!(cargo.status().expect("cargo runs").success(), "{package} does not compile");
    kept.join("target")
        .join(target)
        .join("release")
        .join(format!("lib{}.a", package.replace('-', "_")))
}
