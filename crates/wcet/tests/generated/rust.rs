//! Programs in Rust, made by chance, in the language's own shapes.
//!
//! As those in C they end by themselves, and what decides how long they take is in
//! globals that `prepare` writes: ranges, iterators and their adapters, slices and
//! chunks, matches, machines of states, options, closures, trait objects, lists
//! of indices, recursion to a given depth and to one that only a fact tells.

use std::fmt::Write;

use crate::c::INPUTS;
use fusee_testing::Draw;

/// The text that all programs of a file share.
const FRAME: &str = "\
#![no_std]
#![allow(warnings)]
use core::sync::atomic::{AtomicI32, Ordering::Relaxed};
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
#[derive(Clone, Copy)]
enum State { Idle, Seen(i32), Done }
trait Shape { fn area(&self, scale: i32) -> i32; }
struct Square(i32);
struct Strip(i32, i32);
impl Shape for Square {
    #[inline(never)] fn area(&self, scale: i32) -> i32 { self.0.wrapping_mul(self.0) ^ scale }
}
impl Shape for Strip {
    #[inline(never)] fn area(&self, scale: i32) -> i32 {
        if scale < 0 { self.0 } else { self.1.wrapping_mul(scale) }
    }
}
#[derive(Clone, Copy)]
struct Node { value: i32, next: Option<u8> }
";

/// Returns the source of programs with these numbers.
pub(crate) fn source(ids: std::ops::Range<u64>) -> String {
    ids.fold(FRAME.to_owned(), |text, id| text + &program(id))
}

fn program(id: u64) -> String {
    let mut writer = Writer { draw: Draw::of(id, 0x7275_7374), names: 0, text: String::new() };
    writer.globals();
    writer.helpers();
    writer.run();
    let exact = writer.draw.below(INPUTS);
    let start = format!("mod program_{id} {{\nuse super::*;\n");
    let end =
        format!("pub extern \"C\" fn exact_{id}() {{ prepare_{id}({exact}); run_{id}(); }}\n}}\n");
    (start + &writer.text + "#[no_mangle] #[inline(never)] " + &end).replace('@', &id.to_string())
}

struct Writer {
    draw: Draw,
    /// Names that were given.
    names: u32,
    text: String,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    /// A name that no other variable has.
    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn globals(&mut self) {
        self.line("static IN: [AtomicI32; 4] = [const { AtomicI32::new(0) }; 4];");
        self.line("static ARRAY: [AtomicI32; 16] = [const { AtomicI32::new(0) }; 16];");
        self.line("static OUT: AtomicI32 = AtomicI32::new(0);");
        self.line("#[no_mangle] #[inline(never)] pub extern \"C\" fn prepare_@(input: i32) {");
        for slot in 0..4 {
            let chosen = [-1, 0, 1, 7, 8, 100, 255, -100, 1 << 30].map(i64::from);
            let values: Vec<String> =
                (0..INPUTS).map(|_| chosen[self.draw.below(9) as usize].to_string()).collect();
            let values = values.join(", ");
            self.line(&format!(
                "static VALUES_{slot}: [i32; {INPUTS}] = [{values}];\n\
                 IN[{slot}].store(VALUES_{slot}.get(input as usize).copied().unwrap_or(0), \
                 Relaxed);"
            ));
        }
        let (factor, step) = (self.draw.below(9) as i64 - 4, self.draw.below(50));
        self.line(&format!(
            "for (i, place) in ARRAY.iter().enumerate() {{\n\
             place.store((i as i32 * {factor} + {step}) ^ IN[i & 3].load(Relaxed), \
             Relaxed);\n}}\n}}"
        ));
    }

    fn helpers(&mut self) {
        let operator = self.draw.one_of(&["wrapping_add", "wrapping_sub", "wrapping_mul"]);
        self.line(&format!(
            "#[inline(never)] fn deep(depth: i32, x: i32) -> i32 {{\n\
             if depth <= 0 {{ return x; }}\n\
             deep(depth - 1, x.wrapping_mul(3).wrapping_add(depth)).{operator}(depth)\n}}"
        ));
        self.line(
            "#[inline(never)] fn euclid(x: u32, y: u32) -> u32 {\n\
             if y == 0 { return x; }\n(euclid(y, x % y) >> 1) ^ x\n}",
        );
        let most = 3 + self.draw.below(6);
        self.line(&format!(
            "#[inline(never)] fn pick(x: i32, y: i32) -> i32 {{\nmatch x as u32 % {} {{",
            most + 2
        ));
        for case in 0..most {
            let value = self.expression(&["x", "y"]);
            let guard = if self.draw.below(4) == 0 { " if y > 3" } else { "" };
            self.line(&format!("{case}{guard} => {value},"));
        }
        self.line("_ => x ^ y,\n}\n}");
    }

    fn run(&mut self) {
        self.line("#[no_mangle] #[inline(never)] pub extern \"C\" fn run_@() {");
        self.line(
            "let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(|i: usize| IN[i].load(Relaxed));",
        );
        for _ in 0..2 + self.draw.below(3) {
            self.statement(3);
        }
        self.line("OUT.store(a.wrapping_add(b).wrapping_add(c).wrapping_add(d), Relaxed);\n}");
    }

    fn variable(&mut self) -> &'static str {
        self.draw.one_of(&["a", "b", "c", "d"])
    }

    fn expression(&mut self, names: &[&str]) -> String {
        let (left, right) = (self.draw.one_of(names), self.draw.one_of(names));
        let number = self.draw.below(60);
        match self.draw.below(12) {
            0 => format!("{left}.wrapping_add({right})"),
            1 => format!("(({left} as u32).wrapping_sub({number}) as i32)"),
            2 => format!("({left} ^ {right})"),
            3 => format!("{left}.wrapping_mul({number})"),
            4 => format!("({left} >> {})", number % 31),
            5 => format!("{left}.min({right})"),
            6 => format!("((({left} as u32) / (({right} & 15) as u32 + 1)) as i32)"),
            7 => format!("({left} as i8 as i32)"),
            // Not `saturating_add`: A32 has an instruction for it whose result the decoder leaves
            // open.
            8 => format!("{left}.overflowing_add({right}).0"),
            9 => format!("(({left} as u32).rotate_left({}) as i32)", number % 32),
            10 => format!("{left}.checked_add({right}).map_or({number}, |sum| sum ^ {number})"),
            _ => format!("({left} & {number})"),
        }
    }

    fn value(&mut self) -> String {
        self.expression(&["a", "b", "c", "d"])
    }

    fn condition(&mut self) -> String {
        let (left, operator) = (self.value(), self.draw.one_of(&["<", ">=", "==", "!=", ">"]));
        let right = self.draw.below(120);
        if self.draw.below(2) == 0 {
            format!("({left}) {operator} {right}")
        } else {
            format!("(({left}) as u32) {operator} {right}")
        }
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.draw.below(2) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        let kind = if depth == 0 { self.draw.below(4) } else { self.draw.below(17) };
        let (variable, value) = (self.variable(), self.value());
        match kind {
            0 => self.line(&format!("{variable} = {value};")),
            1 => {
                self.line(&format!("ARRAY[(({value}) & 15) as usize].store({variable}, Relaxed);"))
            }
            2 => self.line(&format!(
                "{variable} = {variable}.wrapping_add(ARRAY[(({value}) & 15) as \
                 usize].load(Relaxed));"
            )),
            3 => self.line(&format!("{variable} = pick({variable}, {value});")),
            4 => {
                let depth = 1 + self.draw.below(5);
                self.line(&format!("{variable} = deep({depth}, {variable});"));
            }
            5 | 6 => {
                let condition = self.condition();
                self.line(&format!("if {condition} {{"));
                self.block(depth - 1);
                self.line("} else {");
                self.block(depth - 1);
                self.line("}");
            }
            7 => self.list(variable),
            8 => self.adapters(variable),
            9 => self.slices(variable),
            10 => self.machine(variable),
            11 => self.shapes(variable),
            12 => self.line(&format!(
                "{variable} = euclid({variable} as u32 & 255, ({value}) as u32 & 255) as i32;"
            )),
            _ => self.looping(depth),
        }
    }

    fn list(&mut self, variable: &str) {
        let (nodes, length) = (self.name(), 2 + self.draw.below(5));
        self.line(&format!(
            "let mut {nodes} = [Node {{ value: {variable}, next: None }}; 8];\n\
             for i in 0..{length}u8 {{\n\
             {nodes}[i as usize].value = {variable}.wrapping_add(i as i32);\n\
             {nodes}[i as usize].next = if i + 1 < {length} {{ Some(i + 1) }} else {{ None \
             }};\n}}\n\
             let mut at = Some(0u8);\n\
             while let Some(here) = at {{\n\
             let node = {nodes}[here as usize & 7];\n{variable} ^= node.value;\nat = \
             node.next;\n}}"
        ));
    }

    fn adapters(&mut self, variable: &str) {
        let (skip, step, limit) = (self.draw.below(6), 1 + self.draw.below(3), self.draw.below(90));
        let tail = match self.draw.below(4) {
            0 => format!("fold({variable}, |sum, x| sum.wrapping_mul(3) ^ x)"),
            1 => format!("take_while(|&x| x != {limit}).fold(0i32, |sum, x| sum.wrapping_add(x))"),
            2 => format!("position(|x| x > {limit}).map_or(-1, |place| place as i32)"),
            _ => "max().unwrap_or(0)".to_owned(),
        };
        let head = format!("ARRAY.iter().skip({skip}).step_by({step}).map(|x| x.load(Relaxed))");
        let filter = ["", ".filter(|&x| x > 0)"][self.draw.below(2) as usize];
        self.line(&format!("{variable} = {head}{filter}.{tail};"));
    }

    fn slices(&mut self, variable: &str) {
        let (local, width) = (self.name(), 2 + self.draw.below(3));
        let each = self.draw.one_of(&["chunks_exact", "windows", "chunks"]);
        self.line(&format!(
            "let mut {local} = [0i32; 12];\n\
             for (place, x) in {local}.iter_mut().zip(&ARRAY) {{ *place = x.load(Relaxed) ^ \
             {variable}; }}\n\
             for part in {local}.{each}({width}) {{\n\
             if let [first, .., last] = part {{ if first < last {{ {variable} ^= *first; }} }}\n}}"
        ));
        if self.draw.below(2) == 0 {
            self.line(&format!(
                "{local}.swap(0, 5);\n{local}.reverse();\n{variable} ^= {local}[3];"
            ));
        }
    }

    fn machine(&mut self, variable: &str) {
        let (state, steps, limit) = (self.name(), 3 + self.draw.below(8), self.draw.below(40));
        self.line(&format!(
            "let mut {state} = State::Idle;\n\
             for i in 0..{steps} {{\n\
             {state} = match {state} {{\n\
             State::Idle if {variable} & (1 << i) != 0 => State::Seen(i),\n\
             State::Seen(at) if at + {limit} < {variable} => State::Done,\n\
             State::Seen(at) => State::Seen(at + 1),\n\
             State::Done => break,\n\
             other => other,\n}};\n}}\n\
             {variable} ^= match {state} {{ State::Idle => 1, State::Seen(at) => at, State::Done \
             => 77 }};"
        ));
    }

    fn shapes(&mut self, variable: &str) {
        let (side, width) = (self.draw.below(9), self.draw.below(9));
        self.line(&format!(
            "let shapes: [&dyn Shape; 3] = [&Square({side}), &Strip({width}, {variable}), \
             &Square({variable})];\n\
             for shape in shapes {{ {variable} = {variable}.wrapping_add(shape.area({variable})); \
             }}"
        ));
    }

    fn looping(&mut self, depth: u32) {
        let (i, most) = (self.name(), 1 + self.draw.below(7));
        let (variable, slot) = (self.variable(), self.draw.below(4));
        let range = match self.draw.below(6) {
            0 => format!("0..{most}"),
            1 => format!("(0..{most}).rev()"),
            2 => format!("(1..={most}).step_by(2)"),
            3 => format!("0..IN[{slot}].load(Relaxed) & 7"),
            4 => format!("0..IN[{slot}].load(Relaxed).clamp(0, {most})"),
            _ => format!(
                "core::iter::successors(Some({variable} & 63), |&x| (x > 1).then_some(x >> 1))"
            ),
        };
        self.line(&format!("for {i} in {range} {{"));
        self.block(depth - 1);
        match self.draw.below(4) {
            0 => {
                let condition = self.condition();
                self.line(&format!("if {condition} {{ break; }}"));
            }
            1 => self.line(&format!(
                "for j in 0..{i} {{ {variable} = {variable}.wrapping_add(ARRAY[j as usize & \
                 15].load(Relaxed)); }}"
            )),
            _ => self.line(&format!("{variable} = {variable}.wrapping_add({i});")),
        }
        self.line("}");
    }
}
