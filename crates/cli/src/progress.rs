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

/// How far work of a known size is, and how long it still takes.
pub(crate) struct Bar(Option<ProgressBar>);

impl Bar {
    /// Nothing is done of so much.
    pub(crate) fn new(what: &'static str, total: u64) -> Self {
        if !stderr().is_terminal() {
            return Self(None);
        }
        let bar = ProgressBar::new(total).with_message(what);
        let template = "{bar:32} {human_pos} of {human_len} {msg}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self(Some(bar))
    }

    /// So much is done; what was done before the first call counts for no time.
    pub(crate) fn at(&mut self, done: u64) {
        if let Some(bar) = &self.0 {
            if bar.position() == 0 && done > 0 {
                bar.reset_eta();
            }
            bar.set_position(done);
        }
    }

    /// Takes it away.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.0 {
            bar.finish_and_clear();
        }
    }
}
