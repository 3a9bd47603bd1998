//! Doing what is not done yet, on all cores.
//!
//! Workers take chunks from a common list and hand counts to the one thread that
//! writes the log. So a chunk is either in the log or will be done again, and no
//! lock is held while sets are analyzed.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use fusee_analysis::effort::{Limit, limited};

use crate::{Counts, Experiment, Impossible, Log, LogError, Plan, Results, count};

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Chunks done, those of earlier runs included.
    pub done: u64,
    /// Chunks in all.
    pub total: u64,
}

/// The reason for which a run did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The log can't be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A point of the grid has no task sets.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// Whoever watched it wanted it to end; what is in the log stays good.
    #[error("the run was ended before all chunks were done")]
    Stopped,
    /// Chunks are missing although all workers have ended: a worker failed.
    #[error("a worker failed; {missing} chunks are not done")]
    Missing {
        /// The number of missing chunks.
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
    let mut go_on = |progress| {
        watch(progress);
        ControlFlow::Continue(())
    };
    run_while(experiment, plan, log, workers, &mut go_on)
}

/// The distance of the questions to the watcher if the run is to go on.
const BEAT: Duration = Duration::from_millis(50);

/// The weight of a step of a fixpoint, so that sets of thousands of tasks are left soon, too.
const WEIGHT: usize = 1024;

/// As [`run`], but `watch` says whether to go on, and is asked at least every 50 ms.
///
/// # Errors
/// As [`run`], and [`RunError::Stopped`].
pub fn run_while(
    experiment: &Experiment,
    plan: &Plan,
    log: &mut Log,
    workers: usize,
    watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Results, RunError> {
    let open: Vec<u64> = plan.order().filter(|&chunk| !log.is_done(chunk)).collect();
    let total = plan.chunks();
    let mut done = total - open.len() as u64;
    if watch(Progress { done, total }).is_break() {
        return Err(RunError::Stopped);
    }
    let (next, stop) = (AtomicUsize::new(0), Arc::new(AtomicBool::new(false)));
    let (sender, receiver) = channel::<(u64, Result<Counts, Impossible>)>();
    thread::scope(|scope| {
        for _ in 0..workers.clamp(1, open.len().max(1)) {
            let (sender, open, next, stop) = (sender.clone(), &open, &next, Arc::clone(&stop));
            scope.spawn(move || {
                let ended = Arc::clone(&stop);
                let limit = Limit::new(u64::MAX, move || ended.load(Ordering::Relaxed));
                while !stop.load(Ordering::Relaxed) {
                    let Some(&index) = open.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        return;
                    };
                    let Some(chunk) = plan.chunk(index) else { return };
                    let Ok(counts) = limited(&limit, WEIGHT, || count(experiment, plan, chunk))
                    else {
                        return;
                    };
                    if sender.send((index, counts)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut take = |counted: Option<(u64, Result<Counts, Impossible>)>| {
            if let Some((index, counts)) = counted {
                log.add(index, counts?)?;
                done += 1;
            }
            if watch(Progress { done, total }).is_break() { Err(RunError::Stopped) } else { Ok(()) }
        };
        loop {
            let taken = match receiver.recv_timeout(BEAT) {
                Ok(counted) => take(Some(counted)),
                Err(RecvTimeoutError::Timeout) => take(None),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if taken.is_err() {
                stop.store(true, Ordering::Relaxed);
                return taken;
            }
        }
    })?;
    let missing = || log.counts().iter().filter(|counts| counts.is_none()).count() as u64;
    Results::of(experiment, plan, log.counts())
        .ok_or_else(|| RunError::Missing { missing: missing() })
}
