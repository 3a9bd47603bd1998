//! Works against each turn: a proportional and integral controller.
#![no_std]

use core::sync::atomic::{AtomicI32, Ordering::Relaxed};

static SUM: AtomicI32 = AtomicI32::new(0);

struct Attitude;

impl camkes::provided::Control for Attitude {
    /// One job: called once for each event `sampled`.
    fn run() {
        let error = camkes::state::latest().saturating_neg();
        let sum = SUM.load(Relaxed).saturating_add(error / 8).clamp(-400, 400);
        SUM.store(sum, Relaxed);
        let thrust = error.saturating_mul(2).saturating_add(sum / 4);
        camkes::motors::set(thrust.saturating_add(500));
    }
}

camkes::component!(Attitude);
