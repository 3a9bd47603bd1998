//! Differences of times as text.

use fusee_model::Duration;

/// Nanoseconds with a sign, for example a slack.
pub(crate) fn signed(ns: i128) -> String {
    let size = Duration(u64::try_from(ns.unsigned_abs()).unwrap_or(u64::MAX));
    if ns < 0 { format!("-{size}") } else { size.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_sign() {
        assert_eq!(signed(-1_500_000), "-1.5 ms");
        assert_eq!(signed(0), "0");
        assert_eq!(signed(20), "20 ns");
    }
}
