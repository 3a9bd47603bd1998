//! Names of C++, and of Rust before its scheme `v0`: `_ZN` and so on.
//!
//! Only plain paths are read, with constructors and destructors. Parameters are
//! left out. A name with templates, operators or back references is not taken
//! apart: half of it would be another function's name.

/// The letters behind which Rust hides what linkers do not take, and what they stand for.
const ESCAPES: [(&str, &str); 13] = [
    ("$LT$", "<"),
    ("$GT$", ">"),
    ("$RF$", "&"),
    ("$BP$", "*"),
    ("$LP$", "("),
    ("$RP$", ")"),
    ("$C$", ","),
    ("$u20$", " "),
    ("$u5b$", "["),
    ("$u5d$", "]"),
    ("$u7b$", "{"),
    ("$u7d$", "}"),
    ("..", "::"),
];

/// Returns the path in what follows `_Z`.
pub(super) fn path(name: &str) -> Option<String> {
    let Some(nested) = name.strip_prefix('N') else {
        // `L` is for a function of one file. Behind its name only the types of its parameters come.
        return identifier(name.strip_prefix('L').unwrap_or(name)).map(|(only, _)| only.to_owned());
    };
    // Methods of constant or volatile objects.
    let mut rest = nested.trim_start_matches(['r', 'V', 'K']);
    let mut parts: Vec<String> = Vec::new();
    while !rest.starts_with('E') {
        if let Some((part, behind)) = identifier(rest.strip_prefix('L').unwrap_or(rest)) {
            parts.push(unescaped(part));
            rest = behind;
            continue;
        }
        // Constructors and destructors have no name of their own: they are called like the class.
        let class = parts.last()?;
        parts.push(match rest.get(..2)? {
            "C1" | "C2" | "C3" => class.clone(),
            "D0" | "D1" | "D2" => format!("~{class}"),
            _ => return None,
        });
        rest = &rest[2..];
    }
    // A name of one part is what the programmer wrote, even if it looks like a hash.
    if parts.len() > 1 && parts.last().is_some_and(|last| is_hash(last)) {
        parts.pop();
    }
    (!parts.is_empty()).then(|| parts.join("::"))
}

/// Returns a name with its length before it, and what is behind it.
fn identifier(text: &str) -> Option<(&str, &str)> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit())?;
    let length: usize = text[..digits].parse().ok()?;
    let rest = &text[digits..];
    // A made-up length may end inside a character or behind the text.
    (length > 0 && rest.is_char_boundary(length)).then(|| rest.split_at_checked(length)).flatten()
}

/// Returns what Rust adds to tell equal paths apart.
fn is_hash(part: &str) -> bool {
    part.len() == 17
        && part.starts_with('h')
        && part[1..].bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn unescaped(part: &str) -> String {
    // A name that would begin with an escape has an underscore before it.
    let part = if part.starts_with("_$") { &part[1..] } else { part };
    ESCAPES.iter().fold(part.to_owned(), |part, (escape, meant)| part.replace(escape, meant))
}
