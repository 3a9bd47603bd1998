//! What must hold over a step: who comes before whom.
//!
//! Order among equals is nowhere in a state, so it is compared before and after. Whoever stayed
//! where it was keeps its place, and the running thread counts as the first of its level: so one
//! rule says that a preempted thread is before its equals, that a released one does not overtake
//! them, and that the first of them runs.

use fusee_kernel::{List, Protocol, Status, ThreadIndex};

use crate::check::members;
use crate::rule::{Checked, Rule, ensure};
use crate::{Store, Transition};

/// Checks the order of all queues.
pub(crate) fn check(step: &Transition<'_>, turn_over: bool) -> Checked {
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
    (0..after.levels.len()).try_for_each(|level| equals.check(level))
}

/// A gate goes to the first of those who wait for it.
fn handed(step: &Transition<'_>, gate: usize) -> Checked {
    let (old, new) = (&step.before.gates[gate], &step.after.gates[gate]);
    let by_priority = step.tables.gates[gate].protocol != Protocol::Fifo;
    waiters(step, &format!("G{gate}"), (&old.waiters, &new.waiters), by_priority)?;
    let handed = old.holder.is_some() && new.holder.is_some() && old.holder != new.holder;
    ensure(Rule::Waiters, !handed || new.holder == old.waiters.head(), || {
        format!("G{gate} is not handed to its first waiter")
    })
}

/// Waiters keep their order; a new one, or one with another priority, queues behind its equals (or
/// behind all).
fn waiters(
    step: &Transition<'_>,
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

/// Who is woken was before all who still wait as they did.
fn first_left(step: &Transition<'_>, place: &str, lists: (&List, &List)) -> Checked {
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

/// How a thread has come to its place among equals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    /// To the front: it runs and goes on, or its priority has changed while it was ready or ran, or
    /// it has got a gate inside another one, which an equal before it could find held.
    First,
    /// Not at all: it was at this place in the order.
    Stayed(usize),
    /// Behind all: it has been released or woken, or its turn is over.
    Last,
}

struct Equals<'s> {
    step: &'s Transition<'s>,
    /// Whether who ran has given its place up.
    turn_over: bool,
}

impl Equals<'_> {
    fn check(&self, level: usize) -> Checked {
        let new = order(self.step.after, level);
        if new.len() < 2 {
            return Ok(());
        }
        let old = order(self.step.before, level);
        let came: Vec<Came> = new.iter().map(|&thread| self.came(&old, thread)).collect();
        for (at, pair) in came.windows(2).enumerate() {
            let right = match (pair[0], pair[1]) {
                (Came::Stayed(first), Came::Stayed(second)) => first < second,
                (Came::First, _) | (_, Came::Last) => true,
                _ => false,
            };
            let (first, second) = (new[at], new[at + 1]);
            ensure(Rule::Equals, right, || {
                format!(
                    "at level {level}, T{first} ({:?}) is before T{second} ({:?})",
                    pair[0], pair[1]
                )
            })?;
        }
        Ok(())
    }

    fn came(&self, old: &[usize], thread: usize) -> Came {
        let status = self.step.before.threads[thread].status;
        let after = &self.step.after.threads[thread];
        if status == Status::AtGate && after.depth() > 1 && after.status != Status::AtGate {
            return Came::First;
        }
        let runs = status == Status::Running;
        if runs && self.turn_over || !matches!(status, Status::Ready | Status::Running) {
            return Came::Last;
        }
        if runs && self.step.after.running() == Some(thread) {
            return Came::First;
        }
        old.iter().position(|&other| other == thread).map_or(Came::First, Came::Stayed)
    }
}

/// Who runs or is ready at a level, in order: who runs is the first of its own.
fn order(store: &Store, level: usize) -> Vec<usize> {
    let runs =
        store.running().filter(|&thread| usize::from(store.threads[thread].effective) == level);
    let list = store.levels[level].iter(&store.threads).take(store.threads.len() + 1);
    runs.into_iter().chain(list.map(ThreadIndex::at)).collect()
}
