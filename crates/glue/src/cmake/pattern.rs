//! Regular expressions of CMake, as far as conditions use them.
//!
//! Letters, `.`, `[abc]`, `[^a-z]`, `*`, `+`, `?`, `^`, `$` and `|` at the outermost
//! level, parentheses taken as nothing. An attempt that takes too many steps does not match.

/// Whether an expression matches anywhere in a text.
pub(super) fn matches(expression: &str, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let expression =
        expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(expression);
    expression.split('|').any(|one| {
        let (anchored, one) = one.strip_prefix('^').map_or((false, one), |rest| (true, rest));
        let parts = parts(&one.replace(['(', ')'], ""));
        let last = if anchored { 0 } else { text.len() };
        let mut steps = 100_000;
        (0..=last).any(|start| here(&parts, &text[start..], &mut steps))
    })
}

/// One letter of an expression and how often it may come.
struct Part {
    one: One,
    least: usize,
    most: usize,
}

enum One {
    Any,
    End,
    Letter(char),
    Set(Vec<(char, char)>, bool),
}

impl One {
    fn takes(&self, c: char) -> bool {
        match self {
            One::Any => true,
            One::End => false,
            One::Letter(letter) => *letter == c,
            One::Set(ranges, inverted) => {
                ranges.iter().any(|&(from, to)| (from..=to).contains(&c)) != *inverted
            }
        }
    }
}

fn here(parts: &[Part], text: &[char], steps: &mut usize) -> bool {
    let Some((first, rest)) = parts.split_first() else { return true };
    if *steps == 0 {
        return false;
    }
    *steps -= 1;
    if let One::End = first.one {
        return text.is_empty() && here(rest, text, steps);
    }
    let room = text.iter().take(first.most).take_while(|&&c| first.one.takes(c)).count();
    (first.least..=room).rev().any(|count| here(rest, &text[count..], steps))
}

fn parts(expression: &str) -> Vec<Part> {
    let mut letters = expression.chars().peekable();
    let mut parts = Vec::new();
    while let Some(c) = letters.next() {
        let one = match c {
            '.' => One::Any,
            '$' => One::End,
            '\\' => One::Letter(letters.next().unwrap_or('\\')),
            '[' => set(&mut letters),
            c => One::Letter(c),
        };
        let (least, most) = match letters.peek() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            _ => {
                parts.push(Part { one, least: 1, most: 1 });
                continue;
            }
        };
        letters.next();
        parts.push(Part { one, least, most });
    }
    parts
}

fn set(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> One {
    let inverted = letters.next_if_eq(&'^').is_some();
    let mut ranges: Vec<(char, char)> = Vec::new();
    while let Some(c) = letters.next() {
        if c == ']' && !ranges.is_empty() {
            break;
        }
        let to = if letters.peek() == Some(&'-') {
            letters.next();
            match letters.next() {
                Some(']') | None => {
                    ranges.extend([(c, c), ('-', '-')]);
                    break;
                }
                Some(to) => to,
            }
        } else {
            c
        };
        ranges.push((c, to));
    }
    One::Set(ranges, inverted)
}
