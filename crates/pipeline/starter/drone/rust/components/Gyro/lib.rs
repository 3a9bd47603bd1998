//! Measures how fast the drone turns, and says that there is something new.
#![no_std]

use core::sync::atomic::{AtomicI32, AtomicU32, Ordering::Relaxed};

static NOISE: AtomicU32 = AtomicU32::new(1);
static ANGLE: AtomicI32 = AtomicI32::new(0);

/// Stands for a sensor: noise around a slow swing.
fn measured() -> i32 {
    let noise = NOISE.load(Relaxed).wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    NOISE.store(noise, Relaxed);
    let angle = (ANGLE.load(Relaxed) + 3) % 200;
    ANGLE.store(angle, Relaxed);
    angle - 100 + (noise >> 29) as i32
}

struct Gyro;

impl camkes::provided::Control for Gyro {
    /// One job: called once in every period.
    fn run() {
        camkes::state::put(measured());
        camkes::sampled::emit();
    }
}

camkes::component!(Gyro);
