//! The ready thread with the earliest deadline runs.
#![no_std]

use camkes::LOOK;
use camkes::scheduler::{OWN, Ready, THREADS, Thread};

struct EarliestDeadline;

fn deadline(thread: &Thread) -> u64 {
    thread.released.saturating_add(thread.known.deadline)
}

impl camkes::provided::Control for EarliestDeadline {
    fn run() {
        let mut ready = Ready::new(OWN, &THREADS);
        loop {
            ready.hear();
            let until = ready.next_release(LOOK);
            if let Some(first) = ready.first(deadline) {
                ready.run(first, until);
            }
        }
    }
}

camkes::component!(EarliestDeadline);
