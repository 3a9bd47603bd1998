//! RISC-V: RV32 and RV64 with M, A, F, D, C and further extensions.
//!
//! These are Zicsr, Zba, Zbb, Zbs, Zcb and Zicond.
//!
//! Compressed instructions are first rewritten as the 32-bit instruction that
//! they abbreviate, so each meaning stands in one place. Calls and returns
//! follow the convention's hints (link registers `ra` and `t0`); whether a
//! return really goes back to its caller is for the value analysis to prove.

mod bitmanip;
mod compressed;
mod decode;
mod fields;
mod float;
mod numbers;
mod status;

pub use decode::decode;
pub use status::{Status, StatusAccess};

use crate::language::Register;

/// Width of the registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Xlen {
    /// The 32-bit base, RV32.
    Rv32,
    /// The 64-bit base, RV64.
    Rv64,
}

impl Xlen {
    /// Returns the name of the supported instruction set.
    pub fn name(self) -> &'static str {
        match self {
            Xlen::Rv32 => "RV32IMAFDC_Zicsr_Zifencei_Zba_Zbb_Zbs_Zcb_Zicond",
            Xlen::Rv64 => "RV64IMAFDC_Zicsr_Zifencei_Zba_Zbb_Zbs_Zcb_Zicond",
        }
    }
}

/// The return address register of calls.
pub const RA: Register = Register::new(1);
/// The stack pointer.
pub const SP: Register = Register::new(2);
/// The pointer into the middle of small data, from which linkers shorten addresses.
pub const GP: Register = Register::new(3);
/// The alternate return address register, used by `-msave-restore` code.
pub const T0: Register = Register::new(5);

/// Holds what an instruction needs between two of its own effects; no program can name it.
pub const SCRATCH: Register = Register::new(32);

/// The cause of the trap that is being handled: `mcause`, which no supported program writes.
pub const CAUSE: Register = Register::new(33);

/// Pending interrupts: `mip`, which is another one each time that it is read.
pub const PENDING: Register = Register::new(34);

/// Stands for any floating-point register; none of their numbers is followed.
pub const FLOATS: Register = Register::new(35);

/// Names of the calling convention, by number.
pub const NAMES: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
];
