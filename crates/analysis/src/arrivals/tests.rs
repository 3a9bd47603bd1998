//! Curves against counting by hand.

use proptest::prelude::*;

use super::{ArrivalCurve, InvalidCurve};
use crate::fixed_priority::window::Arrivals;

/// The most events with a distance below the window, counted one by one.
fn counted(curve: &ArrivalCurve, window: u64) -> u64 {
    (1..).take_while(|&events| curve.distance(events) < window).last().unwrap_or(0)
}

fn curves() -> impl Strategy<Value = ArrivalCurve> {
    let periodic = (1_u64..30, 0_u64..70, 0_u64..9).prop_map(|(t, j, d)| {
        ArrivalCurve::periodic(t, j).map(|curve| curve.at_least_apart(d.min(t)))
    });
    let bursts = (1_u64..6, 0_u64..5, 1_u64..20)
        .prop_map(|(n, d, rest)| ArrivalCurve::bursts(n, d, n * d + rest));
    let trace = prop::collection::vec(0_u64..12, 2..9).prop_map(|gaps| {
        let times = gaps.iter().scan(0, |now, gap| {
            *now += gap;
            Some(*now)
        });
        ArrivalCurve::from_trace(&times.chain([200]).collect::<Vec<_>>())
    });
    (prop_oneof![periodic, bursts, trace], 0_u64..40, 0_u64..4)
        .prop_map(|(curve, variation, apart)| {
            curve.expect("numbers as asked for").delayed(variation).at_least_apart(apart)
        })
        .prop_filter("a window may hold any number of events", |curve| curve.distance(400) > 100)
}

proptest! {
    #[test]
    fn a_window_holds_what_its_distances_allow(curve in curves(), window in 0_u64..100) {
        prop_assert_eq!(
            curve.within(window),
            Some(if window == 0 { 0 } else { counted(&curve, window) }),
        );
    }

    #[test]
    fn parts_put_together_are_not_closer_than_the_whole(
        curve in curves(),
        first in 1_u64..20,
        second in 1_u64..20,
    ) {
        let pattern = &curve.bounds[0].pattern;
        let together = pattern.distance(first) + pattern.distance(second);
        prop_assert!(pattern.distance(first + second - 1) >= together);
        prop_assert!(curve.distance(first) <= curve.distance(first + 1));
    }

    #[test]
    fn a_trace_keeps_its_own_curve(gaps in prop::collection::vec(0_u64..9, 1..30)) {
        let later = gaps.iter().scan(0, |now, gap| {
            *now += gap;
            Some(*now)
        });
        let times: Vec<u64> = std::iter::once(0).chain(later).collect();
        prop_assume!(times.last() != Some(&0));
        let curve = ArrivalCurve::from_trace(&times).expect("sorted");
        for (first, &begin) in times.iter().enumerate() {
            for (last, &end) in times.iter().enumerate().skip(first) {
                prop_assert!(curve.distance((last - first + 1) as u64) <= end - begin);
            }
        }
    }

    #[test]
    fn a_period_with_jitter_is_that_of_the_task_sets(
        period in 1_u64..50,
        jitter in 0_u64..200,
        window in 1_u64..500,
    ) {
        let curve = ArrivalCurve::periodic(period, jitter).expect("a period");
        prop_assert_eq!(curve.within(window), Arrivals { period, jitter }.within(window));
    }

    #[test]
    fn the_long_run_is_no_faster_than_the_rate(curve in curves()) {
        let (events, time) = curve.rate();
        let many = 100_000_u64;
        let least = u128::from(curve.distance(many)) * u128::from(events);
        // What a jitter or an unfinished pattern can hold back does not grow.
        prop_assert!(least + 1_000 * u128::from(events) >= u128::from(many - 1) * u128::from(time));
    }
}

#[test]
fn bursts_by_hand() {
    let curve = ArrivalCurve::bursts(3, 2, 10).expect("a burst");
    let distances: Vec<u64> = (1..=7).map(|events| curve.distance(events)).collect();
    assert_eq!(distances, [0, 2, 4, 10, 12, 14, 20]);
    assert_eq!([1, 2, 3, 5, 10, 11].map(|w| curve.within(w)), [1, 1, 2, 3, 3, 4].map(Some));
    let at_once = ArrivalCurve::bursts(4, 0, 10).expect("a burst");
    assert_eq!([1, 10, 11].map(|w| at_once.within(w)), [4, 4, 8].map(Some));
}

#[test]
fn what_is_no_stream_is_refused() {
    assert_eq!(ArrivalCurve::periodic(0, 3), Err(InvalidCurve::ZeroPeriod));
    assert_eq!(ArrivalCurve::bursts(0, 1, 5), Err(InvalidCurve::EmptyBurst));
    assert_eq!(ArrivalCurve::bursts(3, 3, 8), Err(InvalidCurve::LongBurst));
    assert_eq!(ArrivalCurve::bursts(u64::MAX, u64::MAX, 5), Err(InvalidCurve::LongBurst));
    assert_eq!(ArrivalCurve::from_trace(&[7]), Err(InvalidCurve::ShortTrace));
    assert_eq!(ArrivalCurve::from_trace(&[7, 9, 8]), Err(InvalidCurve::Unsorted(2)));
    assert_eq!(ArrivalCurve::from_trace(&[7, 7]), Err(InvalidCurve::OneInstant));
}
