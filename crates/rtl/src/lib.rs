//! Programs on the Verilog of a real core, cycle by cycle.
//!
//! A model of a core is an opinion about it; the core's own Verilog is not. This
//! crate builds the VexRiscv core in its Linux variant, with the board around it
//! that `bench/vexriscv.cpp` describes, by Verilator into a program, and runs
//! bare-metal RV32IMA programs on it. What retires comes back in order with its
//! cycle, so a function's time is read off the trace: nothing is added to the
//! program that is measured.
//!
//! The Verilog comes from the Python package `pythondata-cpu-vexriscv`. Verilator
//! and a C++ compiler are needed once; what they built is kept and used again.

mod build;
mod calls;
mod run;
mod verilog;

pub use build::{Board, BuildError};
pub use calls::Calls;
pub use run::{Outcome, Retired, Run, RunError};
pub use verilog::{Missing, find};

/// The name of the core on its board, on the command line.
pub const NAME: &str = "rtl-vexriscv";

/// What it is, for help.
pub const ABOUT: &str = "The Verilog of the VexRiscv core, cycle by cycle; the program ends by \
                         storing 0x5555 to 0xf0020000";
