//! Counts, tells the store, and notes what its neighbor has counted.
#![no_std]

use camkes::{KEY, journal, store};
use core::sync::atomic::{AtomicI32, Ordering::Relaxed};

const CLIENTS: i32 = 3;

static COUNT: AtomicI32 = AtomicI32::new(0);

struct Client;

impl camkes::provided::Control for Client {
    /// One job: called once in every period. `KEY` is an attribute, another one for each client.
    fn run() {
        let count = COUNT.load(Relaxed).wrapping_add(1);
        COUNT.store(count, Relaxed);
        let mut seen = 0;
        store::put(KEY, count);
        store::get((KEY + 1) % CLIENTS, &mut seen);
        journal::note(KEY, seen);
    }
}

camkes::component!(Client);
