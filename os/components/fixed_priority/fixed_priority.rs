//! The most urgent ready thread runs.
#![no_std]

use camkes::LOOK;
use camkes::scheduler::{OWN, Ready, THREADS};

struct FixedPriority;

impl camkes::provided::Control for FixedPriority {
    fn run() {
        let mut ready = Ready::new(OWN, &THREADS);
        loop {
            ready.hear();
            let until = ready.next_release(LOOK);
            if let Some(first) = ready.first(|thread| thread.known.priority.into()) {
                ready.run(first, until);
            }
        }
    }
}

camkes::component!(FixedPriority);
