//! Round numbers along an axis.

/// An axis from the first to the last value, with labeled places.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scale {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) ticks: Vec<(f64, String)>,
}

/// About how many places are labeled.
const TICKS: f64 = 8.0;

impl Scale {
    /// Returns the axis for a range; an empty or endless range becomes one around 0.
    pub(crate) fn new(from: f64, to: f64) -> Self {
        let fine = from.is_finite() && to.is_finite() && to > from;
        let (from, to) = if fine { (from, to) } else { around(from) };
        let step = step((to - from) / TICKS);
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let first = (from / step - 1e-9).ceil();
        let count = ((to / step + 1e-9).floor() - first).clamp(0.0, 100.0) as usize;
        let tick = |k: usize| {
            let value = (first + k as f64) * step;
            (
                value,
                format!("{value:.decimals$}").replacen("-0.0", "0.0", usize::from(value == 0.0)),
            )
        };
        Self { from, to, ticks: (0..=count).map(tick).collect() }
    }

    /// Returns the place of a value, from 0 to 1.
    pub(crate) fn share(&self, value: f64) -> f64 {
        ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }
}

fn around(value: f64) -> (f64, f64) {
    if value.is_finite() { (value - 0.5, value + 0.5) } else { (0.0, 1.0) }
}

/// Returns the next of 1, 2, 5, 10, 20, ... at or above.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(from: f64, to: f64) -> Vec<String> {
        Scale::new(from, to).ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn labels_are_round() {
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(0.05, 8.0), ["1", "2", "3", "4", "5", "6", "7", "8"]);
        assert_eq!(labels(0.0, 16.0), ["0", "2", "4", "6", "8", "10", "12", "14", "16"]);
    }

    #[test]
    fn strange_ranges_still_give_an_axis() {
        for (from, to) in [(3.0, 3.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (2.0, 1.0)] {
            let scale = Scale::new(from, to);
            assert!(scale.to > scale.from && !scale.ticks.is_empty(), "{from} {to}");
        }
    }
}
