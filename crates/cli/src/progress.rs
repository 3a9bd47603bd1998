//! A sign of life for work that takes longer than a second.
//!
//! Nothing is drawn when standard error is no terminal, nor for short work, so
//! that neither logs nor quick commands are disturbed.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How long work may take in silence.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the sign moves.
const STEP: Duration = Duration::from_millis(100);

/// Does the work, with a sign of life under this name.
pub(crate) fn during<T>(name: &str, work: impl FnOnce() -> T) -> T {
    if !stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (working, ended) = channel::<()>();
        scope.spawn(move || show(name, &ended));
        let result = work();
        drop(working);
        result
    })
}

fn show(name: &str, ended: &Receiver<()>) {
    let goes_on = |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    if !goes_on(PATIENCE) {
        return;
    }
    let bar = ProgressBar::new_spinner().with_message(name.to_owned()).with_elapsed(PATIENCE);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    while goes_on(STEP) {
        bar.tick();
    }
    bar.finish_and_clear();
}
