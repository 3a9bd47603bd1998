//! Asks both servers for everything and checks the answers.
#![no_std]

use camkes::{List, Text, c, line, rust, take_error};
use core::sync::atomic::{AtomicI32, Ordering};

static RIGHT: AtomicI32 = AtomicI32::new(0);
static WRONG: AtomicI32 = AtomicI32::new(0);

fn expect(holds: bool, place: u32) {
    match holds {
        true => RIGHT.fetch_add(1, Ordering::Relaxed),
        false => {
            line().text("not as expected at line ").number(place.into()).end();
            WRONG.fetch_add(1, Ordering::Relaxed)
        }
    };
}

struct Client;

camkes::component!(Client);

impl camkes::provided::Control for Client {
    fn run() {
        ask_c();
        ask_rust();
        let (right, wrong) = (RIGHT.load(Ordering::Relaxed), WRONG.load(Ordering::Relaxed));
        let line = line().number(right.into()).text(" answers right, ");
        let line = line.number(wrong.into()).text(" wrong, error ");
        line.number(take_error().into()).end();
    }
}

fn ask_c() {
    expect(c::i8(i8::MIN) == i8::MIN && c::i8(-1) == -1, line!());
    expect(c::u8(u8::MAX) == u8::MAX, line!());
    expect(c::i16(i16::MIN) == i16::MIN, line!());
    expect(c::u16(u16::MAX) == u16::MAX, line!());
    expect(c::i32(i32::MIN) == i32::MIN, line!());
    expect(c::u32(u32::MAX) == u32::MAX, line!());
    expect(c::i64(i64::MIN + 1) == i64::MIN + 1, line!());
    expect(c::u64(u64::MAX - 1) == u64::MAX - 1, line!());
    expect(c::negated(false) && !c::negated(true), line!());
    expect(c::next(b'y') == b'z', line!());
    expect(c::half(-2.5) == -1.25, line!());
    expect(c::mixed(-1, 1 << 40, -2, 3, true, 4, -5) == 1 << 40, line!());
    c::nothing();

    let (mut value, mut doubled) = (-70_000, 0);
    c::change(&mut value, &mut doubled, &65_535);
    expect(value == -4465 && doubled == -8930, line!());

    let mut text = c::text(c"Good evening");
    expect(&*text == c"Good evening", line!());
    let mut copy = Text::new(c"old");
    c::exchange(&mut text, &mut copy, c"another");
    expect(&*text == c"another" && &*copy == c"Good evening", line!());

    expect(c::sum(&[1, -2, 300_000]) == 299_999 && c::sum(&[]) == 0, line!());
    let (mut values, mut low) = (List::of(&[0x1234, 0x5678]), List::of(&[1]));
    c::reverse(&mut values, &mut low, &[0x9abc]);
    expect(*values == [0x5678, 0x1234, 0x9abc] && *low == [0x34, 0x78], line!());

    let (mut whole, mut list) = (Text::empty(), List::new());
    list.push(Text::new(c"three"));
    let parts = [Text::new(c"one"), Text::new(c""), Text::new(c"two")];
    expect(c::join(&parts, &mut whole, &mut list, &[Text::new(c"four")]) == 2, line!());
    expect(
        &*whole == c"onetwo" && list.len() == 2 && &*list[0] == c"three" && &*list[1] == c"four",
        line!(),
    );
}

fn ask_rust() {
    expect(rust::i8(i8::MIN) == i8::MIN && rust::i8(-1) == -1, line!());
    expect(rust::u8(u8::MAX) == u8::MAX, line!());
    expect(rust::i16(i16::MIN) == i16::MIN, line!());
    expect(rust::u16(u16::MAX) == u16::MAX, line!());
    expect(rust::i32(i32::MIN) == i32::MIN, line!());
    expect(rust::u32(u32::MAX) == u32::MAX, line!());
    expect(rust::i64(i64::MIN + 1) == i64::MIN + 1, line!());
    expect(rust::u64(u64::MAX - 1) == u64::MAX - 1, line!());
    expect(rust::negated(false) && !rust::negated(true), line!());
    expect(rust::next(b'y') == b'z', line!());
    expect(rust::half(-2.5) == -1.25, line!());
    expect(rust::mixed(-1, 1 << 40, -2, 3, true, 4, -5) == 1 << 40, line!());
    rust::nothing();

    let (mut value, mut doubled) = (-70_000, 0);
    rust::change(&mut value, &mut doubled, &65_535);
    expect(value == -4465 && doubled == -8930, line!());

    let mut text = rust::text(c"Good evening");
    expect(&*text == c"Good evening", line!());
    let mut copy = Text::new(c"old");
    rust::exchange(&mut text, &mut copy, c"another");
    expect(&*text == c"another" && &*copy == c"Good evening", line!());

    expect(rust::sum(&[1, -2, 300_000]) == 299_999 && rust::sum(&[]) == 0, line!());
    let (mut values, mut low) = (List::of(&[0x1234, 0x5678]), List::of(&[1]));
    rust::reverse(&mut values, &mut low, &[0x9abc]);
    expect(*values == [0x5678, 0x1234, 0x9abc] && *low == [0x34, 0x78], line!());

    let (mut whole, mut list) = (Text::empty(), List::new());
    list.push(Text::new(c"three"));
    let parts = [Text::new(c"one"), Text::new(c""), Text::new(c"two")];
    expect(rust::join(&parts, &mut whole, &mut list, &[Text::new(c"four")]) == 2, line!());
    expect(
        &*whole == c"onetwo" && list.len() == 2 && &*list[0] == c"three" && &*list[1] == c"four",
        line!(),
    );
}
