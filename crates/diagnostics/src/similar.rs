//! Finds the name that a user may have meant.
//!
//! The measure is the number of letters to insert, delete, replace or swap with
//! their neighbor. A name counts as similar if no more than a third of the
//! letters differ: that catches slips of the finger and no other words.

/// Returns the known name closest to `name`, if one is similar; the first in order of `known` among
/// equals.
pub fn closest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.chars().take(64).collect();
    let limit = (wanted.len() / 3).min(3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let enough = best.map_or(limit, |(distance, _)| distance.saturating_sub(1));
        if candidate == name || candidate.len().abs_diff(name.len()) > 4 * limit {
            continue;
        }
        if let Some(distance) = distance_within(&wanted, candidate, enough)
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, name)| name)
}

/// Returns the distance, if it is at most `limit`; letters of another case cost nothing if all else
/// is equal.
fn distance_within(wanted: &[char], candidate: &str, limit: usize) -> Option<usize> {
    let other: Vec<char> = candidate.chars().take(65).collect();
    if other.len().abs_diff(wanted.len()) > limit {
        return None;
    }
    let width = other.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut above: Vec<usize> = (0..width).collect();
    for (row, &letter) in wanted.iter().enumerate() {
        let mut current = vec![row + 1; width];
        for (column, &opposite) in other.iter().enumerate() {
            let differs = usize::from(!letter.eq_ignore_ascii_case(&opposite));
            let mut cost =
                (above[column] + differs).min(above[column + 1] + 1).min(current[column] + 1);
            let swapped =
                row > 0 && column > 0 && wanted[row - 1] == opposite && letter == other[column - 1];
            if swapped {
                cost = cost.min(before[column - 1] + 1);
            }
            current[column + 1] = cost;
        }
        before = std::mem::replace(&mut above, current);
    }
    Some(above[width - 1]).filter(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn finds_slips_of_the_finger() {
        let known = ["period", "deadline", "priority", "calls"];
        for (slip, meant) in [
            ("perod", "period"),
            ("deadlnie", "deadline"),
            ("priorty", "priority"),
            ("call", "calls"),
            ("Period", "period"),
        ] {
            assert_eq!(closest(slip, known), Some(meant), "{slip}");
        }
    }

    #[test]
    fn leaves_other_words_alone() {
        for word in ["heap_size", "x", "", "dead", "a_very_long_name_that_is_nothing_like_it"] {
            assert_eq!(closest(word, ["period", "deadline"]), None, "{word}");
        }
    }

    #[test]
    fn never_offers_the_name_itself() {
        assert_eq!(closest("period", ["period"]), None);
    }
}
