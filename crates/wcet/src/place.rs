//! Places that people name: `search`, `search+0x12`, `0x80000042`.
//!
//! A name that the program does not have is answered with the most similar one:
//! no more than a third of the letters may differ, which catches slips of the
//! finger and no other words.

use crate::program::Program;

/// A text that names no place of the program's code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} `{text}`")]
pub struct UnknownPlace {
    /// `symbol`, or `code at`.
    what: &'static str,
    /// What was written.
    text: String,
    /// What was probably meant, where something is similar.
    pub similar: Option<String>,
}

/// The address in executable memory that a text names.
///
/// # Errors
/// [`UnknownPlace`] for names that are no symbol and addresses without code.
pub fn find(program: &Program, text: &str) -> Result<u64, UnknownPlace> {
    let address = address(program, text)?;
    if program.is_code(address) {
        return Ok(address);
    }
    Err(UnknownPlace { what: "code at", text: text.to_owned(), similar: None })
}

fn address(program: &Program, text: &str) -> Result<u64, UnknownPlace> {
    if let Some(symbol) = program.symbol(text) {
        return Ok(symbol.address);
    }
    if let Some(address) = number(text).filter(|_| text.starts_with("0x")) {
        return Ok(address);
    }
    let (name, distance) = match text.rsplit_once('+') {
        Some((name, distance)) => (name.trim(), number(distance.trim())),
        None => (text, Some(0)),
    };
    match (program.symbol(name), distance) {
        (Some(symbol), Some(distance)) => Ok(symbol.address.wrapping_add(distance)),
        (Some(_), None) => Err(UnknownPlace { what: "distance in", text: text.to_owned(), similar: None }),
        (None, _) => {
            let names = program.symbols().iter().filter(|s| s.code).map(|s| s.name.as_str());
            let similar = closest(name, names).map(|close| text.replacen(name, close, 1));
            Err(UnknownPlace { what: "symbol", text: text.to_owned(), similar })
        }
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The name closest to `wanted`, if one is similar; the first among equals.
pub(crate) fn closest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = wanted.chars().take(64).collect();
    let limit = (wanted.len() / 3).min(3);
    let similar = names.filter(|name| name.len() <= 256 && name.chars().count().abs_diff(wanted.len()) <= limit);
    let (distance, name) = similar.map(|name| (distance(&wanted, name), name)).min_by_key(|(distance, _)| *distance)?;
    (distance <= limit).then_some(name)
}

/// Letters to insert, delete, replace or swap with their neighbour.
fn distance(wanted: &[char], name: &str) -> usize {
    let name: Vec<char> = name.chars().collect();
    let mut above: Vec<usize> = (0..=name.len()).collect();
    let mut before = above.clone();
    for (row, &letter) in wanted.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &other) in name.iter().enumerate() {
            let replaced = above[column] + usize::from(letter != other);
            let mut least = replaced.min(above[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && wanted[row - 1] == other && letter == name[column - 1] {
                least = least.min(before[column - 1] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[name.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn finds_slips_of_the_finger_only() {
        let names = ["search", "main", "sort"];
        assert_eq!(closest("serach", names.into_iter()), Some("search"));
        assert_eq!(closest("mian", names.into_iter()), Some("main"));
        assert_eq!(closest("elsewhere", names.into_iter()), None);
        assert_eq!(closest("", names.into_iter()), None);
    }
}
