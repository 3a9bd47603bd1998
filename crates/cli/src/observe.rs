//! What a run of the program shows, beside its bounds.

use std::path::{Path, PathBuf};

use fusee_rtl::{Board, Calls, Run};

use crate::args::{Observer, Wcet};
use crate::wcet::Task;

/// Cycles after which a run is stopped.
const CYCLES: u64 = 1_000_000_000;

/// What was seen of one entry.
pub(crate) struct Observed {
    /// Cycles of each call that came back, in order.
    pub(crate) calls: Vec<u64>,
    /// The stack pointers at the entry, first and last.
    pub(crate) stack: Option<(u64, u64)>,
}

impl Observed {
    /// The longest call.
    pub(crate) fn longest(&self) -> Option<u64> {
        self.calls.iter().copied().max()
    }
}

/// Runs the program and watches every entry; nothing where that was not asked for.
///
/// # Errors
/// What is missing or failed, in a sentence.
pub(crate) fn observe(arguments: &Wcet, task: &Task) -> Result<Option<Vec<Observed>>, String> {
    let Some(Observer::Board) = arguments.observe else { return Ok(None) };
    let verilog = fusee_rtl::find().map_err(|error| error.to_string())?;
    let board = Board::build(&verilog, &cache()).map_err(|error| error.to_string())?;
    let mut watched: Vec<Calls> = task.entries.iter().map(|&(_, entry)| Calls::of(entry)).collect();
    let run = Run { first: arguments.wait_states, further: arguments.wait_states, cycles: CYCLES };
    let see = &mut |retired| watched.iter_mut().for_each(|calls| calls.see(retired));
    let outcome = board.run(&arguments.program, run, see).map_err(|error| error.to_string())?;
    if outcome.status != 0 {
        return Err(format!("the program ended with status {} on the board", outcome.status));
    }
    Ok(Some(watched.into_iter().map(|calls| Observed { stack: calls.stack(), calls: calls.times }).collect()))
}

/// Where what was built is kept.
fn cache() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
    base.unwrap_or_else(std::env::temp_dir).join("fusee")
}
