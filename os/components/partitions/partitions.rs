//! Each thread has the core in its own slots.
#![no_std]

use camkes::now;
use camkes::scheduler::{OWN, PERIOD, Refused, SLOTS, Slot, dispatch, go_on, receive, yield_until};

struct Partitions;

/// A slot. A scheduler in it needs time that it can give on; what it is given is worse than this
/// scheduler's own, so that it preempts nobody in another slot. Other threads run on this one's.
fn run_slot(slot: &Slot, end: u64) {
    while now() < end {
        let given = yield_until(slot.thread, OWN, end, slot.priority.saturating_add(1));
        let done = match given {
            Err(Refused::NOT_ITS) => dispatch(slot.thread, OWN, end),
            other => other,
        };
        go_on(done, end);
    }
}

impl camkes::provided::Control for Partitions {
    fn run() {
        let mut period = now();
        loop {
            let mut end = period;
            for slot in &SLOTS {
                end = end.saturating_add(slot.amount);
                run_slot(slot, end);
            }
            period = period.saturating_add(PERIOD);
            while now() < period {
                receive(period);
            }
        }
    }
}

camkes::component!(Partitions);
