//! The wait states of the memory of machines whose cycles are known.

use fusee_platform::{Host, Platform, Verilog};

/// Returns the wait states of a platform's memory, where its core is one whose cycles are known.
pub(crate) fn latency(platform: Platform) -> Option<u32> {
    match platform.descriptor().host {
        Host::Board(board) if board.cores == Verilog::VexRiscv => Some(board.memory_latency),
        _ => None,
    }
}
