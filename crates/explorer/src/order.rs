//! The rules that hold over a step: the order of threads.
//!
//! Order among equals is nowhere in a state, so it is compared before and after a step. A thread
//! that stayed where it was keeps its place, and the running thread counts as the first of its
//! level: so one rule says that a preempted thread is before its equals, that a released one does
//! not overtake them, and that the first of them runs.

use fusee_kernel::{List, Status};

use crate::lists::members;
use crate::rule::{Checked, Rule, ensure};
use crate::{Rules, Store, Transition};

/// Checks the order of all queues.
pub(crate) fn check<P: Rules>(step: &Transition<'_, P>, turn_over: bool) -> Checked {
    let (before, after) = (step.before, step.after);
    for gate in 0..before.gates.len() {
        handed(step, gate)?;
    }
    for (index, (old, new)) in before.notifications.iter().zip(&after.notifications).enumerate() {
        let place = format_args!("N{index}").to_string();
        waiters(step, &place, (&old.waiters, &new.waiters), true)?;
        first_left(step, &place, (&old.waiters, &new.waiters))?;
    }
    let equals = Equals { step, turn_over };
    equals.check()
}

/// A gate goes to the first of the threads that wait for it.
fn handed<P: Rules>(step: &Transition<'_, P>, gate: usize) -> Checked {
    let (old, new) = (&step.before.gates[gate], &step.after.gates[gate]);
    let by_priority = step.tables.gates[gate].protocol.inherits();
    waiters(step, &format!("G{gate}"), (&old.waiters, &new.waiters), by_priority)?;
    let handed = old.holder.is_some() && new.holder.is_some() && old.holder != new.holder;
    ensure(Rule::Waiters, !handed || new.holder == old.waiters.head(), || {
        format!("G{gate} is not handed to its first waiter")
    })
}

/// Waiters keep their order; a new one, or one with another priority, queues behind its equals (or
/// behind all).
fn waiters<P: Rules>(
    step: &Transition<'_, P>,
    place: &str,
    lists: (&List, &List),
    by_priority: bool,
) -> Checked {
    if lists.1.is_empty() {
        return Ok(());
    }
    let (old, new) = (members(step.before, lists.0), members(step.after, lists.1));
    let priority = |thread: usize| step.after.threads[thread].effective;
    let stayed = |thread: usize| {
        old.contains(&thread)
            && (!by_priority || step.before.threads[thread].effective == priority(thread))
    };
    let position = |thread: usize| old.iter().position(|&other| other == thread);
    for (at, &thread) in new.iter().enumerate() {
        for &later in &new[at + 1..] {
            ensure(Rule::Waiters, !by_priority || priority(thread) >= priority(later), || {
                format!("at {place}, T{later} is behind lower T{thread}")
            })?;
            let equal = !by_priority || priority(thread) == priority(later);
            let right = match (stayed(thread), stayed(later)) {
                (true, true) => position(thread) < position(later),
                (false, true) => false,
                _ => true,
            };
            ensure(Rule::Waiters, !equal || right, || {
                format!("at {place}, T{thread} is before T{later}, which came first")
            })?;
        }
    }
    Ok(())
}

/// A woken thread was before all threads that still wait as they did.
fn first_left<P: Rules>(step: &Transition<'_, P>, place: &str, lists: (&List, &List)) -> Checked {
    let (old, new) = (members(step.before, lists.0), members(step.after, lists.1));
    let same = |&thread: &usize| {
        step.before.threads[thread].effective == step.after.threads[thread].effective
    };
    let stays = old.iter().position(|thread| new.contains(thread) && same(thread));
    let left = old.iter().rposition(|thread| !new.contains(thread) && same(thread));
    ensure(Rule::Waiters, stays.is_none() || left < stays, || {
        format!("at {place}, another than the first is woken")
    })
}

/// The way in which a thread has come to its place among equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    /// To the front: it ran, and goes on or is preempted; or its priority has changed while it was
    /// ready or ran; or it has got a gate inside another one, which an equal before it could find
    /// held. Of two that come so in one step, as when a fault hands one mutex to an equal and
    /// another to who preempts, either may be first.
    First,
    /// Not at all: it was at this place in the order.
    Stayed(usize),
    /// Behind all: it has been released or woken, or its turn is over.
    Last,
}

struct Equals<'s, P: Rules> {
    step: &'s Transition<'s, P>,
    /// `true` if the running thread has given its place up.
    turn_over: bool,
}

impl<P: Rules> Equals<'_, P> {
    fn check(&self) -> Checked {
        let (before, after) = (order(self.step.before), order(self.step.after));
        let mut seen = Vec::new();
        for &thread in &after {
            let urgency = self.step.after.threads[thread].effective;
            if !seen.contains(&urgency) {
                seen.push(urgency);
                let old = of(self.step.before, &before, urgency);
                let new = of(self.step.after, &after, urgency);
                self.among(urgency, &old, &new)?;
            }
        }
        Ok(())
    }

    /// Threads of one urgency, in order.
    fn among(&self, urgency: P::Urgency, old: &[usize], new: &[usize]) -> Checked {
        let new: Vec<usize> = new.iter().copied().filter(|&one| !self.is_unpaid(one)).collect();
        let came: Vec<Came> = new.iter().map(|&thread| self.came(old, thread)).collect();
        for (at, pair) in came.windows(2).enumerate() {
            let right = match (pair[0], pair[1]) {
                (Came::Stayed(first), Came::Stayed(second)) => first < second,
                (Came::First, _) | (_, Came::Last) => true,
                _ => false,
            };
            let (first, second) = (new[at], new[at + 1]);
            ensure(Rule::Equals, right, || {
                format!(
                    "at {}, T{first} ({:?}) is before T{second} ({:?})",
                    P::tell(urgency),
                    pair[0],
                    pair[1]
                )
            })?;
        }
        Ok(())
    }

    /// Returns `true` if it has got a gate inside another one without a budget of its own: it comes
    /// to the front where another thread lends, and behind all where its job's release in the same
    /// step, as a budget's end elsewhere can cause one, takes it out of its suspension.
    fn is_unpaid(&self, thread: usize) -> bool {
        let before = &self.step.before.threads[thread];
        before.status == Status::AtGate && before.budget == 0
    }

    fn came(&self, old: &[usize], thread: usize) -> Came {
        let before = &self.step.before.threads[thread];
        let after = &self.step.after.threads[thread];
        let (status, deeper) = (before.status, after.depth() > before.depth());
        if status == Status::AtGate && deeper && after.depth() > 1 {
            return Came::First;
        }
        let runs = status == Status::Running;
        if runs && self.turn_over || !matches!(status, Status::Ready | Status::Running) {
            return Came::Last;
        }
        if runs {
            return Came::First;
        }
        old.iter().position(|&other| other == thread).map_or(Came::First, Came::Stayed)
    }
}

/// Returns the running thread, and then the ready ones, in order: the running thread is the first
/// of its level.
fn order<P: Rules>(store: &Store<P>) -> Vec<usize> {
    store.running().into_iter().chain(P::queued(store)).collect()
}

/// Those of one urgency.
fn of<P: Rules>(store: &Store<P>, order: &[usize], urgency: P::Urgency) -> Vec<usize> {
    let same = |thread: &usize| store.threads[*thread].effective == urgency;
    order.iter().copied().filter(same).collect()
}
