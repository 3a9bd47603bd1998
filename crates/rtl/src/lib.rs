//! Programs and systems on the Verilog of real cores, cycle by cycle.
//!
//! A model of a core is an opinion about it; the core's own Verilog is not. This
//! crate builds cores, with the boards around them that the files in `bench`
//! describe, by Verilator into programs.
//!
//! On the VexRiscv core in its Linux variant it runs bare-metal RV32IMA programs.
//! What retires comes back in order with its cycle, so a function's time is read
//! off the trace: nothing is added to the program that is measured. On the same
//! core and on two or four Rocket cores it runs whole systems: the host puts an image
//! into the memory that it shares with the board, and reads there what the run
//! left behind.
//!
//! The Verilog comes from the Python packages `pythondata-cpu-vexriscv` and
//! `pythondata-cpu-rocket`. Verilator and a C++ compiler are needed once; what
//! they built is kept and used again.

mod build;
mod calls;
mod rocket;
mod run;
mod verilog;
mod vexriscv;

pub use build::{BuildError, cache};
pub use calls::Calls;
pub use rocket::{NoBoard, Rocket, Seen};
pub use run::{Outcome, Retired, Run, RunError};
pub use verilog::Missing;
pub use vexriscv::{Board, VexRiscv, find};

/// The description of the board for programs, for help.
pub const ABOUT: &str = "The Verilog of the VexRiscv core, cycle by cycle; the program ends by \
                         storing 0x5555 to 0xf0020000";
