//! The limit of a computation, and the watcher that may end it.
//!
//! Fixpoints are short for nearly all task sets and endless for a few, and a caller who
//! waits for one of those should be able to leave. Every loop here that can take long
//! counts its steps with [`step`] or [`spend`] and gives up when they say no. What it then
//! returns is the answer of a test that has shown nothing; nobody sees it, because
//! [`limited`], which set the limit, says that the limit was reached and throws it away.
//! Where nobody has set one, counting never says no.
//!
//! Steps are counted and not timed, so that the same limit ends the same computation at
//! the same place on every machine. What was tried: a parameter through all tests, which
//! every formula would have had to carry; unwinding, which a test cannot see coming. The
//! count stands in the thread: a subtraction for each step, a look around after many.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Steps that the work on one set may take unless somebody says otherwise: some ten seconds.
pub const PER_SET: u64 = 2_000_000_000;

/// Steps between two looks at whether somebody wants the work to end: about a millisecond.
const PORTION: u64 = 1 << 18;

thread_local! {
    /// Steps until the next look.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// The weight of a step of a fixpoint: it looks at each task once.
    static WEIGHT: Cell<u64> = const { Cell::new(1) };
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
}

/// The work that a limit is set for.
struct Running {
    /// Steps behind those until the next look.
    rest: u64,
    stop: Rc<dyn Fn() -> bool>,
    ended: Option<Ended>,
}

/// The reason for which work has ended before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ended {
    /// It had taken all steps that it may.
    Exhausted,
    /// Somebody wanted it to end.
    Stopped,
}

/// The limit on the cost of work on one thing, and the watcher that may end it.
pub struct Limit {
    steps: u64,
    stop: Rc<dyn Fn() -> bool>,
    /// Steps until the next look: many short works are looked at as often as a long one.
    next: Cell<u64>,
}

impl Limit {
    /// At most so many steps; `stop` is asked about every millisecond whether to end now.
    pub fn new(steps: u64, stop: impl Fn() -> bool + 'static) -> Limit {
        Limit { steps, stop: Rc::new(stop), next: Cell::new(PORTION) }
    }
}

/// Puts back what was before, however the work ends.
struct Before {
    left: u64,
    weight: u64,
    running: Option<Running>,
}

impl Drop for Before {
    fn drop(&mut self) {
        LEFT.set(self.left);
        WEIGHT.set(self.weight);
        RUNNING.set(self.running.take());
    }
}

/// Does work under a limit; a step of a fixpoint counts as `weight`, the number of tasks, and the
/// start as one.
///
/// # Errors
/// The work has ended early, so what it returned is no answer.
pub fn limited<T>(limit: &Limit, weight: usize, work: impl FnOnce() -> T) -> Result<T, Ended> {
    let portion = limit.next.get().min(limit.steps);
    let running =
        Running { rest: limit.steps - portion, stop: Rc::clone(&limit.stop), ended: None };
    let weight = (weight as u64).max(1);
    let before = Before {
        left: LEFT.replace(portion),
        weight: WEIGHT.replace(weight),
        running: RUNNING.replace(Some(running)),
    };
    let answer = step().then(work);
    let ended = RUNNING.with_borrow(|running| running.as_ref().and_then(|running| running.ended));
    limit.next.set(LEFT.get());
    drop(before);
    match (answer, ended) {
        (Some(answer), None) => Ok(answer),
        (_, ended) => {
            limit.next.set(PORTION);
            Err(ended.unwrap_or(Ended::Exhausted))
        }
    }
}

/// Does a part of the work under a limit of its own; whoever may end the whole may end the part.
///
/// # Errors
/// As [`limited`].
pub fn at_most<T>(steps: u64, weight: usize, work: impl FnOnce() -> T) -> Result<T, Ended> {
    let stop =
        RUNNING.with_borrow(|running| running.as_ref().map(|running| Rc::clone(&running.stop)));
    let limit =
        Limit { steps, stop: stop.unwrap_or_else(|| Rc::new(|| false)), next: Cell::new(PORTION) };
    limited(&limit, weight, work)
}

/// Ends the work under the innermost limit, as if its steps were used up.
pub fn end() {
    spend(u64::MAX);
}

/// Returns `true` if to go on with a step of a fixpoint, which looks at each task once.
#[inline]
pub fn step() -> bool {
    spend(WEIGHT.get())
}

/// Returns `true` if to go on with work of so many steps, each a few instructions.
#[inline]
pub fn spend(steps: u64) -> bool {
    match LEFT.get().checked_sub(steps) {
        Some(left) => {
            LEFT.set(left);
            true
        }
        None => look(steps),
    }
}

/// Looks around, and takes the next portion.
#[cold]
fn look(steps: u64) -> bool {
    let stop =
        RUNNING.with_borrow(|running| running.as_ref().map(|running| Rc::clone(&running.stop)));
    // Nobody has set a limit.
    let Some(stop) = stop else {
        LEFT.set(u64::MAX);
        return true;
    };
    // Whoever is asked may compute something under a limit of its own.
    let wanted = stop();
    RUNNING.with_borrow_mut(|running| {
        let Some(running) = running else { return true };
        let rest = running.rest.saturating_add(LEFT.get());
        let ended = match rest.checked_sub(steps) {
            None => Some(Ended::Exhausted),
            Some(_) if wanted => Some(Ended::Stopped),
            Some(rest) => {
                let portion = rest.min(PORTION);
                LEFT.set(portion);
                running.rest = rest - portion;
                None
            }
        };
        running.ended = running.ended.or(ended);
        if running.ended.is_some() {
            // Nothing goes on from here, whatever it costs.
            LEFT.set(0);
            running.rest = 0;
        }
        running.ended.is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn never() -> bool {
        false
    }

    fn steps_taken(weight: usize) -> (Result<(), Ended>, u64) {
        let mut taken = 0;
        let ended = limited(&Limit::new(10_000_000, never), weight, || {
            while taken < 20_000_000 && step() {
                taken += 1;
            }
        });
        (ended, taken)
    }

    #[test]
    fn work_ends_at_its_limit_to_the_step() {
        // The start is a step, too.
        assert_eq!(steps_taken(1), (Err(Ended::Exhausted), 9_999_999));
        assert_eq!(steps_taken(1000), (Err(Ended::Exhausted), 9_999));
        assert_eq!(steps_taken(20_000_000), (Err(Ended::Exhausted), 0));
        // And nothing is left of the limit behind it.
        assert!((0..100_000_000_u64).step_by(PORTION as usize).all(|_| spend(PORTION)));
    }

    #[test]
    fn whoever_wants_it_to_end_is_asked_also_among_many_short_works() {
        let asked = Rc::new(Cell::new(0));
        let seen = Rc::clone(&asked);
        let limit = Limit::new(u64::MAX, move || {
            seen.set(seen.get() + 1);
            seen.get() == 3
        });
        let works = (0..u64::MAX)
            .take_while(|_| limited(&limit, 1, || spend(PORTION / 100)).is_ok())
            .count();
        assert_eq!(asked.get(), 3);
        assert!((250..320).contains(&works), "{works}");
    }

    #[test]
    fn a_part_has_its_own_limit_and_ends_with_the_whole() {
        let stopped = Rc::new(Cell::new(false));
        let seen = Rc::clone(&stopped);
        let whole = Limit::new(u64::MAX, move || seen.get());
        let ended = limited(&whole, 1, || {
            assert_eq!(at_most(100, 1, || spend(200)), Err(Ended::Exhausted));
            assert_eq!(at_most(100, 1, || spend(50)), Ok(true));
            stopped.set(true);
            assert_eq!(at_most(u64::MAX, 1, || spend(2 * PORTION)), Err(Ended::Stopped));
            end();
        });
        assert!(ended.is_err());
    }

    #[test]
    fn what_has_ended_stays_so() {
        let ended = limited(&Limit::new(100, never), 1, || {
            assert!(spend(50) && !spend(50) && !spend(1));
        });
        assert_eq!(ended, Err(Ended::Exhausted));
    }
}
