//! Makes the kernel anew when its layout changes, and says which of them it is.
//!
//! Cargo does not see the script that the linker gets, and would keep the old kernel.

fn main() {
    let kind =
        if std::env::var_os("CARGO_FEATURE_SCHEDULERS").is_some() { "small" } else { "plain" };
    println!("cargo::rerun-if-changed=../arch-riscv/kernel.ld");
    println!("cargo::rerun-if-changed=../arch-riscv/start-up");
    // From here on all names of the command line and of the script are looked for.
    let folder = format!("{}/../arch-riscv/start-up/{kind}", env!("CARGO_MANIFEST_DIR"));
    println!("cargo::rustc-link-search=native={folder}");
}
