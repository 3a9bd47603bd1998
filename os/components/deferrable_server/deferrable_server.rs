//! Threads by priority, all together within a capacity.
#![no_std]

use camkes::scheduler::{OWN, Ready, THREADS, receive};
use camkes::{CAPACITY, EVERY, LOOK, now};

/// The shortest useful dispatch, in nanoseconds: a shorter one would come too late, for ever.
const LEAST: u64 = 10_000;

struct DeferrableServer;

/// Returns the time for which all threads together have run, in nanoseconds.
fn ran<const N: usize>(ready: &Ready<N>) -> u64 {
    ready.threads().iter().fold(0, |sum, thread| thread.ran.wrapping_add(sum))
}

impl camkes::provided::Control for DeferrableServer {
    fn run() {
        let mut ready = Ready::new(OWN, &THREADS);
        // When the capacity is filled up next, and what had run when it was last.
        let (mut filled, mut before) = (now().saturating_add(EVERY), 0);
        loop {
            ready.hear();
            let now = now();
            while filled <= now {
                before = ran(&ready);
                filled = filled.saturating_add(EVERY);
            }
            let left = CAPACITY.saturating_sub(ran(&ready).wrapping_sub(before));
            if left >= LEAST {
                let end = filled.min(now.saturating_add(left)).min(ready.next_release(LOOK));
                if let Some(first) = ready.first(|thread| thread.known.priority.into()) {
                    ready.run(first, end);
                }
            } else if let Some(event) = receive(filled) {
                ready.note(event);
            }
        }
    }
}

camkes::component!(DeferrableServer);
