//! Sends a byte for each interrupt: the direction that was written last.
#![no_std]

use camkes::{frame, ready, registers};

/// Registers of a 16550, one byte each.
const DATA: usize = 0;
const INTERRUPTS: usize = 1;
const IDENTITY: usize = 2;

const TRANSMITTER_EMPTY: u8 = 0x02;

struct Radio;

impl camkes::provided::Control for Radio {
    fn run() {
        let device = registers::shared();
        device.write(INTERRUPTS, TRANSMITTER_EMPTY);
        loop {
            // Ends a job, and begins the next.
            ready::wait();
            let direction = frame::shared().read(0).filter(|&byte| byte != 0);
            device.write(DATA, direction.unwrap_or(b'.'));
            // Tells the device that its interrupt was seen.
            device.read(IDENTITY);
            ready::acknowledge();
        }
    }
}

camkes::component!(Radio);
