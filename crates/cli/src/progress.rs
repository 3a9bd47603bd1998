//! A sign of life for work that takes longer than a second.
//!
//! On a terminal something moves. Elsewhere, in a log or in another program, one line
//! says what is under way, and only when that takes longer than people wait in silence.
//! With `FUSEE_PROGRESS=never` nothing is said, for those who compare what is printed.

use std::any::Any;
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use fusee_pipeline::progress::{Counter, Listener, Seen};
use indicatif::{ProgressBar, ProgressStyle};

/// The time that work may take in silence.
const PATIENCE: Duration = Duration::from_secs(1);

/// The same where no terminal is: a line in a log stays.
const PATIENCE_OF_LOGS: Duration = Duration::from_secs(3);

/// The variable of the environment by which nothing is said.
const VARIABLE: &str = "FUSEE_PROGRESS";

/// The time between two moves of the sign.
const STEP: Duration = Duration::from_millis(100);

/// `true` if a sign of life is on the terminal.
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Shows on the terminal what is under way.
pub(crate) struct Terminal;

impl Listener for Terminal {
    fn begins(&self, name: &str) -> Box<dyn Any> {
        let (name, said) = (name.to_owned(), name.to_owned());
        sign(said, move |ended| draw(&name, ended, |_| {}))
    }

    fn watches(&self, name: &str, seen: Box<dyn Fn() -> Seen + Send>) -> Box<dyn Any> {
        let (name, said, mut shown) = (name.to_owned(), name.to_owned(), Vec::new());
        sign(said, move |ended| {
            draw(&name, ended, |bar| {
                let Seen { so_far, found } = seen();
                bar.set_message(format!("{name}: {so_far}"));
                for line in found {
                    if !shown.contains(&line) {
                        bar.println(&line);
                        shown.push(line);
                    }
                }
            });
        })
    }

    fn remarks(&self, text: &str) {
        // Nobody is left to be told when standard error is gone.
        let _ = stderr().write_all(text.as_bytes());
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
        SHOWN.store(false, Ordering::Relaxed);
    }
}

/// Shows until it is dropped, or says what is under way where no terminal is; what is a part of
/// other work is not shown beside it.
fn sign(name: String, show: impl FnOnce(&Receiver<()>) + Send + 'static) -> Box<dyn Any> {
    let is_terminal = stderr().is_terminal();
    if !is_terminal && is_quiet() || SHOWN.swap(true, Ordering::Relaxed) {
        return Box::new(());
    }
    let (working, ended) = channel::<()>();
    let shown = thread::spawn(move || match is_terminal {
        true => show(&ended),
        false => say(&name, &ended),
    });
    Box::new(Sign { working: Some(working), shown: Some(shown) })
}

/// Returns `true` if nobody wants to be told where no terminal is.
fn is_quiet() -> bool {
    std::env::var_os(VARIABLE).is_some_and(|value| value == "never")
}

/// Says in a line what is under way, if that lasts.
fn say(name: &str, ended: &Receiver<()>) {
    if ended.recv_timeout(PATIENCE_OF_LOGS) == Err(RecvTimeoutError::Timeout) {
        // Nobody is left to be told when standard error is gone.
        let _ = writeln!(stderr(), "{name} ...");
    }
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

/// The progress of work of a known size, and the time that it still takes.
struct Bar(Option<ProgressBar>);

impl Bar {
    /// Nothing is done of so much.
    fn new(what: &'static str, total: u64) -> Self {
        if !stderr().is_terminal() || SHOWN.swap(true, Ordering::Relaxed) {
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
            SHOWN.store(false, Ordering::Relaxed);
        }
    }
}
