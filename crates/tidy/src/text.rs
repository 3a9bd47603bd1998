//! Rust code without its comments and literals.
//!
//! Enough of Rust's lexical structure to tell a keyword from the same word in a
//! comment or a string. Everything that is not code becomes spaces, line ends
//! stay, so that places in the result are places in the file.

/// The text with comments, strings and character literals blanked out.
pub(crate) fn code_only(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = at + literal_length(&bytes[at..], at > 0 && is_word(bytes[at - 1]));
        if end == at {
            at += 1;
            continue;
        }
        code[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at = end;
    }
    String::from_utf8_lossy(&code).into_owned()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the number of bytes that the comment or literal takes that starts here; 0 when none
/// does.
fn literal_length(rest: &[u8], in_word: bool) -> usize {
    match rest {
        [b'/', b'/', ..] => rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len()),
        [b'/', b'*', ..] => block_comment(rest),
        [b'"', ..] => quoted(rest, b'"'),
        [b'r', b'"' | b'#', ..] if !in_word => raw_string(&rest[1..]).map_or(0, |n| n + 1),
        [b'\'', b'\\', ..] => quoted(rest, b'\''),
        // A character literal closes after one character, a lifetime never does.
        [b'\'', first, ..] => {
            let width = if *first < 0x80 {
                1
            } else {
                2 + usize::from(*first >= 0xE0) + usize::from(*first >= 0xF0)
            };
            if rest.get(1 + width) == Some(&b'\'') { width + 2 } else { 0 }
        }
        _ => 0,
    }
}

fn block_comment(rest: &[u8]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at + 1 < rest.len() {
        match &rest[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn quoted(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of `#"..."#` with any number of hashes; `None` for `r#name`.
fn raw_string(rest: &[u8]) -> Option<usize> {
    let hashes = rest.iter().take_while(|&&b| b == b'#').count();
    if rest.get(hashes) != Some(&b'"') {
        return None;
    }
    let close: Vec<u8> = std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
    let body = &rest[hashes + 1..];
    let end = body.windows(close.len()).position(|window| window == close);
    Some(end.map_or(rest.len(), |end| hashes + 1 + end + close.len()))
}

/// The places where a word stands by itself: line from 1, and byte offset.
pub(crate) fn word_places<'a>(
    code: &'a str,
    word: &'a str,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    code.match_indices(word).filter_map(move |(at, _)| {
        let before = code.as_bytes()[..at].last().is_some_and(|&b| is_word(b));
        let after = code.as_bytes().get(at + word.len()).is_some_and(|&b| is_word(b));
        (!before && !after).then(|| (line_of(code, at), at))
    })
}

/// The line from 1 of a byte offset.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_what_is_not_code() {
        for (text, words) in [
            ("unsafe // unsafe\nunsafe", 2),
            ("/* unsafe /* unsafe */ unsafe */ unsafe", 1),
            ("\"unsafe \\\" unsafe\" unsafe", 1),
            ("r#\"unsafe \" unsafe\"# unsafe", 1),
            ("'\"' unsafe '\\'' unsafe '\"'", 2),
            ("fn f<'a>(x: &'a str) { unsafe }", 1),
            ("b\"unsafe\" unsafely not_unsafe r#unsafe", 1),
            ("'é' \"é\" unsafe 'ü'", 1),
            ("\"never closed unsafe", 0),
        ] {
            assert_eq!(word_places(&code_only(text), "unsafe").count(), words, "{text}");
            assert_eq!(code_only(text).lines().count(), text.lines().count());
        }
    }
}
