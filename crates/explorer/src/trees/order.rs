//! The order among equals, compared before and after a step.
//!
//! Who runs counts as the first of its level. It stays before its equals, also when it is
//! preempted; the schedulers' next thread takes its place if it could go on; and whoever becomes
//! ready comes behind.

use fusee_kernel::{Event, Status, Store};

use super::rule::ensure;
use super::{Checked, Rule, Seen, Step, System, TreePolicy, World};

/// Returns the thread whose turn is over, if this ends one.
pub(super) fn turn_over<P: TreePolicy>(
    system: &System,
    (before, seen): (&World<P>, &Seen),
    step: Step,
) -> Option<usize> {
    let runs = seen.runs?;
    let spent = system.tables.time_slice != fusee_kernel::NEVER && before.ledger.slices[runs] == 0;
    let ends = step == Step::Event(Event::Yield) || step == Step::Event(Event::Timer) && spent;
    ends.then_some(runs)
}

/// The way in which a thread has come to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    /// It is before its equals, wherever it was: its priority has changed, another thread waits for
    /// it, or others are to find free where it is.
    Anyhow,
    /// It ran, and has lost nothing but the core.
    First,
    /// It was at this place.
    Stayed(usize),
    /// It takes the place of one that was at this place, or before that.
    Instead(usize),
    /// It has become ready, or its turn is over.
    Last,
}

/// Checks the order of equals, where the turn of `over` ended.
pub(super) fn check<P: TreePolicy>(
    (before, was): (&World<P>, &Seen),
    (after, is): (&World<P>, &Seen),
    over: Option<usize>,
) -> Checked {
    let (old, new) = (queue(&before.kernel), queue(&after.kernel));
    for (at, pair) in new.windows(2).enumerate() {
        let [first, second] = [pair[0], pair[1]];
        if is.priority(first) != is.priority(second) {
            continue;
        }
        let came = pair.iter().map(|own| came((&old, was), is, over, *own));
        let came: Vec<Came> = came.collect();
        let right = match (came[0], came[1]) {
            (Came::Anyhow, _) | (_, Came::Anyhow | Came::Last) | (Came::First, _) => true,
            (Came::Stayed(first) | Came::Instead(first), Came::Stayed(second)) => first < second,
            (Came::Stayed(_), Came::Instead(0)) => false,
            // It may have come to any place before where the other one was.
            (Came::Stayed(first), Came::Instead(second)) => first < second,
            (Came::Last, _) | (_, Came::First) | (Came::Instead(_), Came::Instead(_)) => false,
        };
        ensure(Rule::Equals, right, || {
            format!(
                "at place {at}, T{first} ({:?}) is before its equal T{second} ({:?})",
                came[0], came[1]
            )
        })?;
    }
    Ok(())
}

fn came((old, was): (&[usize], &Seen), is: &Seen, over: Option<usize>, thread: usize) -> Came {
    let at = |own: usize| old.iter().position(|other| *other == own);
    let runs = was.runs == Some(thread);
    // Who holds what others wait for, or has got it, stands where they demand.
    let helps = |seen: &Seen| seen.holder.values().any(|holder| *holder == thread);
    if was.priority(thread) != is.priority(thread)
        || helps(was)
        || helps(is)
        || is.protected(thread).is_some()
        || was.depth[thread] != is.depth[thread] && !runs
    {
        return Came::Anyhow;
    }
    if over == Some(thread) {
        return Came::Last;
    }
    let ready = matches!(was.status[thread], Status::Ready | Status::Running);
    if ready && runs {
        return Came::First;
    }
    if let Some(place) = at(thread).filter(|_| ready) {
        return Came::Stayed(place);
    }
    let [before, after] = [was, is].map(|seen| seen.first.map(|(first, _)| first));
    // A tree takes the place of one of the same priority only.
    let equal = |own: &usize| is.own_priority(*own) == is.own_priority(thread);
    let gives = |own: &usize| after == Some(thread) && is.is_busy(*own) && equal(own);
    let Some(old_first) = before.filter(gives) else {
        return Came::Last;
    };
    match at(old_first).filter(|_| is.status[old_first] != Status::AtGate) {
        // Whether its turn was over just then is of no account.
        Some(_) if over == before => Came::Anyhow,
        // Who had the core for its tree hands it on.
        Some(place) => Came::Instead(place),
        // Who waits at a gate has whatever place its holder has.
        None => Came::Anyhow,
    }
}

/// Returns the running thread, and then the ready ones, in order.
fn queue<P: TreePolicy>(store: &Store<P>) -> Vec<usize> {
    store.running().into_iter().chain(P::queued(store)).collect()
}
