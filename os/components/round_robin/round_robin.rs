//! Each ready thread has its turn.
#![no_std]

use camkes::scheduler::{OWN, Ready, THREADS};
use camkes::{QUANTUM, now};

struct RoundRobin;

impl camkes::provided::Control for RoundRobin {
    fn run() {
        let mut ready = Ready::new(OWN, &THREADS);
        loop {
            ready.hear();
            // All are as urgent: turns decide.
            if let Some(first) = ready.first(|_| 0) {
                ready.to_back(first);
                ready.run(first, now().saturating_add(QUANTUM));
            }
        }
    }
}

camkes::component!(RoundRobin);
