//! Makes the kernel anew when its layout changes.
//!
//! Cargo does not see the script that the linker gets, and would keep the old kernel.

fn main() {
    println!("cargo::rerun-if-changed=../arch-riscv/kernel.ld");
}
