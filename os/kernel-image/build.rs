//! Makes the kernel anew when its layout changes: cargo does not see the script that the linker gets.

fn main() {
    println!("cargo::rerun-if-changed=../arch-riscv/kernel.ld");
}
