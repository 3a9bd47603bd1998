//! The machines, one file each, and what several of them share.

pub(crate) mod qemu_rv32;
pub(crate) mod qemu_rv64;
pub(crate) mod rtl_rocket;
pub(crate) mod rtl_vexriscv;
mod virt;
