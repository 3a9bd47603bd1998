//! Ctrl-C and effort: how a call ends before its time.
//!
//! While a call computes, Python does not run, and so nobody raises `KeyboardInterrupt`.
//! The thread that called looks for signals itself: in the middle of its own work, or
//! while it waits for its workers. What it finds, it raises when the work has ended, which
//! takes the analysis about a millisecond. The work on one set has a limit as well, in
//! steps and not in time, so that the same call always ends in the same way.

use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fusee_analysis::OutsideAssumptions as Outside;
use fusee_analysis::effort::{Ended, Limit, PER_SET, limited};
use pyo3::prelude::*;

use crate::errors::{OutsideAssumptions, error};

/// How often Python is asked for signals.
const BEAT: Duration = Duration::from_millis(50);

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EFFORT", PER_SET)
}

/// Why a call ended.
pub(crate) enum Failure {
    /// A set is none, or cannot be had.
    Invalid(String),
    /// A set is outside the test's assumptions.
    Outside(usize, Outside),
    /// The work on a set has ended early.
    Ended(u64, Ended),
}

/// What a call watches while it computes.
#[derive(Clone)]
pub(crate) struct Watch {
    steps: u64,
    ended: Arc<AtomicBool>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Watch {
    /// Work of at most so many steps for each set.
    pub(crate) fn new(steps: u64) -> Watch {
        Watch { steps, ended: Arc::default(), raised: Arc::default() }
    }

    /// Whether the call is to end: some signal's handler has raised an exception.
    pub(crate) fn poll(&self) -> bool {
        if let Err(raised) = Python::attach(|py| py.check_signals()) {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
            self.ended.store(true, Ordering::Relaxed);
        }
        self.ended.load(Ordering::Relaxed)
    }

    /// The limit for work in the thread that called.
    pub(crate) fn here(&self) -> Limit {
        let (watch, last) = (self.clone(), Cell::new(Instant::now()));
        Limit::new(self.steps, move || {
            let now = Instant::now();
            let due = now.duration_since(last.get()) >= BEAT;
            if due {
                last.set(now);
            }
            due && watch.poll()
        })
    }

    /// The limit for work in a thread that Python does not know.
    fn beside(&self) -> Limit {
        let ended = Arc::clone(&self.ended);
        Limit::new(self.steps, move || ended.load(Ordering::Relaxed))
    }

    /// The exception for a failure.
    pub(crate) fn exception(&self, failure: Failure) -> PyErr {
        let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (raised, failure) {
            (Some(raised), _) => raised,
            (None, Failure::Invalid(problem)) => error(problem),
            (None, Failure::Outside(set, outside)) => {
                OutsideAssumptions::new_err(format!("set {set}: {outside}"))
            }
            // Whoever stops a call has raised something.
            (None, Failure::Ended(set, Ended::Stopped)) => {
                error(format!("the call was ended at set {set}"))
            }
            (None, Failure::Ended(set, Ended::Exhausted)) => error(format!(
                "set {set} takes more than {0} steps, which is the limit for one set; \
                 `effort={1}` allows ten times as many",
                self.steps,
                self.steps.saturating_mul(10)
            )),
        }
    }

    /// Equal parts of the sets, each on a thread of its own; the first failure in the order of the
    /// sets.
    pub(crate) fn on_threads<T: Send>(
        &self,
        sets: usize,
        threads: usize,
        work: impl Fn(Range<usize>, &Limit) -> Result<T, Failure> + Sync,
    ) -> Result<Vec<T>, Failure> {
        let threads = threads.clamp(1, sets.max(1));
        if threads == 1 {
            return Ok(vec![work(0..sets, &self.here())?]);
        }
        let (work, part) = (&work, |k: usize| sets * k / threads..sets * (k + 1) / threads);
        let (over, waiting) = channel::<()>();
        let results: Vec<Result<T, Failure>> = thread::scope(|scope| {
            let start = |k: usize| {
                let over = over.clone();
                scope.spawn(move || {
                    // Given back when the part is done, or has panicked.
                    let _over = over;
                    work(part(k), &self.beside())
                })
            };
            let running: Vec<_> = (0..threads).map(start).collect();
            drop(over);
            while waiting.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                self.poll();
            }
            let failed = |_| Err(Failure::Invalid("a thread of the analysis failed".to_owned()));
            running.into_iter().map(|thread| thread.join().unwrap_or_else(failed)).collect()
        });
        results.into_iter().collect()
    }
}

/// Works on a set under a limit; a step looks at `weight` tasks and requests.
pub(crate) fn on_set<T>(
    limit: &Limit,
    set: u64,
    weight: usize,
    work: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Failure> {
    limited(limit, weight, work).map_err(|ended| Failure::Ended(set, ended))?
}
