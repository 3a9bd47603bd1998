//! Fixed priorities: a list for each level.

use fusee_kernel::{CeilingServices, CeilingWords, PriorityCeiling};
use fusee_kernel::{FixedPriority, List, LockServices, MutexWords, Policy};
use fusee_kernel::{Protocol, Tables, Time};

use super::{Held, Rules, ceilings};
use crate::Store;
use crate::lists::{list, members};

/// The policies that go by levels; what they keep of gates that bar others is different.
macro_rules! by_level {
    ($policy:ident, $stack:path, $remembers:literal) => {
        impl Rules for $policy {
            const REMEMBERS: bool = $remembers;

            fn given(priority: u8) -> u8 {
                priority
            }

            fn own(priority: u8, _: Option<Time>) -> Option<u8> {
                Some(priority)
            }

            fn demands(held: Held<'_>) -> u8 {
                match held.protocol {
                    Protocol::Fixed { ceiling } => ceiling,
                    _ => 0,
                }
            }

            fn keeps_turns(_: Protocol) -> bool {
                false
            }

            fn queued(store: &Store<Self>) -> Vec<usize> {
                store.levels.iter().rev().flat_map(|level| members(store, level)).collect()
            }

            fn flaw(store: &Store<Self>) -> Option<String> {
                flaw(store, &store.levels)
            }

            fn stack(store: &Store<Self>) -> Vec<(usize, u8)> {
                $stack(store)
            }

            fn encode(_: &Tables<'_>, store: &Store<Self>, _: Time, bytes: &mut Vec<u8>) {
                for thread in &store.threads {
                    bytes.extend([thread.base, thread.effective]);
                }
                for level in &store.levels {
                    list(store, level, bytes);
                }
                bytes.extend($stack(store).iter().map(|&(gate, _)| gate as u8));
            }

            fn tell(priority: u8) -> String {
                priority.to_string()
            }
        }
    };
}

by_level!(FixedPriority, nothing, true);
by_level!(MutexWords, nothing, true);
by_level!(LockServices, nothing, true);
by_level!(PriorityCeiling, ceilings::stack, false);
by_level!(CeilingWords, ceilings::stack, false);
by_level!(CeilingServices, ceilings::stack, false);

/// Without such gates nothing is held.
fn nothing<P: Policy>(_: &Store<P>) -> Vec<(usize, u8)> {
    Vec::new()
}

/// A thread that is ready at a level is there for its effective priority.
fn flaw<P: Policy<Urgency = u8>>(store: &Store<P>, levels: &[List]) -> Option<String> {
    let right = |level: usize, list: &List| {
        members(store, list)
            .iter()
            .all(|&thread| usize::from(store.threads[thread].effective) == level)
    };
    let wrong = levels.iter().enumerate().find(|(level, list)| !right(*level, list));
    wrong.map(|(level, _)| format!("a thread is ready at level {level} with another priority"))
}
