//! The meteorological instrument: of low priority, and a user of the bus.
#![no_std]

use camkes::{bus, compute, line};

const TOPIC_WEATHER: i32 = 1;
const ALL_TOPICS: i32 = 0xff;

struct Weather;

impl camkes::provided::Control for Weather {
    fn run() {
        compute(60_000_000 - 100);
        let topics = bus::select(ALL_TOPICS);
        compute(10_000_000 - 2000);
        let message = bus::publish(TOPIC_WEATHER, topics);
        line().number(topics.into()).text(" topics, message ").number(message.into()).end();
        compute(8_000_000 - 50_000);
    }
}

camkes::component!(Weather);
