//! A sign of life for work that takes longer than a second.
//!
//! Nothing is drawn when standard error is no terminal, nor for short work, so
//! that neither logs nor quick commands are disturbed.

use std::any::Any;
use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use fusee_pipeline::progress::{Counter, Listener};
use indicatif::{ProgressBar, ProgressStyle};

/// How long work may take in silence.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the sign moves.
const STEP: Duration = Duration::from_millis(100);

/// Shows on the terminal what is under way.
pub(crate) struct Terminal;

impl Listener for Terminal {
    fn begins(&self, name: &str) -> Box<dyn Any> {
        if !stderr().is_terminal() {
            return Box::new(());
        }
        let (working, ended) = channel::<()>();
        let name = name.to_owned();
        let shown = thread::spawn(move || show(&name, &ended));
        Box::new(Sign { working: Some(working), shown: Some(shown) })
    }

    fn counts(&self, what: &'static str, total: u64) -> Box<dyn Counter> {
        Box::new(Bar::new(what, total))
    }
}

/// Shows what is under way until it is dropped.
struct Sign {
    working: Option<Sender<()>>,
    shown: Option<JoinHandle<()>>,
}

impl Drop for Sign {
    fn drop(&mut self) {
        drop(self.working.take());
        if let Some(shown) = self.shown.take() {
            // A sign that broke off has nothing to take away.
            let _ = shown.join();
        }
    }
}

/// What is known of work that goes on.
pub(crate) struct Seen {
    /// How far it is.
    pub(crate) so_far: String,
    /// What it has found until now; each line is shown once.
    pub(crate) found: Vec<String>,
}

/// Does the work; shows how far it is, and above that what it finds, as soon as that is known.
pub(crate) fn watching<T>(
    name: &str,
    seen: impl Fn() -> Seen + Sync,
    work: impl FnOnce() -> T,
) -> T {
    if !stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (working, ended) = channel::<()>();
        let seen = &seen;
        scope.spawn(move || {
            let mut shown = Vec::new();
            draw(name, &ended, |bar| {
                let Seen { so_far, found } = seen();
                bar.set_message(format!("{name}: {so_far}"));
                for line in
                    found.into_iter().filter(|line| !shown.contains(line)).collect::<Vec<_>>()
                {
                    bar.println(&line);
                    shown.push(line);
                }
            });
        });
        let result = work();
        drop(working);
        result
    })
}

fn show(name: &str, ended: &Receiver<()>) {
    draw(name, ended, |_| {});
}

fn draw(name: &str, ended: &Receiver<()>, mut renew: impl FnMut(&ProgressBar)) {
    let goes_on = |time| ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
    if !goes_on(PATIENCE) {
        return;
    }
    let bar = ProgressBar::new_spinner().with_message(name.to_owned()).with_elapsed(PATIENCE);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
        bar.set_style(style);
    }
    while goes_on(STEP) {
        renew(&bar);
        bar.tick();
    }
    bar.finish_and_clear();
}

/// How far work of a known size is, and how long it still takes.
struct Bar(Option<ProgressBar>);

impl Bar {
    /// Nothing is done of so much.
    fn new(what: &'static str, total: u64) -> Self {
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
}

impl Counter for Bar {
    fn at(&mut self, done: u64) {
        if let Some(bar) = &self.0 {
            if bar.position() == 0 && done > 0 {
                bar.reset_eta();
            }
            bar.set_position(done);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
