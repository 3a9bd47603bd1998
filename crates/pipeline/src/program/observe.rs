//! The observations of a program's run, beside its bounds.

use std::path::Path;

use fusee_rtl::{Board, Calls, Run};

use super::Task;

/// Cycles after which a run is stopped.
const CYCLES: u64 = 1_000_000_000;

/// The observations of one entry.
pub struct Observed {
    /// Cycles of each call that came back, in order.
    pub calls: Vec<u64>,
    /// The stack pointers at the entry, first and last.
    pub stack: Option<(u64, u64)>,
}

impl Observed {
    /// Returns the longest call.
    pub fn longest(&self) -> Option<u64> {
        self.calls.iter().copied().max()
    }
}

/// Runs the program on the board and watches every entry.
///
/// # Errors
/// What is missing or failed, in a sentence.
pub fn observe(program: &Path, wait_states: u32, task: &Task) -> Result<Vec<Observed>, String> {
    let verilog = fusee_rtl::find().map_err(|error| error.to_string())?;
    let board = Board::build(&verilog, &fusee_rtl::cache()).map_err(|error| error.to_string())?;
    let mut watched: Vec<Calls> = task.entries.iter().map(|&(_, entry)| Calls::of(entry)).collect();
    let run = Run { first: wait_states, further: wait_states, cycles: CYCLES };
    let see = &mut |retired| watched.iter_mut().for_each(|calls| calls.see(retired));
    let outcome = board.run(program, run, see).map_err(|error| error.to_string())?;
    if outcome.status != 0 {
        return Err(format!("the program ended with status {} on the board", outcome.status));
    }
    Ok(watched
        .into_iter()
        .map(|calls| Observed { stack: calls.stack(), calls: calls.times })
        .collect())
}
