//! Differences of times as text.

use fusee_model::{Duration, TimeColumn};

/// Returns the cells of a column of nanoseconds with a sign, for example slacks, in one unit; what
/// is not known is a dash.
pub fn signed_times(times: &[Option<i128>]) -> Vec<String> {
    let size = |ns: i128| Duration(u64::try_from(ns.unsigned_abs()).unwrap_or(u64::MAX));
    let column = TimeColumn::of(times.iter().flatten().map(|&ns| size(ns)));
    let show = |ns: i128| format!("{}{}", if ns < 0 { "-" } else { "" }, column.show(size(ns)));
    times.iter().map(|time| time.map_or("-".to_owned(), show)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_sign_and_one_unit() {
        let times = [Some(-1_500_000), Some(0), Some(20_000), None, Some(2_000_000)];
        assert_eq!(signed_times(&times), ["-1.50 ms", "0", "0.02 ms", "-", "2.00 ms"]);
        assert_eq!(signed_times(&[Some(20)]), ["20 ns"]);
    }
}
