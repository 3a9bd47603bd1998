//! The meteorological instrument: of low priority, and a user of the bus.
#![no_std]

use camkes::{bus, compute, line};

const TOPIC_WEATHER: i32 = 1;

struct Weather;

impl camkes::provided::Control for Weather {
    fn run() {
        compute(60_000_000 - 100);
        let mut topics = 0;
        let latest = bus::select(&mut topics);
        compute(10_000_000 - 2000);
        bus::publish(TOPIC_WEATHER, latest);
        line().number(topics.into()).text(" topics, latest message ").number(latest.into()).end();
        compute(8_000_000 - 50_000);
    }
}

camkes::component!(Weather);
