//! Descriptions in which everything happens so many times as late.

use fusee_model::Duration;

/// Returns a line with its time so many times as long, if it says when something happens.
pub(crate) fn stretched(line: &str, stretch: u64) -> String {
    let found = [".period = \"", ".offset = \"", ".budget = \"", ".time_slice = \""]
        .into_iter()
        .find_map(|what| line.split_once(what).map(|(before, rest)| (before, what, rest)));
    let time =
        found.and_then(|(_, _, rest)| Duration::parse(rest.split('"').next()?, Duration(1)).ok());
    match (found, time) {
        (Some((before, what, _)), Some(time)) => {
            format!("{before}{what}{} ns\";", time.ns() * stretch)
        }
        _ => line.to_owned(),
    }
}
