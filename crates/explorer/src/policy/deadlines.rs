//! Earliest deadline: instants that go on and on, and yet finitely many states.
//!
//! What is urgent is an absolute deadline, so no two states at different times would ever be the
//! same. The kernel only *compares* urgencies. So a deadline that is still to come counts by how
//! far ahead it is, of which there are few; and one that has passed by its place among those that
//! have: every deadline that is still to be made, by a release or by a gate that is taken, comes
//! after all of them. (What is made counts from a nominal arrival, which is at most as late as the
//! timer, and no relative deadline is shorter than a release may be told late.) Nothing else of
//! when it was matters, so nothing is lost, and no horizon is needed: a search is complete for all
//! times.

use std::cmp::Reverse;

use fusee_kernel::{DeadlineServices, DeadlineWords, EarliestDeadline, Policy};
use fusee_kernel::{NEVER, Protocol, Status, Tables, Time};

use super::{Held, Rules};
use crate::Store;

/// The highest urgency without inheritance from a floor.
const TOP: u64 = NEVER - 1;

/// Returns the urgency of a deadline: the earlier, the more.
fn urgency(deadline: Time) -> u64 {
    TOP.min(NEVER - deadline)
}

/// The policies that go by deadlines.
macro_rules! by_deadline {
    ($policy:ident) => {
        impl Rules for $policy {
            const REMEMBERS: bool = false;

            fn given(priority: u8) -> u64 {
                u64::from(priority)
            }

            fn own(_: u8, deadline: Option<Time>) -> Option<u64> {
                deadline.map(urgency)
            }

            /// Returns a gate with a floor: as if the user with the shortest deadline were released
            /// when it is taken, as late as it may be.
            fn demands(held: Held<'_>) -> u64 {
                match held.protocol {
                    Protocol::Srp { .. } => {
                        let left = |&thread: &usize| held.tables.threads[thread].least_left();
                        let shortest = held.users.iter().map(left).min().unwrap_or(NEVER);
                        urgency(held.since.saturating_add(shortest))
                    }
                    Protocol::NonPreemptive => TOP,
                    _ => 0,
                }
            }

            fn keeps_turns(protocol: Protocol) -> bool {
                matches!(protocol, Protocol::Srp { .. } | Protocol::NonPreemptive)
            }

            fn queued(store: &Store<Self>) -> Vec<usize> {
                let turn = |thread: usize| Some((thread, store.levels.get(thread)?.turn()?));
                let mut ready: Vec<_> = (0..store.threads.len()).filter_map(turn).collect();
                ready.sort_by_key(|&(thread, turn)| {
                    (Reverse(store.threads[thread].effective), turn)
                });
                ready.into_iter().map(|(thread, _)| thread).collect()
            }

            /// Each node of the tournament has the first of those below it.
            fn flaw(store: &Store<Self>) -> Option<String> {
                let (order, leaves) = (Self::queued(store), store.levels.len());
                let below = |node: usize, thread: usize| {
                    let mut at = leaves + thread;
                    while at > node {
                        at /= 2;
                    }
                    at == node
                };
                (1..leaves).find_map(|node| {
                    let first = order.iter().copied().find(|&thread| below(node, thread))?;
                    let is = store.levels[node].first().at();
                    (is != first)
                        .then(|| format!("T{is} leads the tournament at {node}, not T{first}"))
                })
            }

            fn stack(_: &Store<Self>) -> Vec<(usize, u8)> {
                Vec::new()
            }

            fn encode(tables: &Tables<'_>, store: &Store<Self>, since: Time, bytes: &mut Vec<u8>) {
                let deadlines = Deadlines::of(tables, store, since);
                for index in 0..store.threads.len() {
                    let thread = &store.threads[index];
                    if thread.status == Status::Idle {
                        continue;
                    }
                    bytes.extend(
                        [thread.base, thread.effective].map(|urgency| deadlines.code(urgency)),
                    );
                    for frame in store.frames_of(tables, index) {
                        bytes.push(deadlines.code(frame.claim));
                    }
                    bytes.extend(
                        queued_jobs(tables, store, index).map(|urgency| deadlines.code(urgency)),
                    );
                }
                bytes.extend(Self::queued(store).iter().map(|&thread| thread as u8));
                bytes.push(u8::MAX);
            }

            fn tell(urgency: u64) -> String {
                match urgency {
                    0 => "no deadline".to_owned(),
                    TOP => "the top".to_owned(),
                    _ => format!("deadline {}", NEVER - urgency),
                }
            }
        }
    };
}

by_deadline!(EarliestDeadline);
by_deadline!(DeadlineWords);
by_deadline!(DeadlineServices);

/// A policy whose threads are in a tournament by deadlines.
trait ByDeadline: Policy<Urgency = u64, Claim = u64> {}

impl<P: Policy<Urgency = u64, Claim = u64>> ByDeadline for P {}

/// Iterates over the urgencies of the jobs that wait for a thread's unfinished one.
fn queued_jobs<'s, P: ByDeadline>(
    tables: &'s Tables<'s>,
    store: &'s Store<P>,
    index: usize,
) -> impl Iterator<Item = u64> + use<'s, P> {
    let (thread, backlog) = (&store.threads[index], usize::from(tables.backlog));
    let relative = tables.threads[index].deadline;
    (0..usize::from(thread.queued)).map(move |place| {
        let place = (usize::from(thread.first) + place) % backlog;
        urgency(store.arrivals[index * backlog + place].saturating_add(relative))
    })
}

/// The deadlines in a state.
struct Deadlines {
    /// From when on new ones come.
    since: Time,
    /// Those before that, in order.
    past: Vec<Time>,
}

impl Deadlines {
    fn of<P: ByDeadline>(tables: &Tables<'_>, store: &Store<P>, since: Time) -> Deadlines {
        let mut past = Vec::new();
        for (index, thread) in store.threads.iter().enumerate() {
            if thread.status == Status::Idle {
                continue;
            }
            let claims = store.frames_of(tables, index).iter().map(|frame| frame.claim);
            let all = claims.chain([thread.base]).chain(queued_jobs(tables, store, index));
            let deadlines = all.filter(|&urgency| urgency < TOP).map(|urgency| NEVER - urgency);
            past.extend(deadlines.filter(|&deadline| deadline < since));
        }
        past.sort_unstable();
        past.dedup();
        Deadlines { since, past }
    }

    /// Few that are far ahead, and few that are late.
    fn code(&self, urgency: u64) -> u8 {
        const LATE: u8 = 200;
        match urgency {
            0 => 255,
            TOP.. => 254,
            _ => {
                let deadline = NEVER - urgency;
                match self.past.binary_search(&deadline) {
                    Ok(place) => LATE + place as u8,
                    Err(_) => (deadline - self.since).min(u64::from(LATE) - 1) as u8,
                }
            }
        }
    }
}
