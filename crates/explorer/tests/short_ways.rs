//! The kernel's short ways do what its long ways do.
//!
//! Where an operation can be done at once, the kernel has a short way for it. In the states that a
//! breadth-first search reaches first, each step is taken by a kernel that uses the short ways and
//! by one that does not: what they answer and the whole state that they leave must be the same,
//! byte for byte.

use std::collections::HashSet;

use fusee_explorer::encode::encode;
use fusee_explorer::{Rules, Step, Store, System, Tape, systems};
use fusee_kernel::{EarliestDeadline, FixedPriority, Mutation, PriorityCeiling};

/// Visits so many states of a system and takes every step in each both ways; how many steps that
/// were.
fn compare<P: Rules>(system: &System, states: usize) -> usize {
    let tables = &system.tables;
    let start = Store::<P>::start(tables).expect("the tables are right");
    let mut seen = HashSet::from([encode(system, &start, system.begins)]);
    let mut queue = std::collections::VecDeque::from([(start, system.begins)]);
    let mut steps = 0;
    while let Some((store, now)) = queue.pop_front() {
        for step in Step::all(system, &store, now) {
            let (mut short_store, mut long_store) = (store.clone(), store.clone());
            let (mut short_now, mut long_now) = (now, now);
            let (mut short_tape, mut long_tape) = (Tape::default(), Tape::default());
            let short_outcome =
                step.take(tables, &mut short_store, &mut short_now, &mut short_tape);
            let long_outcome = Mutation::LongWays
                .during(|| step.take(tables, &mut long_store, &mut long_now, &mut long_tape));
            assert_eq!(short_outcome, long_outcome, "{}: {step}", system.name);
            assert_eq!(short_store, long_store, "{}: {step}", system.name);
            steps += 1;
            if seen.len() < states && seen.insert(encode(system, &short_store, short_now)) {
                queue.push_back((short_store, short_now));
            }
        }
    }
    steps
}

#[test]
fn both_ways_lead_to_the_same_states() {
    for system in systems::ALL.into_iter().chain(systems::LARGE) {
        assert!(compare::<FixedPriority>(system, 4_000) > 4_000);
    }
    for system in systems::deadlines::ALL {
        assert!(compare::<EarliestDeadline>(system, 2_000) > 2_000);
    }
    for system in systems::ceilings::ALL {
        assert!(compare::<PriorityCeiling>(system, 2_000) > 2_000);
    }
}
