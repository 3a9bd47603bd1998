//! Doing what is not done yet, on all cores.
//!
//! Workers take chunks from a common list and hand counts to the one thread that
//! writes the log. So a chunk is either in the log or will be done again, and no
//! lock is held while sets are analysed.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use crate::{Counts, Experiment, Impossible, Log, LogError, Plan, Results, count};

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Chunks done, those of earlier runs included.
    pub done: u64,
    /// Chunks in all.
    pub total: u64,
}

/// Why a run did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The log can't be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A point of the grid has no task sets.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// Chunks are missing although all workers have ended: a worker failed.
    #[error("a worker failed; {missing} chunks are not done")]
    Missing {
        /// How many.
        missing: u64,
    },
}

/// Does every chunk that is not in the log, and adds up all of them.
///
/// `watch` is called after each chunk, from the calling thread.
///
/// # Errors
/// The log can't be written; what is in it stays good.
pub fn run(
    experiment: &Experiment,
    plan: &Plan,
    log: &mut Log,
    workers: usize,
    watch: &mut dyn FnMut(Progress),
) -> Result<Results, RunError> {
    let open: Vec<u64> = plan.order().filter(|&chunk| !log.is_done(chunk)).collect();
    let total = plan.chunks();
    let mut done = total - open.len() as u64;
    watch(Progress { done, total });
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = channel::<(u64, Result<Counts, Impossible>)>();
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, open.len().max(1)) {
            let (sender, open, next, stop) = (sender.clone(), &open, &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let Some(&index) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    let Some(chunk) = plan.chunk(index) else { return };
                    if sender.send((index, count(experiment, plan, chunk))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (index, counts) in receiver {
            let added = counts.map_err(RunError::from).and_then(|counts| Ok(log.add(index, counts)?));
            if added.is_err() {
                stop.store(true, Ordering::Relaxed);
                return added;
            }
            done += 1;
            watch(Progress { done, total });
        }
        Ok(())
    })?;
    let missing = || log.counts().iter().filter(|counts| counts.is_none()).count() as u64;
    Results::of(experiment, plan, log.counts()).ok_or_else(|| RunError::Missing { missing: missing() })
}
