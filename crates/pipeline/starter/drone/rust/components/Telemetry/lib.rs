//! Prints the state, and writes its direction for the radio.
#![no_std]

struct Telemetry;

impl camkes::provided::Control for Telemetry {
    fn run() {
        let rate = camkes::state::latest();
        camkes::frame::shared().write(0, if rate < 0 { b'-' } else { b'+' });
        camkes::line().text("rate ").number(rate.into()).end();
    }
}

camkes::component!(Telemetry);
