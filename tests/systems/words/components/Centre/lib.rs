//! The Rust half: modules, methods and parameters with names that are words.

#![no_std]
use camkes::provided::{Control, Match};

struct Centre;

camkes::component!(Centre);

impl Control for Centre {
    fn run() {
        camkes::r#type::r#type(3, 4);
        camkes::r#mod::lock();
        camkes::r#mod::unlock();
        camkes::r#trait::shared();
    }
}

impl Match for Centre {
    fn delete(_: i32) {}
    fn switch(used: i32, free: &mut i32, _: &mut camkes::Text) -> i32 {
        *free = used;
        used
    }
    fn r#type(_: i32, _: i32) {}
}
