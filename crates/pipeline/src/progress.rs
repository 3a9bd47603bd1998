//! The progress of work, told to a listener.
//!
//! A library has no terminal: it says what begins, and lets go of what it got back when
//! that has ended. Who shows it is the same for a whole process, as with a logger, so it
//! is named once and not handed through every call; without anybody, which is how tests
//! run, nothing is told, and no result ever depends on it.

use std::any::Any;
use std::sync::OnceLock;

/// Hears what is under way.
pub trait Listener: Sync {
    /// Work of this name begins; it lasts as long as what is answered lives.
    fn begins(&self, name: &str) -> Box<dyn Any>;

    /// The same of work that can be asked how far it is, and what it has found.
    fn watches(&self, name: &str, seen: Box<dyn Fn() -> Seen + Send>) -> Box<dyn Any>;

    /// Something is worth a word before work begins.
    fn remarks(&self, text: &str);

    /// Work begins that has so many steps, of which `what` is the name.
    fn counts(&self, what: &'static str, total: u64) -> Box<dyn Counter>;
}

/// The known facts of work that goes on.
#[derive(Debug, Clone)]
pub struct Seen {
    /// A text that says how far it is.
    pub so_far: String,
    /// The findings until now; each line is shown once.
    pub found: Vec<String>,
}

/// Hears how far work of a known size is; dropped at its end.
pub trait Counter {
    /// So many steps are done; what was done before the first call took no time.
    fn at(&mut self, done: u64);
}

static LISTENER: OnceLock<&'static dyn Listener> = OnceLock::new();

/// Names the listener that hears of all work from now on; only the first counts.
pub fn listen(listener: &'static dyn Listener) {
    // Whoever comes second has no place to show anything that the first does not use.
    let _ = LISTENER.set(listener);
}

/// Says something before work begins.
pub fn remark(text: &str) {
    if let Some(listener) = LISTENER.get() {
        listener.remarks(text);
    }
}

/// Does the work, under this name.
pub fn during<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let _sign = LISTENER.get().map(|listener| listener.begins(name));
    work()
}

/// Does the work, under this name; `seen` tells how far it is.
pub fn watching<T>(
    name: &str,
    seen: impl Fn() -> Seen + Send + 'static,
    work: impl FnOnce() -> T,
) -> T {
    let _sign = LISTENER.get().map(|listener| listener.watches(name, Box::new(seen)));
    work()
}

/// Work of a known size, for as long as it lives.
pub struct Steps(Option<Box<dyn Counter>>);

impl Steps {
    /// Nothing is done of so much.
    pub fn new(what: &'static str, total: u64) -> Self {
        Self(LISTENER.get().map(|listener| listener.counts(what, total)))
    }

    /// So much is done.
    pub fn at(&mut self, done: u64) {
        if let Some(counter) = &mut self.0 {
            counter.at(done);
        }
    }
}
