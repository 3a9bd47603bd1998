//! Times in the text of a description.

/// A text in which each time in quotation marks is another one, both in nanoseconds.
pub fn with_times(text: &str, change: impl Fn(u64) -> u64) -> String {
    let time = |part: &str| -> Option<String> {
        let (number, unit) = part.split_once(' ')?;
        let ns = match unit {
            "s" => 1e9,
            "ms" => 1e6,
            "us" => 1e3,
            _ => return None,
        };
        let whole = (number.parse::<f64>().ok()? * ns) as u64;
        Some(format!("{} ns", change(whole)))
    };
    let parts = text.split('"').map(|part| time(part).unwrap_or_else(|| part.to_owned()));
    parts.collect::<Vec<_>>().join("\"")
}
