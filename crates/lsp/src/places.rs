//! Places and paths in the protocol's words and in ours.
//!
//! The protocol counts lines from 0 and columns in units of UTF-16; we count bytes.

use std::path::{Path, PathBuf};

use fusee_diagnostics::{SourceFile, SourceMap, Span};
use lsp_types::{Location, Position, Range, Uri};
use url::Url;

/// Returns the path of a file; `None`: the document is in no file.
pub(crate) fn path(uri: &Uri) -> Option<PathBuf> {
    Url::parse(uri.as_str()).ok()?.to_file_path().ok()
}

/// Returns the name of a file; `None`: the path is not absolute.
pub(crate) fn uri(path: &Path) -> Option<Uri> {
    Url::from_file_path(path).ok()?.as_str().parse().ok()
}

/// Returns the place of a byte.
pub(crate) fn position(text: &str, offset: usize) -> Position {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.bytes().filter(|&byte| byte == b'\n').count();
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before[start..].encode_utf16().count();
    Position::new(line as u32, column as u32)
}

/// Returns the byte at a place; what is behind the end of a line is its end.
pub(crate) fn offset(text: &str, position: Position) -> usize {
    let line = match position.line {
        0 => Some(0),
        line => text.match_indices('\n').nth(line as usize - 1).map(|(newline, _)| newline + 1),
    };
    let Some(start) = line else { return text.len() };
    let mut units = 0;
    let rest = text[start..].char_indices();
    let end = rest.take_while(|&(_, letter)| letter != '\n').find(|&(_, letter)| {
        let here = units >= position.character;
        units += letter.len_utf16() as u32;
        here
    });
    let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    end.map_or(line_end, |(at, _)| start + at)
}

/// Returns the range of some bytes of a file.
pub(crate) fn range(file: &SourceFile, start: u32, end: u32) -> Range {
    let at = |offset: u32| position(&file.text, offset as usize);
    Range::new(at(start), at(end))
}

/// Returns where a span is; `None`: in a file that comes with Fusee.
pub(crate) fn location(span: Span, sources: &SourceMap) -> Option<Location> {
    let file = sources.file(span.file);
    Some(Location::new(uri(&absolute(&file.path)?)?, range(file, span.start, span.end)))
}

/// Returns the path of a file from the root; `None`: it comes with Fusee, and is in no folder.
pub(crate) fn absolute(path: &Path) -> Option<PathBuf> {
    let is_own = !path.to_string_lossy().starts_with('<');
    std::path::absolute(path).ok().filter(|_| is_own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back() {
        let text = "a\nb\u{1F600}c\u{e9}\n\nlast";
        for (offset_of, _) in text.char_indices() {
            assert_eq!(offset(text, position(text, offset_of)), offset_of);
        }
        assert_eq!(position(text, text.find('c').expect("it")), Position::new(1, 3));
        assert_eq!(offset(text, Position::new(0, 9)), 1, "behind the end of a line");
        assert_eq!(offset(text, Position::new(9, 0)), text.len());
        assert_eq!(offset(text, Position::new(3, 99)), text.len());
    }
}
