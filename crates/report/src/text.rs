//! Text that must fit into drawings.
//!
//! SVG does not break lines and the page must not run a script to measure text,
//! so its width is estimated, on the generous side.

/// Returns an estimate of a text's width in pixels at a font size, for common sans-serif fonts.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let em: f64 = text.chars().map(char_width).sum();
    em * size
}

fn char_width(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '.' | ',' | ':' | '\'' | '|' | '!' | '(' | ')' | ' ' => 0.36,
        'f' | 't' | 'r' | '-' => 0.44,
        'm' | 'w' | 'M' | 'W' | '%' => 0.98,
        c if c.is_uppercase() => 0.72,
        c if c.is_ascii() => 0.64,
        _ => 1.0,
    }
}

/// Returns the text, cut in the middle where it has more than `most` characters: both ends of a
/// path say something.
pub(crate) fn clip(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let head = most / 2 - 1;
    let tail = most - head - 1;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(length - tail).collect();
    format!("{start}\u{2026}{end}")
}

/// `1 task`, `2 tasks`.
pub(crate) fn count(number: u64, word: &str) -> String {
    if number == 1 { format!("1 {word}") } else { format!("{number} {word}s") }
}

/// Returns a name as an identifier for links within the page.
pub(crate) fn anchor(prefix: &str, name: &str) -> String {
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || c == '.' || c == '_' || c == '-' { c } else { '_' }
    };
    format!("{prefix}-{}", name.chars().map(safe).collect::<String>())
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [start @ .., last] => {
            let start: Vec<&str> = start.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", start.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(clip("sensing.converter.driver", 11), "sens\u{2026}driver");
        assert_eq!(clip("short", 11), "short");
    }

    #[test]
    fn lists_read_like_sentences() {
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
        assert_eq!(list(&["a"]), "a");
    }
}
