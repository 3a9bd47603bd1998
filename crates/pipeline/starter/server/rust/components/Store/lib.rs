//! Keeps a number for each key. Only one thread is inside at a time.
#![no_std]

use core::sync::atomic::{AtomicI32, Ordering::Relaxed};

const KEYS: usize = 16;

static NUMBERS: [AtomicI32; KEYS] = [const { AtomicI32::new(0) }; KEYS];

fn place(key: i32) -> Option<&'static AtomicI32> {
    usize::try_from(key).ok().and_then(|key| NUMBERS.get(key))
}

struct Store;

impl camkes::provided::Numbers for Store {
    fn put(key: i32, value: i32) -> i32 {
        let Some(place) = place(key) else { return -1 };
        place.store(value, Relaxed);
        0
    }

    fn get(key: i32, value: &mut i32) -> i32 {
        let Some(place) = place(key) else { return -1 };
        *value = place.load(Relaxed);
        0
    }
}

camkes::component!(Store);
