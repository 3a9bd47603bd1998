//! The components' output, merged by time.
//!
//! Each component writes chunks of text into a buffer of its own, with the time and
//! a tag that tells its threads apart. Here the chunks of a thread become lines
//! again, and the lines of all components one sequence in the order in which they
//! were begun.

use std::collections::BTreeMap;
use std::fmt;

/// A line that a component printed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The time at which it was begun, from the system's start, in nanoseconds; negative during
    /// initialization.
    pub time: i64,
    /// The component's name.
    pub component: String,
    /// The text without its end of line.
    pub text: String,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, time) = (if self.time < 0 { "-" } else { "" }, self.time.unsigned_abs());
        let seconds = format!("{sign}{}.{:09}", time / 1_000_000_000, time % 1_000_000_000);
        write!(f, "[{seconds:>13}] {}: {}", self.component, visible(&self.text))
    }
}

/// Returns a component's text as it may stand on a terminal. A component that is not trusted could
/// otherwise move the cursor, color the text behind, or write over the verdict.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => shown.push(character),
            c if c.is_control() => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    shown
}

/// The content of one component's buffer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Printed {
    pub(crate) lines: Vec<Line>,
    /// Bytes that found no room.
    pub(crate) dropped: u32,
}

/// Bytes before the first chunk: how many bytes of chunks are taken, and how many bytes of text
/// were dropped.
const HEAD: usize = 16;
/// Bytes before a chunk's text: time, tag, length.
const CHUNK: usize = 16;

/// Reads a console buffer; `start`: when the system started.
pub(crate) fn read(component: &str, buffer: &[u8], start: u64) -> Printed {
    let word = |at: usize| {
        buffer.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
    };
    let (taken, dropped) = (word(0) as usize, word(4));
    let end = taken.saturating_add(HEAD).min(buffer.len());
    let mut open: BTreeMap<u32, Line> = BTreeMap::new();
    let mut lines = Vec::new();
    let mut at = HEAD;
    while at + CHUNK <= end {
        let (low, high) = (u64::from(word(at)), u64::from(word(at + 4)));
        let (tag, length) = (word(at + 8), word(at + 12) as usize);
        // A chunk that is still being written has no length yet, and nobody knows where the next
        // one begins.
        let text = buffer.get(at + CHUNK..at + CHUNK + length).filter(|text| !text.is_empty());
        let Some(text) = text else { break };
        let time = (high << 32 | low).wrapping_sub(start) as i64;
        for piece in String::from_utf8_lossy(text).split_inclusive('\n') {
            let fresh = || Line { time, component: component.to_owned(), text: String::new() };
            let line = open.entry(tag).or_insert_with(fresh);
            line.text.push_str(piece.trim_end_matches(['\r', '\n']));
            if piece.ends_with('\n') {
                lines.extend(open.remove(&tag));
            }
        }
        at += CHUNK + length.div_ceil(8) * 8;
    }
    lines.extend(open.into_values());
    Printed { lines, dropped }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(chunks: &[(u64, u32, &str)], dropped: u32) -> Vec<u8> {
        let mut bytes = vec![0; HEAD];
        for (time, tag, text) in chunks {
            bytes.extend(time.to_le_bytes());
            bytes.extend(tag.to_le_bytes());
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
            bytes.resize(bytes.len().div_ceil(8) * 8, 0);
        }
        let taken = (bytes.len() - HEAD) as u32;
        bytes[..4].copy_from_slice(&taken.to_le_bytes());
        bytes[4..8].copy_from_slice(&dropped.to_le_bytes());
        bytes
    }

    #[test]
    fn lines_of_two_threads_come_apart_again() {
        let bytes = buffer(
            &[(100, 1, "one"), (110, 2, "two\nthree"), (120, 1, " half\n"), (130, 2, " more")],
            7,
        );
        let printed = read("c", &bytes, 100);
        let texts: Vec<_> =
            printed.lines.iter().map(|line| (line.time, line.text.as_str())).collect();
        assert_eq!(texts, [(10, "two"), (0, "one half"), (10, "three more")]);
        assert_eq!(printed.dropped, 7);
    }

    #[test]
    fn damaged_buffers_are_read_as_far_as_they_make_sense() {
        let whole = buffer(&[(1, 1, "first\n"), (2, 1, "second\n")], 0);
        for length in 0..whole.len() {
            assert!(read("c", &whole[..length], 0).lines.len() <= 2);
        }
        let mut endless = whole.clone();
        endless[..4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(read("c", &endless, 0).lines.len(), 2);
        let mut unfinished = whole;
        unfinished[HEAD + 12..HEAD + 16].fill(0);
        assert_eq!(read("c", &unfinished, 0).lines.len(), 0);
    }

    #[test]
    fn a_line_shows_time_component_and_text() {
        let line = |time| Line { time, component: "a.b".into(), text: "hello".into() }.to_string();
        assert_eq!(line(1_000_000_001), "[  1.000000001] a.b: hello");
        assert_eq!(line(-5), "[ -0.000000005] a.b: hello");
        let forged = Line {
            time: 0,
            component: "a".into(),
            text: "x\r\u{1b}[32mevery bound held\u{9b}".into(),
        };
        assert_eq!(forged.to_string(), "[  0.000000000] a: x\\r\\u{1b}[32mevery bound held\\u{9b}");
    }
}
