//! Answers in Rust; what is handed over is owned until it is.
#![no_std]

use camkes::provided::Echo;
use camkes::{List, Text};
use core::ffi::CStr;

struct Server;

camkes::component!(Server);

impl Echo for Server {
    fn i8(value: i8) -> i8 {
        value
    }

    fn u8(value: u8) -> u8 {
        value
    }

    fn i16(value: i16) -> i16 {
        value
    }

    fn u16(value: u16) -> u16 {
        value
    }

    fn i32(value: i32) -> i32 {
        value
    }

    fn u32(value: u32) -> u32 {
        value
    }

    fn i64(value: i64) -> i64 {
        value
    }

    fn u64(value: u64) -> u64 {
        value
    }

    fn negated(value: bool) -> bool {
        !value
    }

    fn next(value: u8) -> u8 {
        value + 1
    }

    fn half(value: f64) -> f64 {
        value / 2.0
    }

    fn mixed(a: i8, b: u64, c: i16, d: u32, e: bool, f: u8, g: i64) -> u64 {
        let signed = i64::from(a) + i64::from(c) + g;
        (b + u64::from(d) + u64::from(e) + u64::from(f)).wrapping_add_signed(signed)
    }

    fn change(value: &mut i32, doubled: &mut i64, by: &u16) {
        *value += i32::from(*by);
        *doubled = 2 * i64::from(*value);
    }

    fn text(value: &CStr) -> Text {
        Text::new(value)
    }

    fn exchange(value: &mut Text, copy: &mut Text, by: &CStr) {
        *copy = core::mem::replace(value, Text::new(by));
    }

    fn sum(values: &[i32]) -> i32 {
        values.iter().sum()
    }

    fn reverse(values: &mut List<u16>, low: &mut List<u8>, added: &[i64]) {
        for value in values.iter() {
            low.push(*value as u8);
        }
        values.reverse();
        for value in added {
            values.push(*value as u16);
        }
    }

    fn join(parts: &[Text], whole: &mut Text, list: &mut List<Text>, more: &[Text]) -> u32 {
        let mut joined = [0; 64];
        let mut used = 0;
        for part in parts {
            let bytes = part.to_bytes();
            joined[used..used + bytes.len()].copy_from_slice(bytes);
            used += bytes.len();
        }
        *whole = Text::new(CStr::from_bytes_until_nul(&joined).unwrap_or_default());
        for text in more {
            list.push(Text::new(text));
        }
        list.len() as u32
    }

    fn nothing() {}
}
