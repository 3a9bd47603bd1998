//! Statements and loops in the text of a source.
//!
//! Not a parser: as much of one as it takes to find where a loop's head and its
//! statement end, in code that compiles.

use std::ops::Range;

/// The first word of a pragma about a loop.
pub(super) const NAME: &str = "loopbound";

/// Returns the loop that begins next, behind other pragmas: its head, and all of it.
pub(super) fn looping(code: &str, from: usize) -> Option<(Range<usize>, Range<usize>)> {
    let start = from + code[from..].find(|letter: char| !letter.is_whitespace())?;
    // A label may stand between a pragma and its loop.
    let start = label(code, start);
    match word(code, start) {
        // Several pragmas may stand in front of one loop, such as those for the compiler.
        "_Pragma" => looping(code, closing(code, start)?),
        "for" | "while" => {
            let head = start..closing(code, start + code[start..].find('(')?)?;
            Some((head.clone(), start..statement(code, head.end)?))
        }
        "do" => {
            let body = statement(code, start + 2)?;
            let condition = body + code[body..].find("while")?;
            let end = closing(code, condition + code[condition..].find('(')?)?;
            // A `do` decides at its end, so that is its head.
            Some((condition..end, start..end))
        }
        _ => None,
    }
}

/// Returns where what follows a label begins.
fn label(code: &str, start: usize) -> usize {
    let name = word(code, start);
    let behind = code[start + name.len()..].trim_start();
    match behind.strip_prefix(':').filter(|_| !name.is_empty()) {
        Some(rest) => code.len() - rest.trim_start().len(),
        None => start,
    }
}

pub(super) fn word(code: &str, start: usize) -> &str {
    let rest = &code[start..];
    &rest[..rest
        .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .unwrap_or(rest.len())]
}

/// Returns the end of the brackets that open here.
pub(super) fn closing(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    // All kinds of brackets count as one: in code that compiles they are closed in order.
    for (at, letter) in code[open..].char_indices() {
        match letter {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return Some(open + at + 1);
        }
    }
    None
}

/// Returns the end of the statement that begins next.
fn statement(code: &str, from: usize) -> Option<usize> {
    let start = from + code[from..].find(|letter: char| !letter.is_whitespace())?;
    let start = label(code, start);
    match word(code, start) {
        "_Pragma" => statement(code, closing(code, start + code[start..].find('(')?)?),
        // A line for the preprocessor may stand between two statements, and is none.
        _ if code[start..].starts_with('#') => statement(code, start + code[start..].find('\n')?),
        "for" | "while" | "switch" => {
            statement(code, closing(code, start + code[start..].find('(')?)?)
        }
        "do" => looping(code, start).map(|(_, all)| all.end),
        "if" => {
            let end = statement(code, closing(code, start + code[start..].find('(')?)?)?;
            let next = code.len() - code[end..].trim_start().len();
            // Its `else` is a part of the statement.
            if word(code, next) == "else" { statement(code, next + 4) } else { Some(end) }
        }
        _ if code[start..].starts_with('{') => closing(code, start),
        _ => {
            let mut at = start;
            while !code[at..].starts_with(';') {
                let letter = code[at..].chars().next()?;
                // A semicolon in brackets does not end it, as in a statement that is an expression.
                at = if "({[".contains(letter) {
                    closing(code, at)?
                } else {
                    at + letter.len_utf8()
                };
            }
            Some(at + 1)
        }
    }
}

/// The same text with blanks for comments, for what is quoted, but for pragmas, and for what joins
/// lines; lines stay where they are.
pub(super) fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = match letter {
            // Whatever comes first decides: a quote in a comment is no quote,
            // nor the other way round.
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |at| at + 4),
            '"' | '\'' => quoted(rest, letter),
            // A macro of several lines is to be read as if it were one.
            '\\' if rest[1..].starts_with(['\n', '\r']) => 1,
            _ => {
                code.push(letter);
                rest = &rest[letter.len_utf8()..];
                continue;
            }
        };
        let piece = &rest[..length];
        if piece.starts_with('"') && piece[1..].trim_start().starts_with(NAME) {
            code += piece;
        } else {
            // As many bytes as there were.
            code.extend(piece.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        }
        rest = &rest[length..];
    }
    code
}

/// Returns the length of what is quoted at the beginning.
fn quoted(text: &str, quote: char) -> usize {
    let mut letters = text.char_indices().skip(1);
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            // A quote does not go on in the next line, so this one was an apostrophe
            // in text that is no code.
            '\n' => return at,
            letter if letter == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

pub(super) fn line_of(text: &str, at: usize) -> u32 {
    text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() as u32 + 1
}
