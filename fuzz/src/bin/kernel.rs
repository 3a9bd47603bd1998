//! Any bytes as a system and the events that happen to it.
//!
//! Each byte is a choice: of threads, gates, capabilities, then of system calls with any argument,
//! releases, interrupts, faults and time. After every event the explorer's rules must hold, and
//! what the kernel refuses must leave its state untouched.

#![no_main]

use fusee_explorer::drive::drive;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut choices = bytes.iter().copied();
    let steps = bytes.len().min(2_000) as u32;
    if let Err(why) = drive(&mut |n| u32::from(choices.next().unwrap_or(0)) % n, steps) {
        panic!("{why}");
    }
});
