//! A made-up kernel of the size of a real one, as C.
//!
//! Blackham et al. 2011 (section IV) give the size of the seL4 kernel that they
//! bounded: 10,271 instructions, 228 functions, 2,384 blocks, 56 loops, and 433,000
//! blocks once every call is inlined. This one is made of eight parts that all
//! look like that: functions in layers, each calling a few of the next one; data
//! that nobody knows decides which way they go. With fewer parts it is smaller.

mod size;

use std::fmt::Write;

use crate::Draw;
pub use size::{Size, size};

/// Parts of the whole kernel.
pub const PARTS: usize = 8;
/// Layers of a part, with so many functions each.
const LAYERS: [usize; 8] = [1, 3, 4, 4, 4, 4, 4, 4];

/// The kernel with so many of its parts; `entry` runs them all.
pub fn source(parts: usize) -> String {
    let mut text = String::from(
        "typedef unsigned long word;\nextern volatile word input[64];\nvolatile word \
         input[64];\nword state[256];\nvoid measure_all(void) {}\nvoid prepare(word n) { for (int \
         i = 0; i < 64; i++) input[i] = n; }\n",
    );
    for name in ["first", "next", "last"] {
        let _ = writeln!(
            text,
            "__attribute__((noinline)) word {name}(word x) {{ return x ^ state[{}]; }}",
            name.len()
        );
    }
    for part in 0..parts {
        for layer in (0..LAYERS.len()).rev() {
            for index in 0..LAYERS[layer] {
                function(&mut text, part, layer, index);
            }
        }
    }
    let calls: String = (0..parts).map(|part| format!("  x = p{part}_0_0(x, x >> 3);\n")).collect();
    let _ = write!(
        text,
        "word entry(void) {{\n  word x = last(next(first(input[0])));\n{calls}  return x;\n}}\n"
    );
    text
}

fn name(part: usize, layer: usize, index: usize) -> String {
    format!("p{part}_{layer}_{index}")
}

fn function(text: &mut String, part: usize, layer: usize, index: usize) {
    let mut numbers = Draw::new((part * 1000 + layer * 50 + index + 1) as u64);
    let mut below = |limit| numbers.below(limit);
    let _ = writeln!(
        text,
        "__attribute__((noinline)) word {}(word a, word b) {{",
        name(part, layer, index)
    );
    let _ = writeln!(text, "  word x = a ^ input[{}], y = b + {};", below(64), below(1000));
    branch(text, &mut below);
    let callees = LAYERS.get(layer + 1).copied().unwrap_or(0);
    let calls = if callees == 0 {
        0
    } else {
        3 + usize::from(index == 0 && (layer == 1 || layer.is_multiple_of(2)))
    };
    for call in 0..calls {
        let callee = name(part, layer + 1, (index + call) % callees);
        match (call, index) {
            // One loop of each part calls in its body.
            (0, 0) if layer == 2 => {
                let _ = writeln!(text, "  for (word i = 0; i < 3; i++) x = {callee}(x + i, y);");
            }
            (1, _) => {
                let _ = writeln!(
                    text,
                    "  if (input[{}] & {}) x = {callee}(x, y);",
                    below(64),
                    1 << below(16)
                );
            }
            _ => {
                let _ = writeln!(text, "  x = {callee}(x, y);");
            }
        }
        if call == 1 {
            branch(text, &mut below);
        }
    }
    if index == 1 && layer < 6 || index == 0 && layer == LAYERS.len() - 1 {
        let _ = writeln!(text, "  for (word i = 0; i < {}; i++) y += input[i] ^ x;", 4 + below(12));
    }
    if calls == 0 {
        branch(text, &mut below);
    }
    let _ = writeln!(text, "  state[{}] = y;\n  return x + y;\n}}", below(256));
}

/// Two ways that data decides between.
fn branch(text: &mut String, below: &mut impl FnMut(u64) -> u64) {
    let (bit, first, second) = (1 << below(12), below(256), below(256));
    let _ = writeln!(
        text,
        "  if (input[{}] & {bit}) {{ state[{first}] = y; x += y << {}; }} else x ^= \
         state[{second}];",
        below(64),
        1 + below(9)
    );
}
