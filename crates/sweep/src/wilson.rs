//! The distance of a counted share from the true one.

/// The 97.5 % quantile of the normal distribution: intervals hold in 95 of 100 cases.
const Z: f64 = 1.959_963_984_540_054;

/// Returns the interval of Wilson (1927) for `hits` out of `trials`, at 95 %.
///
/// Unlike the textbook's p +- z sqrt(p(1-p)/n) it is right near 0 and 1, which is
/// where curves of schedulability begin and end. Without trials it is everything.
pub fn interval(hits: u64, trials: u64) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let (hits, trials) = (hits as f64, trials as f64);
    let share = hits / trials;
    let scale = 1.0 + Z * Z / trials;
    let centre = (share + Z * Z / (2.0 * trials)) / scale;
    let half =
        Z * (share * (1.0 - share) / trials + Z * Z / (4.0 * trials * trials)).sqrt() / scale;
    // Rounding must not leave 0 and 1 out where nothing speaks against them.
    let low = if hits == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if hits == trials { 1.0 } else { (centre + half).min(1.0) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_known_intervals() {
        let close = |(low, high): (f64, f64), (l, h): (f64, f64)| {
            (low - l).abs() < 5e-5 && (high - h).abs() < 5e-5
        };
        assert!(close(interval(81, 263), (0.2553, 0.3662)));
        assert!(close(interval(15, 148), (0.0624, 0.1605)));
        assert!(close(interval(0, 20), (0.0, 0.1611)));
        assert!(close(interval(29, 29), (0.8830, 1.0)));
        assert_eq!(interval(0, 0), (0.0, 1.0));
    }

    #[test]
    fn always_holds_the_share() {
        for trials in [1, 2, 7, 1000] {
            for hits in 0..=trials {
                let (low, high) = interval(hits, trials);
                let share = hits as f64 / trials as f64;
                assert!(
                    0.0 <= low && low <= share && share <= high && high <= 1.0,
                    "{hits}/{trials}"
                );
            }
        }
    }
}
