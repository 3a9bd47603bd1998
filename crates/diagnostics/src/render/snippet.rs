//! The part of a file that a message shows.
//!
//! A file can be large and a description can be generated on one endless line,
//! while the renderer walks over all text that it is given. So it is given a
//! window: the lines around the labels. Labels that are far apart get windows of
//! their own, and where even the window is too large the place is only named.
//!
//! Spans come from many producers. Here they are cut to the file and to character
//! boundaries, because a message about a wrong input must never itself fail.

use std::borrow::Cow;
use std::ops::Range;

use crate::{SourceFile, Span};

/// Labels further apart than this many bytes are shown separately.
const FAR: usize = 16 * 1024;

/// Windows larger than this many bytes are not shown.
const TOO_LARGE: usize = 64 * 1024;

/// Some whole lines of a file.
pub(super) struct Window {
    /// The bytes of the file that it shows.
    pub(super) range: Range<usize>,
    /// The number of its first line, from 1.
    pub(super) first_line: usize,
}

impl Window {
    /// Returns the lines that hold all of `ranges`; `None` when they are too large to show.
    pub(super) fn around(file: &SourceFile, ranges: &[Range<usize>]) -> Option<Window> {
        let bytes = file.text.as_bytes();
        let first = ranges.iter().map(|r| r.start).min()?;
        let last = ranges.iter().map(|r| r.end).max()?;
        let start = bytes[..first].iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        let end =
            bytes[last..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |at| last + at);
        let first_line = file.position(start as u32).line as usize;
        (end - start <= TOO_LARGE).then_some(Window { range: start..end, first_line })
    }

    /// Returns the text of the window; the carriage returns of Windows' line ends are blanks, lest
    /// they be shown.
    pub(super) fn text<'a>(&self, file: &'a SourceFile) -> Cow<'a, str> {
        let text = file.text.get(self.range.clone()).unwrap_or("");
        if !text.contains('\r') {
            return Cow::Borrowed(text);
        }
        let text = text.replace("\r\n", " \n");
        Cow::Owned(match text.strip_suffix('\r') {
            Some(line) => format!("{line} "),
            None => text,
        })
    }

    /// Returns a range of the file as a range of the window.
    pub(super) fn inside(&self, range: &Range<usize>) -> Range<usize> {
        range.start - self.range.start..range.end - self.range.start
    }
}

/// Returns a span's bytes, cut to the file and to character boundaries.
pub(super) fn bytes(file: &SourceFile, span: Span) -> Range<usize> {
    let text = &file.text;
    let start = text.floor_char_boundary(span.start as usize);
    let end = text.ceil_char_boundary(span.end as usize).max(start);
    start..end
}

/// Splits items, each with its range, where two neighbors are far apart.
pub(super) fn clusters<T>(mut items: Vec<(Range<usize>, T)>) -> Vec<Vec<(Range<usize>, T)>> {
    items.sort_by_key(|(range, _)| range.start);
    let mut clusters: Vec<Vec<(Range<usize>, T)>> = Vec::new();
    let mut end = 0;
    for item in items {
        let near = item.0.start <= end + FAR;
        end = end.max(item.0.end);
        match clusters.last_mut() {
            Some(cluster) if near => cluster.push(item),
            _ => clusters.push(vec![item]),
        }
    }
    clusters
}
